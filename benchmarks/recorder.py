"""What recording costs: `python -m benchmarks.recorder`.

Four ways to the same causal attention, in one run, on one thread, in turns (so that a busy moment of the machine
meets all of them), medians in microseconds a call:

    traced   scaled_dot_product_attention(..., trace=Trace()): every step kept
    plain    the same call with trace=None: checks, and a recorder that hands each tensor back
    bare     the same operations written down, without checks and without a recorder
    fused    torch.nn.functional.scaled_dot_product_attention, which never makes the matrix of scores

traced - plain is the price of the record, plain - bare that of the checks and of the recorder that is not there;
both are the same few microseconds at every size, because values are kept and not copied. bare - fused is the price
of having steps at all, and grows with the number of scores.
"""

import math
import statistics
import time
from collections.abc import Callable
from itertools import product

import torch
from torch import Tensor
from torch.nn import functional as F

from attention import Trace, grid, scaled_dot_product_attention

Way = Callable[[Tensor, Tensor, Tensor, Tensor], Tensor]

ROUNDS, SECONDS = 200, 2.0


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
    times: list[list[float]] = [[] for _ in WAYS]
    stop = time.perf_counter() + SECONDS
    while len(times[0]) < ROUNDS and time.perf_counter() < stop:
        for way, taken in zip(WAYS, times, strict=True):
            start = time.perf_counter()
            way(q, k, v, mask)
            taken.append((time.perf_counter() - start) * 1e6)
    return [statistics.median(taken) for taken in times]


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
