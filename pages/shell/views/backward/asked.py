"""Which layer is asked what: where its training was left, what it says, and what is right."""

from collections.abc import Iterator

from attention.inputs.grammar import Asked
from pages.shell.i18n import listed, say
from pages.shell.i18n.numbers import fixed
from pages.shell.runs import backward
from pages.shell.runs.run import Run
from pages.shell.screen import Screen
from pages.shell.state.config import Config
from pages.shell.views import asking, blocks, naming
from pages.shell.views.backward import answer, over_training, target
from pages.shell.views.blocks import Block
from pages.shell.views.steps import focus_of


def asked(screen: Screen) -> Iterator[Block]:
    """Of the layer at rest: it stays as it is while the layer learns from its answer."""
    run, goal = screen.run, target.goal(screen)
    if goal.kind != "answer" or backward.loss(run) is None:
        return
    _, row, _ = backward.goal_cell(run, goal, focus_of(run))
    one = answer.of_question(run, row, backward.asked_of(run, goal, focus_of(run)))
    # Empty, too, where there is nothing to say: what stands below it stays where it is.
    yield blocks.text(listed("sentence", [*_left(run, row, one), *(_says(run, row, one) if one else ())]))


def _left(run: Run, row: int, one: Asked | None) -> Iterator[str]:
    """Where the training was left, and whether its end answers right what is wrong here; nothing of its end."""
    updates = run.config.updates
    if updates == Config.updates or not answer.is_on_the_way(run):
        return
    if updates == "0":
        yield say("backward.taken_out.untrained")
        return
    is_still = (
        one is not None and not answer.given(run, row, one.question)[2] and over_training.comes(run, row, one.question)
    )
    yield say(f"backward.taken_out.{'still_wrong' if is_still else 'after'}", updates=updates)


def _says(run: Run, row: int, one: Asked) -> Iterator[str]:
    """The question, what the layer says, and instead of a wrong answer the right one."""
    yield say("backward.answer.asked", word=naming.of_query(run, row), question=asking.name_of(one.question))
    given, most, is_right = answer.given(run, row, one.question)
    told = {"given": given, "most": fixed(most)}
    if is_right:
        yield say("backward.answer.says_right", **told)
        return
    share = fixed(answer.sure(run, row, one.question))
    yield say("backward.answer.says_wrong", **told, answer=answer.right_named(run, one), share=share)
