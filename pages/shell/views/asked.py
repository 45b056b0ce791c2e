"""The questions of a screen: those whose right answer, as written, is right there and not yet told by the figure."""

from collections.abc import Callable, Mapping
from dataclasses import replace
from functools import partial

import torch

from pages.shell.runs.run import Run, run
from pages.shell.runs.translating import context_of
from pages.shell.screen import Screen
from pages.shell.state.config import LEARNED, Config
from pages.shell.state.guesses import Guesses
from pages.shell.state.page_controls import Order
from pages.shell.state.todays_controls import Costs, FewerKeys, Tiles
from pages.shell.views import halfway
from pages.shell.views.crossing import CLEAR, counted, is_same, texts
from pages.shell.views.dropout import two_layers
from pages.shell.views.order.shuffle import Shuffle
from pages.shell.views.taken import acting

# The weights that the texts of the story's questions name, to two decimals.
_HALVES = {"fluffy": 0.50, "blue": 0.50}
_ALIKE = {"fluffy": 0.32, "blue": 0.32, "verdant": 0.32}
_NEXT = {"verdant": 0.95}


def _sums(config: Config) -> bool:
    """Each row of weights adds up to 1: no sink takes a share, and each query has a key to attend to."""
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


def _place(config: Config) -> bool:
    """Whether the first word is found at the end of the second sentence, and the other one is not."""
    if config.preset != LEARNED:
        return False
    found = [_at_the_end(config, *pair) for pair in (("fox", "raposa"), ("today", "hoje"))]
    return found == [True, False]


def _at_the_end(config: Config, asking: str, answering: str) -> bool | None:
    """Whether a word finds another one that is moved to the end of the context; None if one of them is missing."""
    words = context_of(config, "").split()
    if words.count(answering) != 1:
        return None
    words.remove(answering)
    shown = run(replace(config, mask="full"), context=" ".join([*words, answering]))
    queries = shown.labels["query"]
    if asking not in queries:
        return None
    taken = shown.trace["weights"].value[shown.sentence, :, queries.index(asking), -1]
    return float(taken.max()) > CLEAR


# The condition of each question; a question that is not named here is asked of every screen.
_ASKED: dict[str, Callable[[Config], bool]] = {
    "sums": _sums,
    "creature": _creature,
    "forest": _forest,
    "place": _place,
}


def _is_at_the_end(screen: Screen) -> bool:
    """Whether the moved word stands at the end, where only the word that is moved next may follow it."""
    _, context = texts(screen.run)
    return [word for word in context if word != "hoje"][-1:] == ["raposa"]


def _is_in_order(screen: Screen) -> bool:
    """Whether the second sentence is in its first order, apart from the two words that the question moves."""
    first, now = (
        [word for word in words if word not in ("raposa", "hoje")]
        for words in (context_of(screen.config, "").split(), texts(screen.run)[1])
    )
    return first == now


def _is_halved(screen: Screen) -> bool:
    """Whether half as many key heads as query heads are chosen, without further training."""
    chosen = screen.own(FewerKeys)
    return (chosen.kv_of_8, chosen.kv_trained) == ("4", "0")


def _is_beyond_halves(screen: Screen) -> bool:
    """Whether the key heads are shared, but not as in the answer. Unshared ones may have any steps."""
    chosen = screen.own(FewerKeys)
    return chosen.kv_of_8 != "8" and (chosen.kv_of_8, chosen.kv_trained) != ("4", "0")


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


def _is_beyond_the_first(screen: Screen) -> bool:
    """Whether another layer than the question's first is shown before a guess: it tells the answer, or is no part of
    it."""
    return screen.own(Costs).cost_model != "gpt2" and "costs" not in screen.own(Guesses).by_question


def _is_laid(screen: Screen) -> bool:
    """Whether both outputs lie over each other: guessing first is off, or the guess was played to the end."""
    guesses = screen.own(Guesses)
    return not guesses.guess_first or ("tiles" in guesses.by_question and _is_last_tile(screen))


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


# Whether the figure of a question tells its answer.
_SETTLED: dict[str, Callable[[Screen], bool]] = {
    "order": _has_positions,
    "place": _is_at_the_end,
    "shared": _is_halved,
    "tiles": _is_laid,
}
# The questions that propose something to try: the result judges the guess.
_TRIED = ("order", "place", "shared", "tiles")
# Those of them whose answers stay in place, marked, after the result is seen.
STAY = ("order", "tiles")
# The questions beside a slider, where the result is told in a line or two.
BESIDE = ("shared",)


def _to_the_end(screen: Screen) -> dict[str, str]:
    """The settings that move the question's word to the end and let the word that looks for it ask."""
    text, context = texts(screen.run)
    words = [*(word for word in context if word != "raposa"), "raposa"]
    return {"context": " ".join(words), "cell": f"weights.{text.index('fox')}.0.arcs"}


def _not_first(question: str, screen: Screen) -> dict[str, str]:
    """Turn guessing first off, if the question waits for a guess; else change nothing."""
    own = screen.own(Guesses)
    return {"guess_first": "false"} if own.guess_first and question not in own.by_question else {}


# The settings with which a reader sees the question's experiment.
_SHOWN: dict[str, Callable[[Screen], dict[str, str]]] = {
    "place": _to_the_end,
    "future": partial(_not_first, "future"),
    "padding": partial(_not_first, "padding"),
}
# The text in place of a question that is not asked because the figure shows another case.
_INSTEAD: dict[str, Callable[[Screen], str]] = {
    "place": lambda screen: counted(screen.run),
    "two_arcs": two_layers.alone,
}


# Whether the figure shows another case than the question's.
_MOOT: dict[str, Callable[[Screen], bool]] = {
    "order": _is_no_order,
    "place": lambda screen: is_same(screen.run) or not _is_in_order(screen),
    "shared": _is_beyond_halves,
    "two_arcs": lambda screen: two_layers.falls(screen) is None,
    # The question compares another layer with the one that is shown and guessed first.
    "costs": lambda screen: not halfway.is_told(screen) or _is_beyond_the_first(screen),
}

# The settings that show a question's answer, if its figure does not show it at all settings.
_LEADS_TO: dict[str, Callable[[Screen], dict[str, str]]] = {
    "two_arcs": _all_draws,
    "row_sums": lambda screen: {"dropout": "0.8"},
    "order": lambda screen: {"order_positions": "added"},
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


def keeps_back(screen: Screen, word: str) -> bool:
    """Whether the result of moving a word is asked and not shown yet; until then no sentence may tell it."""
    if word != "raposa" or not _place(screen.config):
        return False
    return not is_moot("place", screen) and is_open("place", screen)


def is_asked(question: str, config: Config) -> bool:
    return question not in _ASKED or _ASKED[question](config)
