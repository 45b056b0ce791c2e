"""The function is torch's, forward and backward, whatever the sizes, the scale and the dtype."""

import math

import pytest
import torch
from torch.nn import functional as F
from torch.nn.attention import SDPBackend, sdpa_kernel

from attention import Trace, grid, scaled_dot_product_attention
from attention.tensor_checks import DTYPES
from tests.support import (
    BATCH,
    CLOSE,
    D_K,
    D_V,
    EXACT,
    HEADS,
    KEYS,
    QUERIES,
    as_float,
    drawn,
    grid_of,
    qkv,
    seeded,
    with_gradients,
)

# lead, queries, keys, d_k, d_v
SIZES = [
    ((BATCH, HEADS), QUERIES, KEYS, D_K, D_V),
    ((HEADS, BATCH), KEYS, QUERIES, D_V, D_K),
    ((7,), 5, 3, 2, 11),
    ((), 3, 5, 7, 2),
    ((2, 3), 1, 7, 5, 11),
    ((2, 3), 5, 1, 11, 7),
    ((2, 3), 1, 1, 1, 1),
    ((2, 3, 5), 7, 11, 13, 17),
    ((1, 1), 31, 37, 41, 43),
]
BROADCAST = [
    ((2, 3), (1, 3), (2, 1)),
    ((2, 1), (2, 3), (3,)),
    ((), (2, 3), (3,)),
    ((3,), (2, 3), (2, 3)),
    ((2, 3), (2, 3), ()),
    ((5, 1, 3), (2, 1), (3,)),
]


@pytest.mark.parametrize("dtype", [torch.float64, torch.float32])
@pytest.mark.parametrize(("lead", "queries", "keys", "d_k", "d_v"), SIZES)
def test_output_and_gradients_are_those_of_torch(lead, queries, keys, d_k, d_v, dtype):
    inputs = drawn((*lead, queries, d_k), (*lead, keys, d_k), (*lead, keys, d_v), dtype=dtype)
    ours, theirs = (with_gradients(f, inputs) for f in (scaled_dot_product_attention, F.scaled_dot_product_attention))
    torch.testing.assert_close(ours, theirs, **CLOSE[dtype])


@pytest.mark.parametrize("leads", BROADCAST)
def test_leading_axes_broadcast_as_in_torch(leads):
    sizes = zip(leads, (QUERIES, KEYS, KEYS), (D_K, D_K, D_V), strict=True)
    inputs = drawn(*((*lead, positions, features) for lead, positions, features in sizes))
    ours, theirs = (with_gradients(f, inputs) for f in (scaled_dot_product_attention, F.scaled_dot_product_attention))
    torch.testing.assert_close(ours, theirs, **CLOSE[torch.float64])


@pytest.mark.parametrize("scale", [None, 1.0, 0.3, -0.7, 0.0, 1])
def test_the_scale_is_that_of_torch(scale):
    def ours(q, k, v):
        return scaled_dot_product_attention(q, k, v, scale=scale)

    def theirs(q, k, v):
        return F.scaled_dot_product_attention(q, k, v, scale=scale)

    torch.testing.assert_close(*(with_gradients(f, qkv()) for f in (ours, theirs)), **CLOSE[torch.float64])


def test_the_default_scale_divides_by_the_root_of_the_features_of_a_query():
    q, k, v = qkv()
    by_hand = scaled_dot_product_attention(q, k, v, scale=1 / math.sqrt(D_K))
    torch.testing.assert_close(scaled_dot_product_attention(q, k, v), by_hand, **CLOSE[torch.float64])


def test_no_keys_give_a_zero_output():
    q, k, v = drawn((5, 11), (0, 11), (0, 13))
    torch.testing.assert_close(scaled_dot_product_attention(q, k, v), torch.zeros(5, 13, dtype=q.dtype), **EXACT)


@pytest.mark.parametrize("mask", [None, grid("causal", QUERIES, KEYS)])
def test_every_row_of_the_weights_sums_to_one(mask):
    trace = Trace()
    scaled_dot_product_attention(*qkv(), mask=mask, trace=trace)
    sums = trace["weights"].value.sum(-1)
    torch.testing.assert_close(sums, torch.ones_like(sums), **CLOSE[torch.float64])


@pytest.mark.parametrize("dtype", DTYPES)
@pytest.mark.parametrize("mask", [None, "bool", "float", "empty"])
def test_the_dtype_comes_back_and_the_numbers_are_right_to_its_precision(mask, dtype):
    inputs = qkv(dtype)
    may = grid_of("causal", corner="lower_right")
    if mask == "empty":
        may[2] = False
    given = {None: None, "bool": may, "float": as_float(may, dtype), "empty": may}[mask]
    ours = with_gradients(lambda q, k, v: scaled_dot_product_attention(q, k, v, mask=given), inputs)
    exact = with_gradients(
        lambda q, k, v: F.scaled_dot_product_attention(q, k, v, attn_mask=None if mask is None else may),
        [tensor.double() for tensor in inputs],
    )
    assert {tensor.dtype for tensor in ours} == {dtype}
    # The cotangent is rounded, too; for the short formats, the tolerance of the gradients includes that.
    torch.testing.assert_close([tensor.double() for tensor in ours], exact, **CLOSE[dtype])


@pytest.mark.parametrize("dtype", DTYPES)
def test_a_query_that_may_attend_to_nothing_is_exactly_zero_in_every_dtype(dtype):
    trace = Trace()
    mask = torch.zeros(QUERIES, KEYS, dtype=torch.bool)
    output = scaled_dot_product_attention(*qkv(dtype), mask=mask, trace=trace)
    torch.testing.assert_close(output, torch.zeros_like(output), **EXACT)
    torch.testing.assert_close(trace["weights"].value, torch.zeros_like(trace["weights"].value), **EXACT)


@pytest.mark.parametrize("mask", [None, "causal", "float"])
@pytest.mark.parametrize("position", [0, 1, 2], ids=["query", "key", "value"])
def test_a_nan_in_the_data_stays_visible_as_in_torch(position, mask):
    inputs = qkv()
    inputs[position][0, 1, 0, 2] = math.nan
    may = None if mask is None else grid("causal", QUERIES, KEYS)
    given = as_float(may) if mask == "float" else may
    ours = scaled_dot_product_attention(*inputs, mask=given)
    # Only the plain backend is compared: the fused one on the CPU turns a NaN query into zeros.
    with sdpa_kernel(SDPBackend.MATH):
        theirs = F.scaled_dot_product_attention(*inputs, attn_mask=given)
    assert ours.isnan().any()
    torch.testing.assert_close(ours, theirs, equal_nan=True, **CLOSE[torch.float64])


def test_a_nan_in_a_value_that_a_mask_hides_stays_visible_as_in_torch():
    q, k, v = qkv()
    v[0, 1, KEYS - 1] = math.nan
    mask = grid("causal", QUERIES, KEYS)
    ours = scaled_dot_product_attention(q, k, v, mask=mask)
    with sdpa_kernel(SDPBackend.MATH):
        theirs = F.scaled_dot_product_attention(q, k, v, attn_mask=mask)
    torch.testing.assert_close(ours, theirs, equal_nan=True, **CLOSE[torch.float64])
    assert ours[0, 1].isnan().all()


def test_the_inputs_are_left_as_they_are():
    inputs = qkv()
    scaled_dot_product_attention(*inputs, mask=grid("causal", QUERIES, KEYS), dropout=0.5, generator=seeded())
    torch.testing.assert_close(inputs, qkv(), **EXACT)
