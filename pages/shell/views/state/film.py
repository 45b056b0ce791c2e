"""The state after each fact under both rules, side by side, and its final answer."""

from collections.abc import Iterator, Mapping

import torch

from pages.shell.component.filmstrip import Filmstrip, Line
from pages.shell.i18n import listed, say
from pages.shell.i18n.numbers import fixed
from pages.shell.runs import remembering
from pages.shell.runs.remembering import FACTS, LIKE, WHO
from pages.shell.screen import Screen
from pages.shell.state.todays_controls import State
from pages.shell.views import blocks
from pages.shell.views.blocks import Block
from pages.shell.views.state.guessed import waits
from pages.shell.views.state.told import BOUND, TOLD, read

_LABELS = ("open", "key_head", "value_head", "rule_head", "fact_head", "kind", "keys")


def filmstrip(screen: Screen) -> Iterator[Block]:
    """After the guess it also shows the answer about the first animal."""
    made = remembering.told(screen.own(State)).steps
    lines = [
        Line(
            say(f"state.rule.{rule}"),
            say(f"state.kind_of.{rule}"),
            torch.stack([trace["written"].value for trace in made[rule]]).numpy(),
            _in_words(read(made[rule][-1])),
        )
        for rule in ("add", "delta")
    ]
    question = say("state.question", who=WHO[0])
    labels = {"question": question} | {name: say(f"state.label.{name}") for name in _LABELS}
    facts = [say("state.fact", who=who, like=like) for who, like in FACTS]
    brief = [f"{who} {like}" for who, like in FACTS]
    written = [WHO.index(who) for who, _ in FACTS]
    named = WHO, LIKE, written, BOUND, labels
    yield blocks.figures(Filmstrip("filmstrip", question, "", lines, facts, brief, *named, is_open=waits(screen)))


def _in_words(numbers: Mapping[str, float]) -> str:
    """The read numbers in words: words alone if each is there whole, else with their numbers."""
    told = {like: number for like, number in numbers.items() if abs(number) >= TOLD}
    if not told:
        return say("state.nothing")
    if any(abs(number - 1) >= TOLD for number in told.values()):
        return listed("comma", (f"{like} {fixed(number)}" for like, number in told.items()))
    return say("state.both", **dict(zip(("one", "other"), told, strict=True))) if len(told) == 2 else next(iter(told))
