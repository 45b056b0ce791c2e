"""Keep the screen as A in the control bar, to compare it with B, the screen of the shared controls."""

from functools import partial

import streamlit as st

from pages.shell.i18n import say
from pages.shell.layout.part import part
from pages.shell.state.changes import set_controls
from pages.shell.state.config import Config
from pages.shell.state.page_controls import CROSS, Compare

PAGE = "compare"
# Pages with at most one control in the bar, and that control; "" for none, if the figure stands under its own control.
UNDER_MORE = dict.fromkeys(("heads", "experiments", "backward", CROSS, "masks", "order"), "heads")
UNDER_MORE |= {"tiles": "mask", "dropout": "", "taming": ""}


@part
def panel(page: str) -> None:
    """A button that keeps the screen as A; once A is kept, buttons that show both side by side or drop A. The page that
    shows both has these beside A; pages with at most one control in the bar keep a screen under "More"."""
    if page == PAGE or (page in UNDER_MORE and not is_kept()):
        return
    with st.container(key="pins", horizontal=True, vertical_alignment="center"):
        if not is_kept():
            keep()
            return
        st.button(say("pin.go"), key="pin-go", on_click=_go, icon=":material/compare:", type="tertiary")
        with st.popover(say("pin.kept"), key="kept", icon=":material/push_pin:", type="tertiary"):
            _instead_or_let_go()


def is_kept() -> bool:
    return Compare.current().is_kept


def keep() -> None:
    st.button(say("pin.keep"), key="pin", on_click=_keep, icon=":material/push_pin:", type="tertiary")


def _instead_or_let_go() -> None:
    st.button(
        say("pin.instead"),
        key="pin-instead",
        disabled=Compare.current().screen == Config.current(),
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


def _keep() -> None:
    set_controls({"pinned": Config.current().bundled()})


def _go() -> None:
    set_controls({}, PAGE)
