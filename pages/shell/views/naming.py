"""A word as a sentence names it: in quotes, and where the text has it more than once, which of them it is."""

from collections.abc import Sequence

from pages.shell.i18n import say
from pages.shell.i18n.markdown import MOST, cut, plain
from pages.shell.i18n.markdown import quoted as in_code
from pages.shell.runs.run import Run

# The places that have a word of their own in the texts: the first to the tenth.
_COUNTED = 10
_LOWERED = str.maketrans("0123456789", "₀₁₂₃₄₅₆₇₈₉")


def named(tokens: Sequence[str], at: int, most: int | None = None) -> str:
    """One of the tokens. most: letters that are shown, None for all; words that look alike then are told apart, too."""
    shown = [cut(token, most) for token in tokens]
    word, count = shown[at], shown[: at + 1].count(shown[at])
    if shown.count(word) == 1:
        return say("note.named", token=word)
    if count > _COUNTED:
        return say("note.named_at", token=word, place=at + 1)
    return say("note.named_nth", token=word, nth=say(f"note.nth.{count}"))


def apart(tokens: Sequence[str]) -> list[str]:
    """All of them as a figure names them: those that stand more than once are counted."""
    return [
        f"{token}{str(tokens[: at + 1].count(token)).translate(_LOWERED)}" if tokens.count(token) > 1 else token
        for at, token in enumerate(tokens)
    ]


def coded(tokens: Sequence[str], at: int) -> str:
    """The same for a sentence that is read as Markdown, in which a word of a visitor is code."""
    word, count = in_code(tokens[at]), tokens[: at + 1].count(tokens[at])
    if tokens.count(tokens[at]) == 1:
        return word
    if count > _COUNTED:
        return say("note.coded_at", token=word, place=at + 1)
    return say("note.coded_nth", token=word, nth=say(f"note.nth.{count}"))


def quoted(tokens: Sequence[str], at: int) -> str:
    """The same, in quotes, for a sentence that is read as Markdown: a word of a visitor is escaped."""
    return plain(named(tokens, at, MOST))


def of_key(run: Run, key: int, most: int | None = None) -> str:
    """A word that answers."""
    return named(run.labels["key"], key, most)


def of_query(run: Run, query: int, most: int | None = None) -> str:
    """A word that asks, counted in the whole text where earlier words of it only answer."""
    queries, keys = list(run.labels["query"]), list(run.labels["key"])
    earlier = len(keys) - len(queries)
    if run.context is None and earlier >= 0 and keys[earlier:] == queries:
        return named(keys, earlier + query, most)
    return named(queries, query, most)


def opened(said: str) -> str:
    """A sentence that may begin with such a name, with a capital letter."""
    return said[:1].upper() + said[1:]
