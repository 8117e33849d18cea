//! Perft of every game, counted on one thread: the last ply without making its moves, and with it.

use std::hint::black_box;

use criterion::{Criterion, Throughput, criterion_group, criterion_main};
use yardmaster::games::banqi::Banqi;
use yardmaster::games::draughts::{Draughts, Fmjd, Site};
use yardmaster::games::halma::Halma;
use yardmaster::games::kalah::Kalah;
use yardmaster::perft::{Leaves, Perft, perft};
use yardmaster::position::Position;
use yardmaster_benches::{ALL_KINGS, BANQI_MIDDLE, HALMA_CONTACT, position};

fn count<P: Position>(criterion: &mut Criterion, name: &str, text: Option<&str>, depth: u32) {
    run::<P>(criterion, name, text, depth, Leaves::Counted);
}

fn run<P: Position>(
    criterion: &mut Criterion,
    name: &str,
    text: Option<&str>,
    depth: u32,
    leaves: Leaves,
) {
    let way = Perft { leaves, ..Perft::default() };
    let position = position::<P>(text);
    let mut group = criterion.benchmark_group("perft");
    group.sample_size(10);
    group.throughput(Throughput::Elements(perft(&position, depth)));
    group.bench_function(name, |bencher| bencher.iter(|| way.count(black_box(&position), depth)));
    group.finish();
}

fn movegen(criterion: &mut Criterion) {
    count::<Draughts<Fmjd>>(criterion, "draughts-fmjd start", None, 8);
    run::<Draughts<Fmjd>>(criterion, "draughts-fmjd start, made", None, 8, Leaves::Made);
    count::<Draughts<Fmjd>>(criterion, "draughts-fmjd kings", Some(ALL_KINGS), 8);
    count::<Draughts<Site>>(criterion, "draughts start", None, 8);
    count::<Draughts<Site>>(criterion, "draughts kings", Some(ALL_KINGS), 8);
    count::<Halma>(criterion, "halma start", None, 4);
    count::<Halma>(criterion, "halma contact", Some(HALMA_CONTACT), 3);
    count::<Banqi>(criterion, "banqi start", None, 3);
    count::<Banqi>(criterion, "banqi middle", Some(BANQI_MIDDLE), 4);
    count::<Kalah>(criterion, "kalah start", None, 9);
}

criterion_group!(benches, movegen);
criterion_main!(benches);
