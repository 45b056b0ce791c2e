"""The beginning of a run says what Streamlit says, and follows theme and pages."""

from types import SimpleNamespace

import pytest
from streamlit import config
from streamlit.proto.NewSession_pb2 import CustomThemeConfig, NewSession
from streamlit.runtime import app_session
from streamlit.runtime.app_session import AppSession

from pages.shell.server.patches import kept_beginning

SECTIONS = ("theme", "theme.light", "theme.dark", "theme.sidebar", "theme.light.sidebar")


@pytest.fixture
def installed(monkeypatch):
    monkeypatch.setattr(app_session, "_populate_theme_msg", app_session._populate_theme_msg)
    monkeypatch.setattr(AppSession, "_populate_app_pages", AppSession._populate_app_pages)
    kept_beginning.install()
    yield
    kept_beginning._section.cache_clear()


def _themed(fill) -> NewSession:
    """As Streamlit fills it in, from the outermost section to the innermost."""
    message = NewSession()
    theme = message.custom_theme
    for section, part in zip(
        SECTIONS, (theme, theme.light, theme.dark, theme.sidebar, theme.light.sidebar), strict=True
    ):
        fill(part, section)
    return message


def test_the_theme_is_the_one_of_the_app(installed):
    told = _themed(app_session._populate_theme_msg)
    assert told == _themed(kept_beginning._original_theme)
    assert told.custom_theme.light.primary_color
    # Kept, not read again.
    assert _themed(app_session._populate_theme_msg) == told


def test_who_edits_the_theme_sees_it(installed, monkeypatch):
    before = CustomThemeConfig()
    app_session._populate_theme_msg(before, "theme.light")
    monkeypatch.setattr(config, "get_options_for_section", lambda section: {"primaryColor": "#123456"})
    config._on_config_parsed.send()
    after = CustomThemeConfig()
    app_session._populate_theme_msg(after, "theme.light")
    assert (before.primary_color == "#123456", after.primary_color) == (False, "#123456")


def test_pages_are_told_as_they_are(installed):
    session = SimpleNamespace()
    pages = {"a": {"page_name": "one_query", "icon": ":x:"}, "b": {"page_name": "two", "icon": ""}}

    def told(pages) -> NewSession:
        message = NewSession()
        AppSession._populate_app_pages(session, message, pages)
        return message

    expected = NewSession()
    kept_beginning._original_pages(session, expected, pages)
    assert told(pages) == told(pages) == expected
    others = dict(list(pages.items())[:1])
    assert [page.page_name for page in told(others).app_pages] == ["one query"]
