"""The spread of scaled scores under common initialisations, which are those of the libraries."""

import math

import pytest
import torch
from torch import nn

from attention.experiments.initializations import INITIALISATIONS, initialisations
from attention.experiments.running_sums import CHUNK
from tests.support import refused, seeded
from tests.support.hostile import Largest

# Published: d_model 512, 64 features a head; Var q, Var q.k / d_k and the standard deviation of the scaled scores.
PUBLISHED = {
    "nn_linear": (1 / 3, 1 / 9, "0.333"),
    "multihead": (1 / 2, 1 / 4, "0.500"),
    "xavier": (1, 1, "1.00"),
    "xavier_per_head": (1.778, 3.16, "1.78"),
    "normal": (1, 1, "1.00"),
}


def compare(row, published):
    q, scores, scaled = published
    assert row["q_variance_theory"] == pytest.approx(q, rel=1e-3)
    assert row["scores_variance_theory"] / 64 == pytest.approx(scores, rel=2e-3)
    assert row["scaled_std_theory"] == pytest.approx(float(scaled), rel=3e-3)
    assert abs(row["scaled_std"] - row["scaled_std_theory"]) <= 5 * row["scaled_std_error"]
    assert row["scaled_std_error"] < 0.01 * row["scaled_std"]
    assert row["q_variance"] == pytest.approx(row["q_variance_theory"], rel=0.02)
    assert row["scores_variance"] == pytest.approx(row["scores_variance_theory"], rel=0.05)


def test_scaled_scores_have_the_published_spread():
    table = initialisations(generator=seeded()).set_index("initialisation")
    assert list(table.index) == list(INITIALISATIONS)
    for name, published in PUBLISHED.items():
        compare(table.loc[name], published)


def test_gpt2_has_the_published_spread_at_its_own_size():
    table = initialisations(768, generator=seeded()).set_index("initialisation")
    compare(table.loc["gpt2"], (0.307, 0.0944, "0.307"))


def test_the_standard_error_is_the_scatter_over_seeds():
    tables = [initialisations(16, 8, 4, 32, generator=seeded(seed)) for seed in range(60)]
    scatter = torch.tensor([table["scaled_std"].tolist() for table in tables]).std(0)
    errors = torch.tensor([table["scaled_std_error"].tolist() for table in tables]).mean(0)
    # With 60 seeds, the scatter has an error of about a tenth.
    torch.testing.assert_close(scatter, errors, rtol=0.4, atol=0)


def test_a_layer_of_1024_adds_no_more_than_one_of_its_matrices():
    """64 layers at once would need 256 MB for W_Q, and as much for W_K."""
    seen = []
    with Largest() as largest:
        table = initialisations(1024, 1024, 13, 3, generator=seeded(), progress=seen.append)
    assert largest.elements == 1024 * 1024
    assert seen == pytest.approx([done / 18 for done in range(1, 19)])
    assert (abs(table["scaled_std"] / table["scaled_std_theory"] - 1) < 0.1).all()


@pytest.mark.parametrize(("d_model", "d_k"), [(512, 64), (512, 512), (64, 4)])
def test_chunks_are_bounded_and_hold_every_repeat(d_model, d_k):
    seen = []
    with Largest() as largest:
        initialisations(d_model, d_k, 16, 11, generator=seeded(), progress=seen.append)
    assert largest.elements <= CHUNK
    assert seen[-1] == 1
    chunks = len(seen) / len(INITIALISATIONS)
    assert chunks == -(-11 // max(1, CHUNK // (d_model * max(d_k, 16))))


def drawn_by_torch(name, d_model, d_k):
    """Weights that the library itself draws."""
    if name == "nn_linear":
        return nn.Linear(d_model, d_k).weight
    if name == "multihead":
        return nn.MultiheadAttention(d_model, 1).in_proj_weight[:d_model]
    if name == "xavier":
        return nn.MultiheadAttention(d_model, 1, kdim=d_model + 1).q_proj_weight
    return nn.init.xavier_uniform_(torch.empty(d_k, d_model))


@pytest.mark.parametrize("name", ["nn_linear", "multihead", "xavier", "xavier_per_head"])
def test_an_initialisation_has_the_bound_and_the_variance_of_the_one_in_torch(name):
    with torch.random.fork_rng():
        torch.manual_seed(0)
        theirs = drawn_by_torch(name, 256, 64)
    ours = INITIALISATIONS[name].draw(256, 64, 4, seeded())
    assert ours.abs().max().item() == pytest.approx(theirs.abs().max().item(), rel=2e-3)
    assert ours.var().item() == pytest.approx(theirs.var().item(), rel=0.03)


@pytest.mark.parametrize(("name", "variance"), [("normal", 1 / 256), ("gpt2", 0.0004)])
def test_a_normal_initialisation_is_normal(name, variance):
    weights = INITIALISATIONS[name].draw(256, 64, 4, seeded()) / math.sqrt(variance)
    assert weights.var().item() == pytest.approx(1, rel=0.03)
    assert weights.pow(4).mean().item() == pytest.approx(3, rel=0.05)


def test_weights_have_the_shape_of_x_at_w():
    assert INITIALISATIONS["xavier"].draw(7, 5, 3, seeded()).shape == (3, 7, 5)


@pytest.mark.parametrize(
    ("arguments", "text"),
    [
        ({"d_model": 0}, "d_model must be at least 1, got 0"),
        ({"d_k": 0}, "d_k must be at least 1, got 0"),
        ({"tokens": 0}, "tokens must be at least 1, got 0"),
        ({"repeats": 1}, "repeats must be at least 2, got 1"),
    ],
)
def test_sizes_that_cannot_be_are_refused(arguments, text):
    with refused(text):
        initialisations(**arguments, generator=seeded())
