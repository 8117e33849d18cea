//! Command lines with some bytes changed, dropped or doubled.

use proptest::prelude::*;
use proptest::sample::Index;

use super::super::dialect::Dialect;
use super::super::registry::VARIANTS;
use super::answers;

const LINES: &[&str] = &[
    "uci",
    "isready",
    "setoption name Hash value 16",
    "setoption name UCI_Variant value nim",
    "setoption name Debug Log File value <empty>",
    "ucinewgame",
    "position startpos moves t1 t2",
    "position fen 9 a 0 moves t3",
    "go depth 3 nodes 100 searchmoves t1 t2",
    "go wtime 100 btime 100 winc 1 binc 1 movestogo 3",
    "go mate 2 movetime 1",
    "go perft 2",
    "d",
    "eval",
    "# a comment",
    "query gameover",
    "set-param name=tt-size value=24",
    "pos pos=Wbbbbbbbbbbbbbbbbbbbbeeeeeeeeeewwwwwwwwwwwwwwwwwwww moves=\"32-28 19-23\"",
    "level moves=9 time=291.587 inc=0.5",
    "go analyze",
];

/// A line, and what is done to it: places, and what comes there.
fn damaged() -> impl Strategy<Value = String> {
    let damage = (any::<Index>(), 0..3, any::<u8>());
    let line = prop::sample::select(LINES);
    (line, prop::collection::vec(damage, 1..5)).prop_map(|(line, damages)| {
        let mut bytes = line.as_bytes().to_vec();
        for (place, kind, byte) in damages {
            if bytes.is_empty() {
                break;
            }
            let place = place.index(bytes.len());
            match kind {
                0 => bytes[place] = byte,
                1 => drop(bytes.remove(place)),
                _ => bytes.insert(place, bytes[place]),
            }
        }
        String::from_utf8_lossy(&bytes).into_owned()
    })
}

proptest! {
    #[test]
    fn a_damaged_line_is_read_or_refused(line in damaged()) {
        for dialect in [Dialect::Native, Dialect::Ugi, Dialect::Hub] {
            let _ = dialect.reader(VARIANTS).read(&line);
        }
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(64))]

    /// The log file is left out: a damaged path is a path.
    #[test]
    fn damaged_lines_leave_the_engine_sane(lines in prop::collection::vec(damaged(), 1..20)) {
        let script = lines.join("\n");
        prop_assume!(!script.to_lowercase().contains("log"));
        let lines = answers(&format!("{script}\nstop\nsetoption name UCI_Variant value nim\nposition startpos\ngo depth 1\nwait\n"));
        let last = lines.last().expect("an answer");
        prop_assert!(last.starts_with("bestmove ") && !last.contains("none"), "{script:?}: {lines:#?}");
    }
}
