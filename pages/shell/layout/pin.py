"""Two screens at once: the one that was kept, A, and that of the shared controls, B."""

from functools import partial

import streamlit as st

from pages.shell.i18n import say
from pages.shell.layout.part import part
from pages.shell.state.changes import set_controls
from pages.shell.state.config import Config
from pages.shell.state.page_controls import Compare

PAGE = "compare"


def kept() -> Config:
    """Side A: the screen that was kept, or the example."""
    return Compare.current().beside(Config.current())


@part
def panel(page: str) -> None:
    """In the control bar: keep the screen as A; once one is kept, the way to both side by side, and what lets it go."""
    with st.container(key="pins", horizontal=True, vertical_alignment="center"):
        if not Compare.current().is_kept:
            st.button(say("pin.keep"), key="pin", on_click=_keep, icon=":material/push_pin:", type="tertiary")
            return
        if page != PAGE:
            st.button(say("pin.go"), key="pin-go", on_click=_go, icon=":material/compare:", type="tertiary")
        # Another one than the way to that page stands in: it would stay open, and cover what one went to.
        key = "kept-there" if page == PAGE else "kept"
        with st.popover(say("pin.kept"), key=key, icon=":material/push_pin:", type="tertiary"):
            _instead_or_let_go()


def _instead_or_let_go() -> None:
    st.button(
        say("pin.instead"),
        key="pin-instead",
        disabled=kept() == Config.current(),
        on_click=_keep,
        icon=":material/push_pin:",
        width="stretch",
    )
    st.button(
        say("pin.let_go"),
        key="pin-let-go",
        on_click=partial(set_controls, {"pinned": Compare.pinned}),
        icon=":material/close:",
        width="stretch",
    )


@part
def swap() -> None:
    """On the page that shows both sides."""
    st.button(say("pin.swap"), key="pin-swap", on_click=_swap, icon=":material/swap_horiz:")


def _keep() -> None:
    set_controls({"pinned": Config.current().bundled()})


def _swap() -> None:
    set_controls(kept().values() | {"pinned": Config.current().bundled()})


def _go() -> None:
    set_controls({}, PAGE)
