"""`python -m tests.mutants [PATTERN]`: faults drawn at random, each tried by the tests of its room."""

import argparse
import json
import time
import tomllib
from collections import Counter
from functools import cache
from pathlib import Path

from tests.mutants.attempt import libraries, tried
from tests.mutants.faults import Fault, sample
from tests.mutants.rooms import KEPT, VIEWS, Room, room, rooms

EQUIVALENT: dict[str, dict[str, str]] = tomllib.loads(
    (Path(__file__).parent / "equivalent.toml").read_text(encoding="utf-8")
)
RESULTS = KEPT / "results.jsonl"
# Seconds of processor time for loading our code, beyond three times the time of the tests without a fault.
LOADING = 20.0


def modules(pattern: str) -> list[str]:
    """The files of the package, its theory first, and of the views."""
    found = [str(path) for top in ("attention", VIEWS) for path in sorted(Path(top).rglob("*.py"))]
    chosen = [path for path in found if Path(path).match(pattern)]
    return sorted(chosen, key=lambda path: (path.startswith(VIEWS), room(path) != "attention", path))


def drawn(paths: list[str], count: int, seed: int) -> list[Fault]:
    """One fault from each file, then a second one from each, and so on: even a run cut short has tried every file."""
    of_each = [sample(path, count, seed) for path in paths]
    return [faults[turn] for turn in range(count) for faults in of_each if turn < len(faults)]


def known() -> dict[str, str]:
    """The test that detected each tried fault; an empty text if none did."""
    if not RESULTS.exists():
        return {}
    lines = map(json.loads, RESULTS.read_text(encoding="utf-8").splitlines())
    return {line["fault"]: line["detected"] for line in lines}


def reason(fault: Fault) -> str:
    """The reason why no test can detect a fault, if the list of equivalent ones has it."""
    return EQUIVALENT.get(fault.path, {}).get(fault.change, "")


def _detected(fault: Fault, place: Room, tests: list[str]) -> str:
    """The first of these tests that fails; an empty text if all pass."""
    if not tests:
        return ""
    limit = LOADING + 3 * sum(place.seconds[name] for name in tests)
    return str(tried((fault.path, fault.planted()), tests, {*place.names}, limit)["failed"])


def report(faults: list[Fault], found: dict[str, str]) -> None:
    survivors = [fault for fault in faults if found.get(fault.name) == "" and not reason(fault)]
    for fault in survivors:
        print(f"survived: {fault.name}")
    counts = {room(fault.path): Counter[str]() for fault in faults}
    for fault in faults:
        if fault.name in found:
            kind = "detected" if found[fault.name] else "equivalent" if reason(fault) else "survived"
            counts[room(fault.path)].update([kind, "tried"])
    print(f"{'room':28}{'tried':>7}{'detected':>10}{'equivalent':>12}{'survived':>10}{'share':>8}")
    for name, counted in [*counts.items(), ("all", sum(counts.values(), Counter()))]:
        share = counted["detected"] / max(counted["tried"] - counted["equivalent"], 1)
        numbers = f"{counted['tried']:7}{counted['detected']:10}{counted['equivalent']:12}{counted['survived']:10}"
        print(f"{name:28}{numbers}{share:8.1%}")


def main() -> None:
    given = argparse.ArgumentParser(prog="python -m tests.mutants", description=__doc__)
    given.add_argument(
        "pattern", nargs="?", default="*", help="files, such as 'attention/masks.py' or 'attention/analysis/*.py'"
    )
    given.add_argument("--count", type=int, default=4, help="faults of each file")
    given.add_argument("--seed", type=int, default=0, help="which faults are drawn")
    given.add_argument("--minutes", type=float, default=10, help="after so many, no further fault is tried")
    given.add_argument("--again", action="store_true", help="try those that survived once more, and no new ones")
    asked = given.parse_args()

    KEPT.mkdir(exist_ok=True)
    end = time.monotonic() + 60 * asked.minutes
    libraries()
    faults = drawn(modules(asked.pattern), asked.count, asked.seed)
    found = known()
    left = [
        fault
        for fault in faults
        if (found.get(fault.name) == "" and not reason(fault) if asked.again else fault.name not in found)
    ]
    opened = cache(Room)
    for fault in left:
        if time.monotonic() > end:
            break
        stages = (
            (one, tests)
            for one in map(opened, rooms(fault.path))
            for tests in one.tests(fault.path, fault.at[0], asked.again)
        )
        detected = next(filter(None, (_detected(fault, one, tests) for one, tests in stages)), "")
        found[fault.name] = detected
        with RESULTS.open("a", encoding="utf-8") as results:
            results.write(json.dumps({"fault": fault.name, "detected": detected}, ensure_ascii=False) + "\n")
        print(f"{detected or 'SURVIVED'} | {fault.name}", flush=True)
    report(faults, found)


if __name__ == "__main__":
    main()
