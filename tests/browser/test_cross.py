"""The page about cross-attention in a browser: two texts, both in the URL and both only ever text."""

import pytest

from pages.shell.i18n import say
from pages.shell.state.page_controls import CROSS

pytestmark = [
    pytest.mark.browser,
    pytest.mark.fast(
        "test_on_a_phone_the_question_is_on_the_screen_of_the_arcs_and_heads_have_their_numbers",
        "test_a_typed_context_writes_the_url_and_the_columns",
        "test_a_word_of_the_context_is_moved_and_its_arc_with_it",
        "test_who_has_found_a_word_asks_while_it_is_moved",
        "test_in_every_order_names_stand_free_and_arcs_lie_beside_each_other",
    ),
]

LINK = {
    "text": "one two three",
    "context": "un deux\ntrois quatre cinq six sept",
    "cross_mask": "causal",
    "sentence": 2,
}


def names(card, axis: str) -> list[str]:
    return card.evaluate(
        "(card, axis) => [...card.querySelectorAll(`.att-${axis}-names text`)].map((text) => text.textContent)", axis
    )


def test_a_link_is_shown_by_every_widget_and_kept_in_the_url(screen):
    screen.open(f"/{CROSS}", **LINK, corner="lower_right")
    assert screen.parameters == {name: str(value) for name, value in LINK.items()} | {"corner": "lower_right"}
    for name in ("text", "context"):
        assert screen.widget(name).locator("textarea").input_value() == LINK[name]
    assert screen.chosen("cross_mask") == "causal"
    card = screen.see("weights")
    assert names(card, "row") == ["one", "two", "three"]
    assert names(card, "column") == ["trois", "quatre", "cinq", "six", "sept"]
    assert screen.numbers(card).shape == (3, 5)
    assert screen.page.locator("[data-testid=stToast]").count() == 0


@pytest.mark.slow
def test_a_typed_context_writes_the_url_and_the_columns(screen):
    screen.open(f"/{CROSS}", text="one two three")
    box = screen.widget("context").locator("textarea")

    def typed() -> None:
        box.fill("un deux")
        box.press("Control+Enter")

    screen.changed(typed)
    screen.until_parameter("context", "un deux")
    assert names(screen.see("weights"), "column") == ["un", "deux"]


@pytest.mark.exhaustive("browser/test_cross.py::test_a_typed_context_writes_the_url_and_the_columns")
def test_the_button_makes_a_square_and_a_link(screen):
    screen.open(f"/{CROSS}", text="one two three", context="un deux").unfold()
    screen.page.locator("[data-view='cross_attention.same']").scroll_into_view_if_needed()
    screen.settle()
    screen.page.get_by_role("button", name=say("cross.put")).click()
    screen.until_parameter("context", "one two three")
    screen.page.get_by_text(say("cross.is_same", n=3)).wait_for()
    assert screen.numbers(screen.see("weights")).shape == (3, 3)
    assert screen.widget("context").locator("textarea").input_value() == "one two three"


def test_pointing_at_a_key_row_names_the_context(screen):
    screen.open(f"/{CROSS}", text="one two three", context="un deux trois quatre cinq")
    card = screen.see("keys")
    screen.point(card, 4, 1)
    assert "key cinq" in card.locator(".att-tip").inner_text()
    # The text has no fifth token, so no row of X is lit, other than in self-attention.
    card = screen.see("weights")
    screen.point(card, 2, 4)
    assert "query three, key cinq:" in card.locator(".att-tip").inner_text()


def end(screen) -> float:
    """The end of the picture's widest arc, in pixels from its left edge."""
    arcs = screen.page.locator(".att-crossing .att-head-arc").evaluate_all(
        "(arcs) => arcs.map((arc) => [arc.getAttribute('stroke-width'), arc.getAttribute('d')])"
    )
    _, d = max(arcs, key=lambda arc: float(arc[0]))
    return float(d.rsplit(" ", 1)[-1].split(",")[0])


@pytest.mark.slow
def test_who_has_found_a_word_asks_while_it_is_moved(screen):
    """Otherwise nobody sees that *today* loses the word."""
    screen.open(f"/{CROSS}")
    asking = screen.page.locator(".att-crossing [role=option][aria-selected=true]")
    says, lost = say("cross.label.says"), say("cross.label.lost")
    assert asking.get_attribute("aria-label") == f"fox, {says}: raposa"
    # The layer's answer stands above the word, and a value came along each wide arc.
    said = screen.page.locator(".att-crossing .att-reply-now")
    assert said.text_content() == "raposa"
    assert screen.page.locator(".att-value").count() >= 1
    table = screen.tabulate(screen.page.locator(".att-card.att-crossing"))
    assert table.locator("tr").last.text_content() == f"{says}raposa"
    screen.page.locator("[data-name='word 0 hoje']").focus()
    screen.page.keyboard.press("ArrowRight")
    screen.until("() => new URLSearchParams(location.search).get('cell') === 'weights.0.0.arcs'")
    assert asking.get_attribute("aria-label") == f"today, {says}: hoje ({lost})"
    # The asking word stays when it loses its answer.
    screen.page.keyboard.press("End")
    screen.until("() => new URLSearchParams(location.search).get('context')?.endsWith('hoje')")
    assert asking.get_attribute("aria-label").endswith(f"({lost})")


@pytest.mark.slow
def test_a_word_of_the_context_is_moved_and_its_arc_with_it(screen):
    screen.open(f"/{CROSS}")
    word = screen.page.locator("[data-name='word 0 raposa']")
    before, box = end(screen), word.bounding_box()
    x, y = box["x"] + box["width"] / 2, box["y"] + box["height"] / 2
    screen.page.mouse.move(x, y)
    screen.page.mouse.down()
    screen.page.mouse.move(x + 350, y, steps=6)
    # The arc follows before the word is let go.
    assert end(screen) > before + 200
    assert "context" not in screen.parameters
    screen.page.mouse.up()
    screen.until("() => new URLSearchParams(location.search).has('context')")
    moved = screen.parameters["context"].split()
    assert moved.index("raposa") > 4
    screen.settle()
    assert end(screen) > before + 200
    # Keys move the word back.
    word.focus()
    for _ in range(moved.index("raposa") - 2):
        word.press("ArrowLeft")
    screen.until("() => new URLSearchParams(location.search).get('context')?.split(' ')[2] === 'raposa'")
    assert end(screen) == pytest.approx(before, abs=1)


@pytest.mark.parametrize("size", [(1301, 907), (390, 844)], ids=["desktop", "phone"])
def test_nothing_below_the_arcs_moves_while_words_are_moved_and_a_guess_is_judged(screen, size):
    """The sentence on *hoje* at another place is twice as long, and on a phone it pushed everything below it."""
    wide, high = size
    screen.page.set_viewport_size({"width": wide, "height": high})
    screen.open(f"/{CROSS}")

    def far() -> float:
        """The distance of the first drawer from the arcs, because a key scrolls to the word that it moves."""
        above, below = screen.page.locator(".att-crossing"), screen.page.locator(".st-key-drawer-translation")
        return below.bounding_box()["y"] - above.bounding_box()["y"]

    places = [far()]
    screen.page.locator(".att-guess button").nth(1).click()
    screen.until_parameter("guess", "dropped.fewer")
    screen.settle()
    places.append(far())
    # The last word is not part of the question, whose place then has other content.
    for word in ("raposa", "hoje", "velha"):
        screen.page.locator(f"[data-name='word 0 {word}']").focus()
        screen.page.keyboard.press("End")
        screen.until(f"() => new URLSearchParams(location.search).get('context')?.endsWith('{word}')")
        screen.settle()
        places.append(far())
    assert max(places) - min(places) < 1


# The last orders put as many names as there are at one word.
ORDERS = (
    ("weights.0.0.arcs", "a raposa velha traz a coruja à galinha tímida hoje"),
    ("weights.0.0.arcs", "a raposa velha traz a hoje coruja à galinha tímida"),
    ("weights.2.0.arcs", "velha hoje a raposa traz a coruja à galinha tímida"),
    ("weights.3.0.arcs", "raposa hoje a velha traz a coruja à galinha tímida"),
    ("weights.9.0.arcs", "tímida hoje a raposa velha traz a coruja à galinha"),
    ("weights.2.0.arcs", "hoje a raposa traz a coruja à galinha tímida velha"),
    ("weights.7.0.arcs", "hoje a raposa velha traz a coruja galinha tímida à"),
)

COVERED = """() => {
  const of = (selector) => [...document.querySelectorAll(selector)].map((one) => one.getBoundingClientRect());
  const card = ".att-crossing ";
  const names = of(card + ".att-arc-name");
  const rest = of(card + ":is(.att-word rect, .att-context-word rect, .att-own-edit, .att-of-others, .att-sample)");
  const meet = (a, b) => a.left < b.right - 1 && b.left < a.right - 1 && a.top < b.bottom - 1 && b.top < a.bottom - 1;
  const bad = names.flatMap((one, at) => [...rest, ...names.slice(at + 1)].filter((other) => meet(one, other)));
  return [names.length, bad.length, of(card + ".att-of-others").length, of(card + ".att-word .att-lost-line").length];
}"""

# For each two arcs to one word, the least distance of their middles, less half of both widths.
NESTED = """() => {
  const arcs = [...document.querySelectorAll(".att-crossing .att-head-arc")];
  const points = (arc) => [...Array(201).keys()].map((at) => arc.getPointAtLength((at / 200) * arc.getTotalLength()));
  const wide = (arc) => Number(arc.getAttribute("stroke-width"));
  return arcs.flatMap((one, at) =>
    arcs.slice(at + 1).flatMap((other) => {
      if (one.dataset.to !== other.dataset.to) return [];
      const middle = points(one)[100];
      const far = Math.min(...points(other).map(({ x, y }) => Math.hypot(x - middle.x, y - middle.y)));
      return [far - (wide(one) + wide(other)) / 2];
    }),
  );
}"""


@pytest.mark.slow
@pytest.mark.parametrize("wide", [1301, 1103], ids=str)
def test_in_every_order_names_stand_free_and_arcs_lie_beside_each_other(screen, wide):
    """A name covered the legend if its word was the first one, and arcs to the last word covered each other."""
    screen.page.set_viewport_size({"width": wide, "height": 907})
    for cell, context in ORDERS:
        screen.open(f"/{CROSS}", cell=cell, context=context)
        names, covered, legends, lost = screen.page.evaluate(COVERED)
        assert names, context
        assert covered == 0, context
        # Two lines about heads, each of four, all together, pale arcs and grey lines; lost words, if any.
        assert legends == 9 + (lost > 0), context
        assert lost or cell != "weights.0.0.arcs", context
        far = screen.page.evaluate(NESTED)
        assert far, context
        assert min(far) > -1.5, context


@pytest.mark.slow
def test_on_a_phone_the_question_is_on_the_screen_of_the_arcs_and_heads_have_their_numbers(phone):
    """The question was below the fold, and colours stood for nothing."""
    phone.open(f"/{CROSS}")
    last = phone.page.locator(".att-guess button").last
    last.wait_for()
    box = last.bounding_box()
    assert box["y"] + box["height"] <= phone.page.locator(".st-key-bar").bounding_box()["y"]
    assert phone.page.locator(".att-sample-number").all_text_contents() == ["1", "2", "3", "4"]
    edit = phone.page.locator(".att-own-edit").bounding_box()
    ends = [one.bounding_box() for one in phone.page.locator(".att-crossing .att-of-others").all()]
    assert max(one["x"] + one["width"] for one in ends) <= edit["x"]
