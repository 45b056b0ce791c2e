"""Time and memory of attention, measured on this server by a task of the page."""

from collections.abc import Hashable, Iterator
from dataclasses import dataclass
from typing import Any

import pandas as pd

from attention.device import devices
from attention.experiments.measured_costs import PATHS, Sizes
from pages.shell.component.chart import Axis, Chart, Series
from pages.shell.i18n import listed, say
from pages.shell.i18n.numbers import binary, digits, duration
from pages.shell.runs.results import results
from pages.shell.screen import Screen
from pages.shell.state.todays_controls import Costs
from pages.shell.views import blocks, guess
from pages.shell.views.blocks import Block
from pages.shell.views.registry import NotYetError

_D_KS, _HEADS = (8, 16, 32, 64, 128), (1, 2, 4, 8, 16)
_N_OF_D_K, _N_OF_HEADS = 256, 128
# The answers to the question by which factor the memory for the scores grows as n doubles.
FACTORS = {"twice": 2, "four": 4, "eight": 8}


@dataclass(frozen=True)
class Effort:
    """The longest text, the most seconds for all measurements, and the repetitions of each."""

    most: int
    seconds: float
    repeats: int


OPENING, ASKED = Effort(512, 4.0, 3), Effort(2048, 10.0, 7)


def effort(chosen: Costs) -> Effort:
    """Short when the page opens, longer when a reader asks for more."""
    return ASKED if chosen.cost_lap else OPENING


def key(chosen: Costs) -> Hashable:
    """The key under which the table of a measurement is kept."""
    return "costs", devices()[0], chosen.cost_heads, chosen.cost_d_k, chosen.cost_lap


def sizes(chosen: Costs) -> list[Sizes]:
    """The measured sizes: against n, against d_k and against heads, each once."""
    heads, d_k = int(chosen.cost_heads), int(chosen.cost_d_k)
    wanted = [Sizes(2**exponent, heads, d_k) for exponent in range(4, effort(chosen).most.bit_length())]
    wanted += [Sizes(_N_OF_D_K, heads, size) for size in _D_KS]
    wanted += [Sizes(_N_OF_HEADS, count, d_k) for count in _HEADS]
    return list(dict.fromkeys(wanted))


def lead(screen: Screen) -> Iterator[Block]:
    yield blocks.heading(say("costs.measured.title"))
    yield blocks.text(say("costs.measured.lead", device=devices()[0]))


def times(screen: Screen) -> Iterator[Block]:
    """Time against n, against d_k and against heads, and the number of sizes that were not measured in time."""
    chosen = screen.own(Costs)
    table = _measured(chosen)
    n, own_d_k, own_heads = table["n"], table["d_k"] == int(chosen.cost_d_k), table["heads"] == int(chosen.cost_heads)
    along = {
        "n": table[own_heads & own_d_k],
        "d_k": table[(n == _N_OF_D_K) & own_heads],
        "heads": table[(n == _N_OF_HEADS) & own_d_k],
    }
    # On a busy machine the time may run out before some of them.
    yield blocks.figures(*(_time(rows, name) for name, rows in along.items() if not rows.empty))
    wanted = len(sizes(chosen))
    if left := wanted - len(table[["n", "heads", "d_k"]].drop_duplicates()):
        seconds = f"{effort(chosen).seconds:.0f}"
        yield blocks.text(say("costs.measured.left_out", count=left, all=wanted, seconds=seconds))


def memory(screen: Screen) -> Iterator[Block]:
    """Memory against n, and the fused path against the plain one."""
    chosen = screen.own(Costs)
    table = _measured(chosen)
    rows = table[(table["d_k"] == int(chosen.cost_d_k)) & (table["heads"] == int(chosen.cost_heads))]
    yield blocks.figures(_memory(screen, rows))
    last = rows[rows["n"] == rows["n"].max()].set_index("path")
    # The fastest of the repetitions: other load of the machine only ever adds to a time.
    plain, fused = (duration(float(last.loc[path, "least"])) for path in ("plain", "fused"))
    less = digits(float(last.loc["plain", "bytes"] / last.loc["fused", "bytes"]), 2)
    n = f"{int(rows['n'].max()):,}"
    yield blocks.text(say("costs.measured.wrong", n=n, plain=plain, fused=fused, less=less))


def _measured(chosen: Costs) -> pd.DataFrame:
    table: pd.DataFrame | None = results("tables").get(key(chosen))
    if table is None:
        raise NotYetError
    return table


def _time(table: pd.DataFrame, along: str) -> Chart:
    series = []
    for place, path in enumerate(PATHS):
        rows = table[table["path"] == path]
        milliseconds = {name: rows[name] * 1000 for name in ("seconds", "low", "high")}
        bars = {"low": milliseconds["low"], "high": milliseconds["high"], "colour": place}
        series.append(Series(say(f"costs.path.{path}"), rows[along], milliseconds["seconds"], "dots", **bars))
    last = table[table[along] == table[along].max()].set_index("path")
    told = [
        say("costs.measured.took", path=say(f"costs.path.{path}"), time=duration(float(last.loc[path, "seconds"])))
        for path in PATHS
    ]
    where: dict[str, Any] = {
        "n": f"{int(last['n'].iloc[0]):,}",
        "heads": int(last["heads"].iloc[0]),
        "d_k": int(last["d_k"].iloc[0]),
    }
    repeats = int(table["repeats"].min())
    note = say("costs.measured.time_note", parts=listed("comma", told), repeats=repeats, **where)
    x, y = (
        Axis(say(f"costs.along.{along}"), log=True, ticks=sorted(set(table[along]))),
        Axis(say("costs.milliseconds"), log=True),
    )
    return Chart(f"costs-time-{along}", say(f"costs.measured.by.{along}"), series, x, y, note)


def _memory(screen: Screen, table: pd.DataFrame) -> Chart:
    series = []
    for place, path in enumerate(PATHS):
        rows = table[table["path"] == path]
        series.append(Series(say(f"costs.path.{path}"), rows["n"], rows["bytes"], colour=place, dash=place))
    last = table[table["n"] == table["n"].max()].set_index("path")
    told = [
        say("costs.measured.took", path=say(f"costs.path.{path}"), time=binary(float(last.loc[path, "bytes"])))
        for path in PATHS
    ]
    n, heads = int(last["n"].iloc[0]), int(last["heads"].iloc[0])
    matrix = binary(heads * n * n * 4)
    note = say("costs.measured.memory_note", n=f"{n:,}", parts=listed("comma", told), matrix=matrix)
    x, y = Axis(say("costs.along.n"), log=True, ticks=sorted(set(table["n"]))), Axis(say("costs.bytes"), log=True)
    ghosts = guess.ghosts(screen, "doubled", _doubled(table))
    return Chart("costs-memory", say("costs.measured.memory"), series, x, y, note, ghosts=ghosts)


def _doubled(table: pd.DataFrame) -> dict[str, tuple[float, float]]:
    """The memory of the plain path at the largest n if it grew by each factor from half of that n."""
    plain = table[table["path"] == "plain"].set_index("n")["bytes"]
    n = int(plain.index.max())
    if n // 2 not in plain.index:
        return {}
    return {answer: (n, float(plain[n // 2]) * factor) for answer, factor in FACTORS.items()}
