"""Cross-attention apart from the other pages: its own texts and mask, and a visit that changes no other page."""

import pytest
from numpy.testing import assert_array_equal

from attention.inputs.tokens import tokenize
from pages.shell.i18n import say
from pages.shell.state.config import SENTENCES, TOKENS
from pages.shell.state.page_controls import CROSS
from pages.shell.views import cross_attention, prose
from tests.pages.test_cross import TWO, drawn, labels, notes, page, said
from tests.support.app import app, cards, no_exception, seen


@pytest.mark.parametrize("name", ["text", "context"])
def test_a_text_without_a_token_is_told_of_and_the_page_works(name):
    at = page(**TWO | {name: "  "})
    told = say("note.empty")
    assert notes(at) == [told if name == "text" else say("note.of_context", note=told)]


def test_a_context_that_is_too_long_is_cut_and_it_is_said():
    at = page(text="a", context="\n".join([" ".join(["b"] * (TOKENS + 3))] * (SENTENCES + 2)), sentence=8)
    assert set(notes(at)) == {
        say("note.of_context", note=say("note.sentences", most=SENTENCES, count=SENTENCES + 2)),
        say("note.of_context", note=say("note.tokens", most=TOKENS, count=TOKENS + 3)),
    }
    assert drawn(at)["weights"].shape == (1, TOKENS)


def test_the_mask_of_the_other_pages_is_not_that_of_this_one():
    at = app(CROSS, **TWO, mask="window", width=5)
    assert no_exception(at)
    assert "mask" not in drawn(at)
    assert {"corner", "cross_mask"} <= seen(at)
    assert not {"mask", "width", "last"} & seen(at)
    at = app(CROSS, **TWO, cross_mask="window")
    assert "width" in seen(at)
    assert drawn(at)["mask"].sum() == sum(abs(i - j) < 2 for i in range(5) for j in range(7))


def test_a_link_to_the_last_queries_does_not_cut_the_text():
    assert drawn(page(**TWO, last=2))["weights"].shape == (5, 7)


def test_a_visit_here_leaves_the_other_pages_as_they_were():
    at = app(None, **TWO, preset="random", sentence=1)
    before = cards(at)["result"]["weights"].z
    no_exception(at.switch_page("../../pages/cross_attention.py").run())
    no_exception(at.switch_page("../../pages/walkthrough.py").run())
    assert_array_equal(cards(at)["result"]["weights"].z, before)


HOSTILE = "<img src=x> `a` | $x^2$ [x](javascript:alert(1)) **b**"


def test_a_hostile_context_is_code_wherever_markdown_reads_it():
    tokens = tokenize(HOSTILE)[0]
    at = page(text="one", context=HOSTILE)
    assert labels(at)["key"] == list(tokens)
    for column, token in enumerate(tokens):
        assert f"`{token.replace('`', chr(39))}`" in said(page(text="one", context=HOSTILE, cell=f"weights.0.{column}"))


def test_a_word_that_markdown_would_read_stands_in_quotes_as_it_was_typed():
    """The word was code, with its spaces in front of commas. In quotes, it is a visitor's text in Markdown."""
    (block,) = cross_attention.told.blocks(page(preset="learned", context="x_y vê"))
    sent = prose.sent(block)["html"]
    assert r"'x\_y'" in block["markdown"]
    assert "'x_y' and 'vê'" in sent
    assert "<code>" not in sent
