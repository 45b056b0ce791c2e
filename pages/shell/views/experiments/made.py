"""The effect of the open question's intervention on the sentence."""

from collections.abc import Callable

from pages.shell.screen import Screen
from pages.shell.state.page_controls import WhatIf
from pages.shell.views.experiments import cards, other_weights, other_words
from pages.shell.views.experiments.after import After

_CARDS: dict[str, Callable[[Screen], After]] = {
    "tied": cards.tied,
    "bias": cards.biased,
    "basis": cards.gauged,
    "sentence": other_words.reordered,
    "importance": other_weights.otherwise,
    "mistakes": cards.mistaken,
    "columns": cards.columns,
}


def made_of(screen: Screen) -> After:
    return _CARDS[screen.own(WhatIf).what_if](screen)
