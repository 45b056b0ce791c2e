"""The gradients of one output as its scores grow: those of the scores vanish, those of the values do not."""

import pytest
import torch

from attention import Trace, scaled_dot_product_attention
from attention.analysis.backward import Cell, backward
from attention.analysis.backward.sharpened import sharpened
from attention.positions import frequencies
from tests.support import KEYS, grid_of, qkv, refused
from tests.support.backward import of_variant


def record(**others):
    trace = Trace()
    scaled_dot_product_attention(*(part[..., :10] for part in qkv()), mask=grid_of("full"), trace=trace, **others)
    return trace


@pytest.mark.parametrize("others", [{}, {"scale": 0.7}, {"rotary": frequencies(10), "qk_norm": True}], ids=str)
def test_at_one_they_are_those_of_the_run_and_softmax_lets_none_pass_at_last(others):
    trace = record(**others)
    now, last = sharpened(trace, 3, 7, (1.0, 4096.0), batch=1, head=2)
    weights, values = (trace[id].of(batch=1, head=2) for id in ("weights", "values"))
    jacobian = weights[3].diag() - torch.outer(weights[3], weights[3])
    assert now.scores == pytest.approx((jacobian @ values[:, 7]).norm().item(), abs=1e-12)
    assert now.values == pytest.approx(weights[3].norm().item(), abs=1e-12)
    assert (last.scores, last.queries, last.keys) == pytest.approx((0, 0, 0), abs=1e-9)
    assert 1 / KEYS**0.5 <= now.values <= last.values == pytest.approx(1)


@pytest.mark.parametrize("name", ["slopes", "sink", "cap"])
def test_at_one_they_are_those_of_the_run_of_a_variant(name):
    trace, module = of_variant(name)
    (now,) = sharpened(trace, 3, 7, (1.0,), batch=1, head=2)
    made = backward(trace, Cell("output", 3, 7, 1, 2), module).gradients
    for id in ("scaled", "queries", "keys", "values"):
        expected = made[id].of(batch=1, head=2).norm().item()
        assert getattr(now, {"scaled": "scores"}.get(id, id)) == pytest.approx(expected, abs=1e-12), id


def test_a_factor_of_nothing_is_refused():
    with refused("factor must be a finite number above 0, got 0"):
        sharpened(record(), 0, 0, (0,))
