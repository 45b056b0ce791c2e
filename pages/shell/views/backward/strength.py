"""The strength of the pushes on a word's weights, in three sizes that a reader can tell apart."""

import numpy as np
import torch
from torch import Tensor

from attention.analysis.backward import Backward
from pages.shell.runs.run import Run

# The least weak, clear and strong push, for all words and updates: a weaker one is next to nothing.
SIZES = (0.05, 0.2, 0.6)
# A right answer with this probability needs nothing more.
RIGHT = 0.9
# A push below it is none.
NOTHING = 1e-5
# The steps that softmax may read; a run uses the last of them that it has.
_SCORES = ("scores", "scaled", "softcapped", "biased", "masked")


def pushes(run: Run, made: Backward, row: int) -> Tensor:
    """The gain of the right answer, in nats, with the score of each word (heads, keys)."""
    read = [id for id in run.trace if id in _SCORES and id in made.gradients]
    weights = run.trace["weights"].of_heads(run.module.heads, batch=run.sentence)[:, row]
    if not read:
        return torch.zeros(weights.shape)
    found = made.gradients[read[-1]].of_heads(run.module.heads, batch=run.sentence)[:, row]
    return -found.nan_to_num().cpu().float()


def sizes(pushes: Tensor) -> np.ndarray:
    """The size of the push on each weight: 0, or 1 to 3 up, -1 to -3 down."""
    found: np.ndarray = np.sign(pushes.numpy()) * np.digitize(pushes.abs().numpy(), SIZES)
    return found.astype(int)
