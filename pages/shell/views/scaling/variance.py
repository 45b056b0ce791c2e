"""The spread of dot products as d_k grows: one draw for each d_k, beside the theory, with honest error bars."""

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache
from typing import Any

import numpy as np
import pandas as pd

from attention.experiments.score_matrices import error_bars, matrices
from attention.experiments.score_matrices import two_by_two as small
from attention.experiments.variance import Sweep, sweep, variances
from attention.scales import BY_D_K
from pages.shell.component.chart import Axis, Chart, Series
from pages.shell.i18n import say
from pages.shell.i18n.numbers import digits, share
from pages.shell.runs.results import Experiment, Progress
from pages.shell.screen import Screen
from pages.shell.state.page_controls import Laboratory
from pages.shell.views import blocks
from pages.shell.views.blocks import Block
from pages.shell.views.registry import named
from pages.shell.views.scaling import common, line_names, row, rows
from pages.shell.views.waiting import result

# 95 % of normal errors lie within two standard errors.
WITHIN = 2
REPEATS = 50
PUZZLED, DRAWS = 1.6, 20_000


@dataclass(frozen=True)
class Drawn:
    """The products of one draw for each d_k, and their spread."""

    sweep: Sweep
    variances: pd.DataFrame


def drawn(lab: Laboratory) -> Experiment[Drawn]:
    def made(progress: Progress) -> Drawn:
        seed = common.generator(lab.lab_seed)
        swept = sweep(lab.pairs, common.D_KS, int(lab.samples), generator=seed, progress=progress)
        return Drawn(swept, variances(swept, BY_D_K))

    return Experiment(("sweep", lab.pairs, lab.samples, lab.lab_seed), made)


def growth(lab: Laboratory, table: pd.DataFrame, scales: Sequence[str]) -> Chart:
    """Fixed lines with their law; the slider moves the mark and its text."""
    series = []
    last = common.reach(lab)
    for scale in scales:
        of_scale, colour = table[table["scale"] == scale], common.COLOURS[scale]
        measured, error = of_scale["variance"].to_numpy(), WITHIN * of_scale["variance_error"].to_numpy()
        known = bool(np.isfinite(error).all())
        # A logarithm has no place for a bar's end at or below 0.
        low = np.maximum(measured - error, measured / 100) if known else None
        name = common.scale_name(scale)
        expected = say("lab.variance.theory", scale=name)
        theory = of_scale["variance_theory"].to_numpy()
        words = line_names.on_line(scale, of_scale, last, bool(lab.log_axes))
        line = Series(expected, of_scale["d_k"], theory, "theory", colour=colour, said=words)
        high = measured + error if known else None
        dots = Series(
            name, of_scale["d_k"], measured, "dots", low=low, high=high, colour=colour, is_listed=words is None
        )
        # On an axis that does not double, dots of the third way would hide those of the second.
        series += [line] if scale == "d_k" else [line, dots]
    # The ends cover all d_k, so that they stay while the slider moves.
    seen = table[(table["d_k"] <= last) & table["scale"].isin(scales)]
    known = np.where(np.isfinite(seen["variance_theory"]), seen["variance_theory"], seen["variance"])
    x, y = common.d_k_axis(), Axis(say("lab.axis.variance"), log=True)
    if lab.log_axes:
        x, y = replace(x, range=(0.8, 1.25 * last)), replace(y, range=(known.min() / 2, 2 * known.max()), ticks=x.ticks)
    else:
        x, y = (
            replace(x, log=False, ticks=None, range=(0, 1.02 * last)),
            replace(y, log=False, range=(0, 1.15 * known.max())),
        )
    return Chart(
        "variance",
        say("lab.variance.growth"),
        series,
        x,
        y,
        _here(lab, table),
        marks=[(int(lab.d), f"dₖ = {lab.d}")],
        light=True,
    )


def _here(lab: Laboratory, table: pd.DataFrame) -> str:
    here = common.value(table[table["scale"] == "none"], "variance", d_k=int(lab.d))
    return say("lab.variance.here", d=lab.d, measured=digits(here))


@named("scaling.error_bars")
def bars(screen: Screen) -> Iterator[Block]:
    """The number of draws for the first screen, the meaning of its error bars, and how many dots lie within them."""
    lab = screen.own(Laboratory)
    table, (low, high) = result(drawn(lab)).variances, rows.divided(lab, result(rows.drawn(lab)))
    counts: dict[str, Any] = {
        "count": f"{int(lab.samples):,}",
        "rows": rows.ROWS,
        "keys": len(row.WORDS),
        "last": common.reach(lab),
    }
    yield blocks.text(say("lab.variance.counts", **counts, low=share(low), high=share(high)))
    raw = table[table["scale"] == "none"]
    off = (raw["variance"] - raw["variance_theory"]).abs() / raw["variance_error"]
    if np.isfinite(off).all() and raw["variance_error"].map(math.isfinite).all():
        yield blocks.text(say("lab.variance.within", inside=int((off <= WITHIN).sum()), all=len(raw)))
    else:
        yield blocks.text(say("lab.variance.no_band"))


def of_matrices(lab: Laboratory) -> Experiment[pd.DataFrame] | None:
    """The error of an error bar that takes as many scores from one matrix for independent. None if it is not chosen, or
    if there is a correlation, which a matrix has no pairs for."""
    if not lab.matrix or lab.correlation:
        return None
    side = _side(lab)
    return Experiment(
        ("matrices", lab.pairs, side, lab.lab_seed),
        lambda progress: error_bars(
            matrices(lab.pairs, common.D_KS, side, side, REPEATS, generator=common.generator(lab.lab_seed))
        ),
    )


def _side(lab: Laboratory) -> int:
    return round(math.sqrt(int(lab.samples)))


@named("scaling.matrix")
def matrix(screen: Screen) -> Iterator[Block]:
    lab = screen.own(Laboratory)
    experiment = of_matrices(lab)
    if experiment is not None:
        yield blocks.figures(_error_bars(lab, result(experiment)))
    elif lab.matrix:
        yield blocks.note(say("lab.variance.no_pairs"), "info")


def _error_bars(lab: Laboratory, table: pd.DataFrame) -> Chart:
    relative = {name: table[name] / table["variance_theory"] for name in ("scatter", "naive", "exact")}
    series = [
        Series(say("lab.variance.scatter"), table["d_k"], relative["scatter"], "dots", colour=3),
        Series(say("lab.variance.naive"), table["d_k"], relative["naive"], colour=1, dash=1),
        Series(say("lab.variance.exact"), table["d_k"], relative["exact"], colour=0),
    ]
    d = int(lab.d)
    note = say(
        "lab.variance.matrix_note",
        d=d,
        count=REPEATS,
        side=_side(lab),
        naive=share(common.value(table, "within_naive", d_k=d)),
        exact=share(common.value(table, "within_exact", d_k=d)),
    )
    x, y = common.d_k_axis(), Axis(say("lab.axis.relative_error"), log=True)
    return Chart("matrix", say("lab.variance.matrix"), series, x, y, note)


@named("scaling.two_by_two")
def four(screen: Screen) -> Iterator[Block]:
    yield blocks.figures(_two_by_two(screen.own(Laboratory)))


@lru_cache(maxsize=64)
def _small(seed: int) -> pd.Series:
    """The variances of four scores each; they take 5 ms."""
    return small(DRAWS, generator=common.generator(seed))["variance"]


def _two_by_two(lab: Laboratory) -> Chart:
    drawn = _small(lab.lab_seed)
    counts, edges = np.histogram(drawn, bins=32, range=(0, 8))
    series = [Series(say("lab.variance.draws"), (edges[:-1] + edges[1:]) / 2, counts, "bars", colour=3)]
    note = say(
        "lab.variance.two_by_two_note",
        share=share((drawn <= PUZZLED).mean()),
        puzzled=PUZZLED,
        mean=digits(drawn.mean()),
        error=digits(WITHIN * drawn.std() / math.sqrt(len(drawn)), 2),
        median=digits(drawn.median()),
        beyond=int((drawn > edges[-1]).sum()),
        all=f"{DRAWS:,}",
    )
    x, y = Axis(say("lab.axis.sample_variance"), range=(0, 8)), Axis(say("lab.axis.draws"))
    marks = [(PUZZLED, f"{PUZZLED}"), (2.0, say("lab.variance.two"))]
    return Chart("two_by_two", say("lab.variance.two_by_two"), series, x, y, note, marks=marks)
