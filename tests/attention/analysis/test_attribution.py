"""Five ways to attribute a number to keys: each compared with its definition, and integrated gradients are complete."""

import math

import pytest
import torch

from attention import MultiHeadAttention, Trace, grid
from attention.analysis import attribution
from attention.analysis.attribution import METHODS, Attribution, attribute
from tests.support import drawn, refused, seeded

D_MODEL, HEADS, L, S, D_OUT = 11, 3, 5, 7, 13


def found(cross=False, mask=None, bias=False, dropout=0.0, steps=32):
    module = MultiHeadAttention(
        D_MODEL, HEADS, d_k=2, d_out=D_OUT, bias=bias, dropout=dropout, generator=seeded(1)
    ).double()
    x, context, direction = drawn((2, L, D_MODEL), (2, S, D_MODEL), (D_OUT,))
    context = context if cross else None
    may = mask and grid(mask, L, S if cross else L)
    trace = Trace()
    y = module(x, context, mask=may, generator=seeded(2), trace=trace)
    return attribute(trace, module, 3, direction, batch=1, steps=steps), trace, module, (x, context, may), y, direction


@pytest.mark.parametrize("cross", [False, True])
@pytest.mark.parametrize("mask", [None, "causal"])
@pytest.mark.parametrize("dropout", [0.0, 0.4])
def test_integrated_gradients_add_up_to_the_number_and_more_steps_come_nearer(cross, mask, dropout):
    few, many = (found(cross, mask, dropout=dropout, steps=steps)[0] for steps in (4, 256))
    assert many.gap < 1e-5 < 1e-2 + abs(many.change)
    assert many.gap <= few.gap
    *_, y, direction = found(cross, mask, dropout=dropout)
    assert many.number == pytest.approx((y[1, 3] @ direction).item(), abs=1e-12)
    # Without biases, f(0) is 0.
    assert many.change == pytest.approx(many.number, abs=1e-12)


@pytest.mark.parametrize("cross", [False, True])
@pytest.mark.parametrize("mask", [None, "causal"])
def test_as_many_runs_at_once_as_memory_allows_give_the_same(cross, mask, monkeypatch):
    together = found(cross, mask, steps=17)[0]
    for numbers in (1, 3 * (L * D_MODEL + HEADS * L * (S if cross else L))):
        monkeypatch.setattr(attribution, "_AT_ONCE", numbers)
        apart = found(cross, mask, steps=17)[0]
        torch.testing.assert_close(apart.values, together.values)
        assert (apart.number, apart.change) == pytest.approx((together.number, together.change))


def test_with_biases_the_number_of_no_input_is_left():
    made, _, module, *_, direction = found(bias=True)
    nothing = module(torch.zeros(1, L, D_MODEL, dtype=torch.float64))[0, 3] @ direction
    assert made.number - made.change == pytest.approx(nothing.item(), abs=1e-12)


@pytest.mark.parametrize("mask", [None, "causal"])
def test_each_of_the_others_is_what_it_is_defined_as(mask):
    made, trace, module, (x, _, may), y, direction = found(mask=mask)
    weights = trace["weights"].value[1, :, 3]
    torch.testing.assert_close(made.of("weight"), weights.mean(0))
    blocks = module.w_o.detach().unflatten(0, (HEADS, -1))
    brought = torch.einsum("hk,hkv,hvo->ko", weights, trace["values"].value[1], blocks)
    torch.testing.assert_close(brought.sum(0), y[1, 3].detach())
    torch.testing.assert_close(made.of("weight_norm"), brought.norm(dim=-1))
    leaf = x.clone().requires_grad_(True)
    (gradient,) = torch.autograd.grad(module(leaf, mask=may)[1, 3] @ direction, leaf)
    torch.testing.assert_close(made.of("gradient_input"), (gradient * x)[1].sum(-1))
    for key in range(L):
        less = torch.ones(L, L, dtype=torch.bool) if may is None else may.clone()
        less[:, key] = False
        without = module(x, mask=less)[1, 3] @ direction
        assert made.of("deletion")[key].item() == pytest.approx(((y[1, 3] @ direction) - without).item(), abs=1e-12)


def test_agreement_is_the_correlation_of_ranks():
    values = torch.tensor([[1.0, 2, 3, 4], [10, -20, 30, -40], [4, 3, 2, 1], [1, 1, 2, 2], [0, 0, 0, 0]])
    agreement = Attribution(0, 0, values).agreement
    expected = [1, 1, -1, 2 / math.sqrt(5), 0]
    torch.testing.assert_close(agreement[0], torch.tensor(expected, dtype=torch.float64))
    assert len(METHODS) == len(agreement)


def test_what_is_not_there_is_refused():
    made, trace, module, *_ = found()
    with refused("query -1 and a direction of shape (13,): there are 5 queries, and the output has 13 features"):
        attribute(trace, module, -1, torch.ones(D_OUT))
    with refused("query 5 and a direction of shape (13,): there are 5 queries, and the output has 13 features"):
        attribute(trace, module, 5, torch.ones(D_OUT))
    with refused("steps must be at least 1, got 0"):
        attribute(trace, module, 0, torch.ones(D_OUT), steps=0)
    assert made.values.shape == (5, L)
