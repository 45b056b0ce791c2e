"""Behind "More" of the control bar: scale and mode, positions and the modern variants."""

import streamlit as st

from pages.shell.i18n import say
from pages.shell.layout.widgets import widget
from pages.shell.state.changes import set_controls
from pages.shell.state.config import OF_RANDOM, POSITIONS, RANDOM, TURNED, VARIANTS, Config, looked_at, unused

NAMES = ("scale", "mode", "positions", *VARIANTS)
_FREE = ("positions", *VARIANTS)


def panel(page: str) -> None:
    """The panel of a page that looks at some of them. Its label tells how many are set: they act while it is closed."""
    idle = unused(page)
    if set(NAMES) <= idle:
        return
    now = looked_at(page, Config.current())
    count = sum(getattr(now, name) != getattr(Config, name) for name in NAMES)
    label = say("bar.more_set", count=count) if count else say("bar.more")
    with st.popover(label, key="more", help=say("bar.more_help"), type="tertiary"):
        for name in NAMES:
            if name not in idle:
                options = _positions(idle, now.positions) if name == "positions" else None
                widget(name, options=options, on_change=_free if name in _FREE else None)


def _positions(idle: frozenset[str], chosen: str) -> list[str]:
    """The positions that a page looks at: where it leaves out variants, those that act on the input."""
    return [each for each in POSITIONS if each == chosen or each not in TURNED or not set(VARIANTS) <= idle]


def _free() -> None:
    """Weights that are given were made without: a variant that is switched on leads to those that are drawn."""
    now = Config.current()
    if now.preset != RANDOM and (now != now.plain() or now.positions in OF_RANDOM):
        set_controls({"preset": RANDOM})
