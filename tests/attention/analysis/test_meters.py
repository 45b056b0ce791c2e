"""Five numbers of one head: torch computes each from the scores and the weights that count."""

import math

import pytest
import torch

from attention import Trace, scaled_dot_product_attention
from attention.analysis.meters import meters
from tests.support import BATCH, D_K, HEADS, KEYS, QUERIES, as_float, grid_of, qkv, seeded

AT = {"batch": BATCH - 1, "head": HEADS - 1}


def recorded(**options) -> Trace:
    trace = Trace()
    scaled_dot_product_attention(*qkv(), generator=seeded(), trace=trace, **options)
    return trace


def row(mask, index):
    changed = mask.clone()
    changed[index] = False
    return changed


CAUSAL = grid_of("causal")


@pytest.mark.parametrize(
    "mask", [None, CAUSAL, as_float(CAUSAL), row(CAUSAL, 2)], ids=["none", "bool", "added", "empty"]
)
def test_the_meters_are_those_of_torch(mask):
    found = meters(recorded(mask=mask), **AT)
    q, k, _ = (tensor[AT["batch"], AT["head"]] for tensor in qkv())
    scores = q @ k.T
    allowed = torch.ones(QUERIES, KEYS) if mask is None else mask if mask.dtype == torch.bool else mask == 0
    seen = scores[allowed.bool()]
    raw = torch.std_mean(seen, correction=0)[0].item()
    assert found.raw == pytest.approx(raw)
    assert found.scaled == pytest.approx(raw / math.sqrt(D_K))
    kept = allowed.sum(-1) > 1
    logits = (scores / math.sqrt(D_K)).masked_fill(~allowed.bool(), -torch.inf)[kept]
    rows = torch.distributions.Categorical(logits=logits)
    assert found.largest == pytest.approx(rows.probs.max().item())
    assert found.effective == pytest.approx(rows.entropy().exp().mean().item())
    assert found.sums == pytest.approx((1, 1))


def test_after_dropout_the_row_sums_are_those_that_meet_the_values():
    trace = recorded(dropout=0.5)
    found, plain = meters(trace, **AT), meters(recorded(), **AT)
    kept = trace["kept"].value[AT["batch"], AT["head"]]
    sums = torch.where(kept, trace["weights"].value[AT["batch"], AT["head"]] / 0.5, 0).sum(-1)
    assert found.sums == pytest.approx((sums.min().item(), sums.max().item()))
    assert found.sums[1] - found.sums[0] > 0.1
    assert (found.largest, found.effective) == (plain.largest, plain.effective)


def test_a_single_key_gets_all_and_says_nothing_of_sharpness():
    found = meters(recorded(mask=torch.eye(QUERIES, KEYS, dtype=torch.bool)), **AT)
    assert math.isnan(found.largest)
    assert math.isnan(found.effective)
    assert found.sums == pytest.approx((1, 1))


def test_where_nothing_may_be_seen_there_is_nothing_to_measure():
    found = meters(recorded(mask=torch.zeros(QUERIES, KEYS, dtype=torch.bool)))
    assert all(math.isnan(number) for number in (found.raw, found.scaled, found.largest, found.effective, *found.sums))
