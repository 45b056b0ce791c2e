"""Position vectors: what is added to embeddings so that attention knows of order."""

import math

import torch
from torch import Tensor


def sinusoidal(n: int, d_model: int) -> Tensor:
    """Position vectors (n, d_model): sin and cos of p / 10000^(2i / d_model) (Vaswani et al. 2017, section 3.5)."""
    position = torch.arange(n)[:, None]
    pair = torch.arange(d_model) // 2
    angle = position / torch.exp(2 * pair * math.log(10_000) / d_model)
    return torch.where(torch.arange(d_model) % 2 == 0, angle.sin(), angle.cos())
