"""Simulate many visitors without browsers (benchmarks/visitor.py), and record times and errors."""

import asyncio
import time
from collections.abc import Coroutine, Iterator, Mapping
from contextlib import ExitStack, contextmanager, suppress
from dataclasses import dataclass, field
from pathlib import Path
from random import Random
from tempfile import TemporaryDirectory

from websockets.exceptions import WebSocketException

from benchmarks.replicas import proxied
from benchmarks.server import ROOT, Server, running
from benchmarks.tab import LostSessionError
from benchmarks.visitor import SCREEN, Visitor

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
# Visitors that arrive in a second: three hundred within a minute.
COMING = 5
ALONE = 100


@dataclass
class Met:
    """The measurements of one phase: seconds of each move until everything is there, seconds of each answer of the
    route of figures, and errors."""

    light: list[float] = field(default_factory=list)
    heavy: list[float] = field(default_factory=list)
    figures: list[float] = field(default_factory=list)
    errors: list[str] = field(default_factory=list)


@dataclass(frozen=True)
class Served:
    """The address that visitors open, and the servers behind it."""

    base: str
    servers: tuple[Server, ...]

    def memory(self) -> float:
        return sum(server.memory() for server in self.servers)

    def cpu(self) -> float:
        return sum(server.cpu() for server in self.servers)


@contextmanager
def serving(script: str, options: Mapping[str, object], replicas: int = 1) -> Iterator[Served]:
    """An app in `replicas` processes; several are behind nginx."""
    with ExitStack() as stack:
        servers = [stack.enter_context(running(script=ROOT / script, options=options)) for _ in range(replicas)]
        base = servers[0].address
        if replicas > 1:
            folder = stack.enter_context(TemporaryDirectory())
            base = stack.enter_context(proxied(Path(folder), [server.address for server in servers]))
        yield Served(base, tuple(servers))


async def timed(met: Met, into: list[float], doing: Coroutine[object, object, object]) -> bool:
    """Await an answer and record its time; False when there was none."""
    started = time.perf_counter()
    try:
        await doing
    except (OSError, TimeoutError, WebSocketException, LostSessionError) as error:
        met.errors.append(f"{type(error).__name__}: {error}")
        return False
    into.append(time.perf_counter() - started)
    return True


async def visit(
    served: Served,
    index: int,
    met: Met,
    end: float,
    *,
    arriving: float = 0.0,
    link: str | None = None,
    experiments: bool = True,
) -> None:
    """One visit: arrive, move something now and then, leave. arriving: seconds over which the visitors of a phase
    arrive; link: the page, None for one of a few pages, and for the laboratory by one visitor in twenty, if there are
    experiments."""
    random = Random(index)
    heavy = experiments and link is None and index % HEAVY_ONE_IN == HEAVY_ONE_IN - 1
    if link is None:
        link = HEAVY_LINK if heavy else LINKS[index % len(LINKS)]
    visitor = Visitor(served.base, link, SCREEN)
    into = met.heavy if heavy else met.light
    await asyncio.sleep(random.random() * arriving)
    here = await timed(met, [], visitor.arrive())
    while here and (pause := random.expovariate(1 / PAUSE)) + time.monotonic() < end:
        await asyncio.sleep(pause)
        if random.random() < 1 / HELD_ONE_IN:
            # Nobody waits for these answers, so their times do not count; a lost session is still an error.
            here = await timed(met, [], visitor.hold(random, HELD_STEPS))
        else:
            here = await timed(met, into, visitor.move(random))
        while heavy and here and time.monotonic() < end and visitor.is_training():
            here = await timed(met, into, visitor.lap())
    met.errors += visitor.tab.failed
    met.figures += visitor.answered
    with suppress(OSError, WebSocketException):
        await visitor.leave()


async def phase(
    served: Served, count: int, seconds: float, *, experiments: bool = True
) -> tuple[Met, float, float, float]:
    """`count` visitors for a while: measurements, seconds that it took, CPU seconds, memory with all visitors."""
    met, arriving = Met(), count / COMING
    started, spent = time.monotonic(), served.cpu()
    end = started + arriving + seconds
    visits = [
        asyncio.create_task(visit(served, index, met, end, arriving=arriving, experiments=experiments))
        for index in range(count)
    ]
    await asyncio.sleep(max(0, end - 1 - time.monotonic()))
    memory = served.memory()
    await asyncio.gather(*visits)
    return met, time.monotonic() - started, served.cpu() - spent, memory


async def first_screens(served: Served, count: int) -> list[float]:
    """Seconds until each of `count` simultaneous visitors has its files and its first screen."""

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


async def come_and_go(served: Served, count: int) -> None:
    """Visitors who arrive and leave at once, twenty at a time."""
    at_once = 20

    async def pass_by(index: int) -> None:
        visitor = Visitor(served.base, LINKS[index % len(LINKS)])
        await visitor.arrive()
        await visitor.leave()

    for first in range(0, count, at_once):
        await asyncio.gather(*(pass_by(index) for index in range(first, min(first + at_once, count))))


async def alone(served: Served) -> float:
    """Milliseconds of processor time of a move on the first page without other visitors."""
    random, visitor = Random(0), Visitor(served.base, in_sight=SCREEN)
    await visitor.arrive()
    await visitor.move(random)
    spent = served.cpu()
    for _ in range(ALONE):
        await visitor.move(random)
    spent = served.cpu() - spent
    await visitor.leave()
    return 1e3 * spent / ALONE
