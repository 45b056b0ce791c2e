"""What a page opens with where its visitor has chosen nothing of the kind, so that its first picture makes its point.

It is a setting like any other while the page is shown, and goes when the visitor leaves the page without having touched
it: no other page changes (docs/decisions/settings.md).
"""

from collections.abc import Mapping

from pages.shell.state.config import Config
from pages.shell.state.page_controls import COMPARE
from pages.shell.state.settings import settings, texts

# Page to the settings that it opens with.
OPENS_WITH: Mapping[str, Mapping[str, str]] = {
    "masks": {"mask": "causal"},
    # B, beside A without a mask.
    COMPARE: {"mask": "causal"},
    # Early: the mean is still far from the weights.
    "dropout": {"draw": "8224"},
    # The question that needs no word of the theory, asked before it is answered.
    "experiments": {"what_if": "sentence", "guess_first": "true"},
    # In the middle of training: two questions of the verb push the same head in opposite directions.
    "backward": {"goal": "answer", "updates": "80"},
    # Tiles of which the second corrects what the first has left.
    "tiles": {"tile_keys": "3"},
    # Twice the text of one square, four squares of pairs.
    "costs": {"cost_n": "2048"},
    # All words of its sentence: played, it begins anew with the first one.
    "one_token": {"token_at": "11"},
    # A length at which each row holds, and a cap under which the row of the trained layer has its answer.
    "taming": {"taming_stretch": "0.3", "taming_cap": "5.0"},
    # A head that averaging leads astray, and that training brings back.
    "fewer_keys": {"asks": "7"},
}
# What says that a visitor has chosen for themselves: other inputs, a stop of a lecture, cells of a mask.
_CHOSEN = frozenset({"preset", "text", "tensors", "lecture", "painted"})
# What hides nothing that they have chosen: it is lent to them, too, but not to a lecture, which asks itself.
_ALWAYS = frozenset({"guess_first"})
# The same for one page: what is compared differs in one thing.
_CHOSEN_FOR: Mapping[str, frozenset[str]] = {COMPARE: frozenset({"pinned", *Config.knobs()})}


def opens_with(page: str, chosen: Mapping[str, str]) -> Mapping[str, str]:
    """The settings that a page adds to those of a visit; none where the visitor has chosen."""
    lent = OPENS_WITH.get(page, {})
    if not (_CHOSEN | _CHOSEN_FOR.get(page, frozenset()) | lent.keys()) & chosen.keys():
        return lent
    taken = chosen.keys() if "lecture" not in chosen else lent.keys()
    return {name: lent[name] for name in _ALWAYS & lent.keys() - taken}


def lent_by(page: str, name: str) -> str | None:
    """The value that a page opens with for a setting; None where it opens with the default."""
    return OPENS_WITH.get(page, {}).get(name)


def of_address(page: str, parameters: Mapping[str, str]) -> Mapping[str, str]:
    """The settings that a page adds to an address; none to one that names any: a link shows what it was made of. A
    language is no such setting."""
    return {} if parameters.keys() - {"lang"} else OPENS_WITH.get(page, {})


def arrive(page: str) -> None:
    """Take back what the page before opened with, and set what this one opens with. A page that stays keeps its own."""
    held = settings()
    if held.opened == page:
        return
    adds = opens_with if held.opened else of_address
    held.opened = page
    for name in held.lent:
        held.texts.pop(name, None)
        held.renew(name)
        held.at += 1
    lent = adds(page, texts())
    for name, text in lent.items():
        held.set(name, text)
        held.renew(name)
    held.lent = set(lent)


def named(page: str) -> frozenset[str]:
    """The settings that an address of the page names even where they are as at first: the page would open otherwise."""
    return frozenset(OPENS_WITH.get(page, ()))
