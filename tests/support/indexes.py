"""Every kind of run with an index that chooses keys, for the tests that must hold in all of them."""

from typing import NamedTuple

import torch
from torch import Tensor

from attention import Trace
from attention.indexed import indexed_attention
from tests.support import BATCH, D_K, D_V, HEADS, KEYS, QUERIES, drawn, seeded
from tests.support.covering import cases

# Heads and features of the index: primes that nothing else has.
INDEX_HEADS, INDEX_FEATURES = 17, 19


class IndexRun(NamedTuple):
    """mask: causal, none, or a drawn one with a row that permits nothing."""

    mask: str
    keep: int
    scale: float | None
    batched: bool

    def __str__(self):
        return "-".join(map(str, self))


INDEX_RUNS = [IndexRun(*run) for run in cases(("causal", "none", "drawn"), (1, 3, 23), (None, 0.3), (True, False))]


def index_givens(batched: bool, dtype: torch.dtype = torch.float64) -> list[Tensor]:
    """Queries, keys and values, and queries, keys and weights of the index; all sizes are distinct primes."""
    lead = (BATCH,) if batched else ()
    return drawn(
        *((*lead, HEADS, n, d) for n, d in ((QUERIES, D_K), (KEYS, D_K), (KEYS, D_V))),
        (*lead, INDEX_HEADS, QUERIES, INDEX_FEATURES),
        (*lead, KEYS, INDEX_FEATURES),
        (*lead, INDEX_HEADS, QUERIES),
        dtype=dtype,
    )


def mask_of(run: IndexRun) -> Tensor | str | None:
    if run.mask == "drawn":
        mask = torch.rand(QUERIES, KEYS, generator=seeded(5)) < 0.6
        mask[2] = False
        return mask
    return None if run.mask == "none" else run.mask


def traced_index(run: IndexRun, dtype: torch.dtype = torch.float64) -> Trace:
    trace = Trace()
    given = index_givens(run.batched, dtype)
    indexed_attention(*given, run.keep, mask=mask_of(run), scale=run.scale, trace=trace)
    return trace
