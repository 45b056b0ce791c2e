"""Trained models on the screen: loaded once for all visitors, what they make of a text, and one of their heads."""

import re
import threading
from bisect import bisect_right
from collections.abc import Callable
from dataclasses import dataclass, field, replace
from functools import cache
from typing import Any

import torch
from torch import Tensor

from attention.analysis.hidden_keys import score_variance, value_lengths
from attention.inputs import trained
from attention.inputs.tokens import Inputs
from attention.inputs.trained import Changes, TrainedModel
from attention.inputs.trained.changes import Sizes
from attention.inputs.trained.model import LayerTrace
from pages.shell.runs.memo import Memo
from pages.shell.runs.run import Run
from pages.shell.runs.scheduling import turn
from pages.shell.state.config import DEFAULTS, TOKENS
from pages.shell.state.page_controls import Models
from pages.shell.state.painted_cells import text as painted

# Bytes: dozens of sentences, two of the longest.
_REMEMBERED = 64_000_000
TEXTS = {"minilm": "a fluffy blue creature roamed the verdant forest", "smollm2": "The capital of France is"}
OTHER = "a furry animal walked through the green woods"
UNRELATED = "the train to the airport leaves at seven"
REPEATED = "a fluffy creature roamed quickly. A fluffy creature roamed"
# A layer and a head, from 1, that a model is opened with: each attends to the token before.
OPENED = {"minilm": (1, 3), "smollm2": (17, 1)}


@dataclass(frozen=True)
class Asked:
    """A model, a text and what is changed. off: (layer, head), from 0; rank: (layer, head, directions); layer: the only
    one that scale, mask, dropout and hidden concern, None for all."""

    model: str
    text: str
    scale: str = "sqrt_d_k"
    mask: str | None = None
    dropout: float = 0.0
    off: tuple[tuple[int, int], ...] = ()
    rank: tuple[int, int, int] | None = None
    hidden: bool = False
    layer: int | None = None

    def plain(self) -> "Asked":
        """The same text as the model was trained."""
        return Asked(self.model, self.text)

    def of(self, text: str) -> "Asked":
        return replace(self, text=text)

    @property
    def changes(self) -> dict[str, Any]:
        """As keywords of a model."""
        common: dict[str, Any] = {
            "scale": None if self.scale == "sqrt_d_k" else self.scale,
            "mask": self.mask,
            "dropout": self.dropout,
            "hidden": (0,) if self.hidden else (),
        }
        if self.layer is not None:
            common = {name: {self.layer: value} for name, value in common.items()}
        off: dict[int, tuple[int, ...]] = {}
        for layer, head in self.off:
            off[layer] = (*off.get(layer, ()), head)
        rank = {self.rank[0]: {self.rank[1]: self.rank[2]}} if self.rank else None
        return common | {"off": off, "rank": rank, "generator": torch.Generator().manual_seed(0)}


@dataclass(frozen=True)
class Seen:
    """What a model makes of a text.

    tokens: to be read; weights (layer, head, query, key); mask: of the first layer, None where nothing is hidden;
    states: hidden ones before each layer and after the last; lengths: |v_j W_O| (layer, head, key); variances: of the
    scaled scores (layer, head); output: what the model says.
    """

    tokens: tuple[str, ...]
    weights: Tensor
    mask: Tensor | None
    states: tuple[Tensor, ...]
    lengths: Tensor
    variances: Tensor
    output: Tensor

    @property
    def bytes(self) -> int:
        return sum(tensor.nbytes for tensor in (self.weights, self.lengths, self.output, *self.states))


def asked(screen: Models) -> Asked:
    """What a screen asks for, within the sizes of its model."""
    sizes = sizes_of(screen.model)
    layer, head = place(screen)
    named = re.findall(r"(\d{1,3})\.(\d{1,3})", screen.model_off)
    pairs = {(int(number) - 1, int(of) - 1) for number, of in named}
    off = sorted(one for one in pairs if 0 <= one[0] < sizes.layers and 0 <= one[1] < sizes.heads)
    own = "causal" if sizes.causal else "full"
    changed = {
        "scale": screen.model_scale,
        "mask": None if screen.model_mask in ("preset", own) else screen.model_mask,
        "dropout": screen.model_dropout,
        "hidden": screen.hide_first,
    }
    is_changed = any(value != getattr(Asked, name) for name, value in changed.items())
    return Asked(
        screen.model,
        screen.model_text.strip() or TEXTS[screen.model],
        off=tuple(off),
        rank=(layer, head, screen.rank) if screen.rank < sizes.d_k else None,
        layer=None if screen.everywhere or not is_changed else layer,
        **changed,  # type: ignore[arg-type]
    )


def place(screen: Models) -> tuple[int, int]:
    """The layer and the head of a screen, from 0, that its model has."""
    sizes = sizes_of(screen.model)
    return min(screen.model_layer, sizes.layers) - 1, min(screen.model_head, sizes.heads) - 1


def sizes_of(name: str) -> Sizes:
    return trained.SIZES[name]


@dataclass(frozen=True)
class _Process:
    """The models that are there, for all visitors."""

    models: dict[str, TrainedModel] = field(default_factory=dict)
    loading: threading.Lock = field(default_factory=threading.Lock)


@cache
def _process() -> _Process:
    return _Process()


def loaded(name: str) -> TrainedModel | None:
    """A model that is there already; None where somebody would have to wait for it."""
    return _process().models.get(name)


def load(name: str, progress: Callable[[float], object], waiting: Callable[[], object]) -> TrainedModel:
    """A model, loaded by one visitor for all, in one of the places for experiments.

    MissingModelError: as `attention.inputs.trained.load`.
    """
    process = _process()
    if name not in process.models:
        with turn(waiting), process.loading:
            if name not in process.models:
                process.models[name] = trained.load(name, progress)
    return process.models[name]


def fitting(model: TrainedModel, text: str, most: int = TOKENS) -> str:
    """The text, or as much of its beginning as has so many tokens."""
    if len(model.ids(text)) <= most:
        return text
    length = bisect_right(range(len(text)), most, key=lambda end: len(model.ids(text[:end]))) - 1
    return text[:length]


def seen(asked: Asked, waiting: Callable[[], object] = lambda: None) -> Seen | None:
    """What a model makes of a text, remembered; None where the model is not loaded. Nobody may change it."""
    model = loaded(asked.model)
    if model is None:
        return None

    def made() -> Seen:
        with turn(waiting):
            return _seen(model, asked)

    return _texts().get(asked, made, lambda found: found.bytes)


def is_there(asked: Asked) -> bool:
    """Whether nobody would have to wait for it."""
    return asked in _texts()


@cache
def _texts() -> Memo:
    return Memo(_REMEMBERED)


@cache
def _layers() -> Memo:
    return Memo(_REMEMBERED // 2)


def _seen(model: TrainedModel, asked: Asked) -> Seen:
    text = fitting(model, asked.text)
    weights, states, lengths, variances, mask = [], [], [], [], None
    for number, layer in enumerate(model.run(text, **asked.changes)):
        trace = layer.trace
        weights.append(trace["weights"].value[0])
        states.append(layer.before)
        lengths.append(value_lengths(trace)[0])
        variances.append(score_variance(trace)[0])
        if number == 0 and "mask" in trace:
            mask = trace["mask"].value[0, 0]
        last = layer.after
    stacked = (torch.stack(parts) for parts in (weights, lengths, variances))
    whole, long, spread = stacked
    tokens = model.shown(model.ids(text))
    return Seen(tokens, whole, mask, (*states, last), long, spread, model.said(last))


def opened(asked: Asked, layer: int, head: int) -> Run | None:
    """One layer of a model on a text as a run, with one of its heads (from 0); None where the model is not loaded."""
    model, found = loaded(asked.model), seen(asked)
    if model is None or found is None:
        return None
    changed = Changes.named(asked.changes)
    at = changed.at(layer, model.sizes, len(found.tokens))

    def made() -> Run:
        trace = LayerTrace()
        generator = changed.drawn(model.sizes.layers)[layer]
        model.through(layer, found.states[layer], at, generator=generator, trace=trace)
        inputs = Inputs((found.tokens,), (len(found.tokens),), trace["x"].value)
        here = asked.layer in (None, layer)
        hidden = tuple((query, 0) for query in range(len(found.tokens))) if asked.hidden and here else ()
        config = replace(
            DEFAULTS,
            preset=asked.model,
            text=asked.text,
            mask=(asked.mask if here else None) or ("causal" if model.sizes.causal else "full"),
            painted=painted(tuple(cell for cell in hidden if at.mask is not None)),
            scale=asked.scale if here else "sqrt_d_k",
            dropout=at.dropout,
        )
        # An encoder ends its text with a token that stands for no word.
        focus = max(len(found.tokens) - (1 if model.sizes.causal else 2), 0)
        return Run(config, inputs, model.changed(layer, at), trace, focus)

    run = _layers().get((asked, layer), made, _weigh)
    return replace(run, config=replace(run.config, head=head + 1))


def _weigh(run: Run) -> int:
    return sum(step.value.nbytes for id, step in run.trace.items() if not id.startswith(("w_", "b_")))
