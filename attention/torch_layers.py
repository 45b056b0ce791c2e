"""Convert parameters between `torch.nn.MultiheadAttention` and our layer."""

from collections.abc import Mapping

import torch
from torch import Tensor, nn

# The letters of the projections that torch keeps in one tensor, in its order.
_IN = "qkv"


def sizes(layer: nn.MultiheadAttention) -> dict[str, int | bool | float]:
    """The arguments of `attention.MultiHeadAttention` for a layer of torch's.

    ValueError: the layer adds a key (`add_bias_kv`, `add_zero_attn`), or its keys and values come from contexts of two
    sizes (`kdim`, `vdim`); ours has one context and no key of its own.
    """
    if not isinstance(layer, nn.MultiheadAttention):
        raise ValueError(f"layer must be a torch.nn.MultiheadAttention, got {type(layer).__name__}")
    if layer.bias_k is not None or layer.add_zero_attn:
        raise ValueError("a layer with add_bias_kv or add_zero_attn adds a key of its own, which ours does not have")
    if layer.kdim != layer.vdim:
        raise ValueError(f"kdim is {layer.kdim}, vdim {layer.vdim}: ours has one context for keys and values")
    return {
        "d_model": layer.embed_dim,
        "heads": layer.num_heads,
        "d_context": layer.kdim,
        "bias": layer.in_proj_bias is not None,
        "dropout": layer.dropout,
    }


def parameters(layer: nn.MultiheadAttention) -> dict[str, Tensor]:
    """The parameters of torch's layer by our names: w (rows, columns), applied as x @ w, and b (columns,)."""
    if layer.in_proj_weight is None:
        rows = [layer.get_parameter(f"{letter}_proj_weight") for letter in _IN]
    else:
        rows = list(layer.in_proj_weight.chunk(3))
    found = {f"w_{letter}": row.T for letter, row in zip(_IN, rows, strict=True)} | {"w_o": layer.out_proj.weight.T}
    if layer.in_proj_bias is not None:
        found |= {f"b_{letter}": part for letter, part in zip(_IN, layer.in_proj_bias.chunk(3), strict=True)}
        found["b_o"] = layer.out_proj.bias
    return found


def layer_of(given: Mapping[str, Tensor], heads: int, dropout: float = 0.0) -> nn.MultiheadAttention:
    """A layer of torch's with copies of our parameters, `batch_first`; given: as `parameters` returns them."""
    w_q, w_k = given["w_q"], given["w_k"]
    # torch's initialisation would draw from the generator that all of torch shares, so it is skipped.
    layer: nn.MultiheadAttention = nn.utils.skip_init(
        nn.MultiheadAttention,
        w_q.shape[0],
        heads,
        dropout=dropout,
        bias="b_q" in given,
        kdim=w_k.shape[0],
        vdim=w_k.shape[0],
        batch_first=True,
        dtype=w_q.dtype,
        device=w_q.device,
    )
    with torch.no_grad():
        for name, own in parameters(layer).items():
            own.copy_(given[name])
    return layer
