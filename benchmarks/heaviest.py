"""The heaviest screen that the controls allow: `python -m benchmarks.heaviest`, on an otherwise idle machine.

The screen has 8 sentences of 64 tokens, 16 heads, d_model 512 and every view of the page. The benchmark prints
- how long the server takes for the opening page, for a visitor without a browser, from the message to the last figure,
  and the bytes of the figures;
- how soon the health check is answered while the three pages that compute most are opened at once;
- the memory after 22 links to these pages, with the trained models if the machine has them;
- how long a browser is busy at a time while it draws after moves of a slider and while it scrolls.
MISSED marks numbers that miss their goal.
"""

import asyncio
import itertools
import statistics
import time
import urllib.parse
from urllib.request import urlopen

from attention.inputs.trained import MODELS, missing
from benchmarks.browser import Watched, chromium
from benchmarks.largest import LARGEST, address
from benchmarks.server import Server, running
from benchmarks.visitor import Visitor

VISITS, MOVES = 4, 12
# These pages compute most: reruns with a part replaced, gradients, every mask.
PAGES, LINKS = ("experiments", "backward", "masks"), 22
# Goals: milliseconds of the health check; megabytes of a process with both trained models.
WELL, MOST = 200, 1600
# Pixels of one scroll.
STEP = 700
# Observes long tasks from when the browser is idle, so that the first screen and Streamlit's start do not count.
WATCH = """async () => {
  await new Promise((idle) => requestIdleCallback(idle));
  window.tasks = [];
  new PerformanceObserver((list) => window.tasks.push(...list.getEntries().map((task) => task.duration)))
    .observe({ type: 'longtask' });
}"""
TASKS = "() => window.tasks.splice(0)"
SCROLL = "(by) => { const main = document.querySelector('[data-testid=stMain]'); const before = main.scrollTop; "
SCROLL += "main.scrollBy({ top: by, behavior: 'instant' }); return main.scrollTop > before; }"


def link(seed: int, page: str = "") -> str:
    """The largest screen of a page, with other numbers for each seed."""
    return f"{page}?{urllib.parse.urlencode({**LARGEST, 'seed': seed})}"


async def served(base: str) -> dict[str, list[float]]:
    """Milliseconds of a warm server for first screens, each with new numbers, and for moves that change some figures;
    and megabytes of the figures."""
    await come(base, link(0))
    found: dict[str, list[float]] = {"first screen": [], "dropout": []}
    for seed in range(1, VISITS + 1):
        visitor = Visitor(base, link(seed))
        started = time.perf_counter()
        await visitor.arrive()
        found["first screen"].append(1e3 * (time.perf_counter() - started))
        if seed < VISITS:
            await visitor.leave()
    dropout = next(name for name, *_ in visitor.sliders() if name.endswith("-dropout"))
    for move in range(MOVES):
        started = time.perf_counter()
        # Rounded to a step of the slider, since any other value would replace the widget.
        await visitor.set(dropout, round(0.05 * (1 + move % 10), 2))
        found["dropout"].append(1e3 * (time.perf_counter() - started))
    found["megabytes"] = [sum(map(len, visitor.figures())) / 1e6]
    await visitor.leave()
    return found


async def come(base: str, asked: str) -> None:
    visitor = Visitor(base, asked)
    await visitor.arrive()
    await visitor.leave()


async def well(base: str) -> list[float]:
    """Milliseconds of each health check while the server computes the heaviest links."""
    visits = asyncio.gather(*(come(base, link(100, page)) for page in PAGES))
    found = []
    while not visits.done():
        started = time.perf_counter()
        await asyncio.to_thread(lambda: urlopen(f"{base}/_stcore/health", timeout=30).read())
        found.append(1e3 * (time.perf_counter() - started))
    await visits
    return found


async def kept(server: Server) -> tuple[float, float]:
    """Megabytes of a process before and after many large links, one after the other."""
    for model in MODELS:
        await come(server.address, f"models?model={model}")
    before = server.memory()
    for seed, page in zip(range(LINKS), itertools.cycle(PAGES)):
        await come(server.address, link(200 + seed, page))
    return before, server.memory()


def judged(value: float, most: float) -> str:
    return "" if value <= most else f"   to reach {most}   MISSED"


def drawn(page: Watched) -> dict[str, list[float]]:
    """Milliseconds of each long task (above 50) of the browser while it draws."""
    page.settle()
    page.page.evaluate(WATCH)
    found = {}
    for name, look in (("moves of dropout", moves), ("on the way down the page", down)):
        page.page.evaluate(TASKS)
        look(page)
        page.settle()
        found[name] = page.page.evaluate(TASKS)
    return found


def down(page: Watched) -> None:
    while page.page.evaluate(SCROLL, STEP):
        page.settle()


def moves(page: Watched) -> None:
    for move in range(MOVES):
        page.move("dropout", "ArrowLeft" if move % 2 else "ArrowRight")


def main() -> None:
    with running() as server:
        base = server.address
        for name, values in asyncio.run(served(base)).items():
            unit = "MB of figures" if name == "megabytes" else "ms server time (median, slowest)"
            print(f"  {name:<34} {statistics.median(values):6.1f} {max(values):6.1f} {unit}")
        health = sorted(asyncio.run(well(base)))
        late = health[int(0.95 * len(health))]
        print(
            f"  {'health beside ' + ', '.join(PAGES):<42} {late:6.1f} {health[-1]:6.1f} ms (95%, slowest)"
            f"{judged(health[-1], WELL)}",
            flush=True,
        )
        with chromium() as browser:
            for name, tasks in drawn(Watched(browser, address(base, **LARGEST))).items():
                longest = max(tasks, default=0.0)
                print(
                    f"  {name:<34} {longest:6.0f} ms longest task; {len(tasks)} above 50 ms, {sum(tasks):.0f} ms in all"
                )
    with running() as server:
        before, after = asyncio.run(kept(server))
        models = "without" if any(map(missing, MODELS)) else "with"
        name = f"memory before and after {LINKS} such links"
        print(f"  {name:<42} {before:6.0f} {after:6.0f} MB, {models} trained models{judged(after, MOST)}")


if __name__ == "__main__":
    main()
