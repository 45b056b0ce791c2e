"""What the last updates of the training did to an answer and to its weights."""

from attention.inputs.grammar import Asked
from pages.shell.i18n import listed, say
from pages.shell.i18n.numbers import fixed
from pages.shell.runs.run import Run
from pages.shell.views import naming
from pages.shell.views.backward import answer, followed
from pages.shell.views.backward.followed import Moved


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
