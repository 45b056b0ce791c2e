"""The settings with which a page opens if its visitor has chosen nothing: they belong to the page, until the visitor
touches them."""

from urllib.parse import parse_qsl

import pytest
import streamlit as st

from attention.masks import MASKS
from pages.shell.screen import Screen
from pages.shell.state.changes import at_first, choose, now, set_controls, told
from pages.shell.state.opens_with import OPENS_WITH, arrive, of_address, opens_with
from pages.shell.state.registry import ALL_FIELDS, BY_PAGE, SCREENS, default
from pages.shell.state.settings import settings
from pages.shell.state.unset import UNSET
from pages.shell.state.url import written
from pages.shell.views import first_screen
from pages.shell.views.context import context
from pages.shell.views.masks import board
from pages.shell.views.thumbnail import thumbnail


@pytest.fixture(autouse=True)
def visitor(monkeypatch):
    """An empty session for each test."""
    monkeypatch.setattr(st, "session_state", {})


def test_each_page_opens_with_what_its_controls_can_hold():
    assert {*OPENS_WITH} <= {*BY_PAGE}
    for lent in OPENS_WITH.values():
        for name, text in lent.items():
            assert written(ALL_FIELDS[name].nearest(text, default(name))) == text != at_first(name)


def test_the_page_takes_back_what_nobody_has_touched():
    arrive("walkthrough")
    arrive("masks")
    assert told()["texts"] == OPENS_WITH["masks"]
    arrive("masks")
    assert now("mask") == "causal"
    arrive("heads")
    assert told()["texts"] == {}


def test_what_a_visitor_has_touched_stays_theirs_and_an_address_of_the_page_names_it():
    arrive("masks")
    set_controls({"mask": at_first("mask")})
    assert told()["texts"] == OPENS_WITH["masks"] | {"mask": at_first("mask")}
    arrive("heads")
    assert told()["texts"] == {}
    arrive("masks")
    assert now("mask") == at_first("mask")


def test_a_sentence_stays_when_a_slider_beside_it_was_moved_and_the_page_was_left():
    """Otherwise, the lost answers that a visitor has seen would be about another sentence."""
    opens = OPENS_WITH["fewer_keys"]
    arrive("walkthrough")
    set_controls({"text": "then the hen shows the owl to the cat"})
    arrive("fewer_keys")
    assert told()["texts"].items() >= opens.items()
    set_controls({"kv_of_8": "4"})
    arrive("heads")
    arrive("fewer_keys")
    assert told()["texts"].items() >= {**opens, "kv_of_8": "4"}.items()
    arrive("heads")
    assert not {"kv_sentence", "asks"} & told()["texts"].keys()


def test_a_link_to_fewer_keys_is_lent_no_sentence():
    assert of_address("fewer_keys", {"kv_of_8": "2"}) == {}


@pytest.mark.parametrize("mask", MASKS)
def test_a_mask_of_another_page_or_of_a_link_is_respected(mask):
    settings().texts["mask"] = mask
    arrive("masks")
    arrive("heads")
    assert now("mask") == mask


@pytest.mark.parametrize(
    "link", [{"painted": "1.2"}, {"preset": "random"}, {"text": "a b"}, {"lecture": "masks"}], ids=str
)
def test_whoever_has_chosen_what_is_masked_has_chosen_the_mask(link):
    assert opens_with("masks", link) == ({} if "lecture" in link else {"guess_first": "true"})
    assert opens_with("masks", {"heads": "2"}) == OPENS_WITH["masks"]


@pytest.mark.parametrize("chosen", [{"text": "a b"}, {"preset": "random"}, {"what_if": "tied"}], ids=str)
def test_whoever_has_chosen_words_or_a_question_is_asked_for_a_guess_and_a_lecture_asks_itself(chosen):
    """A visitor who chooses a sentence does not ask to see the answer first."""
    assert opens_with("experiments", chosen) == {"guess_first": "true"}
    assert opens_with("experiments", chosen | {"lecture": "masks"}) == {}
    assert opens_with("experiments", chosen | {"guess_first": "false"}) == {}


@pytest.mark.parametrize("page", OPENS_WITH)
def test_a_link_that_names_a_setting_shows_what_it_was_made_of(page):
    assert of_address(page, {}) == of_address(page, {"lang": "zh"}) == OPENS_WITH[page]
    assert of_address(page, {"cell": "weights.6.0"}) == {}
    settings().texts["cell"] = "weights.6.0"
    arrive(page)
    assert told()["texts"] == {"cell": "weights.6.0"}
    # A visitor who comes from another page has not followed a link to this one.
    arrive("heads")
    arrive(page)
    assert told()["texts"] == {"cell": "weights.6.0", **OPENS_WITH[page]}


def test_what_is_compared_with_the_screen_of_a_visitor_has_no_other_mask_lent():
    assert opens_with("compare", {"cell": "weights.6.0"}) == OPENS_WITH["compare"]
    for chosen in ({"heads": "2"}, {"scale": "none"}, {"pinned": "scale=none"}):
        assert opens_with("compare", chosen) == {}


def test_the_first_question_and_the_small_picture_are_those_of_the_page_as_it_opens():
    assert "mask=causal&" in first_screen.question("masks", "", "en", "build")
    assert "mask=window&" in first_screen.question("masks", "mask=window", "en", "build")
    small, large = (
        next(iter(thumbnail.blocks(Screen("masks", {})))),
        board.blocks(Screen("masks", {"mask": "causal"}))[0],
    )
    assert small["cards"][0]["z"] == large["cards"][0]["z"]


# Page and setting, for each setting that a page opens with and whose control has another default.
LENT = [(page, name) for opened in (OPENS_WITH, UNSET) for page, lent in opened.items() for name in lent]


def shown(page: str, parameters: dict[str, str]) -> dict[str, str]:
    """The page's value of each setting, as text; its route answers with these values."""
    screen = Screen(page, parameters)
    return {name: written(value) for one in SCREENS for name, value in screen.own(one).values().items()}


@pytest.mark.parametrize(("page", "name"), LENT)
def test_what_is_set_back_to_the_default_of_its_control_stays_there(page, name):
    """With p at 0, the page about dropout showed the arcs of p = 0.3 and set the slider back to 0.3: it took a chosen
    value for a missing one."""
    arrive(page)
    assert now(name) != written(default(name))
    assert choose(name, settings().key(name), default(name))
    assert now(name) == written(default(name))
    # The value stays in the address, in the route's answer to it, and when someone else opens the address.
    address = told()["query"]
    parameters = dict(parse_qsl(address))
    # An address omits empty texts. If it names anything else, the page adds nothing to it.
    assert parameters
    assert parameters.get(name, "") == written(default(name))
    assert shown(page, parameters)[name] == written(default(name))
    st.session_state.clear()
    settings().texts.update(parameters)
    arrive(page)
    assert now(name) == written(default(name))
    assert told()["query"] == address


@pytest.mark.parametrize("page", BY_PAGE)
def test_what_a_browser_leaves_out_of_its_question_is_what_the_page_has_without_it(page):
    """While a slider is held, the browser omits a value that the page has anyway (browser/under_finger.js)."""
    without, left_out = shown(page, {}), context(page, "en", "build")["controls"]
    assert without == {name: text for name, text in left_out.items() if name in without}
