"""Numbers for the sharpness of a row: compared with the matrix itself, also where floating point would lose them."""

import math

import pytest
import torch

from attention.analysis.sharpness import entropy, jacobian_norm, row_quantities
from tests.support import seeded


@pytest.mark.parametrize("spread", [0.0, 0.1, 1.0, 5.0, 30.0, 300.0])
def test_the_jacobian_norm_is_that_of_the_matrix(spread):
    scores = torch.randn(50, 7, generator=seeded(), dtype=torch.float64) * spread
    weights = scores.softmax(-1)
    # The diagonal is p (1 - p). For the largest weight, 1 - p is the sum of the others: a subtraction would cancel.
    index = weights.argmax(-1, keepdim=True)
    rest = weights.scatter(-1, index, 0).sum(-1, keepdim=True)
    diagonal = weights * (1 - weights).scatter(-1, index, rest)
    matrix = -weights.unsqueeze(-1) * weights.unsqueeze(-2)
    matrix.diagonal(dim1=-2, dim2=-1).copy_(diagonal)
    expected = matrix.flatten(1).norm(dim=1)
    # Below these limits, the squares of the matrix underflow in float64, and the weights themselves in float32.
    for dtype, least, rtol in ((torch.float64, 1e-150, 1e-12), (torch.float32, 1e-30, 1e-4)):
        kept = expected > least
        assert kept.sum() >= 10
        measured = jacobian_norm(weights.to(dtype))
        torch.testing.assert_close(measured[kept], expected[kept].to(dtype), rtol=rtol, atol=0)


def test_the_jacobian_norm_is_half_for_a_tie_of_two_and_nothing_for_one_key():
    tie = torch.tensor([[0.5, 0.5, 0.0], [0.0, 0.5, 0.5]])
    torch.testing.assert_close(jacobian_norm(tie), torch.tensor([0.5, 0.5]))
    assert jacobian_norm(torch.full((16,), 1 / 16)).item() == pytest.approx(math.sqrt(15) / 16)
    assert jacobian_norm(torch.ones(3, 1)).tolist() == [0, 0, 0]
    assert jacobian_norm(torch.tensor([0.0, 1.0])).item() == 0


def test_entropy_is_ln_n_when_all_weights_are_equal_and_0_when_one_has_all():
    assert entropy(torch.full((3, 16), 1 / 16)).tolist() == pytest.approx([2.773] * 3, abs=5e-4)
    assert entropy(torch.tensor([0.0, 1.0, 0.0])).item() == 0


def test_the_quantities_of_a_row_by_hand():
    scores = torch.tensor([[0.0, 3.0, -4.0], [2.0, 2.0, 2.0]])
    weights = torch.tensor([[0.0, 1.0, 0.0], [0.25, 0.25, 0.5]])
    found = row_quantities(scores, weights)
    entropies = [0.0, 0.5 * math.log(2) + 0.5 * math.log(4)]
    expected = {
        "variance": [25 / 3, 4.0],
        "largest": [1.0, 0.5],
        "entropy": entropies,
        "effective": [math.exp(each) for each in entropies],
        "concentration": [1.0, 3 / 8],
        "frozen": [1.0, 0.0],
        "matching": [0.0, 0.25],
    }
    for name, values in expected.items():
        assert found[name].tolist() == pytest.approx(values), name
