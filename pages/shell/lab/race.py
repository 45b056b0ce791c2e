"""The race: heads that differ in their scale alone learn while one looks on.

A run of the page trains for a moment; the browser, when it has drawn that, asks for the next run. Others wait
for a turn at most, and what is finished is kept for all visitors.
"""

import threading
import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field, replace

import pandas as pd
import streamlit as st

from attention.race import SYMBOLS, Race, State, curves, train
from attention.scales import BY_D_K
from pages.shell import plot, show
from pages.shell.computed import results
from pages.shell.digits import digits, share
from pages.shell.lab import common
from pages.shell.own import Laboratory
from pages.shell.plot.chart import Axis, Chart, Series
from pages.shell.text import listed, say
from pages.shell.turns import turn
from pages.shell.wanted import want
from pages.shell.widgets import widgets

# Seconds of training in one run of the page.
TURN = 0.25
# Seconds for which those who look at the same training as others wait before they draw how far it is.
LOOK = 1.0
_REPLAY, _STOPPED = "race_replay", "race_stopped"
_TWIN = "twin"
# The honest limits: what they set.
LIMITS = {
    "default": {"race_d": "256", "race_lr": "1", "race_optimiser": "sgd", "race_steps": "100", "race_twin": False},
    "small_d": {"race_d": "4", "race_lr": "1", "race_optimiser": "sgd", "race_steps": "100", "race_twin": False},
    "small_step": {"race_d": "256", "race_lr": "0.1", "race_optimiser": "sgd", "race_steps": "500", "race_twin": False},
    "adam": {"race_d": "256", "race_lr": "0.001", "race_optimiser": "adam", "race_steps": "200", "race_twin": False},
    "twin": {"race_d": "256", "race_lr": "1", "race_optimiser": "sgd", "race_steps": "100", "race_twin": True},
}


@dataclass
class _Running:
    """Races that are under way, in step with each other; all who look at them share one training."""

    races: tuple[Race, ...]
    runs: list[Iterator[State]]
    states: dict[Race, list[State]]
    turn: threading.Lock = field(default_factory=threading.Lock)

    @classmethod
    def of(cls, races: tuple[Race, ...]) -> "_Running":
        return cls(races, [train(race) for race in races], {race: [] for race in races})

    @property
    def done(self) -> bool:
        return all(len(self.states[race]) > race.steps for race in self.races)

    def advance(self, waiting: Callable[[], object]) -> None:
        """Train for a turn, at least one step of each. waiting: called while others compute.

        Another visitor, or a run that was interrupted, may be in a turn of the same training: after a while there is
        nothing to do but to draw how far it is.
        """
        if not self.turn.acquire(timeout=LOOK):
            return
        try:
            with turn(waiting):
                self._train()
        finally:
            self.turn.release()

    def _train(self) -> None:
        end = time.monotonic() + TURN
        while not self.done:
            for race, run in zip(self.races, self.runs, strict=True):
                self.states[race].append(next(run))
            if time.monotonic() > end:
                return


def section() -> None:
    common.head("race")
    show.predict("race", "none_learns", "all", "slower")
    with st.container(horizontal=True):
        for name, values in LIMITS.items():
            st.button(say(f"lab.race.limit.{name}"), key=f"limit-{name}", on_click=want, args=(values,))
    widgets("race_d", "race_lr", "race_optimiser", "race_steps", "race_seeds", "race_twin")
    lab = Laboratory.current()
    races = _races(lab)
    _lap(races, _started(races), lab)


def _races(lab: Laboratory) -> tuple[Race, ...]:
    first = Race(d_k=int(lab.race_d), steps=int(lab.race_steps), optimiser=lab.race_optimiser, lr=float(lab.race_lr))
    runners = [replace(first, scale=scale) for scale in BY_D_K]
    if lab.race_twin:
        runners.append(replace(first, scale="none", small_weights=True, small_step=True))
    return tuple(replace(runner, seed=seed) for seed in range(lab.race_seeds) for runner in runners)


def _started(races: tuple[Race, ...]) -> _Running | None:
    """The training of those races that nobody has finished yet; None where there is nothing left to do."""
    replay: _Running | None = st.session_state.get(_REPLAY)
    if replay is not None and replay.races == races:
        return replay
    st.session_state.pop(_REPLAY, None)
    missing = tuple(race for race in races if results("races").get(race) is None)
    if not missing:
        return None
    under_way = results("running")
    running: _Running = under_way.get(missing) or _Running.of(missing)
    under_way.keep(missing, running)
    return running


def _lap(races: tuple[Race, ...], running: _Running | None, lab: Laboratory) -> None:
    """One turn of training and the curves so far."""
    stopped, place = st.session_state.get(_STOPPED) == races, st.empty()
    if running is not None and not stopped:
        running.advance(lambda: place.progress(0.0, say("lab.waiting")))
        place.empty()
        if running.done:
            _finish(running)
    states: dict[Race, Sequence[State]] = {
        race: running.states[race] if running and race in running.states else _kept(race) for race in races
    }
    _buttons(races, running, stopped)
    table = curves(states)
    plot.row("plot-race", _chart(table, "accuracy", lab), _chart(table, "loss", lab))
    if lab.race_twin:
        _twin(table)
    if running is not None and not (stopped or running.done):
        plot.again("race-lap", sum(map(len, running.states.values())))


def _finish(running: _Running) -> None:
    for race, trained in running.states.items():
        results("races").keep(race, tuple(trained))
    # The heads are no longer needed, and the store would keep them.
    running.runs.clear()
    st.session_state.pop(_REPLAY, None)


def _kept(race: Race) -> tuple[State, ...]:
    return results("races").get(race) or ()


def _buttons(races: tuple[Race, ...], running: _Running | None, stopped: bool) -> None:
    """How far the training is, and what can be done about it."""
    steps = races[0].steps
    done = min(steps, *map(len, running.states.values())) if running else steps
    with st.container(horizontal=True, vertical_alignment="center"):
        st.progress(done / steps, say("lab.race.progress", done=done, steps=steps, runs=len(races)))
        if running is None or running.done:
            st.button(say("lab.race.again"), key="race-again", on_click=_replay, args=(races,))
        else:
            label, then = ("go_on", None) if stopped else ("stop", races)
            st.button(say(f"lab.race.button.{label}"), key="race-stop", on_click=_stop, args=(then,))


def _replay(races: tuple[Race, ...]) -> None:
    st.session_state[_REPLAY] = _Running.of(races)
    _stop(None)


def _stop(races: tuple[Race, ...] | None) -> None:
    st.session_state[_STOPPED] = races


def _runner(table: pd.DataFrame) -> pd.Series:
    return table["scale"].where(~table["small_step"], _TWIN)


def _name(runner: str) -> str:
    return say("lab.race.twin") if runner == _TWIN else common.scale_name(runner)


def _chart(table: pd.DataFrame, column: str, lab: Laboratory) -> Chart:
    x = Axis(say("lab.axis.step"), range=(0, int(lab.race_steps)))
    y = Axis(say(f"lab.axis.race.{column}"), range=(0, 1.02) if column == "accuracy" else None)
    title = say(f"lab.race.chart.{column}")
    if table.empty:
        return Chart(column, title, [], x, y, "")
    measured = table.assign(runner=_runner(table)).dropna(subset=column)
    series, ends = [], {}
    for runner in (*BY_D_K, _TWIN):
        own = measured[measured["runner"] == runner].groupby("step")[column]
        if not own.ngroups:
            continue
        mean, low, high = own.mean(), own.min(), own.max()
        ends[runner] = (mean.iloc[-1], low.iloc[-1], high.iloc[-1])
        colour = common.COLOURS.get(runner, 3)
        series.append(Series(_name(runner), mean.index, mean, low=low, high=high, colour=colour, dash=colour))
    return Chart(column, title, series, x, y, _note(column, ends, int(measured["step"].max()), lab))


def _note(column: str, ends: dict[str, tuple[float, float, float]], step: int, lab: Laboratory) -> str:
    written = share if column == "accuracy" else digits
    parts = [
        say("lab.race.end", name=_name(runner), mean=written(mean), low=written(low), high=written(high))
        for runner, (mean, low, high) in ends.items()
    ]
    said = say("lab.race.note", step=step, seeds=lab.race_seeds, parts=listed("semicolon", parts))
    if column != "accuracy":
        return said
    return listed("sentence", (said, say("lab.race.chance", chance=share(1 / SYMBOLS))))


def _twin(table: pd.DataFrame) -> None:
    """How far the unscaled head with smaller weights and a smaller step is from the scaled one: the same numbers."""
    losses = table.assign(runner=_runner(table)).pivot_table(index=["seed", "step"], columns="runner", values="loss")
    if {_TWIN, "sqrt_d_k"} <= set(losses):
        difference = (losses[_TWIN] - losses["sqrt_d_k"]).abs().max()
        st.markdown(say("lab.race.twin_note", difference=digits(difference, 2)))
