"""The words that a number of the output comes from, on the screen of the backward pass."""

from dataclasses import dataclass

import torch

from attention.analysis.attribution import Attribution, attribute
from attention.inputs.grammar import QUESTIONS, Asked, read
from attention.inputs.tokens import PAD
from pages.shell.runs import backward, learned
from pages.shell.runs.results import Experiment
from pages.shell.runs.run import Run

# Midpoints of the integral; 64 make the sum right to three digits on the screens of the presets.
STEPS = 64
# Attributing this many numbers of inputs and weights takes 50 ms on one core.
_QUICK = 10_000


@dataclass(frozen=True)
class Attributed:
    """Attributions. number: those of a number of the output; answers: those of the logits of the right answers, each
    with its question, where the preset knows the right words."""

    number: Attribution
    answers: tuple[tuple[Asked, Attribution], ...]


def is_quick(run: Run) -> bool:
    """Whether the attributions of a screen can be computed whenever they are asked for."""
    inputs, weights = run.trace["x"].of(batch=run.sentence), run.trace["weights"].of(batch=run.sentence)
    return (1 + len(_asked(run))) * (inputs.numel() + weights.numel()) <= _QUICK


def experiment(run: Run, query: int, feature: int) -> Experiment[Attributed]:
    """`attributed` as an experiment, for a task of the page."""
    key = "attribution", run.config, learned.used(run.config), query, feature
    return Experiment(key, lambda _: attributed(run, query, feature))


def attributed(run: Run, query: int, feature: int) -> Attributed:
    """The attributions of a number of the output, at query and feature from 0, and those of the right answers."""
    return Attributed(of_number(run, query, feature), of_answers(run))


def of_number(run: Run, query: int, feature: int) -> Attribution:
    """The attribution of a number of the output, at query and feature from 0."""
    direction = torch.zeros(run.trace["projected"].value.shape[-1])
    direction[feature] = 1
    return _along(run, query, direction)


def of_answers(run: Run) -> tuple[tuple[Asked, Attribution], ...]:
    """The attributions of the logits of the right answers, where the preset knows them."""
    return tuple((one, _along(run, place, logit)) for one, place, logit in _asked(run))


def _along(run: Run, query: int, direction: torch.Tensor) -> Attribution:
    return attribute(run.trace, run.module, query, direction, batch=run.sentence, steps=STEPS)


def _asked(run: Run) -> list[tuple[Asked, int, torch.Tensor]]:
    """Each question of the sentence, with its query and the direction of the logit of the right answer."""
    setting = learned.used(run.config)
    if setting is None:
        return []
    earlier = len(run.tokens) - run.trace.sizes["query"]
    answers = backward.right_answers(run)[run.sentence]
    read_out = learned.layer(setting).read_out
    per_question = read_out.shape[-1] // len(QUESTIONS)
    return [
        (one, place, read_out[:, one.question * per_question + int(answers[place, one.question])])
        for one in read([token for token in run.tokens if token != PAD]).asked
        if (place := one.place - earlier) >= 0 and answers[place, one.question] >= 0 and one.question <= 2
    ]
