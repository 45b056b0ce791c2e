"""The best answer if one head puts all its weight on one word: how much it matters which word gets the weight."""

import torch

from pages.shell.runs import backward, brings, learned
from pages.shell.runs.run import Run


def best(run: Run, row: int, question: int) -> float:
    """The highest probability of the right answer to a question of a word, with all weight of any one head on any one
    word, and the other heads as they are. run: of a layer that was trained on these questions."""
    setting = learned.used(run.config)
    assert setting is not None
    made = learned.layer(setting).logits(run.trace["projected"].value[run.sentence, row].cpu().float())
    answers = made[question] + brings.beyond(run, row)[:, :, question]
    right = int(backward.right_answers(run)[run.sentence, row, question])
    likely = answers.softmax(-1)[..., right]
    # A word that a mask hides gets no weight.
    seen = run.matrix("mask")[row].cpu() if "mask" in run.trace else torch.ones(likely.shape[-1], dtype=torch.bool)
    return float(likely[:, seen].max())
