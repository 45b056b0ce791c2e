"""The registry of views: each view answers any screen of its page, in any language, and always in the same way."""

import json
from collections import Counter

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pages.shell.i18n import LANGUAGES, catalogue
from pages.shell.layout.menu import CONTENTS
from pages.shell.screen import Place, Screen
from pages.shell.state.beside_figures import offered
from pages.shell.state.config import Config
from pages.shell.state.registry import BY_PAGE
from pages.shell.views import VIEWS, UnknownViewError, View, answered
from pages.shell.views.context import context
from tests.support.app import ROOT, blocks
from tests.support.covering import EVERY_TEST, EXHAUSTIVE
from tests.support.random_screens import drawn, screens

SCREENS = 100 if EXHAUSTIVE else 20 if EVERY_TEST else 3
BROWSER = ROOT / "pages" / "shell" / "component" / "browser"
# The page whose views wait for a fetched model has tests of its own.
PAGES = sorted({*BY_PAGE} - {"models"})


def names(page: str) -> list[str]:
    return [name for name in VIEWS if name.startswith(f"{page}.")]


def test_every_page_has_views_and_every_view_a_page():
    assert {name.partition(".")[0] for name in VIEWS} == {*BY_PAGE, CONTENTS}


@pytest.mark.parametrize("page", PAGES)
def test_every_view_answers_any_screen_of_its_page(page):
    """A NaN would break the answer, since JSON has no word for it."""

    @drawn(SCREENS)
    @given(parameters=screens(page), language=st.sampled_from(LANGUAGES))
    def answers(parameters, language):
        found = answered(page, names(page), parameters, language)["views"]
        assert list(found) == names(page)
        json.dumps(found, allow_nan=False)
        again = answered(page, names(page), dict(reversed(parameters.items())), language)["views"]
        assert again == found

    answers()


@pytest.mark.parametrize("page", PAGES)
def test_every_kind_of_block_is_one_that_the_browser_draws(page):
    registry = (BROWSER / "blocks.js").read_text(encoding="utf-8").partition("export const KINDS = {")[2]
    kinds = {line.partition(":")[0].strip() for line in registry.splitlines()}
    drawn = {block["kind"] for block in blocks(Screen(page, {}))}
    assert drawn
    assert drawn <= kinds


def test_the_stamp_is_that_of_what_is_shown():
    asked = "walkthrough", ["walkthrough.weights", "walkthrough.parameters"]
    stamps = [
        {name: one["stamp"] for name, one in answered(*asked, {"preset": "random"} | parameters, "en")["views"].items()}
        for parameters in ({}, {"scale": "none"}, {"dropout": "0"})
    ]
    assert stamps[0] == stamps[2]
    changed = Counter(name for name in stamps[0] if stamps[0][name] != stamps[1][name])
    assert set(changed) == {"walkthrough.weights"}


@pytest.mark.parametrize(
    ("given", "told"),
    [
        (("nowhere", ["walkthrough.arcs"], {}, "en"), "unknown page 'nowhere'; one of"),
        (("walkthrough", ["walkthrough.banana"], {}, "en"), "unknown view 'walkthrough.banana'; one of"),
        (("walkthrough", ["walkthrough.arcs"], {}, "xx"), "unknown language 'xx'; one of en, zh"),
    ],
)
def test_a_question_that_makes_no_sense_is_told_so(given, told):
    with pytest.raises(UnknownViewError, match=told):
        answered(*given)


def test_two_views_cannot_have_one_name():
    with pytest.raises(ValueError, match=r"two views are called 'walkthrough\.arcs'"):
        View("walkthrough.arcs", lambda screen: [])


def test_a_screen_holds_the_nearest_of_what_it_is_asked_for():
    screen = Screen("walkthrough", {"heads": "99", "dropout": "banana", "text": "a b"})
    assert (screen.config.heads, screen.config.dropout, screen.config.text) == (16, Config.dropout, "a b")


def test_what_a_page_does_not_look_at_has_its_default():
    assert Screen("order", {"dropout": "0.5", "mask": "causal"}).config.dropout == 0.0


@pytest.mark.parametrize(
    ("text", "place"),
    [
        ("weights.2.1.pipeline", Place("weights", 2, 1, "pipeline")),
        ("weights.2.1", Place("weights", 2, 1)),
        ("weights.2.1.a.b", Place("weights", 2, 1, "a.b")),
        ("weights.-1.0", None),
        ("weights.1", None),
        ("", None),
        (f"weights.{'9' * 9}.0", None),
    ],
)
def test_a_place_is_read_from_the_address(text, place):
    assert Place.of(text) == place


def test_the_screen_before_is_looked_at_as_this_one_is():
    earlier = {"preset": "random", "head": "3", "scale": "none"}
    now = Screen("walkthrough", {"preset": "random", "head": "2"}, earlier=earlier)
    assert now.before.config == Config.of({"preset": "random", "head": "2", "scale": "none"}).complete()
    # Another preset or another head is no change.
    assert Screen("walkthrough", {"preset": "story"}, earlier=earlier).before is None
    assert Screen("walkthrough", {"head": "2"}, earlier={"head": "1"}).before is None


@pytest.mark.parametrize("page", [*BY_PAGE, CONTENTS])
def test_the_browser_knows_what_a_figure_may_take_along(page):
    """A page without figures offers no controls."""
    for language in LANGUAGES:
        told = dict(context(page, language, "")["beside"])
        assert [*told] == ([*offered(page)] if page in BY_PAGE else [])
        assert all(label == catalogue(language)[f"control.{name}.label"] for name, label in told.items())
