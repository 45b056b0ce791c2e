"""Where gradients vanish: the published table, and each norm compared with autograd on formulas of our own."""

import math

import pytest
import torch
from torch.nn import functional as F

from attention.experiments.race import BATCH, batches, start
from attention.experiments.score_gradients import at_start, gradients
from tests.support import refused

# Published for seeds 0 to 2 with 24 batches each, averaged over the seeds: |dL/dS| mean and median, rows below .01,
# |dL/dW_Q|, the share of |dL/dQ|^2 in the top 10 % of the rows.
PUBLISHED = {
    (16, "none"): (0.242, 0.195, 0.05, 1.23, 0.54),
    (16, "sqrt_d_k"): (0.264, 0.247, 0, 0.307, 0.34),
    (64, "none"): (0.153, 0.067, 0.28, 2.06, 0.70),
    (64, "sqrt_d_k"): (0.281, 0.261, 0, 0.359, 0.33),
    (256, "none"): (0.082, 0.0043, 0.58, 3.01, 0.88),
    (256, "sqrt_d_k"): (0.281, 0.261, 0, 0.355, 0.33),
    (1024, "none"): (0.043, 6.9e-6, 0.77, 4.13, 0.97),
    (1024, "sqrt_d_k"): (0.267, 0.245, 0, 0.337, 0.33),
    (1024, "d_k"): (0.218, 0.215, 0, 0.0086, 0.23),
}
COLUMNS = ("scores_mean", "scores_median", "silent", "w_q", "top")


@pytest.fixture(scope="module")
def table():
    rows = {}
    for scale, d_ks in (("none", (16, 64, 256, 1024)), ("sqrt_d_k", (16, 64, 256, 1024)), ("d_k", (1024,))):
        for (_, d_k), group in gradients(d_ks, [scale]).groupby(["scale", "d_k"]):
            rows[d_k, scale] = group
    return rows


@pytest.mark.parametrize("setting", PUBLISHED, ids=str)
def test_the_gradients_before_training_are_the_published_ones(table, setting):
    # The same seeds draw the same numbers, so only rounding differs: 2 % of a number, or one unit of a percentage.
    group = table[setting]
    assert group["seed"].tolist() == [0, 1, 2]
    for column, published in zip(COLUMNS, PUBLISHED[setting], strict=True):
        slack = 0.011 if column in ("silent", "top") else 0.02 * published
        assert abs(group[column].mean() - published) <= slack, column


def test_without_scaling_most_rows_are_silent_and_the_gradient_of_w_q_is_larger(table):
    for d_k in (64, 256, 1024):
        raw, scaled = table[d_k, "none"].mean(numeric_only=True), table[d_k, "sqrt_d_k"].mean(numeric_only=True)
        assert raw["scores_median"] < scaled["scores_median"]
        assert raw["silent"] > scaled["silent"] == 0
        assert raw["w_q"] > 5 * scaled["w_q"]
        assert raw["top"] > 2 * scaled["top"]


@pytest.mark.parametrize(("scale", "c"), [("none", 1), ("sqrt_d_k", 1 / math.sqrt(7)), ("d_k", 1 / 7)])
def test_the_norms_are_those_of_autograd(scale, c):
    task, model = start(3, 7)
    queries, context, answers = task.batch(BATCH, batches(3))
    Q = (queries @ model.w_q).detach().requires_grad_()
    S = (c * Q @ (context @ model.w_k).mT).detach().requires_grad_()
    values = context @ model.w_v

    def loss(weights, reduction):
        return F.cross_entropy((weights @ values @ model.w_o)[:, 0], answers, reduction=reduction)

    (by_scores,) = torch.autograd.grad(loss(S.softmax(-1), "sum"), S)
    (by_queries,) = torch.autograd.grad(loss((c * Q @ (context @ model.w_k).mT).softmax(-1), "sum"), Q)
    whole = (c * (queries @ model.w_q) @ (context @ model.w_k).mT).softmax(-1)
    (by_w_q,) = torch.autograd.grad(loss(whole, "mean"), model.w_q)
    measured = at_start(7, scale, seed=3, number=1)
    torch.testing.assert_close(measured.scores, by_scores.norm(dim=-1).squeeze(1), rtol=1e-4, atol=1e-7)
    torch.testing.assert_close(measured.queries, by_queries.norm(dim=-1).squeeze(1), rtol=1e-4, atol=1e-7)
    torch.testing.assert_close(measured.w_q, by_w_q.norm()[None], rtol=1e-4, atol=1e-7)


def test_a_row_for_each_example_and_a_number_for_each_batch():
    measured = at_start(5, "none", number=3)
    assert measured.scores.shape == measured.queries.shape == (3 * BATCH,)
    assert measured.w_q.shape == (3,)


def test_the_sorted_table_falls_and_its_energy_adds_up_to_1():
    measured = at_start(64, "none", number=5)
    table = measured.table()
    assert table["share"].iloc[[0, -1]].tolist() == [1 / 320, 1]
    for column in ("scores", "queries"):
        assert table[column].is_monotonic_decreasing
        assert sorted(table[column]) == pytest.approx(sorted(getattr(measured, column).tolist()))
    assert table["energy"].is_monotonic_increasing
    assert table["energy"].iloc[-1] == pytest.approx(1)
    top = gradients((64,), ["none"], seeds=[0], number=5)["top"][0]
    assert table["energy"][31] == pytest.approx(top)


def test_gradients_are_measured_in_inference_mode_too():
    with torch.inference_mode():
        inside = at_start(5, "none", number=2)
    torch.testing.assert_close(inside.w_q, at_start(5, "none", number=2).w_q)


def test_what_does_not_fit_is_refused():
    with refused("number must be at least 1, got 0"):
        at_start(5, "none", number=0)
    with refused("d_k must be at least 1, got 0"):
        gradients((0,))
    with refused("unknown scale 'sqrt_d_model'; one of none, sqrt_d_k, d_k"):
        at_start(5, "sqrt_d_model")
