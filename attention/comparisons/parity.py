"""The recorded numbers compared with PyTorch's own attention: the largest difference, or why there is no comparison."""

from collections.abc import Callable
from dataclasses import dataclass

import torch
from torch import Tensor
from torch.nn import functional as F

from attention.torch_layers import layer_of
from attention.trace import Trace

# The tolerance relative to the largest number of an output, or to 1 if that is smaller.
TOLERANCE = 1e-4


@dataclass(frozen=True)
class Comparison:
    """`difference`: the largest absolute one over every element of the output, or None; then `reason` is its id.

    size: the largest absolute number of the output.
    """

    name: str
    difference: float | None
    reason: str = ""
    size: float = 0.0

    @property
    def agrees(self) -> bool:
        return self.difference is not None and self.difference <= TOLERANCE * max(1.0, self.size)


def against_torch(trace: Trace) -> tuple[Comparison, ...]:
    """Pass the recorded givens to `scaled_dot_product_attention` and `MultiheadAttention` of torch.nn.

    Reasons: `dropout` (torch draws a keep-mask of its own), `parts` (the trace is of the function alone), `d_k`, `d_v`
    and `d_out` (MultiheadAttention has d_k = d_v = d_model / heads and d_out = d_model), `scale` (it always divides by
    sqrt(d_k)), `qk_norm`, `rotary`, `kv_heads`, `past`, `softcap`, `slopes`, `sink`, `difference` and `gate` (torch has
    no argument for it), `rounding` (they do not agree, but the scores are so large that their last digits alone could
    do that).
    """
    return tuple(
        Comparison(name, None, reason) if (reason := refuses(trace)) else _compared(trace, name, output, id)
        for name, refuses, output, id in (
            ("F.scaled_dot_product_attention", _fused_refuses, _fused, "output"),
            ("nn.MultiheadAttention", _module_refuses, _module, "projected"),
        )
    )


def _compared(trace: Trace, name: str, output: Callable[[Trace], Tensor], id: str) -> Comparison:
    ours = _value(trace, id)
    difference = (output(trace) - ours).abs().max().item()
    found = Comparison(name, difference, size=ours.abs().max().item())
    # A NaN is never rounding.
    excused = not found.agrees and difference <= _rounding(trace, id)
    return Comparison(name, None, "rounding") if excused else found


def _rounding(trace: Trace, id: str) -> float:
    """An upper bound on the rounding error of an output: softmax changes by no more than its scores do."""
    parts = {name: _magnitude(trace, name) for name in ("queries", "keys", "values")}
    if "queries_normed" in trace or "queries_rotated" in trace or "past_keys" in trace:
        # A rotated feature is at most as large as the norm of its row.
        used = {"queries": "Q", "keys": "K", "values": "V"}
        parts = {name: _row_size(trace.before("output", letter).value) for name, letter in used.items()}
    if "kv_head" in trace.sizes:
        parts |= {name: parts[name].repeat_interleave(trace["keys"].group, -3) for name in ("keys", "values")}
    scores = parts["queries"] @ parts["keys"].mT
    c = _value(trace, "scale").abs() if "scale" in trace else _value(trace, "queries").shape[-1] ** -0.5
    # Both sides add the terms of both products, with half an epsilon for each term.
    unit = torch.finfo(scores.dtype).eps * (trace.sizes.get("model", 0) + trace.sizes["feature"])
    weights = (unit * c * scores.max()).clamp(max=2)
    output = (weights + unit) * parts["values"].max()
    return float(output if id == "output" else output * _value(trace, "w_o").abs().sum(0).max())


def _row_size(value: Tensor) -> Tensor:
    size: Tensor = torch.linalg.vector_norm(value, dim=-1, keepdim=True)
    return size.expand_as(value)


def _magnitude(trace: Trace, name: str) -> Tensor:
    """Queries, keys or values with the magnitudes of their terms added up: rounding errors stay where terms cancel."""
    w = {"queries": "w_q", "keys": "w_k", "values": "w_v"}[name]
    if w not in trace:
        return _value(trace, name).abs()
    source = "context" if "context" in trace and name != "queries" else "x"
    summed = _value(trace, source).abs().unsqueeze(-3) @ _value(trace, w).abs()
    bias = f"b_{w[-1]}"
    return summed + _value(trace, bias).abs().unsqueeze(-2) if bias in trace else summed


def _fused_refuses(trace: Trace) -> str:
    refusals = {"dropout": "kept", "softcap": "softcap", "sink": "sink", "difference": "difference"}
    return next((reason for reason, step in refusals.items() if step in trace), "")


def _fused(trace: Trace) -> Tensor:
    Q, K, V = (trace.before("output", letter).value for letter in "QKV")
    return F.scaled_dot_product_attention(
        Q,
        K,
        V,
        attn_mask=_added(trace),
        scale=_value(trace, "scale").item() if "scale" in trace else None,
        enable_gqa="kv_head" in trace.sizes,
    )


def _added(trace: Trace) -> Tensor | None:
    """The mask as an additive one, plus all other numbers added to the scores."""
    mask = _value(trace, "mask") if "mask" in trace else None
    if "bias" not in trace:
        return mask
    bias = _value(trace, "bias")
    if mask is None:
        return bias
    return bias.masked_fill(~mask, -torch.inf) if mask.dtype == torch.bool else bias + mask


def _module_refuses(trace: Trace) -> str:
    if "projected" not in trace:
        return "parts"
    sizes = trace.sizes
    refusals = {
        "dropout": "kept" in trace,
        "scale": "scale" in trace,
        "qk_norm": "queries_normed" in trace,
        "rotary": "queries_rotated" in trace,
        "kv_heads": "kv_head" in sizes,
        "past": "past_keys" in trace,
        "softcap": "softcap" in trace,
        "slopes": "slopes" in trace,
        "sink": "sink" in trace,
        "gate": "gate" in trace,
        "d_k": sizes["feature"] * sizes["head"] != sizes["model"],
        "d_v": sizes["value"] != sizes["feature"],
        "d_out": sizes["out"] != sizes["model"],
    }
    return next((reason for reason, refused in refusals.items() if refused), "")


def _module(trace: Trace) -> Tensor:
    sizes, x = trace.sizes, _value(trace, "x")
    context = _value(trace, "context") if "context" in trace else x
    heads = {name: _value(trace, name) for name in ("w_q", "w_k", "w_v", "b_q", "b_k", "b_v") if name in trace}
    flat = {
        name: value.flatten() if name[0] == "b" else value.transpose(0, 1).flatten(1) for name, value in heads.items()
    }
    whole = {name: _value(trace, name) for name in ("w_o", "b_o") if name in trace}
    twin = layer_of(flat | whole, sizes["head"])
    with torch.no_grad():
        # `need_weights=False` and training mode keep a query that may attend to nothing from becoming NaN.
        output: Tensor = twin.train()(x, context, context, attn_mask=_mask(trace), need_weights=False)[0]
    return output


def _mask(trace: Trace) -> Tensor | None:
    """The mask as the module takes it: (batch * heads, L, S), boolean ones with the opposite polarity."""
    if "mask" not in trace:
        return None
    mask = _value(trace, "mask").reshape(-1, *trace["mask"].value.shape[-2:])
    return ~mask if mask.dtype == torch.bool else mask


def _value(trace: Trace, name: str) -> Tensor:
    return trace[name].value
