"""The route of figures alone: `python -m benchmarks.route`, on an otherwise idle machine.

A few visitors move sliders, and the benchmark notes their questions. Then many visitors without a session ask noted
questions at a process that has answered none of them, one every five seconds on average, as a hall does that moves the
same sliders: 300 ask the process itself, 1,000 ask an nginx with the project's configuration, which keeps answers.
Prints the milliseconds of an answer, and MISSED where 95 % take longer than the goal.
"""

import argparse
import asyncio
import time
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from random import Random
from tempfile import TemporaryDirectory
from urllib.request import urlopen

from benchmarks.crowd import LINKS, PAUSE
from benchmarks.load import share
from benchmarks.page_files import PATIENCE
from benchmarks.replicas import proxied
from benchmarks.server import ROOT, running
from benchmarks.visitor import SCREEN, Visitor

# Moves of each page whose questions are noted.
MOVES = 40
# Visitors and milliseconds: of the process, and of nginx.
OF_PROCESS, OF_NGINX = (300, 250), (1000, 500)


async def questions(base: str) -> list[str]:
    """The paths of the questions that visitors of the pages ask while they move sliders."""
    noted: list[str] = []
    for link in LINKS:
        random, visitor = Random(0), Visitor(base, link, SCREEN)
        await visitor.arrive()
        for _ in range(MOVES):
            await visitor.move(random)
            noted.append(visitor.asked.removeprefix(base))
        await visitor.leave()
    return noted


async def ask(base: str, noted: list[str], visitors: int, seconds: float) -> list[float]:
    """The seconds of each answer to a number of visitors."""
    waited: list[float] = []
    end = time.monotonic() + seconds

    async def visit(random: Random) -> None:
        while (pause := random.expovariate(1 / PAUSE)) + time.monotonic() < end:
            await asyncio.sleep(pause)
            started = time.perf_counter()
            await asyncio.to_thread(_fetched, base + random.choice(noted))
            waited.append(time.perf_counter() - started)

    await asyncio.gather(*(visit(Random(index)) for index in range(visitors)))
    return waited


def _fetched(address: str) -> None:
    with urlopen(address, timeout=PATIENCE) as answer:
        answer.read()


async def report(noted: list[str], base: str, behind: str, seconds: float) -> None:
    asyncio.get_running_loop().set_default_executor(ThreadPoolExecutor(256))
    print(f"{len(noted)} questions, {len(set(noted))} different ones")
    for where, address, (visitors, goal) in (("process", base, OF_PROCESS), ("nginx", behind, OF_NGINX)):
        waited = await ask(address, noted, visitors, seconds)
        met = "" if share(waited, 95) <= goal else "  MISSED"
        print(
            f"{where}: {visitors} visitors, {len(waited) / seconds:.0f} answers a second,"
            f" median {share(waited, 50):.0f} ms, 95 % {share(waited, 95):.0f} ms (goal {goal}){met}",
            flush=True,
        )


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--seconds", type=float, default=30, help="of each number of visitors")
    given = parser.parse_args()
    with running(script=ROOT / "streamlit_app.py") as server:
        noted = asyncio.run(questions(server.address))
    # Another process, which has answered none of them.
    with (
        running(script=ROOT / "streamlit_app.py") as server,
        TemporaryDirectory() as folder,
        proxied(Path(folder), [server.address]) as behind,
    ):
        asyncio.run(report(noted, server.address, behind, given.seconds))


if __name__ == "__main__":
    main()
