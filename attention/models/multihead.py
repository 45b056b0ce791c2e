"""The code around attention in `torch.nn.MultiheadAttention`: projections, masks, heads, as in torch's function."""

import math
from collections.abc import Callable
from typing import Any

import torch
from torch import Tensor
from torch.nn import functional as F

Attend = Callable[..., tuple[Tensor, Tensor]]


def of_torchs_layer(attend: Attend, **given: Any) -> tuple[Tensor, Tensor | None]:
    """The result of `torch.nn.functional.multi_head_attention_forward` for the same arguments, all of them by name.

    attend: computes attention from heads (N, heads, L, d) and a mask. Output (L, N, E), and the weights (N, L, S),
    averaged over the heads if asked for, else (N, heads, L, S); without N for inputs without it. ValueError: projected
    keys or values are given (`static_k`, `static_v`).
    """
    if given["static_k"] is not None or given["static_v"] is not None:
        raise ValueError("static_k and static_v are keys and values that are projected already")
    parts = [given["query"], given["key"], given["value"]]
    batched = parts[0].ndim == 3
    if not batched:
        parts = [part.unsqueeze(1) for part in parts]
    L, N, E = parts[0].shape
    heads = given["num_heads"]
    q, k, v = _projected(parts, given)
    for name in ("bias_k", "bias_v"):
        if given[name] is not None:
            own = given[name].expand(1, N, -1)
            k, v = (torch.cat((k, own)), v) if name == "bias_k" else (k, torch.cat((v, own)))
    # (n, N, E) to (N, heads, n, d).
    Q, K, V = (part.unflatten(-1, (heads, -1)).permute(1, 2, 0, 3) for part in (q, k, v))
    if given["add_zero_attn"]:
        K, V = (torch.cat((part, part.new_zeros(N, heads, 1, part.shape[-1])), -2) for part in (K, V))
    padding = given["key_padding_mask"]
    masks = [
        _allowed(None if padding is None else padding.view(-1, 1, 1, padding.shape[-1]), K.shape[-2], Q.dtype),
        _allowed(_with_heads(given["attn_mask"], heads), K.shape[-2], Q.dtype),
    ]
    dropout = given["dropout_p"] if given["training"] else 0.0
    O, A = attend(Q, K, V, mask=_joined(*masks), dropout=dropout)
    output = O.permute(2, 0, 1, 3).flatten(-2).reshape(L, N, E)
    output = F.linear(output, given["out_proj_weight"], given["out_proj_bias"])
    weights = None
    if given["need_weights"]:
        weights = A.mean(1) if given["average_attn_weights"] else A
    if not batched:
        output, weights = output.squeeze(1), None if weights is None else weights.squeeze(0)
    return output, weights


def _projected(parts: list[Tensor], given: dict[str, Any]) -> tuple[Tensor, ...]:
    if given["use_separate_proj_weight"]:
        weights = [given[f"{letter}_proj_weight"] for letter in "qkv"]
    else:
        weights = given["in_proj_weight"].chunk(3)
    biases = [None] * 3 if given["in_proj_bias"] is None else given["in_proj_bias"].chunk(3)
    return tuple(F.linear(*each) for each in zip(parts, weights, biases, strict=True))


def _with_heads(mask: Tensor | None, heads: int) -> Tensor | None:
    """A mask (L, S) as it is, and (N * heads, L, S) as (N, heads, L, S)."""
    return mask if mask is None or mask.ndim == 2 else mask.unflatten(0, (-1, heads) if len(mask) > 1 else (1, 1))


def _allowed(mask: Tensor | None, keys: int, dtype: torch.dtype) -> Tensor | None:
    """A mask of torch's layer, in which True hides, as one of ours, with a cell for each key that the layer adds."""
    if mask is None:
        return None
    mask = ~mask if mask.dtype == torch.bool else mask.to(dtype)
    seen = True if mask.dtype == torch.bool else 0.0
    return F.pad(mask, (0, keys - mask.shape[-1]), value=seen)


def _joined(a: Tensor | None, b: Tensor | None) -> Tensor | None:
    if a is None or b is None:
        return b if a is None else a
    if a.dtype == b.dtype == torch.bool:
        return a & b
    return sum(  # type: ignore[return-value]
        mask if mask.dtype != torch.bool else torch.zeros(mask.shape, device=mask.device).masked_fill(~mask, -math.inf)
        for mask in (a, b)
    )
