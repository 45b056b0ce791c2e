"""The contents, and the way from the end of a page to the next one."""

from dataclasses import replace

import pytest
from streamlit.testing.v1 import AppTest

from pages.shell.i18n import say
from pages.shell.layout.menu import MENU, NEXT
from pages.shell.screen import Screen
from pages.shell.state.opens_with import opens_with
from pages.shell.state.registry import BY_PAGE
from pages.shell.views import VIEWS, NotYetError
from pages.shell.views.first_screen import names
from tests.support.app import app, mounts, no_exception
from tests.support.trained import PAGE as MODELS

ORDER = [page for group in MENU.values() for page in group]
SETTINGS = {"mask": "causal", "heads": "2"}


def pictured(at):
    """The pages for which a page has a small picture."""
    return [payload["thumbnail"] for payload in mounts(at) if "thumbnail" in payload]


def links(at):
    return [(link.proto.page, link.proto.label) for link in at.get("page_link")]


def test_the_menu_has_every_page_once():
    assert sorted(ORDER) == sorted(BY_PAGE)


def contents():
    """The contents without the frame, because AppTest opens only pages that have a file."""
    import streamlit as st

    from pages.shell.layout import leads
    from tests.support.app import PAGES, ROOT

    pages = {page: st.Page(ROOT / "pages" / f"{page}.py") for page in PAGES}
    st.navigation(list(pages.values()), position="hidden")
    leads.contents(pages)


def test_the_contents_lead_to_every_page_with_a_picture_and_a_sentence():
    at = AppTest.from_function(contents).run()
    assert no_exception(at)
    assert pictured(at) == ORDER
    told = [label for _, label in links(at)]
    assert told == [f"**{say(f'page.{page}.title')}** {say(f'about.{page}')}" for page in ORDER]


@pytest.mark.parametrize("page", [ORDER[0], ORDER[-2], ORDER[-1]])
def test_a_page_ends_with_the_next_and_the_last_one_with_the_contents(page):
    at = app(page)
    following = NEXT.get(page)
    assert pictured(at) == ([following] if following else [])
    label = links(at)[-1][1]
    assert (
        label.startswith(f"**{say('next.page', title=say(f'page.{following}.title'))}**")
        if following
        else (label == say("next.contents"))
    )


@pytest.mark.parametrize("page", [page for page in ORDER if page != MODELS])
@pytest.mark.parametrize("language", ["en", "zh"])
def test_the_picture_of_a_page_is_its_first_figure_at_the_settings_of_the_screen(page, language):
    screen = Screen(page, SETTINGS, language)
    (first,) = VIEWS["contents.thumbnail"].blocks(screen)
    screen = replace(screen, parameters=SETTINGS | opens_with(page, SETTINGS))
    for name in names(page):
        try:
            found = [block for block in VIEWS[name].blocks(screen) if block["kind"] in ("cards", "strip", "wall")]
        except NotYetError:
            continue
        # A line to drag is no picture of its page; the picture shows the figure that the line moves.
        if found and "places" not in found[0].get("cards", [{}])[0]:
            expected, below = found[0], []
            if "cards" in expected:
                own, *others = expected["cards"]
                below = [one for one in others if one.get("arcs", {}).get("hangs")]
                expected = expected | {"cards": [own, *below]}
            assert str(first) == str(expected)
            assert bool(below) == (page == "compare")
            return
    raise AssertionError("no view of the page has a figure")
