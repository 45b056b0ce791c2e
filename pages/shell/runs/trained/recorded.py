"""The outputs of the models for a text. A file has those of the page's own texts, for a server without the weights."""

import json
from dataclasses import dataclass, replace
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import torch
from torch import Tensor

from pages.shell.runs.trained.loaded import is_lacking
from pages.shell.runs.trained.request import (
    OTHER,
    REPEATED,
    TEXTS,
    UNRELATED,
    Request,
    own_mask,
    requested,
    sizes_of,
)
from pages.shell.state.page_controls import Models

FILE = Path(__file__).with_name("recorded.npz")
_STORY, _CAPITAL = (Request(model, text) for model, text in TEXTS.items())
_AGAIN = Request("smollm2", REPEATED)
# The requests for which the file has the effect of every head.
EFFECTS = (_STORY, _CAPITAL, _AGAIN)
# For these requests the file has all heads, for the others only the output of the model. Off: the head that the capital
# needs most, the induction head that the page finds, the one that this relies on, and all that do the same as the first
# two.
WHOLE = (
    *EFFECTS,
    replace(_CAPITAL, scale="none"),
    replace(_CAPITAL, off=((23, 4),)),
    replace(_AGAIN, off=((17, 5),)),
    replace(_AGAIN, off=((16, 0),)),
    replace(_AGAIN, off=((17, 4), (17, 5), (18, 6), (22, 7))),
    replace(_CAPITAL, off=((12, 4), (16, 3), (16, 4), (23, 4))),
    Request("smollm2", TEXTS["minilm"]),
)
# Each head of a line of the page, off alone: these answer the guess which of them is needed most.
_ALONE = {
    _STORY: ((5, 1), (0, 2), (1, 8), (4, 5), (0, 3)),
    _STORY.of(OTHER): ((5, 1), (0, 2), (1, 8), (4, 5), (0, 3)),
    _CAPITAL: ((16, 0), (18, 7), (11, 6), (12, 3)),
    _AGAIN: ((11, 4), (18, 8), (1, 4), (11, 6)),
}
SAID = (
    _STORY.of(OTHER),
    _STORY.of(UNRELATED),
    *(replace(request, hidden=True) for request in WHOLE),
    *(replace(request, off=(head,)) for request, heads in _ALONE.items() for head in heads),
)


@dataclass(frozen=True)
class Outputs:
    """The outputs of a model for a text.

    tokens: in readable form; ids: their numbers; weights (layer, head, query, key); mask: of the first layer, None if
    nothing is hidden; states: hidden states before each layer and after the last, empty for a record from a file;
    lengths: |v_j W_O| (layer, head, key); variances: of the scaled scores (layer, head); output: the model's answer;
    pushes: each head's own contribution to the score of the most likely word (layer, head), empty for an encoder.
    """

    tokens: tuple[str, ...]
    ids: tuple[int, ...]
    weights: Tensor
    mask: Tensor | None
    states: tuple[Tensor, ...]
    lengths: Tensor
    variances: Tensor
    output: Tensor
    pushes: Tensor

    @property
    def bytes(self) -> int:
        return sum(tensor.nbytes for tensor in (self.weights, self.lengths, self.output, *self.states))


@dataclass(frozen=True)
class _File:
    """The contents of the file. words: by model, the readable form of tokens by their numbers."""

    outputs: dict[Request, Outputs]
    effects: dict[Request, pd.DataFrame]
    words: dict[str, dict[int, str]]


def nearest(request: Request) -> Request:
    """The request nearest to another one that the file has: the same text without changes, or the model's own text."""
    plain = request.plain()
    return request if request in WHOLE else plain if plain in WHOLE else plain.of(TEXTS[request.model])


def there(screen: Models) -> Request:
    """The request of a screen; without the model, the nearest request that the file has."""
    request = requested(screen)
    return nearest(request) if is_lacking(request.model) else request


def recorded(request: Request) -> Outputs | None:
    """The outputs in the file for a request; None where it has none."""
    return _file().outputs.get(request)


def words(model: str, ids: list[int]) -> tuple[str, ...]:
    """The readable form of tokens by their numbers, as far as the file has them."""
    return tuple(_file().words[model].get(id, "") for id in ids)


def effects(request: Request) -> pd.DataFrame | None:
    """The effect of every head, as `attention.experiments.head_effects` has it; None where the file has nothing."""
    return _file().effects.get(request)


@cache
def _file() -> _File:
    with np.load(FILE) as file:
        parts = dict(file)
    told: dict[str, Any] = json.loads(parts["told"].tobytes())
    named = {model: {int(id): word for id, word in read.items()} for model, read in told["words"].items()}
    outputs = {}
    for number, request in enumerate((*WHOLE, *SAID)):
        ids, output = told["ids"][number], _tensor(parts, f"output{number}")
        if f"at{number}" in parts:
            # The file has the likely tokens; the others share half of a hundredth.
            places = torch.from_numpy(parts[f"at{number}"].astype(np.int64))
            output = torch.zeros(told["vocabulary"]).index_copy(0, places, output)
        mask = torch.ones(len(ids), len(ids), dtype=torch.bool).tril() if own_mask(request.model) == "causal" else None
        weights, lengths, variances, pushes = (
            _tensor(parts, f"{name}{number}") for name in ("weights", "lengths", "variances", "pushes")
        )
        tokens = tuple(named[request.model][id] for id in ids)
        outputs[request] = Outputs(tokens, tuple(ids), weights, mask, (), lengths, variances, output, pushes)
    tables = {request: _table(request, parts[f"effects{number}"]) for number, request in enumerate(EFFECTS)}
    return _File(outputs, tables, named)


def _tensor(parts: dict[str, np.ndarray], name: str) -> Tensor:
    return torch.from_numpy(parts.get(name, np.zeros(0)).astype(np.float32))


def _table(request: Request, numbers: np.ndarray) -> pd.DataFrame:
    layers, heads = np.indices((sizes_of(request.model).layers, sizes_of(request.model).heads)).reshape(2, -1)
    return pd.DataFrame({"layer": layers, "head": heads, "effect": numbers.astype(float)})
