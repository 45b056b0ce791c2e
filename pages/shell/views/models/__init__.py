"""Real models: the page on a trained transformer, all of its heads, and one of them."""

from pages.shell.views.models import (
    attribution,
    effects,
    heads_wall,
    importance,
    induction,
    one_head,
    output,
    relay,
    sentence,
    sinks,
    spread,
    switched,
)

__all__ = [
    "attribution",
    "effects",
    "heads_wall",
    "importance",
    "induction",
    "one_head",
    "output",
    "relay",
    "sentence",
    "sinks",
    "spread",
    "switched",
]
