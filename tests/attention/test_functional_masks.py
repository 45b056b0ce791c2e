"""Every mask, boolean and added, as torch applies it; rows that may attend to nothing; True = may attend."""

import pytest
import torch
from torch.nn import functional as F
from torch.nn.attention.bias import causal_lower_right

from attention import MASKS, Trace, grid, scaled_dot_product_attention
from attention.masks import CORNERS, padding
from tests.support import BATCH, CLOSE, EXACT, HEADS, KEYS, QUERIES, as_float, drawn, grid_of, qkv, with_gradients
from tests.support.covering import cases

EXACTLY = CLOSE[torch.float64]
SHAPES = [
    (QUERIES, KEYS),
    (HEADS, QUERIES, KEYS),
    (BATCH, 1, QUERIES, KEYS),
    (BATCH, 1, 1, KEYS),
    (1, KEYS),
    (KEYS,),
    (),
]


def ours(mask):
    return lambda q, k, v: scaled_dot_product_attention(q, k, v, mask=mask)


def torchs(mask):
    return lambda q, k, v: F.scaled_dot_product_attention(q, k, v, attn_mask=mask)


def rows_without_keys() -> torch.Tensor:
    mask = grid("causal", QUERIES, KEYS).expand(BATCH, HEADS, QUERIES, KEYS).clone()
    mask[0, :, 2] = False
    mask[1, 1] = False
    return mask


@pytest.mark.parametrize(
    ("name", "size", "corner", "form", "dtype"),
    cases(
        [*MASKS],
        [(QUERIES, KEYS), (KEYS, QUERIES)],
        CORNERS,
        ["bool", "float"],
        [torch.float64, torch.float32],
        strength=3,
    ),
    ids=str,
)
def test_a_mask_does_what_it_does_in_torch(name, size, corner, form, dtype):
    queries, keys = size
    inputs = drawn((2, 3, queries, 11), (2, 3, keys, 11), (2, 3, keys, 13), dtype=dtype)
    mask = grid_of(name, queries, keys, corner)
    mask = mask if form == "bool" else as_float(mask, dtype)
    torch.testing.assert_close(*(with_gradients(f(mask), inputs) for f in (ours, torchs)), **CLOSE[dtype])


@pytest.mark.parametrize("queries", [3, KEYS, 11])
def test_the_upper_left_causal_mask_is_the_causal_flag_of_torch(queries):
    q, k, v = drawn((2, 3, queries, 11), (2, 3, KEYS, 11), (2, 3, KEYS, 13))
    output = scaled_dot_product_attention(q, k, v, mask=grid("causal", queries, KEYS))
    torch.testing.assert_close(output, F.scaled_dot_product_attention(q, k, v, is_causal=True), **EXACTLY)


def test_the_lower_right_causal_mask_is_the_lower_right_bias_of_torch():
    q, k, v = qkv()
    output = scaled_dot_product_attention(q, k, v, mask=grid("causal", QUERIES, KEYS, corner="lower_right"))
    bias = causal_lower_right(QUERIES, KEYS)
    torch.testing.assert_close(output, F.scaled_dot_product_attention(q, k, v, attn_mask=bias), **EXACTLY)


@pytest.mark.parametrize("form", ["bool", "float"])
@pytest.mark.parametrize("shape", SHAPES, ids=str)
def test_a_mask_broadcasts_to_the_scores(shape, form):
    (noise,) = drawn(shape)
    mask = noise > -0.5 if form == "bool" else noise
    whole = mask.expand(BATCH, HEADS, QUERIES, KEYS)
    expected = with_gradients(torchs(whole), qkv())
    torch.testing.assert_close(with_gradients(ours(mask), qkv()), expected, **EXACTLY)


def test_a_mask_is_recorded_at_the_size_of_the_scores():
    trace = Trace()
    scaled_dot_product_attention(*qkv(), mask=padding([KEYS, 3], KEYS), trace=trace)
    assert trace["mask"].sizes == trace["scores"].sizes


@pytest.mark.parametrize("form", ["bool", "float"])
def test_a_query_that_may_attend_to_nothing_has_zero_weights_and_output(form):
    trace = Trace()
    mask = rows_without_keys()
    given = mask if form == "bool" else as_float(mask)
    output = scaled_dot_product_attention(*qkv(), mask=given, trace=trace)
    empty = ~mask.any(-1)
    weights = trace["weights"].value
    torch.testing.assert_close(weights[empty], torch.zeros_like(weights[empty]), **EXACT)
    torch.testing.assert_close(output[empty], torch.zeros_like(output[empty]), **EXACT)
    sums = weights[~empty].sum(-1)
    torch.testing.assert_close(sums, torch.ones_like(sums), **EXACTLY)


@pytest.mark.parametrize("dtype", [torch.float64, torch.float32])
@pytest.mark.parametrize("form", ["bool", "float"])
def test_a_query_that_may_attend_to_nothing_has_the_finite_gradients_of_torch(form, dtype):
    mask = rows_without_keys()
    mask = mask if form == "bool" else as_float(mask, dtype)
    mine, theirs = (with_gradients(f(mask), qkv(dtype)) for f in (ours, torchs))
    assert all(tensor.isfinite().all() for tensor in mine)
    torch.testing.assert_close(mine, theirs, **CLOSE[dtype])


@pytest.mark.parametrize("form", ["bool", "float"])
def test_a_batch_in_which_nobody_may_attend_has_zero_gradients(form):
    mask = torch.zeros(QUERIES, KEYS, dtype=torch.bool)
    results = with_gradients(ours(mask if form == "bool" else as_float(mask)), qkv())
    torch.testing.assert_close(results, [torch.zeros_like(tensor) for tensor in results], **EXACT)


def test_a_boolean_mask_and_its_float_form_agree():
    mask = rows_without_keys()
    torch.testing.assert_close(
        with_gradients(ours(mask), qkv()), with_gradients(ours(as_float(mask)), qkv()), **EXACTLY
    )


def test_true_means_may_attend():
    trace = Trace()
    mask = torch.zeros(QUERIES, KEYS, dtype=torch.bool)
    mask[:, 3] = True
    scaled_dot_product_attention(*qkv(), mask=mask, trace=trace)
    torch.testing.assert_close(trace["weights"].value, mask.double().expand(BATCH, HEADS, -1, -1), **EXACT)


def test_a_float_mask_is_added_after_scaling():
    trace = Trace()
    (mask,) = drawn((QUERIES, KEYS))
    scaled_dot_product_attention(*qkv(), mask=mask, trace=trace)
    torch.testing.assert_close(trace["masked"].value, trace["scaled"].value + mask, **EXACT)


def test_a_float_mask_has_the_gradient_of_torch():
    inputs = qkv()
    mask = torch.where(rows_without_keys(), drawn((BATCH, HEADS, QUERIES, KEYS))[0], -torch.inf)
    mine = with_gradients(lambda m: scaled_dot_product_attention(*inputs, mask=m), [mask])
    theirs = with_gradients(lambda m: F.scaled_dot_product_attention(*inputs, attn_mask=m), [mask])
    torch.testing.assert_close(mine, theirs, **EXACTLY)


def test_a_float_mask_of_another_precision_is_taken_over():
    q, k, v = qkv(torch.float32)
    (mask,) = drawn((QUERIES, KEYS))
    output = scaled_dot_product_attention(q, k, v, mask=mask)
    assert output.dtype == torch.float32
    torch.testing.assert_close(
        output, F.scaled_dot_product_attention(q, k, v, attn_mask=mask.float()), **CLOSE[torch.float32]
    )


def test_a_causal_output_does_not_depend_on_later_keys():
    q, k, v = qkv()
    before = scaled_dot_product_attention(q, k, v, mask=grid("causal", QUERIES, KEYS))
    k[..., 3:, :] += 1
    v[..., 3:, :] += 1
    after = scaled_dot_product_attention(q, k, v, mask=grid("causal", QUERIES, KEYS))
    torch.testing.assert_close(after[..., :3, :], before[..., :3, :], **EXACT)
    assert not after[..., 3:, :].equal(before[..., 3:, :])


def test_one_query_after_another_against_a_cache_equals_all_at_once():
    q, k, v = drawn((2, 3, 5, 11), (2, 3, 5, 11), (2, 3, 5, 13))
    whole = scaled_dot_product_attention(q, k, v, mask=grid("causal", 5, 5))
    for n in range(5):
        newest = grid("causal", 1, n + 1, corner="lower_right")
        step = scaled_dot_product_attention(q[..., n : n + 1, :], k[..., : n + 1, :], v[..., : n + 1, :], mask=newest)
        torch.testing.assert_close(step, whole[..., n : n + 1, :], **EXACTLY)
