"""The questions of a screen: those whose right answer, as written, is right there and not yet told by the figure."""

from collections.abc import Callable, Mapping
from dataclasses import replace
from functools import partial
from math import isclose

import torch

from attention.inputs.dictionary import found
from pages.shell.runs.run import Run, run
from pages.shell.runs.translating import context_of
from pages.shell.screen import Screen
from pages.shell.state.config import Config
from pages.shell.state.guesses import Guesses
from pages.shell.state.page_controls import Order, WhatIf
from pages.shell.state.todays_controls import FewerKeys, Tiles
from pages.shell.views import halfway
from pages.shell.views.crossing import counted, texts
from pages.shell.views.dropout import two_layers
from pages.shell.views.order.shuffle import Shuffle
from pages.shell.views.taken import acting

# The answer of readers who ask to see the result without a guess.
_JUST_SHOWN = "shown"
# An entry beside the guess about tiles: the reader has seen the result.
TILES_SEEN = "tiles_seen"

# The weights that the texts of the story's questions name, to two decimals.
_HALVES = {"fluffy": 0.50, "blue": 0.50}
_ALIKE = {"fluffy": 0.32, "blue": 0.32, "verdant": 0.32}
_NEXT = {"verdant": 0.95}


def _sums(config: Config) -> bool:
    """Whether each row of weights adds up to 1: no sink takes a share, and each query has a key to attend to."""
    sums = run(config).matrix("weights").double().sum(-1)
    return bool(torch.allclose(sums, torch.ones_like(sums), atol=1e-5))


def _creature(config: Config) -> bool:
    return _takes(run(config), "creature", _HALVES)


def _forest(config: Config) -> bool:
    alone = replace(config, positions="none")
    return _takes(run(alone), "forest", _ALIKE) and _takes(run(config), "forest", _ALIKE, _NEXT)


def _takes(shown: Run, query: str, *either: Mapping[str, float]) -> bool:
    """Whether a query's weights are those of one of the given sets."""
    queries, keys = shown.labels["query"], shown.labels["key"]
    if query not in queries or not all({*named} <= {*keys} for named in either):
        return False
    row = shown.matrix(acting(shown))[queries.index(query)]
    return any(
        all(abs(float(row[keys.index(key)]) - share) < 0.005 for key, share in named.items()) for named in either
    )


# The condition of each question; a question that is not named here is asked of every screen.
_ASKED: dict[str, Callable[[Config], bool]] = {
    "sums": _sums,
    "creature": _creature,
    "forest": _forest,
}


def _first_and_less(screen: Screen) -> tuple[list[str], list[str]]:
    """The words of the second sentence as at first, and without the last one, which the question takes away."""
    words = context_of(screen.config, "").split()
    return words, words[:-1]


def _is_less(screen: Screen) -> bool:
    """Whether the last word is taken away, or was taken away for a reader who asked to see the result."""
    shown = screen.own(Guesses).by_question.get("dropped") == _JUST_SHOWN
    return shown or list(texts(screen.run)[1]) == _first_and_less(screen)[1]


def _is_shared(screen: Screen) -> bool:
    """Whether key heads are shared, by the question's number or by more: a drag that far answers a guess."""
    return screen.own(FewerKeys).kv_of_8 != "8"


def _is_shared_unasked(screen: Screen) -> bool:
    """Whether key heads are shared without a guess, which has no verdict."""
    return _is_shared(screen) and "shared" not in screen.own(Guesses).by_question


def _has_positions(screen: Screen) -> bool:
    """Whether positions are added in both orders."""
    return screen.own(Order).order_positions == "added"


def _is_no_order(screen: Screen) -> bool:
    """Whether the question has no case here: not just some of the words have moved, a mask already goes by places, or
    positions leave an output unchanged."""
    shuffle = Shuffle(screen)
    stayed = [word for place, word in enumerate(shuffle.order.tolist()) if word == place]
    if len(stayed) in (0, shuffle.n) or shuffle.chosen.order_mask != "full":
        return True
    return not all(shuffle.changes(shuffle.under("full", "added")))


def _is_laid(screen: Screen) -> bool:
    """Whether both outputs lie over each other: guessing first is off, or the guess was played to the end, now or
    before."""
    guesses = screen.own(Guesses)
    given = guesses.by_question
    return not guesses.guess_first or ("tiles" in given and (TILES_SEEN in given or _is_last_tile(screen)))


def _is_last_tile(screen: Screen) -> bool:
    """Whether the last tile is shown. Before it the outputs are not done."""
    chosen = screen.own(Tiles)
    sides = (chosen.tile_queries, chosen.tile_keys)
    last = [(len(screen.run.labels[axis]) - 1) // side for axis, side in zip(("query", "key"), sides, strict=True)]
    if chosen.tile_at:
        named = map(int, chosen.tile_at.split(".")[1:3])
        return [place // side for place, side in zip(named, sides, strict=True)] == last
    return (chosen.tile_step or 1) >= (last[0] + 1) * (last[1] + 1)


def _all_draws(screen: Screen) -> dict[str, str]:
    """The settings of the last of the draws that are counted together here, at the p of the question."""
    found = two_layers.falls(screen)
    if found is None:
        return {}
    last = screen.config.draw // found.draws * found.draws + found.draws - 1
    return {"dropout": str(two_layers.HALF), "draw": str(last)}


def _is_drawn_to_the_end(screen: Screen) -> bool:
    """Whether the screen shows the last of the draws that are counted together, at the p of the question."""
    config = screen.config
    if config.mode != "training" or not isclose(config.dropout, two_layers.HALF):
        return False
    found = two_layers.falls(screen)
    return found is not None and config.draw % found.draws == found.draws - 1


# Whether the figure of a question tells its answer.
_SETTLED: dict[str, Callable[[Screen], bool]] = {
    "order": _has_positions,
    "dropped": _is_less,
    "shared": _is_shared,
    "tiles": _is_laid,
    "two_arcs": _is_drawn_to_the_end,
}
# The questions that propose something to try: the result judges the guess.
_TRIED = ("order", "shared", "tiles")
# The questions among them whose answers stay in place, marked, after the result is seen.
STAY = ("order", "tiles")


def _taken_away(screen: Screen) -> dict[str, str]:
    """The settings that take away the last word below, and let the word that loses its answer ask."""
    words, less = _first_and_less(screen)
    lost = found(texts(screen.run)[0], words)
    asks = {"cell": f"weights.{lost.index(len(less))}.0.arcs"} if len(less) in lost else {}
    return {"context": " ".join(less)} | asks


def _taken_away_unguessed(screen: Screen) -> dict[str, str]:
    if "dropped" in screen.own(Guesses).by_question:
        return {}
    return _taken_away(screen) | screen.own(Guesses).answering("dropped", _JUST_SHOWN)


def _not_first(question: str, screen: Screen) -> dict[str, str]:
    """Turn guessing first off, if the question waits for a guess; else change nothing."""
    own = screen.own(Guesses)
    return {"guess_first": "false"} if own.guess_first and question not in own.by_question else {}


# The settings with which a reader sees the question's experiment.
_SHOWN: dict[str, Callable[[Screen], dict[str, str]]] = {
    "dropped": _taken_away_unguessed,
    "future": partial(_not_first, "future"),
    "padding": partial(_not_first, "padding"),
}
# The text in place of a question that is not asked because the figure shows another case.
_INSTEAD: dict[str, Callable[[Screen], str]] = {
    "dropped": lambda screen: counted(screen.run),
    "two_arcs": two_layers.alone,
}


# Whether the figure shows another case than the question's.
_MOOT: dict[str, Callable[[Screen], bool]] = {
    "bias": lambda screen: screen.own(WhatIf).shifted != "keys",
    "order": _is_no_order,
    "dropped": lambda screen: list(texts(screen.run)[1]) not in _first_and_less(screen),
    "shared": _is_shared_unasked,
    "two_arcs": lambda screen: two_layers.falls(screen) is None,
    # The question compares another layer with GPT-2 small, once that one's half is told; it stays until it is guessed.
    "costs": lambda screen: not halfway.is_told(screen, "gpt2"),
}

# The questions whose guess keeps its verdict beside a figure of another case.
KEPT = ("two_arcs",)

# The settings that show a question's answer, if its figure does not show it at all settings.
_LEADS_TO: dict[str, Callable[[Screen], dict[str, str]]] = {
    "two_arcs": _all_draws,
    "row_sums": lambda screen: {"dropout": "0.8"},
    "order": lambda screen: {"order_positions": "added"},
    "dropped": _taken_away,
}


def is_moot(question: str, screen: Screen) -> bool:
    return question in _MOOT and _MOOT[question](screen)


def instead(question: str, screen: Screen) -> str:
    return _INSTEAD[question](screen) if question in _INSTEAD else ""


def shown(question: str, screen: Screen) -> dict[str, str]:
    return _SHOWN[question](screen) if question in _SHOWN else {}


def is_settled(question: str, screen: Screen) -> bool:
    """Whether the figure shows the answer, so that nothing is left to guess."""
    return question in _SETTLED and _SETTLED[question](screen)


def is_tried(question: str) -> bool:
    return question in _TRIED


def is_open(question: str, screen: Screen) -> bool:
    """Whether the guess waits for the reader to try it."""
    return is_tried(question) and not is_settled(question, screen)


def leads_to(question: str, screen: Screen) -> dict[str, str]:
    """The further settings of a guess, which bring the answer into the figure."""
    return _LEADS_TO[question](screen) if question in _LEADS_TO else {}


def is_asked(question: str, config: Config) -> bool:
    return question not in _ASKED or _ASKED[question](config)
