"""The last change of the shared screen: the screen before it, until page or preset changes."""

from dataclasses import dataclass, replace

import streamlit as st

from pages.shell.state.config import Config

_KEPT, _PAGE = "last_change", "last_change_page"
# Which part of a run is looked at: to look elsewhere changes no number.
_VIEW = ("sentence", "head", "device")


@dataclass(frozen=True)
class Change:
    """The screen now, and before its last change, both looked at as it is now; before: None where there was no change
    since the page or the preset was opened. count: tells one change from the next."""

    now: Config
    before: Config | None = None
    count: int = 0


def arrive(page: str) -> None:
    """Forget the change that was made on another page."""
    if st.session_state.get(_PAGE) != page:
        st.session_state[_PAGE] = page
        st.session_state.pop(_KEPT, None)


def follow(now: Config) -> Change:
    """The last change up to this screen. To ask again changes nothing: the screen of before is kept for the visitor."""
    kept: Change | None = st.session_state.get(_KEPT)
    change = _followed(kept, now) if kept else Change(now)
    st.session_state[_KEPT] = change
    return change


def _followed(kept: Change, now: Config) -> Change:
    view = {name: getattr(now, name) for name in _VIEW}
    if kept.now.preset != now.preset:
        return Change(now, None, kept.count + 1)
    before = replace(kept.now, **view)
    if before != now:
        return Change(now, before, kept.count + 1)
    return Change(now, kept.before and replace(kept.before, **view), kept.count)
