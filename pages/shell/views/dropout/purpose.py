"""Why arcs are cut at all: with arcs cut, a layer that was trained in this way beside one that was not."""

from collections.abc import Iterator
from functools import cache
from typing import NamedTuple

from attention.inputs.learned import SHIPPED, Setting
from pages.shell.i18n import listed, say
from pages.shell.runs import learned_scores
from pages.shell.runs.run import run
from pages.shell.screen import Screen
from pages.shell.state.config import LEARNED, Config
from pages.shell.views import blocks
from pages.shell.views.blocks import Block

# Of the layers that differ from the default one in this alone.
_SHIPPED = sorted(one.dropout for one in SHIPPED if one.dropout and one == Setting(dropout=one.dropout))


def purpose(screen: Screen) -> Iterator[Block]:
    """In words, and in the scores of two layers at the nearest p that one of them was trained with."""
    told = [say("dropping.purpose")]
    if screen.config.preset == LEARNED:
        p = min(_SHIPPED, key=lambda one: abs(one - screen.config.dropout))
        if p != screen.config.dropout:
            told.append(say("dropping.purpose_nearest", p=f"{p:.2f}"))
        without, trained = measured(p)
        scores = {"without": f"{without:.0%}", "trained": f"{trained:.0%}"}
        told.append(say("dropping.purpose_measured", p=f"{p:.2f}", **scores))
    yield blocks.text(listed("sentence", told))


class Measured(NamedTuple):
    without: float
    trained: float


@cache
def measured(p: float) -> Measured:
    """The scores of the default layer on test sentences while arcs are cut, trained without dropout and with it."""
    return Measured(*(_score(Config(dropout=p, trained=trained)) for trained in (False, True)))


def _score(config: Config) -> float:
    found = learned_scores.tested(config, run(config).module)
    assert found is not None
    return found.scores.mean
