"""Real models: what the page shows of a trained transformer, of its heads, and of one of them."""

from pages.shell.views.models import (
    attribution,
    effects,
    heads_wall,
    importance,
    induction,
    offered,
    one_head,
    output,
    sentence,
    sinks,
    spread,
)

__all__ = [
    "attribution",
    "effects",
    "heads_wall",
    "importance",
    "induction",
    "offered",
    "one_head",
    "output",
    "sentence",
    "sinks",
    "spread",
]
