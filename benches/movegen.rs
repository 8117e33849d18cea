//! Perft of every game, counted on one thread without making the moves of the last ply.

use std::hint::black_box;

use criterion::{Criterion, Throughput, criterion_group, criterion_main};
use yardmaster::games::banqi::Banqi;
use yardmaster::games::draughts::{Draughts, Fmjd, Site};
use yardmaster::games::halma::Halma;
use yardmaster::games::kalah::Kalah;
use yardmaster::perft::perft;
use yardmaster::position::Position;
use yardmaster_benches::{ALL_KINGS, BANQI_MIDDLE, HALMA_CONTACT, position};

fn count<P: Position>(criterion: &mut Criterion, name: &str, text: Option<&str>, depth: u32) {
    let position = position::<P>(text);
    let mut group = criterion.benchmark_group("perft");
    group.sample_size(10);
    group.throughput(Throughput::Elements(perft(&position, depth)));
    group.bench_function(name, |bencher| bencher.iter(|| perft(black_box(&position), depth)));
    group.finish();
}

fn movegen(criterion: &mut Criterion) {
    count::<Draughts<Fmjd>>(criterion, "draughts-fmjd start", None, 8);
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
