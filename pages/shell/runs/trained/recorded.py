"""What the models make of a text; of the page's own texts also from a file, for a server without their weights."""

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
    OPENED,
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
# Texts of which the file has the effect of every head.
EFFECTS = (_STORY, _CAPITAL, _AGAIN)
# Of these it has all heads, of the others what the model says. Off: the head that the page opens, and the induction
# head that it finds.
WHOLE = (
    *EFFECTS,
    replace(_CAPITAL, scale="none"),
    replace(_CAPITAL, off=((OPENED["smollm2"][0] - 1, OPENED["smollm2"][1] - 1),)),
    replace(_AGAIN, off=((17, 5),)),
    Request("smollm2", TEXTS["minilm"]),
)
SAID = (_STORY.of(OTHER), _STORY.of(UNRELATED), *(replace(request, hidden=True) for request in WHOLE))


@dataclass(frozen=True)
class Outputs:
    """What a model makes of a text.

    tokens: to be read; ids: their numbers; weights (layer, head, query, key); mask: of the first layer, None where
    nothing is hidden; states: hidden ones before each layer and after the last, none of a record from a file; lengths:
    |v_j W_O| (layer, head, key); variances: of the scaled scores (layer, head); output: what the model says.
    """

    tokens: tuple[str, ...]
    ids: tuple[int, ...]
    weights: Tensor
    mask: Tensor | None
    states: tuple[Tensor, ...]
    lengths: Tensor
    variances: Tensor
    output: Tensor

    @property
    def bytes(self) -> int:
        return sum(tensor.nbytes for tensor in (self.weights, self.lengths, self.output, *self.states))


@dataclass(frozen=True)
class _File:
    """words: by model, how tokens are read, by their numbers."""

    outputs: dict[Request, Outputs]
    effects: dict[Request, pd.DataFrame]
    words: dict[str, dict[int, str]]


def nearest(request: Request) -> Request:
    """What the file has, where something else is asked for: the text as trained, or that of the model."""
    plain = request.plain()
    return request if request in WHOLE else plain if plain in WHOLE else plain.of(TEXTS[request.model])


def there(screen: Models) -> Request:
    """What a screen asks for or, of a model that is not there, what is kept of it."""
    request = requested(screen)
    return nearest(request) if is_lacking(request.model) else request


def recorded(request: Request) -> Outputs | None:
    """What the file has of a text; None where it has nothing."""
    return _file().outputs.get(request)


def words(model: str, ids: list[int]) -> tuple[str, ...]:
    """Tokens by their numbers, to be read, as far as the file speaks of them."""
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
            # What is likely; the others share half of a hundredth.
            places = torch.from_numpy(parts[f"at{number}"].astype(np.int64))
            output = torch.zeros(told["vocabulary"]).index_copy(0, places, output)
        mask = torch.ones(len(ids), len(ids), dtype=torch.bool).tril() if own_mask(request.model) == "causal" else None
        weights, lengths, variances = (
            _tensor(parts, f"{name}{number}") for name in ("weights", "lengths", "variances")
        )
        tokens = tuple(named[request.model][id] for id in ids)
        outputs[request] = Outputs(tokens, tuple(ids), weights, mask, (), lengths, variances, output)
    tables = {request: _table(request, parts[f"effects{number}"]) for number, request in enumerate(EFFECTS)}
    return _File(outputs, tables, named)


def _tensor(parts: dict[str, np.ndarray], name: str) -> Tensor:
    return torch.from_numpy(parts.get(name, np.zeros(0)).astype(np.float32))


def _table(request: Request, numbers: np.ndarray) -> pd.DataFrame:
    layers, heads = np.indices((sizes_of(request.model).layers, sizes_of(request.model).heads)).reshape(2, -1)
    return pd.DataFrame({"layer": layers, "head": heads, "effect": numbers.astype(float)})
