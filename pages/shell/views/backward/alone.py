"""What became of an answer that the layer has learned from alone: of its probability, its arrows, and other answers."""

from collections.abc import Iterator

from torch import Tensor

from attention.inputs.grammar import Asked
from pages.shell.i18n import listed, say
from pages.shell.i18n.numbers import fixed
from pages.shell.runs import alone, backward
from pages.shell.runs.run import Run
from pages.shell.screen import Screen
from pages.shell.state.page_controls import Backward as Controls
from pages.shell.views.backward import answer, strength, target

# Where no weight has moved by more, something else has made the answer likely.
_MOVED = 0.1


def is_offered(screen: Screen) -> bool:
    return alone.can_learn(screen.run, target.goal(screen))


def steps(screen: Screen) -> int:
    """How many steps the screen takes on its answer; 0 where it has none to learn from."""
    return screen.own(Controls).answer_steps if is_offered(screen) else 0


def now(screen: Screen, row: int, question: int | None) -> Run:
    """The run after these steps; at rest of a word that asks nothing."""
    return screen.run if question is None else alone.after(screen.run, row, question, steps(screen))


def weights(run: Run, row: int) -> Tensor:
    """(heads, keys)"""
    return run.trace["weights"].of_heads(run.module.heads, batch=run.sentence)[:, row].cpu().float()


def came(run: Run, after: Run, row: int, pushes: Tensor) -> Tensor:
    """(heads, keys): of a weight with an arrow, whether it has gone where the arrow points; False for the others."""
    sizes = pushes.new_tensor(strength.sizes(pushes))
    return (weights(after, row) - weights(run, row)) * sizes > 0


def said(run: Run, after: Run, row: int, one: Asked, pushes: Tensor, taken: int) -> str:
    """How likely the right answer has become, what the layer says now, and how many arrows came true."""
    then, share = (answer.sure(each, row, one.question) for each in (run, after))
    told = {"answer": answer.right_named(run, one), "then": fixed(then), "now": fixed(share)}
    given, _, is_right = answer.given(after, row, one.question)
    return listed(
        "sentence",
        (
            say("backward.alone.step" if taken == 1 else "backward.alone.steps", steps=taken, **told),
            say(f"backward.now_says.{'right' if is_right else 'wrong'}", given=given),
            *_arrows(run, after, row, pushes),
        ),
    )


def _arrows(run: Run, after: Run, row: int, pushes: Tensor) -> Iterator[str]:
    arrows, true = int(strength.sizes(pushes).astype(bool).sum()), int(came(run, after, row, pushes).sum())
    most = float((weights(after, row) - weights(run, row)).abs().max())
    if arrows == 1:
        yield say(f"backward.one_arrow.{'came' if true else 'missed'}")
    elif arrows:
        yield say(f"backward.arrows.{'all' if true == arrows else 'some'}", arrows=arrows, came=true)
    if most < _MOVED:
        yield say("backward.alone.still" if arrows else "backward.alone.no_arrow", most=fixed(most))


def others(run: Run, after: Run, row: int, one: Asked) -> str:
    """How many of the sentence's other answers were right at rest and are lost; "" where none was right."""
    right = [
        (place, each.question)
        for place in range(len(backward.right_answers(run)[run.sentence]))
        for each in answer.asked(run, place)
        if each != one and answer.given(run, place, each.question)[2]
    ]
    lost = sum(not answer.given(after, *each)[2] for each in right)
    if not right:
        return ""
    return say(f"backward.others.{'kept' if not lost else 'one' if lost == 1 else 'lost'}", lost=lost, right=len(right))
