"""What it costs a tab to keep messages for later runs: `python -m benchmarks.kept_messages [runs...]`.

For each value of `global.maxCachedMessageAge`, moves a slider of the walkthrough a thousand times and prints the tab's
memory before and after, and the bytes of a request, which names every message that the tab keeps.
"""

import argparse

from playwright.sync_api import Browser

from benchmarks.browser import Watched, chromium
from benchmarks.server import running

MOVES = 1000
LINK = "?preset=random&text=a+fluffy+blue+creature+roamed+the+verdant+forest"


def memory(watched: Watched) -> float:
    """Megabytes that the scripts of a tab hold, without what is already garbage."""
    tools = watched.page.context.new_cdp_session(watched.page)
    tools.send("HeapProfiler.enable")
    tools.send("HeapProfiler.collectGarbage")
    used: float = tools.send("Runtime.getHeapUsage")["usedSize"]
    tools.detach()
    return used / 1e6


def measured(browser: Browser, age: int, moves: int) -> str:
    with running(options={"global.maxCachedMessageAge": age}) as server:
        watched = Watched(browser, f"{server.address}/{LINK}")
        # Every seed is a screen that was never seen: nothing that is kept is needed again.
        before = memory(watched)
        for _ in range(moves):
            watched.move("seed", "ArrowUp")
        after, request = memory(watched), len(watched.sent[-1])
        watched.page.close()
    return f"kept for {age:>4} runs: {before:5.1f} MB, after {moves} moves {after:5.1f} MB, a request {request:>7,} B"


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("runs", type=int, nargs="*", default=[2, 100])
    parser.add_argument("--moves", type=int, default=MOVES)
    given = parser.parse_args()
    with chromium() as browser:
        for age in given.runs:
            print(measured(browser, age, given.moves), flush=True)


if __name__ == "__main__":
    main()
