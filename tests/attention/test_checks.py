"""A misfit is refused by a ValueError that names the argument, the axis and both numbers."""

import math
import re

import pytest
import torch

from attention import MultiHeadAttention, grid, scaled_dot_product_attention
from attention.masks import MASKS
from attention.patterns import PATTERNS
from attention.positions import slopes
from tests.support import BATCH, D_K, D_V, HEADS, KEYS, QUERIES, drawn, qkv, refused

LEAD = (BATCH, HEADS)
SCORES = f"the scores {(*LEAD, QUERIES, KEYS)}"
FLAT = "needs at least 2 axes (positions, features), got shape (5,)"
DTYPE_CHOICES = "one of float64, float32, bfloat16, float16"


def zeros(*shape, dtype=torch.float64, device=None):
    return torch.zeros(shape, dtype=dtype, device=device)


def may(*shape, dtype=torch.bool, device=None):
    return torch.ones(shape, dtype=dtype, device=device)


REFUSED = [
    ({"query": zeros(5)}, f"query {FLAT}"),
    ({"key": zeros(5)}, f"key {FLAT}"),
    ({"value": zeros(5)}, f"value {FLAT}"),
    ({"query": zeros(5, 11, dtype=torch.int64)}, f"query has dtype int64; {DTYPE_CHOICES}"),
    ({"query": zeros(5, 11, dtype=torch.complex64)}, f"query has dtype complex64; {DTYPE_CHOICES}"),
    ({"key": zeros(*LEAD, 7, 11, dtype=torch.float32)}, "key has dtype float32, query has float64"),
    ({"value": zeros(*LEAD, 7, 13, dtype=torch.bfloat16)}, "value has dtype bfloat16, query has float64"),
    ({"key": zeros(*LEAD, 7, 11, device="meta")}, "key is on meta, query on cpu"),
    ({"value": zeros(*LEAD, 7, 13, device="meta")}, "value is on meta, query on cpu"),
    ({"key": zeros(*LEAD, 7, 13)}, "axis 'feature': query has d_k = 11, key has 13"),
    ({"value": zeros(*LEAD, 5, 13)}, "axis 'key': key has 7 positions, value has 5"),
    ({"key": zeros(2, 5, 7, 11)}, "the leading axes do not broadcast: query (2, 3), key (2, 5), value (2, 3)"),
    ({"value": zeros(5, 1, 7, 13)}, "the leading axes do not broadcast: query (2, 3), key (2, 3), value (5, 1)"),
    (
        {"mask": may(5, 7, dtype=torch.int64)},
        "mask has dtype int64; bool (True = may attend; mask.bool() makes one) or float (added to the scaled scores)",
    ),
    ({"mask": may(5, 7, device="meta")}, "mask is on meta, query on cpu"),
    (
        {"mask": may(BATCH, KEYS)},
        f"mask (2, 7) does not broadcast to {SCORES}; a padding mask (batch, keys) is passed as mask[:, None, None, :]",
    ),
    (
        {"mask": may(BATCH, QUERIES, KEYS)},
        f"mask (2, 5, 7) does not broadcast to {SCORES}; a mask (batch, queries, keys) is passed as mask[:, None]",
    ),
    ({"mask": may(KEYS, QUERIES)}, f"mask (7, 5) does not broadcast to {SCORES}"),
    ({"mask": may(QUERIES)}, f"mask (5,) does not broadcast to {SCORES}"),
    ({"mask": may(4, 1, 1, QUERIES, KEYS)}, f"mask (4, 1, 1, 5, 7) does not broadcast to {SCORES}"),
    ({"mask": may(1, *LEAD, QUERIES, KEYS)}, f"mask (1, 2, 3, 5, 7) does not broadcast to {SCORES}"),
    ({"dropout": -0.1}, "dropout must lie between 0 and 1, got -0.1"),
    ({"dropout": 1.5}, "dropout must lie between 0 and 1, got 1.5"),
    ({"dropout": math.nan}, "dropout must lie between 0 and 1, got nan"),
    ({"scale": math.nan}, "scale must be a finite number, got nan"),
    ({"scale": -math.inf}, "scale must be a finite number, got -inf"),
    ({"query": [[0.0]]}, "query must be a Tensor, got list"),
    ({"value": 3}, "value must be a Tensor, got int"),
    ({"rotary": [1.0]}, "rotary must be a Tensor, got list"),
    ({"positions": range(QUERIES)}, "positions must be a Tensor, got range"),
    ({"key_positions": range(KEYS)}, "key_positions must be a Tensor, got range"),
    ({"slopes": 0.5}, "slopes must be a Tensor, got float"),
    ({"sink": 0.5}, "sink must be a Tensor, got float"),
    ({"past": ()}, "past must be a Cache, got tuple"),
    ({"generator": 3}, "generator must be a Generator, got int"),
    ({"trace": True}, "trace must be a Trace, got bool"),
    ({"scale": "1/8"}, "scale must be a number, got str"),
    ({"scale": zeros(2)}, "scale must be a number, got Tensor"),
    ({"softcap": "50"}, "softcap must be a number, got str"),
    ({"dropout": None}, "dropout must be a number, got NoneType"),
    ({"qk_norm": 0.5}, "qk_norm must be a bool or the gains of queries and keys, got float"),
    ({"mask": 1}, "mask must be a tensor, a Mask or one of full, causal, window, prefix, causal & window; got int"),
    ({"mask": "casual"}, f"unknown mask 'casual'; one of {', '.join(MASKS | PATTERNS)}"),
    ({"mask": "window"}, "mask 'window' has a parameter: pass grid('window', 5, 7, width=…)"),
    (
        {"mask": "causal", "is_causal": True},
        "give one of mask, is_causal: each of them is a mask; combine two masks with & or, where one is added, with +",
    ),
    ({"dropout": 0.5, "dropout_p": 0.5}, "give one of dropout, dropout_p: they are two names of one probability"),
]


@pytest.mark.parametrize(("wrong", "text"), REFUSED, ids=[text for _, text in REFUSED])
def test_what_does_not_fit_is_refused(wrong, text):
    arguments = dict(zip(("query", "key", "value"), qkv(), strict=True)) | wrong
    with refused(text):
        scaled_dot_product_attention(**arguments)


def test_a_float_padding_mask_is_refused_like_a_boolean_one():
    text = (
        f"mask (2, 7) does not broadcast to {SCORES}; a padding mask (batch, keys) is passed as mask[:, None, None, :]"
    )
    with refused(text):
        scaled_dot_product_attention(*qkv(), mask=zeros(BATCH, KEYS))


ADVISED = [
    (LEAD, (BATCH, KEYS)),
    (LEAD, (BATCH, QUERIES, KEYS)),
    ((BATCH,), (BATCH, KEYS)),
    ((BATCH,), (HEADS, QUERIES, KEYS)),
]


@pytest.mark.parametrize(("lead", "shape"), ADVISED, ids=str)
def test_the_advice_of_a_refusal_helps_whoever_follows_it(lead, shape):
    inputs = zeros(*lead, QUERIES, D_K), zeros(*lead, KEYS, D_K), zeros(*lead, KEYS, D_V)
    mask = may(*shape)
    with pytest.raises(ValueError, match="does not broadcast") as caught:
        scaled_dot_product_attention(*inputs, mask=mask)
    advice = re.search(r"mask\[.*\]", str(caught.value))
    if lead == LEAD or advice:
        output = scaled_dot_product_attention(*inputs, mask=eval(advice[0], {"mask": mask}))
        assert output.shape == (*lead, QUERIES, D_V)


MODULES_REFUSED = [
    ({"d_model": 0}, "d_model must be at least 1, got 0"),
    ({"d_model": 6, "heads": 0}, "heads must be at least 1, got 0"),
    ({"d_model": 6, "d_k": -1}, "d_k must be at least 1, got -1"),
    ({"d_model": 6, "d_v": 0}, "d_v must be at least 1, got 0"),
    ({"d_model": 6, "d_context": 0}, "d_context must be at least 1, got 0"),
    ({"d_model": 6, "d_out": 0}, "d_out must be at least 1, got 0"),
    ({"d_model": 6, "dropout": 1.1}, "dropout must lie between 0 and 1, got 1.1"),
    (
        {"d_model": 12, "heads": 5},
        "d_model 12 is not divisible by heads 5; heads may be 1, 2, 3, 4, 6, 12, or give d_k",
    ),
    ({"d_model": 3, "heads": 5}, "d_model 3 is not divisible by heads 5; heads may be 1, 3, or give d_k"),
    ({}, "d_model is missing (embed_dim in torch)"),
    ({"d_model": 6, "embed_dim": 6}, "give one of d_model, embed_dim: they are two names of one size"),
    ({"d_model": 6, "heads": 2, "num_heads": 2}, "give one of heads, num_heads: they are two names of one size"),
    ({"d_model": "6"}, "d_model must be a whole number, got str"),
    ({"d_model": 6, "d_k": 1.5}, "d_k must be a whole number, got float"),
    ({"d_model": True}, "d_model must be a whole number, got bool"),
    ({"d_model": 6, "bias": "no"}, "bias must be True or False, got str"),
    ({"d_model": 6, "sink": 1}, "sink must be True or False, got int"),
    ({"d_model": 6, "generator": 5}, "generator must be a Generator, got int"),
]


@pytest.mark.parametrize(("sizes", "text"), MODULES_REFUSED, ids=[text for _, text in MODULES_REFUSED])
def test_sizes_that_make_no_layer_are_refused(sizes, text):
    with refused(text):
        MultiHeadAttention(**sizes)


CALLS_REFUSED = [
    (6, (zeros(6),), "x needs at least 2 axes (positions, d_model), got shape (6,)"),
    (6, (zeros(5, 7),), "x has 7 features, d_model is 6"),
    (6, (zeros(5, 6, dtype=torch.float32),), "w_q has dtype float64, x has float32"),
    (6, (zeros(5, 6, dtype=torch.int64),), f"x has dtype int64; {DTYPE_CHOICES}"),
    (6, (zeros(5, 6, device="meta"),), "w_q is on cpu, x on meta"),
    (11, (zeros(5, 6),), "d_context is 11, d_model 6: pass a context"),
    (11, (zeros(5, 6), zeros(11)), "context needs at least 2 axes (positions, d_context), got shape (11,)"),
    (11, (zeros(5, 6), zeros(7, 6)), "context has 6 features, d_context is 11"),
    (11, (zeros(5, 6), zeros(7, 11, dtype=torch.float32)), "context has dtype float32, x has float64"),
    (
        11,
        (zeros(2, 5, 6), zeros(3, 7, 11)),
        "the leading axes do not broadcast: query (2, 3), key (3, 3), value (3, 3)",
    ),
]


@pytest.mark.parametrize(("d_context", "inputs", "text"), CALLS_REFUSED, ids=[text for *_, text in CALLS_REFUSED])
def test_inputs_that_the_layer_was_not_made_for_are_refused(d_context, inputs, text):
    layer = MultiHeadAttention(6, 3, d_context=d_context).double()
    with refused(text):
        layer(*inputs)


def test_options_that_do_not_fit_are_refused():
    q, k, v = drawn((3, 5, 10), (3, 7, 10), (3, 7, 13))
    for options, text in (
        ({"softcap": 0.0}, "softcap must be a finite number above 0, got 0.0"),
        ({"slopes": slopes(2)}, "slopes needs a number a head, or one for all, got (2,) for 3 heads"),
        ({"sink": slopes(4)}, "sink needs a number a head, or one for all, got (4,) for 3 heads"),
        ({"qk_norm": (q[0, 0, :7], q[0, 0])}, "qk_norm: the gain of queries needs shape (10,), got (7,)"),
        ({"qk_norm": (q[0, 0], q[0, 0, :1])}, "qk_norm: the gain of keys needs shape (10,), got (1,)"),
        ({"qk_norm": (q[0, 0], q[0, 0].float())}, "the gain of keys has dtype float32, query has float64"),
    ):
        with refused(text):
            scaled_dot_product_attention(q, k, v, **options)


@pytest.mark.parametrize("name", ["is_causal", "enable_gqa", "interleaved"])
def test_a_text_is_no_flag(name):
    with refused(f"{name} must be True or False, got str"):
        scaled_dot_product_attention(*qkv(), **{name: "no"})


@pytest.mark.parametrize("name", ["query", "key", "value"])
def test_none_is_no_tensor(name):
    given = dict(zip(("query", "key", "value"), qkv(), strict=True)) | {name: None}
    with refused(f"{name} must be a Tensor, got NoneType"):
        scaled_dot_product_attention(**given)


def test_sizes_and_parameters_of_a_mask_are_whole_numbers():
    with refused("queries must be a whole number, got float"):
        grid("causal", 2.5, 3)
    with refused("width of mask 'window' must be a whole number, got str"):
        grid("window", 2, 3, width="2")
    with pytest.raises(ValueError, match=r"a mask is a Mask or one of full, .*; got NoneType"):
        grid(None, 2, 3)
