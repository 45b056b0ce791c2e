"""What an answer would become if one head put all its weight on one word: how much it matters who gets the weight."""

import torch

from pages.shell.runs import backward, learned
from pages.shell.runs.run import Run


def best(run: Run, row: int, question: int) -> float:
    """The highest probability of the right answer to a question of a word, with all weight of any one head on any one
    word, and the other heads as they are. run: of a layer that was trained on these questions."""
    setting = learned.used(run.config)
    assert setting is not None
    heads, at = run.module.heads, {"batch": run.sentence}
    weights = run.trace["weights"].of_heads(heads, **at)[:, row].cpu().float()
    values = run.trace["values"].of_heads(heads, **at).cpu().float()
    # (heads, keys, features): what a word hands over beyond what the head takes now.
    beyond = values - (weights[:, None] @ values)
    w_o = run.module.w_o.detach().cpu().float().unflatten(0, (heads, -1))
    made = run.trace["projected"].value[run.sentence, row].cpu().float() + beyond @ w_o
    right = int(backward.right_answers(run)[run.sentence, row, question])
    answers = torch.stack([learned.layer(setting).logits(one) for one in made.flatten(0, 1)])
    likely = answers[:, question].softmax(-1)[:, right].unflatten(0, (heads, -1))
    # A word that a mask hides gets no weight.
    seen = run.matrix("mask")[row].cpu() if "mask" in run.trace else torch.ones(likely.shape[-1], dtype=torch.bool)
    return float(likely[:, seen].max())
