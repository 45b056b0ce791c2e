"""Links to pages: the first figure of a page as a small picture, its name and a sentence about it."""

import streamlit as st
from streamlit.navigation.page import StreamlitPage

from pages.shell import component
from pages.shell.i18n import say
from pages.shell.layout.menu import CONTENTS, MENU, NEXT

Pages = dict[str, StreamlitPage]


def contents(pages: Pages) -> None:
    """The page of contents, with a picture of each page."""
    with st.container(key="title-contents"):
        st.title(say("contents.title"), anchor=False)
        st.markdown(say("contents.lead"))
    for group, named in MENU.items():
        st.header(say(f"menu.{group}"), anchor=False)
        with st.container(key=f"leads-{group}"):
            for name in named:
                _lead(name, pages, f"**{say(f'page.{name}.title')}** {say(f'about.{name}')}")


def following(page: str, pages: Pages) -> None:
    """The link at the end of a page: to the next page, after the last one to the contents."""
    name = NEXT.get(page)
    with st.container(key="following"):
        if name is None:
            st.page_link(pages[CONTENTS], label=say("next.contents"), icon=":material/apps:")
        else:
            _lead(name, pages, f"**{say('next.page', title=say(f'page.{name}.title'))}** {say(f'about.{name}')}")


def _lead(name: str, pages: Pages, label: str) -> None:
    with st.container(key=f"lead-{name}"):
        component.thumbnail(name)
        st.page_link(pages[name], label=label)
