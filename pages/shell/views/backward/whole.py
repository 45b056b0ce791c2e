"""The whole training of the layer: what an update is for, the training to play, and the effect of the last updates."""

from collections.abc import Iterator
from dataclasses import replace

from attention.inputs.grammar import Asked
from pages.shell.i18n import say
from pages.shell.i18n.numbers import fixed
from pages.shell.runs import backward
from pages.shell.runs.run import Run
from pages.shell.runs.run import run as computed
from pages.shell.screen import Screen
from pages.shell.state.config import stops
from pages.shell.views import blocks
from pages.shell.views.backward import answer, over_training, target
from pages.shell.views.blocks import Block
from pages.shell.views.steps import focus_of

# Milliseconds for a stop of the training: bars move, and the line beside the buttons can be read.
_READ = 1600
# Playing fewer stops would not show how an answer arises: then the film begins at the first one.
_FILM = 5


def lead(screen: Screen) -> Iterator[Block]:
    if _is_shown(screen):
        yield blocks.text(say("backward.whole.lead"))


def played(screen: Screen) -> Iterator[Block]:
    """The training to play, with the effect on the answer of the updates since the last stop."""
    if not _is_shown(screen):
        return
    run, goal = screen.run, target.goal(screen)
    _, row, _ = backward.goal_cell(run, goal, focus_of(run))
    question = backward.asked_of(run, goal, focus_of(run))
    one, every = answer.of_question(run, row, question), stops(run.config.updates)
    at = every.index(run.config.updates) + 1
    ends = one is not None and over_training.is_learned(run, row, one.question)
    names = {f"told_{name}": say(f"backward.go.{name}") for name in ("back", "play", "stop", "next")}
    said = "" if one is None else _since(run, row, one)
    sets = {"updates": "{value}", "answer_steps": "", "learned_from": "", "pushed": ""}
    yield blocks.player(at, len(every), said, sets, 1, _READ, names, every, ends=ends, anew=len(every) - at < _FILM)


def _is_shown(screen: Screen) -> bool:
    """Whether an answer is differentiated, and the layer's training was kept."""
    run = screen.run
    return target.goal(screen).kind == "answer" and backward.loss(run) is not None and answer.is_on_the_way(run)


def _since(run: Run, row: int, one: Asked) -> str:
    """The effect on an answer of the updates since the last stop."""
    every = stops(run.config.updates)
    at = every.index(run.config.updates)
    if not at:
        return say("backward.since.start")
    then, now = (
        answer.sure(each, row, one.question) for each in (computed(replace(run.config, updates=every[at - 1])), run)
    )
    # Compare the written numbers: if the line before gave 0.11, it has not stayed at 0.10.
    kind = "stayed" if fixed(now) == fixed(then) else "rose" if now > then else "fell"
    numbers = {"from": every[at - 1], "to": run.config.updates, "then": fixed(then), "now": fixed(now)}
    return say(f"backward.since.{kind}", **numbers, answer=answer.right_named(run, one))
