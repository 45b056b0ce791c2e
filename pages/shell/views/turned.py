"""A head's largest weight that has gone to another word: the first visible change in a picture of arcs."""

from collections.abc import Sequence
from typing import Any

from torch import Tensor

from pages.shell.i18n.numbers import fixed
from pages.shell.views.naming import coded


def turned(before: Tensor, after: Tensor, tokens: Sequence[str], tokens_after: Sequence[str]) -> dict[str, Any] | None:
    """The values for the sentence about the head in which most weight moves; None if that head's largest weight is on
    the same word as before, or if it has none. before, after: the weights of one query, (heads, keys); tokens: the keys
    of each, which the sentence writes as Markdown."""
    head = int((after - before).abs().sum(-1).argmax())
    was, now = (int(of[head].argmax()) for of in (before, after))
    took, takes = float(before[head, was]), float(after[head, now])
    then, here = coded(tokens, was), coded(tokens_after, now)
    if then == here or not took or not takes:
        return None
    return {
        "head": head + 1,
        "was": then,
        "first": fixed(took),
        "now": here,
        "second": fixed(takes),
    }
