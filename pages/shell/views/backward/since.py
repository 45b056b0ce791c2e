"""What the last updates of the training did to an answer, and whether they did what its strongest arrow asked for."""

from collections.abc import Iterator
from dataclasses import replace

from attention.inputs.grammar import Asked
from attention.inputs.learned import TAKEN
from pages.shell.i18n import listed, say
from pages.shell.i18n.numbers import fixed
from pages.shell.runs import backward
from pages.shell.runs.backward import ANSWER, Goal
from pages.shell.runs.run import Run
from pages.shell.runs.run import run as computed
from pages.shell.views import asking, blocks, naming
from pages.shell.views.backward import answer, strength
from pages.shell.views.blocks import Block


def said(run: Run, row: int, one: Asked) -> str:
    """What the updates since the frame before did; "" of a layer that was not kept on its way."""
    if not answer.is_on_the_way(run):
        return ""
    at = answer.UPDATES.index(run.config.updates)
    if not at:
        return say("backward.since.start")
    before = computed(replace(run.config, updates=answer.UPDATES[at - 1]))
    then, now = (answer.sure(each, row, one.question) for each in (before, run))
    # As it is written: what the line before gave as 0.11 has not stayed at 0.10.
    kind = "stayed" if fixed(now) == fixed(then) else "rose" if now > then else "fell"
    numbers = {"from": before.config.updates, "to": run.config.updates, "then": fixed(then), "now": fixed(now)}
    told = say(f"backward.since.{kind}", **numbers, answer=answer.right_named(run, one))
    arrow, how = _followed(before, run, row, one)
    others = [say("backward.since.others")] if "fell" == kind or how == "refused" else []
    return listed("sentence", (told, *arrow, *others))


def _followed(before: Run, run: Run, row: int, one: Asked) -> tuple[list[str], str]:
    """Whether the weight at the strongest arrow of the frame before went where the arrow pointed; nothing without an
    arrow."""
    made = backward.found(before, Goal("answer", (ANSWER, row, one.question)), row)
    pushes = strength.pushes(before, made, row)
    drawn = strength.sizes(pushes * strength.times(pushes, answer.sure(before, row, one.question)))
    if not drawn.any():
        return [], ""
    head, key = divmod(int(pushes.abs().argmax()), pushes.shape[1])
    then, now = (
        float(each.trace["weights"].of_heads(each.module.heads, batch=each.sentence)[head, row, key])
        for each in (before, run)
    )
    way = "more" if pushes[head, key] > 0 else "less"
    kind = "still" if fixed(now) == fixed(then) else "came" if (now > then) == (way == "more") else "refused"
    told = {"way": say(f"backward.way.{way}"), "key": naming.of_key(run, key), "then": fixed(then), "now": fixed(now)}
    return [say(f"backward.arrow.{kind}", **told, head=head + 1)], kind


def onward(run: Run) -> Iterator[Block]:
    """From a picture without an arrow to one that has some: the start of the training, and the answer that is least
    likely on its way."""
    if not answer.is_on_the_way(run):
        return
    found = []
    for updates in map(str, TAKEN[1:]):
        then = computed(replace(run.config, updates=updates))
        found += [
            (answer.sure(then, row, one.question), row, one, updates)
            for row in range(len(run.labels["query"]))
            for one in answer.asked(then, row)
        ]
    _, row, one, updates = min(found, key=lambda each: each[0])
    at = {"goal": "answer", "goal_at": f"{ANSWER}.{row}.{one.question}", "cell": "", "updates": updates}
    told = {"word": naming.of_query(run, row), "question": asking.name_of(one.question)}
    lively = say("backward.onward.wrong", updates=updates, **told), False, at
    start = say("backward.onward.start"), False, {"updates": answer.UPDATES[0]}
    yield blocks.buttons(*([start] if run.config.updates == answer.UPDATES[-1] else []), lively)
