"""The comparison with PyTorch: small if the run is right, large if it is wrong, and honest if it cannot be made."""

import pytest
import torch

from attention import MultiHeadAttention, Trace, scaled_dot_product_attention
from attention.comparisons.parity import Comparison, against_torch
from attention.masks import MASKS, padding
from attention.positions import frequencies
from tests.support import BATCH, D_K, D_V, EXACT, KEYS, QUERIES, as_float, drawn, grid_of, qkv, seeded
from tests.support.covering import cases

FUSED, MODULE = "F.scaled_dot_product_attention", "nn.MultiheadAttention"
D_CONTEXT = 17
AGREES = {torch.float32: 1e-5, torch.float64: 1e-12}


def mask_of(name: str, queries: int, keys: int) -> torch.Tensor | None:
    """One of MASKS, or a kind of mask that the registry does not know."""
    if name == "none":
        return None
    if name == "padding":
        return padding([keys, 3], keys)
    if name == "empty":
        mask = grid_of("causal", queries, keys)
        mask[1] = False
        return mask
    if name == "empty, with padding":
        # A whole sentence of padding: all its queries may attend to nothing.
        return grid_of("causal", queries, keys) & padding([keys, 0], keys)
    if name == "float":
        return drawn((queries, keys), seed=5)[0]
    if name == "float with -inf":
        return as_float(grid_of("causal", queries, keys))
    return grid_of(name, queries, keys)


KINDS = ("none", *MASKS, "padding", "empty", "empty, with padding", "float", "float with -inf")


def traced(
    heads: int = 3,
    bias: bool = False,
    mask: str = "none",
    cross: bool = False,
    scale: float | None = None,
    dropout: float = 0.0,
    dtype: torch.dtype = torch.float64,
    training: bool = True,
    rotary: bool = False,
    **sizes: int,
) -> Trace:
    trace, keys = Trace(), KEYS if cross else QUERIES
    d_model = sizes.pop("d_model", heads * D_K)
    layer = MultiHeadAttention(
        d_model,
        heads,
        d_context=D_CONTEXT if cross else None,
        bias=bias,
        dropout=dropout,
        generator=seeded(1),
        **sizes,
    ).to(dtype)
    x, context = drawn((BATCH, QUERIES, d_model), (BATCH, keys, D_CONTEXT), dtype=dtype)
    layer.train(training)(
        x,
        context if cross else None,
        mask=mask_of(mask, QUERIES, keys),
        scale=scale,
        rotary=frequencies(layer.d_k) if rotary else None,
        generator=seeded(2),
        trace=trace,
    )
    return trace


def by_name(trace: Trace) -> dict[str, Comparison]:
    return {comparison.name: comparison for comparison in against_torch(trace)}


@pytest.mark.parametrize(
    ("bias", "heads", "mask", "cross", "scale", "dropout", "dtype"),
    cases([False, True], [1, 3], KINDS, [False, True], [None, 0.7], [0.0, 0.3], [*AGREES], strength=3),
    ids=str,
)
def test_torch_agrees_wherever_it_can_be_asked(bias, heads, mask, cross, scale, dropout, dtype):
    found = by_name(traced(heads, bias, mask, cross, scale, dropout, dtype))
    reasons = {FUSED: "dropout" if dropout else "", MODULE: "dropout" if dropout else "scale" if scale else ""}
    assert {name: comparison.reason for name, comparison in found.items()} == reasons
    for name, comparison in found.items():
        if reasons[name]:
            assert comparison.difference is None
        else:
            assert 0 <= comparison.difference <= AGREES[dtype]


def test_dropout_in_inference_is_no_reason():
    assert all(comparison.difference <= 1e-12 for comparison in against_torch(traced(dropout=0.5, training=False)))


@pytest.mark.parametrize(
    ("reason", "sizes"),
    [
        ("d_k", {"d_k": 13, "d_v": D_K}),
        ("d_v", {"d_v": D_V}),
        ("d_out", {"d_out": 19}),
        ("rotary", {"rotary": True, "heads": 2, "d_k": 2 * D_K, "d_v": 2 * D_K, "d_model": 4 * D_K}),
        ("kv_heads", {"heads": 6, "kv_heads": 3, "mask": "causal"}),
    ],
)
def test_a_size_that_torch_does_not_have_is_the_reason(reason, sizes):
    found = by_name(traced(**sizes))
    assert found[FUSED].difference <= 1e-12
    assert found[MODULE] == Comparison(MODULE, None, reason)


@pytest.mark.parametrize("lead", [(), (BATCH,), (BATCH, 3)], ids=len)
@pytest.mark.parametrize("mask", [None, "causal"])
def test_the_function_alone_is_compared_with_the_function_alone(lead, mask):
    trace = Trace()
    q, k, v = (tensor[(0,) * (2 - len(lead))] for tensor in qkv())
    scaled_dot_product_attention(q, k, v, mask=mask and grid_of(mask), trace=trace)
    found = by_name(trace)
    assert found[FUSED].difference <= 1e-12
    assert found[MODULE] == Comparison(MODULE, None, "parts")


@pytest.mark.parametrize("cross", [False, True])
@pytest.mark.parametrize("bias", [False, True])
@pytest.mark.parametrize("mask", [None, "causal"])
def test_a_single_sentence_without_a_batch_is_compared_too(mask, bias, cross):
    trace, keys = Trace(), KEYS if cross else QUERIES
    layer = MultiHeadAttention(33, 3, d_context=D_CONTEXT if cross else None, bias=bias, generator=seeded(1)).double()
    x, context = drawn((QUERIES, 33), (keys, D_CONTEXT))
    layer(x, context if cross else None, mask=mask and grid_of(mask, QUERIES, keys), trace=trace)
    assert all(comparison.difference <= 1e-12 for comparison in against_torch(trace))


def corrupted(trace: Trace, id: str, by: float = 0.25) -> Trace:
    """The same record with one element of one step changed."""
    copy = Trace()
    for step in trace.values():
        value = step.value.clone(memory_format=torch.contiguous_format)
        if step.id == id:
            value.view(-1)[-1] += by
        copy.record(step.quantity, value)
    return copy


@pytest.mark.parametrize("mask", ["none", "causal", "padding"])
def test_one_wrong_element_of_the_output_is_seen(mask):
    found = by_name(corrupted(traced(mask=mask), "output"))
    torch.testing.assert_close(found[FUSED].difference, 0.25, rtol=0, atol=1e-9)


@pytest.mark.parametrize("mask", ["none", "causal", "padding"])
@pytest.mark.parametrize("bias", [False, True])
def test_one_wrong_element_of_what_comes_out_is_seen(mask, bias):
    found = by_name(corrupted(traced(mask=mask, bias=bias), "projected"))
    torch.testing.assert_close(found[MODULE].difference, 0.25, rtol=0, atol=1e-9)
    assert found[FUSED].difference <= 1e-12


@pytest.mark.parametrize("id", ["queries", "keys", "values"])
def test_one_wrong_element_of_what_goes_in_is_seen(id):
    assert by_name(corrupted(traced(), id))[FUSED].difference > 1e-3


@pytest.mark.parametrize("id", ["x", "w_q", "w_k", "w_v", "w_o", "b_q", "b_v", "b_o"])
def test_one_wrong_parameter_is_seen(id):
    assert by_name(corrupted(traced(bias=True), id))[MODULE].difference > 1e-3


def test_a_wrong_key_bias_is_not_seen_because_softmax_does_not_see_it():
    assert by_name(corrupted(traced(bias=True), "b_k"))[MODULE].difference <= 1e-12


@pytest.mark.parametrize("cross", [False, True])
def test_the_shared_generator_is_left_alone(cross):
    trace = traced(cross=cross, bias=True)
    before = torch.get_rng_state()
    against_torch(trace)
    torch.testing.assert_close(torch.get_rng_state(), before, **EXACT)


def test_comparing_leaves_the_record_as_it_was():
    trace = traced(bias=True, mask="causal")
    before = {id: step.value.clone() for id, step in trace.items()}
    against_torch(trace)
    for id, value in before.items():
        torch.testing.assert_close(trace[id].value, value, **EXACT)


def enlarged(**by: float) -> Trace:
    """The record of self-attention in float32 with some parameters, or x, multiplied by a factor."""
    layer = MultiHeadAttention(2 * D_K, 2, generator=seeded(1))
    with torch.no_grad():
        for name, parameter in layer.named_parameters():
            parameter.mul_(by.get(name, 1))
    trace = Trace()
    layer(by.get("x", 1) * drawn((BATCH, QUERIES, 2 * D_K), seed=2, dtype=torch.float32)[0], trace=trace)
    return trace


LARGE = {"x": 1000, "w_q": 1000, "w_k": 1000}


@pytest.mark.parametrize(
    ("difference", "size", "agrees"),
    [(0.9e-4, 0.0, True), (0.9e-4, 1e-3, True), (1.1e-4, 1e-3, False), (0.9e-1, 1e3, True), (1.1e-1, 1e3, False)],
)
def test_a_difference_is_measured_by_the_largest_number_and_by_no_less_than_one(difference, size, agrees):
    """A small output may be the difference of larger numbers, which were rounded."""
    assert Comparison(FUSED, difference, size=size).agrees is agrees


def test_large_numbers_agree_by_their_own_measure():
    found = by_name(enlarged(w_v=1e5))
    assert all(comparison.agrees for comparison in found.values())
    assert min(comparison.difference for comparison in found.values()) > 1e-3


def test_large_scores_agree():
    assert all(comparison.agrees for comparison in against_torch(enlarged(**LARGE)))


@pytest.mark.parametrize(("id", "name"), [("output", FUSED), ("projected", MODULE)])
def test_a_difference_that_rounding_could_make_is_none_and_says_so(id, name):
    assert by_name(corrupted(enlarged(**LARGE), id, 250.0))[name] == Comparison(name, None, "rounding")


@pytest.mark.parametrize(("by", "off"), [({}, 0.01), ({"w_v": 1e5}, 1e3), (LARGE, 1e5)], ids=str)
def test_a_difference_that_rounding_could_not_make_is_one(by, off):
    found = by_name(corrupted(enlarged(**by), "output", off))[FUSED]
    assert found.difference == pytest.approx(off, rel=0.01)
    assert not found.agrees


def test_a_nan_is_never_rounding():
    found = by_name(corrupted(enlarged(**LARGE), "output", float("nan")))[FUSED]
    assert found.reason == ""
    assert not found.agrees
