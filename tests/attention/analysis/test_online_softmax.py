"""Tiles give softmax's results for any tile size, mask, empty row and sink; intermediate numbers are as published."""

import math

import pytest
import torch
from torch import Tensor
from torch.nn.functional import scaled_dot_product_attention as sdpa

from attention import Trace, grid, scaled_dot_product_attention
from attention.analysis.online_softmax import Tiled, last_scores, merged, online_softmax
from attention.analysis.online_softmax import tiled as tiled_record
from tests.support import CLOSE, EXACT, drawn, refused, rounding, summed

NEAR = CLOSE[torch.float64]
N, KEYS = 13, 17
# Sizes that divide neither side, one that is larger than both, and single numbers.
SIZES = [(1, 1), (2, 5), (5, 3), (13, 1), (1, 17), (19, 23)]
MASKS = {
    "none": None,
    "causal": grid("causal", N, KEYS),
    "lower right": grid("causal", N, KEYS, corner="lower_right"),
    "window": grid("causal & window", N, KEYS, width=3),
    # The first query sees nothing, and no query sees the last keys.
    "empty row": grid("causal", N, KEYS) & (torch.arange(N) > 0)[:, None],
}


def record(mask: Tensor | None, **options) -> tuple[list[Tensor], Trace]:
    inputs, trace = drawn((2, 3, N, 7), (2, 3, KEYS, 7), (2, 3, KEYS, 11)), Trace()
    scaled_dot_product_attention(*inputs, mask=mask, trace=trace, **options)
    return inputs, trace


def tiled(trace: Trace, size: tuple[int, int], **options) -> Tiled:
    rows, columns = size
    return online_softmax(last_scores(trace).value, trace["values"].value, queries=rows, keys=columns, **options)


@pytest.mark.parametrize("mask", MASKS)
@pytest.mark.parametrize("size", SIZES, ids=str)
def test_the_output_is_that_of_torch_and_that_of_the_record(mask, size):
    inputs, trace = record(MASKS[mask])
    found = tiled(trace, size)
    torch.testing.assert_close(found.output, trace["output"].value, **NEAR)
    torch.testing.assert_close(found.output, sdpa(*inputs, attn_mask=MASKS[mask]), **NEAR)
    torch.testing.assert_close(found.log_sum_exp, last_scores(trace).value.logsumexp(-1), **NEAR)


@pytest.mark.parametrize("scale", [None, 0.3, 40.0])
def test_a_float_mask_and_another_scale_are_in_the_scores_that_are_read(scale):
    bias = torch.linspace(-3, 3, KEYS, dtype=torch.float64).expand(N, KEYS)
    inputs, trace = record(bias, scale=scale)
    assert last_scores(trace).id == "masked"
    torch.testing.assert_close(tiled(trace, (5, 3)).output, sdpa(*inputs, attn_mask=bias, scale=scale), **NEAR)


@pytest.mark.parametrize("size", SIZES, ids=str)
def test_tiles_that_a_causal_mask_hides_are_skipped_and_nothing_changes(size):
    _, trace = record(MASKS["causal"])
    some, every = tiled(trace, size), tiled(trace, size, skip=False)
    hidden = [tile.keys.start > tile.queries.stop - 1 for tile in some.tiles]
    assert [tile.skipped for tile in some.tiles] == hidden
    assert not any(tile.skipped for tile in every.tiles)
    torch.testing.assert_close(some.output, every.output, **EXACT)


@pytest.mark.parametrize("size", SIZES, ids=str)
def test_each_intermediate_is_that_of_the_keys_so_far(size):
    _, trace = record(MASKS["empty row"])
    S, V = last_scores(trace).value, trace["values"].value
    for tile in tiled(trace, size).tiles:
        seen = S[..., tile.queries.start : tile.queries.stop, : tile.keys.stop]
        m = seen.amax(-1)
        torch.testing.assert_close(tile.maximum, m, **EXACT)
        assert (tile.factor <= 1).all()
        # If a row has seen nothing, exp(-inf - 0) is 0.
        powers = (seen - m.masked_fill(m == -math.inf, 0)[..., None]).exp()
        torch.testing.assert_close(tile.sum, powers.sum(-1), **NEAR)
        torch.testing.assert_close(tile.output, powers @ V[..., : tile.keys.stop, :], **NEAR)


def test_the_numbers_of_the_reference():
    """By hand, scores 1,3 | 2,5 | 0,4, values 1 ... 6."""
    scores = torch.tensor([[1.0, 3, 2, 5, 0, 4]], dtype=torch.float64)
    found = online_softmax(scores, torch.arange(1.0, 7, dtype=torch.float64)[:, None], queries=1, keys=2)
    expected = {
        "maximum": (3, 5, 5),
        "factor": (0, 0.135335, 1),
        "sum": (1.135335, 1.203438, 1.578055),
    }
    for name, numbers in expected.items():
        assert [float(getattr(tile, name)) for tile in found.tiles] == pytest.approx(numbers, abs=5e-7)
    assert [float(tile.output / tile.sum) for tile in found.tiles] == pytest.approx(
        (1.880797, 3.688057, 4.232623), abs=5e-7
    )
    halves = [online_softmax(scores[:, part], found_values, queries=1, keys=2) for part, found_values in _halves()]
    share = torch.sigmoid(halves[0].log_sum_exp - halves[1].log_sum_exp)
    assert float(share * halves[0].output[0] + (1 - share) * halves[1].output[0]) == pytest.approx(4.232623, abs=5e-7)
    torch.testing.assert_close(merged(halves), found.output, **NEAR)


def _halves():
    values = torch.arange(1.0, 7, dtype=torch.float64)[:, None]
    return (slice(0, 4), values[:4]), (slice(4, 6), values[4:])


def test_parts_of_which_a_query_sees_none_are_merged_to_zero():
    _, trace = record(MASKS["empty row"])
    S, V = last_scores(trace).value, trace["values"].value
    parts = [
        online_softmax(S[..., at], V[..., at, :], queries=4, keys=3) for at in (slice(0, 5), slice(5, 6), slice(6, 17))
    ]
    torch.testing.assert_close(merged(parts), trace["output"].value, **NEAR)


@pytest.mark.parametrize("size", SIZES, ids=str)
def test_a_sink_is_a_key_without_a_value(size):
    (_, _, v), trace = record(MASKS["empty row"])
    b = torch.tensor([-math.inf, 0.0, 3.0], dtype=torch.float64)
    found = tiled(trace, size, sink=b[None, :].expand(2, 3))
    S = torch.cat((last_scores(trace).value, b[:, None, None].expand(2, 3, N, 1)), -1)
    empty = (S == -math.inf).all(-1, keepdim=True)
    A = S.masked_fill(empty, 0).softmax(-1).masked_fill(empty, 0)[..., :-1]
    torch.testing.assert_close(found.output, A @ v, **NEAR)
    torch.testing.assert_close(found.log_sum_exp, S.logsumexp(-1), **NEAR)
    # Before the first key, the sum has only the sink: e^z in its own units, and 0 if the sink is minus infinity.
    assert [float(one) for one in found.tiles[0].sum_before[0, :, 0]] == [0, 1, 1]


def test_large_scores_do_not_overflow_and_nan_stays_visible():
    scores = torch.tensor([[1e4, -1e4, 9.9e3], [0.0, math.nan, 1.0]], dtype=torch.float64)
    found = online_softmax(scores, torch.eye(3, dtype=torch.float64), queries=1, keys=1)
    torch.testing.assert_close(found.output[0], scores[0].softmax(-1), **NEAR)
    assert found.output[1].isnan().all()


def test_float32_errs_by_its_own_rounding():
    q, k, v = drawn((512, 8), (512, 8), (512, 8))
    exact, trace = Trace(), Trace()
    scaled_dot_product_attention(q, k, v, trace=exact)
    scaled_dot_product_attention(*(part.float() for part in (q, k, v)), trace=trace)
    error = (tiled(trace, (64, 64)).output.double() - exact["output"].value).abs().max()
    assert 0 < error <= rounding(8, 512, of=summed(q, k.mT), dtype=torch.float32) < 1e-2


@pytest.mark.parametrize(
    ("queries", "keys", "message"),
    [(0, 2, "queries must be at least 1, got 0"), (2, -1, "keys must be at least 1, got -1")],
)
def test_a_tile_has_a_size(queries, keys, message):
    with refused(message):
        online_softmax(torch.zeros(2, 3), torch.zeros(3, 5), queries=queries, keys=keys)


def test_scores_and_values_must_fit():
    with refused("scores (..., L, S) and values (..., S, d_v) must share S, got (2, 3) and (5, 7)"):
        online_softmax(torch.zeros(2, 3), torch.zeros(5, 7), queries=1, keys=1)


def test_a_record_without_weights_has_no_scores_to_read():
    with refused("no step 'weights' in this trace; it has none"):
        last_scores(Trace())


def test_the_tiles_of_a_record_are_those_of_the_head_that_is_asked_for():
    trace = Trace()
    inputs = drawn((2, 3, 5, 7), (2, 3, 5, 7), (2, 3, 5, 11))
    scaled_dot_product_attention(*inputs, sink=torch.tensor([0.1, 0.7, -0.4], dtype=torch.float64), trace=trace)
    for batch, head in ((0, 2), (1, 1)):
        found = tiled_record(trace, queries=2, keys=3, batch=batch, head=head).output
        torch.testing.assert_close(found, trace["output"].value[batch, head], **NEAR)
