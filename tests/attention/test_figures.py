"""A figure shows the numbers of its step, of the right sentence and head, in a range that contains all of them."""

import html
import itertools
import math

import numpy as np
import pytest
import torch
from numpy.testing import assert_array_equal

from attention import MultiHeadAttention, Quantity, Step, Trace, scaled_dot_product_attention
from attention.cache import Cache
from attention.figures import COLOURS, LIMIT, Heatmap, heads_of, heatmap, heatmap_of, magnitude, matrix, plotly_figure
from attention.masks import grid
from attention.notation import IDS, QUANTITIES, SCORES
from attention.positions import frequencies, slopes
from attention.trace import KINDS, OUTER
from tests.support import BATCH, D_K, D_V, HEADS, KEYS, QUERIES, drawn, seeded

DRAWN_IDS = tuple(id for id in IDS if any(row.id == id and row.axes for row in QUANTITIES))
PAIRS = SCORES.axes
# Features that turn in pairs.
EVEN = 2 * D_K


def full_trace() -> Trace:
    """A record with every step: context, biases, rotary positions, an own scale, a mask with an empty row, dropout."""
    trace = Trace()
    layer = MultiHeadAttention(
        17,
        HEADS,
        d_k=EVEN,
        d_v=D_V,
        d_context=19,
        d_out=23,
        bias=True,
        qk_norm=True,
        sink=True,
        gate="features",
        dropout=0.5,
        generator=seeded(1),
    )
    x, context = drawn((BATCH, QUERIES, 17), (BATCH, KEYS, 19), dtype=torch.float32)
    mask = grid("causal", QUERIES, KEYS)
    mask[0] = False
    chosen = {"rotary": frequencies(EVEN), "scale": 0.3, "softcap": 2.0, "slopes": slopes(HEADS), "mask": mask}
    layer(x, context, **chosen, generator=seeded(2), trace=trace)
    # These steps need a cache, which excludes a context.
    cached, past = Trace(), Cache(*drawn((BATCH, HEADS, 3, EVEN), (BATCH, HEADS, 3, D_V), dtype=torch.float32))
    q, k, v = (trace[id].value for id in ("queries", "keys", "values"))
    scaled_dot_product_attention(q, k, v, past=past, trace=cached)
    for id in ("past_keys", "past_values", "keys_joined", "values_joined"):
        trace._steps[id] = cached[id]
    # These steps need pairs of heads.
    paired = Trace()
    twice = q.repeat_interleave(2, 1), k.repeat_interleave(2, 1).flip(1), v
    scaled_dot_product_attention(*twice, difference=torch.linspace(0, 1, HEADS), trace=paired)
    for id in ("lambda", "difference"):
        trace._steps[id] = paired[id]
    return trace


TRACE = full_trace()


def step_of(value: torch.Tensor, kind: str = "signed", axes: tuple[str, ...] = PAIRS[2:]) -> Step:
    return Step(Quantity("made", "M", "", axes, kind), value)


def where(step: Step, batch: int, head: int) -> tuple[int, ...]:
    places = {"batch": batch, "head": head, "head_pair": head // step.group}
    return tuple(places[axis] for axis in step.axes if axis in places)


@pytest.mark.parametrize("id", DRAWN_IDS)
def test_every_step_of_a_run_is_drawn_as_it_was_recorded(id):
    step = TRACE[id]
    for batch, head in itertools.product(range(BATCH), range(HEADS)):
        expected = step.value[where(step, batch, head)]
        drawn = heatmap(step, batch=batch, head=head)
        assert drawn.z.dtype == np.float32
        assert_array_equal(drawn.z, np.atleast_2d(expected.float().numpy()), err_msg=f"{batch}, {head}")
        torch.testing.assert_close(matrix(step, batch=batch, head=head), torch.atleast_2d(expected), rtol=0, atol=0)


@pytest.mark.parametrize("id", DRAWN_IDS)
def test_rows_and_columns_are_the_last_two_axes(id):
    step, drawn = TRACE[id], heatmap(TRACE[id])
    named = [axis for axis in step.axes if axis not in OUTER]
    assert (drawn.id, drawn.kind) == (id, step.quantity.kind)
    assert [drawn.rows, drawn.columns] == ["", "", *named][-2:]
    assert drawn.z.shape == drawn.size == (step.sizes.get(drawn.rows, 1), step.sizes.get(drawn.columns, 1))


def test_the_first_sentence_and_head_are_drawn_unless_others_are_named():
    assert_array_equal(heatmap(TRACE["weights"]).z, TRACE["weights"].value[0, 0].numpy())


@pytest.mark.parametrize("dtype", [torch.float64, torch.float32, torch.float16, torch.bfloat16, torch.bool])
def test_any_dtype_is_drawn_in_float32(dtype):
    value = drawn((QUERIES, KEYS))[0].to(dtype)
    shown = heatmap(step_of(value)).z
    assert shown.dtype == np.float32
    assert_array_equal(shown, value.to(torch.float32).numpy())


def test_drawing_does_not_touch_the_record():
    value = drawn((QUERIES, KEYS), dtype=torch.float32)[0]
    before = value.clone()
    heatmap(step_of(value), forbidden=torch.ones(QUERIES, KEYS, dtype=torch.bool))
    torch.testing.assert_close(value, before, rtol=0, atol=0)


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("bound", [None, 0.0, 1e-3, 1e3])
@pytest.mark.parametrize("factor", [0.0, 1e-30, 1.0, 1e30])
def test_nothing_exceeds_the_ends_of_the_colours(kind, bound, factor):
    value = drawn((QUERIES, KEYS))[0]
    value = {"signed": value, "probability": value.abs() * 3, "binary": value > 0}[kind] * (
        1 if kind == "binary" else factor
    )
    found = heatmap(step_of(value, kind), bound=bound)
    assert found.low < found.high
    assert found.low <= np.nanmin(found.z)
    assert np.nanmax(found.z) <= found.high
    assert math.isfinite(found.low)
    assert math.isfinite(found.high)


@pytest.mark.parametrize("id", DRAWN_IDS)
def test_no_step_exceeds_the_ends_of_its_colours(id):
    found = heatmap(TRACE[id])
    finite = found.z[np.isfinite(found.z)]
    assert found.low <= finite.min()
    assert finite.max() <= found.high


def test_signed_numbers_have_zero_in_the_middle_and_use_the_whole_range():
    found = heatmap(step_of(torch.tensor([[-2.0, 0.5], [1.0, 0.0]])))
    assert (found.low, found.high) == (-2.0, 2.0)


def test_probabilities_go_from_zero_to_one():
    found = heatmap(step_of(torch.tensor([[0.25, 0.75]]), "probability"))
    assert (found.low, found.high) == (0.0, 1.0)


def test_weights_that_dropout_made_larger_than_one_lift_the_upper_end():
    found = heatmap(step_of(torch.tensor([[0.0, 4.0]]), "probability"))
    assert (found.low, found.high) == (0.0, 4.0)


def test_binary_values_go_from_zero_to_one_even_if_all_are_the_same():
    found = heatmap(step_of(torch.zeros(2, 3, dtype=torch.bool), "binary"))
    assert (found.low, found.high) == (0.0, 1.0)


def test_figures_that_share_a_bound_share_their_ends():
    small, large = torch.tensor([[0.5, -0.25]]), torch.tensor([[-8.0, 4.0]])
    bound = max(magnitude(small), magnitude(large))
    ends = {(found.low, found.high) for found in (heatmap(step_of(z), bound=bound) for z in (small, large))}
    assert ends == {(-8.0, 8.0)}


def test_weights_before_and_after_dropout_share_their_ends():
    before, after = torch.tensor([[0.25, 0.75]]), torch.tensor([[0.0, 1.5]])
    bound = magnitude(after)
    ends = {
        (found.low, found.high) for z in (before, after) if (found := heatmap(step_of(z, "probability"), bound=bound))
    }
    assert ends == {(0.0, 1.5)}


@pytest.mark.parametrize("bounds", [None, torch.tensor([0.0, 0.5, 1e3])], ids=["own ends", "shared ends"])
@pytest.mark.parametrize("id", ["keys", "masked", "weights", "kept", "dropped", "sink"])
def test_the_tiles_of_all_heads_are_drawn_as_each_head_is(id, bounds):
    step, forbidden = TRACE[id], ~TRACE["mask"].value[1, 0] if id in ("masked", "weights") else None
    found = heads_of(step, HEADS, batch=1, forbidden=forbidden, bounds=bounds)
    for head in range(HEADS):
        bound = None if bounds is None else float(bounds[head])
        alone = heatmap(step, batch=1, head=head, forbidden=forbidden, bound=bound)
        assert_array_equal(found.z[head], alone.z)
        assert (found.low[head].item(), found.high[head].item()) == pytest.approx((alone.low, alone.high), rel=1e-7)


def test_a_magnitude_ignores_what_is_not_finite():
    assert magnitude(torch.tensor([1.0, -3.0, math.inf, -math.inf, math.nan])) == 3.0
    assert magnitude(torch.tensor([math.inf, math.nan])) == 0.0


@pytest.mark.parametrize(("kind", "hidden"), [("signed", -math.inf), ("probability", 0.0), ("binary", math.nan)])
def test_hidden_cells_are_not_a_number_and_say_what_they_hold(kind, hidden):
    value = torch.full((QUERIES, KEYS), 0.5)
    forbidden = ~grid("causal", QUERIES, KEYS)
    found = heatmap(step_of(value, kind), forbidden=forbidden)
    assert_array_equal(np.isnan(found.z), forbidden.numpy())
    assert found.hidden == pytest.approx(hidden, nan_ok=True)


@pytest.mark.parametrize("forbidden", [None, torch.zeros(QUERIES, KEYS, dtype=torch.bool)])
def test_nothing_is_hidden_where_nothing_is_forbidden(forbidden):
    found = heatmap(step_of(torch.ones(QUERIES, KEYS)), forbidden=forbidden)
    assert found.hidden is None
    assert not np.isnan(found.z).any()


def test_a_matrix_that_is_no_step_is_drawn_alike_and_says_what_it_hides():
    value, forbidden = drawn((QUERIES, KEYS), dtype=torch.float64)[0], ~grid("causal", QUERIES, KEYS)
    found = heatmap_of("difference", value, "query", "key", forbidden=forbidden, hidden=0.0, bound=100.0)
    step = heatmap(step_of(value), forbidden=forbidden, bound=100.0)
    assert_array_equal(found.z, step.z)
    assert (found.id, found.hidden, found.size) == ("difference", 0.0, (QUERIES, KEYS))
    assert (found.low, found.high) == (step.low, step.high) == (-100.0, 100.0)
    assert heatmap_of("difference", value, "query", "key", hidden=0.0).hidden is None


def test_a_figure_whose_cells_are_all_hidden_still_has_a_range():
    found = heatmap(step_of(torch.ones(2, 3) * -math.inf), forbidden=torch.ones(2, 3, dtype=torch.bool))
    assert found.low < found.high


@pytest.mark.parametrize("shape", [(LIMIT, LIMIT), (LIMIT + 1, 3), (3, LIMIT + 1), (LIMIT + 43, LIMIT + 44)])
def test_the_first_rows_and_columns_are_drawn_and_the_size_says_how_many_there_are(shape):
    value = drawn(shape, dtype=torch.float32)[0]
    forbidden = torch.zeros(shape, dtype=torch.bool)
    forbidden[1, 2] = True
    found = heatmap(step_of(value), forbidden=forbidden)
    assert found.size == shape
    assert found.z.shape == tuple(min(size, LIMIT) for size in shape)
    assert_array_equal(np.argwhere(np.isnan(found.z)), [[1, 2]])
    expected = value[:LIMIT, :LIMIT].masked_fill(forbidden[:LIMIT, :LIMIT], math.nan)
    assert_array_equal(found.z, expected.numpy())


@pytest.mark.parametrize("kind", KINDS)
def test_every_kind_has_colours(kind):
    assert kind in COLOURS


@pytest.mark.parametrize("id", DRAWN_IDS)
def test_plotly_draws_the_same_numbers(id):
    drawn, figure = heatmap(TRACE[id], batch=1, head=2), plotly_figure(TRACE[id], batch=1, head=2)
    (trace,) = figure.data
    assert_array_equal(trace.z, drawn.z)
    assert (trace.zmin, trace.zmax) == (drawn.low, drawn.high)
    assert (figure.layout.yaxis.title.text or "", figure.layout.xaxis.title.text) == (drawn.rows, drawn.columns)
    assert figure.layout.yaxis.autorange == "reversed"


HOSTILE = ("<img src=x onerror=hacked()>", "<b>x</b>", "a & b", "&lt;", '<a href="javascript:hacked()">y</a>')


def test_plotly_shows_tokens_as_text():
    labels = {"query": HOSTILE, "key": (*HOSTILE, "x", "x")}
    figure = plotly_figure(TRACE["weights"], labels)
    for axis, tokens in ((figure.layout.yaxis, labels["query"]), (figure.layout.xaxis, labels["key"])):
        assert not any("<" in text or ">" in text for text in axis.ticktext)
        assert tuple(html.unescape(text) for text in axis.ticktext) == tokens


def test_equal_tokens_keep_a_row_each():
    figure = plotly_figure(TRACE["weights"], {"query": ("the",) * QUERIES, "key": ("the",) * KEYS})
    assert figure.layout.yaxis.tickvals == tuple(range(QUERIES))
    assert figure.layout.xaxis.tickvals == tuple(range(KEYS))
    assert figure.layout.xaxis.ticktext == ("the",) * KEYS


def test_axes_without_tokens_have_no_labels_of_their_own():
    assert plotly_figure(TRACE["queries"], {"key": ("a",)}).layout.xaxis.ticktext is None


def test_a_heatmap_is_frozen():
    with pytest.raises(AttributeError):
        heatmap(TRACE["weights"]).low = 3
    assert isinstance(heatmap(TRACE["weights"]), Heatmap)
