"""What wide scores do to softmax: the largest weight, how many keys count, how much gradient it lets through."""

import math

import pandas as pd

from attention.experiments.saturation import approximations, knee, saturation
from attention.scales import BY_D_K
from pages.shell import component
from pages.shell.component.chart import Axis, Chart, Series
from pages.shell.i18n import say
from pages.shell.i18n.numbers import digits, share
from pages.shell.layout import page
from pages.shell.layout.rows import row
from pages.shell.layout.widgets import widgets
from pages.shell.runs.results import computed
from pages.shell.sections.scaling import common, deeper, jacobian
from pages.shell.state.page_controls import Laboratory

ROWS = 2000


def section() -> None:
    figures = ("largest", "entropy", "effective", "jacobian", "matching")
    with deeper.heading("saturation", ("keys",), figures) as is_open:
        widgets("keys")
        with page.predict("top", "quarter", "half", "most"):
            if is_open:
                _figures()


@row
def _figures() -> None:
    lab = Laboratory.current()
    keys = int(lab.keys)
    table = computed(
        ("saturation", keys, lab.lab_seed, lab.correlation),
        lambda progress: saturation(
            common.D_KS,
            keys,
            ROWS,
            generator=common.generator(lab.lab_seed),
            correlation=lab.correlation,
            scales=BY_D_K if lab.correlation else BY_D_K[:2],
            progress=progress,
        ),
    )
    component.row("plot-saturation", _largest(lab, table), _entropy(lab, table), _effective(lab, table))
    norms = jacobian.chart(lab, table, _series(table, "jacobian"))
    component.row("plot-jacobian", norms, *([_matching(lab, table)] if lab.correlation else []))


def _series(table: pd.DataFrame, quantity: str) -> list[Series]:
    return [common.quantile_series(table, quantity, scale) for scale in BY_D_K if scale in set(table["scale"])]


def _means(table: pd.DataFrame, quantity: str) -> list[Series]:
    """The medians, and the means that the note and the lectures quote."""
    return [
        *_series(table, quantity),
        *(common.mean_series(table, quantity, scale) for scale in BY_D_K if scale in set(table["scale"])),
    ]


def _marks(lab: Laboratory) -> list[tuple[float, str]]:
    return [(knee(int(lab.keys)), say("lab.saturation.knee")), (int(lab.d), f"d_k = {lab.d}")]


def _approximation(lab: Laboratory, quantity: str) -> list[Series]:
    """What scaled scores, of variance 1, should give if that were small; there is a correlation for which it is not."""
    if lab.correlation:
        return []
    (value,) = approximations([1.0], int(lab.keys))[quantity]
    name, ends = say(f"lab.saturation.small.{quantity}"), (common.D_KS[0], common.D_KS[-1])
    return [Series(name, ends, (value, value), "theory", colour=common.COLOURS["sqrt_d_k"])]


def _largest(lab: Laboratory, table: pd.DataFrame) -> Chart:
    raw, scaled = common.raw_and_scaled(lab, table, "largest", "mean")
    frozen = common.value(table, "mean", quantity="frozen", scale="none", d_k=int(lab.d))
    note = say("lab.saturation.largest_note", d=lab.d, keys=lab.keys, raw=raw, scaled=scaled, frozen=share(frozen))
    x, y = common.d_k_axis(), Axis(say("lab.axis.largest"), range=(0, 1.02))
    title = say("lab.saturation.largest")
    return Chart("largest", title, _means(table, "largest"), x, y, note, marks=_marks(lab))


def _entropy(lab: Laboratory, table: pd.DataFrame) -> Chart:
    raw, scaled = common.raw_and_scaled(lab, table, "entropy", "median")
    most = math.log(int(lab.keys))
    note = say("lab.saturation.entropy_note", d=lab.d, keys=lab.keys, raw=raw, scaled=scaled, most=digits(most))
    x, y = common.d_k_axis(), Axis(say("lab.axis.entropy"), range=(0, 1.05 * most))
    series = [*_series(table, "entropy"), *_approximation(lab, "entropy")]
    return Chart("entropy", say("lab.saturation.entropy"), series, x, y, note, marks=_marks(lab))


def _effective(lab: Laboratory, table: pd.DataFrame) -> Chart:
    raw, scaled = common.raw_and_scaled(lab, table, "effective", "mean")
    frozen = digits(knee(int(lab.keys)))
    note = say("lab.saturation.effective_note", d=lab.d, keys=lab.keys, raw=raw, scaled=scaled, knee=frozen)
    x, y = common.d_k_axis(), Axis(say("lab.axis.effective"))
    series = [*_means(table, "effective"), *_approximation(lab, "effective")]
    return Chart("effective", say("lab.saturation.effective"), series, x, y, note, marks=_marks(lab))


def _matching(lab: Laboratory, table: pd.DataFrame) -> Chart:
    """Where q and k are correlated, the weight of the one key that belongs to the query."""
    raw, scaled = common.raw_and_scaled(lab, table, "matching", "mean")
    cold = common.value(table, "mean", quantity="matching", scale="d_k", d_k=int(lab.d))
    note = say(
        "lab.saturation.matching_note", rho=f"{lab.correlation:g}", d=lab.d, raw=raw, scaled=scaled, cold=digits(cold)
    )
    x, y = common.d_k_axis(), Axis(say("lab.axis.matching"), range=(0, 1.02))
    return Chart("matching", say("lab.saturation.matching"), _means(table, "matching"), x, y, note)
