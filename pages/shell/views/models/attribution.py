"""The tokens that one output of the opened layer's attention comes from: five methods, side by side."""

from collections.abc import Iterator

import torch

from attention.analysis.attribution import Attribution, attribute
from pages.shell.i18n import say
from pages.shell.i18n.numbers import digits
from pages.shell.runs.results import Experiment
from pages.shell.runs.run import Run
from pages.shell.screen import Screen
from pages.shell.views import attribution, blocks, explained
from pages.shell.views.blocks import Block
from pages.shell.views.models.common import place, request, run
from pages.shell.views.registry import named
from pages.shell.views.steps import focus_of
from pages.shell.views.waiting import result

# Midpoints of the integral; with them the sum is right to three digits.
STEPS = 64


@named("models.attribution")
def figures(screen: Screen) -> Iterator[Block]:
    shown = run(screen)
    if shown is None:
        return
    at = _query(screen, shown)
    yield blocks.heading(say("backward.attribution.title"))
    found = result(attributed(screen, shown))
    yield blocks.text(say("backward.attribution.lead"))
    number, word = digits(found.number, 4), shown.labels["query"][at]
    what = say("models.attribution.said", word=word, number=number, heads=shown.module.heads)
    yield from explained.row(screen, "models-attribution", *attribution.figures(shown, found, what))


def attributed(screen: Screen, shown: Run) -> Experiment[Attribution]:
    """The attribution of a layer and a text, independent of the shown head. shown: the run of the screen."""
    at = _query(screen, shown)
    key = "attribution", request(screen), place(screen)[0], at
    return Experiment(key, lambda _: _attributed(shown, at))


def _query(screen: Screen, shown: Run) -> int:
    asked = screen.query(shown)
    return focus_of(shown) if asked is None else asked


def _attributed(run: Run, query: int) -> Attribution:
    """The attribution of one number: the length of a token's output of the layer's attention, along its own
    direction."""
    output = run.matrix("projected")[query]
    direction = output / output.norm().clamp_min(torch.finfo(output.dtype).tiny)
    return attribute(run.trace, run.module, query, direction, batch=run.sentence, steps=STEPS)
