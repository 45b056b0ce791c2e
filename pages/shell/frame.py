"""Streamlit's main script: the frame of every page, then the page."""

from pathlib import Path
from urllib.parse import parse_qsl

import streamlit as st

from pages.shell import component, knob_bar, opening, tools
from pages.shell.i18n import say, speak
from pages.shell.i18n.vocabulary import words
from pages.shell.layout import leads
from pages.shell.layout.menu import CONTENTS, MENU
from pages.shell.layout.part import begun, redraw, whole_page
from pages.shell.lectures import player
from pages.shell.server import startup
from pages.shell.server.build import build
from pages.shell.state import opens_with
from pages.shell.state.changes import give, received, told
from pages.shell.state.reader import Reader
from pages.shell.state.registry import HOME
from pages.shell.state.settings import settings
from pages.shell.views.context import context

PAGES = Path(__file__).resolve().parent.parent
_ADDRESS, _PART = "plot-settings", "address"


def _screen() -> None:
    """Draw one run."""
    opening.read()
    # The language is settled before any text.
    language = speak(Reader.current().lang)
    st.set_page_config(page_title=say("app.title"), page_icon="🔎", layout="wide", initial_sidebar_state="collapsed")
    pages = {
        name: st.Page(
            PAGES / f"{name}.py", title=say(f"page.{name}.title"), icon=f":material/{icon}:", default=name == HOME
        )
        for group in MENU.values()
        for name, icon in group.items()
    }
    contents = st.Page(
        lambda: leads.contents(pages), title=say("contents.title"), icon=":material/apps:", url_path=CONTENTS
    )
    menu = {say(f"menu.{group}"): [pages[name] for name in named] for group, named in MENU.items()}
    pages[CONTENTS] = contents
    # The contents page is the first in the first group, because a place of its own would be a fourth group.
    menu[say(f"menu.{next(iter(MENU))}")].insert(0, contents)
    page = st.navigation(menu, position="top")
    here = page.url_path or HOME
    opening.settle(here)
    there = player.arrive(here) or settings().page
    settings().page, settings().here = None, page.url_path
    if there is not None and there != here:
        # The query is that of the browser's address, since another one would be an entry of its history.
        st.switch_page(pages[there], query_params=parse_qsl(settings().address))
    opens_with.arrive(here)
    with whole_page():
        _address()
        tools.draw(here)
        # An audience needs neither a menu nor a knob.
        if knob_bar.acts(here) and not tools.is_on_wall():
            knob_bar.draw(here)
        component.words(words(language), context(here, language, build()))
        opening.tell()
        # Before the page, whose length differs: at the same place on every page, the bar stays the same element.
        player.bar(here)
        page.run()
        if here != CONTENTS:
            leads.following(here, pages)


@st.fragment(key=_PART)
def _address() -> None:
    """Keep the browser's address equal to the settings, and listen to figures that set some."""
    with begun(_PART):
        component.listening(_ADDRESS, told(), on_given=_hear)


def _hear() -> None:
    """Take settings from a browser's message, checked like any other input from outside."""
    found = st.session_state[_ADDRESS].get("given")
    give(received(found))
    redraw(_PART)


startup.settle()
_screen()
