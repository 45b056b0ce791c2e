"""The colours of the heads of B. A layer that was trained anew has its heads in another order, so that their numbers do
not correspond: a head of B has the colour of the head of A that answers the same question."""

from collections.abc import Sequence
from itertools import count

from pages.shell.component.arcs import Ask
from pages.shell.views import asking
from pages.shell.views.compare.compared import Sides


def colours(both: Sides, above: Sequence[Ask], below: Sequence[Ask]) -> list[int]:
    """The colour of each head of B as the place of a head of A, or a place that A does not have; empty if the heads are
    the same, or if none answers a question of A."""
    if both.has_same_heads or both.is_one_layer:
        return []
    there: dict[str, list[int]] = {}
    for one in above:
        if one.name:
            there.setdefault(one.name, []).append(one.head - 1)
    if not any(one.name in there for one in below):
        return []
    others = count(len(above))
    return [_next(there[one.name]) if one.name in there else next(others) for one in below]


def are_questions(both: Sides, query: int) -> bool:
    """Whether the colours stand for questions, not only for heads."""
    if both.a.tokens != both.b.tokens:
        return False
    above, below = (asking.asks(run, query, len(run.labels["key"])) for run in (both.a, both.b))
    return bool(colours(both, above, below))


def _next(heads: list[int]) -> int:
    """The next of several heads of A, each once; then the last one again."""
    return heads.pop(0) if len(heads) > 1 else heads[0]
