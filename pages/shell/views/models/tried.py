"""The guessed head of a text, and the heads that were switched since, whose results stay told. The link has both in one
answer."""

import re
from collections.abc import Iterable
from zlib import crc32

from pages.shell.runs.trained.request import sizes_of
from pages.shell.screen import Screen
from pages.shell.state.guesses import Guesses
from pages.shell.views import guess
from pages.shell.views.models.alone import Head
from pages.shell.views.models.common import request

_QUESTION = "needed"


def answered(screen: Screen) -> tuple[Head, ...]:
    """The guessed head, then the switched ones; () if there is no guess about this text."""
    first, *rest = screen.own(Guesses).by_question.get(_QUESTION, "").split("_")
    guessed = re.fullmatch(r"(\d{1,2}-\d{1,2})-(\d{1,3})", first)
    if not guessed or int(guessed[2]) != _of_text(screen):
        return ()
    found = [_head(screen, one) for one in (guessed[1], *rest)]
    return () if found[0] is None else tuple(dict.fromkeys(head for head in found if head))


def given(screen: Screen, heads: Iterable[Head]) -> dict[str, str]:
    """The settings that guess the first of some heads, and record that the others were switched."""
    [guessed, *others] = (f"{layer + 1}-{head + 1}" for layer, head in heads)
    return guess.given(screen, _QUESTION, "_".join((f"{guessed}-{_of_text(screen)}", *others)))


def noted(screen: Screen, heads: Iterable[Head]) -> dict[str, str]:
    """The further settings of a switch, which record that its heads were tried. None before a guess."""
    before = answered(screen)
    after = dict.fromkeys((*before, *heads))
    return given(screen, after) if before and len(after) > len(before) else {}


def _of_text(screen: Screen) -> int:
    """A short hash of the text: the heads belong to this text, and another one has others."""
    return crc32(request(screen).text.encode()) % 1000


def _head(screen: Screen, written: str) -> Head | None:
    found, sizes = re.fullmatch(r"(\d{1,2})-(\d{1,2})", written), sizes_of(request(screen).model)
    if not found:
        return None
    layer, head = int(found[1]) - 1, int(found[2]) - 1
    return (layer, head) if 0 <= layer < sizes.layers and 0 <= head < sizes.heads else None
