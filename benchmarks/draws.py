"""What the scaling laboratory costs: `python -m benchmarks.draws`.

Four ways to q.k of 4,096 pairs at d_k = 1, 2, 4, ..., 1024, medians in milliseconds of rounds in which they take turns,
on one thread:

    drawing         the numbers of the largest d_k alone: what no way can do without
    running sum     `attention.experiments.variance.sweep`: one draw, whose running sum along the features is q.k for
                    every d_k
    draw each       numbers of their own for every d_k
    pair by pair    one draw, and a dot product for every pair and d_k

Promised, and said of each whether it is kept: the running sum takes at most 2 times the drawing, and pair by pair at
least 8 times the running sum.

Then, once each: the full sweep, 20,000 pairs up to d_k = 4096, with the memory that it adds to the peak of the process
(promised: below 300 MB, about a second), and the three curves of the race at d_k = 256, 100 steps (promised: about a
second). Seconds are the machine's, and are not judged. One run is in docs/decisions/draws.md.
"""

import resource
import statistics
import sys
import time
from collections.abc import Callable
from pathlib import Path

import torch
from torch import Generator, Tensor

from attention.experiments.dot_products import Pairs
from attention.experiments.race import Race, curves, train
from attention.experiments.running_sums import CHUNK, log_steps
from attention.experiments.variance import sweep
from attention.scales import BY_D_K

SAMPLES, D_KS, ROUNDS = 4096, log_steps(1024), 7
# The running sum against the drawing, at most; pair by pair against the running sum, at least.
MOST, LEAST = 2, 8


def drawing(generator: Generator) -> Tensor:
    # Into a buffer that stays in the cache: the fastest drawing there is.
    buffer = torch.empty(CHUNK)
    for _ in range(2 * SAMPLES * D_KS[-1] // CHUNK):
        buffer.normal_(generator=generator)
    return buffer


def running_sum(generator: Generator) -> Tensor:
    return sweep(Pairs(), D_KS, SAMPLES, generator=generator).scores


def draw_each(generator: Generator) -> Tensor:
    return torch.stack([torch.linalg.vecdot(*torch.randn(2, SAMPLES, d_k, generator=generator)) for d_k in D_KS])


def pair_by_pair(generator: Generator) -> Tensor:
    q, k = torch.randn(2, SAMPLES, D_KS[-1], generator=generator)
    return torch.stack([torch.stack([torch.dot(a[:d_k], b[:d_k]) for a, b in zip(q, k, strict=True)]) for d_k in D_KS])


WAYS: dict[str, Callable[[Generator], Tensor]] = {
    "drawing": drawing,
    "running sum": running_sum,
    "draw each": draw_each,
    "pair by pair": pair_by_pair,
}


def medians() -> dict[str, float]:
    times: dict[str, list[float]] = {name: [] for name in WAYS}
    for seed in range(ROUNDS + 1):
        for name, way in WAYS.items():
            times[name].append(seconds(lambda way=way, seed=seed: way(Generator().manual_seed(seed))))  # type: ignore[misc]
    # The first round fetches memory and code for all that follow.
    return {name: 1e3 * statistics.median(taken[1:]) for name, taken in times.items()}


def seconds(work: Callable[[], object]) -> float:
    start = time.perf_counter()
    work()
    return time.perf_counter() - start


def peak() -> float:
    """Megabytes that this process has held at most.

    Not `ru_maxrss` where /proc is: on Linux a child inherits it from the process that started it.
    """
    status = Path("/proc/self/status")
    if status.exists() and "VmHWM" in (text := status.read_text()):
        return int(text.split("VmHWM:")[1].split()[0]) / 1024
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / (2**20 if sys.platform == "darwin" else 2**10)


def full_sweep(distribution: str = "normal") -> tuple[float, float]:
    """Seconds, and megabytes added to the peak, of 20,000 pairs up to d_k = 4096."""
    generator, pairs = Generator().manual_seed(0), Pairs(distribution)
    sweep(pairs, (1,), generator=generator)
    before = peak()
    taken = seconds(lambda: sweep(pairs, log_steps(4096, 4), 20_000, generator=generator))
    return taken, peak() - before


def verdict(kept: bool) -> str:
    return "kept" if kept else "MISSED"


def main() -> None:
    torch.set_num_threads(1)
    taken, added = full_sweep()
    by_way = medians()
    print(f"torch {torch.__version__}, 1 thread, float32; {SAMPLES:,} pairs, d_k = {D_KS[0]} to {D_KS[-1]}")
    for name, milliseconds in by_way.items():
        print(f"{name:>14}: {milliseconds:8.1f} ms")
    dear = by_way["running sum"] / by_way["drawing"]
    faster = by_way["pair by pair"] / by_way["running sum"]
    print(f"  running sum / drawing:      {dear:6.2f}   at most {MOST}: {verdict(dear <= MOST)}")
    print(f"  pair by pair / running sum: {faster:6.1f}   at least {LEAST}: {verdict(faster >= LEAST)}")
    print(
        f"full sweep, 20,000 pairs up to d_k = 4096: {taken:.2f} s, {added:.0f} MB, below 300: {verdict(added < 300)}"
    )
    races = seconds(lambda: curves({race: train(race) for race in (Race(scale) for scale in BY_D_K)}))
    print(f"three curves of the race, d_k = 256: {races:.2f} s")


if __name__ == "__main__":
    main()
