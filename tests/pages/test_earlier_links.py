"""Links from earlier versions still open their screen: each setting exists, with the value that it had."""

from pathlib import Path
from urllib.parse import parse_qsl

import pytest

from pages.shell.screen import Screen
from pages.shell.state.registry import ALL_FIELDS, BY_PAGE, settled
from pages.shell.views import VIEWS, NotYetError
from tests.support.covering import EVERY_TEST, some

LINKS = [
    line
    for line in Path(__file__).with_name("earlier_links.txt").read_text(encoding="utf-8").splitlines()
    if not line.startswith("#")
]
# `afterwards=true` (a change on the layer that was trained without it) is now the meaning of every link.
RETIRED = {"afterwards"}
# The page of the trained models has tests of its own, for machines with and without them.
DRAWN = [link for link in LINKS if not link.startswith("models")]
# The page's sentence had twelve words; its last word is now the last of eleven.
LONGER = {"token_at": "12"}
# Names that are no control: a cell, and a parameter of Streamlit.
OTHERS = {"cell", "embed"}


def parts(link: str) -> tuple[str, dict[str, str]]:
    page, _, query = link.partition("?")
    return page, dict(parse_qsl(query, keep_blank_values=True))


@pytest.mark.parametrize("link", LINKS)
def test_a_link_of_an_earlier_version_names_a_page_and_settings_that_are_there(link):
    page, given = parts(link)
    assert page in BY_PAGE
    assert given.keys() <= ALL_FIELDS.keys() | OTHERS | RETIRED
    assert {name: came for name, (came, _) in settled(given).items()}.items() <= LONGER.items()


@pytest.mark.parametrize("link", DRAWN if EVERY_TEST else some(DRAWN, 12))
def test_a_link_of_an_earlier_version_draws_every_view_of_its_page(link):
    page, given = parts(link)
    screen = Screen(page, given)
    drawn = 0
    for name in VIEWS:
        if name.startswith(f"{page}."):
            try:
                drawn += len(VIEWS[name].blocks(screen))
            except NotYetError:
                continue
    assert drawn
    if "afterwards" in given:
        assert (
            screen.config == Screen(page, {name: text for name, text in given.items() if name != "afterwards"}).config
        )
