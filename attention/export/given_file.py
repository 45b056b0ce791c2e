"""Queries, keys and values in a file: found by their names or in a record, checked, and written."""

import json
from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import Path

import torch
from torch import Tensor

from attention.export import files
from attention.export import given_checks as checks
from attention.export.arrays import Contents
from attention.export.given import Given
from attention.export.unreadable import UnreadableError, quoted
from attention.trace import Trace

# The names of arrays, each with the names that a file may use.
_NAMES = {"q": ("q", "query", "queries"), "k": ("k", "key", "keys"), "v": ("v", "value", "values")}
# Further arrays that are read, by the ids of steps.
_MORE = ("scale", "softcap", "sink", "slopes", "query_positions", "key_positions", "weights")
_TOKEN = 40
_GIVEN = frozenset(("queries", "keys", "values"))


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
    """The mask once if it is the same for all sentences and all heads."""
    flat = mask.reshape(-1, *mask.shape[-2:])
    return flat[0] if torch.equal(flat, flat[:1].expand(flat.shape)) else mask


def _met(trace: Trace) -> dict[str, Tensor]:
    """The queries, keys and values of the scores: rotated, normed and joined to a cache, as far as they were."""
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


def _fitted(parts: Mapping[str, Tensor], mask: Tensor | None, more: Mapping[str, Tensor]) -> Given:
    q, k, v = (checks.whole(name, parts[name]) for name in _NAMES)
    sentences = max(q.shape[0], k.shape[0], v.shape[0])
    for name, one in (("k", k), ("v", v)):
        checks.same("batch", "q", q.shape[0], name, one.shape[0])
    checks.same("feature", "q", q.shape[3], "k", k.shape[3])
    checks.same("key", "k", k.shape[2], "v", v.shape[2])
    checks.same("head", "k", k.shape[1], "v", v.shape[1])
    (_, heads, queries, _), (_, kv_heads, keys, _) = q.shape, k.shape
    if heads % kv_heads:
        raise UnreadableError("heads", heads=heads, kv_heads=kv_heads)
    pairs = (sentences, heads, queries, keys)
    positions = None
    if "slopes" in more:
        wanted = (("query_positions", queries), ("key_positions", keys))
        places = [checks.row(name, more[name], size) for name, size in wanted if name in more]
        positions = (places[0], places[1]) if len(places) == 2 else None
    return Given(
        q,
        k,
        v,
        None if mask is None else checks.as_mask(mask, pairs),
        checks.number("scale", more.get("scale")),
        checks.number("softcap", more.get("softcap")),
        checks.row("sink", more["sink"], heads) if "sink" in more else None,
        checks.row("slopes", more["slopes"], heads) if "slopes" in more else None,
        positions,
        weights=checks.as_weights(more["weights"], pairs) if "weights" in more else None,
    )


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
    # A word without visible characters becomes a space sign, as tokenisers draw it.
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
