"""The curves of the race and their texts: the progress of each kind of head, and the seeds that diverged."""

import numpy as np
import pandas as pd

from attention.experiments.race import SYMBOLS
from attention.scales import BY_D_K
from pages.shell.component.chart import Axis, Chart, Series
from pages.shell.i18n import listed, say
from pages.shell.i18n.numbers import digits, share
from pages.shell.state.page_controls import Laboratory
from pages.shell.views.scaling import common

_TWIN = "twin"
# Losses that differ by more look like two runs in the curves.
_PARTED = 0.001
# A larger loss would hide the others on an axis that is not logarithmic.
_HUGE = 100


def chart(table: pd.DataFrame, column: str, lab: Laboratory) -> Chart:
    """A column of `attention.experiments.race.curves`, up to the step where all seeds of a kind of head have finite
    numbers."""
    series, ends, highest = [], {}, 0.0
    for runner, own in _runners(table).items():
        found = own[np.isfinite(own[column])].groupby("step")[column]
        steps = found.agg(["mean", "min", "max"])[found.count() == lab.race_seeds]
        if steps.empty:
            continue
        # Both charts refer to one step, and the accuracy is not measured at each.
        measured = own.dropna(subset=["accuracy"]).groupby("step").size() == lab.race_seeds
        if len(both := steps.index.intersection(measured.index[measured])):
            ends[runner] = steps.loc[both[-1]]
        highest = max(highest, float(steps["max"].iloc[-1]))
        colour = common.COLOURS.get(runner, 3)
        lines = {"low": steps["min"], "high": steps["max"], "colour": colour, "dash": colour}
        series.append(Series(_name(runner), steps.index, steps["mean"], **lines))
    x = Axis(say("lab.axis.step"), range=(0, int(lab.race_steps)))
    exploded = column == "loss" and highest > _HUGE
    y = Axis(say(f"lab.axis.race.{column}"), log=exploded, range=(0, 1.02) if column == "accuracy" else None)
    said = [*_reached(column, ends, lab), *_diverged(table, lab)]
    if column == "accuracy":
        said.append(say("lab.race.chance", chance=share(1 / SYMBOLS)))
    return Chart(column, say(f"lab.race.chart.{column}"), series, x, y, listed("sentence", said))


def twin(table: pd.DataFrame) -> str:
    """The distance of the unscaled head with smaller weights and a smaller step from the scaled one; "" before both
    have numbers.

    By plain gradient descent it is the same head, but rounding may part the two: at d_k 4 and 8, with a step of 1, a
    difference in the last digit grows tenfold every few steps, in float64 as well.
    """
    runners = _runners(table)
    losses = {runner: own.set_index(["seed", "step"])["loss"] for runner, own in runners.items()}
    apart = (losses[_TWIN] - losses["sqrt_d_k"]).abs()
    apart = apart[np.isfinite(apart)]
    if apart.empty:
        return ""
    by_step = apart.groupby("step").max()
    said = [say("lab.race.twin_note", step=by_step.index[-1], difference=digits(by_step.max(), 2))]
    parted = by_step.index[by_step > _PARTED]
    if (table["optimiser"] == "adam").any():
        said.append(say("lab.race.twin_adam"))
    else:
        said.append(say("lab.race.twin_same"))
        said += [say("lab.race.twin_parted", step=step, apart=_PARTED) for step in parted[:1]]
    return listed("sentence", said)


def _runners(table: pd.DataFrame) -> dict[str, pd.DataFrame]:
    """The states of each kind of head: the scales, and the twin of the scaled one."""
    own = {scale: table[(table["scale"] == scale) & ~table["small_step"]] for scale in BY_D_K}
    return own | {_TWIN: table[table["small_step"]]}


def _name(runner: str) -> str:
    return say("lab.race.twin") if runner == _TWIN else common.scale_name(runner)


def _reached(column: str, ends: dict[str, pd.Series], lab: Laboratory) -> list[str]:
    """The ends of the curves, grouped by step."""
    if not ends:
        return [say("lab.race.not_yet", seeds=lab.race_seeds)]
    written = share if column == "accuracy" else digits
    by_step: dict[int, list[str]] = {}
    for runner, end in ends.items():
        numbers = {"mean": written(end["mean"]), "low": written(end["min"]), "high": written(end["max"])}
        by_step.setdefault(int(end.name), []).append(say("lab.race.end", name=_name(runner), **numbers))
    return [
        say("lab.race.note", step=step, seeds=lab.race_seeds, parts=listed("semicolon", parts))
        for step, parts in by_step.items()
    ]


def _diverged(table: pd.DataFrame, lab: Laboratory) -> list[str]:
    """The kinds of heads whose loss stops being a number under some of the seeds."""
    parts = []
    for runner, own in _runners(table).items():
        first = own[~np.isfinite(own["loss"])].groupby("seed")["step"].min()
        if len(first):
            numbers = {"count": len(first), "seeds": lab.race_seeds, "step": first.min()}
            parts.append(say("lab.race.diverged_seeds", name=_name(runner), **numbers))
    return [say("lab.race.diverged", parts=listed("semicolon", parts))] if parts else []
