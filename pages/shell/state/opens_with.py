"""Settings that a page lends to visitors who have chosen nothing of the kind: its first picture then makes its point.

A lent setting is like any other while the page is shown. It goes when the visitor leaves the page without having
touched it, so that no other page changes (docs/decisions/settings.md).
"""

from collections.abc import Mapping

from pages.shell.state.config import Config
from pages.shell.state.page_controls import COMPARE
from pages.shell.state.settings import settings, texts

# Page to the settings that it opens with.
OPENS_WITH: Mapping[str, Mapping[str, str]] = {
    # A window and a prefix that are one click away show the word an answer that the causal mask hides. What is asked in
    # a drawer is guessed first.
    # Of this sentence both hidden answers are guessed wrongly: none comes out right by luck.
    "masks": {
        "text": "today the old fox shows the owl to the shy hen",
        "mask": "causal",
        "width": "3",
        "length": "7",
        "guess_first": "true",
    },
    # Half of the heads: one answer is lost, and a slider loses another one, or wins it back. What another change
    # does is guessed first.
    COMPARE: {"heads": "2", "guess_first": "true"},
    # A draw that cuts the one arc of an answer, and one of the two arcs of another: that one survives. As p grows, arcs
    # go one after the other, at 0.15, 0.25, 0.5 and 0.65, and the answer on two falls last.
    "dropout": {"draw": "2044", "trained_p": "0.3"},
    # The question whose answer surprises most, asked before it is answered: all numbers move, and no arc.
    "experiments": {"what_if": "bias", "guess_first": "true"},
    # Early in training: one head looks at two nouns, and takes the wrong one. Of its few arrows, all come true. Which
    # weight would have to change is guessed first.
    "backward": {"goal": "answer", "goal_at": "answer.4.1", "updates": "70", "guess_first": "true"},
    # The second tile: a larger score comes, and makes what was kept shrink. What comes of it is guessed first. The
    # row that is followed is chosen, so that no slider changes it: in each further tile it meets a larger score.
    "tiles": {"tile_queries": "11", "tile_keys": "3", "tile_step": "2", "tile_row": "11", "guess_first": "true"},
    # The left end of the line: what a drag to the right finds is not there yet.
    "positions": {"pos_query": "7", "pos_key": "0"},
    # Half of what the first scale has room for: the first drag to the right fills it.
    "costs": {"cost_n": "512"},
    # Little short of the length at which one word has all untamed: the drag finds it, and then which remedy lets it,
    # too. A cap under which the row of the trained layer has its answer.
    "taming": {"taming_stretch": "0.3", "taming_cap": "5.0"},
    # The last fact, and what is read of it, are guessed first.
    "state": {"guess_first": "true"},
    # Far enough to see what is computed again, with the most of it still to come.
    "one_token": {"token_at": "4"},
    # A head with a job that is not the one that the answer needs most: which one that is, is guessed.
    "models": {"model_layer": "17", "model_head": "1"},
    # Nothing is shared and all is right: the drag loses one answer at each step, that of the chosen head first.
    "fewer_keys": {"kv_of_8": "8", "kv_sentence": "dog", "asks": "7"},
}
# A visitor who has set one of these has chosen inputs, a stop of a lecture or cells of a mask; no page lends anything.
_CHOSEN = frozenset({"preset", "text", "tensors", "lecture", "painted"})
# Pages lend these to such a visitor, too, because they hide nothing of what was chosen, and to one who has touched only
# others of them: a sentence stays when its slider was moved. A lecture asks by itself.
_ALWAYS: Mapping[str, frozenset[str]] = {
    "experiments": frozenset({"guess_first"}),
    "tiles": frozenset({"guess_first"}),
    "state": frozenset({"guess_first"}),
    "masks": frozenset({"guess_first"}),
    "fewer_keys": frozenset({"kv_of_8", "kv_sentence", "asks"}),
    "models": frozenset({"model_layer", "model_head"}),
}
# Further such settings by page. On Compare any shared control counts, since A and B should differ in one thing.
_CHOSEN_FOR: Mapping[str, frozenset[str]] = {COMPARE: frozenset({"pinned", *Config.knobs()})}


def opens_with(page: str, chosen: Mapping[str, str]) -> Mapping[str, str]:
    """The settings that a page adds to those of a visit; none where the visitor has chosen."""
    lent = OPENS_WITH.get(page, {})
    if not (_CHOSEN | _CHOSEN_FOR.get(page, frozenset()) | lent.keys()) & chosen.keys():
        return lent
    taken = chosen.keys() if "lecture" not in chosen else lent.keys()
    return {name: lent[name] for name in _ALWAYS.get(page, frozenset()) & lent.keys() - taken}


def lent_by(page: str, name: str) -> str | None:
    """The value that a page opens with for a setting; None where it opens with the default."""
    return OPENS_WITH.get(page, {}).get(name)


def of_address(page: str, parameters: Mapping[str, str]) -> Mapping[str, str]:
    """The settings that a page adds to an address. An address with any setting but the language gets none, so that a
    link shows the screen that it was made of."""
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
    """The settings that an address of the page names even at their defaults, since the page lends other values."""
    return frozenset(OPENS_WITH.get(page, ()))
