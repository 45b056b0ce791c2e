"""The effect of controls on a page: steps that come and go, and texts and links that ask for more than there is."""

import numpy as np
import pytest
from streamlit.testing.v1.element_tree import Block

from pages.shell.i18n import say
from pages.shell.state.config import LONGEST, SENTENCES, TOKENS
from pages.shell.views.context import context
from tests.support.app import (
    HOME,
    app,
    cards,
    computed,
    figures,
    give,
    held,
    linked,
    markdown,
    no_exception,
    recorded,
    widget,
)

RANDOM = {"preset": "random"}


OPTIONAL = [
    ("mask", "causal", "full", {"mask", "masked"}),
    ("dropout", 0.3, 0.0, {"kept", "dropped"}),
    ("bias", True, False, {"b_q", "b_k", "b_v", "b_o"}),
    ("last", 1, 0, {"context"}),
]


@pytest.mark.parametrize(("name", "on", "off", "steps"), OPTIONAL, ids=[name for name, *_ in OPTIONAL])
def test_an_optional_step_comes_and_goes_with_its_control(name, on, off, steps):
    assert not steps & set(figures(linked(**RANDOM, **{name: off})))
    assert steps <= set(figures(linked(**RANDOM, **{name: on})))


def panels(block: Block) -> list[str]:
    """The labels of a page's popovers."""
    own = [block.proto.popover.label] if hasattr(block.proto, "popover") else []
    return own + [label for child in block.children.values() if isinstance(child, Block) for label in panels(child)]


def test_the_bar_says_how_many_of_the_variants_behind_it_are_set():
    """Variants act while their panel is closed."""
    assert say("bar.more") in panels(app(HOME, **RANDOM).main)
    assert say("bar.more_set", count=2) in panels(app(HOME, **RANDOM, sink=2, qk_norm=True).main)


def test_a_chapter_without_a_figure_is_not_headed():
    assert {"mask", "dropout", "biases"} & set(cards(linked(mask="full"))) == set()
    assert {"mask", "dropout"} <= set(cards(linked(mask="causal", dropout=0.3)))


def test_dropout_shows_in_training_only():
    assert not {"kept", "dropped"} & set(figures(linked(dropout=0.3, mode="inference")))


@pytest.mark.parametrize(("lengths", "hides"), [("a b\nc d", False), ("a b\nc", True)])
def test_padding_is_hidden_where_there_is_some(lengths, hides):
    link = RANDOM | {"text": lengths, "mask": "full"}
    assert ("mask" in figures(linked(**link))) == hides
    assert "mask" not in figures(linked(**link, padding=False))


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("\n".join(["a"] * (SENTENCES + 3)), ("note.sentences", {"most": SENTENCES, "count": SENTENCES + 3})),
        (" ".join(["a"] * (TOKENS + 3)), ("note.long", {"most": TOKENS, "count": TOKENS + 3})),
        (" ".join(["a"] * (LONGEST + 5)), ("note.longer", {"most": TOKENS, "count": LONGEST + 5, "whole": LONGEST})),
        ("  ", ("note.empty", {})),
    ],
    ids=["sentences", "tokens", "more tokens", "empty"],
)
def test_what_was_left_out_of_a_text_is_said(text, told):
    id, values = told
    at = app(HOME, **RANDOM, text=text)
    assert no_exception(at)
    assert say(id, **values) in [text.value for text in markdown(at)]


@pytest.mark.parametrize(("name", "count"), [("head", 3), ("sentence", 2)])
def test_a_link_to_a_head_or_sentence_that_is_not_there_shows_the_last_one_and_says_so(name, count):
    link = {"heads": 3, "d_model": 33, "text": "one two three\nfour five six", "mask": "full"}
    at = app(HOME, **RANDOM, **link, **{name: 7})
    nearest = figures(app(HOME, **RANDOM, **link, **{name: count}))
    np.testing.assert_array_equal(figures(at)["weights"].z, nearest["weights"].z)
    assert at.toast, "nobody is told"


@pytest.mark.parametrize(("name", "link"), [("head", {"heads": 1}), ("sentence", {"text": "one"})])
def test_a_head_or_sentence_that_goes_away_leaves_one_that_is_there(name, link):
    before = {"heads": 3, "d_model": 33, "text": "one two three\nfour five six\nseven eight nine"}
    at = app(HOME, **RANDOM, **before, **{name: 3})
    assert no_exception(give(at, **link))
    shown = computed(**RANDOM | before | link | {name: 1})
    np.testing.assert_array_equal(np.nan_to_num(figures(at)["weights"].z), recorded(shown, "weights"))


@pytest.mark.parametrize(("name", "written"), [("dropout", "0"), ("dropout", "0.30"), ("seed", "007"), ("width", "+3")])
def test_a_number_in_another_spelling_is_not_called_out_of_range(name, written):
    assert not app(HOME, **{name: written}, mask="window").toast


@pytest.mark.parametrize(("name", "written"), [("dropout", "7"), ("seed", "-1"), ("mask", "banana"), ("heads", "17")])
def test_a_value_that_no_control_can_hold_is_changed_and_it_is_said(name, written):
    at = app(HOME, **{name: written})
    assert no_exception(at)
    assert len(at.toast) == 1
    assert f"`{name}`" in at.toast[0].value
    assert f"`{written}`" in at.toast[0].value


@pytest.mark.parametrize("written", ["`" * 9, "[x](javascript:alert(1))", "<b>x</b>", "x" * 9999, "a\nb", ":red[x]"])
def test_what_a_link_asked_for_is_told_as_code(written):
    (toast,) = app(HOME, mask=written).toast
    told = toast.value.partition("`mask`")[2]
    assert len(told) < 200
    assert told.count("`") == 4, "two pieces of code, each between a pair of marks"


def test_a_link_to_a_sentence_of_a_page_that_has_no_presets_is_kept():
    at = app("heads", text="one two three\nfour five", sentence=2)
    assert not at.toast
    assert held(at)["sentence"] == "2"


@pytest.mark.parametrize(
    ("link", "said"),
    [
        ({}, "16 ÷ heads"),
        ({"heads": 1}, "16 ÷ heads"),
        ({"preset": "random", "d_model": "33", "heads": 5, "d_k": "7"}, "33 ÷ heads"),
    ],
    ids=str,
)
def test_d_k_that_follows_from_the_heads_says_how_and_no_number_that_would_be_old_while_they_are_dragged(link, said):
    """The option was called "auto", which did not say what it follows from."""
    assert widget(app(HOME, **link), "d_k").options[0] == said
    # The browser reads the words of a slider under the finger.
    assert context(HOME, "en", "")["words"]["d_k"][said] == "auto"
