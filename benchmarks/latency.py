"""How fast the app answers: `python -m benchmarks.latency`, on a machine that does nothing else.

Prints, in one run: slider to painted (medians of 20 moves, the pages by turns) for the walkthrough at its default and
at its largest settings, for a Streamlit page with a slider and one line of text, and for the same heatmaps through
plain `st.plotly_chart` and in Dash, each as a ratio to the bare page, with a mark where it misses what it is to be; the
messages and the processor time of a move; the bytes of an update beside the float32 bytes of the figures that changed;
the bytes of the first visit; seconds to the first painted heatmap on a cold and a warm server; the server's time for a
rerun.
"""

import statistics
import time
import urllib.parse
from collections.abc import Mapping

from playwright.sync_api import Browser

from benchmarks.browser import Watched, WatchedDash, chromium
from benchmarks.rerun import rerun_report
from benchmarks.server import ROOT, Server, dash, running

MOVES = 20
ROUND = 5
WORDS = "\n".join(" ".join(f"word{sentence}x{token}" for token in range(64)) for sentence in range(8))
LARGEST = {"preset": "random", "d_model": 512, "heads": 16, "text": WORDS, "dropout": 0.1}
TOP, DROPOUT, LARGE = (
    "walkthrough, default, top of the page",
    "walkthrough, default, at the dropout",
    "walkthrough, largest, at the dropout",
)
BARE, DASH = "a slider and one line of text", "the default heatmaps, Dash"
# The most that each may be: times the bare page, times Dash, messages, milliseconds.
GOALS = {TOP: 2.0, DROPOUT: 2.0, LARGE: 4.0, DASH: 0.7, "messages": 16, "processor of the server": 15}
FIGURE = b'"cards"'
CHANGED = """() => Object.fromEntries([...document.querySelectorAll('.att-card')].map(
  (card, index) => [index, [card.dataset.stamp, Number(card.dataset.bytes) || 0]]))"""


def address(base: str, **parameters: object) -> str:
    return f"{base}/?{urllib.parse.urlencode(parameters)}"


def moves(pages: Mapping[str, Watched | WatchedDash]) -> dict[str, list[float]]:
    """Slider to painted, the pages by turns, up and down again."""
    times: dict[str, list[float]] = {name: [] for name in pages}
    for round_ in range(MOVES // ROUND):
        arrow = "ArrowRight" if round_ % 2 == 0 else "ArrowLeft"
        for name, page in pages.items():
            times[name] += [page.move("dropout", arrow) for _ in range(ROUND)]
    return times


def update_bytes(page: Watched) -> tuple[int, int, int, int]:
    """One move: bytes in all and of the rows of figures, number and float32 bytes of the figures that changed."""
    page.settle()
    before, page.frames = page.page.evaluate(CHANGED), []
    page.move("dropout", "ArrowRight")
    page.settle()
    after = page.page.evaluate(CHANGED)
    changed = [index for index, (stamp, _) in after.items() if before[index][0] != stamp]
    figures = sum(len(frame) for frame in page.frames if FIGURE in frame)
    return sum(map(len, page.frames)), figures, len(changed), sum(after[index][1] for index in changed)


def first_visit(browser: Browser, base: str) -> tuple[float, int]:
    """Seconds until the first heatmap is painted, and bytes over the wire, in a browser without a cache."""
    context = browser.new_context(viewport={"width": 1400, "height": 1000})
    page = context.new_page()
    received = 0

    def weigh(event: dict[str, float]) -> None:
        nonlocal received
        received += int(event["encodedDataLength"])

    session = context.new_cdp_session(page)
    session.send("Network.enable")
    session.on("Network.loadingFinished", weigh)
    started = time.perf_counter()
    page.goto(base)
    page.wait_for_selector(".att-card[data-drawn] .att-heatmap", timeout=60_000)
    seconds = time.perf_counter() - started
    page.wait_for_load_state("networkidle")
    context.close()
    return seconds, received


def line(name: str, values: list[float]) -> str:
    ordered = sorted(values)
    return f"  {name:<42} {statistics.median(ordered):6.0f} ms   (fastest {ordered[0]:.0f}, slowest {ordered[-1]:.0f})"


def report_updates(pages: dict[str, Watched]) -> None:
    print("bytes of an update:")
    for name, page in pages.items():
        total, figures, count, floats = update_bytes(page)
        allowed = 1.5 * floats + 400 * count
        print(f"  {name:<42} {figures:8,} B for {count} figures that changed ({floats:,} B as float32: allowed")
        print(f"  {'':<42} {allowed:,.0f} B); {total:,} B with Streamlit's own messages")


def report_moves(pages: Mapping[str, Watched | WatchedDash]) -> None:
    """Slider to painted, as a ratio to the bare page of the same run, and whether it is what it is to be."""
    print(f"slider to painted, median of {MOVES} moves:")
    times = moves(pages)
    middle = {name: statistics.median(values) for name, values in times.items()}
    for name, values in times.items():
        ratio = middle[name] / middle[BARE]
        print(f"{line(name, values)} {judged(ratio, None if name == DASH else GOALS.get(name), '× bare')}")
    print(f"  {'beside Dash':<42} {judged(middle[TOP] / middle[DASH], GOALS[DASH], '× Dash')}")


def report_move(page: Watched, server: Server) -> None:
    """What one move costs beside its time: messages, and the processor time of the server."""
    page.settle()
    page.frames, spent = [], server.cpu()
    for round_ in range(MOVES):
        page.move("dropout", "ArrowRight" if round_ % 10 < 5 else "ArrowLeft")
    messages, milliseconds = len(page.frames) / MOVES, 1e3 * (server.cpu() - spent) / MOVES
    print("a move of the walkthrough:")
    for what, value, unit in (("messages", messages, ""), ("processor of the server", milliseconds, " ms")):
        print(f"  {what:<42} {judged(value, GOALS[what], unit)}")


def judged(value: float, most: float | None, unit: str) -> str:
    """A figure, and whether it misses what it is to be."""
    told = f"{value:6.2f}{unit}"
    if most is None:
        return told
    return f"{told}   to reach {most:g}{unit}{'' if value <= most else '   MISSED'}"


def main() -> None:
    app, bare, plain = (
        ROOT / f"{name}.py" for name in ("streamlit_app", "benchmarks/bare_page", "benchmarks/plotly_page")
    )
    with chromium() as browser, running(script=app) as server:
        base = server.address
        cold, weight = first_visit(browser, base)
        warm, _ = first_visit(browser, base)
        print(f"first visit: {weight / 1e6:.2f} MB over the wire; first heatmap {cold:.1f} s cold, {warm:.1f} s warm")
        server.rest()
        with running(script=bare) as bare_server, running(script=plain) as plain_server, dash() as dash_server:
            ours = {
                TOP: Watched(browser, address(base, dropout=0.1)),
                DROPOUT: Watched(browser, address(base, dropout=0.1)),
                LARGE: Watched(browser, address(base, **LARGEST)),
            }
            for name, page in ours.items():
                if name != TOP:
                    page.see("dropped")
            # Before any other move: what the browser has had before is sent as a reference.
            report_updates(ours)
            others: dict[str, Watched | WatchedDash] = {
                BARE: Watched(browser, bare_server.address),
                "the default heatmaps, st.plotly_chart": Watched(browser, plain_server.address),
                DASH: WatchedDash(browser, dash_server.address),
            }
            report_moves(ours | others)
            report_move(ours[TOP], server)
    print(rerun_report())


if __name__ == "__main__":
    main()
