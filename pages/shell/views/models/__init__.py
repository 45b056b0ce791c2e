"""Real models: what the page shows of a trained transformer, of its heads, and of one of them."""

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
