"""Claims about words in another order."""

import torch

from pages.shell.i18n import speaking
from pages.shell.i18n.markdown import MOST
from pages.shell.screen import Screen
from pages.shell.views.naming import named, opened
from pages.shell.views.order.shuffle import Shuffle
from tests.support.claims.claim import Values, claim
from tests.support.claims.costs import is_written

# The bound is for float64 and for outputs about as large as 1.
_ROUNDING = 1e-8


def _far(screen: Screen) -> torch.Tensor:
    """How far the output of each word moves in the other order."""
    shuffle = Shuffle(screen)
    shown = shuffle.shown
    return (shown.plain["projected"].value - shown.restored("projected")).abs().amax(-1)


@claim("order.travels", "order.both", {"shuffle": 1})
def _(screen: Screen, values: Values) -> bool:
    return bool((_far(screen) <= _ROUNDING).all())


@claim("order.exchanged", "order.both")
def _(screen: Screen, values: Values) -> bool:
    shuffle = Shuffle(screen)
    elsewhere = [word for place, word in enumerate(shuffle.order.tolist()) if word != place]
    with speaking(screen.language):
        one, other = (named(shuffle.tokens, word, MOST) for word in sorted(elsewhere))
    return (values["one"], values["other"]) == (opened(one), other) and bool((_far(screen) <= _ROUNDING).all())


@claim("order.reason.full", "order.both", {}, {"shuffle": 3}, {"preset": "random"})
def _(screen: Screen, values: Values) -> bool:
    """The score of two words is what it was before they moved."""
    shown = Shuffle(screen).shown
    return torch.allclose(shown.plain["scores"].value, shown.restored("scores"), rtol=1e-9, atol=1e-9)


@claim("order.takes.same", "order.both", {}, {"preset": "random"}, {"shuffle": 3, "cell": "weights.2.0.words"})
def _(screen: Screen, values: Values) -> bool:
    """The word takes the share from one of the words that moved, and from no other of them more."""
    shuffle = Shuffle(screen)
    weights = shuffle.shown.plain["weights"].value.mean(0)
    with speaking(screen.language):
        names = [named(shuffle.tokens, word, MOST) for word in range(shuffle.n)]
    moved = [place for place, word in enumerate(shuffle.order.tolist()) if word != place] or range(shuffle.n)
    others = [
        max([float(weights[query, key]) for key in moved if key != query] or [1.0])
        for query, name in enumerate(names)
        if name == values["word"]
    ]
    is_most = any(values["share"] == f"{most:.0%}" for most in others)
    return is_most and (values["share"], values["share"]) in _shares(screen, values)


@claim(
    "order.takes.other",
    "order.both",
    {"order_positions": "added", "shuffle": 3},
    {"order_mask": "causal", "shuffle": 1},
)
def _(screen: Screen, values: Values) -> bool:
    return values["before"] != values["after"] and (values["before"], values["after"]) in _shares(screen, values)


@claim("order.takes.place", "order.both", {"order_positions": "added"})
def _(screen: Screen, values: Values) -> bool:
    """Two words have changed places, and both shares are nearer to the share of the place than to that of the word."""
    shuffle = Shuffle(screen)
    both = [value.mean(0) for value in (shuffle.shown.plain["weights"].value, shuffle.shown.restored("weights"))]
    query, left, comer = (shuffle.tokens.index(values[name].strip("'“”")) for name in ("word", "left", "comer"))
    (was, had), (gets, now) = ([float(rows[query, at]) for at in (left, comer)] for rows in both)
    is_kept = abs(now - was) < abs(gets - was) and abs(gets - had) < abs(now - had)
    return is_kept and (values["before"], values["after"]) == (f"{was:.0%}", f"{now:.0%}")


@claim("order.takes.mean", "order.both", {}, {"preset": "random", "heads": 2})
def _(screen: Screen, values: Values) -> bool:
    return values["heads"] == str(len(Shuffle(screen).shown.plain["weights"].value))


def _shares(screen: Screen, values: Values) -> list[tuple[str, str]]:
    """The shares that the named word takes from the named key in both orders, for each pair with these names."""
    shuffle = Shuffle(screen)
    both = [value.mean(0) for value in (shuffle.shown.plain["weights"].value, shuffle.shown.restored("weights"))]
    with speaking(screen.language):
        names = [named(shuffle.tokens, word, MOST) for word in range(shuffle.n)]
    return [
        (f"{both[0][query, key]:.0%}", f"{both[1][query, key]:.0%}")
        for query, word in enumerate(names)
        for key, name in enumerate(names)
        if (values["word"], values["key"]) == (word, name)
    ]


@claim("order.note.unmoved", "order.order-weights", {"text": "alone"})
def _(screen: Screen, values: Values) -> bool:
    shuffle = Shuffle(screen)
    return list(shuffle.tokens) == [shuffle.tokens[place] for place in shuffle.order.tolist()]


@claim(
    "order.changes",
    "order.guess_order",
    {"order_positions": "added"},
    {"order_positions": "added", "guess": "order.every"},
)
def _(screen: Screen, values: Values) -> bool:
    """The named parts are the least and the largest change of an output by its length."""
    shown = Shuffle(screen).shown
    before, after = shown.plain["projected"].value, shown.restored("projected")
    parts = ((after - before).norm(dim=-1) / before.norm(dim=-1)).flatten().tolist()
    return is_written(values["least"], min(parts)) and is_written(values["most"], max(parts))


@claim("order.stays", "order.both", {"order_mask": "causal"}, {"order_mask": "causal", "order_positions": "added"})
def _(screen: Screen, values: Values) -> bool:
    """The outputs stay up to the word before the first one that has moved."""
    shuffle, far = Shuffle(screen), _far(screen).flatten()
    first = min(shuffle.elsewhere)
    with speaking(screen.language):
        name = named(shuffle.tokens, first - 1, MOST)
    return values["word"] == name and bool((far[:first] <= _ROUNDING).all())
