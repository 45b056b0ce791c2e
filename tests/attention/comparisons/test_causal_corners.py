"""Both corners of the causal mask, as torch names them."""

import pytest
import torch
from torch.nn.attention.bias import causal_lower_right

from attention import Trace, grid, scaled_dot_product_attention
from attention.comparisons import causal_corners
from attention.masks import CORNERS
from tests.support import drawn, refused

SIZES = [(5, 7), (7, 5), (1, 5), (2, 5), (5, 2), (3, 3)]


def record(queries: int, keys: int, corner: str, **options) -> Trace:
    trace = Trace()
    q, k, v = drawn((2, 3, queries, 11), (2, 3, keys, 11), (2, 3, keys, 13))
    scaled_dot_product_attention(q, k, v, mask=grid("causal", queries, keys, corner=corner), trace=trace, **options)
    return trace


@pytest.mark.filterwarnings("ignore:Lower right causal bias will produce NaNs")
@pytest.mark.parametrize("scale", [None, 0.3])
@pytest.mark.parametrize("corner", CORNERS)
@pytest.mark.parametrize(("queries", "keys"), SIZES)
def test_each_corner_is_what_torch_calls_it(queries, keys, corner, scale):
    found = causal_corners.difference(record(queries, keys, corner, scale=scale), corner)
    assert set(found) == set(causal_corners.TORCH[corner])
    assert max(found.values()) <= 1e-12


@pytest.mark.parametrize("corner", CORNERS)
def test_one_head_of_several_sentences_has_the_same_corner(corner):
    trace = Trace()
    q, k, v = drawn((2, 5, 11), (2, 7, 11), (2, 7, 13))
    scaled_dot_product_attention(q, k, v, mask=grid("causal", 5, 7, corner=corner), trace=trace)
    assert max(causal_corners.difference(trace, corner).values()) <= 1e-12


@pytest.mark.parametrize(("corner", "other"), [CORNERS, CORNERS[::-1]])
def test_the_other_corner_is_noticed(corner, other):
    assert min(causal_corners.difference(record(5, 7, corner), other).values()) > 0.1


@pytest.mark.parametrize(
    ("queries", "keys", "corner", "seen"),
    [
        (2, 5, "upper_left", [1, 2]),
        (2, 5, "lower_right", [4, 5]),
        (5, 2, "lower_right", [0, 0, 0, 1, 2]),
        (1, 5, "upper_left", [1]),
        (1, 5, "lower_right", [5]),
    ],
)
def test_the_published_numbers_of_keys_that_are_seen(queries, keys, corner, seen):
    assert (record(queries, keys, corner)["weights"].value > 0).sum(-1)[0, 0].tolist() == seen


def test_three_empty_rows_are_zeros_where_the_warning_of_torch_says_nan():
    with pytest.warns(UserWarning, match="NaN"):
        bias = causal_lower_right(5, 2)
    q, k, v = drawn((2, 3, 5, 11), (2, 3, 2, 11), (2, 3, 2, 13))
    output = torch.nn.functional.scaled_dot_product_attention(q, k, v, attn_mask=bias)
    assert not output[..., :3, :].any()
    assert output.isfinite().all()


def test_an_unknown_corner_is_refused():
    with refused("unknown corner 'middle'; one of upper_left, lower_right"):
        causal_corners.difference(record(2, 5, "upper_left"), "middle")
