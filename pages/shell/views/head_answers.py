"""The answers of a layer to the questions of a word, and those that are wrong without heads that are off."""

from collections.abc import Sequence
from dataclasses import dataclass, replace

from attention.inputs.grammar import ANSWERS, NOT_ASKED, NOTHING, answers, read
from pages.shell.component.head_arcs import Answered
from pages.shell.i18n import say
from pages.shell.i18n.numbers import fixed
from pages.shell.runs import learned
from pages.shell.runs.run import Run
from pages.shell.runs.run import run as compute
from pages.shell.views import asking


@dataclass(frozen=True)
class Flip:
    """An answer that is right with all heads, and wrong without some.

    question, right, given: indices; target: the place of the right word.
    """

    question: int
    right: int
    given: int
    target: int


@dataclass(frozen=True)
class Judged:
    """The answers to the questions of a word. lost: those that are right only with all heads, in words, and flips, the
    same as data; unseen: answers that are no words of the sentence, given while no head that is on looks at the right
    one."""

    lines: Sequence[Answered]
    lost: Sequence[str]
    unseen: Sequence[str]
    flips: Sequence[Flip]


def judged(run: Run, query: int) -> Judged | None:
    """The judged answers; None if the right ones are not known."""
    setting, asks = learned.used(run.config), asking.questions(run, query)
    if setting is None or not asks:
        return None
    # The same layer with all heads on.
    every = compute(replace(run.config, heads_off=""))
    sure, unchanged = (asking.sure(each, setting, query) for each in (run, every))
    known = answers(read(run.tokens[: run.inputs.lengths[run.sentence]]))
    lines, lost, unseen, flips = [], [], [], []
    off = learned.off(run.config, run.module.heads)
    on = [head for head in range(run.module.heads) if head not in off]
    looks = run.trace["weights"].value[run.sentence, on, query].cpu()
    for one in asks:
        right = int(known[one.place, one.question])
        if right == NOT_ASKED:
            continue
        most = int(sure[one.question].argmax())
        answer = ANSWERS[one.question][most]
        is_there = answer == NOTHING or answer in run.tokens
        # With no head on, the layer looks at no word, and a right answer is chance.
        rightly = "right" if on else "chance"
        case = rightly if most == right else "wrong" if is_there else "guessed"
        if case == "guessed" and not bool((looks[:, one.target] >= asking.EARNED).any()):
            unseen.append(answer)
        asked = asking.name_of(one.question)
        if most != right == int(unchanged[one.question].argmax()):
            lost.append(asked)
            flips.append(Flip(one.question, right, most, one.target))
        lines.append(
            Answered(
                asked,
                say(f"all_heads.said.{case}", word=word_of(one.question, most), right=word_of(one.question, right)),
                most == right,
                float(sure[one.question, most]),
                fixed(sure[one.question, most]),
            )
        )
    return Judged(lines, lost, unseen, flips) if lines else None


def can_go(run: Run, query: int) -> list[int]:
    """The heads that can each be switched off alone without losing a right answer of the word."""
    alone = ((at, compute(replace(run.config, heads_off=str(at + 1)))) for at in range(run.module.heads))
    found = ((at, judged(one, query)) for at, one in alone)
    return [at for at, one in found if one is not None and not one.lost]


def word_of(question: int, answer: int) -> str:
    """The written form of an answer."""
    written = ANSWERS[question][answer]
    return say("all_heads.no_adjective") if written == NOTHING else written
