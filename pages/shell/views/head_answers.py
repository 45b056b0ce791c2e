"""What a layer answers to the questions of a word, and what it answers wrong without heads that are off."""

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
class Judged:
    """The answers to the questions of a word; lost: which of them are right with every head alone, in words; unseen:
    answers that are no words of the sentence."""

    lines: Sequence[Answered]
    lost: Sequence[str]
    unseen: Sequence[str]


def judged(run: Run, query: int) -> Judged | None:
    """None where nobody knows what is right."""
    setting, asks = learned.used(run.config), asking.questions(run, query)
    if setting is None or not asks:
        return None
    # The same layer with every head.
    every = compute(replace(run.config, heads_off=""))
    sure, unchanged = (asking.sure(each, setting, query) for each in (run, every))
    known = answers(read(run.tokens[: run.inputs.lengths[run.sentence]]))
    lines, lost, unseen = [], [], []
    for one in asks:
        right = int(known[one.place, one.question])
        if right == NOT_ASKED:
            continue
        most = int(sure[one.question].argmax())
        answer = ANSWERS[one.question][most]
        is_there = answer == NOTHING or answer in run.tokens
        case = "right" if most == right else "wrong" if is_there else "guessed"
        if case == "guessed":
            unseen.append(answer)
        asked = asking.name_of(one.question)
        if most != right == int(unchanged[one.question].argmax()):
            lost.append(asked)
        lines.append(
            Answered(
                asked,
                say(f"all_heads.said.{case}", word=_word(one.question, most), right=_word(one.question, right)),
                most == right,
                float(sure[one.question, most]),
                fixed(sure[one.question, most]),
            )
        )
    return Judged(lines, lost, unseen) if lines else None


def can_go(run: Run, query: int) -> list[int]:
    """Heads without which, one at a time, the word keeps every right answer."""
    alone = ((at, compute(replace(run.config, heads_off=str(at + 1)))) for at in range(run.module.heads))
    found = ((at, judged(one, query)) for at, one in alone)
    return [at for at, one in found if one is not None and not one.lost]


def _word(question: int, answer: int) -> str:
    word = ANSWERS[question][answer]
    return say("all_heads.no_adjective") if word == NOTHING else word
