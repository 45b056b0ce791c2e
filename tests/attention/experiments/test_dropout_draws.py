"""Many draws of dropout compared with theory, with published numbers, and with torch's own dropout."""

import math

import pandas as pd
import pytest
import torch
from torch import nn
from torch.nn import functional as F

from attention.experiments import dropout_draws
from attention.functional import scaled_dot_product_attention
from attention.masks import grid
from attention.modules import MultiHeadAttention
from attention.trace import Trace
from tests.support import BATCH, D_K, HEADS, KEYS, QUERIES, refused, seeded
from tests.support.covering import EVERY_TEST

DRAWS = 20_000
# Both sides compute weights in float32: each rounds sums of D_K products and of KEYS exponentials, in its own order.
# The tolerance is relative, so that a hidden weight must be exactly 0.
ROUNDING = {"rtol": 2 * (D_K + KEYS) * torch.finfo(torch.float32).eps, "atol": 0.0}


def recorded(mask=None, scale=None) -> Trace:
    generator, trace = seeded(), Trace()
    q = torch.randn(BATCH, HEADS, QUERIES, D_K, generator=generator)
    k = torch.randn(BATCH, HEADS, KEYS, D_K, generator=generator)
    scaled_dot_product_attention(q, k, k, mask=mask, scale=scale, trace=trace)
    return trace


def one_row(*weights: float) -> Trace:
    """A trace whose one query has these weights: with one feature, their logarithms are the scores."""
    trace = Trace()
    key = torch.tensor(weights).log()[:, None]
    scaled_dot_product_attention(torch.ones(1, 1), key, key, trace=trace)
    torch.testing.assert_close(trace["weights"].value, torch.tensor([weights]))
    return trace


CAUSAL = recorded(grid("causal", QUERIES, KEYS))
DRAWN = dropout_draws.draw(CAUSAL, DRAWS, p=0.3, generator=seeded(), batch=1, head=2)


@pytest.mark.parametrize("scale", [None, 0.5])
@pytest.mark.parametrize("mask", [None, grid("causal", QUERIES, KEYS), torch.randn(QUERIES, KEYS, generator=seeded())])
def test_the_weights_are_those_of_torch_and_the_mean_comes_to_them(mask, scale):
    trace = recorded(mask, scale)
    drawn = dropout_draws.draw(trace, DRAWS, p=0.3, generator=seeded(), batch=1, head=2)
    q, k = (trace[id].value[1, 2] for id in ("queries", "keys"))
    expected = F.scaled_dot_product_attention(q, k, torch.eye(KEYS), attn_mask=mask, scale=scale).double()
    torch.testing.assert_close(drawn.weights, expected, **ROUNDING)
    assert ((drawn.means[-1] - expected).abs() <= 5 * drawn.errors()[-1] + 1e-6).all()


def test_a_single_draw_keeps_or_drops_and_scales_up_as_torch_does():
    trace = recorded()
    drawn = dropout_draws.draw(trace, 2, p=0.3, generator=seeded(4))
    kept = torch.rand(QUERIES, KEYS, generator=seeded(4)) >= 0.3
    torch.testing.assert_close(drawn.means[0], drawn.weights * kept / 0.7)
    torch.testing.assert_close(drawn.sums[0], drawn.means[0].sum(-1))
    torch.testing.assert_close(drawn.sums.mean(0), drawn.means[1].sum(-1))


def test_draws_one_by_one_are_those_of_runs_with_the_same_generators():
    drawn = dropout_draws.one_by_one(CAUSAL, 2, map(seeded, (3, 7)), p=0.3, batch=1)
    for row, output, seed in zip(*drawn, (3, 7), strict=True):
        kept = torch.rand(BATCH, HEADS, QUERIES, KEYS, generator=seeded(seed))[1, :, 2] >= 0.3
        taken = CAUSAL["weights"].value[1, :, 2] * kept / 0.7
        torch.testing.assert_close(row, taken)
        torch.testing.assert_close(output, torch.einsum("hk,hkv->hv", taken, CAUSAL["values"].value[1]))


def test_with_p_at_0_each_draw_is_the_record():
    drawn = dropout_draws.one_by_one(CAUSAL, 2, map(seeded, (3, 7)), p=0.0, batch=1)
    for id, rows in zip(("weights", "output"), drawn, strict=True):
        for row in rows:
            torch.testing.assert_close(row, CAUSAL[id].value[1, :, 2])


@pytest.mark.slow
def test_the_standard_error_is_that_of_independent_draws():
    single = [dropout_draws.draw(CAUSAL, 31, p=0.3, generator=seeded(seed)) for seed in range(2000)]
    spread = torch.stack([drawn.means[-1] for drawn in single]).std(0)
    # The standard deviation of 2,000 numbers has a relative error of 1/sqrt(4000), or more for rarely kept weights.
    torch.testing.assert_close(spread, single[0].errors()[-1], rtol=5 / math.sqrt(4000), atol=1e-6)


def test_counts_are_those_that_were_asked_for_and_more_draws_begin_with_the_same_ones():
    few, many = (dropout_draws.draw(CAUSAL, draws, p=0.3, generator=seeded(2)) for draws in (32, 20_000))
    assert few.counts[-1] == 32
    assert many.counts[-1] == 20_000
    assert few.counts == many.counts[: len(few.counts)]
    torch.testing.assert_close(few.means, many.means[: len(few.counts)])
    torch.testing.assert_close(few.sums, many.sums[:32], rtol=0, atol=0)


def close(rows: pd.DataFrame, *names: str) -> None:
    """Assert that rows are within five standard errors of theory."""
    for name in names:
        off = (rows[name] - rows[f"{name}_theory"]).abs()
        assert (off <= 5 * rows[f"{name}_error"] + 1e-6).all(), f"{name}\n{rows}"


@pytest.mark.parametrize("p", [0.05, 0.3, 0.5, 0.9])
def test_row_sums_are_as_theory_has_them(p):
    rows = dropout_draws.row_sums(dropout_draws.draw(CAUSAL, DRAWS, p=p, generator=seeded(), batch=1, head=2))
    close(rows, "mean", "variance", "lost")
    assert rows["visible"].tolist() == [1, 2, 3, 4, 5]


# The fast form has a third of the runs, with √3 times the tolerance (tests/README.md).
DRAWN_AGAIN, SCATTER = (1500, 0.15) if EVERY_TEST else (500, 0.26)


@pytest.mark.slow
def test_the_errors_of_a_variance_and_of_a_share_are_exact():
    """Over runs of 23 draws, the measured variances and shares spread as their standard errors say."""
    runs = [
        dropout_draws.row_sums(dropout_draws.draw(CAUSAL, 23, p=0.4, generator=seeded(seed), batch=1, head=2))
        for seed in range(DRAWN_AGAIN)
    ]
    for name in ("mean", "variance", "lost"):
        spread = pd.concat([rows[name] for rows in runs], axis=1).std(axis=1)
        expected = runs[0][f"{name}_error"]
        # Rare losses make the spread of a share uncertain, so small ones are left out.
        known = expected > (0.02 if name == "lost" else 0)
        assert ((spread / expected - 1)[known].abs() < SCATTER).all(), name


def test_the_printed_variance_and_the_printed_chance_of_losing_a_row():
    """p = .3 and four keys: .3^4 = .0081; the variance .1483 is that of a row with sum a^2 = .346."""
    rest = (1 - 0.51838) / 3
    drawn = dropout_draws.draw(one_row(0.51838, rest, rest, rest), 40_000, p=0.3, generator=seeded())
    (row,) = dropout_draws.row_sums(drawn).to_dict("records")
    assert row["variance_theory"] == pytest.approx(0.1483, abs=5e-4)
    assert row["lost_theory"] == pytest.approx(0.0081, abs=1e-9)
    assert row["mean"] == pytest.approx(1, abs=5 * row["mean_error"])
    # Published measurements may be off as far as our own.
    for measured in (row["variance"], 0.1482):
        assert measured == pytest.approx(row["variance_theory"], abs=5 * row["variance_error"])
    for measured in (row["lost"], 0.0082):
        assert measured == pytest.approx(row["lost_theory"], abs=5 * row["lost_error"])


def test_the_first_causal_token_is_lost_one_time_in_five_and_else_grows_by_a_quarter():
    drawn = dropout_draws.draw(CAUSAL, DRAWS, p=0.2, generator=seeded())
    first = drawn.sums[:, 0]
    assert set(first.float().tolist()) == {0.0, 1.25}
    assert float((first == 0).double().mean()) == pytest.approx(1 / 5, abs=5 * math.sqrt(0.16 / DRAWS))
    assert float(drawn.means[-1, 0, 0]) == pytest.approx(1, abs=5 * float(drawn.errors()[-1, 0, 0]))


def test_the_printed_spread_of_row_sums_at_a_tenth():
    """Random queries and keys, n = 8: mean 1.00, standard deviation .161, 67 % above 1, and weights above 1."""
    q, k = torch.randn(2, 20_000, 8, 64, generator=seeded())
    trace = Trace()
    scaled_dot_product_attention(q, k, k, dropout=0.1, generator=seeded(), trace=trace)
    dropped = trace["dropped"].value
    sums = dropped.sum(-1)
    assert float(sums.mean()) == pytest.approx(1, abs=0.005)
    # The number was published for one draw of unknown size, so its third digit may differ.
    assert float(sums.std()) == pytest.approx(0.161, abs=0.005)
    assert float((sums > 1).float().mean()) == pytest.approx(0.67, abs=0.02)
    assert float(dropped.max()) > 1


def test_torch_returns_weights_after_dropout_in_training_and_before_it_in_evaluation():
    layer = MultiHeadAttention(D_K, generator=seeded())
    twin = nn.MultiheadAttention(D_K, 1, dropout=0.5, bias=False, batch_first=True)
    with torch.no_grad():
        twin.in_proj_weight.copy_(torch.cat([layer.w_q.T, layer.w_k.T, layer.w_v.T]))
        x, trace = torch.randn(1, KEYS, D_K, generator=seeded(3)), Trace()
        layer(x, trace=trace)
        weights = trace["weights"].value[:, 0]
        with torch.random.fork_rng():
            torch.manual_seed(0)
            returned = twin.train()(x, x, x)[1]
        torch.testing.assert_close(twin.eval()(x, x, x)[1], weights)
    kept = returned != 0
    assert 0 < kept.sum() < kept.numel()
    torch.testing.assert_close(returned[kept], 2 * weights[kept])
    sums = returned.sum(-1)
    assert ((sums - 1).abs() > 0.01).all()
    assert sums.min() < 1 < sums.max()


def test_the_distance_falls_with_the_root_of_the_draws():
    table = dropout_draws.convergence(DRAWN)
    assert tuple(table["draws"]) == DRAWN.counts
    slope = table["distance_theory"] * table["draws"] ** 0.5
    assert slope.max() == pytest.approx(slope.min())
    distances = torch.stack(
        [
            torch.tensor(
                dropout_draws.convergence(dropout_draws.draw(CAUSAL, 100, p=0.3, generator=seeded(s)))["distance"]
            )
            for s in range(200)
        ]
    )
    expected = torch.tensor(
        dropout_draws.convergence(dropout_draws.draw(CAUSAL, 100, p=0.3, generator=seeded()))["distance_theory"]
    )
    torch.testing.assert_close(distances.square().mean(0).sqrt(), expected, rtol=0.15, atol=0)
    off = (DRAWN.means - DRAWN.weights).abs()
    torch.testing.assert_close(torch.tensor(table["largest"]), off.amax((1, 2)))


def test_most_means_are_within_two_standard_errors():
    # There are 15 weights, each within its error with a probability of about .954.
    assert dropout_draws.within(DRAWN) > 0.6
    assert dropout_draws.within(DRAWN, 5) == 1
    assert dropout_draws.within(DRAWN, 0.01) < 0.5


def test_a_query_that_sees_nothing_loses_everything_always():
    drawn = dropout_draws.draw(recorded(torch.zeros(QUERIES, KEYS, dtype=torch.bool)), 100, p=0.3, generator=seeded())
    rows = dropout_draws.row_sums(drawn)
    for name in ("mean", "variance", "visible"):
        assert rows[name].tolist() == [0] * QUERIES
    assert rows["lost"].tolist() == rows["lost_theory"].tolist() == [1] * QUERIES
    assert dropout_draws.convergence(drawn)["distance"].tolist() == [0] * len(drawn.counts)
    assert math.isnan(dropout_draws.within(drawn))


def test_without_dropout_nothing_is_lost():
    drawn = dropout_draws.draw(CAUSAL, 100, p=0.0, generator=seeded())
    torch.testing.assert_close(drawn.means[-1], drawn.weights)
    assert dropout_draws.within(drawn) == 1
    assert (dropout_draws.row_sums(drawn)["lost"] == 0).all()


def test_the_progress_is_told_and_may_stop_the_work():
    shares = []
    dropout_draws.draw(CAUSAL, 30_000, p=0.3, generator=seeded(), progress=shares.append)
    assert shares == sorted(shares)
    assert len(shares) > 1
    assert shares[-1] == 1

    def stop(share: float) -> None:
        raise InterruptedError

    with pytest.raises(InterruptedError):
        dropout_draws.draw(CAUSAL, 30_000, p=0.3, generator=seeded(), progress=stop)


def test_drawing_leaves_the_shared_generator_alone():
    before = torch.get_rng_state()
    dropout_draws.draw(CAUSAL, 10, p=0.3, generator=seeded())
    torch.testing.assert_close(torch.get_rng_state(), before, rtol=0, atol=0)


def test_what_does_not_fit_is_refused():
    with refused("draws must be at least 2, got 1"):
        dropout_draws.draw(CAUSAL, 1, p=0.3, generator=seeded())
    for p in (-0.1, 1.0, math.nan):
        with refused(f"p must be at least 0 and below 1, got {p}"):
            dropout_draws.draw(CAUSAL, 10, p=p, generator=seeded())
