"""Tokens stay text, whatever they spell: on axes, in tips, tables, notes and the panel of a cell."""

import re

import pytest

from tests.browser.test_look import headers
from tests.support.app import HOME, app, computed, figures

pytestmark = [
    pytest.mark.browser,
    pytest.mark.fast("test_a_hostile_text_stays_text_in_every_part_of_the_page"),
]

HOSTILE = (
    "<img src=x onerror=window.hacked=1> <b>x</b> javascript:window.hacked=2 [x](javascript:window.hacked=3) $x^2$"
)


@pytest.fixture
def hostile(screen):
    screen.open(preset="random", text=HOSTILE, mask="full", dropout=0.3, cell="weights.1.2")
    # Whole tags are no tokens; as one token each they reach the labels too.
    return screen


@pytest.mark.slow
def test_a_hostile_text_stays_text_in_every_part_of_the_page(hostile):
    screen, tokens = hostile, computed(preset="random", text=HOSTILE).tokens
    assert {"<", "img", ">", "b"} <= set(tokens)
    card = screen.see("weights", "result")
    for row, column in ((0, 0), (1, 1), (len(tokens) - 1, 3)):
        screen.point(card, row, column)
        tip = card.locator(".att-tip").inner_text()
        assert f"query {tokens[row]}, key {tokens[column]}:" in tip
    labels = card.evaluate(
        "(card) => [...card.querySelectorAll('.att-row-names text')].map((text) => text.textContent)"
    )
    # If there are many tokens, only some of their names have room.
    assert labels == list(tokens) or (len(tokens) > 16 and len(labels) > 4 and set(labels) <= set(tokens))
    rows, columns = headers(screen.tabulate(card))
    assert rows == columns == list(tokens)
    assert re.search(r"'.+'", card.locator(".att-note").inner_text())
    screen.click(card, 0, 0)
    screen.until("() => new URLSearchParams(location.search).get('cell').startsWith('weights.0.0')")
    assert_unharmed(screen)


def assert_unharmed(screen) -> None:
    main = "[data-testid=stMain]"
    assert screen.page.evaluate("window.hacked") is None
    assert screen.page.locator(f"{main} img, {main} a[href^='javascript']").count() == 0
    # The number in a tip is bold, so tips do not count.
    assert screen.page.locator(f"{main} b:not(.att-tip > b)").count() == 0
    assert screen.page.locator(".att-card a, .att-card [onerror]").count() == 0


TAGS = ("<img src=x onerror=window.hacked=1>", "<b>x</b>", "<a href='javascript:window.hacked=1'>y</a>")


def test_whole_tags_stay_text_too(screen):
    """The tokenizer splits tags. A page that brings whole tags, as tokens or in a note, must be as safe."""
    link = {"preset": "random", "text": "one two three", "mask": "full"}
    screen.open(**link).see("weights", "result")
    sent = figures(app(HOME, **link))["weights"].rest | {"note": " ".join(TAGS)}
    screen.page.evaluate(
        """async ([tokens, sent]) => {
          const plot = await import(new URL('assets/plot/mounts.js', document.baseURI).href);
          const parentElement = document.createElement('div');
          // Inside the component: there Streamlit says which colours there are.
          document.querySelector('.st-key-plot-result .att-view').before(parentElement);
          const block = { kind: 'cards', chapter: 'result', cards: [sent], labels: { query: tokens, key: tokens } };
          plot.render({ parentElement, data: { blocks: [block] } });
        }""",
        [TAGS, sent],
    )
    card = screen.see("weights", "result")
    labels = card.evaluate(
        "(card) => [...card.querySelectorAll('.att-row-names text')].map((text) => text.textContent)"
    )
    for tag, label in zip(TAGS, labels, strict=True):
        assert tag.startswith(label.removesuffix("…"))
        assert len(label) > 7
    assert card.locator(".att-note").inner_text() == " ".join(TAGS)
    screen.point(card, 0, 1)
    assert f"query {TAGS[0]}, key {TAGS[1]}:" in card.locator(".att-tip").inner_text()
    assert headers(screen.tabulate(card))[0] == list(TAGS)
    assert_unharmed(screen)
