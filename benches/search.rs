//! Searches to a fixed depth from empty tables, on one thread.

use criterion::{Criterion, criterion_group, criterion_main};
use yardmaster::game::Game;
use yardmaster::games::banqi::{self, Banqi};
use yardmaster::games::draughts::{self, Draughts, Fmjd, Site};
use yardmaster::games::halma::{self, Halma};
use yardmaster::games::kalah::{self, Kalah};
use yardmaster::position::Position;
use yardmaster::search::Selectivity::Selective;
use yardmaster::search::{Clock, Limits, Search, Task, alpha_beta, expectimax};
use yardmaster_benches::{BANQI_MIDDLE, HALMA_CONTACT, KALAH_MIDDLE, position};

fn think<P: Position>(
    criterion: &mut Criterion,
    name: &str,
    mut search: impl Search<P>,
    text: Option<&str>,
    depth: u32,
) {
    let game = Game::new(position::<P>(text));
    let mut moves = Vec::new();
    game.position().moves(&mut moves);
    let limits = Limits { depth: Some(depth), ..Limits::default() };
    let task = Task { game: &game, moves, lines: 1, limits };
    search.set_hash(16).expect("there are 16 MiB");
    let mut group = criterion.benchmark_group("search");
    group.sample_size(10);
    group.bench_function(name, |bencher| {
        bencher.iter(|| {
            search.clear();
            search.think(&task, &Clock::unlimited(), &mut |_| ());
        });
    });
    group.finish();
}

fn search(criterion: &mut Criterion) {
    let draughts = alpha_beta::<Draughts<Site>, _>(draughts::Evaluation::default(), Selective);
    think(criterion, "draughts start, depth 11", draughts, None, 11);
    let fmjd = alpha_beta::<Draughts<Fmjd>, _>(draughts::Evaluation::default(), Selective);
    think(criterion, "draughts-fmjd start, depth 11", fmjd, None, 11);
    let halma = alpha_beta::<Halma, _>(halma::Evaluation, Selective);
    think(criterion, "halma contact, depth 4", halma, Some(HALMA_CONTACT), 4);
    let banqi = expectimax::<Banqi, _>(banqi::Evaluation::default(), Selective);
    think(criterion, "banqi middle, depth 6", banqi, Some(BANQI_MIDDLE), 6);
    let kalah = alpha_beta::<Kalah, _>(kalah::Evaluation, Selective);
    think(criterion, "kalah middle, depth 12", kalah, Some(KALAH_MIDDLE), 12);
}

criterion_group!(benches, search);
criterion_main!(benches);
