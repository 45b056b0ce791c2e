"""The training to play, and the questions of a word with the answers of the layer."""

from collections.abc import Iterator, Mapping
from dataclasses import replace

from attention.inputs.grammar import ANSWERS, NOTHING, Asked
from attention.inputs.learned import ON_THE_WAY
from pages.shell.i18n import say
from pages.shell.i18n.numbers import fixed
from pages.shell.runs import asking as of_words
from pages.shell.runs import backward, learned
from pages.shell.runs.backward import ANSWER, Goal
from pages.shell.runs.run import Run
from pages.shell.runs.run import run as computed
from pages.shell.screen import Screen
from pages.shell.state.config import stops
from pages.shell.views import asking, blocks, naming
from pages.shell.views.backward import strength, target
from pages.shell.views.blocks import Block
from pages.shell.views.steps import focus_of

# Milliseconds for a stop of the training: for half of it, bars travel.
_READ = 1200


def chosen(screen: Screen) -> Iterator[Block]:
    """The training to play, and the questions of the word, each with its answer and how sure the layer is of it."""
    run, goal = screen.run, target.goal(screen)
    if backward.loss(run) is None:
        return
    _, row, _ = backward.goal_cell(run, goal, focus_of(run))
    picked = backward.asked_of(run, goal, focus_of(run))
    if goal.kind == "answer" and is_on_the_way(run):
        every, sets = stops(run.config.updates), {"updates": "{value}"}
        at, ends = every.index(run.config.updates) + 1, picked is not None and is_learned(run, row, picked)
        names = {f"told_{name}": say(f"backward.go.{name}") for name in ("back", "play", "stop", "next")}
        yield blocks.player(at, len(every), "", sets, 1, _READ, names, every, ends=ends)
    offered = [
        (
            say("backward.answer.offered", question=asking.name_of(one.question), answer=right(run, one), share=share),
            one.question == picked,
            {"goal": "answer", "goal_at": f"{ANSWER}.{row}.{one.question}", "cell": ""},
            float(share),
        )
        for one in asked(run, row)
        for share in (fixed(sure(run, row, one.question)),)
    ]
    asks = (backward.right_answers(run)[run.sentence] >= 0).any(-1).nonzero().flatten().tolist()
    if offered:
        yield blocks.buttons(*offered)
    elif asks:
        yield blocks.buttons(_elsewhere(run, focus_of(run) if focus_of(run) in asks else asks[0]))


def _elsewhere(run: Run, row: int) -> tuple[str, bool, Mapping[str, str]]:
    """A word that asks something, for one that asks nothing."""
    chosen = {"goal": "answer", "goal_at": f"{ANSWER}.{row}.{first_of(run, row)}", "cell": ""}
    return say("backward.answer.elsewhere", word=run.labels["query"][row]), False, chosen


def is_trained(run: Run) -> bool:
    """Whether all numbers are those of the training: none was typed over by hand, and no head was taken away."""
    return learned.used(run.config) is not None and not run.typed and not learned.off(run.config, run.module.heads)


def is_on_the_way(run: Run) -> bool:
    """Whether the layer was kept on the way of its training, and all numbers are those of the training."""
    setting = learned.used(replace(run.config, updates=str(ON_THE_WAY[0])))
    return is_trained(run) and setting is not None and setting.taken is not None


def is_learned(run: Run, row: int, question: int) -> bool:
    """Whether an answer is right from here on, and has no arrow left. run: on the way of its training."""
    every = stops(run.config.updates)
    later = (computed(replace(run.config, updates=each)) for each in every[every.index(run.config.updates) :])
    if any(sure(each, row, question) < strength.RIGHT for each in later):
        return False
    made = backward.found(run, Goal("answer", (ANSWER, row, question)), row)
    return not strength.sizes(strength.pushes(run, made, row)).any()


def first_of(run: Run, row: int) -> int:
    """The first question of a word; 0 of one that asks nothing."""
    return next((one.question for one in asked(run, row)), 0)


def asked(run: Run, row: int) -> list[Asked]:
    """The questions of a word whose right answer the layer knows."""
    known = backward.right_answers(run)[run.sentence, row]
    return sorted((one for one in asking.questions(run, row) if known[one.question] >= 0), key=lambda one: one.question)


def of_question(run: Run, row: int, question: int | None) -> Asked | None:
    """A question of a word; None for one that it does not ask."""
    return next((one for one in asked(run, row) if one.question == question), None)


def right(run: Run, one: Asked) -> str:
    return say("all_heads.no_adjective") if of_words.is_nothing(run, one) else run.tokens[one.target]


def right_named(run: Run, one: Asked) -> str:
    """The right answer as a sentence names it."""
    return say("all_heads.no_adjective") if of_words.is_nothing(run, one) else naming.of_key(run, one.target)


def given(run: Run, row: int, question: int) -> tuple[str, float, bool]:
    """What the layer answers to a question of a word, as a sentence names it, how sure it is, and whether that is
    right."""
    setting = learned.used(run.config)
    assert setting is not None
    most, at = asking.sure(run, setting, row)[question].max(-1)
    return (
        named(question, int(at)),
        float(most),
        int(at) == int(backward.right_answers(run)[run.sentence, row, question]),
    )


def named(question: int, at: int) -> str:
    """An answer of the layer by its number, as a sentence names it."""
    word = ANSWERS[question][at]
    return say("all_heads.no_adjective") if word == NOTHING else say("note.named", token=word)


def sure(run: Run, row: int, question: int) -> float:
    """The probability of the right answer to a question of a word."""
    setting = learned.used(run.config)
    assert setting is not None
    right = int(backward.right_answers(run)[run.sentence, row, question])
    return float(asking.sure(run, setting, row)[question, right])
