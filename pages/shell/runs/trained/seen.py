"""What trained models make of texts, remembered, and one of their heads as a run."""

from collections.abc import Callable
from dataclasses import replace
from functools import cache
from typing import Any

import torch

from attention.analysis.hidden_keys import score_variance, value_lengths
from attention.inputs.tokens import Inputs
from attention.inputs.trained import Changes, TrainedModel
from attention.inputs.trained.model import LayerTrace
from attention.masks import MASKS, grid
from pages.shell.runs.memo import Memo
from pages.shell.runs.run import Run
from pages.shell.runs.scheduling import turn
from pages.shell.runs.trained.asked import Asked, last_word, own_mask
from pages.shell.runs.trained.loaded import fitting, loaded
from pages.shell.runs.trained.recorded import Seen, recorded
from pages.shell.state.config import DEFAULTS
from pages.shell.state.painted_cells import text as painted

# Bytes: dozens of sentences, two of the longest.
_REMEMBERED = 64_000_000


def seen(asked: Asked, waiting: Callable[[], object] = lambda: None) -> Seen | None:
    """What a model makes of a text, remembered; of a model that is not loaded what is kept in a file of it, None where
    nothing is. Nobody may change it."""
    model = loaded(asked.model)
    if model is None:
        return recorded(asked)

    def made() -> Seen:
        with turn(waiting):
            return computed(model, asked)

    return _texts().get(asked, made, lambda found: found.bytes)


@cache
def _texts() -> Memo:
    return Memo(_REMEMBERED)


@cache
def _layers() -> Memo:
    return Memo(_REMEMBERED // 2)


def computed(model: TrainedModel, asked: Asked) -> Seen:
    """What a model makes of a text."""
    text = fitting(model, asked.text)
    ids = model.ids(text)
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
    whole, long, spread = (torch.stack(parts) for parts in (weights, lengths, variances))
    return Seen(model.shown(ids), tuple(ids), whole, mask, (*states, last), long, spread, model.said(last))


def opened(asked: Asked, layer: int, head: int) -> Run | None:
    """One layer of a model on a text as a run, with one of its heads (from 0); None where the model is not loaded."""
    model, found = loaded(asked.model), seen(asked)
    if model is None or found is None:
        return None
    run = _layers().get((asked, layer), lambda: _layer(model, found, asked, layer), _weigh)
    return replace(run, config=replace(run.config, head=head + 1))


def _layer(model: TrainedModel, found: Seen, asked: Asked, layer: int) -> Run:
    changed, count = Changes.named(asked.changes), len(found.tokens)
    at, trace = changed.at(layer, model.sizes, count), LayerTrace()
    model.through(layer, found.states[layer], at, generator=changed.drawn(model.sizes.layers)[layer], trace=trace)
    here = asked if asked.layer in (None, layer) else asked.plain()
    mask, number = here.mask or (own_mask(asked.model), None)
    parameters: dict[str, Any] = dict.fromkeys(MASKS[mask].parameters, number)
    rule = grid(mask, count, count, **parameters)
    hidden = tuple((query, 0) for query in range(count) if here.hidden and rule[query, 0])
    config = replace(
        DEFAULTS,
        preset=asked.model,
        text=asked.text,
        mask=mask,
        width=number or DEFAULTS.width,
        length=number or DEFAULTS.length,
        painted=painted(hidden),
        scale=here.scale,
        dropout=at.dropout,
    )
    focus = last_word(count, is_causal=model.sizes.causal)
    inputs = Inputs((found.tokens,), (count,), trace["x"].value)
    return Run(config, inputs, model.changed(layer, at), trace, focus)


def _weigh(run: Run) -> int:
    return sum(step.value.nbytes for id, step in run.trace.items() if not id.startswith(("w_", "b_")))
