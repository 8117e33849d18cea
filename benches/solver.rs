//! Exact values of kalah positions from an empty table, on one thread.

use std::ops::ControlFlow;

use criterion::{Criterion, criterion_group, criterion_main};
use yardmaster::games::kalah::{Kalah, Solver};
use yardmaster_benches::{KALAH_LATE, KALAH_MIDDLE, position};

fn solve(criterion: &mut Criterion, name: &str, text: &str) {
    let kalah: Kalah = position(Some(text));
    let mut solver = Solver::new(64).expect("there are 64 MiB");
    let mut group = criterion.benchmark_group("solve");
    group.sample_size(10);
    group.bench_function(name, |bencher| {
        bencher.iter(|| {
            solver.clear();
            solver.solve(&kalah, &mut |_| ControlFlow::Continue(()))
        });
    });
    group.finish();
}

fn solver(criterion: &mut Criterion) {
    solve(criterion, "kalah, 32 stones", KALAH_LATE);
    solve(criterion, "kalah, 38 stones", KALAH_MIDDLE);
}

criterion_group!(benches, solver);
criterion_main!(benches);
