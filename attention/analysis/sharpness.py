"""The sharpness of a row of attention weights, in one number."""

import torch
from torch import Tensor

FROZEN = 0.99


def entropy(weights: Tensor) -> Tensor:
    """The entropy in nats (...) of weights (..., keys) that sum to 1; ln(keys) when all are equal."""
    terms: Tensor = torch.special.entr(weights)
    return terms.sum(-1)


def jacobian_norm(weights: Tensor) -> Tensor:
    """The Frobenius norm of diag(p) - p p^T for weights p (..., keys): (...); at most 1/2.

    Its square is sum p^2 - 2 sum p^3 + (sum p^2)^2. If one weight is nearly 1, that is a difference of numbers near 1;
    therefore the largest weight is treated separately, and the others relative to their sum.
    """
    top, index = weights.max(-1, keepdim=True)
    rest = weights.scatter(-1, index, 0)
    mass = rest.sum(-1)
    rest = rest / mass.clamp_min(torch.finfo(weights.dtype).tiny).unsqueeze(-1)
    squares = rest.square()
    second, third, top = squares.sum(-1), (squares * rest).sum(-1), top.squeeze(-1)
    return mass * (top**2 + (1 + 2 * top**2) * second - 2 * mass * third + (mass * second) ** 2).sqrt()


def jacobian(weights: Tensor) -> Tensor:
    """The Jacobian of softmax at the weights p (..., keys): diag(p) - p p^T, (..., keys, keys)."""
    return weights.diag_embed() - weights.unsqueeze(-1) * weights.unsqueeze(-2)


def row_quantities(scores: Tensor, weights: Tensor) -> dict[str, Tensor]:
    """Measures of each row, from scaled scores and weights (rows, keys): name to (rows,).

    variance: the mean square of the scores; largest: the largest weight; entropy, in nats; effective: exp(entropy), a
    number of keys; concentration: sum p^2; jacobian: the norm of softmax's; frozen: 1 where the largest weight exceeds
    FROZEN, else 0; matching: the weight of the first key.
    """
    nats, largest = entropy(weights), weights.amax(-1)
    return {
        "variance": scores.square().mean(-1),
        "largest": largest,
        "entropy": nats,
        "effective": nats.exp(),
        "concentration": weights.square().sum(-1),
        "jacobian": jacobian_norm(weights),
        "frozen": (largest > FROZEN).to(weights.dtype),
        "matching": weights[:, 0],
    }
