"""Linear attention is the average with weights phi(q)·phi(k), and has the digits of another program's run."""

import pytest
import torch
from torch.nn.functional import elu

from attention import grid
from attention.analysis.linear_attention import linear_attention
from tests.support import CLOSE, drawn, qkv, refused

NEAR = CLOSE[torch.float64]


def test_it_is_an_average_with_weights_of_features():
    q, k, v = qkv()
    weights = (elu(q) + 1) @ (elu(k) + 1).mT
    torch.testing.assert_close(linear_attention(q, k, v), weights / weights.sum(-1, keepdim=True) @ v, **NEAR)


def test_a_causal_one_sees_the_keys_so_far():
    q, k, v = drawn((2, 3, 7, 5), (2, 3, 7, 5), (2, 3, 7, 11))
    weights = ((elu(q) + 1) @ (elu(k) + 1).mT).masked_fill(~grid("causal", 7, 7), 0)
    expected = weights / weights.sum(-1, keepdim=True) @ v
    torch.testing.assert_close(linear_attention(q, k, v, causal=True), expected, **NEAR)


def test_the_digits_of_the_reference():
    q, k, v = (drawn((1, 4, 12, 8), seed=seed)[0] for seed in range(3))
    assert q[0, 0, 0, :3].tolist() == pytest.approx([-2.310412, -0.373251, -1.060817], abs=5e-7)
    found = linear_attention(q, k, v, causal=True)[0, 0, 11, :3].tolist()
    assert found == pytest.approx([-0.059940, 0.108143, -0.225293], abs=5e-7)


def test_a_causal_one_needs_as_many_queries_as_keys():
    with refused("causal needs as many queries as keys, got 2 and 3"):
        linear_attention(torch.zeros(2, 5), torch.zeros(3, 5), torch.zeros(3, 5), causal=True)
