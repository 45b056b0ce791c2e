"""The effect of every single head on the output of a trained model: each head is switched off alone."""

from collections.abc import Callable
from dataclasses import replace
from typing import Any

import pandas as pd
import torch
from torch import Tensor

from attention.analysis.heads import contributions
from attention.inputs.trained.changes import AtLayer, Changes
from attention.inputs.trained.model import TrainedModel
from attention.trace import Trace

Progress = Callable[[float], object]


def head_effects(model: TrainedModel, text: str, progress: Progress | None = None, **changes: Any) -> pd.DataFrame:
    """One row per head: layer, head (from 0), effect and, for a decoder, probability.

    effect: for a decoder, the total variation between the distributions of the next token with and without the head,
    1/2 sum |p - p'|; for an encoder, 1 minus the cosine of the sentence vectors. probability: that of the token which
    is most likely with the head, computed without it. changes: those of `Changes`, without dropout. The heads of a
    layer run on as one batch. ValueError: as `TrainedModel.traces`.
    """
    layers = list(model.run(text, **changes | {"dropout": 0.0}))
    changed, n = Changes.named(changes), layers[0].before.shape[-2]
    at = [replace(changed.at(layer, model.sizes, n), dropout=0.0) for layer in range(model.sizes.layers)]
    said = model.said(layers[-1].after)
    found = []
    # The last layer first: its runs are the shortest.
    for layer in reversed(range(model.sizes.layers)):
        without = _without_each(model, layers[layer].trace, layer, layers[layer].before, at)
        for head, other in enumerate(without):
            found.append({"layer": layer, "head": head} | _compared(model, said, other))
        if progress is not None:
            progress(1 - (layer / model.sizes.layers) ** 2)
    return pd.DataFrame(found).sort_values(["layer", "head"], ignore_index=True)


def _without_each(model: TrainedModel, trace: Trace, layer: int, x: Tensor, at: list[AtLayer]) -> Tensor:
    """The output of the model without each of the heads of a layer: (heads, ...)."""
    with torch.inference_mode():
        # The contribution of a head is subtracted again, as if its rows of W_O were zero.
        outputs = trace["projected"].value - contributions(trace)[0]
        states = model.finish(layer, x.expand(len(outputs), -1, -1), outputs)
        for following in range(layer + 1, model.sizes.layers):
            states = model.through(following, states, at[following])
        return model.say(states)


def _compared(model: TrainedModel, said: Tensor, other: Tensor) -> dict[str, float]:
    if not model.sizes.causal:
        return {"effect": 1 - float(said @ other)}
    return {"effect": float((said - other).abs().sum()) / 2, "probability": float(other[said.argmax()])}
