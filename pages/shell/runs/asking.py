"""The questions that words of the grammar ask, and the head of a run that answers each of them. A sentence outside the
grammar has no questions, since nobody knows the right answers."""

from dataclasses import dataclass

from attention.inputs.grammar import ANSWERS, CLASSES, NOTHING, QUESTIONS, Asked, read
from attention.inputs.tokens import PAD
from pages.shell.runs.run import Run
from pages.shell.state.config import LEARNED

# The weight of an answer that is shown as an example, and how many words are named as examples.
_CLEAR, _OFFERED = 0.5, 3


@dataclass(frozen=True)
class Answer:
    """The answer of a run to a question of a word.

    question: its id; target: the place, from 0, of the right word; head: the head, from 0, that gives the right word
    more weight than any other head does; weight: that weight; largest, most: the key that this head gives most, and how
    much. is_hidden: whether the mask hides the right word, so that no head can give it anything. is_nothing: whether
    the right word says that there is no answer, as the article before a noun that has no adjective.
    """

    question: str
    target: int
    head: int
    weight: float
    largest: int
    most: float
    is_hidden: bool
    is_nothing: bool = False

    @property
    def is_right(self) -> bool:
        """Whether the head looks at the right word more than at any other."""
        return not self.is_hidden and self.largest == self.target


def asked(run: Run) -> tuple[Asked, ...]:
    """All questions of the sentence that is shown; none for a preset without right answers."""
    if run.config.preset != LEARNED or run.context is not None:
        return ()
    return read([token for token in run.tokens if token != PAD]).asked


def answers(run: Run, query: int) -> tuple[Answer, ...]:
    """The answers to the questions of a query (a row of the weights, from 0)."""
    place = query + len(run.tokens) - run.trace.sizes["query"]
    mine = [one for one in asked(run) if one.place == place]
    if not mine:
        return ()
    rows = run.trace["weights"].value[run.sentence, :, query].cpu()
    seen = run.matrix("mask")[query].cpu() if "mask" in run.trace else None
    found = []
    for one in mine:
        head = int(rows[:, one.target].argmax())
        largest = int(rows[head].argmax())
        is_hidden = seen is not None and not bool(seen[one.target])
        numbers = float(rows[head, one.target]), largest, float(rows[head, largest])
        found.append(Answer(QUESTIONS[one.question], one.target, head, *numbers, is_hidden, is_nothing(run, one)))
    return tuple(found)


def is_nothing(run: Run, one: Asked) -> bool:
    """Whether the word at the right place says that there is no answer."""
    return NOTHING in ANSWERS[one.question] and run.tokens[one.target].lower() in CLASSES["the"]


def is_idle(run: Run, query: int) -> bool:
    """Whether a word of a sentence inside the grammar asks nothing, as its first words do."""
    place = query + len(run.tokens) - run.trace.sizes["query"]
    found = asked(run)
    return bool(found) and not any(one.place == place for one in found)


def offered(run: Run) -> list[int]:
    """Queries (from 0) whose question a head answers with a word, the one with most answers first. A query's word
    stands in the sentence once, and asks for more than the next noun, which `the` and `to` ask for."""
    told = {}
    for query, word in enumerate(run.labels["query"]):
        right = told_by(run, query)
        if right and run.labels["key"].count(word) == 1:
            told[query] = len(right)
    return sorted(told, key=lambda query: -told[query])[:_OFFERED]


def told_by(run: Run, query: int) -> list[Answer]:
    """The answers of a query that are worth a look."""
    return [one for one in answers(run, query) if _shows(one)]


def _shows(one: Answer) -> bool:
    return one.is_right and one.weight >= _CLEAR and not one.is_nothing and one.question != "whose"


def look(run: Run, query: int, *, again: bool = False) -> int:
    """The head (from 0) to show when a query is chosen: the one that answers its question.

    again: whether the query was chosen already; then the next of its questions leads. The shown head stays where the
    query asks nothing that a head could answer.
    """
    heads = [one.head for one in answers(run, query) if not one.is_hidden]
    if not heads:
        return run.head
    return heads[(heads.index(run.head) + 1) % len(heads)] if again and run.head in heads else heads[0]
