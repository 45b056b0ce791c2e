"""Every cell of every step, in every configuration: its arithmetic gives the recorded number."""

import ast
import inspect
import math
from itertools import product

import pytest
import torch
from latex2mathml.converter import convert

from attention import (
    MultiHeadAttention,
    Trace,
    grid,
    index_notation,
    notation,
    scaled_dot_product_attention,
    state_notation,
)
from attention.cache import Cache
from attention.explain import cell, derived, indexed, operands, patterns, results, states
from attention.explain.explanation import Explanation
from attention.explain.latex import number
from attention.explain.place import Place
from attention.masks import padding
from attention.positions import frequencies, slopes
from tests.support import drawn
from tests.support.covering import EVERY_TEST, cases, some

BATCH, HEADS, L, S, D_MODEL, D_CONTEXT, D_K, D_V, D_OUT = 2, 3, 5, 7, 11, 13, 17, 19, 23
EVEN = 2 * D_K
MASKS = ("none", "bool", "float", "empty row")


def run(cross=False, bias=False, mask="none", scale=None, dropout=0.0, rotary=None, shared=False, more=False, past=0):
    generator = torch.Generator().manual_seed(29)
    d_k = EVEN if rotary else D_K
    sizes = {"d_k": d_k, "d_v": D_V, "d_out": D_OUT, "bias": bias, "dropout": dropout, "kv_heads": HEADS}
    sizes |= {"qk_norm": more, "sink": more}
    chosen = {}
    module = MultiHeadAttention(
        D_MODEL, 2 * HEADS if shared else HEADS, d_context=D_CONTEXT if cross else None, **sizes, generator=generator
    ).double()
    keys = S if cross else L + past
    x = torch.randn(BATCH, L, D_MODEL, generator=generator, dtype=torch.float64)
    context = torch.randn(BATCH, S, D_CONTEXT, generator=generator, dtype=torch.float64) if cross else None
    allowed = grid("causal", L, keys) & padding([keys, 2], keys)
    if mask == "empty row":
        allowed[:, :, 1] = False
    masks = {"none": None, "float": torch.zeros(allowed.shape, dtype=torch.float64).masked_fill(~allowed, -math.inf)}
    if more:
        chosen = {"softcap": 1.3, "slopes": slopes(module.heads)}
        for parameter in (module.g_q, module.g_k, module.sink):
            parameter.data = torch.randn(parameter.shape, generator=generator, dtype=torch.float64)
    if past:
        shapes = ((BATCH, HEADS, past, size) for size in (d_k, D_V))
        chosen["past"] = Cache(*(torch.randn(shape, generator=generator, dtype=torch.float64) for shape in shapes))
    turns = {"rotary": frequencies(d_k), "interleaved": rotary == "interleaved"} if rotary else {}
    trace = Trace()
    module(x, context, mask=masks.get(mask, allowed), scale=scale, generator=generator, **turns, **chosen, trace=trace)
    return trace


def cells(trace, id):
    """Cells of a matrix: all with EXHAUSTIVE=2, otherwise some of each row and column, and the corners."""
    step = trace[id]
    rows, columns = [1, 1, *(step.sizes[axis] for axis in step.matrix_axes)][-2:]
    every = list(product(range(rows), range(columns)))
    return every if EVERY_TEST else some(every, max(rows, columns) + 2)


CONFIGURATIONS = [
    pytest.param({"cross": cross, "bias": bias, "mask": mask, "scale": scale, "dropout": dropout})
    for cross, bias, mask, (scale, dropout) in cases((False, True), (False, True), MASKS, ((None, 0.3), (0.31, 0.0)))
]
CONFIGURATIONS += [
    pytest.param({"cross": cross, "rotary": rotary, "shared": shared})
    for cross, rotary, shared in ((True, "half-split", True), (False, "interleaved", False), (False, None, True))
]
CONFIGURATIONS += [
    pytest.param({"rotary": rotary, "more": more, "past": past, "shared": more, "mask": mask, "scale": 0.31})
    for rotary, more, past, mask in (
        ("half-split", True, 3, "bool"),
        ("interleaved", False, 3, "none"),
        (None, True, 0, "empty row"),
        (None, True, 0, "float"),
    )
]


@pytest.mark.parametrize("configuration", CONFIGURATIONS)
def test_the_arithmetic_of_every_cell_gives_the_recorded_number(configuration):
    trace = run(**configuration)
    # This head shares keys, so a wrong order would give it other keys.
    batch, head = 1, 2
    for id, step in trace.items():
        if not step.axes:
            continue
        asked = cells(trace, id)
        shown = torch.atleast_2d(Place(trace, id, 0, 0, batch, head).matrix(id)).double()
        shown = torch.stack([shown[at] for at in asked])
        told = [cell.cell(trace, id, row, column, batch=batch, head=head) for row, column in asked]
        given = torch.tensor([each.computed for each in told], dtype=torch.float64)
        torch.testing.assert_close(given, shown, rtol=0, atol=1e-12, msg=lambda text, id=id: f"{id}: {text}")
        assert [each.result for each in told] == shown.tolist(), id


def test_what_is_drawn_is_taken_for_the_result_only_where_rounding_explains_it():
    told = cell.cell(run(), "scores", 3, 2)
    assert told.drawn_as(told.result + 1e-7).result == told.result + 1e-7
    for other in (told.result + 0.01, math.nan, -math.inf):
        assert told.drawn_as(other) == told


@pytest.mark.parametrize("bias", [False, True])
def test_the_operands_of_a_product_are_two_factors_and_their_product(bias):
    trace = run(cross=True, bias=bias, mask="bool", dropout=0.3)
    for id in ("queries", "keys", "values", "scores", "output", "projected"):
        told = cell.cell(trace, id, 3, 2, head=1)
        left, right, terms = (line.values for line in told.lines)
        torch.testing.assert_close(terms, left * right)
        added = 0.0
        if bias and id != "scores" and id != "output":
            step = trace[{"queries": "b_q", "keys": "b_k", "values": "b_v", "projected": "b_o"}[id]].value
            added = float(step[1, 2] if step.ndim == 2 else step[2])
        assert told.result == pytest.approx(float(terms.sum()) + added)
        assert len(left) == trace.sizes[told.axis]


def test_a_softmax_shows_row_exponentials_and_quotients():
    told = cell.cell(run(mask="bool"), "weights", 3, 1)
    row, powers, weights = (line.values for line in told.lines)
    torch.testing.assert_close(powers, row.exp())
    torch.testing.assert_close(weights, row.softmax(-1))
    assert told.rule == "softmax"
    assert told.subtracted == row.max()
    assert r"\max" not in told.latex


@pytest.mark.parametrize("offset", [-2000.0, 2000.0])
def test_exponents_out_of_range_are_shifted_where_one_sees_it(offset):
    query, key = torch.tensor([[1.0, offset]]), torch.tensor([[2.0, 1.0], [3.0, 1.0], [5.0, 1.0]])
    trace = Trace()
    scaled_dot_product_attention(query, key, key, scale=1.0, trace=trace)
    told = cell.cell(trace, "weights", 0, 1)
    row, shifted, powers, weights = (line.values for line in told.lines)
    torch.testing.assert_close(shifted, row - row.max())
    torch.testing.assert_close(powers, shifted.double().exp())
    torch.testing.assert_close(weights, row.double().softmax(-1))
    assert told.subtracted == 5 + offset
    assert r"\max S" in told.latex


def test_a_query_that_may_attend_to_nothing_is_said_to_be_empty():
    told = cell.cell(run(mask="empty row"), "weights", 1, 0)
    assert (told.rule, told.result) == ("empty", 0.0)


def test_a_sink_above_all_scores_is_what_is_subtracted():
    trace = Trace()
    q, k, v = drawn((2, 5), (3, 5), (3, 7))
    scaled_dot_product_attention(q, k, v, sink=torch.tensor(800.0), trace=trace)
    told = cell.cell(trace, "weights", 1, 2)
    row, shifted, powers, weights = (line.values for line in told.lines)
    torch.testing.assert_close(shifted, row - 800)
    torch.testing.assert_close(powers, (row - 800).exp())
    torch.testing.assert_close(weights, trace["weights"].value[1])
    assert told.computed == pytest.approx(math.exp(float(row[2]) - 800), rel=1e-9)
    assert r"\max(S, z)" in told.latex


def test_a_boolean_mask_says_may_and_may_not():
    trace = run(mask="bool")
    assert cell.cell(trace, "masked", 2, 1).rule == "may"
    hidden = cell.cell(trace, "masked", 2, 3)
    assert (hidden.rule, hidden.result) == ("may_not", -math.inf)


def test_numbers_of_the_story_stand_in_the_formula():
    generator = torch.Generator().manual_seed(0)
    trace = Trace()
    MultiHeadAttention(2, d_k=4, generator=generator)(torch.ones(3, 2), trace=trace)
    told = cell.cell(trace, "scaled", 0, 0)
    assert r"\sqrt{4}" in told.latex
    assert told.latex.startswith(r"S_{11} \leftarrow")


@pytest.mark.parametrize("configuration", CONFIGURATIONS[::3])
def test_every_formula_is_latex_that_can_be_drawn(configuration):
    trace = run(**configuration)
    for id, step in trace.items():
        if step.axes:
            latex = cell.cell(trace, id, 0, 1, head=1).latex
            assert latex.count("{") == latex.count("}")
            assert "__" not in latex
            assert "merror" not in convert(latex)


def test_of_a_long_sum_the_terms_that_matter_are_shown():
    told = cell.cell(run(), "scores", 0, 0)
    left, right, _ = (line.values for line in told.lines)
    largest = int((left * right).abs().argmax())
    assert number(abs(float(left[largest]))) in told.latex
    assert r"\cdots" in told.latex


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (("shores", 0, 0), "no step 'shores' in this trace; it has x, w_q"),
        (("scores", 5, 0), "row 5 is outside step 'scores', which has 5"),
        (("scores", 0, -1), "column -1 is outside step 'scores', which has 5"),
    ],
)
def test_what_is_not_there_is_refused_with_what_is(arguments, message):
    with pytest.raises(ValueError, match=message):
        cell.cell(run(), *arguments)


GIVEN = ("x", "context", "frequencies", "query_positions", "key_positions", "scale", "dropout")
GIVEN += ("index_queries", "index_keys", "index_weights", "permitted", "keep")
GIVEN += (
    "beta",
    "decay",
    "past_state",
    "g_q",
    "g_k",
    "past_keys",
    "past_values",
    "softcap",
    "slopes",
    "sink",
    "lambda",
)


def test_every_step_that_is_computed_has_a_rule():
    ids = (*notation.IDS, *state_notation.IDS, *index_notation.IDS)
    computed = {id for id in ids if not id.startswith(("w_", "b_")) and id not in GIVEN}
    assert computed == set(cell._RULES)


ROOMS = [cell, operands, results, states, indexed, patterns, derived]


@pytest.mark.parametrize("module", ROOMS, ids=lambda module: module.__name__)
def test_every_rule_is_named_in_the_docstring(module):
    tree = ast.parse(inspect.getsource(module))
    calls = [
        node for node in ast.walk(tree) if isinstance(node, ast.Call) and getattr(node.func, "id", "") == "Explanation"
    ]
    rules = {leaf.value for call in calls for leaf in ast.walk(call.args[0]) if isinstance(leaf, ast.Constant)}
    assert rules
    assert all(rule in Explanation.__doc__ for rule in rules)
