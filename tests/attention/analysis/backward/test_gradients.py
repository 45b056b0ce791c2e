"""Gradients of every step against torch: the recorded lines as text, its own attention, and finite differences."""

import copy

import pytest
import torch
from torch.nn import functional as F

from attention import MultiHeadAttention, Trace, grid
from attention.analysis.backward import gradients
from attention.masks import padding
from tests.support import CLOSE, EXACT, drawn, refused, seeded
from tests.support.backward import by_lines
from tests.support.covering import cases

BATCH, HEADS, L, S, D_MODEL, D_CONTEXT, D_K, D_V, D_OUT = 2, 3, 5, 7, 11, 13, 17, 19, 23
WITHOUT = {"mask", "scale", "dropout", "kept"}


def layer(cross=False, bias=False, dropout=0.0, dtype=torch.float64):
    sizes = {"d_k": D_K, "d_v": D_V, "d_out": D_OUT, "d_context": D_CONTEXT if cross else None}
    return MultiHeadAttention(D_MODEL, HEADS, bias=bias, dropout=dropout, generator=seeded(1), **sizes).to(dtype)


def inputs(cross, mask, batched=True):
    """x, the context, the mask; the second query may attend to nothing, the second sentence has padding."""
    keys, lead = S if cross else L, (BATCH,) if batched else ()
    x, context = drawn((*lead, L, D_MODEL), (*lead, keys, D_CONTEXT))
    allowed = grid("causal", L, keys) & padding([keys, 2] if batched else [keys - 1], keys)
    allowed[..., 1, :] = False
    allowed = allowed if batched else allowed[0]
    masks = {"none": None, "bool": allowed, "float": drawn(allowed.shape)[0].masked_fill(~allowed, -torch.inf)}
    return x, context if cross else None, masks[mask]


CASES = cases([False, True], [False, True], ["none", "bool", "float"], [None, 0.3], [0.0, 0.5, 1.0], [True, False])


@pytest.mark.parametrize(("cross", "bias", "mask", "scale", "dropout", "batched"), CASES, ids=str)
def test_every_step_has_the_gradient_of_the_lines_that_follow_it(cross, bias, mask, scale, dropout, batched):
    module, (x, context, may) = layer(cross, bias, dropout), inputs(cross, mask, batched)
    trace = Trace()
    output = module(x, context, mask=may, scale=scale, generator=seeded(2), trace=trace)
    (upstream,) = drawn(output.shape, seed=3)
    found = gradients(module, x, context, mask=may, scale=scale, upstream=upstream, generator=seeded(2))
    assert set(trace) - set(found) == {id for id in WITHOUT & set(trace) if not (id == "mask" and mask == "float")}
    assert list(found) == [id for id in trace if id in found]
    for id, step in found.items():
        assert (step.axes, step.quantity.kind) == (trace[id].axes, "signed")
        assert step.value.isfinite().all(), id
        torch.testing.assert_close(step.value, by_lines(trace, id, upstream), **CLOSE[torch.float64])


@pytest.mark.parametrize("mask", ["none", "bool", "float"])
def test_parameters_and_inputs_have_the_gradients_of_torchs_own_attention(mask):
    module, (x, context, may) = layer(True, True), inputs(True, mask)
    leaves = [leaf.detach().clone().requires_grad_(True) for leaf in (x, context, *module.parameters())]
    source, keys, w_q, w_k, w_v, w_o, b_q, b_k, b_v, b_o = leaves
    heads = [
        product.unflatten(-1, (HEADS, -1)).transpose(-3, -2)
        for product in (source @ w_q + b_q, keys @ w_k + b_k, keys @ w_v + b_v)
    ]
    output = F.scaled_dot_product_attention(*heads, attn_mask=may).transpose(-3, -2).flatten(-2) @ w_o + b_o
    (upstream,) = drawn(output.shape, seed=3)
    theirs = torch.autograd.grad(output, leaves, upstream)
    found = gradients(module, x, context, mask=may, upstream=upstream)
    ours = {id: step.value for id, step in found.items()}
    for id in ("w_q", "w_k", "w_v"):
        ours[id] = ours[id].transpose(-3, -2).flatten(-2)
    ids = ("x", "context", "w_q", "w_k", "w_v", "w_o", "b_q", "b_k", "b_v", "b_o")
    for id, gradient in zip(ids, theirs, strict=True):
        torch.testing.assert_close(ours[id].reshape(gradient.shape), gradient, **CLOSE[torch.float64])


def test_finite_differences_agree():
    module, (x, _, may) = layer(), inputs(False, "bool")

    class ByGradients(torch.autograd.Function):
        @staticmethod
        def forward(ctx, given):
            ctx.save_for_backward(given)
            return module(given, mask=may)

        @staticmethod
        def backward(ctx, upstream):
            return gradients(module, ctx.saved_tensors[0], mask=may, upstream=upstream)["x"].value

    assert torch.autograd.gradcheck(ByGradients.apply, x.requires_grad_(True))


@pytest.mark.parametrize("mask", ["bool", "float"])
def test_a_query_that_may_attend_to_nothing_has_gradients_of_exactly_zero(mask):
    module, (x, context, may) = layer(True), inputs(True, mask)
    found = gradients(module, x, context, mask=may, upstream=torch.ones(BATCH, L, D_OUT, dtype=torch.float64))
    for id in ("scores", "scaled", "masked", "queries"):
        row = found[id].value[:, :, 1]
        torch.testing.assert_close(row, torch.zeros_like(row), **EXACT)


def test_arguments_parameters_and_the_shared_generator_are_left_alone():
    module, (x, _, _) = layer(dropout=0.5), inputs(False, "none")
    before = copy.deepcopy(module.state_dict()), x.clone(), torch.get_rng_state()
    module.requires_grad_(False)
    gradients(module, x, upstream=torch.ones(BATCH, L, D_OUT, dtype=torch.float64), generator=seeded())
    torch.testing.assert_close((module.state_dict(), x, torch.get_rng_state()), before, **EXACT)
    assert not any(each.requires_grad or each.grad is not None for each in (x, *module.parameters()))


def test_what_was_made_for_inference_can_be_differentiated():
    with torch.inference_mode():
        x = drawn((L, D_MODEL), dtype=torch.float32)[0]
        found = gradients(layer(dtype=torch.float32), x, upstream=torch.ones(L, D_OUT))
    assert found["x"].value.abs().sum() > 0


def test_an_upstream_of_another_shape_is_refused_with_both_shapes():
    module, (x, _, _) = layer(), inputs(False, "none")
    with refused("upstream has shape (5, 23), the output (2, 5, 23)"):
        gradients(module, x, upstream=torch.ones(L, D_OUT))
