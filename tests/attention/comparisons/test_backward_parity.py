"""Our gradients beside those of PyTorch's own attention, and beside autograd through the record."""

from dataclasses import replace

import pytest
import torch

from attention import Trace, grid, scaled_dot_product_attention
from attention.analysis.backward import Backward, Cell, Total, backward
from attention.comparisons.backward_parity import FUSED, GradientComparison, against_autograd, against_torch
from tests.support import as_float, drawn, seeded

LEAD, L, S, D_K, D_V = (2, 3), 5, 7, 11, 13
MASK = grid("causal", L, S)


def found(target=None, **options) -> Backward:
    trace = Trace()
    q, k, v = drawn((*LEAD, L, D_K), (*LEAD, S, D_K), (*LEAD, S, D_V))
    scaled_dot_product_attention(q, k, v, trace=trace, **options)
    return backward(trace, target or Cell("output", 3, 2, batch=1, head=2))


PLAIN = [{}, {"mask": MASK}, {"mask": as_float(MASK)}, {"scale": 0.31}, {"mask": MASK, "scale": 2.0}]


@pytest.mark.parametrize("options", PLAIN, ids=lambda options: "-".join(options) or "none")
def test_torchs_attention_hands_back_what_ours_does(options):
    with torch.inference_mode():
        compared = against_torch(found(**options))
    assert [(each.id, each.name) for each in compared] == [(id, FUSED) for id in ("queries", "keys", "values")]
    assert all(each.difference <= 1e-12 and each.agrees for each in compared)


@pytest.mark.parametrize(
    "options",
    [
        {"dropout": 0.3, "generator": seeded()},
        {"softcap": 1.3},
        {"sink": torch.ones(3, dtype=torch.float64)},
        {"target": Cell("values", 3, 2)},
    ],
    ids=lambda options: next(iter(options)),
)
def test_where_torch_computes_something_else_nothing_is_compared(options):
    assert against_torch(found(**options)) == ()


def test_each_formula_is_compared_and_what_has_none_is_not():
    made = found(Total("output"), mask=MASK)
    compared = against_autograd(made)
    assert [each.id for each in compared] == [id for id in [*made.gradients][::-1] if id != "output"]
    assert all(each.agrees and each.name == "" for each in compared)


@pytest.mark.parametrize("id", ["queries", "keys", "values"])
def test_a_gradient_that_is_off_by_more_than_rounding_differs(id):
    made = found(mask=MASK)
    largest = float(made.gradients[id].value.abs().max())
    for off, agrees in ((1e-9 * largest, True), (1e-2 * largest, False)):
        gradients = Trace()
        for each, step in made.gradients.items():
            gradients.record(step.quantity, step.value + off * (each == id))
        (compared,) = (each for each in against_torch(replace(made, gradients=gradients)) if each.id == id)
        assert compared.difference == pytest.approx(off, rel=1e-3)
        assert compared.agrees is agrees


def test_a_bound_is_one_that_still_agrees():
    assert GradientComparison("keys", 0.5, 0.5).agrees
    assert not GradientComparison("keys", 0.6, 0.5).agrees
