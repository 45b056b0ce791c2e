"""The probability of an answer at each stop of the training: it wanders, and then it rises."""

from collections.abc import Iterator

from pages.shell.component.course import Course
from pages.shell.i18n import say
from pages.shell.i18n.numbers import fixed
from pages.shell.runs import backward
from pages.shell.screen import Screen
from pages.shell.state.config import stops
from pages.shell.views import blocks
from pages.shell.views.backward import answer, over_training, target
from pages.shell.views.blocks import Block
from pages.shell.views.steps import focus_of


def course(screen: Screen) -> Iterator[Block]:
    """A strip below the slider, with a dot at the present stop; nothing if the layer's training was not kept."""
    run, goal = screen.run, target.goal(screen)
    if goal.kind != "answer" or backward.loss(run) is None or not answer.is_on_the_way(run):
        return
    _, row, _ = backward.goal_cell(run, goal, focus_of(run))
    one = answer.of_question(run, row, backward.asked_of(run, goal, focus_of(run)))
    if one is None:
        # The strip keeps its place, because another word may ask something.
        yield blocks.text("")
        return
    every, found = stops(run.config.updates), over_training.shares(run, row, one.question)
    at, named = every.index(run.config.updates), answer.right_named(run, one)
    labels = {
        "stops": list(every),
        "written": [fixed(share) for share in found],
        "told": say("backward.course.told", stop="{{stop}}", share="{{share}}"),
        "stop": say("control.updates.label"),
        "share": say("backward.course.share", answer=named),
        "kind": say("backward.course.kind"),
        "keys": "",
    }
    said = say("backward.course.said", answer=named)
    title = say("backward.course.title", answer=named)
    yield blocks.figures(Course("course", title, found, at, labels, said))
