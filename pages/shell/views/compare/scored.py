"""The answers of the layers of A and of B to the questions of a word, and the arcs to right answers that B has lost."""

from typing import NamedTuple

from attention.inputs.grammar import ANSWERS, NOT_ASKED, NOTHING, answers, read
from pages.shell.component.arcs import Ask
from pages.shell.component.head_arcs import Gone, Scored
from pages.shell.i18n import say
from pages.shell.runs import learned
from pages.shell.runs.run import Run
from pages.shell.views import asking
from pages.shell.views.compare.compared import Sides
from pages.shell.views.taken import acting

# The least weight of an arc: a smaller one is written as 0.00.
ARC = 0.005


class Answer(NamedTuple):
    """A layer's answer to a question, the right one, whether the layer names a word that is not in its sentence,
    whether no arc leads from the asking word to the right one, and the place of the right word."""

    said: str
    right: str
    is_guess: bool
    has_no_arc: bool
    target: int

    @property
    def state(self) -> str:
        """A right answer is chance if the layer cannot take anything from its word."""
        return "wrong" if self.said != self.right else "chance" if self.has_no_arc else "right"


def answered(run: Run, query: int) -> dict[str, Answer]:
    """The answers to a word's questions, by question, in a sentence of the grammar."""
    setting = learned.used(run.config)
    asks = asking.questions(run, query)
    if setting is None or not asks:
        return {}
    known = answers(read(run.tokens[: run.inputs.lengths[run.sentence]]))
    sure = asking.sure(run, setting, query)
    made = {}
    most = run.trace[acting(run)].value[run.sentence, :, query].cpu().float().amax(0)
    # Dropout or a mask may have taken away all or nearly all of a weight.
    reached = [token for token, weight in zip(run.labels["key"], most.tolist(), strict=False) if weight >= ARC]
    for one in asks:
        right = int(known[one.place, one.question])
        if right != NOT_ASKED:
            said = ANSWERS[one.question][int(sure[one.question].argmax())]
            is_guess = said != NOTHING and said not in run.tokens
            meant = ANSWERS[one.question][right]
            has_no_arc = meant != NOTHING and meant not in reached
            words = _word(said), _word(meant)
            made[asking.name_of(one.question)] = Answer(*words, is_guess, has_no_arc, one.target)
    return made


def of_both(both: Sides, query: int) -> tuple[dict[str, Answer], dict[str, Answer]] | None:
    """The answers of A and of B to the same questions; None if the right ones are not known."""
    a, b = (answered(run, query) for run in (both.a, both.b))
    return (a, b) if both.a.tokens == both.b.tokens and a and a.keys() == b.keys() else None


class Paying(NamedTuple):
    """The places of the words with right answers in A, and of the words among them that lose one in B."""

    asking: list[int]
    losing: list[int]


def paying(both: Sides) -> Paying:
    found: dict[int, set[str]] = {}
    earlier = len(both.b.labels["key"]) - len(both.b.labels["query"])
    for query in range(len(both.b.labels["query"])):
        a, b = of_both(both, query) or ({}, {})
        if right := {asked for asked, one in a.items() if one.state == "right"}:
            found[query + earlier] = {asked for asked in right if b[asked].state != "right"}
    return Paying([*found], [place for place, lost in found.items() if lost])


def card(answers: dict[str, Answer]) -> list[Scored]:
    """One line for each question, with the answer that is given."""
    return [Scored(_line(asked, one), one.state) for asked, one in answers.items()]


def gone(a: dict[str, Answer], b: dict[str, Answer], above: list[Ask], is_earlier: bool) -> list[Gone]:
    """The arcs of A's heads to right answers that B no longer takes from there. is_earlier: whether B does not have
    them yet."""
    ends = {one.answer for one in above if one.answer >= 0}
    return [
        Gone(one.target, say("compare.not_yet" if is_earlier else "compare.lost", asked=asked), b[asked].state)
        for asked, one in a.items()
        if one.state == "right" != b[asked].state and one.target in ends
    ]


def _line(asked: str, one: Answer) -> str:
    case = "chance" if one.state == "chance" else "guess" if one.is_guess else "seen"
    return say(f"compare.score.{case}", asked=asked, said=one.said)


def _word(answer: str) -> str:
    return say("all_heads.no_adjective") if answer == NOTHING else answer
