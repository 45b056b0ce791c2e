"""The contribution of a head from a word to each answer: the word's value through W_O and the matrix of the answers.
The difference between two answers explains why a weight is pushed."""

from typing import NamedTuple

import torch
from torch import Tensor

from pages.shell.runs import backward, learned
from pages.shell.runs.run import Run


def likely(run: Run, row: int, question: int, weights: Tensor) -> float | None:
    """The probability of the right answer with other weights (heads, keys), if each head's contribution from each word
    stays; None where dropout draws among the weights."""
    setting = learned.used(run.config)
    assert setting is not None
    if "dropped" in run.trace:
        return None
    moved = torch.einsum("hk,hka->a", weights - _of_row(run, "weights", row), brings(run, row)[:, :, question])
    made = learned.layer(setting).logits(run.trace["projected"].value[run.sentence, row].cpu().float())
    right = int(backward.right_answers(run)[run.sentence, row, question])
    return float((made[question] + moved).softmax(-1)[right])


class Rivals(NamedTuple):
    """For each pushed weight (heads, keys), the wrong answer that contributes most to its push.

    answer: the number of that answer; ahead: how much more the word, through the head, speaks for the right answer than
    for this one; beyond: the same, minus the present contribution of the head from all words.
    """

    answer: Tensor
    ahead: Tensor
    beyond: Tensor


def brings(run: Run, row: int) -> Tensor:
    """(heads, keys, questions, answers): the contribution of a head to the logits of a word for a weight of 1 on a key.
    run: a run of a layer that was trained on these questions."""
    setting = learned.used(run.config)
    assert setting is not None
    heads = run.module.heads
    values = run.trace["values"].of_heads(heads, batch=run.sentence).cpu().float()
    w_o = run.module.w_o.detach().cpu().float().unflatten(0, (heads, -1))
    brought = learned.layer(setting).logits(values @ w_o)
    if "dropped" not in run.trace:
        return brought
    # Dropped weights bring nothing, and kept weights bring more.
    weights, kept = (_of_row(run, id, row) for id in ("weights", "dropped"))
    return brought * (kept / weights).nan_to_num()[..., None, None]


def beyond(run: Run, row: int) -> Tensor:
    """As `brings`, minus the present contribution of the head from all words."""
    brought, weights = brings(run, row), _of_row(run, "weights", row)
    return brought - torch.einsum("hk,hkqa->hqa", weights, brought)[:, None]


def rivals(run: Run, row: int, question: int, pushes: Tensor) -> Rivals:
    """The rivals of all pushes (heads, keys). A push is its weight times a sum over the wrong answers: the probability
    of each, times how far the right answer is ahead of it, beyond the present contribution of the head."""
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
