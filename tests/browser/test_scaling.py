"""The page on scaling in a browser: charts that are drawn, read, walked along, and a race that grows and stops."""

import pytest

from pages.shell.i18n import say
from tests.support.app import app, charts

pytestmark = [
    pytest.mark.browser,
    pytest.mark.fast(
        "test_a_race_grows_and_ends_and_can_be_run_again",
        "test_a_chart_draws_what_was_sent",
        "test_figures_follow_d_k_under_the_finger",
    ),
]

BRIEF = {"race_d": 4, "race_seeds": 1, "race_steps": 50}
RAW = say("lab.scale.none")
POINTS = """(card, name) => {
  const { data } = card.querySelector('.js-plotly-plot');
  const trace = data.find((trace) => trace.name === name);
  return [Array.from(trace.x), Array.from(trace.y)];
}"""
# Which charts have the arrays that they had.
ARRAYS = """Object.fromEntries(["variance", "histogram"].map((name) => [name,
  document.querySelector(`.att-card[data-figure=${name}] .js-plotly-plot`).data.map(({ x, y }) => [x, y]).flat()]))"""
KEEP = f"() => {{ window.arrays = {ARRAYS}; }}"
KEPT = f"""() => Object.fromEntries(Object.entries({ARRAYS}).map(([name, now]) =>
  [name, now.every((one, at) => one === window.arrays[name][at])]))"""
LOSSES = "document.querySelector('.att-card[data-figure=loss] .js-plotly-plot')?.data.at(-1).x.length ?? 0"

# When each lap was asked for, in the requests of the browser.
SENT = """
  laps = [];
  key = null;
  const send = WebSocket.prototype.send;
  WebSocket.prototype.send = function (message) {
    if (new TextDecoder().decode(message).includes("race-lap")) laps.push(performance.now());
    return send.call(this, message);
  };
"""


def test_a_chart_draws_what_was_sent(screen):
    """Lines and bars; what the others send, tests/pages reads."""
    sent = charts(app("scaling", **BRIEF))
    screen.look("/scaling", **BRIEF)
    for figure in ("variance", "histogram"):
        card = screen.see(figure)
        for name, series in sent[figure]["series"].items():
            x, y = card.evaluate(POINTS, name)
            if figure == "histogram":
                # Many bars are one shape, which begins and ends on the axis.
                assert (y[0], y[-1]) == (0, 0)
                x, y = x[1:-1], y[1:-1]
            assert x == pytest.approx(series["x"].tolist())
            assert y == pytest.approx(series["y"].tolist())
        assert card.locator(".att-note").inner_text() == sent[figure]["note"]


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
    card.locator(".hoverlayer .legend, .hoverlayer .hovertext").first.wait_for()
    plot.press("Escape")
    screen.until("(card) => !card.querySelector('.hoverlayer').childElementCount", card.element_handle())


def test_moving_d_k_moves_the_mark_and_is_in_the_url(screen):
    screen.look("/scaling", **BRIEF)
    screen.see("variance")
    before = screen.cards()
    after = screen.changed(lambda: screen.slide("d", "ArrowRight"))
    screen.until_parameter("d", "128")
    assert after["variance/variance"]["stamp"] != before["variance/variance"]["stamp"]
    assert after["variance/variance"]["kept"]
    assert "d_k = 128" in screen.card("variance").locator(".annotation-text").all_text_contents()


def test_figures_follow_d_k_under_the_finger(screen):
    """Of one draw: while the slider is held the address stays, and no figure waits."""
    # Before anybody guesses, the lines grow with d_k.
    screen.look("/scaling", guess="factor.two", **BRIEF).spoil()
    screen.see("histogram")
    note = screen.card("histogram").locator(".att-note")
    assert "d_k = 64" in note.inner_text()
    box = screen.page.locator(".st-key-d input[type=range]").bounding_box()
    mouse, middle = screen.page.mouse, (box["x"] + box["width"] / 2, box["y"] + box["height"] / 2)
    screen.page.evaluate(KEEP)
    mouse.move(*middle)
    mouse.down()
    mouse.move(middle[0] + box["width"] / 4, middle[1], steps=5)
    screen.page.wait_for_function("(note) => !note.textContent.includes('d_k = 64')", arg=note.element_handle())
    assert "d" not in screen.settle().parameters
    held = screen.cards()["variance/histogram"]["stamp"]
    mouse.up()
    screen.until("() => new URLSearchParams(location.search).has('d')")
    assert screen.cards()["variance/histogram"]["stamp"] == held
    # Plotly draws a series again whose arrays are others: those of the growth stay, and its mark moves.
    assert screen.settle().page.evaluate(KEPT) == {"variance": True, "histogram": False}


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
