"""One output, many attentions: if the weights could be others, they say little about importance (Brunner 2020)."""

import pytest
import torch
from torch import Tensor

from attention import Trace, scaled_dot_product_attention
from attention.analysis.divergence import total_variation
from tests.support import drawn, rounding, summed

N = 8


def attended(d_v: int, seed: int) -> tuple[Tensor, Tensor, Tensor]:
    """The weights (n,) of one query, the values (n, d_v) and the output (d_v,)."""
    q, k, v = drawn((1, 5), (N, 5), (N, d_v), seed=seed)
    trace = Trace()
    output = scaled_dot_product_attention(q, k, v, trace=trace)
    return trace["weights"].value[0], v, output[0]


def others(weights: Tensor, v: Tensor) -> list[Tensor]:
    """The weights moved as far as possible in random directions that keep their sum and the output."""
    kept = torch.cat((v.T, torch.ones(1, N, dtype=v.dtype)))
    _, singular, basis = torch.linalg.svd(kept)
    free = basis[int((singular > 1e-10).sum()) :]
    found = []
    for direction in drawn((200 if len(free) else 0, len(free)))[0] @ free:
        shrinking = direction < 0
        found.append(weights + direction * (weights[shrinking] / -direction[shrinking]).min())
    return found


@pytest.mark.parametrize("d_v", [1, 3, 5, 6, 7])
def test_as_many_directions_are_free_as_there_are_keys_less_features_less_one(d_v):
    weights, v, _ = attended(d_v, 1)
    found = others(weights, v)
    steps = torch.stack(found) - weights if found else torch.zeros(1, N)
    assert torch.linalg.matrix_rank(steps, rtol=1e-10) == N - 1 - d_v


@pytest.mark.parametrize("seed", range(5))
def test_other_weights_give_the_same_output(seed):
    weights, v, output = attended(3, seed)
    far = []
    for other in others(weights, v):
        # A direction is orthogonal to N numbers up to their rounding, and the weights move along it until one is 0.
        far_along = float((other - weights).abs().sum())
        near = rounding(N, N, of=(1 + far_along) * max(1, summed(weights + far_along, v)))
        assert other.min() >= -near
        assert other.sum().item() == pytest.approx(1, abs=near)
        torch.testing.assert_close(other @ v, output, rtol=0, atol=near)
        far.append(float(total_variation(weights, other)))
    # The published number for one draw is .54.
    assert max(far) > 0.2


def test_the_most_important_key_may_be_another_one():
    moved = [
        int(other.argmax()) != int(weights.argmax())
        for seed in range(5)
        for weights, v, _ in [attended(3, seed)]
        for other in others(weights, v)
    ]
    assert any(moved)
