"""`nn.MultiheadAttention(add_zero_attn=True)` appends a key of zeros with a value of zeros: a sink whose logit is 0."""

import math

import torch
from torch.nn.functional import multi_head_attention_forward

from attention.analysis.rerun import rerun
from attention.trace import Trace


def apart_from_zero_key(trace: Trace, *, batch: int = 0, head: int = 0) -> float:
    """The largest difference between the output of a head with a sink of 0 and that of torch with a zero key.

    In float64; d_v has to be d_k, since torch has one size for both. ValueError: it is not, or a mask is added.
    """
    sunk = rerun(trace, sink=torch.tensor(0.0, dtype=torch.float64), dtype=torch.float64)
    q, k, v = (sunk[id].of(batch=batch, head=head) for id in ("queries", "keys", "values"))
    d = q.shape[-1]
    if v.shape[-1] != d:
        raise ValueError(f"torch has one size for d_k and d_v, got {d} and {v.shape[-1]}")
    hidden = None
    if "mask" in trace:
        mask = trace["mask"].of(batch=batch, head=head)
        if mask.dtype != torch.bool:
            raise ValueError("the mask must be boolean")
        hidden = ~mask
    if "scale" in trace:
        q = q * trace["scale"].value.item() * math.sqrt(d)
    one = torch.eye(d, dtype=torch.float64, device=q.device)
    output, _ = multi_head_attention_forward(
        q[:, None],
        k[:, None],
        v[:, None],
        d,
        1,
        torch.cat((one, one, one)),
        None,
        None,
        None,
        True,
        0.0,
        one,
        None,
        training=False,
        need_weights=False,
        attn_mask=hidden,
    )
    return (output[:, 0] - sunk["output"].of(batch=batch, head=head)).abs().max().item()
