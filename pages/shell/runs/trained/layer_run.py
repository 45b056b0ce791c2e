"""One layer of a trained model on a text as a run, with one of its heads."""

from dataclasses import replace
from functools import cache
from typing import Any

from attention.inputs.tokens import Inputs
from attention.inputs.trained import Changes, TrainedModel
from attention.inputs.trained.model import LayerTrace
from attention.masks import MASKS, grid
from pages.shell.runs.memo import Memo
from pages.shell.runs.run import Run
from pages.shell.runs.trained.loaded import loaded
from pages.shell.runs.trained.outputs import outputs
from pages.shell.runs.trained.recorded import Outputs
from pages.shell.runs.trained.request import Request, last_word, own_mask
from pages.shell.state.config import DEFAULTS
from pages.shell.state.painted_cells import text as painted

# Bytes of runs: room for the layers of a few dozen sentences.
_REMEMBERED = 32_000_000


def opened(request: Request, layer: int, head: int) -> Run | None:
    """One layer of a model on a text as a run, with one of its heads (from 0); None where the model is not loaded."""
    model, found = loaded(request.model), outputs(request)
    if model is None or found is None:
        return None
    run = _layers().get((request, layer), lambda: _layer(model, found, request, layer), _weigh)
    return replace(run, config=replace(run.config, head=head + 1))


@cache
def _layers() -> Memo:
    return Memo(_REMEMBERED)


def _layer(model: TrainedModel, found: Outputs, request: Request, layer: int) -> Run:
    changed, count = Changes.named(request.changes), len(found.tokens)
    at, trace = changed.at(layer, model.sizes, count), LayerTrace()
    model.through(layer, found.states[layer], at, generator=changed.drawn(model.sizes.layers)[layer], trace=trace)
    here = request if request.layer in (None, layer) else request.plain()
    mask, number = here.mask or (own_mask(request.model), None)
    parameters: dict[str, Any] = dict.fromkeys(MASKS[mask].parameters, number)
    rule = grid(mask, count, count, **parameters)
    hidden = tuple((query, 0) for query in range(count) if here.hidden and rule[query, 0])
    config = replace(
        DEFAULTS,
        preset=request.model,
        text=request.text,
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
