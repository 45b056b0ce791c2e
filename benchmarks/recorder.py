"""What recording costs: `python -m benchmarks.recorder`.

Four ways to the same causal attention, medians in microseconds a call, measured in one run on one thread:

    traced   scaled_dot_product_attention(..., trace=Trace()): every step kept
    plain    the same call with trace=None: checks, and a recorder that hands each tensor back
    bare     the same operations written down, without checks and without a recorder
    fused    torch.nn.functional.scaled_dot_product_attention, which never makes the matrix of scores

The ways take turns, in an order that is shuffled for every round: a busy moment of the machine meets all of them,
and none always inherits the memory that the same neighbour has just given back.

record = traced - plain is the price of the record, which is a copy of every step: some 35 microseconds while the
values are small, growing with their size. checks = plain - bare is the price of the checks and of the recorder that is
not there. bare - fused is the price of having steps at all. Where one matrix takes megabytes (n 256 with 8 heads),
fetching memory from the system outweighs both differences, and their sign changes from run to run.
"""

import math
import random
import statistics
import time
from collections.abc import Callable
from itertools import product

import torch
from torch import Tensor
from torch.nn import functional as F

from attention import Trace, grid, scaled_dot_product_attention

Way = Callable[[Tensor, Tensor, Tensor, Tensor], Tensor]

ROUNDS, SECONDS = 500, 4.0


def traced(q: Tensor, k: Tensor, v: Tensor, mask: Tensor) -> Tensor:
    return scaled_dot_product_attention(q, k, v, mask=mask, trace=Trace())


def plain(q: Tensor, k: Tensor, v: Tensor, mask: Tensor) -> Tensor:
    return scaled_dot_product_attention(q, k, v, mask=mask)


def bare(q: Tensor, k: Tensor, v: Tensor, mask: Tensor) -> Tensor:
    scores = q @ k.mT / math.sqrt(q.shape[-1])
    may = mask.expand(scores.shape)
    empty = ~may.any(-1, keepdim=True)
    scores = scores.masked_fill(~may, -math.inf)
    return scores.masked_fill(empty, 0).softmax(-1).masked_fill(empty, 0) @ v


def fused(q: Tensor, k: Tensor, v: Tensor, mask: Tensor) -> Tensor:
    return F.scaled_dot_product_attention(q, k, v, attn_mask=mask)


WAYS: tuple[Way, ...] = (traced, plain, bare, fused)


def medians(tokens: int, heads: int, d_k: int) -> list[float]:
    generator = torch.Generator().manual_seed(0)
    q, k, v = (torch.randn(1, heads, tokens, d_k, generator=generator) for _ in range(3))
    mask = grid("causal", tokens, tokens)
    for way in WAYS[1:]:
        torch.testing.assert_close(way(q, k, v, mask), traced(q, k, v, mask))
    times: dict[Way, list[float]] = {way: [] for way in WAYS}
    shuffle = random.Random(0)
    stop = time.perf_counter() + SECONDS
    while len(times[traced]) < ROUNDS and time.perf_counter() < stop:
        for way in shuffle.sample(WAYS, len(WAYS)):
            start = time.perf_counter()
            way(q, k, v, mask)
            times[way].append((time.perf_counter() - start) * 1e6)
    return [statistics.median(times[way]) for way in WAYS]


def main() -> None:
    torch.set_num_threads(1)
    names = [way.__name__ for way in WAYS]
    print(f"torch {torch.__version__}, 1 thread, float32, causal mask; medians in microseconds a call")
    print(" ".join(f"{name:>8}" for name in ("n", "heads", "d_k", *names, "record", "checks")))
    with torch.inference_mode():
        for tokens, heads, d_k in product((8, 64, 256), (1, 8), (9, 64)):
            by_way = medians(tokens, heads, d_k)
            differences = [by_way[0] - by_way[1], by_way[1] - by_way[2]]
            cells = [f"{n:8d}" for n in (tokens, heads, d_k)] + [f"{us:8.1f}" for us in (*by_way, *differences)]
            print(" ".join(cells))


if __name__ == "__main__":
    main()
