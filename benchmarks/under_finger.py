"""The speed of a slider while it is held: `python -m benchmarks.under_finger`, on an otherwise idle machine.

Holds a slider of every page with the mouse and drags it to and fro, one value in each step. Prints the milliseconds
from a value until the figures in sight show it, how many answers a second the browser draws of how many values, and the
milliseconds from a key until everything is current: figures, texts, tables, the address and Streamlit's own elements.
The first and the last number also come as ratios to a move of a Streamlit page with one slider and one line of text,
measured in the same run. MISSED marks numbers that miss their goal. A case that cannot be measured says so, and the
others follow.
"""

import argparse
import statistics
import urllib.parse
from dataclasses import dataclass

from playwright.sync_api import Browser, Page
from playwright.sync_api import TimeoutError as WaitedInVain

from benchmarks.browser import IDLE, Watched, chromium
from benchmarks.largest import LARGEST
from benchmarks.server import ROOT, running

# Steps of the mouse, more than the browser has frames; least milliseconds between steps; most steps in one direction.
STEPS, PAUSE, ONE_WAY = 120, 8, 20
RELEASES = 7
BARE_MOVES = 20
# A control that code has set has a new widget (pages/shell/state/settings.py).
SLIDER = ':is(.st-key-{0}, [class*="st-key-{0}--"]) input[type=range]'
# Notes when the value of a question was set, and when its answer is painted. A view names its settings in `data-shown`;
# one question is under way at a time.
WATCH = """() => {
  window.waits = []; window.drawn = 0; window.values = 0;
  let moved = 0, asked = 0, isDue = false;
  const set = () => { moved = performance.now(); };
  addEventListener('input', set, { capture: true });
  const values = new MutationObserver(() => { window.values += 1; set(); });
  for (const one of document.querySelectorAll('input[type=range]'))
    values.observe(one, { attributes: true, attributeFilter: ['aria-valuetext'] });
  const original = window.fetch;
  window.fetch = (address, ...options) => {
    if (String(address).includes('/live')) asked = moved;
    return original(address, ...options);
  };
  new MutationObserver(() => {
    if (isDue) return;
    isDue = true;
    const since = asked;
    requestAnimationFrame(() => setTimeout(() => {
      isDue = false; window.drawn += 1; window.waits.push(performance.now() - since);
    }));
  }).observe(document.body, { subtree: true, attributes: true, attributeFilter: ['data-shown'] });
}"""
# The number of values that a slider can have.
PLACES = "(input) => Math.round((input.max - input.min) / (input.step || 1)) + 1"
CURRENT = """(since) => {
  const app = document.querySelector('[data-testid=stApp]');
  const views = [...document.querySelectorAll('.att-view[data-shown]')].filter((view) => view.getClientRects().length);
  return app?.dataset.testScriptState === 'notRunning' && location.href !== since
    && views.every((view) => !view.hasAttribute('data-old'));
}"""


@dataclass(frozen=True)
class Case:
    """A slider of a page. painted, released: goals as multiples of a move of the bare page, None for no goal; answers:
    the goal of answers a second."""

    name: str
    page: str
    slider: str
    link: dict[str, object]
    painted: float | None = None
    answers: float = 15
    released: float | None = None


CASES = (
    Case("walkthrough, as it opens", "", "dropout", {"dropout": 0.1}, 0.5, 15, 1.2),
    Case("walkthrough, random weights", "", "dropout", {"dropout": 0.1, "preset": "random"}, 0.7, 15, 1.2),
    Case("walkthrough, largest settings", "", "dropout", LARGEST, 2.0, 5, None),
    Case("one query", "one_query", "q_angle", {}),
    Case("heads", "heads", "heads", {"heads": 1}),
    Case("masks", "masks", "heads", {"heads": 1}),
    Case("dropout", "dropout", "dropout", {"dropout": 0.1}),
    Case("scaling", "scaling", "d", {}),
    Case("backward", "backward", "answer_steps", {}),
    Case("positions", "positions", "pos_base", {"pos_base": 1000}),
    Case("fewer keys", "fewer_keys", "kv_of_8", {"kv_of_8": 2}),
    Case("one token", "one_token", "token_at", {"token_at": 5}),
    Case("taming", "taming", "taming_stretch", {}),
    Case("tiles", "tiles", "tile_keys", {}),
    Case("costs", "costs", "cost_n", {}),
)


def bare(browser: Browser) -> float:
    """Milliseconds of a move of the bare page, median."""
    with running(script=ROOT / "benchmarks" / "bare_page.py") as server:
        page = Watched(browser, server.address)
        moves = [page.move("dropout", "ArrowRight" if at % 10 < 5 else "ArrowLeft") for at in range(BARE_MOVES)]
        page.page.close()
        return float(statistics.median(moves))


def dragged(page: Page, case: Case) -> tuple[list[float], float, float]:
    """Milliseconds from value to painted, answers a second, and values a second, while a slider is held."""
    handle = page.locator(SLIDER.format(case.slider)).first
    if not handle.is_visible():
        handle.evaluate("(input) => input.closest('details').querySelector('summary').click()")
    handle.scroll_into_view_if_needed()
    page.wait_for_timeout(300)
    page.evaluate(WATCH)
    box, track = handle.bounding_box(), handle.locator("xpath=ancestor::*[@role='group'][1]").bounding_box()
    assert box is not None, f"{case.name}: {case.slider} is not on the screen"
    assert track is not None, f"{case.name}: {case.slider} has no track"
    places = handle.evaluate(PLACES)
    pixels = max(1.0, track["width"] / max(places - 1, 1))
    most = max(1, min(ONE_WAY, int((track["x"] + track["width"] - box["x"]) / pixels)))
    mouse = page.context.new_cdp_session(page)
    x, y = box["x"] + 2, box["y"] + box["height"] / 2
    page.mouse.move(x, y)
    page.mouse.down()
    began = page.evaluate("performance.now()")
    for step in range(STEPS):
        at = step % (2 * most)
        # The protocol itself, because Playwright's mouse waits for the page after each step.
        to = {"x": x + pixels * min(at, 2 * most - at), "y": y, "button": "left", "buttons": 1}
        mouse.send("Input.dispatchMouseEvent", {"type": "mouseMoved"} | to)
        page.wait_for_timeout(PAUSE)
    seconds = (page.evaluate("performance.now()") - began) / 1e3
    waits, drawn, values = page.evaluate("[window.waits, window.drawn, window.values]")
    # Back to the start, so that a key has room on both sides.
    page.mouse.move(x, y)
    page.mouse.up()
    page.wait_for_function(IDLE)
    return waits, drawn / seconds, values / seconds


def released(page: Page, case: Case) -> float:
    """Milliseconds from a key on the slider until everything is current, median."""
    handle = page.locator(SLIDER.format(case.slider)).first
    found = []
    for at in range(RELEASES):
        page.wait_for_function(IDLE)
        handle.focus()
        before = page.url
        page.evaluate("window.began = performance.now()")
        handle.press("ArrowRight" if at % 4 < 2 else "ArrowLeft")
        page.wait_for_function(CURRENT, arg=before, polling="raf")
        found.append(page.evaluate("performance.now() - window.began"))
    return float(statistics.median(found))


def judged(value: float, most: float | None, unit: str) -> str:
    """A number as text, with MISSED if it is above its goal."""
    told = f"{value:6.2f}{unit}"
    if most is None:
        return told
    return f"{told}   to reach {most:g}{unit}{'' if value <= most else '   MISSED'}"


def measured(browser: Browser, address: str, case: Case, floor: float) -> list[str]:
    """The results of one case, in lines. floor: milliseconds of a move of the bare page."""
    page = browser.new_page(viewport={"width": 1400, "height": 900})
    try:
        page.goto(f"{address}/{case.page}?{urllib.parse.urlencode(case.link)}")
        page.wait_for_selector(".att-view[data-shown]", state="attached", timeout=60_000)
        page.wait_for_function(IDLE)
        page.wait_for_timeout(1500)
        waits, answers, values = dragged(page, case)
        after = released(page, case)
    except (AssertionError, WaitedInVain) as error:
        return [f"{case.name}: not measured: {str(error).splitlines()[0]}"]
    finally:
        page.close()
    ordered = sorted(waits) or [float("nan")]
    middle, late = statistics.median(ordered), ordered[int(0.9 * len(ordered))]
    few = "" if answers >= case.answers else "   MISSED"
    return [
        f"{case.name}: {len(waits)} answers",
        f"  value to painted {middle:4.0f} ms (90% {late:.0f}) {judged(middle / floor, case.painted, '× bare')}",
        f"  answers a second {answers:6.1f} of {values:.0f} values   to reach {case.answers:g}{few}",
        f"  key to current   {after:4.0f} ms          {judged(after / floor, case.released, '× bare')}",
    ]


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    names = [case.name for case in CASES]
    parser.add_argument("--only", nargs="+", choices=names, default=names, metavar="CASE", help=", ".join(names))
    given = parser.parse_args()
    with chromium() as browser, running() as server:
        floor = bare(browser)
        print(f"a move of the bare page: {floor:.0f} ms (median of {BARE_MOVES})")
        for case in [case for case in CASES if case.name in given.only]:
            print("\n".join(measured(browser, server.address, case, floor)), flush=True)


if __name__ == "__main__":
    main()
