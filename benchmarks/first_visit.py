"""The cost of a first visit: `python -m benchmarks.first_visit`, on an otherwise idle machine.

Measures bytes over the wire of a first and of a second visit, seconds until the first figure is seen, the longest
task of the browser until then, and the sum of layout shifts. It measures the app and a Streamlit page with one Plotly
heatmap by turns in one run, in a desktop window and on a phone, with warm servers, and prints medians. The app packs
its files with brotli, as for every browser; the other page is packed with gzip.
"""

import statistics
import time
from dataclasses import astuple, dataclass
from typing import Any

from playwright.sync_api import Browser, BrowserContext

from benchmarks.browser import chromium
from benchmarks.server import ROOT, running

VISITS = 7
PAGES = {"the app": "streamlit_app.py", "a page with one heatmap": "benchmarks/one_chart_app.py"}
WINDOWS = {"desktop": (1400, 900), "phone": (390, 844)}
# Ratio of seconds to the first figure; megabytes; layout shift.
GOALS = {"first figure": 1.0, "first visit": 2.5, "shift": 0.05}
# Seconds after the first figure in which late elements may still shift the layout.
AFTERWARDS = 1.5
# The longest task so far, in milliseconds; 0 below 50, since the browser reports only longer ones.
BUSY = """() => new Promise((done) => {
  new PerformanceObserver((list) => done(Math.max(...list.getEntries().map((task) => task.duration))))
    .observe({ type: 'longtask', buffered: true });
  setTimeout(() => done(0), 200);
})"""
SHIFT = """() => new Promise((done) => {
  new PerformanceObserver((list) => done(list.getEntries().reduce((sum, { value }) => sum + value, 0)))
    .observe({ type: 'layout-shift', buffered: true });
  setTimeout(() => done(0), 200);
})"""
# The app is blank until its first screen is complete; its first figure is the sentence with its arcs.
PAINTED = ":root:not([data-opening]) .att-card[data-drawn], .stPlotlyChart .heatmaplayer image"


@dataclass(frozen=True)
class Visit:
    """Megabytes over the wire of this visit and of the next; seconds until the first figure is seen; seconds of the
    longest task until then; the sum of layout shifts."""

    first: float
    second: float
    seconds: float
    busy: float
    shift: float


def visit(browser: Browser, base: str, window: tuple[int, int]) -> Visit:
    context = browser.new_context(viewport={"width": window[0], "height": window[1]})
    try:
        first, *rest = look(context, base)
        return Visit(first, look(context, base)[0], *rest)
    finally:
        context.close()


def look(context: BrowserContext, base: str) -> tuple[float, float, float, float]:
    """Megabytes over the wire until the page settles; seconds until the first figure is seen; seconds of the longest
    task so far; the layout shifts."""
    page, received = context.new_page(), 0.0

    def weigh(event: dict[str, float]) -> None:
        nonlocal received
        received += event["encodedDataLength"]

    def frame(event: dict[str, Any]) -> None:
        nonlocal received
        # The event has binary frames in base64.
        received += len(event["response"]["payloadData"]) * (3 / 4 if event["response"]["opcode"] == 2 else 1)

    session = context.new_cdp_session(page)
    session.send("Network.enable")
    session.on("Network.loadingFinished", weigh)
    session.on("Network.webSocketFrameReceived", frame)
    started = time.perf_counter()
    page.goto(base)
    page.wait_for_selector(PAINTED, timeout=60_000, state="attached")
    seconds = time.perf_counter() - started
    busy = page.evaluate(BUSY) / 1e3
    page.wait_for_load_state("networkidle")
    page.wait_for_timeout(1e3 * AFTERWARDS)
    shift = page.evaluate(SHIFT)
    page.close()
    return received / 1e6, seconds, busy, shift


def report(window: str, found: dict[str, list[Visit]]) -> None:
    named = f"{'first visit':>12} {'second visit':>13} {'first figure':>14} {'longest task':>13} {'shift':>7}"
    print(f"\n{window:<26} {named}")
    medians = [Visit(*map(statistics.median, zip(*map(astuple, visits), strict=True))) for visits in found.values()]
    for name, one in zip(found, medians, strict=True):
        heatmap, busy = f"{one.seconds:>12.2f} s", f"{one.busy:>11.2f} s"
        print(f"{name:<26} {one.first:>9.2f} MB {1e3 * one.second:>10.0f} kB {heatmap} {busy} {one.shift:>7.3f}")
    ours, theirs = medians
    reached = {
        "first figure": ours.seconds / theirs.seconds,
        "first visit": ours.first,
        # The maximum, not the median: no visitor should see a shift.
        "shift": max(one.shift for one in next(iter(found.values()))),
    }
    for name, value in reached.items():
        missed = "" if value <= GOALS[name] else "  MISSED"
        print(f"{name:<26} {value:>12.3f}   goal {GOALS[name]}{missed}")


def main() -> None:
    scripts = [ROOT / script for script in PAGES.values()]
    with chromium() as browser, running(script=scripts[0]) as app, running(script=scripts[1]) as bare:
        bases = dict(zip(PAGES, (app.address, bare.address), strict=True))
        for base in bases.values():
            visit(browser, base, WINDOWS["desktop"])
        for window, size in WINDOWS.items():
            found: dict[str, list[Visit]] = {name: [] for name in PAGES}
            for _ in range(VISITS):
                for name, base in bases.items():
                    found[name].append(visit(browser, base, size))
            report(window, found)


if __name__ == "__main__":
    main()
