use super::super::{Fmjd, Learned, Site};
use super::index::Placements;
use super::*;
use crate::position::Position;

fn built_in<R: Learned>() -> Vec<Packed> {
    Packed::read_all(R::VARIANT, R::BITBASE).unwrap()
}

fn position<R: RuleSet>(text: &str) -> Draughts<R> {
    Draughts::read(text, R::Rules::default()).unwrap()
}

#[test]
fn every_placement_has_an_index_of_its_own() {
    for (pieces, expected) in [(2, 8_845), (3, 806_300)] {
        let mut positions = 0;
        for material in Material::all(pieces) {
            let mut placements = Placements::new(material);
            for index in 0..material.size() {
                let Some(pieces) = placements.at(index) else { continue };
                assert_eq!((pieces.index(), pieces.material()), (index, material));
                for ahead in placements.ahead(&pieces).into_iter().flatten() {
                    assert!(ahead < index, "{material} {ahead} {index}");
                }
                positions += 1;
            }
        }
        // As many as published.
        assert_eq!(positions, expected, "{pieces} pieces");
    }
}

/// Builds the tables of up to three pieces, which checks them, too.
fn check_build<R: Learned>(longest: &[(&str, u16)]) {
    let packed = built_in::<R>();
    let (mut build, mut all) = (Build::<R>::default(), Vec::new());
    for material in (2..=3).flat_map(Material::all) {
        if material < material.swapped() {
            continue;
        }
        let Built { packed: table, facts } = build.add(material).unwrap();
        assert!(packed.contains(&table), "{material} of this version");
        all.extend(facts);
    }
    for &(material, plies) in longest {
        let facts = all.iter().find(|facts| facts.material.to_string() == material).unwrap();
        assert_eq!(facts.longest.as_ref().map(|&(plies, _)| plies), Some(plies), "{material}");
    }
}

#[test]
fn the_tables_of_this_version_are_those_that_are_built() {
    let longest =
        [("1m-1m", 17), ("1k-1m", 7), ("2m-1m", 23), ("1m-2m", 33), ("1k-2m", 27), ("2k-1k", 7)];
    check_build::<Site>(&longest);
    check_build::<Fmjd>(&longest);
}

#[test]
fn tables_that_were_packed_can_be_gone_on_with() {
    let packed = built_in::<Fmjd>();
    let mut build = Build::<Fmjd>::default();
    let two = packed.iter().filter(|table| table.material().pieces() == 2);
    two.for_each(|table| build.resume(table));
    let three = Material { own: [2, 0], enemy: [0, 1] };
    let kings = [[0, 2], [1, 1]].map(|own| Material { own, enemy: [0, 1] });
    for material in [kings[0], kings[1], three] {
        assert!(packed.contains(&build.add(material).unwrap().packed), "{material}");
    }
}

/// The longest wins by material that are known of Letouzey's Scan.
const LONGEST: [(&str, u16); 12] = [
    ("W:W33:B2", 17),
    ("W:WK42:B22", 7),
    ("W:W40,44:B3", 23),
    ("W:W21:B3,4", 33),
    ("W:WK38:B4,18", 27),
    ("W:W33,46:B4,5", 39),
    ("W:W6,K49,50:BK16", 29),
    ("W:WK40,K45,50:BK11", 31),
    ("W:W6:B2,3,4", 43),
    ("W:W6:B3,4,K11", 33),
    ("W:WK14:B1,K10,12", 29),
    ("W:W23:B5,6", 29),
];

#[test]
fn published_wins_take_as_long_as_published() {
    let bitbase = Bitbase::<Fmjd>::unpack(&built_in::<Fmjd>());
    for (text, plies) in LONGEST {
        let position = position(text);
        assert_eq!(bitbase.end(&position), Some(End::Win(Ply(plies))), "{text}");
        // Black wins the same way.
        assert_eq!(bitbase.end(&position.mirrored()), Some(End::Win(Ply(plies))), "{text}");
    }
}

#[test]
fn a_win_that_a_counter_may_cut_short_is_not_told() {
    let bitbase = Bitbase::<Fmjd>::unpack(&built_in::<Fmjd>());
    let check = |text: &str, expected| assert_eq!(bitbase.end(&position(text)), expected, "{text}");
    // 16 moves of each side (6.3).
    check("W:WK40,K45,50:BK11:H1", Some(End::Win(Ply(31))));
    check("W:WK40,K45,50:BK11:H2", None);
    // 5 moves of each side (6.4): a win in 7 plies.
    check("W:WK1,K2:BK45:H3", Some(End::Win(Ply(7))));
    check("W:WK1,K2:BK45:H4", None);
    // 25 moves of each side (6.2): a win in 7 plies.
    check("W:WK42:B22:H43", Some(End::Win(Ply(7))));
    check("W:WK42:B22:H44", None);
    // A draw is one whatever the counters say.
    check("W:WK1,K2:BK46:H9", Some(End::Draw));
    let bitbase = Bitbase::<Site>::unpack(&built_in::<Site>());
    let check = |text: &str, expected| assert_eq!(bitbase.end(&position(text)), expected, "{text}");
    check("W:WK40,K45,50:BK11:H69", Some(End::Win(Ply(31))));
    check("W:WK40,K45,50:BK11:H70", None);
}

/// Every `stride`th position of four pieces has the end that its moves lead to.
fn check_moves<R: Learned>(stride: usize) {
    let bitbase = Bitbase::<R>::unpack(&built_in::<R>());
    let mut ends = [0; 3];
    for material in Material::all(4) {
        let mut placements = Placements::new(material);
        for index in (0..material.size()).step_by(stride) {
            let Some(pieces) = placements.at(index) else { continue };
            let board = pieces.board();
            let position = Draughts::<R>::new(board, Color::White, 0, 1, R::Rules::default());
            let mut moves = Vec::new();
            position.moves(&mut moves);
            let after = moves.iter().map(|&mv| match bitbase.end(&position.after(mv)).unwrap() {
                End::Draw => End::Draw,
                End::Win(ply) => End::Loss(ply.next()),
                End::Loss(ply) => End::Win(ply.next()),
            });
            let best = after.max_by_key(|end| end.score(Ply::ROOT));
            let end = bitbase.end(&position).unwrap();
            assert_eq!(end, best.unwrap_or(End::Loss(Ply(0))), "{position}");
            ends[match end {
                End::Win(_) => 0,
                End::Draw => 1,
                End::Loss(_) => 2,
            }] += 1;
        }
    }
    assert!(ends.iter().all(|&count| count > 1_000), "{ends:?}");
}

#[test]
fn every_position_ends_as_its_moves_say() {
    check_moves::<Site>(997);
    check_moves::<Fmjd>(997);
}

#[test]
fn other_files_are_refused() {
    let [site, fmjd] = [Site::BITBASE, Fmjd::BITBASE];
    let check = |file: &[u8], expected: &str| {
        let error = Packed::read_all("draughts", file).unwrap_err().to_string();
        assert_eq!(error, expected);
    };
    check(&[], "it is no file of endgame tables");
    check(&[255; 100], "it is no file of endgame tables");
    let line = String::from_utf8_lossy(&fmjd[..79]).trim_end().to_owned();
    let expected = "expected \"yardmaster bitbase 1: draughts, \"";
    check(fmjd, &format!("it begins with {line:?}, {expected}"));
    check(&site[..site.len() - 1], "it is damaged");
    for place in [80, 84, 90, site.len() / 2, site.len() - 1] {
        let mut file = site.to_vec();
        file[place] ^= 4;
        check(&file, "it is damaged");
    }
}

#[test]
fn whatever_the_bytes_are_they_unpack_to_a_table() {
    let material = Material { own: [1, 0], enemy: [1, 0] };
    let mut seed = 1_u64;
    for _ in 0..20 {
        let bytes = std::iter::repeat_with(|| {
            seed = super::super::board::mixed(seed.wrapping_add(0x9e37_79b9_7f4a_7c15));
            seed as u8
        });
        let bytes = bytes.take(300).collect();
        let table = pack::unpack::<Site>(&Packed::new(material, bytes));
        assert_eq!(table.plies.len(), material.size());
    }
}
