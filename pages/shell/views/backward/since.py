"""What the last updates of the training did to an answer and to its weights, and the way to one that is still wrong."""

from collections.abc import Iterator
from dataclasses import replace

from attention.inputs.grammar import Asked
from attention.inputs.learned import ON_THE_WAY
from pages.shell.i18n import listed, say
from pages.shell.i18n.numbers import fixed
from pages.shell.runs.backward import ANSWER
from pages.shell.runs.run import Run
from pages.shell.runs.run import run as computed
from pages.shell.views import asking, blocks, naming
from pages.shell.views.backward import answer, followed
from pages.shell.views.backward.followed import Moved
from pages.shell.views.blocks import Block


def said(run: Run, row: int, one: Asked) -> str:
    """What the updates since the stop before did; "" of a layer that was not kept on its way."""
    if not answer.is_on_the_way(run):
        return ""
    before = followed.before(run)
    if before is None:
        return say("backward.since.start")
    then, now = (answer.sure(each, row, one.question) for each in (before, run))
    # As it is written: what the line before gave as 0.11 has not stayed at 0.10.
    kind = "stayed" if fixed(now) == fixed(then) else "rose" if now > then else "fell"
    numbers = {"from": before.config.updates, "to": run.config.updates, "then": fixed(then), "now": fixed(now)}
    told = [say(f"backward.since.{kind}", **numbers, answer=answer.right_named(run, one))]
    asked_for, unasked = followed.asked_for(run, row, one), followed.unasked(run, row, one)
    how = ""
    if asked_for is not None:
        how = _how(asked_for)
        way = say(f"backward.way.{'more' if asked_for.arrow > 0 else 'less'}")
        told.append(_told(run, f"arrow.{how}", asked_for, way=way))
    if unasked is not None:
        told.append(_told(run, f"jumped.{'against' if unasked.arrow else 'unasked'}", unasked))
    if kind == "fell" or how == "refused" or unasked is not None:
        told.append(say("backward.since.others"))
    return listed("sentence", told)


def _how(moved: Moved) -> str:
    """Whether a weight went where its arrow pointed."""
    if fixed(moved.now) == fixed(moved.then):
        return "still"
    return "came" if (moved.now - moved.then) * moved.arrow > 0 else "refused"


def _told(run: Run, text: str, moved: Moved, **more: str) -> str:
    more |= {"key": naming.of_key(run, moved.key), "then": fixed(moved.then), "now": fixed(moved.now)}
    return say(f"backward.{text}", **more, head=moved.head + 1)


def onward(run: Run) -> Iterator[Block]:
    """From a picture whose answer is right to the one that is least likely on the way of the training."""
    if not answer.is_on_the_way(run):
        return
    found = []
    for updates in map(str, ON_THE_WAY[1:]):
        then = computed(replace(run.config, updates=updates))
        found += [
            (answer.sure(then, row, one.question), row, one, updates)
            for row in range(len(run.labels["query"]))
            for one in answer.asked(then, row)
        ]
    _, row, one, updates = min(found, key=lambda each: each[0])
    at = {"goal": "answer", "goal_at": f"{ANSWER}.{row}.{one.question}", "cell": "", "updates": updates}
    told = {"word": naming.of_query(run, row), "question": asking.name_of(one.question)}
    yield blocks.buttons((say("backward.onward.wrong", updates=updates, **told), False, at))
