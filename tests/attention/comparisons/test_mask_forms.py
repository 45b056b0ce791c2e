"""Forms in which a mask is passed: two forms agree, and two mistakes raise no error and are wrong."""

import pytest
import torch
from torch.nn import functional as F

from attention import Trace, scaled_dot_product_attention
from attention.comparisons import mask_forms
from attention.masks import MASKS, grid
from tests.support import CLOSE, EXACT, KEYS, QUERIES, grid_of, qkv, refused


def record(mask) -> Trace:
    trace = Trace()
    scaled_dot_product_attention(*qkv(), mask=mask, trace=trace)
    return trace


def torchs(mask) -> torch.Tensor:
    """The weights of torch's function: with unit vectors as values, the output is the weights."""
    q, k, _ = qkv()
    return F.scaled_dot_product_attention(q, k, torch.eye(KEYS, dtype=torch.float64), attn_mask=mask)


@pytest.mark.parametrize("form", mask_forms.FORMS)
@pytest.mark.parametrize("name", MASKS)
def test_a_form_gives_the_weights_that_torch_gives_it(name, form):
    mask = grid_of(name)
    handed = mask_forms.FORMS[form](mask)
    expected = torchs(handed.double() if handed.is_floating_point() else handed)
    torch.testing.assert_close(mask_forms.weights(record(mask), form), expected, **CLOSE[torch.float64])


@pytest.mark.parametrize("name", MASKS)
def test_boolean_and_added_are_one_mask(name):
    trace = record(grid_of(name))
    torch.testing.assert_close(mask_forms.weights(trace, "added"), mask_forms.weights(trace, "boolean"), **EXACT)


def test_ones_and_zeros_are_added_to_the_scores_and_hide_nothing():
    mask = grid("causal", QUERIES, KEYS)
    weights = mask_forms.weights(record(mask), "ones")
    assert (weights > 0).all()
    scores = record(mask)["scaled"].value + mask
    torch.testing.assert_close(weights, scores.softmax(-1), **CLOSE[torch.float64])


def test_the_opposite_polarity_shows_the_first_query_the_future_only_and_the_last_nothing():
    mask = grid("causal", KEYS, KEYS)
    q, k, v = qkv()
    trace = Trace()
    scaled_dot_product_attention(torch.cat((q, q[..., :2, :]), -2), k, v, mask=mask, trace=trace)
    weights = mask_forms.weights(trace, "inverted")
    assert not weights[..., 0, 0].any()
    torch.testing.assert_close(weights[..., 0, 1:].sum(-1), torch.ones(2, 3, dtype=torch.float64))
    assert not weights[..., -1, :].any()


def test_what_has_no_boolean_mask_is_refused():
    for mask in (None, torch.zeros(QUERIES, KEYS)):
        with refused("the record has no bool mask"):
            mask_forms.weights(record(mask), "added")
    with refused("unknown form 'banana'; one of boolean, added, ones, inverted"):
        mask_forms.weights(record(None), "banana")
