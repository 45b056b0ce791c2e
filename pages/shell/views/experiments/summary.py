"""All questions together: for each answered one, whether the arcs moved, and why."""

from collections.abc import Iterator
from functools import lru_cache

from attention.analysis.interventions import PARTS
from pages.shell.i18n import listed, say
from pages.shell.i18n.options import word
from pages.shell.screen import Screen
from pages.shell.state.guesses import Guesses
from pages.shell.state.page_controls import EXPERIMENTS, WhatIf
from pages.shell.views import blocks
from pages.shell.views.blocks import Block
from pages.shell.views.experiments import path
from pages.shell.views.experiments.made import made_of

# Settings of one question alone, or of none.
_ALONE = {"shift", "shifted", "basis", "guess", "guess_first"}
# Questions that make other weights from the same scores.
_REMADE = ("mistakes", "importance")
# Signs in the row of all questions: the arcs stay, the arcs move, the question is beside the path.
_STAY, _MOVE, _BESIDE = "=", "≠", "+"


def called(screen: Screen) -> dict[str, str]:
    """The name of each question in the row of all: its number or, once answered, the sign of its arcs; its stop on the
    path, and the question itself."""
    return {
        name: say(
            "what_if.path.step",
            at=_sign(screen, name) or (at if name in path.STOPS else _BESIDE),
            stop=say(f"what_if.stop.{name}"),
            question=word("what_if", name),
        )
        for at, name in enumerate(EXPERIMENTS, 1)
    }


def summary(screen: Screen) -> Iterator[Block]:
    """A row for each question, filled once it is answered. The question of added numbers has a row for each answered
    part, or else for the chosen part."""
    rows = []
    for name in EXPERIMENTS:
        answered = _answered(screen, name)
        parts = answered or [screen.own(WhatIf).shifted]
        for one in parts if name == "bias" else [name]:
            asked = say(f"what_if.path.added.{one}") if name == "bias" else word("what_if", name)
            found = _found(screen, name, one) if answered else ("?", "")
            rows.append([say(f"what_if.stop.{name}"), asked, *found])
    yield blocks.table(*(say(f"what_if.summary.{column}") for column in ("stop", "question", "arcs", "why")), rows=rows)


def closing(screen: Screen) -> Iterator[Block]:
    """The conclusion, once all stops are answered: the changes that keep the arcs, and those that move them."""
    if not all(_answered(screen, name) for name in path.STOPS):
        return
    found: dict[str, list[str]] = {"stays": [], "moves": [], "remade": []}
    for name in EXPERIMENTS:
        for one in _answered(screen, name):
            did = "stays" if not _did(screen, name, one) else "remade" if name in _REMADE else "moves"
            found[did].append(say(f"what_if.closing.of.{one}"))
    lines = [say(f"what_if.closing.{did}", what=listed("comma", ones)) for did, ones in found.items() if ones]
    yield blocks.note("\n\n".join([say("what_if.summary.all"), *lines]), "success")


def _answered(screen: Screen, name: str) -> list[str]:
    """The answered questions of an experiment, by id: those of its parts, if numbers are added."""
    given = screen.own(Guesses).by_question
    return [one for one in (PARTS if name == "bias" else (name,)) if f"if_{one}" in given]


def _sign(screen: Screen, name: str) -> str:
    """The sign for arcs that stay or for arcs that move, or both if the parts differ; "" while nothing is answered."""
    signs = {_MOVE if _did(screen, name, one) else _STAY for one in _answered(screen, name)}
    return "\u00a0".join(sorted(signs))


def _found(screen: Screen, name: str, one: str) -> tuple[str, str]:
    """Whether the arcs of a question moved, in words, and why."""
    did = "moves" if _did(screen, name, one) else "stays"
    return say(f"what_if.summary.{did}"), say(f"what_if.summary.reason.{one}_{did}")


def _did(screen: Screen, name: str, one: str) -> bool:
    """Whether the arcs of a question moved."""
    opens = {"what_if": name} | ({"shifted": one} if name == "bias" else {})
    others = _ALONE - ({"shift"} if name == "bias" else {"basis"} if name == "basis" else set())
    asked = {key: value for key, value in screen.parameters.items() if key not in others} | opens
    return _moves(screen.page, screen.language, tuple(sorted(asked.items())))


@lru_cache(maxsize=64)
def _moves(page: str, language: str, parameters: tuple[tuple[str, str], ...]) -> bool:
    """Whether the arcs of a screen move; cached, because a slider changes only one of all questions."""
    return made_of(Screen(page, dict(parameters), language)).moves
