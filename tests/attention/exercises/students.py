"""Students' code: each usual mistake as a student would write it, and right answers written in other ways.

None of it uses the package, so the check can only judge by the numbers.
"""

import math

import torch
from torch.nn import functional as F


def _future(n):
    return torch.ones(n, n, dtype=torch.bool).triu(1)


def _attention(q, k, v, mask=None):
    s = q @ k.mT / math.sqrt(q.shape[-1])
    if mask is not None:
        s = s.masked_fill(mask, -math.inf)
    return s.softmax(-1) @ v


def _finite(fill):
    return lambda scores: scores.masked_fill(_future(scores.shape[-1]), fill).softmax(-1)


def _padded(hide):
    """Sets all weights to 0 in a sentence without a word, whichever way hides keys."""

    def padding(scores, keep):
        return hide(scores, keep[:, None, None, :]).masked_fill(~keep.any(-1)[:, None, None, None], 0)

    return padding


def _by_rows(scores, keep, then):
    return then(scores.masked_fill(~keep[:, None, :, None], -math.inf).softmax(-1))


def _both(scores, keep, then):
    seen = keep[:, None, :, None] & keep[:, None, None, :]
    return then(scores.masked_fill(~seen, -math.inf).softmax(-1))


def _zeros(a):
    return a.nan_to_num(0)


def _shares(a):
    return a.nan_to_num(1 / a.shape[-1])


def _same(a):
    return a


def _dropped(training, otherwise=lambda a, keep, p: a):
    in_training = training

    def dropout(weights, keep, p, training):
        return in_training(weights, keep, p) if training else otherwise(weights, keep, p)

    return dropout


def _turned(x, start, base, sign=1.0, per=2.0, first=None, interleaved=False):
    n, d = x.shape[-2:]
    j = torch.arange(d // 2, dtype=x.dtype)
    angle = (torch.arange(n, dtype=x.dtype) + (start if first is None else first))[:, None] * base ** (-per * j / d)
    cos, sin = angle.cos(), sign * angle.sin()
    if interleaved:
        a, b = x[..., ::2], x[..., 1::2]
        return torch.stack((a * cos - b * sin, a * sin + b * cos), -1).flatten(-2)
    a, b = x[..., : d // 2], x[..., d // 2 :]
    return torch.cat((a * cos - b * sin, a * sin + b * cos), -1)


def _tiled(scores, values, size, *, shrink_sum=True, shrink_output=True, last=True, careful=True, empty=True):
    m = scores.new_full(scores.shape[:-1], -math.inf)
    l, o = torch.zeros_like(m), scores.new_zeros(*m.shape, values.shape[-1])
    n = scores.shape[-1]
    for at in range(0, n if last else n - n % size, size):
        s, v = scores[..., at : at + size], values[..., at : at + size, :]
        new = torch.maximum(m, s.amax(-1))
        away = new.masked_fill(new == -math.inf, 0) if careful else new
        p, r = (s - away[..., None]).exp(), (m - away).exp()
        l = l * (r if shrink_sum else 1) + p.sum(-1)
        o = o * (r[..., None] if shrink_output else 1) + p @ v
        m = new
    return o / (l.masked_fill(l == 0, 1) if empty else l)[..., None]


def _average(scores, values, size):
    parts = zip(scores.split(size, -1), values.split(size, -2), strict=True)
    outputs = [s.softmax(-1).nan_to_num(0) @ v for s, v in parts]
    return sum(outputs) / len(outputs)


WRONG = {
    "softmax": {
        "naive": lambda scores: scores.exp() / scores.exp().sum(-1, keepdim=True),
        "columns": lambda scores: scores.softmax(-2),
        "whole": lambda scores: scores.flatten(-2).softmax(-1).view_as(scores),
        "base_two": lambda scores: (e := 2 ** (scores - scores.amax(-1, keepdim=True))) / e.sum(-1, keepdim=True),
        "one_maximum": lambda scores: (e := (scores - scores.max()).exp()) / e.sum(-1, keepdim=True),
    },
    "attention": {
        "d_k": lambda query, key, value: (query @ key.mT / key.shape[-1]).softmax(-1) @ value,
        "none": lambda query, key, value: (query @ key.mT).softmax(-1) @ value,
        "keys": lambda query, key, value: (query @ key.mT / key.shape[-2] ** 0.5).softmax(-1) @ value,
        "d_v": lambda query, key, value: (query @ key.mT / value.shape[-1] ** 0.5).softmax(-1) @ value,
        "times": lambda query, key, value: (query @ key.mT * key.shape[-1] ** 0.5).softmax(-1) @ value,
        "after_softmax": lambda query, key, value: (query @ key.mT).softmax(-1) / key.shape[-1] ** 0.5 @ value,
        "columns": lambda query, key, value: (query @ key.mT / key.shape[-1] ** 0.5).softmax(-2) @ value,
    },
    "causal": {
        "unmasked": lambda scores: scores.softmax(-1),
        "strict": lambda scores: scores.masked_fill(torch.ones_like(scores).triu().bool(), -math.inf).softmax(-1),
        "transposed": lambda scores: scores.masked_fill(_future(scores.shape[-1]).mT, -math.inf).softmax(-1),
        "inverted": lambda scores: scores.masked_fill(~_future(scores.shape[-1]), -math.inf).softmax(-1),
        "zero_before": lambda scores: scores.masked_fill(_future(scores.shape[-1]), 0).softmax(-1),
        "zero_after": lambda scores: scores.softmax(-1).tril(),
        "finite:-20": _finite(-20),
        "finite:-100": _finite(-100),
        "finite:-10000": _finite(-1e4),
    },
    "padding": {
        "unmasked": lambda scores, keep: scores.softmax(-1),
        "inverted": lambda scores, keep: (
            scores.masked_fill(keep[:, None, None, :], -math.inf).softmax(-1).nan_to_num(0)
        ),
        "rows:nan": lambda scores, keep: _by_rows(scores, keep, _same),
        "rows:zeros": lambda scores, keep: _by_rows(scores, keep, _zeros),
        "rows:shares": lambda scores, keep: _by_rows(scores, keep, _shares),
        "both:nan": lambda scores, keep: _both(scores, keep, _same),
        "both:zeros": lambda scores, keep: _both(scores, keep, _zeros),
        "both:shares": lambda scores, keep: _both(scores, keep, _shares),
        "broadcast": lambda scores, keep: scores.masked_fill(~keep, -math.inf).softmax(-1),
        "zero_before": _padded(lambda scores, keep: scores.masked_fill(~keep, 0).softmax(-1)),
        "zero_after": _padded(lambda scores, keep: scores.softmax(-1) * keep),
        "finite:-20": _padded(lambda scores, keep: scores.masked_fill(~keep, -20).softmax(-1)),
        "finite:-100": _padded(lambda scores, keep: scores.masked_fill(~keep, -100).softmax(-1)),
        "finite:-10000": _padded(lambda scores, keep: scores.masked_fill(~keep, -1e4).softmax(-1)),
        "empty_nan": lambda scores, keep: scores.masked_fill(~keep[:, None, None, :], -math.inf).softmax(-1),
        "empty_uniform": lambda scores, keep: scores.masked_fill(~keep[:, None, None, :], -1e9).softmax(-1),
    },
    "split_heads": {
        "view": lambda x, heads: x.reshape(*x.shape[:-2], heads, x.shape[-2], -1),
        "dealt": lambda x, heads: torch.stack([x[..., h::heads] for h in range(heads)], -3),
        "not_moved": lambda x, heads: x.view(*x.shape[:-1], heads, -1),
    },
    "merge_heads": {
        "view": lambda x: x.reshape(*x.shape[:-3], x.shape[-2], -1),
        "dealt": lambda x: x.permute(*range(x.ndim - 3), -2, -1, -3).flatten(-2),
        "mean": lambda x: x.mean(-3),
    },
    "dropout": {
        "not_grown": _dropped(lambda a, keep, p: a * keep),
        "classical": _dropped(lambda a, keep, p: a * keep, lambda a, keep, p: a * (1 - p)),
        "renormalised": _dropped(lambda a, keep, p: a * keep / (a * keep).sum(-1, keepdim=True)),
        "by_p": _dropped(lambda a, keep, p: a * keep / p),
        "inverted": _dropped(lambda a, keep, p: a.masked_fill(keep, 0) / (1 - p)),
        "always": lambda weights, keep, p, training: weights * keep / (1 - p),
    },
    "cross_attention": {
        "swapped": lambda x, context, w_q, w_k, w_v: _attention(x @ w_q, context @ w_v, context @ w_k),
        "reversed": lambda x, context, w_q, w_k, w_v: _attention(context @ w_q, x @ w_k, x @ w_v),
        "self": lambda x, context, w_q, w_k, w_v: _attention(x @ w_q, x @ w_k, x @ w_v),
        "own_values": lambda x, context, w_q, w_k, w_v: _attention(x @ w_q, context @ w_k, x @ w_v),
        "own_keys": lambda x, context, w_q, w_k, w_v: _attention(x @ w_q, x @ w_k, context @ w_v),
    },
    "decode": {
        "upper_left": lambda query, key, value, past_keys, past_values: F.scaled_dot_product_attention(
            query, torch.cat((past_keys, key), -2), torch.cat((past_values, value), -2), is_causal=True
        ),
        "not_appended": lambda query, key, value, past_keys, past_values: _attention(query, past_keys, past_values),
        "forgotten": lambda query, key, value, past_keys, past_values: _attention(
            query, key, value, _future(key.shape[-2])
        ),
        "unmasked": lambda query, key, value, past_keys, past_values: _attention(
            query, torch.cat((past_keys, key), -2), torch.cat((past_values, value), -2)
        ),
    },
    "grouped_queries": {
        "tiled": lambda query, key, value: _attention(
            query,
            torch.cat([key] * (query.shape[-3] // key.shape[-3]), -3),
            torch.cat([value] * (query.shape[-3] // key.shape[-3]), -3),
        ),
        "mean": lambda query, key, value: _attention(query, key.mean(-3, True), value.mean(-3, True)),
        "first": lambda query, key, value: torch.stack(
            [_attention(one, key[..., 0, :, :], value[..., 0, :, :]) for one in query.unbind(-3)], -3
        ),
    },
    "rotate": {
        "interleaved": lambda x, start, base: _turned(x, start, base, interleaved=True),
        "backwards": lambda x, start, base: _turned(x, start, base, sign=-1.0),
        "exponent": lambda x, start, base: _turned(x, start, base, per=1.0),
        "from_zero": lambda x, start, base: _turned(x, start, base, first=0),
        "from_one": lambda x, start, base: _turned(x, start, base, first=start + 1),
    },
    "softmax_backward": {
        "diagonal": lambda weights, upstream: weights * (1 - weights) * upstream,
        "product": lambda weights, upstream: weights * upstream,
        "columns": lambda weights, upstream: weights * (upstream - (weights * upstream).sum(-2, keepdim=True)),
        "unweighted": lambda weights, upstream: weights * (upstream - upstream.sum(-1, keepdim=True)),
        "sign": lambda weights, upstream: weights * ((weights * upstream).sum(-1, keepdim=True) - upstream),
    },
    "tiles": {
        "not_rescaled": lambda scores, values, size: _tiled(
            scores, values, size, shrink_sum=False, shrink_output=False
        ),
        "sum_only": lambda scores, values, size: _tiled(scores, values, size, shrink_output=False),
        "output_only": lambda scores, values, size: _tiled(scores, values, size, shrink_sum=False),
        "average": _average,
        "ragged": lambda scores, values, size: _tiled(scores, values, size, last=False),
        "naive": lambda scores, values, size: (scores.exp() / scores.exp().sum(-1, keepdim=True)) @ values,
        "first_hidden": lambda scores, values, size: _tiled(scores, values, size, careful=False),
        "empty_nan": lambda scores, values, size: _tiled(scores, values, size, empty=False),
    },
}
"""By exercise and the id of the mistake."""


def _loops(query, key, value):
    """One number at a time, with Python's own sums."""
    lead = query.shape[:-2]
    q, k, v = (x.reshape(-1, *x.shape[-2:]) for x in (query, key, value))
    out = query.new_zeros(len(q), query.shape[-2], value.shape[-1])
    for b in range(len(q)):
        for i in range(q.shape[-2]):
            scores = [float((q[b, i] * k[b, j]).sum()) / math.sqrt(q.shape[-1]) for j in range(k.shape[-2])]
            powers = [math.exp(s - max(scores)) for s in scores]
            for j, power in enumerate(powers):
                out[b, i] += power / sum(powers) * v[b, j]
    return out.view(*lead, query.shape[-2], value.shape[-1])


def _by_heads(query, key, value):
    group = query.shape[-3] // key.shape[-3]
    return torch.stack(
        [
            _attention(query[..., h, :, :], key[..., h // group, :, :], value[..., h // group, :, :])
            for h in range(query.shape[-3])
        ],
        -3,
    )


def _token_by_token(query, key, value, past_keys, past_values):
    rows = []
    for i in range(query.shape[-2]):
        past_keys = torch.cat((past_keys, key[..., i : i + 1, :]), -2)
        past_values = torch.cat((past_values, value[..., i : i + 1, :]), -2)
        rows.append(_attention(query[..., i : i + 1, :], past_keys, past_values))
    return torch.cat(rows, -2)


def _jacobian(weights, upstream):
    J = torch.diag_embed(weights) - weights[..., :, None] * weights[..., None, :]
    return (J @ upstream[..., None])[..., 0]


def _complex(x, start, base):
    n, d = x.shape[-2:]
    angle = torch.outer(torch.arange(start, start + n).to(x), base ** (-torch.arange(0, d, 2).to(x) / d))
    turned = torch.complex(*x.chunk(2, -1)) * torch.polar(torch.ones_like(angle), angle)
    return torch.cat((turned.real, turned.imag), -1)


def _without_minus_infinity(scores):
    """Multiplies hidden powers by 0, and takes the maximum of the visible scores alone."""
    seen = scores.masked_fill(_future(scores.shape[-1]), torch.finfo(scores.dtype).min)
    e = (seen - seen.amax(-1, keepdim=True)).exp() * torch.ones_like(scores).tril()
    return e / e.sum(-1, keepdim=True)


RIGHT = {
    "softmax": [
        lambda scores: torch.softmax(scores, dim=-1),
        lambda scores: (scores - scores.logsumexp(-1, keepdim=True)).exp(),
        lambda scores: (e := (scores - scores.amax(-1, True) + 3).exp()) / e.sum(-1, True),
    ],
    "attention": [
        F.scaled_dot_product_attention,
        _loops,
        lambda query, key, value: (
            (query / query.shape[-1] ** 0.25 @ (key / key.shape[-1] ** 0.25).mT).softmax(-1) @ value
        ),
        lambda query, key, value: torch.einsum(
            "...ls,...sv->...lv",
            torch.einsum("...ld,...sd->...ls", query, key).mul(query.shape[-1] ** -0.5).softmax(-1),
            value,
        ),
    ],
    "causal": [
        lambda scores: scores.masked_fill(_future(scores.shape[-1]), -math.inf).softmax(-1),
        lambda scores: (scores + torch.full_like(scores, -1e9).triu(1)).softmax(-1),
        _without_minus_infinity,
    ],
    "padding": [
        lambda scores, keep: scores.masked_fill(~keep[:, None, None, :], -math.inf).softmax(-1).nan_to_num(0),
        lambda scores, keep: scores.masked_fill(~keep[:, None, None, :], -1e9).softmax(-1) * keep[:, None, None, :],
    ],
    "split_heads": [
        lambda x, heads: x.unflatten(-1, (heads, -1)).transpose(-3, -2),
        lambda x, heads: torch.stack(x.chunk(heads, -1), -3),
    ],
    "merge_heads": [
        lambda x: x.transpose(-3, -2).flatten(-2),
        lambda x: torch.cat(x.unbind(-3), -1),
    ],
    "dropout": [
        _dropped(lambda a, keep, p: a * keep / (1 - p)),
        _dropped(lambda a, keep, p: torch.where(keep, a / (1 - p), 0)),
    ],
    "cross_attention": [
        lambda x, context, w_q, w_k, w_v: F.scaled_dot_product_attention(x @ w_q, context @ w_k, context @ w_v),
        # The product of both weight matrices takes the place of queries and keys.
        lambda x, context, w_q, w_k, w_v: (
            (x @ (w_q @ w_k.mT) @ context.mT / w_q.shape[-1] ** 0.5).softmax(-1) @ context @ w_v
        ),
    ],
    "decode": [
        _token_by_token,
        # The new tokens come first: without positions, the order of keys does not matter.
        lambda query, key, value, past_keys, past_values: _attention(
            query,
            torch.cat((key, past_keys), -2),
            torch.cat((value, past_values), -2),
            F.pad(_future(key.shape[-2]), (0, past_keys.shape[-2])),
        ),
    ],
    "grouped_queries": [
        _by_heads,
        lambda query, key, value: F.scaled_dot_product_attention(query, key, value, enable_gqa=True),
    ],
    "rotate": [_turned, _complex],
    "softmax_backward": [
        lambda weights, upstream: weights * (upstream - (weights * upstream).sum(-1, keepdim=True)),
        _jacobian,
    ],
    "tiles": [
        _tiled,
        lambda scores, values, size: scores.softmax(-1).nan_to_num(0) @ values,
    ],
}
"""By exercise: the usual way, and others."""
