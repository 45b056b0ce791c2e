"""The rows of weights that open the page on scaling are the attention of each query, over more and more features."""

import pytest
import torch

from attention import scaled_dot_product_attention
from attention.experiments.dot_products import Pairs
from attention.experiments.softmax_row import ranked_weights, row_scores, softmax_row
from attention.scales import factor
from tests.support import refused, seeded

D_KS, KEYS, SCALES = (2, 3, 5, 67), 7, ("none", "sqrt_d_k")
SHIFTED = Pairs("laplace", sigma_q=2.0, sigma_k=0.5, mu_q=0.5, mu_k=-1.0)


@pytest.mark.parametrize("pairs", [Pairs(), SHIFTED], ids=["standard", "shifted"])
def test_weights_are_those_of_torch_on_the_same_draw(pairs):
    table = softmax_row(pairs, D_KS, KEYS, generator=seeded(3), scales=SCALES)
    # The experiment draws features in chunks of 2^18 numbers.
    features = 2**18 // KEYS
    q, k = torch.empty(features, 1), torch.empty(features, KEYS)
    pairs.fill(q, k, seeded(3))
    for (scale, d_k), row in table.groupby(["scale", "d_k"]):
        query, keys = q[:d_k].T.double(), k[:d_k].T.double()
        by = factor(scale, d_k)
        expected = (query @ keys.T * by).softmax(-1)[0]
        torch.testing.assert_close(torch.tensor(row["weight"].to_numpy()), expected, rtol=1e-4, atol=1e-6)
        value = torch.arange(KEYS).double()[:, None]
        output = scaled_dot_product_attention(query, keys, value, scale=by)
        mixed = float((row["weight"].to_numpy() * value[:, 0].numpy()).sum())
        assert mixed == pytest.approx(output.item(), rel=1e-4)


def test_the_rows_are_one_for_each_scale_d_k_and_key():
    table = softmax_row(Pairs(), D_KS, KEYS, generator=seeded(), scales=SCALES)
    assert list(table.columns) == ["scale", "d_k", "key", "score", "weight"]
    assert table.index.tolist() == [*range(len(table))]
    counted = table.groupby(["scale", "d_k"])["key"].apply(list)
    assert len(counted) == len(SCALES) * len(D_KS)
    assert all(keys == [1, 2, 3, 4, 5, 6, 7] for keys in counted)


def test_another_choice_of_d_ks_below_the_last_and_a_correlation_see_the_same_numbers():
    table = softmax_row(Pairs(), D_KS, KEYS, generator=seeded(), scales=SCALES)
    again = softmax_row(Pairs(correlation=0.5), (5, 67), KEYS, generator=seeded(), scales=SCALES)
    for d_k in (5, 67):
        assert again[again["d_k"] == d_k]["weight"].tolist() == pytest.approx(
            table[table["d_k"] == d_k]["weight"].tolist(), rel=1e-5
        )


def test_scores_after_each_product_are_on_the_way_to_those_of_the_row():
    after = row_scores(SHIFTED, range(1, 68), KEYS, generator=seeded(5))
    table = softmax_row(SHIFTED, D_KS, KEYS, generator=seeded(5), scales=("none",))
    for d_k in D_KS:
        scores = table[table["d_k"] == d_k]["score"].tolist()
        assert after[d_k - 1].tolist() == pytest.approx(scores, rel=1e-4, abs=1e-4)


def test_a_row_needs_a_key():
    with refused("keys must be at least 1, got 0"):
        softmax_row(Pairs(), D_KS, 0, generator=seeded(), scales=SCALES)


@pytest.mark.parametrize("pairs", [Pairs(), SHIFTED], ids=["standard", "shifted"])
def test_ranked_weights_are_the_means_of_torchs_sorted_over_rows_with_keys_of_their_own(pairs):
    rows = 11
    table = ranked_weights(pairs, D_KS, KEYS, rows, generator=seeded(3), scales=SCALES)
    assert list(table.columns) == ["scale", "d_k", "place", "weight", "error", "frozen"]
    assert len(table) == len(SCALES) * len(D_KS) * KEYS
    features = 2**18 // (rows * KEYS)
    q, k = torch.empty(features, rows, 1), torch.empty(features, rows, KEYS)
    pairs.fill(q, k, seeded(3))
    for (scale, d_k), found in table.groupby(["scale", "d_k"]):
        scores = torch.einsum("frx,frk->rk", q[:d_k].double(), k[:d_k].double()) * factor(scale, d_k)
        expected = scores.softmax(-1).sort(-1, descending=True).values
        assert found["place"].tolist() == [1, 2, 3, 4, 5, 6, 7]
        assert found["weight"].tolist() == pytest.approx(expected.mean(0).tolist(), rel=1e-4, abs=1e-9)
        assert found["error"].tolist() == pytest.approx((expected.std(0) / rows**0.5).tolist(), rel=1e-3, abs=1e-9)
        assert found["frozen"].tolist() == pytest.approx((expected > 0.99).double().mean(0).tolist())


def test_many_rows_are_one_draw_for_every_d_k_and_need_two_rows():
    """Otherwise, a slider over d_k would mix the noise of different draws with the growth."""
    table = ranked_weights(Pairs(), D_KS, KEYS, 5, generator=seeded(), scales=("none",))
    again = ranked_weights(Pairs(correlation=0.5), (5, 67), KEYS, 5, generator=seeded(), scales=("none",))
    assert again["weight"].tolist() == pytest.approx(table[table["d_k"].isin((5, 67))]["weight"].tolist(), rel=1e-5)
    with refused("rows must be at least 2, got 1"):
        ranked_weights(Pairs(), D_KS, KEYS, 1, generator=seeded(), scales=SCALES)
