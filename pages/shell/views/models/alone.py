"""Heads that are off: what the model says without each of them alone, and without all of them."""

from dataclasses import replace

from pages.shell.i18n import say
from pages.shell.runs.trained.recorded import Outputs
from pages.shell.runs.trained.request import Request, sizes_of
from pages.shell.views.models.common import soon, spelled, two, words

# The model runs once more for each head that is off; a list that is typed may have all of them.
_MOST = 8


def asked(wanted: Request) -> list[Request]:
    """The model as trained without one head, for each of the heads that are off. Nothing where more is changed, where
    the model says no word, or where many heads are off."""
    is_more = replace(wanted, off=()) != wanted.plain()
    if is_more or not sizes_of(wanted.model).causal or len(wanted.off) > _MOST:
        return []
    return [replace(wanted, off=(head,)) for head in wanted.off]


def without(wanted: Request, head: tuple[int, int]) -> str:
    """What the word that comes first has without one head (layer and head from 0) alone; "" where nobody knows."""
    one = replace(wanted, off=(head,))
    found = soon(one) if one in asked(wanted) else None
    told = None if found is None else _moved(wanted, found)
    return "" if told is None else say("models.offered.result", **told)


def together(wanted: Request, found: Outputs) -> str:
    """What it has without all heads that are off; "" of one alone, and where nobody knows."""
    if len(wanted.off) < 2 or not asked(wanted):
        return ""
    told = _moved(wanted, found)
    return "" if told is None else say("models.offered.together", count=len(wanted.off), **told)


def _moved(wanted: Request, found: Outputs) -> dict[str, str] | None:
    """The word that comes first as trained, and its probability before and now."""
    plain = soon(wanted.plain())
    if plain is None:
        return None
    first = int(plain.output.argmax())
    word = spelled(wanted.model, [plain.tokens[-1], words(wanted.model, [first])[0]])[1]
    before, now = (two(float(one.output[first])) for one in (plain, found))
    return {"word": word, "before": before, "now": now}
