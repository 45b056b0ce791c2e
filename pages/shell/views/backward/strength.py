"""How hard the weights of a word are pushed, in three sizes that a reader can tell apart."""

import numpy as np
import torch
from torch import Tensor

from attention.analysis.backward import Backward
from pages.shell.runs.run import Run

# From where on a push is weak, clear, strong, for all words and updates: a weaker one is next to nothing.
SIZES = (0.05, 0.2, 0.6)
# A right answer with this probability has nothing more to ask for.
RIGHT = 0.9
# Below it, nothing pushes.
NOTHING = 1e-5
# What the softmax reads, the last of them that a run has.
_SCORES = ("scores", "scaled", "softcapped", "biased", "masked")


def pushes(run: Run, made: Backward, row: int) -> Tensor:
    """(heads, keys): how much more likely the right answer becomes with the score of each word, in nats."""
    read = [id for id in run.trace if id in _SCORES and id in made.gradients]
    weights = run.trace["weights"].of_heads(run.module.heads, batch=run.sentence)[:, row]
    if not read:
        return torch.zeros(weights.shape)
    found = made.gradients[read[-1]].of_heads(run.module.heads, batch=run.sentence)[:, row]
    return -found.nan_to_num().cpu().float()


def sizes(pushes: Tensor) -> np.ndarray:
    """How hard each weight is pushed: 0, or 1 to 3 up, -1 to -3 down."""
    found: np.ndarray = np.sign(pushes.numpy()) * np.digitize(pushes.abs().numpy(), SIZES)
    return found.astype(int)
