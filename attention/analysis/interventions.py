"""Interventions on a recorded run: scores and weights after one part of attention is replaced.

Each takes a record and returns records or numbers of further runs (`attention.analysis.rerun`).
"""

import math
from dataclasses import dataclass
from typing import Any

import torch
from torch import Generator, Tensor

from attention import checks
from attention.analysis.rerun import rerun
from attention.functional import scaled_dot_product_attention
from attention.trace import Trace

PARTS = ("keys", "queries", "values")


def tied(trace: Trace) -> Trace:
    """The run with W_K = W_Q, and b_K = b_Q: every key is the query of its token, so that the scores are symmetric.

    ValueError: fewer queries than keys, so that some keys have no query of their own.
    """
    _square(trace)
    return rerun(trace, keys=trace["queries"].value)


def asymmetry(trace: Trace, id: str) -> float:
    """The largest |Z - Z^T| of a step over (query, key). ValueError: fewer queries than keys."""
    _square(trace)
    value = trace[id].value
    return (value - value.mT).abs().max().item()


def moved(trace: Trace, part: str, by: float, dtype: torch.dtype) -> Trace:
    """Rerun in a dtype with `by` added to every feature of every row of one of `PARTS`.

    ValueError: another part.
    """
    checks.choice("part", part, PARTS)
    changed: dict[str, Any] = {part: trace[part].value.to(dtype) + by}
    return rerun(trace, dtype=dtype, **changed)


def shifted(trace: Trace, part: str, by: float, dtype: torch.dtype) -> dict[str, float]:
    """The effect of a bias: add `by` to every feature of every row of one of `PARTS`, in a dtype.

    Returns the largest change of `scaled` scores, of `weights` and of the `output`, by id. A key bias adds one number
    to a whole row of scores, which softmax ignores; a query bias adds a different number to each column; a value bias
    changes neither and passes into the output.
    """
    before, after = moved(trace, part, 0.0, dtype), moved(trace, part, by, dtype)
    return {id: (after[id].value - before[id].value).abs().max().item() for id in ("scaled", "weights", "output")}


@dataclass(frozen=True)
class Passed:
    """The shift of the output by a value bias, in float64: shift (..., query, value), beside the sums (..., query) of
    the weights that mixed the values."""

    by: float
    sums: Tensor
    shift: Tensor

    @property
    def difference(self) -> float:
        """The largest deviation from the sum of a row times the bias."""
        return (self.shift - self.by * self.sums[..., None]).abs().max().item()


def value_bias(trace: Trace, by: float, *, dropout: float = 0.0, generator: Generator | None = None) -> Passed:
    """The effect of `by`, added to every feature of every value, on the output: the row sum of the weights times `by`.

    dropout: p of one keep-mask, drawn from the generator, for both runs.
    """
    values = trace["values"].value.double()
    same = generator.clone_state() if generator else None
    before, after = (
        rerun(trace, dtype=torch.float64, values=each, dropout=dropout, generator=source)
        for each, source in ((values, generator), (values + by, same))
    )
    used = before["dropped" if "dropped" in before else "weights"].value
    return Passed(by, used.sum(-1), after["output"].value - before["output"].value)


@dataclass(frozen=True)
class Gauge:
    """Two runs in float64 with the same scores: Q and K, and Q M and K M^-T for one M (head, feature, feature)."""

    m: Tensor
    before: Trace
    after: Trace

    def difference(self, id: str) -> float:
        return (self.after[id].value - self.before[id].value).abs().max().item()


def gauge(trace: Trace, generator: Generator) -> Gauge:
    """Q -> Q M and K -> K M^-T with a drawn M: a rotation, stretched by 1/2 to 2 along its axes, so that it can be
    undone in float64. (Q M)(K M^-T)^T = Q K^T."""
    queries, keys = (trace[name].value.to("cpu", torch.float64) for name in ("queries", "keys"))
    heads = queries.shape[-3] if queries.ndim > 2 else 1
    size = queries.shape[-1]
    rotation, _ = torch.linalg.qr(torch.randn(heads, size, size, generator=generator, dtype=torch.float64))
    stretch = 2 ** (2 * torch.rand(heads, 1, size, generator=generator, dtype=torch.float64) - 1)
    m = (rotation * stretch).reshape(*queries.shape[max(queries.ndim - 3, 0) : -2], size, size)
    values = trace["values"].value.to("cpu", torch.float64)
    mask = trace["mask"].value.cpu() if "mask" in trace else None
    before = rerun(trace, mask=mask, queries=queries, keys=keys, values=values)
    after = rerun(trace, mask=mask, queries=queries @ m, keys=keys @ torch.linalg.inv(m).mT, values=values)
    return Gauge(m, before, after)


def over_queries(trace: Trace) -> Tensor:
    """Weights (..., query, key) normalised over the wrong axis: every column, not every row, sums to one.

    They are the transpose of the weights of `swapped`. ValueError: as `swapped`.
    """
    weights: Tensor = swapped(trace)["weights"].value
    return weights.mT


def swapped(trace: Trace) -> Trace:
    """Rerun with queries and keys exchanged.

    ValueError: fewer queries than keys, so that queries and keys cannot be exchanged.
    """
    _square(trace)
    mask = trace["mask"].value.mT if "mask" in trace else None
    return rerun(trace, queries=trace["keys"].value, keys=trace["queries"].value, mask=mask)


def future_leak(trace: Trace) -> dict[str, float]:
    """The largest change of a weight of the earlier queries when the query and the key of the last token change sign:
    `over_keys` as attention is defined, `over_queries` over the wrong axis.

    Under a causal mask no earlier query may depend on the last token. ValueError: fewer than two tokens.
    """
    _square(trace)
    if trace.sizes["query"] < 2:
        raise ValueError(f"the last token needs one before it, got {trace.sizes['query']} tokens")
    turned = {name: trace[name].value.clone() for name in ("queries", "keys")}
    for value in turned.values():
        value[..., -1, :] *= -1
    before, after = rerun(trace), rerun(trace, queries=turned["queries"], keys=turned["keys"])
    pairs = {
        "over_keys": (before["weights"].value, after["weights"].value),
        "over_queries": (over_queries(before), over_queries(after)),
    }
    return {name: (new - old)[..., :-1, :].abs().max().item() for name, (old, new) in pairs.items()}


def own_key_wins(d_k: int, tokens: int, draws: int, generator: Generator) -> tuple[float, float]:
    """The frequency with which a query that equals its own key, N(0, I), gives itself the largest weight: the share of
    draws * tokens, and its standard error from the spread over draws, since the tokens of one draw are not independent.

    ValueError: a size below 1, fewer than two draws.
    """
    checks.positive(d_k=d_k, tokens=tokens)
    checks.at_least(2, draws=draws)
    q = torch.randn(draws, tokens, d_k, generator=generator)
    trace = Trace()
    scaled_dot_product_attention(q, q, q, trace=trace)
    own = (trace["weights"].value.argmax(-1) == torch.arange(tokens)).double().mean(-1)
    return own.mean().item(), own.std().item() / math.sqrt(draws)


def _square(trace: Trace) -> None:
    queries, keys = (trace.sizes[axis] for axis in ("query", "key"))
    if queries != keys:
        raise ValueError(f"as many queries as keys are needed, got {queries} and {keys}")
