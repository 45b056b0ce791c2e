"""Put together once what a browser is told with the beginning of each run.

That is the theme, for each of whose six sections Streamlit 1.67 goes through all options that it has, and the pages of
the app.
"""

from functools import lru_cache
from typing import Any

from streamlit import config
from streamlit.proto.NewSession_pb2 import CustomThemeConfig, NewSession
from streamlit.runtime import app_session
from streamlit.runtime.app_session import AppSession

_PAGES = "_kept_beginning_pages"

# Not these replacements themselves, when the module is loaded anew.
_original_theme: Any = getattr(app_session._populate_theme_msg, "original", app_session._populate_theme_msg)
_original_pages: Any = getattr(AppSession._populate_app_pages, "original", AppSession._populate_app_pages)


def install() -> None:
    """Replace what fills in theme and pages, in this process."""
    app_session._populate_theme_msg = _theme  # type: ignore[assignment]
    AppSession._populate_app_pages = _pages  # type: ignore[method-assign,assignment]
    # Who edits the theme sees it.
    config.on_config_parsed(_section.cache_clear, force_connect=True)


@lru_cache(maxsize=8)
def _section(name: str) -> CustomThemeConfig:
    section = CustomThemeConfig()
    _original_theme(section, name)
    return section


def _theme(message: CustomThemeConfig, section: str = "theme") -> None:
    """Fill in the section; one that says nothing stays away."""
    filled = _section(section)
    if filled.ByteSize():
        message.MergeFrom(filled)


def _pages(session: AppSession, message: NewSession, pages: Any) -> None:
    """Fill in the pages; they are others where Streamlit has gathered them anew."""
    kept = vars(session).get(_PAGES)
    if kept is None or kept[0] is not pages:
        told = NewSession()
        _original_pages(session, told, pages)
        kept = vars(session)[_PAGES] = pages, told
    message.MergeFrom(kept[1])


_theme.original = _original_theme  # type: ignore[attr-defined]
_pages.original = _original_pages  # type: ignore[attr-defined]
