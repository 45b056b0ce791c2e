"""A layer that learns from one answer alone, in plain torch: its attention, and the steps of torch.optim.SGD."""

import torch
from torch import Tensor
from torch.nn import functional as F

from attention.inputs.grammar import QUESTIONS
from pages.shell.runs import learned
from pages.shell.runs.backward import right_answers
from pages.shell.runs.run import Run

# The rate of the first step; the rate of step n is n times as large.
RATE = 0.003


def after(run: Run, row: int, question: int, steps: int, of: int | None = None) -> tuple[Tensor, Tensor]:
    """The state of the run's sentence after so many steps on one answer: the weights of the word, or of the word `of`
    (heads, keys), and the probabilities of all answers (words, questions, answers)."""
    leaves = {name: one.detach().double().clone().requires_grad_() for name, one in run.module.named_parameters()}
    read_out = learned.layer(learned.used(run.config)).read_out.double()
    right = right_answers(run)[run.sentence, row, question]
    optimiser = torch.optim.SGD(leaves.values(), lr=1)
    for step in range(1, steps + 1):
        optimiser.param_groups[0]["lr"] = RATE * step
        optimiser.zero_grad()
        _, logits = _forward(run, leaves, read_out)
        F.cross_entropy(logits[row, question][None], right[None]).backward()
        optimiser.step()
    with torch.no_grad():
        weights, logits = _forward(run, leaves, read_out)
    return weights[:, row if of is None else of], logits.softmax(-1)


def with_weights(run: Run, row: int, weights: Tensor) -> Tensor:
    """The probabilities of a word's answers (questions, answers) if the word had these weights (heads, keys) and all
    else stayed the same."""
    leaves = {name: one.detach().double() for name, one in run.module.named_parameters()}
    read_out = learned.layer(learned.used(run.config)).read_out.double()
    _, logits = _forward(run, leaves, read_out, (row, weights.double()))
    return logits[row].softmax(-1)


def moved(run: Run, row: int, head: int, key: int, share: float) -> Tensor:
    """The weights of a word (heads, keys) after one of them is set to a share; the other weights of its head keep their
    ratios."""
    made = run.trace["weights"].of_heads(run.module.heads, batch=run.sentence)[:, row].double().clone()
    made[head] *= (1 - share) / (1 - made[head, key])
    made[head, key] = share
    return made


def _forward(
    run: Run, leaves: dict[str, Tensor], read_out: Tensor, given: tuple[int, Tensor] | None = None
) -> tuple[Tensor, Tensor]:
    x, heads = run.trace["x"].value[run.sentence].double(), run.module.heads
    source = run.trace["context"].value[run.sentence].double() if "context" in run.trace else x

    def projected(letter: str) -> Tensor:
        made = (x if letter == "q" else source) @ leaves[f"w_{letter}"] + leaves.get(f"b_{letter}", 0)
        return made.unflatten(-1, (heads, -1)).transpose(0, 1)

    q, k, v = map(projected, "qkv")
    scale = float(run.trace["scale"].value) if "scale" in run.trace else run.module.d_k**-0.5
    scores = q @ k.mT * scale
    if "mask" in run.trace:
        scores = scores.masked_fill(~run.trace["mask"].of(batch=run.sentence), -torch.inf)
    weights = scores.softmax(-1)
    if given is not None:
        weights[:, given[0]] = given[1]
    taken = weights
    if "kept" in run.trace:
        # Cloned, since a tensor from inference mode cannot be saved for a gradient.
        kept = run.trace["kept"].value[run.sentence].clone()
        taken = weights * kept / (1 - run.module.dropout) if kept.any() else weights * kept
    made = (taken @ v).transpose(0, 1).flatten(1) @ leaves["w_o"] + leaves.get("b_o", 0)
    return weights, (made @ read_out).unflatten(-1, (len(QUESTIONS), -1))
