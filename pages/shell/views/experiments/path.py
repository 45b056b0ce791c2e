"""The questions in their order, from everyday words to linear algebra: which are answered, and which is next."""

from collections.abc import Iterator

from attention.analysis.interventions import PARTS
from pages.shell.i18n import say
from pages.shell.i18n.options import word
from pages.shell.screen import Screen
from pages.shell.state.guesses import Guesses
from pages.shell.state.page_controls import EXPERIMENTS, WhatIf
from pages.shell.views import blocks
from pages.shell.views.blocks import Block


def called() -> dict[str, str]:
    """What each question is called in the row of all: a tick stands in the place of its number."""
    answered = Guesses.current().by_question
    return {
        name: say(
            "what_if.path.step",
            at="✓" if any(f"if_{one}" in answered for one in _asked(name)) else at,
            question=word("what_if", name),
        )
        for at, name in enumerate(EXPERIMENTS, 1)
    }


def onward(screen: Screen) -> Iterator[Block]:
    """The way to the next question of those that are asked."""
    at = EXPERIMENTS.index(screen.own(WhatIf).what_if) + 1
    if at < len(EXPERIMENTS):
        following = EXPERIMENTS[at]
        label = say("what_if.path.next", at=at + 1, of=len(EXPERIMENTS), question=word("what_if", following))
        yield blocks.buttons((label, None, {"what_if": following}))


def _asked(name: str) -> tuple[str, ...]:
    """What is asked of an experiment, by id."""
    return PARTS if name == "bias" else (name,)
