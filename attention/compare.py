"""The recorded numbers against PyTorch's own attention: the largest difference, or why there is none to be had."""

from dataclasses import dataclass

import torch
from torch import Tensor, nn
from torch.nn import functional as F

from attention.trace import Trace


@dataclass(frozen=True)
class Comparison:
    """`difference`: the largest absolute one over every element of the output, or None; then `reason` is its id."""

    name: str
    difference: float | None
    reason: str = ""


def against_torch(trace: Trace) -> tuple[Comparison, ...]:
    """Feed the recorded givens to `scaled_dot_product_attention` and `MultiheadAttention` of torch.nn.

    Reasons: `dropout` (torch draws a keep-mask of its own), `parts` (the trace is of the function alone), `d_k`, `d_v`
    and `d_out` (MultiheadAttention has d_k = d_v = d_model / heads and d_out = d_model), `scale` (it always divides by
    sqrt(d_k)).
    """
    return tuple(
        Comparison(name, None, reason) if (reason := refuses(trace)) else Comparison(name, difference(trace))
        for name, refuses, difference in (
            ("F.scaled_dot_product_attention", _fused_refuses, _fused),
            ("nn.MultiheadAttention", _module_refuses, _module),
        )
    )


def _fused_refuses(trace: Trace) -> str:
    return "dropout" if "kept" in trace else ""


def _fused(trace: Trace) -> float:
    output = F.scaled_dot_product_attention(
        _value(trace, "queries"),
        _value(trace, "keys"),
        _value(trace, "values"),
        attn_mask=_value(trace, "mask") if "mask" in trace else None,
        scale=_value(trace, "scale").item() if "scale" in trace else None,
    )
    return _largest(output, _value(trace, "output"))


def _module_refuses(trace: Trace) -> str:
    if "projected" not in trace:
        return "parts"
    sizes = trace.sizes
    refusals = {
        "dropout": "kept" in trace,
        "scale": "scale" in trace,
        "d_k": sizes["feature"] * sizes["head"] != sizes["model"],
        "d_v": sizes["value"] != sizes["feature"],
        "d_out": sizes["out"] != sizes["model"],
    }
    return next((reason for reason, refused in refusals.items() if refused), "")


def _module(trace: Trace) -> float:
    sizes, x = trace.sizes, _value(trace, "x")
    context = _value(trace, "context") if "context" in trace else x
    # Its own initialisation, which draws from the generator that everybody shares, is left out.
    twin = nn.utils.skip_init(
        nn.MultiheadAttention,
        sizes["model"],
        sizes["head"],
        bias="b_q" in trace,
        kdim=context.shape[-1],
        vdim=context.shape[-1],
        batch_first=True,
        dtype=x.dtype,
        device=x.device,
    )
    with torch.no_grad():
        _copy(trace, twin)
        # Without `need_weights`, and in training mode, a query that may attend to nothing is not NaN.
        output, _ = twin.train()(x, context, context, attn_mask=_mask(trace), need_weights=False)
    return _largest(output, _value(trace, "projected"))


def _mask(trace: Trace) -> Tensor | None:
    """The mask as the module takes it: (batch * heads, L, S), boolean ones with the opposite polarity."""
    if "mask" not in trace:
        return None
    mask = _value(trace, "mask").reshape(-1, *trace["mask"].value.shape[-2:])
    return ~mask if mask.dtype == torch.bool else mask


def _copy(trace: Trace, twin: nn.MultiheadAttention) -> None:
    """Our w (heads, rows, columns) as torch's (heads * columns, rows)."""
    flat = {name: _value(trace, name).transpose(-2, -1).flatten(0, 1) for name in ("w_q", "w_k", "w_v")}
    if twin.in_proj_weight is not None:
        twin.in_proj_weight.copy_(torch.cat(list(flat.values())))
    else:
        for name, weight in flat.items():
            twin.get_parameter(f"{name[-1]}_proj_weight").copy_(weight)
    twin.out_proj.weight.copy_(_value(trace, "w_o").T)
    if twin.in_proj_bias is not None:
        twin.in_proj_bias.copy_(torch.cat([_value(trace, name).flatten() for name in ("b_q", "b_k", "b_v")]))
        twin.out_proj.bias.copy_(_value(trace, "b_o"))


def _value(trace: Trace, name: str) -> Tensor:
    return trace[name].value


def _largest(ours: Tensor, theirs: Tensor) -> float:
    return (ours - theirs).abs().max().item()
