"""An answer that the layer has learned from alone: its probability, its arrows, and the other answers."""

from collections.abc import Iterator

import torch
from torch import Tensor

from attention.inputs.grammar import Asked
from pages.shell.i18n import listed, say
from pages.shell.i18n.numbers import fixed
from pages.shell.runs import alone, backward
from pages.shell.runs import by_hand as hand
from pages.shell.runs.run import Run
from pages.shell.screen import Screen
from pages.shell.state.page_controls import ANSWER_STEPS
from pages.shell.state.page_controls import Backward as Controls
from pages.shell.views import asking, blocks, naming
from pages.shell.views.backward import answer, by_hand, guessed, prices, strength, target
from pages.shell.views.blocks import Block
from pages.shell.views.steps import focus_of

# If no weight has moved by more, something else has made the answer likely.
_MOVED = 0.1
# A bar within this distance of its start counts as unmoved: a click on it rounds to hundredths.
_HERE = 0.0051
# A weight that has changed by less has hardly moved.
_LEAST = 0.01
# Milliseconds of a played step: long enough for the weights to arrive and the short line above them to be read.
_STEP = 1000


def is_offered(screen: Screen) -> bool:
    """Whether there is an answer to learn from: a word without a question has none."""
    return alone.can_learn(screen.run, target.goal(screen)) and source(screen) is not None


def source(screen: Screen) -> tuple[int, int] | None:
    """The word and the question of the answer that is learned from: the kept one, or else the one that is looked at."""
    run = screen.run
    kept = backward.Goal.of("answer", screen.own(Controls).learned_from)
    if kept.at is not None and kept.at[0] == backward.ANSWER:
        _, row, question = kept.at
        if answer.knows(run, row, question):
            return row, question
    goal = target.goal(screen)
    asked = backward.asked_of(run, goal, focus_of(run))
    return None if asked is None else (backward.goal_cell(run, goal, focus_of(run))[1], asked)


def steps(screen: Screen) -> int:
    """The number of steps that the screen takes on its answer; 0 if there is none to learn from."""
    return screen.own(Controls).answer_steps if is_offered(screen) else 0


def is_visit(screen: Screen, row: int, question: int | None) -> bool:
    """Whether this is not the answer that the layer has learned from."""
    return steps(screen) > 0 and source(screen) != (row, question)


def held(screen: Screen, row: int, question: int | None) -> by_hand.Held | None:
    """The weight that is moved by hand, in a layer at rest."""
    return None if question is None or steps(screen) else by_hand.held(screen, row)


def now(screen: Screen, row: int, question: int | None) -> Run:
    """The run after the screen's steps, or with the weight that is moved by hand; else at rest."""
    run, taken, learned_from = screen.run, steps(screen), source(screen)
    if taken and learned_from is not None:
        return alone.after(run, *learned_from, taken)
    moved = held(screen, row, question)
    if moved is None or abs(float(weights(run, row)[moved.head, moved.key]) - moved.share) < _HERE:
        return run
    return hand.after(run, row, moved.head, moved.key, moved.share)


def at_rest(row: int, question: int) -> dict[str, str]:
    """The settings that show an answer of the layer at rest."""
    sets = {"goal_at": f"{backward.ANSWER}.{row}.{question}", "cell": ""}
    return sets | dict.fromkeys(("answer_steps", "learned_from", "pushed"), "")


def looks_at(screen: Screen, row: int, question: int) -> dict[str, str]:
    """The settings that show another answer; a layer that has learned keeps its steps and its answer."""
    learned_from, sets = source(screen), at_rest(row, question)
    if not steps(screen) or learned_from is None:
        return sets
    kept = "" if learned_from == (row, question) else ".".join(map(str, (backward.ANSWER, *learned_from)))
    return {name: text for name, text in sets.items() if name != "answer_steps"} | {"learned_from": kept}


def weights(run: Run, row: int) -> Tensor:
    """The weights of a word (heads, keys)."""
    return run.trace["weights"].of_heads(run.module.heads, batch=run.sentence)[:, row].cpu().float()


def came(run: Run, after: Run, row: int, pushes: Tensor) -> Tensor:
    """Whether each weight with an arrow has moved the way of its arrow (heads, keys); False for the others."""
    sizes = pushes.new_tensor(strength.sizes(pushes))
    return (weights(after, row) - weights(run, row)) * sizes > 0


def played(screen: Screen) -> Iterator[Block]:
    """The steps to play, beside their slider."""
    if not is_offered(screen):
        return
    names = {f"told_{name}": say(f"backward.learn.{name}") for name in ("back", "play", "stop", "next")}
    if (asked := source(screen)) is not None and answer.given(screen.run, *asked)[2]:
        names["told_play"] = say("backward.learn.play_right")
    every, sets = [str(taken) for taken in range(ANSWER_STEPS + 1)], {"answer_steps": "{value}", "pushed": ""}
    yield blocks.player(steps(screen) + 1, len(every), "", sets, 1, _STEP, names, every, later=_waits(screen))


def _waits(screen: Screen) -> bool:
    """Whether the weights are guessed first."""
    run, made = screen.run, target.found(screen)
    _, row, _ = backward.goal_cell(run, target.goal(screen), focus_of(run))
    question = backward.asked_of(run, target.goal(screen), focus_of(run))
    is_at_rest = now(screen, row, question) is run
    return is_at_rest and guessed.waits(screen, row, question, strength.pushes(run, made, row))


def said(run: Run, after: Run, row: int, one: Asked, taken: int, learned_from: str = "") -> str:
    """How likely the right answer has become, and the price; short enough to be read while it changes. learned_from:
    the answer that the layer has learned from, if it is another one; then the text says what the layer answers now."""
    then, share = (answer.sure(each, row, one.question) for each in (run, after))
    told = {"answer": answer.right_named(run, one), "then": fixed(then), "now": fixed(share)}
    kind = "visit" if learned_from else "step" if taken == 1 else "steps"
    stays = "_stayed" if told["now"] == told["then"] else ""
    gone = say(f"backward.alone.{kind}{stays}", steps=taken, source=learned_from, **told)
    more = answer.now_says(after, row, one) if learned_from else prices.said(run, after, row, one)
    return listed("sentence", [each for each in (gone, more) if each])


def learned_from(screen: Screen) -> str:
    """The answer that the layer learns from, named for a sentence."""
    found = source(screen)
    if found is None:
        return ""
    row, question = found
    word = naming.of_query(screen.run, row)
    return say("backward.alone.source", word=word, question=asking.name_of(question))


def arrows(run: Run, after: Run, row: int, pushes: Tensor) -> Iterator[str]:
    """The number of arrows that came true; if there was none, that no weight has moved far."""
    drawn, true = int(strength.sizes(pushes).astype(bool).sum()), int(came(run, after, row, pushes).sum())
    most = float((weights(after, row) - weights(run, row)).abs().max())
    if drawn == 1:
        yield say(f"backward.one_arrow.{'came' if true else 'missed'}")
    elif drawn:
        yield say(f"backward.arrows.{'all' if true == drawn else 'some'}", arrows=drawn, came=true)
        if true < drawn and _gave_way(run, after, row, pushes):
            yield say("backward.arrows.gave_way")
    if not drawn and most < _LEAST:
        yield say("backward.alone.no_arrow_at_rest")
    elif not drawn and most < _MOVED:
        yield say("backward.alone.no_arrow", most=fixed(most))


def _gave_way(run: Run, after: Run, row: int, pushes: Tensor) -> bool:
    """Whether each arrow that failed has a stronger one in its head and direction that came true, while the head's
    weights add up to 1."""
    true, sizes = came(run, after, row, pushes), pushes.new_tensor(strength.sizes(pushes))
    add_up = torch.allclose(weights(after, row).sum(-1), torch.ones(len(pushes)), atol=1e-4)
    return add_up and all(
        bool((true[head] & (pushes[head] * sizes[head, key].sign() > pushes[head, key].abs())).any())
        for head, key in ((sizes != 0) & ~true).nonzero().tolist()
    )
