"""The inputs behind the first expander of the control bar: the preset, and the words or the file. They are under "More"
on a page whose sentence is typed over in its figure, or whose bar has one slider alone."""

import streamlit as st

from attention.inputs.presets import PRESETS
from pages.shell.i18n import say
from pages.shell.i18n.options import word
from pages.shell.layout import open_file
from pages.shell.layout.part import part
from pages.shell.layout.widgets import widget
from pages.shell.runs.translating import context_of
from pages.shell.state.changes import set_controls
from pages.shell.state.config import FILE, KNOBS, LIVE, OF_PRESET, OPENS, Config, looked_at, unused
from pages.shell.state.fields import Choice
from pages.shell.state.page_controls import CROSS

NAMES = ("preset", "text", "context")
# The sentence of the first page has a pencil beside it, so its bar needs none; the second's bar has one slider alone.
UNDER_MORE = ("walkthrough", "heads")


@part
def panel(page: str) -> None:
    if page in UNDER_MORE or not acts(page):
        return
    with st.popover(say("bar.words"), key="words", icon=":material/edit:", type="tertiary"):
        draw(page)


def acts(page: str) -> bool:
    """Whether a page looks at the words or the weights."""
    return not {"preset", "text"} <= unused(page)


def draw(page: str) -> None:
    """Draw the widgets of the inputs."""
    idle, config = unused(page), looked_at(page, Config.current())
    if "preset" not in idle:
        widget("preset", options=_offered(page), shows=config.preset, on_change=_load_preset)
    if config.preset == FILE:
        open_file.draw()
    elif config.preset in PRESETS:
        st.caption(say("control.fixed", preset=word("preset", config.preset), live=word("preset", LIVE)))
    elif "text" not in idle:
        widget("text", placeholder=config.sentence_of_preset)
    if page == CROSS:
        widget("context", placeholder=context_of(config, ""))


def _offered(page: str) -> tuple[str, ...]:
    """The presets of a page; `file` only if the page can show one."""
    held = KNOBS["preset"]
    assert isinstance(held, Choice)
    return tuple(one for one in held.options if one != FILE or page in OPENS)


def _load_preset() -> None:
    """Load a preset with the mask that shows its point; every control can be changed after that."""
    without = Config.current().preset in ("notebook", "token_by_token")
    set_controls({"mask": "full" if without else OF_PRESET, "positions": OF_PRESET})
