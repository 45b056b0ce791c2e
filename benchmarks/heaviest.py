"""The heaviest screen that the controls allow: `python -m benchmarks.heaviest`, on a machine that does nothing else.

8 sentences of 64 tokens, 16 heads, d_model 512, every step. Prints how long the server takes for it (a visitor without
a browser, from the message to the end of the run, and the bytes of the figures), and how long a browser is busy at a
time while it draws what a move of a slider and a way down the page bring near the screen.
"""

import asyncio
import statistics
import time
import urllib.parse

from benchmarks.browser import Watched, chromium
from benchmarks.largest import LARGEST, address
from benchmarks.server import running
from benchmarks.visitor import Visitor

MOVES = 12
# Tasks of the page itself; the first screen, with Streamlit's own start, is over when the browser has nothing to do.
WATCH = """async () => {
  await new Promise((idle) => requestIdleCallback(idle));
  window.tasks = [];
  new PerformanceObserver((list) => window.tasks.push(...list.getEntries().map((task) => task.duration)))
    .observe({ type: 'longtask' });
}"""
TASKS = "() => window.tasks.splice(0)"


async def served(base: str) -> dict[str, list[float]]:
    """Milliseconds of the server, which somebody has visited before, for the first screen, for moves that change some
    figures, and for others that change every one; and megabytes of the figures."""
    before = Visitor(base)
    await before.arrive()
    await before.leave()
    visitor = Visitor(base, f"?{urllib.parse.urlencode(LARGEST)}")
    started = time.perf_counter()
    await visitor.arrive()
    found = {"first screen": [1e3 * (time.perf_counter() - started)], "dropout": [], "seed": []}
    dropout = next(name for name, *_ in visitor.sliders() if name.endswith("-dropout"))
    seed = next(one.id for one in visitor.tab.elements("number_input") if one.id.endswith("-seed"))
    for move in range(MOVES):
        for name, control, value in (("dropout", dropout, 0.05 * (1 + move % 10)), ("seed", seed, float(1 + move))):
            started = time.perf_counter()
            await visitor.set(control, value)
            found[name].append(1e3 * (time.perf_counter() - started))
    found["megabytes"] = [sum(map(len, visitor.figures())) / 1e6]
    await visitor.leave()
    return found


def drawn(page: Watched) -> dict[str, list[float]]:
    """Milliseconds of each long task (above 50) of the browser while it draws."""
    page.settle()
    page.page.evaluate(WATCH)
    found = {}
    for name, look in (("on the way down the page", down), ("moves of dropout, at the dropout", moves)):
        page.page.evaluate(TASKS)
        look(page)
        page.settle()
        found[name] = page.page.evaluate(TASKS)
    return found


def down(page: Watched) -> None:
    for figure in ("x", "w_q", "queries", "scores", "weights", "projected", "dropped"):
        page.see(figure)


def moves(page: Watched) -> None:
    for move in range(MOVES):
        page.move("dropout", "ArrowLeft" if move % 2 else "ArrowRight")


def main() -> None:
    with running() as server:
        base = server.address
        for name, values in asyncio.run(served(base)).items():
            unit = "MB of figures" if name == "megabytes" else "ms server time (median, slowest)"
            print(f"  {name:<34} {statistics.median(values):6.0f} {max(values):6.0f} {unit}")
        with chromium() as browser:
            for name, tasks in drawn(Watched(browser, address(base, **LARGEST))).items():
                longest = max(tasks, default=0.0)
                print(
                    f"  {name:<34} {longest:6.0f} ms longest task; {len(tasks)} above 50 ms, {sum(tasks):.0f} ms in all"
                )


if __name__ == "__main__":
    main()
