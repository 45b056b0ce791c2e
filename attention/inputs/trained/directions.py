"""The directions along which a head compares tokens: the singular vectors of its W_Q W_K^T."""

from collections.abc import Mapping

import torch
from torch import Tensor, nn

from attention.modules import MultiHeadAttention


def projected(module: MultiHeadAttention, ranks: Mapping[int, int]) -> None:
    """Keep only the first directions of W_Q W_K^T of some heads (from 0). The module is changed in place.

    U_r U_r^T W_Q in place of W_Q, where U_r are the left singular vectors of W_Q W_K^T with the largest singular
    values: U_r U_r^T W_Q W_K^T is its best approximation of rank r (Eckart and Young 1936). A bias counts as one more
    row of W_Q and of W_K.
    """
    w_q, w_k = (_with_bias(w, b) for w, b in ((module.w_q, module.b_q), (module.w_k, module.b_k)))
    kv_heads = w_k.shape[-1] // module.d_k
    of_queries = w_q.clone().unflatten(-1, (module.heads, -1))
    of_keys = w_k.unflatten(-1, (kv_heads, -1))
    for head, rank in ranks.items():
        w = of_queries[:, head]
        of_queries[:, head] = _first(w, of_keys[:, head * kv_heads // module.heads], rank)
    whole = of_queries.flatten(-2)
    module.w_q = nn.Parameter(whole[: module.d_model].contiguous(), requires_grad=False)
    if module.b_q is not None:
        module.b_q = nn.Parameter(whole[-1].contiguous(), requires_grad=False)


def _first(w_q: Tensor, w_k: Tensor, rank: int) -> Tensor:
    basis, left, right = _small(w_q.double(), w_k.double())
    kept = left[:, :rank]
    return (basis @ kept @ (kept.mT @ right)).to(w_q.dtype)


def _small(w_q: Tensor, w_k: Tensor) -> tuple[Tensor, Tensor, Tensor]:
    """An orthonormal basis of the columns of W_Q and, in that basis, the left singular vectors and W_Q: the decomposed
    matrix is (d_k, d_k) in place of (rows, rows)."""
    basis, r_q = torch.linalg.qr(w_q)
    r_k = torch.linalg.qr(w_k)[1]
    left, _, _ = torch.linalg.svd(r_q @ r_k.mT)
    return basis, left, r_q


def _with_bias(w: Tensor, b: Tensor | None) -> Tensor:
    return w if b is None else torch.cat((w, b[None]))
