"""The inputs of the published digits of all variants: causal, 4 heads, n = 12, d_k = 8."""

import math

import torch

from attention import grid, scaled_dot_product_attention
from tests.support import CLOSE, seeded

HEADS, N, D = 4, 12, 8
NEAR = CLOSE[torch.float64]
CAUSAL = grid("causal", N, N)
SINK = torch.tensor([-math.inf, 0.0, 1.0, 3.0], dtype=torch.float64)
YARN = 0.1 * math.log(8) + 1


def drawn(seed: int, *shape: int) -> torch.Tensor:
    return torch.randn(shape or (1, HEADS, N, D), generator=seeded(seed), dtype=torch.float64)


Q, K, V = drawn(0), drawn(1), drawn(2)
PAIR = K[:, :2], V[:, :2]


def attend(parts=(K, V), **options) -> torch.Tensor:
    return scaled_dot_product_attention(Q, *parts, **{"mask": CAUSAL} | options)
