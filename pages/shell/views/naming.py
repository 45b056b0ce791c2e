"""The name of a word in a sentence: in quotes and, if the text has it more than once, with its ordinal."""

from collections.abc import Sequence

from pages.shell.i18n import say
from pages.shell.i18n.markdown import MOST, cut, plain
from pages.shell.i18n.markdown import quoted as in_code
from pages.shell.runs.run import Run

# Ordinals that the texts spell out: the first to the tenth.
_COUNTED = 10
_LOWERED = str.maketrans("0123456789", "₀₁₂₃₄₅₆₇₈₉")


def named(tokens: Sequence[str], at: int, most: int | None = None) -> str:
    """The name of one of the tokens. most: letters that are shown, None for all; words that are then cut alike are told
    apart too."""
    shown = [cut(token, most) for token in tokens]
    word, count = shown[at], shown[: at + 1].count(shown[at])
    if shown.count(word) == 1:
        return say("note.named", token=word)
    if count > _COUNTED:
        return say("note.named_at", token=word, place=at + 1)
    return say("note.named_nth", token=word, nth=say(f"note.nth.{count}"))


def apart(tokens: Sequence[str]) -> list[str]:
    """The names of all tokens in a figure: repeated ones are numbered."""
    return [
        f"{token}{str(tokens[: at + 1].count(token)).translate(_LOWERED)}" if tokens.count(token) > 1 else token
        for at, token in enumerate(tokens)
    ]


def coded(tokens: Sequence[str], at: int) -> str:
    """The name of a token in a Markdown sentence, in which a visitor's word is code."""
    word, count = in_code(tokens[at]), tokens[: at + 1].count(tokens[at])
    if tokens.count(tokens[at]) == 1:
        return word
    if count > _COUNTED:
        return say("note.coded_at", token=word, place=at + 1)
    return say("note.coded_nth", token=word, nth=say(f"note.nth.{count}"))


def quoted(tokens: Sequence[str], at: int) -> str:
    """The name of a token in quotes in a Markdown sentence, in which a visitor's word is escaped."""
    return plain(named(tokens, at, MOST))


def of_key(run: Run, key: int, most: int | None = None) -> str:
    """The name of a key's word."""
    return named(run.labels["key"], key, most)


def of_query(run: Run, query: int, most: int | None = None) -> str:
    """The name of a query's word, counted in the whole text if earlier words are only keys."""
    queries, keys = list(run.labels["query"]), list(run.labels["key"])
    earlier = len(keys) - len(queries)
    if run.context is None and earlier >= 0 and keys[earlier:] == queries:
        return named(keys, earlier + query, most)
    return named(queries, query, most)


def opened(said: str) -> str:
    """A sentence that may begin with such a name, capitalised."""
    return said[:1].upper() + said[1:]
