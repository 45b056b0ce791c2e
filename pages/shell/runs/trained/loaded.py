"""The trained models in memory; the first visitor who needs one loads it for all."""

import threading
from bisect import bisect_right
from collections.abc import Callable
from dataclasses import dataclass, field
from functools import cache

from attention.inputs import trained
from attention.inputs.trained import MissingModelError, TrainedModel
from pages.shell.runs.scheduling import turn
from pages.shell.state.config import TOKENS


@dataclass(frozen=True)
class _Process:
    """The models of the process. refused: by model, why its files are not used."""

    models: dict[str, TrainedModel] = field(default_factory=dict)
    refused: dict[str, str] = field(default_factory=dict)
    loading: threading.Lock = field(default_factory=threading.Lock)


@cache
def _process() -> _Process:
    return _Process()


def loaded(name: str) -> TrainedModel | None:
    """A model that is loaded already; None for any other."""
    return _process().models.get(name)


def refused(name: str) -> str:
    """Why the present files of a model are not used, until the server starts again; "" where they are used."""
    return _process().refused.get(name, "")


def is_lacking(name: str) -> bool:
    """Whether a model cannot be loaded, however long one waits."""
    return loaded(name) is None and bool(refused(name) or trained.missing(name))


def load(name: str, progress: Callable[[float], object], waiting: Callable[[], object]) -> TrainedModel | None:
    """A model, loaded in one of the places for experiments; None where its files are not used: `refused` says why."""
    process = _process()
    if name not in process.models and name not in process.refused:
        with turn(waiting), process.loading:
            if name not in process.models:
                try:
                    process.models[name] = trained.load(name, progress)
                except MissingModelError as error:
                    process.refused[name] = str(error)
    return loaded(name)


def fitting(model: TrainedModel, text: str) -> str:
    """The text, or its beginning of at most TOKENS tokens."""
    if len(model.ids(text)) <= TOKENS:
        return text
    length = bisect_right(range(len(text)), TOKENS, key=lambda end: len(model.ids(text[:end]))) - 1
    return text[:length]
