"""What the first visit costs: `python -m benchmarks.first_visit`, on a machine that does nothing else.

Bytes over the wire of a first visit and of a second one, seconds to the first painted heatmap, and for how long the
browser answers nobody meanwhile at the longest, for the app and for a Streamlit page with one Plotly heatmap, by turns
in one run; medians, servers that are warm. The app packs its files with brotli, as it does for every browser; the page
is packed with gzip.
"""

import statistics
import time
from dataclasses import dataclass
from typing import Any

from playwright.sync_api import Browser, BrowserContext

from benchmarks.browser import chromium
from benchmarks.server import ROOT, running

VISITS = 7
PAGES = {"the app": "streamlit_app.py", "a page with one heatmap": "benchmarks/one_chart_app.py"}
# The longest task so far, in milliseconds; 0 where none is longer than 50, of which nobody is told.
BUSY = """() => new Promise((done) => {
  new PerformanceObserver((list) => done(Math.max(...list.getEntries().map((task) => task.duration))))
    .observe({ type: 'longtask', buffered: true });
  setTimeout(() => done(0), 200);
})"""
PAINTED = ".att-card[data-drawn] .js-plotly-plot, .stPlotlyChart .heatmaplayer image"


@dataclass(frozen=True)
class Visit:
    """seconds until the first heatmap is painted, and of the longest task until then; megabytes over the wire of this
    visit and of the next."""

    seconds: float
    busy: float
    first: float
    second: float


def visit(browser: Browser, base: str) -> Visit:
    context = browser.new_context(viewport={"width": 1400, "height": 1000})
    try:
        seconds, busy, first = look(context, base)
        return Visit(seconds, busy, first, look(context, base)[-1])
    finally:
        context.close()


def look(context: BrowserContext, base: str) -> tuple[float, float, float]:
    """Seconds until the first heatmap is painted and of the longest task so far; megabytes of all that came over the
    wire until all is still."""
    page, received = context.new_page(), 0.0

    def weigh(event: dict[str, float]) -> None:
        nonlocal received
        received += event["encodedDataLength"]

    def frame(event: dict[str, Any]) -> None:
        nonlocal received
        # Binary frames are told in base64.
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
    page.close()
    return seconds, busy, received / 1e6


def main() -> None:
    found: dict[str, list[Visit]] = {name: [] for name in PAGES}
    scripts = [ROOT / script for script in PAGES.values()]
    with chromium() as browser, running(script=scripts[0]) as app, running(script=scripts[1]) as bare:
        bases = dict(zip(PAGES, (app.address, bare.address), strict=True))
        for base in bases.values():
            visit(browser, base)
        for _ in range(VISITS):
            for name, base in bases.items():
                found[name].append(visit(browser, base))
    medians = {
        name: [
            statistics.median(getattr(one, part) for one in visits) for part in ("first", "second", "seconds", "busy")
        ]
        for name, visits in found.items()
    }
    print(f"{'':<26} {'first visit':>12} {'second visit':>13} {'first heatmap':>14} {'longest task':>13}")
    for name, (first, second, seconds, busy) in medians.items():
        print(f"{name:<26} {first:>9.2f} MB {1e3 * second:>10.0f} kB {seconds:>12.2f} s {busy:>11.2f} s")
    ours, theirs = medians.values()
    print(f"{'ratio':<26} {ours[0] / theirs[0]:>12.2f} {'':>13} {ours[2] / theirs[2]:>14.2f}")


if __name__ == "__main__":
    main()
