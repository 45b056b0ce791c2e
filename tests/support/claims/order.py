"""Claims about words in another order."""

import torch

from pages.shell.i18n import speaking
from pages.shell.i18n.markdown import MOST
from pages.shell.screen import Screen
from pages.shell.views.naming import named, opened
from pages.shell.views.order.shuffle import Shuffle
from tests.support.claims.claim import Values, claim, number

# In float64, of outputs about as large as 1.
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


@claim("order.changed", "order.both", {"order_mask": "causal", "shuffle": 1})
def _(screen: Screen, values: Values) -> bool:
    far = _far(screen).flatten()
    shuffle = Shuffle(screen)
    size = shuffle.shown.plain["projected"].value.norm(dim=-1).flatten()
    moved = (shuffle.shown.plain["projected"].value - shuffle.shown.restored("projected")).norm(dim=-1).flatten()
    # An output of 0 has no part that could be another one; equal words of a text change by the same but for rounding.
    parts = moved / size.where(size > 0, 1)
    with speaking(screen.language):
        most = [
            named(shuffle.tokens, at, MOST) for at in (parts >= parts.max() * (1 - 1e-6)).nonzero().flatten().tolist()
        ]
    return number(values["count"]) == int((far > _ROUNDING).sum()) > 0 and values["word"] in most


@claim("order.note.unmoved", "order.order-weights", {"text": "alone"})
def _(screen: Screen, values: Values) -> bool:
    shuffle = Shuffle(screen)
    return list(shuffle.tokens) == [shuffle.tokens[place] for place in shuffle.order.tolist()]
