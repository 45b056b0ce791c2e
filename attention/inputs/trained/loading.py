"""Load a trained model from its files, once per process."""

import threading
from collections.abc import Callable
from functools import cache
from typing import Any

from attention.inputs.trained.changes import Sizes
from attention.inputs.trained.files import published
from attention.inputs.trained.minilm import MiniLM
from attention.inputs.trained.model import TrainedModel
from attention.inputs.trained.smollm2 import SmolLM2

CLASSES: dict[str, Any] = {"minilm": MiniLM, "smollm2": SmolLM2}
SIZES: dict[str, Sizes] = {name: model.sizes for name, model in CLASSES.items()}
Progress = Callable[[float], object]
_LOCK = threading.Lock()


def load(name: str, progress: Progress | None = None) -> TrainedModel:
    """A model by its name: `minilm` or `smollm2`; shared by all callers.

    progress: called with the share that is done, from 0 to 1. MissingModelError: the model is not installed, or a file
    is not the published one; the message names the command that installs it. ValueError: no such model.
    """
    with _LOCK:
        model = _opened(name)
        for layer in range(model.sizes.layers):
            model.warm(layer)
            if progress is not None:
                progress((layer + 1) / model.sizes.layers)
    return model


@cache
def _opened(name: str) -> TrainedModel:
    files = published(name)
    model: TrainedModel = CLASSES[name](*files)
    return model
