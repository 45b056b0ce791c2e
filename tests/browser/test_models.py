"""Real models: words and heads are chosen in the picture, heads also on the wall; the list has a guess and switches."""

import pytest

from tests.support.trained import needed

pytestmark = [pytest.mark.browser, pytest.mark.models]

HEAD = ".att-wall [data-head='{}']"
ASKED = """([layer, head]) => {
  const asked = new URLSearchParams(location.search);
  return asked.get('model_layer') === layer && asked.get('model_head') === head;
}"""


def test_a_head_is_opened_by_a_click_and_from_the_keyboard(screen):
    needed("minilm")
    page = screen.open("/models?model=minilm").unfold().page
    for layer, head, act in (
        (5, 6, lambda: page.locator(HEAD.format("5.6")).click()),
        (2, 9, lambda: page.locator(HEAD.format("2.9")).press("Enter")),
    ):
        act()
        page.wait_for_function(ASKED, arg=[str(layer), str(head)])
        page.locator(f"{HEAD.format(f'{layer}.{head}')}[aria-checked=true]").wait_for()
    # The Tab key stops once for all heads of the wall, and arrow keys move between them.
    assert page.locator(".att-wall [role=radio][tabindex='0']").count() == 1
    page.locator(HEAD.format("2.9")).press("ArrowRight")
    assert page.evaluate("() => document.activeElement.dataset.head") != "2.9"
    # The largest group has several rows.
    first = page.locator(".att-wall-maps:has([role=radio]:nth-child(55)) [role=radio]").first
    first.press("ArrowDown")
    above, below = first.bounding_box(), page.locator(".att-wall [role=radio]:focus").bounding_box()
    assert below["x"] == pytest.approx(above["x"], abs=1)
    assert above["height"] < below["y"] - above["y"] < 2 * above["height"]


def test_words_and_heads_are_chosen_in_the_picture_and_a_sentence_is_typed_over_it(screen):
    needed("smollm2")
    page = screen.open("/models").page
    words = page.locator("[data-figure=trained] .att-word")
    words.nth(2).click()
    page.wait_for_function("() => new URLSearchParams(location.search).get('cell')?.startsWith('weights.2.')")
    page.locator("[data-figure=offered] .att-head-line", has_text="layer 19, head 8").press("Enter")
    page.wait_for_function(ASKED, arg=["19", "8"])
    # The same word still asks.
    screen.until("() => document.querySelectorAll('[data-figure=trained] .att-word')[2].ariaSelected === 'true'")
    page.locator("[data-figure=trained] .att-own-edit").click()
    page.locator("[data-figure=trained] .att-own-field").fill("The capital of Japan is")
    page.keyboard.press("Enter")
    page.locator("[data-figure=trained] .att-next", has_text="Tokyo").wait_for()
    assert words.nth(3).text_content() == "Japan"
    # Until the guess is made, the list has no switch and shows nothing beside its lines.
    switches, said = page.locator("[data-figure=offered] .att-row-switch"), page.locator("[data-figure=said]")
    page.locator("[data-figure=offered] .att-row-word", has_text="Japan").wait_for()
    assert switches.count() == 0
    assert not said.is_visible()
    # A guess in the list is answered in the list. A switch opens its head and shows one more number, which stays.
    rows = page.locator("[data-figure=offered] .att-head-line")
    left = page.locator("[data-figure=offered] [data-name^=switch][data-name$=left]")
    page.locator("[data-figure=offered] .att-row-guess").last.press("Enter")
    switches.first.wait_for()
    said.wait_for()
    assert (left.count(), switches.count()) == (1, rows.count())
    assert page.evaluate("() => document.activeElement.matches('.att-head-line')")
    head = rows.first.get_attribute("aria-label").partition(": ")[2]
    switches.first.press("Enter")
    page.locator("[data-figure=offered] .att-row-switch[aria-checked=false]").wait_for()
    page.locator("[data-figure=trained] .att-note", has_text=head).wait_for()
    assert left.count() == 2
    switches.first.press("Enter")
    page.locator("[data-figure=offered] .att-row-switch[aria-checked=false]").wait_for(state="detached")
    assert left.count() == 2
    # One button switches off all heads that do the same.
    rows.last.press("Enter")
    page.locator(".att-button", has_text="takes 'Japan'").press("Enter")
    page.locator("[data-figure=offered] .att-row-switch[aria-checked=false]").first.wait_for()


def test_a_switch_shows_an_arc_that_is_thinner_than_it_was_and_a_second_click_makes_it_whole(screen):
    page = screen.open("/models").page
    was, now = (page.locator(f"[data-figure=trained] .{kind}[data-to='4']") for kind in ("att-arc-was", "att-arc"))
    page.locator("button", has_text="a phrase repeated").click()
    page.locator("[data-figure=trained] .att-arc-chain:not(.att-off)").first.wait_for(state="attached")
    assert was.count() == 0
    page.locator(".att-button", has_text="Switch layer 17, head 1 off").click()
    was.wait_for(state="attached")
    screen.until("() => document.querySelector('[data-figure=trained] .att-arc-chain.att-off')")
    wide = [float(one.get_attribute("stroke-width")) for one in (was, now)]
    assert wide[1] < wide[0] / 2
    page.locator(".att-button", has_text="on again").click()
    was.wait_for(state="detached")
    assert float(now.get_attribute("stroke-width")) == pytest.approx(wide[0], rel=0.02)
    assert page.locator("[data-figure=trained] .att-arc-chain:not(.att-off)").count() == 2
