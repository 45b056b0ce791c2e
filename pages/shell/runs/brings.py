"""What a head brings from a word to each answer: its value through W_O and the matrix of the answers. And why a weight
is pushed: for which of two answers this speaks more."""

from typing import NamedTuple

import torch
from torch import Tensor

from pages.shell.runs import backward, learned
from pages.shell.runs.run import Run


def likely(run: Run, row: int, question: int, weights: Tensor) -> float | None:
    """The probability of the right answer with other weights (heads, keys), while each head brings from each word what
    it brings now; None where dropout draws among the weights."""
    setting = learned.used(run.config)
    assert setting is not None
    if "dropped" in run.trace:
        return None
    moved = torch.einsum("hk,hka->a", weights - _of_row(run, "weights", row), brings(run, row)[:, :, question])
    made = learned.layer(setting).logits(run.trace["projected"].value[run.sentence, row].cpu().float())
    right = int(backward.right_answers(run)[run.sentence, row, question])
    return float((made[question] + moved).softmax(-1)[right])


class Rivals(NamedTuple):
    """Of each weight that is pushed, (heads, keys), the other answer that its push is most about.

    answer: its number; ahead: by how much what the head brings from the word speaks more for the right answer than for
    this one; beyond: the same, less what the head brings now from all words.
    """

    answer: Tensor
    ahead: Tensor
    beyond: Tensor


def brings(run: Run, row: int) -> Tensor:
    """(heads, keys, questions, answers): what a head adds to the logits of a word for a weight of 1 on a key. run:
    of a layer that was trained on these questions."""
    setting = learned.used(run.config)
    assert setting is not None
    heads = run.module.heads
    values = run.trace["values"].of_heads(heads, batch=run.sentence).cpu().float()
    w_o = run.module.w_o.detach().cpu().float().unflatten(0, (heads, -1))
    brought = learned.layer(setting).logits(values @ w_o)
    if "dropped" not in run.trace:
        return brought
    # What is dropped brings nothing, and what is kept brings more.
    weights, kept = (_of_row(run, id, row) for id in ("weights", "dropped"))
    return brought * (kept / weights).nan_to_num()[..., None, None]


def beyond(run: Run, row: int) -> Tensor:
    """The same, less what the head brings now from all words."""
    brought, weights = brings(run, row), _of_row(run, "weights", row)
    return brought - torch.einsum("hk,hkqa->hqa", weights, brought)[:, None]


def rivals(run: Run, row: int, question: int, pushes: Tensor) -> Rivals:
    """For all pushes (heads, keys). Each is its weight times a sum over the other answers: the probability of each,
    times how far the right one is ahead of it, beyond what the head brings now."""
    setting = learned.used(run.config)
    assert setting is not None
    right = int(backward.right_answers(run)[run.sentence, row, question])
    made = run.trace["projected"].value[run.sentence, row].cpu().float()
    likely = learned.layer(setting).logits(made)[question].softmax(-1)
    ahead, more = (
        each[..., question, right, None] - each[..., question, :] for each in (brings(run, row), beyond(run, row))
    )
    at = (pushes.sign()[..., None] * likely * more).argmax(-1, keepdim=True)
    return Rivals(at[..., 0], *(each.gather(-1, at)[..., 0] for each in (ahead, more)))


def _of_row(run: Run, id: str, row: int) -> Tensor:
    return run.trace[id].of_heads(run.module.heads, batch=run.sentence)[:, row].cpu().float()
