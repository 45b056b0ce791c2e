"""What moves under the finger: `python -m benchmarks.under_finger`, on a machine that does nothing else.

Holds a slider of every page with the mouse and drags it to and fro. Prints the milliseconds from a value under it
until the figures in sight are painted, how many answers a second the browser draws, and the milliseconds from the
release until everything is current: figures, texts, tables, the address and Streamlit's own elements. The first and the
last of them are ratios to the move of a Streamlit page with one slider and one line of text, taken in the same run;
MISSED marks what misses its goal.
"""

import statistics
import urllib.parse
from dataclasses import dataclass

from playwright.sync_api import Browser, Page

from benchmarks.browser import IDLE, Watched, chromium
from benchmarks.latency import LARGEST, judged
from benchmarks.server import ROOT, running

# Steps of the mouse, milliseconds between them, and pixels of a step.
STEPS, PAUSE, PIXELS = 80, 25, 1.5
RELEASES = 7
BARE_MOVES = 20
# A control that something else has set has another widget (pages/shell/state/settings.py).
SLIDER = ':is(.st-key-{0}, [class*="st-key-{0}--"]) input[type=range]'
# Stamps of values and of what is painted after them. A view says in `data-shown` which settings it shows.
WATCH = """() => {
  window.waits = []; window.drawn = 0;
  let moved = 0;
  const values = new MutationObserver(() => { moved = performance.now(); });
  for (const one of document.querySelectorAll('input[type=range]'))
    values.observe(one, { attributes: true, attributeFilter: ['aria-valuetext', 'value'] });
  let isDue = false;
  new MutationObserver(() => {
    if (isDue) return;
    isDue = true;
    const since = moved;
    requestAnimationFrame(() => setTimeout(() => {
      isDue = false; window.drawn += 1; window.waits.push(performance.now() - since);
    }));
  }).observe(document.body, { subtree: true, attributes: true, attributeFilter: ['data-shown'] });
}"""
CURRENT = """(since) => {
  const app = document.querySelector('[data-testid=stApp]');
  const views = [...document.querySelectorAll('.att-view[data-shown]')].filter((view) => view.getClientRects().length);
  return app?.dataset.testScriptState === 'notRunning' && location.href !== since
    && views.every((view) => !view.hasAttribute('data-old'));
}"""


@dataclass(frozen=True)
class Case:
    """A slider of a page. painted, released: how often the bare page's move it may take, None where that is open;
    answers: how many a second there are to be."""

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
    Case("heads", "heads", "dropout", {}),
    Case("masks", "masks", "dropout", {}),
    Case("dropout", "dropout", "dropout", {"dropout": 0.1}),
    Case("scaling", "scaling", "d", {}),
    Case("backward", "backward", "dropout", {}),
    Case("positions", "positions", "pos_query", {}),
    Case("fewer keys", "fewer_keys", "kv_of_8", {}),
    Case("one token", "one_token", "token_at", {}),
    Case("taming", "taming", "taming_cap", {}),
    Case("tiles", "tiles", "tile_queries", {}),
    Case("costs", "costs", "cost_n", {}),
)


def bare(browser: Browser) -> float:
    """Milliseconds of a move of the bare page, median."""
    with running(script=ROOT / "benchmarks" / "bare_page.py") as server:
        page = Watched(browser, server.address)
        moves = [page.move("dropout", "ArrowRight" if at % 10 < 5 else "ArrowLeft") for at in range(BARE_MOVES)]
        page.page.close()
        return float(statistics.median(moves))


def dragged(page: Page, case: Case) -> tuple[list[float], float]:
    """Milliseconds from value to painted, and answers a second, while a slider is held."""
    handle = page.locator(SLIDER.format(case.slider)).first
    handle.scroll_into_view_if_needed()
    page.wait_for_timeout(300)
    page.evaluate(WATCH)
    box = handle.bounding_box()
    assert box is not None, f"{case.name}: {case.slider} is not on the screen"
    page.mouse.move(box["x"] + 2, box["y"] + box["height"] / 2)
    page.mouse.down()
    width, began = min(40, STEPS // 2), page.evaluate("performance.now()")
    for step in range(STEPS):
        at = step % (2 * width)
        page.mouse.move(box["x"] + 2 + PIXELS * min(at, 2 * width - at), box["y"] + box["height"] / 2)
        page.wait_for_timeout(PAUSE)
    seconds = (page.evaluate("performance.now()") - began) / 1e3
    waits, drawn = page.evaluate("[window.waits, window.drawn]")
    page.mouse.up()
    page.wait_for_function(IDLE)
    return waits, drawn / seconds


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


def main() -> None:
    with chromium() as browser, running() as server:
        floor = bare(browser)
        print(f"a move of the bare page: {floor:.0f} ms (median of {BARE_MOVES})")
        for case in CASES:
            page = browser.new_page(viewport={"width": 1400, "height": 900})
            page.goto(f"{server.address}/{case.page}?{urllib.parse.urlencode(case.link)}")
            page.wait_for_selector(".att-view[data-shown]", state="attached", timeout=60_000)
            page.wait_for_function(IDLE)
            page.wait_for_timeout(1500)
            waits, answers = dragged(page, case)
            after = released(page, case)
            ordered = sorted(waits) or [float("nan")]
            middle, late = statistics.median(ordered), ordered[int(0.9 * len(ordered))]
            print(f"{case.name}: {len(waits)} answers")
            print(
                f"  value to painted {middle:4.0f} ms (90% {late:.0f}) {judged(middle / floor, case.painted, '× bare')}"
            )
            few = "" if answers >= case.answers else "   MISSED"
            print(f"  answers a second {answers:6.1f}   to reach {case.answers:g}{few}")
            print(f"  key to current   {after:4.0f} ms          {judged(after / floor, case.released, '× bare')}")
            page.close()


if __name__ == "__main__":
    main()
