"""The page on scaling in a browser: charts that are drawn, read, walked along, and a race that grows and stops."""

import numpy as np
import pytest

from pages.shell.i18n import say
from pages.shell.views.scaling import common
from tests.support.app import app, charts

pytestmark = [
    pytest.mark.browser,
    pytest.mark.fast(
        "test_a_race_grows_and_ends_and_can_be_run_again",
        "test_a_chart_draws_what_was_sent",
        "test_a_chart_without_plotly_draws_what_was_sent_on_its_axes",
        "test_figures_follow_d_k_under_the_finger",
        "test_on_a_phone_the_slider_the_walks_and_the_shares_are_in_one_screen",
    ),
]

BRIEF = {"race_d": 4, "race_seeds": 1, "race_steps": 50}
RAW = say("lab.scale.none")
POINTS = """(card, name) => {
  const { data } = card.querySelector('.js-plotly-plot');
  const trace = data.find((trace) => trace.name === name);
  return [Array.from(trace.x), Array.from(trace.y)];
}"""
# In a chart without Plotly: the places of the dots of one colour, and the ends of its axes as numbers and pixels.
DOTS = """(card, at) => [...card.querySelectorAll(`[data-name^="dot ${at} "]`)].map((dot) =>
  [dot.cx.baseVal.value, dot.cy.baseVal.value])"""
TICKS = """(card, axis) => [...card.querySelectorAll(`[data-name^="${axis} "][data-name$=" text"]`)].map((text) => [
  Number(text.textContent.replaceAll(",", "").replace("−", "-").replace("%", "e-2")),
  card.querySelector(`[data-name="${text.dataset.name.slice(0, -5)}"]`).getAttribute("d")
    .match(/M([\\d.]+),([\\d.]+)/)[axis === "x" ? 1 : 2] * 1])"""
# The heights of the bars in one shape.
HEIGHTS = """(card, at) => {
  const d = card.querySelector(`[data-name="bars ${at}"]`).getAttribute("d");
  return [...d.matchAll(/V([\\d.]+)/g)].map(([, up]) => Number(up));
}"""
# For each way to scale, the length of its bar in percent, and the number beside it.
LOST = """(counted) => [...counted.querySelectorAll("dl > div")].map((line) =>
  [line.querySelector(".att-counted-track div").style.width, line.lastElementChild.textContent].map(parseFloat))"""
LOSSES = "document.querySelector('.att-card[data-figure=loss] .js-plotly-plot')?.data.at(-1).x.length ?? 0"

# The times at which the browser requested each lap.
SENT = """
  laps = [];
  key = null;
  const send = WebSocket.prototype.send;
  WebSocket.prototype.send = function (message) {
    if (new TextDecoder().decode(message).includes("race-lap")) laps.push(performance.now());
    return send.call(this, message);
  };
"""


@pytest.mark.slow
def test_a_chart_draws_what_was_sent(screen):
    """The charts with lines and with bars; tests/pages checks the data of the others."""
    sent = charts(app("scaling", matrix=True, **BRIEF))
    screen.look("/scaling", matrix=True, **BRIEF)
    for figure in ("matrix", "two_by_two"):
        card = screen.see(figure)
        for name, series in sent[figure]["series"].items():
            x, y = card.evaluate(POINTS, name)
            if figure == "two_by_two":
                # All bars are one shape, which begins and ends on the axis.
                assert (y[0], y[-1]) == (0, 0)
                x, y = x[1:-1], y[1:-1]
            assert x == pytest.approx(series["x"].tolist())
            assert y == pytest.approx(series["y"].tolist())
        assert card.locator(".att-note").inner_text() == sent[figure]["note"]


@pytest.mark.slow
def test_a_chart_without_plotly_draws_what_was_sent_on_its_axes(screen):
    sent = charts(app("scaling", **BRIEF))
    screen.look("/scaling", **BRIEF)
    card = screen.see("variance")
    assert not card.locator(".js-plotly-plot").count()
    scales = [np.polyfit(*zip(*card.evaluate(TICKS, axis), strict=True), 1) for axis in ("x", "y")]
    places = card.evaluate(DOTS, 1)
    series = sent["variance"]["series"][RAW]
    expected = [
        [np.polyval(scale, one) for scale, one in zip(scales, pair, strict=True)]
        for pair in zip(series["x"], series["y"], strict=True)
        # The line goes beyond the axis, which ends where the slider ends.
        if pair[0] <= common.NEAR
    ]
    assert len(places) == len(expected)
    assert np.array(places) == pytest.approx(np.array(expected), abs=0.2)
    bars = screen.see("shares")
    scale = np.polyfit(*zip(*bars.evaluate(TICKS, "y"), strict=True), 1)
    heights = [up for up in bars.evaluate(HEIGHTS, 0) if up < np.polyval(scale, 0) - 0.1]
    weights = sent["shares"]["series"][RAW]["y"]
    drawn = [np.polyval(scale, one) for one in weights]
    assert heights == pytest.approx([up for up in drawn if up < np.polyval(scale, 0) - 0.1], abs=0.1)


def test_the_table_of_a_chart_has_every_point(screen):
    screen.look("/scaling", **BRIEF)
    card = screen.see("variance")
    screen.tabulate(card)
    rows = card.locator("tbody tr")
    sent = charts(app("scaling", **BRIEF))["variance"]["series"]
    assert rows.count() == sum(len(series["x"]) for series in sent.values())
    assert card.locator("tbody th").first.inner_text() == next(iter(sent))


def test_the_arrow_keys_walk_along_a_chart_and_say_what_stands_there(screen):
    screen.look("/scaling", **BRIEF)
    card = screen.see("variance")
    plot = card.locator(".att-plot")
    plot.focus()
    for key in ("ArrowRight", "ArrowRight", "ArrowRight"):
        plot.press(key)
    told = screen.page.locator(".att-said").inner_text()
    value = charts(app("scaling", **BRIEF))["variance"]["series"][RAW]["y"][2]
    assert told.startswith(say("lab.axis.d_k"))
    assert f"{RAW} {float(f'{value:.5g}'):g}" in told
    tip = card.locator(".att-tip")
    assert f"{RAW} {float(f'{value:.5g}'):g}" in tip.inner_text()
    plot.press("Escape")
    tip.wait_for(state="hidden")
    # The mouse reads the dot that is nearest to it.
    box = card.locator("circle.att-dot").nth(2).bounding_box()
    middle = {"clientX": box["x"] + box["width"] / 2, "clientY": box["y"], "pointerType": "mouse", "bubbles": True}
    plot.dispatch_event("pointermove", middle)
    assert f"{RAW} {float(f'{value:.5g}'):g}" in tip.inner_text()


def test_moving_d_k_moves_the_mark_and_is_in_the_url(screen):
    screen.look("/scaling", **BRIEF)
    screen.see("variance")
    before = screen.cards()
    after = screen.changed(lambda: screen.slide("d", "ArrowRight"))
    screen.until_parameter("d", "128")
    assert after["variance/variance"]["stamp"] != before["variance/variance"]["stamp"]
    assert after["variance/variance"]["kept"]
    assert "dₖ = 128" in screen.card("variance").locator("text").all_text_contents()


@pytest.mark.slow
def test_figures_follow_d_k_under_the_finger(screen):
    """All numbers come from one draw. While the slider is held, the address stays, and every figure follows at once."""
    screen.look("/scaling", **BRIEF).spoil()
    screen.see("shares")
    note = screen.card("shares").locator(".att-note")
    below = screen.card("variance").locator(".att-note")
    stood = below.bounding_box()
    # The share that training loses is a bar as long as its number says.
    lost = screen.page.locator(".att-counted")
    at_first, place = lost.evaluate(LOST), lost.bounding_box()
    assert all(long == pytest.approx(told, abs=0.6) for long, told in at_first)
    assert "dₖ = 64" in note.inner_text()
    box = screen.page.locator(".st-key-d input[type=range]").bounding_box()
    track = screen.page.locator(".st-key-first-slider [role=group]").first.bounding_box()
    mouse, middle = screen.page.mouse, (box["x"] + box["width"] / 2, box["y"] + box["height"] / 2)
    mouse.move(*middle)
    mouse.down()
    mouse.move(middle[0] + track["width"] / 8, middle[1], steps=5)
    screen.page.wait_for_function("(note) => !note.textContent.includes('dₖ = 64')", arg=note.element_handle())
    assert "d" not in screen.settle().parameters
    held = screen.cards()["variance/shares"]["stamp"]
    # Sentences of another length shift nothing.
    assert below.bounding_box() == stood
    held_at = lost.evaluate(LOST)
    assert at_first[0][0] < held_at[0][0] == pytest.approx(held_at[0][1], abs=0.6)
    assert lost.bounding_box() == place
    mouse.up()
    screen.until("() => new URLSearchParams(location.search).has('d')")
    assert screen.cards()["variance/shares"]["stamp"] == held
    # The figures of the first screen are not drawn by Plotly, and do not wait for it.
    assert screen.page.evaluate("typeof window.Plotly") == "undefined"


@pytest.mark.slow
def test_on_a_phone_the_slider_the_walks_and_the_shares_are_in_one_screen(screen):
    """The bars stood a screen below the slider, so a visitor who dragged did not see them."""
    screen.page.set_viewport_size({"width": 390, "height": 844})
    screen.look("/scaling", **BRIEF)
    # The bars appear without scrolling.
    screen.card("shares").locator(".att-bars").first.wait_for()
    screen.settle()
    slider = screen.page.locator(".st-key-first-slider").bounding_box()
    plots = [screen.card(one).locator(".att-plot").bounding_box() for one in ("walk", "shares")]
    assert 0 < slider["y"] < slider["y"] + slider["height"] <= plots[0]["y"]
    assert plots[0]["y"] + plots[0]["height"] < plots[1]["y"]
    assert plots[1]["y"] + plots[1]["height"] <= 844
    # The third chart stands below the slider, which stays above it.
    third = screen.card("variance").locator(".att-plot")
    third.evaluate("(plot) => plot.scrollIntoView({ block: 'end' })")
    screen.settle()
    slider, last = screen.page.locator(".st-key-first-slider").bounding_box(), third.bounding_box()
    assert 0 < slider["y"] < slider["y"] + slider["height"] <= last["y"] < last["y"] + last["height"] <= 845


@pytest.mark.slow
def test_a_race_grows_and_ends_and_can_be_run_again(screen):
    screen.open("/scaling", race_d=16, race_seeds=1, race_steps=100, race_lr="0.3")
    screen.see("loss")
    screen.until(f"() => {LOSSES} > 10")
    first = screen.page.evaluate(LOSSES)
    screen.until(f"(first) => {LOSSES} > first", first)
    again = screen.page.get_by_role("button", name=say("lab.race.again"))
    again.wait_for(timeout=60_000)
    screen.until(f"() => {LOSSES} === 101")
    again.click()
    screen.page.get_by_role("button", name=say("lab.race.button.stop")).wait_for()
    screen.until(f"() => {LOSSES} < 101")


def test_a_race_waits_for_what_somebody_does(screen):
    screen.page.add_init_script(SENT)
    screen.open("/scaling", race_d=64, race_seeds=5, race_steps=1000)
    screen.until("() => laps.length > 1")
    screen.page.evaluate("() => addEventListener('keydown', () => { laps.length = 0; key = performance.now(); })")
    screen.page.keyboard.press("Shift")
    screen.until("() => laps.length > 0")
    assert screen.page.evaluate("() => laps[0] - key") > 1000


def test_a_heading_computes_when_it_is_opened_and_keeps_its_controls_in_the_link(screen):
    screen.open("/scaling", lab_seed=3)
    heading = screen.page.get_by_text(say("lab.saturation.title"), exact=True)
    assert not screen.page.locator("[data-figure=largest]").count()
    heading.click()
    screen.see("largest")
    screen.slide("keys", "ArrowRight")
    screen.until_parameter("keys", "32")
    heading.click()
    screen.page.locator("[data-figure=largest]").wait_for(state="hidden")
    screen.slide("d", "ArrowRight")
    screen.until_parameter("d", "128")
    assert screen.parameters == {"lab_seed": "3", "keys": "32", "d": "128"}
