"""How far dot products spread as d_k grows: one draw for every d_k, beside the theory, with honest error bars."""

import math

import numpy as np
import pandas as pd
import streamlit as st

from attention.experiments.score_matrices import error_bars, matrices, two_by_two
from attention.experiments.variance import Sweep, histograms, sweep, variances
from pages.shell import component
from pages.shell.component.chart import Axis, Chart, Series
from pages.shell.i18n import listed, say
from pages.shell.i18n.numbers import digits, share
from pages.shell.layout import page
from pages.shell.layout.rows import row
from pages.shell.layout.widgets import widgets
from pages.shell.runs.results import computed
from pages.shell.sections.scaling import common, deeper, derivation, theory
from pages.shell.state.page_controls import Laboratory

# Of a normal error, 95 % lie within two standard errors.
WITHIN = 2
REPEATS = 50
PUZZLED, DRAWS = 1.6, 20_000


def section() -> None:
    drawn = ("samples", "distribution", "correlation", "lab_seed")
    of_entries = ("sigma_q", "sigma_k", "mu_q", "mu_k")
    with deeper.heading("variance", (*drawn, *of_entries, "matrix"), ("matrix", "two_by_two")) as is_open:
        widgets(*drawn)
        widgets(*of_entries)
        if is_open:
            _drift()
            derivation.lines()
        widgets("matrix")
        if is_open:
            _one_matrix()
        with page.predict("refuted", "wrong", "stands", "unlucky"):
            if is_open:
                _four()


def swept(lab: Laboratory) -> Sweep:
    return computed(
        ("sweep", lab.pairs, lab.samples, lab.lab_seed),
        lambda progress: sweep(
            lab.pairs, common.D_KS, int(lab.samples), generator=common.generator(lab.lab_seed), progress=progress
        ),
    )


@row
def _drift() -> None:
    lab = Laboratory.current()
    theory.drift(lab.pairs, int(lab.d), variances(swept(lab)))


@row
def _one_matrix() -> None:
    lab = Laboratory.current()
    if lab.matrix:
        _matrix(lab)


@row
def _four() -> None:
    component.row("plot-two_by_two", _two_by_two(Laboratory.current()))


def growth(lab: Laboratory, table: pd.DataFrame) -> Chart:
    series = []
    for scale in ("none", "sqrt_d_k"):
        rows, colour = table[table["scale"] == scale], common.COLOURS[scale]
        measured, error = rows["variance"].to_numpy(), WITHIN * rows["variance_error"].to_numpy()
        known = bool(np.isfinite(error).all())
        # A logarithm has no place for an end at or below 0.
        low = np.maximum(measured - error, measured / 100) if known else None
        name = common.scale_name(scale)
        expected = say("lab.variance.theory", scale=name)
        line = Series(expected, rows["d_k"], rows["variance_theory"], "theory", colour=colour)
        dots = Series(
            name, rows["d_k"], measured, "dots", low=low, high=measured + error if known else None, colour=colour
        )
        series += [line, dots]
    return Chart(
        "variance",
        say("lab.variance.growth"),
        series,
        common.d_k_axis(),
        Axis(say("lab.axis.variance"), log=True),
        _growth_note(lab, table),
        marks=[(int(lab.d), f"d_k = {lab.d}")],
    )


def _growth_note(lab: Laboratory, table: pd.DataFrame) -> str:
    raw = table[table["scale"] == "none"]
    off = (raw["variance"] - raw["variance_theory"]).abs() / raw["variance_error"]
    d = int(lab.d)
    here = common.value(raw, "variance", d_k=d)
    said = say(
        "lab.variance.here",
        d=d,
        measured=digits(here),
        theory=digits(common.value(raw, "variance_theory", d_k=d)),
        scaled=digits(here / d),
    )
    if d >= 4:
        factor = math.sqrt(here / common.value(raw, "variance", d_k=d // 4))
        said = listed("sentence", (said, say("lab.variance.factor", low=d // 4, high=d, factor=digits(factor))))
    if not np.isfinite(off).all() or not raw["variance_error"].map(math.isfinite).all():
        return listed("sentence", (said, say("lab.variance.no_band")))
    within = say("lab.variance.within", inside=int((off <= WITHIN).sum()), all=len(raw))
    return listed("sentence", (said, within))


def histogram(lab: Laboratory, swept: Sweep) -> Chart:
    d = int(lab.d)
    table = histograms(swept, d)
    centres = (table["left"] + table["right"]) / 2
    series = [
        Series(
            common.scale_name(scale), centres, table[scale] / table[scale].max(), "bars", colour=common.COLOURS[scale]
        )
        for scale in ("none", "sqrt_d_k")
    ]
    raw = swept.at(d).double()
    note = say(
        "lab.variance.histogram_note",
        d=d,
        raw=digits(raw.std().item()),
        scaled=digits(raw.std().item() / math.sqrt(d)),
        largest=digits(raw[raw.abs().argmax()].item()),
    )
    x, y = Axis(say("lab.axis.score")), Axis(say("lab.axis.share_of_highest"))
    return Chart("histogram", say("lab.variance.histogram"), series, x, y, note)


def _matrix(lab: Laboratory) -> None:
    """The same number of scores out of one matrix: how wrong an error bar is that takes them for independent."""
    if lab.correlation:
        st.info(say("lab.variance.no_pairs"), icon=":material/info:")
        return
    side = round(math.sqrt(int(lab.samples)))
    table = computed(
        ("matrices", lab.pairs, side, lab.lab_seed),
        lambda progress: error_bars(
            matrices(lab.pairs, common.D_KS, side, side, REPEATS, generator=common.generator(lab.lab_seed))
        ),
    )
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
        side=side,
        naive=share(common.value(table, "within_naive", d_k=d)),
        exact=share(common.value(table, "within_exact", d_k=d)),
    )
    x, y = common.d_k_axis(), Axis(say("lab.axis.relative_error"), log=True)
    component.row("plot-matrix", Chart("matrix", say("lab.variance.matrix"), series, x, y, note))


def _two_by_two(lab: Laboratory) -> Chart:
    drawn = two_by_two(DRAWS, generator=common.generator(lab.lab_seed))["variance"]
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
