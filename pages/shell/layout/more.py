"""Behind "More" of the control bar: positions and the modern variants."""

import streamlit as st

from pages.shell.i18n import say
from pages.shell.layout import choices
from pages.shell.layout.rows import changes, row
from pages.shell.layout.widgets import widget
from pages.shell.runs.sources import Source, opened
from pages.shell.state.config import OF_RANDOM, POSITIONS, RANDOM, TURNED, VARIANTS, Config, looked_at, unused
from pages.shell.state.pending import set_controls

NAMES = ("positions", *VARIANTS)


def switch(page: str) -> None:
    """What opens and closes the panel: styles do, so that its controls stay tied to the address (plot.css).

    It tells how many of them are set, for they act while it is closed, too.
    """
    if set(NAMES) <= unused(page):
        return
    count = Source(lambda: len(_set(looked_at(page, opened())))).read()
    label = say("bar.more_set", count=count) if count else say("bar.more")
    st.toggle(label, key="more", help=say("bar.more_help"), on_change=changes())


@row
def draw(page: str) -> None:
    """The panel. It is always there, with all of the controls: docs/decisions/links.md, "A control has one place"."""
    idle = unused(page)
    with st.container(key="more-panel", horizontal=True, vertical_alignment="center"):
        for name in NAMES:
            if name not in idle:
                widget(name, on_change=_free)
        with st.container(key="more-unseen"):
            # Something to hold on to: of styles alone Streamlit makes an element of no row.
            st.html(choices.offer("positions", POSITIONS, _offered(idle)) + "<span></span>")
        for name in NAMES:
            if name in idle:
                widget(name)


def _set(config: Config) -> list[str]:
    return [name for name in NAMES if getattr(config, name) != getattr(Config, name)]


def _offered(idle: frozenset[str]) -> list[str]:
    """The positions that a page looks at: where it leaves out variants, those that act on the input."""
    return [each for each in POSITIONS if each not in TURNED or not set(VARIANTS) <= idle]


def _free() -> None:
    """Weights that are given were made without: a variant that is switched on leads to those that are drawn."""
    now = Config.current()
    if now.preset != RANDOM and (now != now.plain() or now.positions in OF_RANDOM):
        set_controls({"preset": RANDOM})
