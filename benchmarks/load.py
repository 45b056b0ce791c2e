"""The number of visitors that one process serves: `python -m benchmarks.load`, on an otherwise idle machine.

Visitors without browsers (benchmarks/visitor.py) open pages by link and move a slider every five seconds on average;
one in twenty sweeps through the laboratory or trains the race instead. One move in twenty is a key that is held for
half a second; a session that ends by it is an error. For each number of visitors the benchmark prints their times and
errors, and their cost, for the app and for the app without the garbage-collection fix. It also prints how long a
hundred simultaneous visitors wait, the memory after a thousand have come and gone, and the cost of a move. Times of the
route of figures and of Streamlit's own run are separate. The load generator is a process on the same machine; both
listen on the loopback only.
"""

import argparse
import asyncio
import statistics
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor

from benchmarks.crowd import ALONE, LINKS, Served, alone, come_and_go, first_screens, phase, serving

# The app as it is, and with Streamlit's default of a full garbage collection after every run.
APPS: dict[str, tuple[str, dict[str, object]]] = {
    "the app": ("streamlit_app.py", {}),
    "without the collector's fix": ("benchmarks/unfrozen_app.py", {"runner.postScriptGC": "true"}),
}
# Seconds after which a session is gone: Streamlit keeps it for two minutes, in case the connection was only cut.
KEPT = 125


def share(values: Sequence[float], percent: int) -> float:
    """A percentile, in milliseconds."""
    if not values:
        return float("nan")
    ordered = sorted(values)
    return 1e3 * ordered[min(len(ordered) - 1, len(ordered) * percent // 100)]


HEADER = f"{'visitors':>8} {'reruns/s':>9} {'median':>9} {'95 %':>9} {'heavy 95 %':>11} {'figures 95 %':>13} "
HEADER += f"{'errors':>7} {'CPU/rerun':>10} {'memory':>8} {'a visitor':>10}"


async def report(
    served: Served, counts: Sequence[int], seconds: float, crowd: int, passing: int, experiments: bool
) -> None:
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
        met, took, cpu, memory = await phase(served, count, seconds, experiments=experiments)
        runs = len(met.light) + len(met.heavy)
        print(
            f"{count:>8} {runs / took:>7.1f}/s {statistics.median(met.light or [float('nan')]) * 1e3:>6.0f} ms"
            f" {share(met.light, 95):>6.0f} ms {share(met.heavy, 95):>8.0f} ms {share(met.figures, 95):>10.0f} ms"
            f" {len(met.errors):>7} {1e3 * cpu / (runs + count):>7.1f} ms"
            f" {memory:>5.0f} MB {(memory - empty) / count:>7.2f} MB",
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
    parser.add_argument("--no-experiments", action="store_true", help="all visitors move sliders of figures")
    given = parser.parse_args()
    for name, (script, options) in APPS.items():
        if options and given.fixed_only:
            continue
        print(f"\n{name}")
        with serving(script, options, given.replicas) as served:
            passing = 0 if options else given.passing
            asyncio.run(report(served, given.visitors, given.seconds, given.crowd, passing, not given.no_experiments))
    with serving("streamlit_app.py", {}) as app:
        for _ in range(3):
            print(f"CPU a move of one visitor of the walkthrough: {asyncio.run(alone(app)):.1f} ms of {ALONE} moves")


if __name__ == "__main__":
    main()
