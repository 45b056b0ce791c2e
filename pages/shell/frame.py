"""Streamlit's main script: what surrounds every page, then the page."""

from pathlib import Path

import streamlit as st

from pages.shell import component, knob_bar, opening, sidebar
from pages.shell.i18n import say, speak
from pages.shell.i18n.vocabulary import words
from pages.shell.layout import choices, live, rows
from pages.shell.lectures import player
from pages.shell.runs.scheduling import turn_of_run
from pages.shell.runs.sources import one_turn
from pages.shell.server import startup
from pages.shell.server.build import build
from pages.shell.state import pending
from pages.shell.state.config import looks
from pages.shell.state.parameters import mark_parameters_sent, restore_parameters
from pages.shell.state.reader import Reader
from pages.shell.state.registry import HOME

PAGES = Path(__file__).resolve().parent.parent
# The pages with their icons, in the groups and in the order of the menu.
MENU = {
    "learn": {
        "one_query": "near_me",
        "walkthrough": "route",
        "heads": "view_column",
        "cross_attention": "compare_arrows",
    },
    "explore": {"masks": "filter_alt", "dropout": "casino", "order": "shuffle", "models": "neurology"},
    "why": {"scaling": "square_foot", "backward": "undo"},
    "today": {
        "positions": "pin_drop",
        "fewer_keys": "key",
        "one_token": "more_horiz",
        "taming": "compress",
        "tiles": "grid_view",
        "costs": "speed",
    },
    "compare": {"compare": "compare", "experiments": "science"},
}


def _screen() -> None:
    """All that a run draws."""
    # Before any word is said.
    language = speak(Reader.opened().lang)
    st.set_page_config(page_title=say("app.title"), page_icon="🔎", layout="wide")
    pages = {
        name: st.Page(
            PAGES / f"{name}.py", title=say(f"page.{name}.title"), icon=f":material/{icon}:", default=name == HOME
        )
        for group in MENU.values()
        for name, icon in group.items()
    }
    menu = {say(f"menu.{group}"): [pages[name] for name in named] for group, named in MENU.items()}
    page = st.navigation(menu, position="top")
    here = page.url_path or HOME
    opening.settle(here)
    restore_parameters()
    there = pending.restore()
    there = player.arrive(here) or there
    if there is not None and there != here:
        st.switch_page(pages[there], query_params=player.parameters())
    with rows.whole_run():
        choices.write()
        if looks(here):
            # Before the sidebar, whose rows read what the bar holds.
            knob_bar.draw(here)
        sidebar.draw(here)
        component.words(words(language), live.context(here, language, build()))
        opening.tell()
        # Before the page, whose length differs: in the same place on every page it stays the same bar.
        player.bar()
        with one_turn():
            page.run()
    pending.mark_sent()
    mark_parameters_sent()


startup.settle(turn_of_run)
_screen()
