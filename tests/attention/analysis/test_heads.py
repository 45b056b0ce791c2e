"""Heads: bands of one projection, ranks, averages and sums, against torch."""

import pytest
import torch
from torch import nn

from attention import MultiHeadAttention, Trace
from attention.analysis import heads
from tests.support import CLOSE, drawn, rounding, summed

BATCH, N = 2, 11


def run(d_model=21, h=3, dtype=torch.float64, **options):
    generator = torch.Generator().manual_seed(5)
    module = MultiHeadAttention(d_model, h, **options, generator=generator).to(dtype)
    trace = Trace()
    module(torch.randn(BATCH, N, d_model, generator=generator).to(dtype), trace=trace)
    return trace


@pytest.mark.parametrize("bias", [False, True])
def test_contributions_add_up_to_the_output(bias):
    trace = run(bias=bias, d_v=5, d_out=13)
    total = heads.contributions(trace).sum(-3)
    if bias:
        total = total + trace["b_o"].value
    torch.testing.assert_close(total, trace["projected"].value, rtol=0, atol=1e-12)


@pytest.mark.parametrize("bias", [False, True])
@pytest.mark.parametrize("d_k", [None, 5])
@pytest.mark.parametrize(("d_model", "h"), [(16, 2), (16, 16), (33, 3), (33, 11), (64, 4), (64, 16), (130, 13)])
def test_bands_of_one_product_are_small_products(d_model, h, d_k, bias):
    """Both ways agree exactly in float32."""
    trace = run(d_model, h, dtype=torch.float32, d_k=d_k, bias=bias)
    made = heads.split(trace)
    assert made.difference == 0
    # The module projects queries once and splits them, so the recorded ones equal the bands up to rounding.
    bands = trace["queries"].value.transpose(-3, -2).flatten(-2)
    most = rounding(d_model, of=max(1.0, summed(trace["x"].value, made.w_q)), dtype=torch.float32)
    torch.testing.assert_close(made.whole, bands, rtol=0, atol=most)
    assert heads.split_rounding(trace) <= most < 1e-3


@pytest.mark.parametrize("bias", [False, True])
def test_the_whole_matrix_is_the_parameter_of_the_module(bias):
    module = MultiHeadAttention(21, 3, bias=bias, generator=torch.Generator().manual_seed(5))
    x, trace = torch.randn(N, 21, generator=torch.Generator().manual_seed(6)), Trace()
    module(x, trace=trace)
    made = heads.split(trace)
    assert torch.equal(made.w_q, module.w_q)
    expected = nn.functional.linear(x.double(), module.w_q.double().T, module.b_q.double() if bias else None)
    torch.testing.assert_close(made.small, expected.float(), rtol=0, atol=1e-6)


def test_a_wrong_split_is_noticed():
    trace = run()
    queries = trace["queries"].value
    queries.copy_(queries.flip(1))
    assert heads.split_rounding(trace) > 0.1
    whole = heads.split(trace)
    assert heads.Split(whole.w_q, whole.whole, whole.small.roll(7, -1)).difference > 0.1


@pytest.mark.parametrize("dtype", [torch.float64, torch.float32])
@pytest.mark.parametrize(("h", "d_k"), [(1, 64), (2, 32), (4, 16), (8, 8), (16, 4), (32, 2), (64, 1)])
def test_the_rank_of_raw_scores_is_d_k_or_the_number_of_tokens(h, d_k, dtype):
    generator = torch.Generator().manual_seed(3)
    trace = Trace()
    module = MultiHeadAttention(64, h, generator=generator).to(dtype)
    module(torch.randn(32, 64, generator=generator, dtype=dtype), trace=trace)
    assert heads.rank(trace).tolist() == [min(d_k, 32)] * h


def test_the_average_is_what_torch_returns_by_default():
    trace = run()
    twin = nn.MultiheadAttention(21, 3, bias=False, batch_first=True, dtype=torch.float64)
    with torch.no_grad():
        flat = [trace[name].value.transpose(-2, -1).flatten(0, 1) for name in ("w_q", "w_k", "w_v")]
        twin.in_proj_weight.copy_(torch.cat(flat))
        x = trace["x"].value
        _, weights = twin.eval()(x, x, x)
    torch.testing.assert_close(heads.average(trace), weights, rtol=0, atol=1e-12)


def test_one_head_is_its_own_average_and_several_are_not():
    torch.testing.assert_close(heads.distance_to_average(run(h=1)), torch.zeros(BATCH, 1, dtype=torch.float64))
    assert heads.distance_to_average(run()).min() > 0.01


def test_distance_to_the_average_is_total_variation():
    trace = run()
    weights = trace["weights"].value
    expected = sum((weights[1, 2, i] - weights[1, :, i].mean(0)).abs().sum() / 2 for i in range(N)) / N
    torch.testing.assert_close(heads.distance_to_average(trace)[1, 2], expected)


@pytest.mark.parametrize("bias", [False, True])
@pytest.mark.parametrize("h", [1, 2, 4, 8])
@pytest.mark.parametrize("d_k", [None, 8])
def test_the_count_is_that_of_the_module(h, d_k, bias):
    module = MultiHeadAttention(64, h, d_k=d_k, bias=bias)
    assert heads.parameters(64, h, d_k, bias=bias) == sum(p.numel() for p in module.parameters())


def test_heads_are_free_at_fixed_d_model():
    assert {heads.parameters(64, h, bias=True) for h in (1, 2, 4, 8)} == {16_640}
    assert heads.parameters(64, 8, 16) == 2 * heads.parameters(64, 4, 16)


def test_a_head_count_that_does_not_divide_is_refused():
    with pytest.raises(ValueError, match="d_model 64 is not divisible by heads 3; give d_k"):
        heads.parameters(64, 3)


@pytest.mark.parametrize("bias", [False, True])
@pytest.mark.parametrize("feature", [0, 20])
def test_one_feature_of_the_input_reaches_the_queries_of_every_head(feature, bias):
    """Heads do not slice the embedding."""
    generator = torch.Generator().manual_seed(5)
    module = MultiHeadAttention(21, 3, bias=bias, generator=generator).double()
    x = torch.randn(BATCH, N, 21, generator=generator).double()
    before, after = Trace(), Trace()
    module(x, trace=before)
    changed = x.clone()
    changed[..., feature] += 1
    module(changed, trace=after)
    expected = (after["queries"].value - before["queries"].value).abs().amax((0, 2, 3))
    reach = heads.reach(before, feature)
    torch.testing.assert_close(reach, expected, rtol=0, atol=1e-12)
    assert reach.shape == (3,)
    assert (reach > 0.01).all()


def test_a_feature_that_is_not_there_is_refused():
    with pytest.raises(ValueError, match="feature must lie between 0 and 20, got 21"):
        heads.reach(run(), 21)


def test_a_head_that_is_left_out_adds_nothing_and_the_others_add_what_they_did():
    generator = torch.Generator().manual_seed(5)
    module = MultiHeadAttention(21, 3, d_v=5, d_out=13, generator=generator).double()
    x, trace = torch.randn(BATCH, N, 21, generator=generator).double(), Trace()
    whole = module(x, trace=trace)
    left_out = heads.without(module, [1])
    torch.testing.assert_close(left_out(x), whole - heads.contributions(trace)[..., 1, :, :])
    assert left_out.w_q is module.w_q
    assert module.w_o.all()


def test_a_head_that_there_is_not_cannot_be_left_out():
    with pytest.raises(ValueError, match="heads 0 to 2, got -1, 3"):
        heads.without(MultiHeadAttention(21, 3), [3, 0, -1])


@pytest.mark.parametrize("more", [{}, {"bias": True, "qk_norm": True}, {"kv_heads": 2, "sink": True, "d_out": 5}])
def test_one_head_alone_is_that_head_of_all(more):
    generator = torch.Generator().manual_seed(0)
    module = MultiHeadAttention(29, 6, d_k=7, d_v=11, d_context=23, generator=generator, **more).double()
    with torch.no_grad():
        for parameter in module.parameters():
            parameter.normal_(generator=generator)
    x, context = drawn((2, 13, 29), (2, 17, 23))
    whole, total = Trace(), torch.zeros(2, 13, module.d_out, dtype=torch.float64)
    expected = module(x, context, trace=whole)
    for head in range(6):
        trace = Trace()
        total += heads.alone(module, head)(x, context, trace=trace)
        torch.testing.assert_close(
            trace["weights"].value[:, 0], whole["weights"].value[:, head], **CLOSE[torch.float64]
        )
    total -= 0 if module.b_o is None else 5 * module.b_o
    bound = rounding(77, 6, 23, 29, of=summed(whole["concat"].value, module.w_o.detach()))
    torch.testing.assert_close(total, expected, rtol=0, atol=bound)


def test_a_head_alone_is_a_copy_in_the_mode_of_its_module():
    module = MultiHeadAttention(12, 3, dropout=0.5, generator=torch.Generator().manual_seed(0)).eval()
    before = module.w_q.clone()
    made = heads.alone(module, 1)
    assert (made.training, made.dropout) == (False, 0.5)
    with torch.no_grad():
        made.w_q.zero_()
    assert torch.equal(module.w_q, before)


def test_a_head_that_there_is_not_or_has_a_gate_is_refused():
    module = MultiHeadAttention(12, 3, generator=torch.Generator().manual_seed(0))
    with pytest.raises(ValueError, match="head must lie between 0 and 2, got 3"):
        heads.alone(module, 3)
    with pytest.raises(ValueError, match="gate"):
        heads.alone(MultiHeadAttention(12, 3, gate="head"), 0)
