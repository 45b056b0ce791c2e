"""Write the file of recorded outputs for the page's own texts: `python -m pages.shell.runs.trained.recording`."""

import json
from typing import Any

import numpy as np
import torch
from torch import Tensor

from attention.experiments.head_effects import head_effects
from attention.inputs import trained
from pages.shell.runs.trained.outputs import computed
from pages.shell.runs.trained.recorded import EFFECTS, FILE, SAID, WHOLE

# The share of probability that may be left out, and how many likely tokens get a readable form.
_LEFT_OUT, _READ = 5e-3, 32


def parts() -> dict[str, np.ndarray]:
    """The arrays of the file. MissingModelError: as `attention.inputs.trained.load`."""
    models = {name: trained.load(name) for name in trained.MODELS}
    made: dict[str, np.ndarray] = {}
    ids, words = [], {name: dict[int, str]() for name in models}
    for number, request in enumerate((*WHOLE, *SAID)):
        model, found = models[request.model], computed(models[request.model], request)
        told = [*found.ids]
        made[f"output{number}"] = found.output.numpy().astype(np.float16)
        if model.sizes.causal:
            likely = _likely(found.output)
            told += likely[:_READ].tolist()
            made[f"at{number}"] = likely.astype(np.uint16)
            made[f"output{number}"] = made[f"output{number}"][likely]
        if request in WHOLE:
            made[f"weights{number}"] = found.weights.numpy().astype(np.float16)
            made[f"lengths{number}"] = found.lengths.numpy().astype(np.float16)
            made[f"pushes{number}"] = found.pushes.numpy().astype(np.float32)
            made[f"variances{number}"] = found.variances.numpy().astype(np.float32)
        ids.append(list(found.ids))
        words[request.model] |= dict(zip(told, model.shown(told), strict=True))
    for number, request in enumerate(EFFECTS):
        table = head_effects(models[request.model], request.text, **request.changes)
        made[f"effects{number}"] = table["effect"].to_numpy(np.float32)
    vocabulary = len(computed(models["smollm2"], EFFECTS[-1]).output)
    told_all: dict[str, Any] = {"ids": ids, "words": words, "vocabulary": vocabulary}
    return made | {"told": np.frombuffer(json.dumps(told_all).encode(), np.uint8)}


def _likely(output: Tensor) -> np.ndarray:
    """The fewest tokens that together have all probability but the share that may be left out."""
    sorted_, places = output.sort(descending=True)
    count = int((sorted_.cumsum(0) < 1 - _LEFT_OUT).sum()) + 1
    return places[:count].numpy()


if __name__ == "__main__":
    torch.set_num_threads(1)
    np.savez_compressed(FILE, **parts())  # type: ignore[arg-type]
    print(f"{FILE.name}: {FILE.stat().st_size / 1000:.0f} kB")
