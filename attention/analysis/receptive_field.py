"""Receptive field: which inputs an output depends on after several layers of masked attention."""

from collections.abc import Sequence

import torch
from torch import Tensor

from attention import checks
from attention.masks import grid


def receptive_field(masks: Sequence[Tensor]) -> Tensor:
    """Whether position i after layer k depends on input j: bool (layers, n, n), the first layer first.

    masks: bool (n, n) of each layer, True = may attend. Each position also depends on itself, by the residual
    connection. ValueError: no layer, or masks that are not square and of one size.
    """
    if not masks:
        raise ValueError("masks needs at least one layer, got 0")
    n = masks[0].shape[-1]
    for mask in masks:
        if mask.shape != (n, n):
            raise ValueError(f"all masks must be ({n}, {n}), got {tuple(mask.shape)}")
    sees = torch.eye(n, dtype=torch.bool)
    fields = []
    for mask in masks:
        # Counts of paths; only whether there are any matters. Exact in float64 below 2^53 a layer.
        sees = (mask | torch.eye(n, dtype=torch.bool)).double() @ sees.double() > 0
        fields.append(sees)
    return torch.stack(fields)


def sliding(n: int, width: int, layers: int, *, full: Sequence[int] = ()) -> list[Tensor]:
    """Masks of causal layers in which a query sees `width` keys, its own included; layers (from 0) in `full` see all
    keys.

    Mistral 7B (Jiang et al. 2023, section 2) has windows in every layer, Gemma 3 one global layer after every five.
    """
    return [
        grid("causal", n, n) if layer in full else grid("causal & window", n, n, width=width) for layer in range(layers)
    ]


def reach(width: int, layers: int) -> int:
    """The number of positions, its own included, that a position depends on after some layers of a sliding window.

    layers (width - 1) + 1, and not layers times width: neighbouring windows share a position. ValueError: a width or
    layers below 1.
    """
    checks.positive(width=width, layers=layers)
    return layers * (width - 1) + 1
