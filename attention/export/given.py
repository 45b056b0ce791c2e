"""Queries, keys and values that somebody brings in a file: checked, in one form, and ready to be attended with."""

import json
import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

import torch
from torch import Tensor

from attention.export import files
from attention.export.arrays import Contents
from attention.export.unreadable import UnreadableError, quoted
from attention.functional import scaled_dot_product_attention
from attention.trace import Trace

# The names of arrays, each with the names that a file may use.
_NAMES = {"q": ("q", "query", "queries"), "k": ("k", "key", "keys"), "v": ("v", "value", "values")}
# The largest axes that are opened.
LONGEST, WIDEST, MOST_HEADS, MOST_SENTENCES = 512, 1024, 128, 64
# An added number of at most this hides a key: transformers add the smallest number of a dtype.
HIDES = -1e4
_TOKEN = 40
_GIVEN = frozenset(("queries", "keys", "values"))


@dataclass(frozen=True)
class Given:
    """The tensors of a file: queries, keys and values (batch, heads, n, d), floating-point.

    Queries belong to the last tokens or, if there are more queries than keys, to another text. mask: boolean, (batch or
    1, heads or 1, L, S), True = may attend. sink: (heads,). slopes: (heads,), with the positions of queries and keys.
    tokens: the words of the keys, one sentence for each of the batch, () if the file has none. weights: as in the file,
    (batch, heads, L, S). before: the steps of a record that made queries, keys and values, or refined them.
    """

    queries: Tensor
    keys: Tensor
    values: Tensor
    mask: Tensor | None = None
    scale: float | None = None
    softcap: float | None = None
    sink: Tensor | None = None
    slopes: Tensor | None = None
    positions: tuple[Tensor, Tensor] | None = None
    tokens: tuple[tuple[str, ...], ...] = ()
    weights: Tensor | None = None
    before: tuple[str, ...] = ()

    @property
    def heads(self) -> int:
        return self.queries.shape[1]

    @property
    def sizes(self) -> tuple[int, int, int, int]:
        """Sentences, heads, queries, keys."""
        return (*self.queries.shape[:3], self.keys.shape[2])

    @property
    def crosses(self) -> bool:
        """Whether queries and keys are surely of two texts: more queries than keys are not the last of their tokens."""
        return self.queries.shape[2] > self.keys.shape[2]

    def attend(
        self,
        trace: Trace,
        *,
        mask: Tensor | None = None,
        scale: float | None = None,
        dropout: float = 0.0,
        generator: torch.Generator | None = None,
    ) -> Tensor:
        """Attention of these tensors, recorded. mask: None is their own; scale: None is their own."""
        places, key_places = self.positions or (None, None)
        return scaled_dot_product_attention(
            self.queries,
            self.keys,
            self.values,
            enable_gqa=self.keys.shape[1] != self.heads,
            scale=self.scale if scale is None else scale,
            softcap=self.softcap,
            sink=self.sink,
            slopes=self.slopes,
            positions=places,
            key_positions=key_places,
            mask=self.mask if mask is None else mask,
            dropout=dropout,
            generator=generator,
            trace=trace,
        )

    def difference(self) -> float | None:
        """The largest difference between the weights in the file and those of its queries and keys; None without
        weights."""
        if self.weights is None:
            return None
        trace = Trace()
        with torch.inference_mode():
            self.attend(trace)
        return float((trace["weights"].value - self.weights).abs().max())

    def last(self, queries: int) -> "Given":
        """The tensors with only the last `queries` queries; 0 for all of them."""
        asks = slice(-queries, None) if queries else slice(None)
        return replace(
            self,
            queries=self.queries[:, :, asks],
            mask=None if self.mask is None else self.mask[:, :, asks],
            positions=None if self.positions is None else (self.positions[0][asks], self.positions[1]),
            weights=None if self.weights is None else self.weights[:, :, asks],
        )

    def alone(self, sentence: int, head: int) -> "Given":
        """The tensors of one sentence and one query head, each from 0, with batch and head axes of 1."""
        own = head // (self.heads // self.keys.shape[1])
        at, here, key = slice(sentence, sentence + 1), slice(head, head + 1), slice(own, own + 1)
        mask = self.mask
        if mask is not None:
            mask = mask[at if mask.shape[0] > 1 else slice(1), here if mask.shape[1] > 1 else slice(1)]
        return replace(
            self,
            queries=self.queries[at, here],
            keys=self.keys[at, key],
            values=self.values[at, key],
            mask=mask,
            sink=None if self.sink is None else self.sink[here],
            slopes=None if self.slopes is None else self.slopes[here],
            tokens=self.tokens[at],
            weights=None if self.weights is None else self.weights[at, here],
        )

    def first(self, tokens: int, heads: int, sentences: int) -> "Given":
        """The tensors of the first tokens, heads and sentences. Groups of heads that share keys stay whole."""
        group = self.heads // self.keys.shape[1]
        kept = max(1, heads // group)
        at, here = slice(sentences), slice(kept * group)
        # Queries are the last tokens, unless they belong to another text.
        missing = 0 if self.crosses else self.keys.shape[2] - self.queries.shape[2]
        asks, keys = slice(max(0, tokens - missing)), slice(tokens)
        mask, weights = self.mask, self.weights
        return replace(
            self,
            queries=self.queries[at, here, asks],
            keys=self.keys[at, :kept, keys],
            values=self.values[at, :kept, keys],
            mask=None if mask is None else mask[at, here, asks, keys],
            sink=None if self.sink is None else self.sink[here],
            slopes=None if self.slopes is None else self.slopes[here],
            positions=None if self.positions is None else (self.positions[0][asks], self.positions[1][keys]),
            tokens=tuple(words[keys] for words in self.tokens[at]),
            weights=None if weights is None else weights[at, here, asks, keys],
        )


def given(contents: Contents) -> Given:
    """The tensors in a file. UnreadableError: a tensor is missing, does not fit, or has a number that is not finite."""
    found = _of_record(contents) if files.ABOUT in contents.texts else _of_arrays(contents.tensors)
    return replace(found, tokens=_tokens(contents, *found.keys.shape[::2]))


def _of_arrays(tensors: Mapping[str, Tensor]) -> Given:
    named = {name: next((tensors[one] for one in others if one in tensors), None) for name, others in _NAMES.items()}
    missing = [name for name, tensor in named.items() if tensor is None]
    if missing:
        raise UnreadableError("missing", names=", ".join(missing))
    parts = {name: tensor for name, tensor in named.items() if tensor is not None}
    return _fitted(parts, tensors.get("mask"), {name: tensors[name] for name in _MORE if name in tensors})


def save(trace: Trace, path: str | Path, tokens: Sequence[str] = ()) -> None:
    """Write the inputs of attention (q, k, v, the mask, scale, soft cap, sink, slopes) without its steps, which a
    reader computes again: h · n · d numbers for n tokens instead of h · n · n.

    ValueError: a record without scores, another ending than .npz or .safetensors, more or fewer tokens than keys.
    """
    files.check_tokens(trace, tokens)
    tensors = {name: value if value.dtype != torch.bfloat16 else value.float() for name, value in _met(trace).items()}
    tensors |= {name: trace[name].value for name in _MORE if name in trace and name != "weights"}
    if "mask" in trace:
        tensors["mask"] = _shared(trace["mask"].value)
    files.write(path, tensors, {files.TOKENS: list(tokens)} if tokens else {})


def _shared(mask: Tensor) -> Tensor:
    """A mask once, where it is the same for all sentences and all heads."""
    flat = mask.reshape(-1, *mask.shape[-2:])
    return flat[0] if torch.equal(flat, flat[:1].expand(flat.shape)) else mask


def _met(trace: Trace) -> dict[str, Tensor]:
    """The queries, keys and values as they meet: rotated, normed and joined to a cache, where they were."""
    if "scores" not in trace:
        raise ValueError("no step 'scores'")
    met = {"q": trace.before("scores", "Q"), "k": trace.before("scores", "K"), "v": trace.before("output", "V")}
    return {name: step.value for name, step in met.items()}


def _of_record(contents: Contents) -> Given:
    trace = Trace()
    try:
        files.fill(trace, contents.texts[files.ABOUT], contents.tensors)
        made = _met(trace)
    except (ValueError, KeyError) as error:
        raise UnreadableError("record", why=quoted(error.args[0] if error.args else error, 200)) from error
    more = {name: trace[name].value for name in _MORE if name in trace}
    mask = trace["mask"].value if "mask" in trace else None
    found = _fitted(made, mask, more)
    ids = list(trace)
    earlier = tuple(id for id in ids[: ids.index("scores")] if id not in _GIVEN and trace[id].quantity.axes)
    return replace(found, before=earlier)


# Further arrays that are read, by the ids of steps.
_MORE = ("scale", "softcap", "sink", "slopes", "query_positions", "key_positions", "weights")


def _fitted(parts: Mapping[str, Tensor], mask: Tensor | None, more: Mapping[str, Tensor]) -> Given:
    q, k, v = (_whole(name, parts[name]) for name in _NAMES)
    sentences = max(q.shape[0], k.shape[0], v.shape[0])
    for name, one in (("k", k), ("v", v)):
        _same("batch", "q", q.shape[0], name, one.shape[0])
    _same("feature", "q", q.shape[3], "k", k.shape[3])
    _same("key", "k", k.shape[2], "v", v.shape[2])
    _same("head", "k", k.shape[1], "v", v.shape[1])
    (_, heads, queries, _), (_, kv_heads, keys, _) = q.shape, k.shape
    if heads % kv_heads:
        raise UnreadableError("heads", heads=heads, kv_heads=kv_heads)
    pairs = (sentences, heads, queries, keys)
    positions = None
    if "slopes" in more:
        wanted = (("query_positions", queries), ("key_positions", keys))
        places = [_row(name, more[name], size) for name, size in wanted if name in more]
        positions = (places[0], places[1]) if len(places) == 2 else None
    return Given(
        q,
        k,
        v,
        None if mask is None else _mask(mask, pairs),
        _number("scale", more.get("scale")),
        _number("softcap", more.get("softcap")),
        _row("sink", more["sink"], heads) if "sink" in more else None,
        _row("slopes", more["slopes"], heads) if "slopes" in more else None,
        positions,
        weights=_weights(more["weights"], pairs) if "weights" in more else None,
    )


def _whole(name: str, value: Tensor) -> Tensor:
    """(batch, heads, n, d) in float32, every number finite."""
    if not value.is_floating_point():
        raise UnreadableError("floats", name=name, dtype=_dtype(value))
    if not 2 <= value.ndim <= 4:
        raise UnreadableError("axes", name=name, axes=value.ndim)
    if not value.numel():
        raise UnreadableError("empty", name=name)
    whole = value[(None,) * (4 - value.ndim)].float()
    mosts = {"batch": MOST_SENTENCES, "head": MOST_HEADS, "token": LONGEST, "feature": WIDEST}
    for (axis, most), size in zip(mosts.items(), whole.shape, strict=True):
        if size > most:
            raise UnreadableError("largest", name=name, axis=axis, size=size, most=most)
    _finite(name, value)
    # A float64 beyond float32 is as infinite as any other.
    _finite(name, whole)
    return whole.contiguous()


def _finite(name: str, value: Tensor) -> None:
    wrong = ~value.isfinite()
    if wrong.any():
        place = wrong.nonzero()[0].tolist()
        raise UnreadableError("number", name=name, value=value[tuple(place)].item(), place=place)


def _mask(mask: Tensor, pairs: Sequence[int]) -> Tensor:
    """A mask as a boolean one with four axes, of which the first two may be 1."""
    if mask.ndim < 2 or mask.ndim > 4:
        raise UnreadableError("fits", name="mask", sizes=list(mask.shape), wanted=list(pairs[-2:]))
    if mask.dtype != torch.bool:
        mask = _as_boolean(mask)
    whole = mask[(None,) * (4 - mask.ndim)]
    if any(size not in (1, wanted) for size, wanted in zip(whole.shape, pairs, strict=True)):
        raise UnreadableError("fits", name="mask", sizes=list(mask.shape), wanted=list(pairs[-mask.ndim :]))
    return whole.expand(*whole.shape[:2], *pairs[2:]).contiguous()


def _as_boolean(mask: Tensor) -> Tensor:
    if not mask.is_floating_point():
        raise UnreadableError("mask", dtype=_dtype(mask))
    shows, hides = mask == 0, mask <= HIDES
    strange = ~(shows | hides)
    if strange.any():
        place = strange.nonzero()[0].tolist()
        raise UnreadableError("adds", value=f"{mask[tuple(place)].item():.4g}", place=place, hides=f"{HIDES:g}")
    return shows


def _weights(weights: Tensor, pairs: Sequence[int]) -> Tensor:
    whole = _whole("weights", weights) if weights.is_floating_point() else weights
    if not weights.is_floating_point() or tuple(whole.shape) != tuple(pairs):
        raise UnreadableError("fits", name="weights", sizes=list(weights.shape), wanted=list(pairs))
    return whole


def _number(name: str, value: Tensor | None) -> float | None:
    if value is None:
        return None
    if value.numel() != 1 or not math.isfinite(number := float(value)):
        raise UnreadableError("scalar", name=name)
    if name == "softcap" and number <= 0:
        raise UnreadableError("scalar", name=name)
    return number


def _row(name: str, value: Tensor, size: int) -> Tensor:
    """(size,) in float32; a single number stands for each."""
    flat = value.float().reshape(-1)
    if flat.numel() not in (1, size):
        raise UnreadableError("fits", name=name, sizes=list(value.shape), wanted=[size])
    _finite(name, flat)
    return flat.expand(size).contiguous()


def _same(axis: str, one: str, size: int, other: str, others: int) -> None:
    if size != others:
        raise UnreadableError("differ", axis=axis, one=one, size=size, other=other, others=others)


def _tokens(contents: Contents, sentences: int, keys: int) -> tuple[tuple[str, ...], ...]:
    """The words of each sentence: as many strings as there are keys or, as JSON, a list of such lists."""
    said = contents.texts.get(files.TOKENS, ())
    if not said:
        return ()
    lists = [list(said)]
    if (len(said) == 1 and keys != 1) or said[0].startswith("["):
        lists = _listed(said[0])
    for words in lists:
        if len(words) != keys:
            raise UnreadableError("tokens", count=len(words), keys=keys)
    if len(lists) not in (1, sentences):
        raise UnreadableError("fits", name="tokens", sizes=[len(lists), keys], wanted=[sentences, keys])
    # A word that draws nothing is a space, as tokenisers have it.
    made = tuple(tuple(quoted(word, _TOKEN).strip() or "␣" for word in words) for words in lists)
    return made if len(made) == sentences else made * sentences


def _listed(text: str) -> list[list[str]]:
    try:
        found = json.loads(text)
    except (ValueError, RecursionError):
        found = [text]
    if not isinstance(found, list) or not found:
        found = [text]
    lists = found if all(isinstance(one, list) for one in found) else [found]
    return [[str(word) for word in words] for words in lists]


def _dtype(value: Tensor) -> str:
    return str(value.dtype).removeprefix("torch.")
