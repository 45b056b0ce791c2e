"""Sliders for the sides of a tile."""

import streamlit as st

from pages.shell.layout.part import depends_on, part
from pages.shell.layout.widgets import widget
from pages.shell.runs import of_page
from pages.shell.state.config import Config, looked_at
from pages.shell.state.fields import Range
from pages.shell.state.todays_controls import Tiles

# Keys first and wide, because the kept sums are corrected from one tile of keys to the next. Queries are independent.
_AXES = {"tile_keys": "key", "tile_queries": "query"}
_WIDTHS = (3, 1)


@part
def sides() -> None:
    """Draw the sliders. Each ends at the number of words, since a longer side would change nothing."""
    depends_on(_words)
    for column, (name, words) in zip(st.columns(_WIDTHS), _words().items(), strict=True):
        knob = Tiles.knobs()[name]
        with column:
            # A slider needs two ends.
            widget(name, most=max(min(words, knob.high), knob.low + 1) if isinstance(knob, Range) else None)


def _words() -> dict[str, int]:
    """The numbers of queries and keys, by the control of their side."""
    run = of_page.run("tiles", looked_at("tiles", Config.current()), lambda controls: controls.current())
    return {name: len(run.labels[axis]) for name, axis in _AXES.items()}
