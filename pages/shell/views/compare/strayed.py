"""Heads that find the right word in A, and another one in B."""

from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import NamedTuple

from pages.shell.component.arcs import Ask
from pages.shell.component.head_arcs import HeadArcs
from pages.shell.i18n import say
from pages.shell.views import asking, head_arcs
from pages.shell.views.compare.compared import Sides

# The least weight of an arc with a name (browser/head_names.js): below it, the head has found no word.
NAMED = 0.25


class Strayed(NamedTuple):
    """The number of a head, its question, and the places of the words where its arc ends in A and in B."""

    head: int
    asked: str
    was: int
    now: int


def found(both: Sides, query: int) -> list[Strayed]:
    """The heads whose arc leaves the right word for another one, if both sides have the same heads."""
    if not both.has_same_heads:
        return []
    a, b = (asking.asks(run, query, len(run.labels["key"])) for run in (both.a, both.b))
    return list(_strayed(a, b, query + len(both.b.labels["key"]) - len(both.b.labels["query"])))


def named(below: HeadArcs, above: Sequence[Ask]) -> HeadArcs:
    """B with the questions of its heads in A, and a mark on those that find another word there."""
    marked = {one.head: say("compare.strayed", asked=one.asked) for one in _strayed(above, below.asks, below.focus)}
    questions = [
        marked.get(one.head, "") or one.name or (other.name if most(one) == other.answer else "")
        for one, other in zip(below.asks, above, strict=True)
    ]
    names = [head_arcs.named(one.head, question) for one, question in zip(below.asks, questions, strict=True)]
    short = [question or name for question, name in zip(questions, names, strict=True)]
    return replace(below, names=names, short=short)


def most(one: Ask) -> int:
    """The place of the word with the most weight of a head."""
    return max(range(len(one.weights)), key=one.weights.__getitem__)


def _strayed(a: Sequence[Ask], b: Sequence[Ask], focus: int) -> Iterator[Strayed]:
    """The heads that stray from A to B. focus: the word that asks, which is no answer to itself."""
    for own, other in zip(a, b, strict=True):
        now = most(other)
        if own.name and not other.name and other.weights[now] >= NAMED and now not in (own.answer, focus):
            yield Strayed(own.head, own.name, own.answer, now)
