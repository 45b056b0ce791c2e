"""The outputs of trained models for texts, remembered."""

from collections.abc import Callable
from functools import cache

import torch

from attention.analysis.heads import contributions
from attention.analysis.hidden_keys import score_variance, value_lengths
from attention.inputs.trained import TrainedModel
from pages.shell.runs.memo import Memo
from pages.shell.runs.scheduling import turn
from pages.shell.runs.trained.loaded import fitting, loaded
from pages.shell.runs.trained.recorded import Outputs, recorded
from pages.shell.runs.trained.request import Request

# Bytes of outputs: room for dozens of sentences, or for two of the longest.
_REMEMBERED = 64_000_000


def outputs(request: Request, waiting: Callable[[], object] = lambda: None) -> Outputs | None:
    """The outputs of a model for a text, remembered. Without the model they come from the file of recorded outputs, or
    are None where it has none. They are shared: nobody may change them."""
    model = loaded(request.model)
    if model is None:
        return recorded(request)

    def made() -> Outputs:
        with turn(waiting):
            return computed(model, request)

    return _texts().get(request, made, lambda found: found.bytes)


def known(request: Request) -> Outputs | None:
    """The remembered outputs for a text; None if there was no recent request."""
    found: Outputs | None = _texts().known(request)
    return found


@cache
def _texts() -> Memo:
    return Memo(_REMEMBERED)


def computed(model: TrainedModel, request: Request) -> Outputs:
    """The outputs of a loaded model for a text."""
    text = fitting(model, request.text)
    ids = model.ids(text)
    weights, states, lengths, variances, written, mask = [], [], [], [], [], None
    for number, layer in enumerate(model.run(text, **request.changes)):
        trace = layer.trace
        weights.append(trace["weights"].value[0])
        states.append(layer.before)
        lengths.append(value_lengths(trace)[0])
        variances.append(score_variance(trace)[0])
        written.append(contributions(trace)[0, :, -1])
        if number == 0 and "mask" in trace:
            mask = trace["mask"].value[0, 0]
        last = layer.after
    whole, long, spread = (torch.stack(parts) for parts in (weights, lengths, variances))
    output = model.said(last)
    pushes = model.pushed(last[0, -1], torch.stack(written), int(output.argmax()))
    return Outputs(model.shown(ids), tuple(ids), whole, mask, (*states, last), long, spread, output, pushes)
