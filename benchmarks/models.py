"""The cost of the page about real models: `python -m benchmarks.models`, on an otherwise idle machine.

One visitor of the walkthrough moves sliders while both models are loaded. Then several visitors of the walkthrough move
something every five seconds on average, first alone, then beside visitors of the page, half of them with each model,
who open heads, drop weights and change directions. The benchmark prints the times and errors of each group, and the
memory of the process. Visitors have no browsers (benchmarks/visitor.py), and are on the same machine. `make models`
fetches the models, which the benchmark needs.
"""

import argparse
import asyncio
import statistics
import time
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from functools import partial
from random import Random

from websockets.exceptions import WebSocketException

from attention.inputs.trained import MODELS, SIZES, missing
from benchmarks.crowd import COMING, PAUSE, Met, Served, serving, timed, visit
from benchmarks.load import share
from benchmarks.visitor import SCREEN, Visitor

PAGE = "models?model={}"
TEXTS = (
    "",
    "&model_text=The+keys+to+the+old+cabinet+were+on+the+table",
    "&model_text=one+two+three+one+two+three+one+two",
)
HALF, ALONE = 0.5, 20
HEADER = f"{'who':>24} {'moves':>6} {'median':>9} {'95 %':>9} {'slowest':>9} {'errors':>7}"


def told(who: str, seconds: Sequence[float], errors: Sequence[str]) -> str:
    known = list(seconds) or [float("nan")]
    return (
        f"{who:>24} {len(seconds):>6} {1e3 * statistics.median(known):>6.0f} ms {share(known, 95):>6.0f} ms"
        f" {1e3 * max(known):>6.0f} ms {len(errors):>7}"
    )


async def while_loading(served: Served) -> None:
    """The times of a visitor of the walkthrough while another visitor waits for a model."""
    random, other = Random(0), Visitor(served.base, in_sight=SCREEN)
    await other.arrive()
    await other.move(random)
    for model in MODELS:
        started = time.perf_counter()
        first = Visitor(served.base, PAGE.format(model), SCREEN)
        coming = asyncio.create_task(first.arrive())
        waited: list[float] = []
        while not coming.done():
            moved = time.perf_counter()
            await other.move(random)
            waited.append(time.perf_counter() - moved)
        await coming
        print(f"{model}: first screen after {time.perf_counter() - started:.1f} s, memory {served.memory():.0f} MB")
        print(told("walkthrough meanwhile", waited, other.tab.failed), flush=True)
        await first.leave()
    await other.leave()


async def alone(served: Served, model: str) -> None:
    """The cost of opening heads and moving controls without other visitors."""
    random, visitor = Random(0), Visitor(served.base, PAGE.format(model), SCREEN)
    await visitor.arrive()
    for what, act in (("a head opened", partial(opened, visitor, model, random)), ("a knob", partial(knob, visitor))):
        await act()
        spent, started = served.cpu(), time.perf_counter()
        for _ in range(ALONE):
            await act()
        cpu, took = served.cpu() - spent, time.perf_counter() - started
        print(f"{model}: {what} costs {1e3 * cpu / ALONE:.0f} ms of a core, answered in {1e3 * took / ALONE:.0f} ms")
    await visitor.leave()


async def opened(visitor: Visitor, model: str, random: Random) -> None:
    sizes = SIZES[model]
    layer, head = random.randint(1, sizes.layers), random.randint(1, sizes.heads)
    await visitor.give(model_layer=str(layer), model_head=str(head))


async def knob(visitor: Visitor) -> None:
    """Change p of dropped weights, which computes all layers again."""
    ((name, low, high, step, value),) = [one for one in visitor.sliders() if "-model_dropout" in one[0]]
    await visitor.set(name, low + (value - low + step) % (high - low))


async def look_around(served: Served, index: int, met: Met, end: float, *, arriving: float, model: str) -> None:
    """Visit the page, and every five seconds on average open a head or, as often, move a control."""
    random = Random(index)
    visitor = Visitor(served.base, PAGE.format(model) + TEXTS[index % len(TEXTS)], SCREEN)
    await asyncio.sleep(random.random() * arriving)
    here = await timed(met, [], visitor.arrive())
    while here and (pause := random.expovariate(1 / PAUSE)) + time.monotonic() < end:
        await asyncio.sleep(pause)
        doing = opened(visitor, model, random) if random.random() < HALF else visitor.move(random)
        here = await timed(met, met.light, doing)
    met.errors += visitor.tab.failed
    with suppress(OSError, WebSocketException):
        await visitor.leave()


async def phase(served: Served, others: int, on_page: int, seconds: float) -> None:
    """Print the measurements of visitors of both pages during some seconds."""
    arriving, spent, started = (others + on_page) / COMING, served.cpu(), time.monotonic()
    end, met = started + arriving + seconds, {name: Met() for name in ("walkthrough", *MODELS)}
    visits = [visit(served, index, met["walkthrough"], end, arriving=arriving, link="") for index in range(others)]
    for index in range(on_page):
        model = [*MODELS][index % len(MODELS)]
        visits.append(look_around(served, index, met[model], end, arriving=arriving, model=model))
    await asyncio.gather(*visits)
    busy = (served.cpu() - spent) / (time.monotonic() - started)
    print(f"{others} of the walkthrough, {on_page} of real models: {busy:.0%} of a core, {served.memory():.0f} MB")
    for who, found in met.items():
        if found.light or found.errors:
            print(told(who, found.light, found.errors), flush=True)
        for error in dict.fromkeys(found.errors):
            print(f"  {found.errors.count(error)} × {error}")


async def report(served: Served, others: int, on_page: int, seconds: float) -> None:
    asyncio.get_running_loop().set_default_executor(ThreadPoolExecutor(64))
    print(f"memory at the start: {served.memory():.0f} MB")
    print(HEADER)
    await while_loading(served)
    for model in MODELS:
        await alone(served, model)
    await phase(served, others, 0, seconds)
    await phase(served, others, on_page, seconds)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--others", type=int, default=10, help="visitors of the walkthrough")
    parser.add_argument("--visitors", type=int, default=30, help="visitors of the page about real models")
    parser.add_argument("--seconds", type=float, default=60, help="of each phase")
    given = parser.parse_args()
    if lack := "; ".join(filter(None, map(missing, MODELS))):
        print(f"not measured: {lack}")
        return
    with serving("streamlit_app.py", {}) as served:
        asyncio.run(report(served, given.others, given.visitors, given.seconds))


if __name__ == "__main__":
    main()
