"""The questions of a word with the answers of the layer: at rest, or after it has learned from one of them."""

from collections.abc import Iterator, Mapping

from attention.inputs.grammar import Asked
from pages.shell.i18n import say
from pages.shell.i18n.numbers import fixed
from pages.shell.runs import backward
from pages.shell.runs.run import Run
from pages.shell.screen import Screen
from pages.shell.views import asking, blocks
from pages.shell.views.backward import alone, answer, over_training, strength, target
from pages.shell.views.blocks import Block
from pages.shell.views.steps import focus_of


def chosen(screen: Screen) -> Iterator[Block]:
    """The word's questions, each with its answer, the layer's probability of it, and whether the layer gives it."""
    run, goal = screen.run, target.goal(screen)
    if backward.loss(run) is None:
        return
    _, row, _ = backward.goal_cell(run, goal, focus_of(run))
    picked = backward.asked_of(run, goal, focus_of(run))
    after = alone.now(screen, row, picked)
    offered = [
        (
            _line(run, after, row, one, share),
            one.question == picked,
            {"goal": "answer"} | alone.looks_at(screen, row, one.question),
            float(share),
        )
        for one in answer.asked(run, row)
        for share in (fixed(answer.sure(after, row, one.question)),)
    ]
    asks = (backward.right_answers(run)[run.sentence] >= 0).any(-1).nonzero().flatten().tolist()
    if offered:
        yield blocks.buttons(*offered, *_wrong(run, row, picked))
    elif asks:
        yield blocks.buttons(_elsewhere(run, focus_of(run) if focus_of(run) in asks else asks[0]))


def _line(run: Run, after: Run, row: int, one: Asked, share: str) -> str:
    """The layer's answer and, if that is wrong, the right answer beside it; the share is that of the right one."""
    told = {"question": asking.name_of(one.question), "answer": answer.right(run, one), "share": share}
    if answer.given(after, row, one.question)[2]:
        return say("backward.offered.right", **told)
    return say("backward.offered.wrong", given=answer.given_bare(after, row, one.question), **told)


def _sets(row: int, question: int) -> dict[str, str]:
    """The settings that show another answer, of the layer at rest."""
    return {"goal": "answer"} | alone.at_rest(row, question)


def _elsewhere(run: Run, row: int) -> tuple[str, bool, Mapping[str, str]]:
    """For a word that asks nothing, a button that leads to one that does."""
    sets = _sets(row, answer.first_of(run, row))
    return say("backward.answer.elsewhere", word=run.labels["query"][row]), False, sets


def _wrong(run: Run, row: int, picked: int | None) -> Iterator[tuple[str, bool, Mapping[str, str]]]:
    """For an answer that is right and has no arrow, the way back to the last stop that had one."""
    if picked is None or not answer.is_on_the_way(run):
        return
    is_calm = answer.sure(run, row, picked) >= strength.RIGHT and not over_training.has_arrow(run, row, picked)
    if is_calm and (at := over_training.last_wrong(run, row, picked)) is not None:
        yield say("backward.answer.when_wrong"), False, _sets(row, picked) | {"updates": at}
