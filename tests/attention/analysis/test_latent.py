"""Latent attention against torch's function on keys and values that come from a product of two factors."""

import pytest
import torch
import torch.nn.functional as F

from attention.analysis.latent import factors, latent_attention
from tests.support import CLOSE, refused, seeded

N, D_MODEL, HEADS, D_K, D_V = 13, 11, 3, 5, 7
NEAR = CLOSE[torch.float64]


def drawn(*shape: int, seed: int) -> torch.Tensor:
    return torch.randn(shape, generator=seeded(seed), dtype=torch.float64)


X = drawn(N, D_MODEL, seed=1)
W_Q, W_K, W_V = (drawn(HEADS, D_MODEL, size, seed=seed) for seed, size in ((2, D_K), (3, D_K), (4, D_V)))


@pytest.mark.parametrize("rank", [2, D_MODEL])
def test_both_ways_give_what_torch_makes_of_the_products(rank):
    made = latent_attention(X, W_Q, W_K, W_V, rank)
    product = (X @ made.down @ made.up).split([HEADS * D_K, HEADS * D_V], -1)
    keys, values = (part.unflatten(-1, (HEADS, -1)).movedim(1, 0) for part in product)
    expected = F.scaled_dot_product_attention(X @ W_Q, keys, values)
    torch.testing.assert_close(made.output, expected, **NEAR)
    torch.testing.assert_close(made.absorbed, expected, **NEAR)
    assert made.latent.shape == (N, rank)
    assert torch.linalg.matrix_rank(made.joined) == rank


def test_with_as_many_features_as_a_token_has_nothing_is_lost():
    whole = F.scaled_dot_product_attention(X @ W_Q, X @ W_K, X @ W_V)
    torch.testing.assert_close(latent_attention(X, W_Q, W_K, W_V, D_MODEL).output, whole, **NEAR)
    cut = latent_attention(X, W_Q, W_K, W_V, D_MODEL - 1).output
    assert (cut - whole).abs().max() > 1e-3


def test_no_other_factors_of_a_rank_are_nearer():
    weights, rank = drawn(7, 17, seed=5), 3
    down, up = factors(weights, rank)
    left = torch.linalg.svdvals(weights)[rank:].square().sum()
    torch.testing.assert_close((weights - down @ up).square().sum(), left, **NEAR)


def test_a_rank_that_cannot_be_is_refused():
    with refused("rank must be at most the smaller side of (7, 17), got 8"):
        factors(drawn(7, 17, seed=5), 8)
    with refused("rank must be at least 1, got 0"):
        factors(drawn(7, 17, seed=5), 0)
