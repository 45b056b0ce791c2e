"""The number of things that the first screen offers: everything that can be clicked or reached by key, except words,
heads and maps of the picture. And the effect of a control is told after a key, too."""

import pytest

from pages.shell.i18n import say
from tests.browser.test_live import hold

pytestmark = pytest.mark.browser
MOST = 15
# Not counted: parts of the picture, and Streamlit's link past the menu and scrolling page, which all pages have.
ASIDE = ".att-word, .att-answer, .att-head-line, .att-tile, .att-plot, [data-testid=stSkipLink], [data-testid=stMain]"
OFFERED = """(aside) => {
  const kinds = 'a[href], button, input, select, textarea, summary, [tabindex], [contenteditable=true]';
  const roles = ['button', 'radio', 'slider', 'switch', 'option', 'link'].map((role) => `[role=${role}]`);
  return [...document.querySelectorAll([kinds, ...roles])].filter((one) => {
    const { top, bottom, width, height } = one.getBoundingClientRect();
    const isHere = width > 0 && height > 0 && bottom > 0 && top < innerHeight;
    return isHere && !one.disabled && !one.matches(aside) && one.checkVisibility({ visibilityProperty: true });
  }).map((one) => one.getAttribute('aria-label') || one.innerText);
}"""
# Whether the focus is on a part that is not counted, or has left the first screen.
REACHED = "(aside) => document.activeElement.matches(aside) || document.activeElement === document.body"
MASKED = """() => [...document.querySelectorAll(':is(.st-key-mask, [class*="st-key-mask--"]) [role=radio]')]
  .filter((one) => !one.closest('[data-retained]')).map((one) => one.textContent)"""


@pytest.mark.slow
def test_the_opened_first_screen_offers_fifteen_things(screen):
    screen.page.set_viewport_size({"width": 1400, "height": 900})
    screen.open()
    offered = screen.page.evaluate(OFFERED, ASIDE)
    assert len(offered) <= MOST, offered
    # Every stop of the Tab key is one of the offered things; a row of buttons is one stop.
    reached = []
    for _ in range(2 * MOST):
        screen.page.keyboard.press("Tab")
        place = screen.page.evaluate("() => document.activeElement.ariaLabel || document.activeElement.innerText")
        if not screen.page.evaluate(REACHED, ASIDE) and place not in reached:
            reached.append(place)
        if screen.page.evaluate("() => document.activeElement.matches('.att-tile')"):
            break
    assert not [one for one in reached if "Skip" not in one and one not in offered], (reached, offered)


@pytest.mark.parametrize("name", ["heads", "dropout"])
@pytest.mark.slow
def test_what_a_control_does_is_told_by_pointer_and_by_key(screen, name):
    screen.open()
    told = screen.page.locator(".att-knob-help")
    slider = screen.widget(name).locator("input[type=range]")
    screen.widget(name).locator("[data-testid=stWidgetLabel]").hover()
    assert told.inner_text() == say(f"control.{name}.help")
    # The picture stays in sight: it ends above the bar.
    assert told.bounding_box()["y"] >= screen.page.locator(".st-key-bar").bounding_box()["y"]
    screen.page.mouse.move(5, 300)
    told.wait_for(state="detached")
    slider.focus()
    screen.page.keyboard.press("Shift+Tab")
    screen.page.keyboard.press("Tab")
    assert told.inner_text() == say(f"control.{name}.help")
    assert slider.get_attribute("aria-describedby") == told.get_attribute("id")
    # A moved control shows its effect in sight.
    screen.changed(lambda: slider.press("ArrowRight" if name == "dropout" else "ArrowLeft"))
    assert told.count() == 0
    # While a mouse holds the control, no text covers its effect.
    hold(screen, name, 0.5)
    label = screen.widget(name).locator("[data-testid=stWidgetLabel]").bounding_box()
    screen.page.mouse.move(label["x"] + 5, label["y"] + 5, steps=5)
    assert told.count() == 0
    screen.page.mouse.up()


@pytest.mark.slow
def test_a_mask_that_has_no_button_in_the_bar_has_one_while_it_is_chosen(screen):
    screen.open()
    three = screen.page.evaluate(MASKED)
    screen.changed(lambda: screen.choose("mask", "prefix"))
    screen.until_parameter("mask", "prefix")
    assert screen.chosen("mask") == "prefix"
    assert [*three, "prefix"] == screen.page.evaluate(MASKED)
    screen.changed(lambda: screen.choose("mask", "full"))
    screen.until(f"(three) => String(({MASKED})()) === String(three)", three)
