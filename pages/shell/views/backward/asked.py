"""The layer that is asked, and its question: the stop of its training, its answer, and the right one."""

from collections.abc import Iterator

from attention.inputs.grammar import Asked
from pages.shell.i18n import listed, say
from pages.shell.i18n.numbers import fixed
from pages.shell.runs import backward
from pages.shell.runs.run import Run
from pages.shell.screen import Screen
from pages.shell.state.config import Config
from pages.shell.views import asking, blocks, naming
from pages.shell.views.backward import alone, answer, over_training, target
from pages.shell.views.blocks import Block
from pages.shell.views.steps import focus_of


def asked(screen: Screen) -> Iterator[Block]:
    """The answer of the layer at rest. Once the layer has learned from it, the same lines tell it in the past tense."""
    run, goal = screen.run, target.goal(screen)
    if goal.kind != "answer" or backward.loss(run) is None:
        return
    _, row, _ = backward.goal_cell(run, goal, focus_of(run))
    one = answer.of_question(run, row, backward.asked_of(run, goal, focus_of(run)))
    question = None if one is None else one.question
    tense = "was" if one is not None and alone.now(screen, row, question) is not run else "is"
    # The block is there even if it is empty, so that the content below it stays in place.
    yield blocks.text(listed("sentence", [*_left(run, row, one, tense), *(_says(run, row, one, tense) if one else ())]))


def _left(run: Run, row: int, one: Asked | None, tense: str) -> Iterator[str]:
    """The stop at which the training was left, and whether its end corrects an answer that is wrong here."""
    updates = run.config.updates
    if updates == Config.updates or not answer.is_on_the_way(run):
        yield say("backward.taken_out.end" if answer.is_trained(run) else "backward.taken_out.by_hand")
        return
    if updates == "0":
        yield say("backward.taken_out.untrained")
        return
    is_still = (
        one is not None and not answer.given(run, row, one.question)[2] and over_training.comes(run, row, one.question)
    )
    yield say(f"backward.taken_out.{f'{tense}_wrong' if is_still else 'after'}", updates=updates)


def _says(run: Run, row: int, one: Asked, tense: str) -> Iterator[str]:
    """The question, the layer's answer and, if that is wrong, the right one."""
    yield say("backward.answer.asked", word=naming.of_query(run, row), question=asking.name_of(one.question))
    given, most, is_right = answer.given(run, row, one.question)
    told = {"given": given, "most": fixed(most)}
    if is_right:
        yield say(f"backward.{tense}_said.right", **told)
        return
    share = fixed(answer.sure(run, row, one.question))
    kind = "unseen" if answer.is_unseen(run, row, one.question) else "wrong"
    yield say(f"backward.{tense}_said.{kind}", **told, answer=answer.right_named(run, one), share=share)
