"""Time and memory of attention, measured on this server: briefly when the page opens, and further on request.

The buttons stand outside the row that measures, so that a press ends a running measurement.
"""

from dataclasses import dataclass
from typing import Any

import pandas as pd
import streamlit as st
import torch

from attention.device import devices
from attention.experiments.measured_costs import PATHS, Sizes, measure
from pages.shell import component
from pages.shell.component.chart import Axis, Chart, Series
from pages.shell.i18n import listed, say
from pages.shell.i18n.numbers import binary, digits, duration
from pages.shell.layout.rows import row
from pages.shell.layout.widgets import widgets
from pages.shell.runs.results import Progress, computed
from pages.shell.runs.sources import Source
from pages.shell.state.todays_controls import Costs

_LAP = "costs-lap"
# The longest text, the seconds and the repetitions, when the page opens and when somebody asks for more.
_OPENING, _ASKED = (512, 4.0, 3), (2048, 10.0, 7)
_D_KS, _HEADS = (8, 16, 32, 64, 128), (1, 2, 4, 8, 16)
_N_OF_D_K, _N_OF_HEADS = 256, 128

lap = Source(lambda: int(st.session_state.get(_LAP, 0)))


def controls() -> None:
    """Which sizes are measured, and the buttons that begin and end it."""
    st.subheader(say("costs.measured.title"), anchor=False)
    st.markdown(say("costs.measured.lead", device=devices()[0]))
    widgets("cost_heads", "cost_d_k")
    with st.container(horizontal=True):
        most, seconds, _ = _ASKED
        label = say("costs.measured.start", most=f"{most:,}", seconds=f"{seconds:.0f}")
        st.button(label, key="costs-start", on_click=_next, icon=":material/timer:")
        st.button(say("costs.measured.stop"), key="costs-stop", on_click=_stop)


def _next() -> None:
    st.session_state[_LAP] = abs(lap.make()) + 1


def _stop() -> None:
    """Back to what was measured when the page opened; the number of the lap is kept, lest it be taken again."""
    st.session_state[_LAP] = -abs(lap.make())


@row
def times(lap: int) -> None:
    """Time against n, against d_k and against heads; what there was no time for."""
    found = _found(lap)
    # On a busy machine the time may be up before some of them.
    drawn = [_time(rows, along) for along, rows in found.along.items() if not rows.empty]
    component.row("plot-costs-time", *drawn)
    if found.left:
        seconds = f"{found.seconds:.0f}"
        st.caption(say("costs.measured.left_out", count=found.left, all=found.wanted, seconds=seconds))


@row
def memory(lap: int) -> None:
    """Memory against n, and the fused path against the plain one."""
    rows = _found(lap).along["n"]
    component.row("plot-costs-memory", _memory(rows))
    last = rows[rows["n"] == rows["n"].max()].set_index("path")
    # The fastest of the repetitions: what else the machine does only ever adds to a time.
    plain, fused = (duration(float(last.loc[path, "least"])) for path in ("plain", "fused"))
    less = digits(float(last.loc["plain", "bytes"] / last.loc["fused", "bytes"]), 2)
    n = f"{int(rows['n'].max()):,}"
    st.markdown(say("costs.measured.wrong", n=n, plain=plain, fused=fused, less=less))


@dataclass(frozen=True)
class _Found:
    """Tables by what varies in them; how many sizes were wanted, and how many of them there was no time for."""

    along: dict[str, pd.DataFrame]
    wanted: int
    left: int
    seconds: float


def _found(lap: int) -> _Found:
    chosen, lap = Costs.current(), max(lap, 0)
    heads, d_k = int(chosen.cost_heads), int(chosen.cost_d_k)
    wanted = _sizes(heads, d_k, bool(lap))
    table = _measured(wanted, heads, d_k, lap)
    n, own_d_k, own_heads = table["n"], table["d_k"] == d_k, table["heads"] == heads
    along = {
        "n": table[own_heads & own_d_k],
        "d_k": table[(n == _N_OF_D_K) & own_heads],
        "heads": table[(n == _N_OF_HEADS) & own_d_k],
    }
    measured = len(table[["n", "heads", "d_k"]].drop_duplicates())
    return _Found(along, len(wanted), len(wanted) - measured, (_ASKED if lap else _OPENING)[1])


def _sizes(heads: int, d_k: int, is_asked: bool) -> list[Sizes]:
    """What is measured: against n, against d_k and against heads, each once."""
    most, *_ = _ASKED if is_asked else _OPENING
    sizes = [Sizes(2**exponent, heads, d_k) for exponent in range(4, most.bit_length())]
    sizes += [Sizes(_N_OF_D_K, heads, size) for size in _D_KS]
    sizes += [Sizes(_N_OF_HEADS, count, d_k) for count in _HEADS]
    return list(dict.fromkeys(sizes))


def _measured(sizes: list[Sizes], heads: int, d_k: int, lap: int) -> pd.DataFrame:
    _, seconds, repeats = _ASKED if lap else _OPENING
    device = devices()[0]

    def make(progress: Progress) -> pd.DataFrame:
        generator = torch.Generator(device=device).manual_seed(0)
        return measure(sizes, generator=generator, repeats=repeats, seconds=seconds, progress=progress)

    return computed(("costs", device, heads, d_k, lap), make)


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


def _memory(table: pd.DataFrame) -> Chart:
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
    return Chart("costs-memory", say("costs.measured.memory"), series, x, y, note)
