"""What the questions say together: of each that is answered, whether the arcs moved, and why."""

from collections.abc import Iterator
from functools import lru_cache

from attention.analysis.interventions import PARTS
from pages.shell.i18n import say
from pages.shell.i18n.options import word
from pages.shell.screen import Screen
from pages.shell.state.guesses import Guesses
from pages.shell.state.page_controls import EXPERIMENTS, WhatIf
from pages.shell.views import blocks
from pages.shell.views.blocks import Block
from pages.shell.views.experiments import sentence

# What belongs to one question alone, or to none.
_ALONE = {"shift", "shifted", "basis", "guess", "guess_first"}


def summary(screen: Screen) -> Iterator[Block]:
    """A row a question, filled once it is answered; below all of them what follows. Of what is added, those parts that
    were answered, or else the chosen one."""
    chosen, given = screen.own(WhatIf), screen.own(Guesses).by_question
    answered = [one for one in (*EXPERIMENTS, *PARTS) if f"if_{one}" in given]
    if not answered:
        return
    rows = []
    for name in EXPERIMENTS:
        parts = [part for part in PARTS if part in answered] or [chosen.shifted]
        for one in parts if name == "bias" else [name]:
            asked = say(f"what_if.path.added.{one}") if name == "bias" else word("what_if", name)
            rows.append([asked, *(_found(screen, name, one) if one in answered else ("?", ""))])
    yield blocks.heading(say("what_if.summary.title"))
    yield blocks.table(*(say(f"what_if.summary.{column}") for column in ("question", "arcs", "why")), rows=rows)
    if all(row[2] for row in rows):
        yield blocks.text(say("what_if.summary.all"))


def _found(screen: Screen, name: str, one: str) -> tuple[str, str]:
    """Whether the arcs of a question moved, in words, and why."""
    opens = {"what_if": name} | ({"shifted": one} if name == "bias" else {})
    others = _ALONE - ({"shift"} if name == "bias" else {"basis"} if name == "basis" else set())
    asked = {key: value for key, value in screen.parameters.items() if key not in others} | opens
    did = "moves" if _moves(screen.page, screen.language, tuple(sorted(asked.items()))) else "stays"
    return say(f"what_if.summary.{did}"), say(f"what_if.summary.reason.{one}_{did}")


@lru_cache(maxsize=64)
def _moves(page: str, language: str, parameters: tuple[tuple[str, str], ...]) -> bool:
    """Of all questions, a slider moves one: the others are remembered."""
    return sentence.made_of(Screen(page, dict(parameters), language)).moves
