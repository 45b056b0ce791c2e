"""Experiments: what ties, biases, bases, axes and scales do to scores and weights, by torch and as published."""

import pytest
import torch
from torch.nn import functional as F

from attention import MultiHeadAttention, Trace, scaled_dot_product_attention
from attention.analysis import interventions
from attention.masks import grid
from tests.support import drawn, refused, rounding, seeded, summed

BATCH, N, D_MODEL, HEADS, D_K = 2, 11, 21, 3, 7


def run(dtype=torch.float64, d_k=D_K, bias=False, **options) -> Trace:
    module = MultiHeadAttention(D_MODEL, HEADS, d_k=d_k, bias=bias, generator=seeded(2)).to(dtype)
    (x,) = drawn((BATCH, N, D_MODEL), dtype=dtype)
    trace = Trace()
    with torch.no_grad():
        module(x, trace=trace, **options)
    return trace


CAUSAL = grid("causal", N, N)


def sizes(trace: Trace, by: float = 0.0) -> float:
    """The largest sum of absolute terms among a run's scores and outputs, with `by` added to each key and value."""
    q, k, v = (trace[id].value.double().abs() for id in ("queries", "keys", "values"))
    return max(summed(q, k.mT + by), float(v.max()) + by)


class TestTied:
    @pytest.mark.parametrize("bias", [False, True])
    def test_it_is_the_run_of_a_module_whose_two_matrices_are_one(self, bias):
        module = MultiHeadAttention(D_MODEL, HEADS, d_k=D_K, bias=bias, generator=seeded(2)).double()
        (x,) = drawn((BATCH, N, D_MODEL))
        expected = Trace()
        with torch.no_grad():
            module.w_k.copy_(module.w_q)
            if bias:
                module.b_k.copy_(module.b_q)
            module(x, trace=expected)
        found = interventions.tied(run(bias=bias))
        for id in ("scores", "weights", "output"):
            torch.testing.assert_close(found[id].value, expected[id].value, rtol=0, atol=1e-12)

    def test_scores_are_symmetric_and_weights_are_not(self):
        assert interventions.asymmetry(run(), "scores") > 1
        tied = interventions.tied(run())
        assert interventions.asymmetry(tied, "scores") <= rounding(D_MODEL, D_K, of=sizes(tied))
        assert interventions.asymmetry(tied, "weights") > 0.1

    @pytest.mark.parametrize(("d_k", "published"), [(2, 0.45), (4, 0.72), (8, 0.93), (16, 0.997)])
    def test_how_often_the_own_key_wins_is_as_published(self, d_k, published):
        share, error = interventions.own_key_wins(d_k, 8, 20_000, seeded(d_k))
        # The tolerance is that of the published digits.
        digits = 0.0005 if d_k == 16 else 0.005
        assert abs(share - published) <= digits + 5 * error
        assert error < 0.003

    def test_the_error_is_that_of_a_repetition(self):
        shares, errors = zip(*(interventions.own_key_wins(3, 5, 100, seeded(seed)) for seed in range(200)), strict=True)
        spread = torch.tensor(shares, dtype=torch.float64).std().item()
        assert spread == pytest.approx(sum(errors) / len(errors), rel=0.25)


class TestShifted:
    @pytest.mark.parametrize("dtype", [torch.float64, torch.float32])
    def test_a_key_bias_moves_scores_and_not_weights(self, dtype):
        changed = interventions.shifted(run(), "keys", 5.0, dtype)
        assert changed["scaled"] > 1
        assert changed["weights"] <= rounding(D_K, N, of=sizes(run(), 5.0), dtype=dtype) < 1e-3

    def test_at_the_size_of_a_bias_the_change_is_the_published_one(self):
        """Published are 8e-17 in float64 and 1e-7 to 1e-6 in float32: rounding, which differs between processors."""
        for dtype in (torch.float64, torch.float32):
            most = rounding(D_K, N, of=sizes(run(), 0.5), dtype=dtype)
            assert 0 < interventions.shifted(run(dtype), "keys", 0.5, dtype)["weights"] <= most

    def test_a_query_bias_moves_both(self):
        changed = interventions.shifted(run(), "queries", 5.0, torch.float64)
        assert min(changed.values()) > 0.3
        assert set(changed) == {"scaled", "weights", "output"}

    def test_it_is_what_torch_makes_of_the_moved_keys(self):
        trace = run(mask=CAUSAL)
        q, k, v = (trace[id].value for id in ("queries", "keys", "values"))
        expected = F.scaled_dot_product_attention(q + 3, k, v, is_causal=True)
        found = interventions.moved(trace, "queries", 3.0, torch.float64)["output"].value
        torch.testing.assert_close(found, expected, rtol=0, atol=1e-12)

    def test_nothing_added_changes_nothing(self):
        assert set(interventions.shifted(run(), "queries", 0.0, torch.float64).values()) == {0.0}

    def test_another_part_is_refused(self):
        with refused("unknown part 'banana'; one of keys, queries, values"):
            interventions.shifted(run(), "banana", 1.0, torch.float64)

    @pytest.mark.parametrize("options", [{}, {"mask": CAUSAL}], ids=["full", "causal"])
    def test_a_value_bias_moves_the_output_by_itself_and_nothing_else(self, options):
        changed = interventions.shifted(run(**options), "values", 5.0, torch.float64)
        assert changed["scaled"] == changed["weights"] == 0
        passed = interventions.value_bias(run(**options), 5.0)
        near = rounding(N, of=sizes(run(), 5.0))
        torch.testing.assert_close(passed.shift, torch.full_like(passed.shift, 5.0), rtol=0, atol=near)
        assert changed["output"] == pytest.approx(5, abs=near)

    @pytest.mark.parametrize("p", [0.3, 0.5])
    def test_under_dropout_it_moves_the_output_by_its_row_sum_times_itself(self, p):
        trace = run(mask=CAUSAL)
        # Kept weights are divided by 1 - p.
        near = rounding(D_MODEL, D_K, N, of=sizes(trace, 3.0) / (1 - p))
        passed = interventions.value_bias(trace, -3.0, dropout=p, generator=seeded(5))
        assert passed.difference <= near
        # The oracle is the module in training, with b_v moved by the same number and with the same keep-mask.
        module = MultiHeadAttention(D_MODEL, HEADS, d_k=D_K, bias=True, dropout=p, generator=seeded(2)).double()
        (x,) = drawn((BATCH, N, D_MODEL))
        first, second = Trace(), Trace()
        with torch.no_grad():
            module(x, mask=CAUSAL, generator=seeded(5), trace=first)
            module.b_v.sub_(3)
            module(x, mask=CAUSAL, generator=seeded(5), trace=second)
        sums = first["dropped"].value.sum(-1)
        assert (sums - 1).abs().max() > 0.3
        torch.testing.assert_close(first["kept"].value, second["kept"].value)
        expected = (-3.0 * sums)[..., None].expand(BATCH, HEADS, N, D_K)
        moved = second["output"].value - first["output"].value
        torch.testing.assert_close(moved, expected, rtol=0, atol=near)
        of_module = interventions.value_bias(first, -3.0, dropout=p, generator=seeded(5))
        torch.testing.assert_close(of_module.sums, sums, rtol=0, atol=near)
        torch.testing.assert_close(of_module.shift, moved, rtol=0, atol=near)

    def test_a_query_that_sees_nothing_is_not_moved(self):
        mask = CAUSAL.clone()
        mask[4] = False
        passed = interventions.value_bias(run(mask=mask), 5.0)
        assert not passed.shift[..., 4, :].any()
        assert passed.difference <= rounding(N, of=sizes(run(), 5.0))


class TestGauge:
    @pytest.mark.parametrize("dtype", [torch.float64, torch.float32])
    @pytest.mark.parametrize("d_k", [1, 7, 64])
    def test_the_scores_stay_what_they_were(self, d_k, dtype):
        trace = run(dtype, d_k=d_k)
        gauge = interventions.gauge(trace, seeded(3))
        assert gauge.difference("queries") > 0.1
        assert gauge.difference("keys") > 0.1
        # Published for one draw: 1.4e-14. There are three products; the condition of M, up to 4, lengthens one factor.
        most = rounding(d_k, d_k, d_k, of=4 * d_k * sizes(trace))
        assert gauge.difference("scores") <= most < 1e-9
        assert gauge.difference("weights") <= most

    def test_every_head_has_a_matrix_of_its_own_that_makes_the_queries(self):
        trace = run(mask=CAUSAL)
        gauge = interventions.gauge(trace, seeded(3))
        assert gauge.m.shape == (HEADS, D_K, D_K)
        torch.testing.assert_close(gauge.after["queries"].value, trace["queries"].value @ gauge.m)
        assert torch.linalg.cond(gauge.m).max() <= 4 + 1e-9
        assert not torch.allclose(gauge.m[0], gauge.m[1])

    def test_one_sentence_without_heads_has_a_basis_too(self):
        trace = Trace()
        scaled_dot_product_attention(*drawn((5, 3), (7, 3), (7, 2)), trace=trace)
        most = rounding(3, 3, 3, of=4 * 3 * sizes(trace))
        assert interventions.gauge(trace, seeded(3)).difference("scores") <= most


class TestAxes:
    @pytest.mark.parametrize("options", [{}, {"scale": 0.3}], ids=str)
    def test_over_queries_is_softmax_down_the_columns(self, options):
        trace = run(**options)
        expected = trace["scaled"].value.softmax(-2)
        torch.testing.assert_close(interventions.over_queries(trace), expected, rtol=0, atol=1e-12)

    def test_under_a_mask_every_column_sums_to_one_and_rows_need_not(self):
        trace = run(mask=CAUSAL)
        weights = interventions.over_queries(trace)
        torch.testing.assert_close(weights, trace["masked"].value.softmax(-2), rtol=0, atol=1e-12)
        torch.testing.assert_close(weights.sum(-2), torch.ones(BATCH, HEADS, N, dtype=torch.float64))
        assert (weights.sum(-1) - 1).abs().max() > 0.5

    def test_the_column_convention_is_the_same_numbers(self):
        trace = run()
        columns = trace["scaled"].value.mT.softmax(-2)
        torch.testing.assert_close(trace["weights"].value.mT, columns, rtol=0, atol=rounding(N))

    def test_only_the_wrong_axis_sees_the_future(self):
        leak = interventions.future_leak(run(mask=CAUSAL))
        assert leak["over_keys"] == 0
        assert leak["over_queries"] > 0.1

    def test_without_a_mask_both_see_it(self):
        assert min(interventions.future_leak(run()).values()) > 0.1


def test_what_needs_as_many_queries_as_keys_says_so():
    trace = Trace()
    MultiHeadAttention(5, generator=seeded())(*drawn((3, 5), (7, 5), dtype=torch.float32), trace=trace)
    for experiment in (interventions.tied, interventions.over_queries, interventions.future_leak):
        with refused("as many queries as keys are needed, got 3 and 7"):
            experiment(trace)


def test_one_token_has_no_future():
    trace = Trace()
    MultiHeadAttention(5, generator=seeded())(*drawn((1, 5), dtype=torch.float32), trace=trace)
    with refused("the last token needs one before it, got 1 tokens"):
        interventions.future_leak(trace)
