"""Settings that a page lends to visitors who have not chosen such settings, so that its first picture makes its point.

A lent setting is like any other while the page is shown. It goes when the visitor leaves the page without having
touched it, so that no other page changes (docs/decisions/settings.md).
"""

from collections.abc import Mapping

from pages.shell.state.config import Config
from pages.shell.state.page_controls import COMPARE
from pages.shell.state.settings import settings, texts

# Page to the settings that it opens with.
OPENS_WITH: Mapping[str, Mapping[str, str]] = {
    # A window and a prefix, one click away, show the word an answer that the causal mask hides. The drawer's question
    # is guessed first. Both hidden answers of this sentence are guessed wrongly, so that none is right by luck.
    "masks": {
        "text": "today the old fox shows the owl to the shy hen",
        "mask": "causal",
        "width": "3",
        "length": "7",
        "guess_first": "true",
    },
    # With half of the heads one answer is lost, and a slider loses another one, or wins it back. The effect of another
    # change is guessed first.
    COMPARE: {"heads": "2", "guess_first": "true"},
    # This draw cuts the one arc of an answer, and one of the two arcs of another, which survives. As p grows, arcs go
    # one after the other, at 0.15, 0.25, 0.5 and 0.65, and the answer on two falls last.
    "dropout": {"draw": "2044", "trained_p": "0.3"},
    # The question with the most surprising answer, asked before it is answered: all numbers move, and no arc.
    "experiments": {"what_if": "bias", "guess_first": "true"},
    # Early in training one head looks at two nouns, and takes the wrong one. All of its few arrows come true. The
    # weight that would have to change is guessed first.
    "backward": {"goal": "answer", "goal_at": "answer.4.1", "updates": "70", "guess_first": "true"},
    # The second tile: a larger score shrinks what was kept; the consequence is guessed first. The followed row is
    # chosen, so that no slider changes it, and meets a larger score in each further tile.
    "tiles": {"tile_queries": "11", "tile_keys": "3", "tile_step": "2", "tile_row": "11", "guess_first": "true"},
    # The left end of the line, so that the effect of a drag to the right is not in sight yet.
    "positions": {"pos_query": "7", "pos_key": "0"},
    # Half of the first scale: the first drag to the right fills it.
    "costs": {"cost_n": "512"},
    # Just below the length at which one word takes all without a remedy: the drag finds it, and then the remedies that
    # allow it, too. Under this cap the row of the trained layer has its answer.
    "taming": {"taming_stretch": "0.3", "taming_cap": "5.0"},
    # The last fact, and the final read, are guessed first.
    "state": {"guess_first": "true"},
    # Far enough to see the repeated computation, most of which is still to come.
    "one_token": {"token_at": "4"},
    # A head with a job, but not the head that the answer needs most: that one is guessed.
    "models": {"model_layer": "17", "model_head": "1"},
    # Nothing is shared and all is right: each step of the drag loses an answer, that of the chosen head first.
    "fewer_keys": {"kv_of_8": "8", "kv_sentence": "dog", "asks": "7"},
}
# No page lends anything to a visitor who has set one of these: inputs, a stop of a lecture or cells of a mask.
_CHOSEN = frozenset({"preset", "text", "tensors", "lecture", "painted"})
# Pages lend these to such a visitor, too, because they hide no choice of the visitor, and to a visitor who has touched
# only others of them: a sentence stays when its slider was moved. A lecture asks by itself.
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
    """The settings that a page adds to those of a visit; none if the visitor has chosen."""
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
    """Take back the settings that the page before lent, and set those that this one lends. A page that stays keeps its
    own."""
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
