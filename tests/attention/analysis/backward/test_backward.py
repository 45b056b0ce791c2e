"""Gradients of a target by every step of a record: by hand, they equal those of autograd and of finite differences."""

import math
import re

import pytest
import torch
from torch.nn import functional as F

from attention import (
    MultiHeadAttention,
    Trace,
    grid,
    index_notation,
    notation,
    scaled_dot_product_attention,
    state_notation,
)
from attention.analysis.backward import Cell, CrossEntropy, Row, SquaredError, Total, Weighted, backward, gradients
from attention.analysis.backward.rules import RULES
from attention.comparisons.backward_parity import against_autograd
from attention.positions import frequencies
from tests.attention.analysis.backward.test_gradients import BATCH, CASES, D_OUT, D_V, HEADS, L, inputs, layer
from tests.support import CLOSE, EXACT, drawn, qkv, refused, seeded
from tests.support.backward import VARIANTS, by_lines, of_variant


def recorded(cross=False, bias=False, mask="none", scale=None, dropout=0.0, batched=True):
    module, (x, context, may) = layer(cross, bias, dropout), inputs(cross, mask, batched)
    trace = Trace()
    module(x, context, mask=may, scale=scale, generator=seeded(2), trace=trace)
    return trace, module


@pytest.mark.parametrize(("cross", "bias", "mask", "scale", "dropout", "batched"), CASES, ids=str)
def test_the_formulas_computed_as_written_are_autograd(cross, bias, mask, scale, dropout, batched):
    trace, module = recorded(cross, bias, mask, scale, dropout, batched)
    found = backward(trace, Cell("projected", 3, 2, batch=1), module)
    assert list(found.by_hand) == list(found.gradients)[::-1]
    assert [id for id, step in found.gradients.items() if step.quantity.given] == ["projected"]
    for id in found.gradients:
        assert found.difference(id) <= 1e-12, id
        upstream = found.gradients["projected"].value
        torch.testing.assert_close(found.gradients[id].value, by_lines(trace, id, upstream), **CLOSE[torch.float64])


@pytest.mark.parametrize("interleaved", [False, True])
@pytest.mark.parametrize("kv_heads", [2, 6])
@pytest.mark.parametrize("mask", [None, "causal"])
def test_variants_of_today_have_formulas_too(interleaved, kv_heads, mask):
    module = MultiHeadAttention(11, 6, kv_heads=kv_heads, d_k=10, d_v=13, bias=True, generator=seeded(1)).double()
    (x,) = drawn((BATCH, L, 11))
    trace, rotary = Trace(), {"rotary": frequencies(10), "interleaved": interleaved}
    output = module(x, mask=mask and grid(mask, L, L), trace=trace, **rotary)
    found = backward(trace, Cell("projected", 3, 2, batch=1), module)
    assert [id for id, step in found.gradients.items() if step.quantity.given] == ["projected"]
    upstream = found.gradients["projected"].value
    again = gradients(module, x, mask=mask and grid(mask, L, L), upstream=upstream, **rotary)
    for id in found.gradients:
        assert found.difference(id) <= 1e-12, id
        torch.testing.assert_close(found.gradients[id].value, by_lines(trace, id, upstream), **CLOSE[torch.float64])
        torch.testing.assert_close(found.gradients[id].value, again[id].value, **EXACT)
    assert output.isfinite().all()


@pytest.mark.parametrize("name", VARIANTS)
def test_norms_gains_caps_slopes_and_sinks_have_formulas(name):
    trace, module = of_variant(name)
    found = backward(trace, Cell("projected", 3, 2, batch=1), module)
    assert [id for id, step in found.gradients.items() if step.quantity.given] == ["projected"]
    upstream = found.gradients["projected"].value
    for id in found.gradients:
        assert found.difference(id) <= 1e-12, id
        torch.testing.assert_close(found.gradients[id].value, by_lines(trace, id, upstream), **CLOSE[torch.float64])
    assert {"g_q", "g_k", "sink", "slopes"} & set(trace) <= set(found.gradients)
    # Positions, angles and masks are held fixed; all else has its gradient.
    assert set(trace) - set(found.gradients) == found.fixed


def test_a_query_of_zeros_has_a_gradient_when_it_is_normalised():
    module, trace = MultiHeadAttention(7, qk_norm=True, generator=seeded(1)), Trace()
    (x,) = drawn((5, 7), dtype=torch.float32)
    x[2] = 0
    module(x, trace=trace)
    found = backward(trace, Cell("projected", 2, 3), module)
    assert found.gradients["queries"].value[..., 2, :].abs().max() > 0
    assert all(found.difference(id) <= CLOSE[torch.float32]["atol"] * _largest(found, id) for id in found.gradients)


def _largest(found, id: str) -> float:
    return max(1.0, float(found.gradients[id].value.abs().max()))


(UPSTREAM,) = drawn((BATCH, HEADS, L, D_V), seed=7)
TARGETS = {
    "cell": (Cell("weights", 4, 1, 1, 2), lambda trace: trace["weights"].value[1, 2, 4, 1]),
    "parameter": (Cell("w_k", 3, 5, 1, 2), lambda trace: trace["w_k"].value[2, 3, 5]),
    "row": (Row("scaled", 2, 1, 1), lambda trace: trace["scaled"].value[1, 1, 2].sum()),
    "bias": (Cell("b_o", 0, 7), lambda trace: trace["b_o"].value[7]),
    "sum": (Total("output", 1), lambda trace: trace["output"].value[1].sum()),
    "all": (Total("projected"), lambda trace: trace["projected"].value.sum()),
    "error": (SquaredError(torch.ones(BATCH, L, D_OUT)), lambda trace: (trace["projected"].value - 1).pow(2).sum() / 2),
    "weighted": (Weighted(UPSTREAM), lambda trace: (trace["output"].value * UPSTREAM).sum()),
}


@pytest.mark.parametrize("name", TARGETS)
def test_a_target_is_its_number_and_moves_with_x_as_its_gradient_says(name):
    target, number = TARGETS[name]
    trace, module = recorded(bias=True, mask="bool")
    found = backward(trace, target, module)
    torch.testing.assert_close(found.number, number(trace).item(), rtol=0, atol=1e-12)
    assert max(map(found.difference, found.gradients)) <= 1e-12
    if "x" not in found.gradients:
        assert set(found.gradients) == {target.id}
        return
    (direction,) = drawn(trace["x"].value.shape, seed=5)
    ends = []
    for step in (1e-5, -1e-5):
        moved = Trace()
        module(trace["x"].value + step * direction, mask=trace["mask"].value, trace=moved)
        ends.append(number(moved).item())
    along = (found.gradients["x"].value * direction).sum().item()
    assert along == pytest.approx((ends[0] - ends[1]) / 2e-5, rel=1e-6, abs=1e-8)


def test_what_comes_after_the_target_is_left_out():
    trace, module = recorded()
    assert list(backward(trace, Cell("values", 0, 0), module).gradients) == ["x", "w_v", "values"]


def test_cross_entropy_is_the_mean_over_questions_of_that_of_torch_over_what_is_asked():
    trace, module = recorded()
    read_out, answers = (
        drawn((D_OUT, 6))[0],
        torch.tensor([[0, -1], [2, 1], [-1, -1], [1, -1], [-1, -1]]).expand(2, 5, 2),
    )
    found = backward(trace, CrossEntropy(read_out, answers), module)
    logits = (trace["projected"].value @ read_out).unflatten(-1, (2, 3)).requires_grad_(True)
    losses = [
        F.cross_entropy(logits[..., q, :].flatten(0, 1), answers[..., q].flatten(), ignore_index=-1) for q in (0, 1)
    ]
    loss = torch.stack(losses).mean()
    (upstream,) = torch.autograd.grad(loss, logits)
    assert found.number == pytest.approx(loss.item(), abs=1e-12)
    expected = upstream.flatten(-2) @ read_out.T
    torch.testing.assert_close(found.gradients["projected"].value, expected, **CLOSE[torch.float64])
    with refused("answers have shape (5, 2), the output (2, 5, 23)"):
        backward(trace, CrossEntropy(read_out, answers[0]), module)
    with refused("no answer is asked for: all of answers are below 0"):
        CrossEntropy(read_out, answers.clamp(max=-1))


@pytest.mark.parametrize("mask", ["bool", "float"])
def test_a_masked_pair_a_dropped_weight_and_an_empty_row_get_zero(mask):
    trace, module = recorded(mask=mask, dropout=0.5)
    found = backward(trace, Total("projected"), module)
    hidden, lost = trace["masked"].value == -math.inf, ~trace["kept"].value
    for id, where in (("scaled", hidden), ("scores", hidden), ("weights", lost)):
        picked = found.gradients[id].value[where]
        assert picked.numel() > 0
        torch.testing.assert_close(picked, torch.zeros_like(picked), **EXACT)
    assert hidden[:, :, 1].all()


@pytest.mark.parametrize("lead", [(), (BATCH,), (BATCH, HEADS)], ids=len)
def test_the_record_of_the_function_alone_needs_no_module(lead):
    trace = Trace()
    parts = [part[(0,) * (2 - len(lead))] for part in qkv()]
    # Heads share keys, so the gradients from all heads of a key add up.
    parts[1] = parts[1][..., :1, :, :] if len(lead) == 2 else parts[1]
    scaled_dot_product_attention(*parts, dropout=0.5, generator=seeded(), trace=trace)
    found = backward(trace, Row("output", 3))
    assert set(found.gradients) == {"queries", "keys", "values", "scores", "scaled", "weights", "dropped", "output"}
    assert max(map(found.difference, found.gradients)) <= 1e-12


def test_a_step_without_a_rule_takes_over_what_autograd_knows(monkeypatch):
    trace, module = recorded(mask="bool")
    monkeypatch.delitem(RULES, trace["weights"].quantity.code)
    found = backward(trace, Total("projected"), module)
    assert found.gradients["masked"].quantity.given
    assert not found.gradients["scaled"].quantity.given
    assert max(map(found.difference, found.gradients)) <= 1e-12
    assert "masked" not in {each.id for each in against_autograd(found)}


def test_a_wrong_formula_is_seen(monkeypatch):
    trace, module = recorded()
    rule, *rest = RULES[trace["scores"].quantity.code]
    monkeypatch.setitem(RULES, trace["scores"].quantity.code, (type(rule)(rule.of, rule.formula, "-dS @ K"), *rest))
    differ = {each.id for each in against_autograd(backward(trace, Total("projected"), module)) if not each.agrees}
    assert differ == {"queries", "w_q", "x"}


def test_every_rule_is_that_of_a_row_and_of_a_letter_that_it_reads():
    """A row may have no rules: its gradients come from autograd."""
    codes = {row.code for row in (*notation.QUANTITIES, *state_notation.QUANTITIES, *index_notation.QUANTITIES)}
    for code, rules in RULES.items():
        assert code in codes
        assert all(re.search(rf"(?<![\w.]){rule.of}(?!\w)", code) for rule in rules)


def test_bad_targets_are_refused():
    trace, module = recorded(mask="bool")
    with refused(f"no step 'logits' in this trace; it has {', '.join(trace)}"):
        backward(trace, Total("logits"), module)
    with refused("step 'mask' has no gradient: it is bool"):
        backward(trace, Cell("mask", 0, 0), module)
    with refused("row 5 lies outside of the 5 rows of step 'scores'"):
        backward(trace, Row("scores", 5), module)
    with refused("column 7 lies outside of the 5 columns of step 'scores'"):
        backward(trace, Cell("scores", 1, 7), module)
    with refused("wanted has shape (1,), the output (2, 5, 23)"):
        backward(trace, SquaredError(torch.ones(1)), module)
    with refused("upstream has shape (1,), the step (2, 3, 5, 19)"):
        backward(trace, Weighted(torch.ones(1)), module)
    with refused("the record of a module needs the module, that of the function alone has none"):
        backward(trace, Total("scores"))


def test_the_record_of_a_run_in_inference_mode_can_be_differentiated():
    with torch.inference_mode():
        trace, module = recorded(True, True, "bool", None, 0.5)
        found = backward(trace, Total("projected"), module)
    assert max(map(found.difference, found.gradients)) <= 1e-12


def test_the_record_and_the_module_are_left_as_they_are():
    trace, module = recorded(dropout=0.5)
    module.requires_grad_(False).eval()
    before = {id: step.value.clone() for id, step in trace.items()}
    backward(trace, Total("projected"), module)
    assert (module.training, module.dropout) == (False, 0.5)
    assert isinstance(module, MultiHeadAttention)
    torch.testing.assert_close({id: step.value for id, step in trace.items()}, before, **EXACT)
