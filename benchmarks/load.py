"""How many people one process serves: `python -m benchmarks.load`, on a machine that does nothing else.

Visitors without browsers (benchmarks/visitor.py) open pages by link and move a slider every five seconds on average;
one in twenty sweeps through the laboratory or trains the race instead. One move in twenty is a key that is held for
half a second, and a session that ends by it is an error. Prints for each number of visitors what they met and what it
cost, for the app and for the app without the garbage-collection fix; how long a hundred wait that arrive at once; what
memory is left when a thousand have come and gone; and what of a move is Streamlit's own part. The generator of the load
is on the same machine, in a process of its own; both listen on the loopback only.
"""

import argparse
import asyncio
import statistics
import time
from collections.abc import Coroutine, Iterator, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack, contextmanager, suppress
from dataclasses import dataclass, field
from pathlib import Path
from random import Random
from tempfile import TemporaryDirectory

from websockets.exceptions import WebSocketException

from benchmarks.replicas import proxied
from benchmarks.server import ROOT, Server, running
from benchmarks.visitor import SCREEN, LostSessionError, Visitor

# With what the app does about the garbage collector, and with Streamlit's own way: a full collection after every run.
APPS: dict[str, tuple[str, dict[str, object]]] = {
    "the app": ("streamlit_app.py", {}),
    "without the collector's fix": ("benchmarks/unfrozen_app.py", {"runner.postScriptGC": "true"}),
}
LINKS = (
    "",
    "?d_model=16&heads=4&dropout=0.2",
    "?preset=random&text=The+quick+brown+fox+jumps+over+the+lazy+dog",
    "masks?mask=window",
    "one_query",
    "dropout?dropout=0.5",
    "heads?heads=4",
    "cross_attention",
    "order",
)
HEAVY_LINK = "scaling"
HEAVY_ONE_IN = 20
PAUSE = 5.0
HELD_ONE_IN, HELD_STEPS = 20, 15
# Visitors a second: three hundred within a minute.
COMING = 5
# The same elements, with nothing behind them.
HOLLOW = "benchmarks/hollow_page.py"
ALONE = 100
# Streamlit keeps what a visitor left for two minutes, in case the connection was only cut.
KEPT = 125


@dataclass
class Met:
    """What the visitors of one phase met: seconds of each answer, and what went wrong."""

    light: list[float] = field(default_factory=list)
    heavy: list[float] = field(default_factory=list)
    errors: list[str] = field(default_factory=list)


@dataclass(frozen=True)
class Served:
    """Where they go, and the servers that answer them."""

    base: str
    servers: tuple[Server, ...]

    def memory(self) -> float:
        return sum(server.memory() for server in self.servers)

    def cpu(self) -> float:
        return sum(server.cpu() for server in self.servers)


@contextmanager
def serving(script: str, options: Mapping[str, object], replicas: int = 1) -> Iterator[Served]:
    """An app in so many processes; more than one, behind nginx."""
    with ExitStack() as stack:
        servers = [stack.enter_context(running(script=ROOT / script, options=options)) for _ in range(replicas)]
        base = servers[0].address
        if replicas > 1:
            folder = stack.enter_context(TemporaryDirectory())
            base = stack.enter_context(proxied(Path(folder), [server.address for server in servers]))
        yield Served(base, tuple(servers))


async def timed(met: Met, into: list[float], doing: Coroutine[object, object, object]) -> bool:
    """Await an answer; False when there was none."""
    started = time.perf_counter()
    try:
        await doing
    except (OSError, TimeoutError, WebSocketException, LostSessionError) as error:
        met.errors.append(f"{type(error).__name__}: {error}")
        return False
    into.append(time.perf_counter() - started)
    return True


async def visit(served: Served, index: int, met: Met, end: float, *, arriving: float = 0.0) -> None:
    """Come, move something now and then, go. arriving: seconds over which the visitors of a phase come."""
    random = Random(index)
    heavy = index % HEAVY_ONE_IN == HEAVY_ONE_IN - 1
    visitor = Visitor(served.base, HEAVY_LINK if heavy else LINKS[index % len(LINKS)], SCREEN)
    into = met.heavy if heavy else met.light
    await asyncio.sleep(random.random() * arriving)
    here = await timed(met, [], visitor.arrive())
    while here and (pause := random.expovariate(1 / PAUSE)) + time.monotonic() < end:
        await asyncio.sleep(pause)
        if random.random() < 1 / HELD_ONE_IN:
            # Not an answer that anybody waited for; a session that is lost is an error all the same.
            here = await timed(met, [], visitor.hold(random, HELD_STEPS))
        else:
            here = await timed(met, into, visitor.move(random))
        while heavy and here and time.monotonic() < end and visitor.is_training():
            here = await timed(met, into, visitor.lap())
    met.errors += visitor.failed
    with suppress(OSError, WebSocketException):
        await visitor.leave()


async def phase(served: Served, count: int, seconds: float) -> tuple[Met, float, float, float]:
    """`count` visitors for a while: what they met, the seconds that it took, CPU seconds, memory with all of them."""
    met, arriving = Met(), count / COMING
    started, spent = time.monotonic(), served.cpu()
    end = started + arriving + seconds
    visits = [asyncio.create_task(visit(served, index, met, end, arriving=arriving)) for index in range(count)]
    await asyncio.sleep(max(0, end - 1 - time.monotonic()))
    memory = served.memory()
    await asyncio.gather(*visits)
    return met, time.monotonic() - started, served.cpu() - spent, memory


async def first_screens(served: Served, count: int) -> list[float]:
    """Seconds until each of those who come at once has its files and its first screen."""

    async def come(visitor: Visitor) -> None:
        await visitor.load()
        await visitor.arrive()

    met = Met()
    visitors = [Visitor(served.base, LINKS[index % len(LINKS)]) for index in range(count)]
    await asyncio.gather(*(timed(met, met.light, come(visitor)) for visitor in visitors))
    await asyncio.gather(*(visitor.leave() for visitor in visitors))
    if met.errors:
        raise RuntimeError(f"{len(met.errors)} of {count} had no first screen: {met.errors[0]}")
    return sorted(met.light)


async def come_and_go(served: Served, count: int, at_once: int = 20) -> None:
    async def pass_by(index: int) -> None:
        visitor = Visitor(served.base, LINKS[index % len(LINKS)])
        await visitor.arrive()
        await visitor.leave()

    for first in range(0, count, at_once):
        await asyncio.gather(*(pass_by(index) for index in range(first, min(first + at_once, count))))


async def alone(served: Served) -> float:
    """Milliseconds of processor time that a move on the first page takes while nobody else is there."""
    random, visitor = Random(0), Visitor(served.base, in_sight=SCREEN)
    await visitor.arrive()
    await visitor.move(random)
    spent = served.cpu()
    for _ in range(ALONE):
        await visitor.move(random)
    spent = served.cpu() - spent
    await visitor.leave()
    return 1e3 * spent / ALONE


def share(values: Sequence[float], percent: int) -> float:
    """A percentile, in milliseconds."""
    if not values:
        return float("nan")
    ordered = sorted(values)
    return 1e3 * ordered[min(len(ordered) - 1, len(ordered) * percent // 100)]


HEADER = (
    f"{'visitors':>8} {'reruns/s':>9} {'median':>9} {'95 %':>9} {'heavy 95 %':>11} {'errors':>7} {'CPU/rerun':>10} "
)
HEADER += f"{'memory':>8} {'a visitor':>10}"


async def report(served: Served, counts: Sequence[int], seconds: float, crowd: int, passing: int) -> None:
    asyncio.get_running_loop().set_default_executor(ThreadPoolExecutor(64))
    await come_and_go(served, 2 * len(LINKS))
    empty = served.memory()
    print(f"memory after the first visitors: {empty:.0f} MB")
    if crowd:
        waited = await first_screens(served, crowd)
        print(
            f"{crowd} arrive at once: first screen after {statistics.median(waited):.1f} s,"
            f" the last after {waited[-1]:.1f} s"
        )
    print(HEADER)
    for count in counts:
        met, took, cpu, memory = await phase(served, count, seconds)
        runs = len(met.light) + len(met.heavy)
        print(
            f"{count:>8} {runs / took:>7.1f}/s {statistics.median(met.light or [float('nan')]) * 1e3:>6.0f} ms"
            f" {share(met.light, 95):>6.0f} ms {share(met.heavy, 95):>8.0f} ms {len(met.errors):>7}"
            f" {1e3 * cpu / (runs + count):>7.1f} ms {memory:>5.0f} MB {(memory - empty) / count:>7.2f} MB",
            flush=True,
        )
        for error in dict.fromkeys(met.errors):
            print(f"  {met.errors.count(error)} × {error}")
    if passing:
        before = served.memory()
        await come_and_go(served, passing)
        gone = served.memory()
        await asyncio.sleep(KEPT)
        await come_and_go(served, 1)
        print(
            f"{passing} came and went: {before:.0f} MB before, {gone:.0f} MB then,"
            f" {served.memory():.0f} MB two minutes later"
        )


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--visitors", type=int, nargs="+", default=[1, 30, 100, 300])
    parser.add_argument("--seconds", type=float, default=30, help="of each number of visitors")
    parser.add_argument("--crowd", type=int, default=100, help="visitors that arrive at once")
    parser.add_argument("--passing", type=int, default=1000, help="visitors that come and go")
    parser.add_argument("--replicas", type=int, default=1, help="processes; more than one, behind nginx")
    parser.add_argument("--fixed-only", action="store_true", help="not without the garbage-collection fix as well")
    given = parser.parse_args()
    for name, (script, options) in APPS.items():
        if options and given.fixed_only:
            continue
        print(f"\n{name}")
        with serving(script, options, given.replicas) as served:
            passing = 0 if options else given.passing
            asyncio.run(report(served, given.visitors, given.seconds, given.crowd, passing))
    print(f"\nCPU a move, {ALONE} moves of one visitor of the walkthrough, by turns")
    with serving("streamlit_app.py", {}) as app, serving(HOLLOW, {}) as hollow:
        for _ in range(3):
            ours, theirs = (asyncio.run(alone(each)) for each in (app, hollow))
            print(f"  the app {ours:.1f} ms, its widgets and components with nothing behind them {theirs:.1f} ms")


if __name__ == "__main__":
    main()
