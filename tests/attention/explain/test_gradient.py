"""Every cell of every gradient, in every configuration: its arithmetic gives the number of autograd."""

import pytest
import torch
from latex2mathml.converter import convert

from attention import MultiHeadAttention
from attention.analysis.backward import Cell, Total, backward
from attention.analysis.backward.rules import RULES
from attention.explain import gradient
from attention.trace import Trace
from tests.attention.analysis.backward.test_gradients import CASES, inputs, layer
from tests.attention.explain.test_cell import cells
from tests.support import drawn, refused, seeded
from tests.support.backward import VARIANTS, of_variant


def found(cross=False, bias=False, mask="none", scale=None, dropout=0.0, batched=True, target=None):
    module, (x, context, may) = layer(cross, bias, dropout), inputs(cross, mask, batched)
    trace = Trace()
    module(x, context, mask=may, scale=scale, generator=seeded(2), trace=trace)
    return backward(trace, target or Total("projected"), module)


def told(made, id, row, column, batch=1, head=2):
    where = {"by": made.read_by(id), "batch": batch, "head": head}
    return gradient.cell(made.forward, made.gradients, id, row, column, **where)


def as_autograd(made, id):
    """Assert that the arithmetic of a gradient's cells gives the numbers of autograd; returns the explanations."""
    asked = cells(made.gradients, id)
    every = [told(made, id, row, column) for row, column in asked]
    computed = torch.tensor([each.computed for each in every], dtype=torch.float64)
    matrix = torch.atleast_2d(made.gradients[id].of(batch=1, head=2))
    shown = torch.stack([matrix[at] for at in asked])
    torch.testing.assert_close(computed, shown, rtol=0, atol=1e-12, msg=lambda text: f"{id}: {text}")
    return every


@pytest.mark.parametrize(("cross", "bias", "mask", "scale", "dropout", "batched"), CASES, ids=str)
def test_the_arithmetic_of_every_cell_gives_the_number_of_autograd(cross, bias, mask, scale, dropout, batched):
    made = found(cross, bias, mask, scale, dropout, batched)
    for id in made.gradients:
        every = as_autograd(made, id)
        assert {each.rule for each in every} <= RULES_OF.get(id, {"gradient_product"}), id
        assert "<math" in convert(every[-1].latex)


@pytest.mark.parametrize("name", VARIANTS)
def test_the_cells_of_what_later_models_added_are_told_with_their_numbers(name):
    trace, module = of_variant(name)
    made = backward(trace, Total("projected"), module)
    for id in made.gradients:
        every = as_autograd(made, id)
        assert "formula" not in {each.rule for each in every}, id
        assert "<math" in convert(every[-1].latex)


RULES_OF = {
    "x": {"gradient_added", "gradient_heads"},
    "context": {"gradient_added"},
    **{id: {"gradient_tokens", "gradient_tokens_batch"} for id in ("w_q", "w_k", "w_v", "w_o")},
    **{id: {"gradient_bias"} for id in ("b_q", "b_k", "b_v", "b_o")},
    "mask": {"gradient_same"},
    "scores": {"gradient_scale"},
    "scaled": {"gradient_softmax", "gradient_seen", "gradient_hidden", "gradient_same"},
    "masked": {"gradient_softmax"},
    "weights": {"gradient_product", "gradient_kept", "gradient_lost"},
    "output": {"gradient_split"},
    "projected": {"upstream"},
}


def test_the_lines_of_a_softmax_cell_are_the_row_that_it_is_made_from():
    made = found(mask="bool")
    one = told(made, "masked", 3, 1)
    a, d, products, result = (line.values for line in one.lines)
    torch.testing.assert_close(a, made.forward["weights"].of(batch=1, head=2)[3])
    torch.testing.assert_close(d, made.gradients["weights"].of(batch=1, head=2)[3])
    torch.testing.assert_close(result, products - a * products.sum())
    assert one.axis == "key"


def test_a_target_within_the_pass_and_a_step_without_a_formula_say_so(monkeypatch):
    made = found(mask="bool", target=Cell("scaled", 2, 1, 1, 2))
    assert told(made, "scaled", 2, 1).rule == "upstream"
    monkeypatch.setattr("attention.explain.gradient._LINES", ())
    assert told(made, "scores", 2, 1).rule == "formula"
    monkeypatch.delitem(RULES, made.forward["scores"].quantity.code)
    assert told(found(), "queries", 2, 1).rule == "autograd"


def test_what_is_not_there_is_refused():
    made = found(target=Cell("values", 0, 0))
    with refused("the target does not depend on 'w_q'; it depends on x, w_v, values"):
        told(made, "w_q", 0, 0)
    with refused("column 19 is outside the gradient of step 'values', which has 19"):
        told(made, "values", 0, 19)


@pytest.mark.parametrize("gate", [None, "head", "features"])
def test_one_sentence_that_asks_several_contexts_gets_what_all_of_them_hand_back(gate):
    layer = MultiHeadAttention(11, 3, d_context=13, d_k=5, d_v=7, gate=gate, bias=True, generator=seeded(3)).double()
    trace = Trace()
    layer(*drawn((1, 5, 11), (2, 7, 13)), trace=trace)
    made = backward(trace, Total("projected"), layer)
    assert made.gradients["x"].sizes["batch"] == 1
    for id, step in made.gradients.items():
        shared = step.sizes.get("batch") == 1 < made.gradients[(made.read_by(id) or [id])[0]].sizes.get("batch", 1)
        assert all((each.rule == "formula") == shared for each in as_autograd(made, id)), id
    assert told(made, "queries", 3, 2).rule == "formula"


def test_a_sum_over_several_steps_shows_them_side_by_side_where_they_are_as_many():
    """There are six heads of queries, and two or six of keys and values."""
    for name, kv_heads in (("norm", 6), ("slopes", 2)):
        trace, module = of_variant(name)
        one = told(backward(trace, Total("projected"), module), "x", 3, 2)
        assert one.rule == "gradient_added"
        assert [len(line.values) for line in one.lines] == ([6, 6, 6] if kv_heads == 6 else [])
        if one.lines:
            torch.testing.assert_close(float(sum(line.values.sum() for line in one.lines)), one.result)
