"""Latent attention: the keys and values of all heads are made from one short vector per token (DeepSeek-AI 2024,
"DeepSeek-V2", equations 9 to 11).

A model with latent attention learns its two factors. Here they are the nearest ones to given weights.
"""

from dataclasses import dataclass

import torch
from torch import Tensor

from attention import checks
from attention.functional import scaled_dot_product_attention


@dataclass(frozen=True)
class Latent:
    """down (d_model, d_c) and up (d_c, h (d_k + d_v)), the factors of [W_K W_V]; latent (n, d_c), the only content of a
    cache; joined (n, h (d_k + d_v)), the keys and then the values of all heads; output (h, n, d_v) from these; absorbed
    (h, n, d_v), the same with W_UK in the queries and W_UV behind the sum, so that no key is ever made."""

    down: Tensor
    up: Tensor
    latent: Tensor
    joined: Tensor
    output: Tensor
    absorbed: Tensor


def factors(weights: Tensor, rank: int) -> tuple[Tensor, Tensor]:
    """(rows, rank) and (rank, columns): their product is the nearest matrix of this rank, in the sum of squares
    (Eckart and Young 1936). ValueError: a rank below 1 or above the smaller side."""
    checks.positive(rank=rank)
    if rank > min(weights.shape):
        raise ValueError(f"rank must be at most the smaller side of {tuple(weights.shape)}, got {rank}")
    left, sizes, right = torch.linalg.svd(weights, full_matrices=False)
    return left[:, :rank] * sizes[:rank], right[:rank]


def latent_attention(x: Tensor, w_q: Tensor, w_k: Tensor, w_v: Tensor, rank: int) -> Latent:
    """Self-attention of x (n, d_model) without a mask, whose keys and values come from a latent of `rank` features.

    w_q, w_k (h, d_model, d_k); w_v (h, d_model, d_v). ValueError: as `factors`.
    """
    (heads, _, d_k), d_v = w_k.shape, w_v.shape[-1]
    down, up = factors(torch.cat([_joined(w_k), _joined(w_v)], -1), rank)
    up_k, up_v = (
        part.unflatten(-1, (heads, size)).movedim(1, 0)
        for part, size in zip(up.split([heads * d_k, heads * d_v], -1), (d_k, d_v), strict=True)
    )
    latent, queries = x @ down, x @ w_q
    output = scaled_dot_product_attention(queries, latent @ up_k, latent @ up_v)
    asked = queries @ up_k.mT
    summed = scaled_dot_product_attention(asked, latent[None], latent[None], enable_gqa=True, scale=d_k**-0.5)
    return Latent(down, up, latent, latent @ up, output, summed @ up_v)


def _joined(weights: Tensor) -> Tensor:
    """(d_model, h d) from (h, d_model, d)."""
    return weights.movedim(0, 1).flatten(1)
