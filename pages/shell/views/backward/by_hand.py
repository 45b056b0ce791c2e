"""A weight that a reader moves: how likely the right answer becomes, and whether its arrow foretold it."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from torch import Tensor

from attention.inputs.grammar import Asked
from pages.shell.i18n import listed, say
from pages.shell.i18n.numbers import fixed
from pages.shell.runs import by_hand
from pages.shell.runs.run import Run
from pages.shell.screen import Screen
from pages.shell.state.page_controls import Backward as Controls
from pages.shell.views import naming
from pages.shell.views.backward import answer, strength

# The settings of a drag of a bar.
DRAGS = {"pushed": "{head}.{key}.{weight}", "answer_steps": "", "learned_from": ""}
# Hundredths by which a button moves a weight.
_STEP = 25
# A weight this near to 0 or to 1 hardly feels a small step of its score, which moves it by w (1 - w) of the step.
_NEAR = 0.05
# The change from which on the right answer counts as much more or less likely.
_FAR = 0.05


@dataclass(frozen=True)
class Held:
    """The moved weight: its head and its word, from 0, and its new share."""

    head: int
    key: int
    share: float


def held(screen: Screen, row: int) -> Held | None:
    """The moved weight; None if no weight of the word is moved, or there is no such weight."""
    run, asked = screen.run, screen.own(Controls).pushed
    numbers = asked.split(".")[:3]
    if len(numbers) < 3 or not all(number.isdecimal() for number in numbers):
        return None
    head, key, share = map(int, numbers)
    is_there = head < run.module.heads and key < run.trace.sizes["key"] and by_hand.can_move(run, row, key)
    return Held(head, key, min(share, 100) / 100) if is_there else None


def sets(run: Run, row: int, head: int, key: int) -> Mapping[str, str]:
    """The settings with which a click chooses a bar without moving it."""
    if not by_hand.can_move(run, row, key):
        return {}
    weight = float(run.trace["weights"].of_heads(run.module.heads, batch=run.sentence)[head, row, key])
    return DRAGS | {"pushed": f"{head}.{key}.{round(100 * weight)}"}


def _at(head: int, key: int, hundredths: float) -> Mapping[str, str]:
    return DRAGS | {"pushed": f"{head}.{key}.{min(max(round(hundredths), 1), 99)}"}


def offered(run: Run, row: int, head: int, key: int, sign: int) -> tuple[str, bool | None, Mapping[str, str]]:
    """The button that moves the weight of the strongest arrow by hand."""
    weight = float(run.trace["weights"].of_heads(run.module.heads, batch=run.sentence)[head, row, key])
    label = say(f"backward.hand.try_{'up' if sign > 0 else 'down'}", key=naming.of_key(run, key), head=head + 1)
    return label, None, _at(head, key, 100 * weight + sign * _STEP)


def said(run: Run, after: Run, row: int, one: Asked, moved: Held, pushes: Tensor) -> str:
    """How far a weight was moved, with its arrow or against it, and the result."""
    then, now = (answer.sure(each, row, one.question) for each in (run, after))
    was, is_now = (
        float(each.trace["weights"].of_heads(run.module.heads, batch=run.sentence)[moved.head, row, moved.key])
        for each in (run, after)
    )
    arrow = int(strength.sizes(pushes)[moved.head, moved.key])
    told = {"key": naming.of_key(run, moved.key), "head": f"{moved.head + 1}", "was": fixed(was), "now": fixed(is_now)}
    if after is run:
        return say("backward.hand.here", **told)
    way = "none" if not arrow else "along" if arrow * (is_now - was) > 0 else "against"
    shares = {"answer": answer.right_named(run, one), "then": fixed(then), "share": fixed(now)}
    return listed("sentence", (say(f"backward.hand.{way}", **told, **shares), answer.now_says(after, row, one)))


def without_arrow(run: Run, after: Run, row: int, one: Asked, moved: Held, pushes: Tensor) -> Iterator[str]:
    """Why a weight has no arrow although its move has changed much."""
    then, now = (answer.sure(each, row, one.question) for each in (run, after))
    was = float(run.trace["weights"].of_heads(run.module.heads, batch=run.sentence)[moved.head, row, moved.key])
    if not strength.sizes(pushes)[moved.head, moved.key] and abs(now - then) >= _FAR and min(was, 1 - was) < _NEAR:
        yield say(f"backward.hand.near_{'none' if was < _NEAR else 'all'}")
