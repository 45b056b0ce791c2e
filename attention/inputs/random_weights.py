"""Nested random weights: a larger layer begins with the numbers of a smaller one."""

import math
from typing import TypedDict, Unpack

import torch
from torch import Generator, Tensor

from attention.inputs.nested_normal import fill
from attention.modules import MultiHeadAttention

_DRAWN = ("w_q", "w_k", "w_v", "w_o", "b_q", "b_k", "b_v", "b_o")


class Parts(TypedDict, total=False):
    """The keywords of `MultiHeadAttention` beside d_model and heads."""

    d_k: int | None
    d_v: int | None
    d_out: int | None
    bias: bool
    kv_heads: int | None
    qk_norm: bool
    sink: bool


def random_layer(
    d_model: int,
    heads: int = 1,
    *,
    generator: Generator,
    **parts: Unpack[Parts],
) -> MultiHeadAttention:
    """A layer with parameters N(0, 1/fan_in), as `MultiHeadAttention` draws them, but nested in all its sizes.

    One more head, feature of a query and key (d_k), feature of a value (d_v), feature of the output (d_out) or feature
    of the input (d_model) adds numbers, and those N(0, 1) that were there stay, bit for bit. So does a weight unless
    its fan-in grows: then one common factor 1/√fan_in changes. For W_Q, W_K, W_V and their biases the fan-in is
    d_model; for W_O and b_o it is heads · d_v, so that the output keeps its size however many heads add to it, and each
    head keeps the directions in which it writes. It takes one number from the generator; parts and errors are those of
    `MultiHeadAttention`.
    """
    # Its own random numbers are overwritten. The meta device would draw none, but takes four times as long.
    layer = MultiHeadAttention(d_model, heads, **parts, generator=torch.Generator())
    root = int(torch.randint(2**62, (), generator=generator))
    with torch.no_grad():
        for name, parameter in layer.named_parameters():
            if name not in _DRAWN:
                continue
            fill(_by_feature(name, parameter, layer), f"{root}/{name}")
            parameter.div_(math.sqrt(heads * layer.d_v if name.endswith("o") else d_model))
    return layer


def _by_feature(name: str, parameter: Tensor, layer: MultiHeadAttention) -> Tensor:
    """A parameter as (heads, features of a head, the other side), or (heads, 1, features), to be drawn row by row."""
    heads = layer.kv_heads if name[-1] in "kv" else layer.heads
    match name:
        case "w_o":
            return parameter.view(layer.heads, -1, layer.d_out)
        case "b_o":
            return parameter.view(1, 1, -1)
        case "b_q" | "b_k" | "b_v":
            return parameter.view(heads, 1, -1)
    return parameter.view(layer.d_model, heads, -1).permute(1, 2, 0)
