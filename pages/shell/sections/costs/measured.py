"""Time and memory of attention as this server measures them: a little when the page opens, more when it is asked.

The buttons stand beside the row that measures, so that a press ends a measurement that is under way.
"""

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
from pages.shell.state.page_controls import Costs

_LAP = "costs-lap"
# The longest text, the seconds and the repetitions, when the page opens and when somebody asks for more.
_OPENING, _ASKED = (512, 2.0, 3), (2048, 10.0, 7)
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
def charts(lap: int) -> None:
    """Time and memory against n, time against d_k and heads."""
    chosen, lap = Costs.current(), max(lap, 0)
    heads, d_k = int(chosen.cost_heads), int(chosen.cost_d_k)
    wanted, seconds = _sizes(heads, d_k, bool(lap)), (_ASKED if lap else _OPENING)[1]
    table = _measured(wanted, heads, d_k, lap)
    along_n = table[(table["heads"] == heads) & (table["d_k"] == d_k)]
    component.row("plot-costs-n", _time(along_n, "n"), _memory(along_n))
    along_d_k = table[(table["n"] == _N_OF_D_K) & (table["heads"] == heads)]
    along_heads = table[(table["n"] == _N_OF_HEADS) & (table["d_k"] == d_k)]
    sweeps = {"d_k": along_d_k, "heads": along_heads}
    # On a busy machine the time may be up before them.
    drawn = [_time(found, along) for along, found in sweeps.items() if not found.empty]
    component.row("plot-costs-sizes", *drawn)
    left = len(wanted) - len(table[["n", "heads", "d_k"]].drop_duplicates())
    if left:
        st.caption(say("costs.measured.left_out", count=left, all=len(wanted), seconds=f"{seconds:.0f}"))
    last = along_n[along_n["n"] == along_n["n"].max()].set_index("path")
    ratio, less = (digits(float(last.loc["plain", of] / last.loc["fused", of]), 2) for of in ("seconds", "bytes"))
    st.markdown(say("costs.measured.wrong", n=f"{int(along_n['n'].max()):,}", ratio=ratio, less=less))


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
