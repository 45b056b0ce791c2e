"""Multi-head attention taken apart: bands of columns of one projection, and each head's contribution to the output."""

import copy
from collections.abc import Collection
from dataclasses import dataclass

import torch
from torch import Generator, Tensor

from attention import checks
from attention.modules import MultiHeadAttention
from attention.trace import Trace


def without(module: MultiHeadAttention, heads: Collection[int]) -> MultiHeadAttention:
    """A copy whose output lacks these heads (from 0): their blocks of W_O are zero. Other parameters are shared.

    ValueError: no such head.
    """
    if strange := sorted(set(heads) - set(range(module.heads))):
        raise ValueError(f"the module has heads 0 to {module.heads - 1}, got {', '.join(map(str, strange))}")
    shared = {id(parameter): parameter for name, parameter in module.named_parameters() if name != "w_o"}
    changed = copy.deepcopy(module, shared)
    with torch.no_grad():
        changed.w_o.unflatten(0, (module.heads, -1))[sorted(heads)] = 0
    return changed


def with_heads(module: MultiHeadAttention, heads: int, kv_heads: int | None = None) -> MultiHeadAttention:
    """A layer like a module, with other numbers of heads. Its parameters are random: the caller replaces them.

    kv_heads: heads of keys and values, None for as many as heads.
    """
    return MultiHeadAttention(
        module.d_model,
        heads,
        kv_heads=kv_heads,
        d_k=module.d_k,
        d_v=module.d_v,
        d_context=module.d_context,
        d_out=module.d_out,
        bias=module.b_q is not None,
        qk_norm=module.g_q is not None,
        sink=module.sink is not None,
        dropout=module.dropout,
        # Its own generator, so that no other one advances.
        generator=Generator(),
    ).to(module.w_q)


def alone(module: MultiHeadAttention, head: int) -> MultiHeadAttention:
    """A layer with one head (from 0) of a module, in its mode: copies of the head's columns of W_Q, of the columns of
    W_K and W_V of its key head, and of its rows of W_O. The bias of the output stays whole.

    With the scale of the module, the layer has the weights of this head on every input. The outputs of the layers of
    all heads, without b_O, add up to the output of the module. ValueError: no such head, or a module with a gate.
    """
    checks.between("head", head, 0, module.heads - 1)
    if module.w_g is not None:
        raise ValueError("the module has a gate, which is no part of one head alone")
    made = with_heads(module, 1)
    key_head = head // (module.heads // module.kv_heads)
    with torch.no_grad():
        for name, into in made.named_parameters():
            into.copy_(_band(name, module.get_parameter(name), head, key_head, into.shape))
    return made.train(module.training)


def _band(name: str, values: Tensor, head: int, key_head: int, shape: torch.Size) -> Tensor:
    """The block of a parameter that belongs to a head; the whole parameter if all heads share it."""
    at = key_head if name[-1] in "kv" and name[0] in "wb" else head
    for axis, (size, own) in enumerate(zip(values.shape, shape, strict=True)):
        if size != own:
            return values.narrow(axis, at * own, own)
    return values


def average(trace: Trace) -> Tensor:
    """The mean of the weights over the heads (..., query, key), which `nn.MultiheadAttention` returns by default."""
    return _value(trace, "weights").mean(-3)


def distance_to_average(trace: Trace) -> Tensor:
    """The distance of each head from that mean (..., head): total variation, the mean over queries of 1/2 sum |a -
    mean|.

    0: the head is the mean; 1: they share no key.
    """
    weights = _value(trace, "weights")
    return (weights - weights.mean(-3, keepdim=True)).abs().sum(-1).mean(-1) / 2


def rank(trace: Trace) -> Tensor:
    """The rank of each head's raw scores (..., head): at most d_k, since S = Q K^T goes through d_k features.

    Singular values below the rounding error of the scores' dtype do not count.
    """
    scores = _value(trace, "scores")
    rounding = 10 * max(scores.shape[-2:]) * torch.finfo(scores.dtype).eps
    ranks: Tensor = torch.linalg.matrix_rank(scores.double(), rtol=rounding)
    return ranks


def contributions(trace: Trace) -> Tensor:
    """The contribution of each head to the output (..., head, query, out): O_h times its block of rows of W_O.

    Their sum, plus b_O if there is one, is the projected output (Vaswani et al. 2017, section 3.2.2).
    """
    output = _value(trace, "output")
    blocks: Tensor = _value(trace, "w_o").unflatten(0, (output.shape[-3], output.shape[-1]))
    return output @ blocks


@dataclass(frozen=True)
class Split:
    """Queries made in two ways, each computed in float64 and rounded to float32, on the CPU.

    w_q (model, heads * d_k): the whole matrix, of which head h owns the h-th band of d_k columns;
    whole (..., query, heads * d_k): x times that matrix; small, of the same shape: x times one band after the other.
    """

    w_q: Tensor
    whole: Tensor
    small: Tensor

    @property
    def difference(self) -> float:
        return (self.whole - self.small).abs().max().item()


def split(trace: Trace) -> Split:
    """The queries by one product for all heads, and by one small product for each head.

    Both add up the same terms, in an order that depends on the size of the product, so rounded sums can differ in their
    last digit. Computed in float64 and rounded to float32, they agree.
    """
    x, w_q = (_value(trace, id).to("cpu", torch.float64) for id in ("x", "w_q"))
    bias = _value(trace, "b_q").to("cpu", torch.float64) if "b_q" in trace else x.new_zeros(len(w_q), 1)
    joined = w_q.transpose(-3, -2).flatten(-2)
    whole = x @ joined + bias.expand(*w_q.shape[::2]).flatten()
    small = torch.cat([x @ band + added for band, added in zip(w_q, bias, strict=True)], -1)
    return Split(joined.float(), whole.float(), small.float())


def split_rounding(trace: Trace) -> float:
    """The largest difference between the recorded queries and one small product a head, in the dtype of the record."""
    small = _value(trace, "x").unsqueeze(-3) @ _value(trace, "w_q")
    if "b_q" in trace:
        small = small + _value(trace, "b_q").unsqueeze(-2)
    return (small - _value(trace, "queries")).abs().max().item()


def reach(trace: Trace, feature: int) -> Tensor:
    """The largest change of a query of each head (head,) when one feature of the input grows by 1.

    A head is a band of columns of W_Q, and every column has a row for every feature of the input.
    ValueError: no such feature of the input.
    """
    x, w_q = _value(trace, "x"), _value(trace, "w_q")
    checks.between("feature", feature, 0, x.shape[-1] - 1)
    step = torch.zeros(x.shape[-1], dtype=x.dtype, device=x.device)
    step[feature] = 1
    change: Tensor = (step @ w_q).abs().amax(-1)
    return change


def parameters(d_model: int, heads: int, d_k: int | None = None, *, bias: bool = False) -> int:
    """The number of parameters of self-attention with d_v = d_k. d_k: per head; None is d_model / heads.

    At fixed d_model the heads share 4 d_model^2; at fixed d_k every head adds 4 d_model d_k. ValueError: a size below
    1, or d_model that heads does not divide while d_k is None.
    """
    checks.positive(d_model=d_model, heads=heads)
    if d_k is None and d_model % heads:
        raise ValueError(f"d_model {d_model} is not divisible by heads {heads}; give d_k")
    width = heads * d_k if d_k is not None else d_model
    return 4 * d_model * width + bias * (3 * width + d_model)


def _value(trace: Trace, id: str) -> Tensor:
    return trace[id].value
