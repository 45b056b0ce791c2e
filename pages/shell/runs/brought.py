"""Files that visitors have opened: their tensors, by a name that fits into an address.

The store has weak references alone. Sessions hold the files that they have opened, so the tensors are freed when the
last such session ends (docs/decisions/open-a-file.md).
"""

import hashlib
import threading
from dataclasses import dataclass, field, replace
from functools import cache
from typing import Any
from weakref import WeakValueDictionary

import torch

from attention.export.arrays import Limits, read
from attention.export.given import Given
from attention.export.given_file import given
from attention.export.unreadable import UnreadableError, quoted
from attention.inputs.presets import Prepared
from attention.inputs.tokens import Inputs
from attention.masks import CORNERS, MASKS, grid
from attention.modules import MultiHeadAttention
from pages.shell.i18n import listed, say
from pages.shell.i18n.markdown import code
from pages.shell.i18n.numbers import apart
from pages.shell.runs.memo import Memo
from pages.shell.state.config import FILE, HEADS, LEARNED, OF_PRESET, SENTENCES, TOKENS, Config

LIMITS = Limits(file=8_000_000, unpacked=32_000_000)
# MOST: bytes of all open files together. _RUNS: bytes of the runs that are kept for one file.
MOST, _RUNS = 256_000_000, 16_000_000
_LONGEST_NAME = 60


@dataclass(eq=False)
class Brought:
    """An open file. id: its name in an address; name: its file name, made drawable; whole: its tensors; shown: the part
    of them that figures have room for; mask: the controls that choose its mask, None where none do; difference: between
    its weights and the weights of its queries and keys, None where it has no weights; runs: what was computed from it,
    freed together with it.
    """

    id: str
    name: str
    whole: Given
    shown: Given
    mask: dict[str, str | int] | None
    difference: float | None
    runs: Memo = field(default_factory=lambda: Memo(_RUNS))

    @property
    def bytes(self) -> int:
        found = (self.whole.queries, self.whole.keys, self.whole.values, self.whole.mask)
        return sum(tensor.nbytes for tensor in found if tensor is not None)

    @property
    def is_cut(self) -> bool:
        return self.whole.sizes != self.shown.sizes

    def notes(self) -> tuple[str, ...]:
        """Sentences about the file: what it is, what it lacks, and which part is shown."""
        _, heads, queries, keys = self.whole.sizes
        told = [say("file.shown", name=code(self.name), heads=heads, queries=queries, keys=keys)]
        lacking = [say("file.lacks")] if not self.whole.before else [say("file.left", steps=self._before())]
        if self.is_cut:
            _, heads, _, keys = self.shown.sizes
            lacking.append(say("file.cut", heads=heads, keys=keys))
        own = self.whole
        if own.crosses:
            lacking.append(say("file.crosses"))
        for name, value in (("scale", own.scale), ("softcap", own.softcap)):
            if value is not None:
                lacking.append(say(f"file.factor.{name}", value=f"{value:.4g}"))
        for name, there in (("sink", own.sink), ("slopes", own.slopes)):
            if there is not None:
                lacking.append(say(f"file.brings.{name}"))
        if own.mask is not None and self.mask is None:
            lacking.append(say("file.mask"))
        if self.difference is not None:
            lacking.append(say("file.weights", difference=apart(self.difference)))
        return (listed("sentence", (*told, *lacking)),)

    def _before(self) -> str:
        return listed("comma", (say(f"step.{id}.title") for id in self.whole.before))

    def prepared(self) -> Prepared:
        return prepared(self.shown)


def prepared(own: Given) -> Prepared:
    """The words of the queries, and a layer of the right sizes without weights, since a file begins after the layer."""
    heads, d_k, d_v = own.heads, own.queries.shape[-1], own.values.shape[-1]
    with torch.device("meta"):
        layer = MultiHeadAttention(heads * d_k, heads, d_k=d_k, d_v=d_v, kv_heads=own.keys.shape[1])
    layer.requires_grad_(False)
    return Prepared(_numbered(own, own.sizes[2]) if own.crosses else _words(own), layer)


def context(own: Given) -> Inputs | None:
    """The words of the keys, where they differ from those of the queries."""
    return _words(own) if own.crosses else None


def _words(own: Given) -> Inputs:
    """The words of the keys, or numbers in their place."""
    numbered = _numbered(own, own.sizes[3])
    return replace(numbered, tokens=own.tokens) if own.tokens else numbered


def _numbered(own: Given, count: int) -> Inputs:
    sentences = own.sizes[0]
    names = (tuple(map(str, range(1, count + 1))),) * sentences
    return Inputs(names, (count,) * sentences, torch.empty(sentences, count, 0))


def opened(name: str, content: bytes) -> Brought:
    """Open a file. UnreadableError: it cannot be read, or there is no room for it beside those of other visitors.

    The caller must keep what is returned, since the store holds it weakly. A file that is open already is returned as
    the same object.
    """
    id = hashlib.sha256(content).hexdigest()[:32]
    if (there := found(id)) is not None:
        return there
    whole = given(read(content, LIMITS))
    mask, difference = _named(whole), whole.difference()
    # A mask that our controls can choose becomes their setting, so that the visitor can exchange it.
    kept = replace(whole, weights=None, mask=None if mask is not None else whole.mask)
    shown = kept.first(TOKENS, HEADS, SENTENCES)
    made = Brought(id, quoted(name, _LONGEST_NAME), kept, shown, mask, difference)
    with _lock():
        if sum(other.bytes for other in list(_store().values())) + made.bytes > MOST:
            raise UnreadableError("room")
        return _store().setdefault(id, made)


def found(id: str) -> Brought | None:
    """The file of this name; None if no session has it open."""
    return _store().get(id)


def of(config: Config) -> Brought | None:
    """The file that a screen shows."""
    return found(config.tensors) if config.preset == FILE else None


def settled(config: Config) -> Config:
    """The screen with the mask of its file, unless a mask is chosen; if the file is not open, with the layer that
    learned in its place."""
    if config.preset != FILE:
        return config
    there = of(config)
    if there is None:
        return replace(config, preset=LEARNED)
    if config.mask != OF_PRESET or there.mask is None:
        return config
    return replace(config, **there.mask)  # type: ignore[arg-type]


def _named(own: Given) -> dict[str, str | int] | None:
    """The controls that choose the mask of a file; None where no controls do."""
    *_, queries, keys = own.sizes
    if own.mask is None:
        return {"mask": "full"}
    mask = own.mask[0, 0]
    if not torch.equal(own.mask, mask.expand(own.mask.shape)):
        return None
    corners = CORNERS if queries < keys else CORNERS[:1]
    for name, rule in MASKS.items():
        for number in range(1, min(keys, TOKENS) + 1) if rule.parameters else (0,):
            parameters: dict[str, Any] = dict.fromkeys(rule.parameters, number)
            for corner in corners:
                if torch.equal(mask, grid(name, queries, keys, corner=corner, **parameters)):
                    return {"mask": name, **parameters} | ({"corner": corner} if len(corners) > 1 else {})
    return None


@cache
def _store() -> WeakValueDictionary[str, Brought]:
    return WeakValueDictionary()


@cache
def _lock() -> threading.Lock:
    return threading.Lock()
