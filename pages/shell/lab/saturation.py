"""What wide scores do to softmax: the largest weight, how many keys count, how much gradient it lets by."""

import pandas as pd

from attention.saturation import crossover, knee, saturation
from attention.scales import BY_D_K
from pages.shell import plot, show
from pages.shell.computed import computed
from pages.shell.digits import digits, share
from pages.shell.lab import common
from pages.shell.own import Laboratory
from pages.shell.plot.chart import Axis, Chart, Series
from pages.shell.text import listed, say
from pages.shell.widgets import widgets

ROWS = 2000
# Smaller norms are rounding in some weights, and nobody reads them off a chart.
_SMALLEST = 1e-8


def section() -> None:
    common.head("saturation")
    show.predict("top", "quarter", "half", "most")
    widgets("keys")
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
    plot.row("plot-saturation", _largest(lab, table), _effective(lab, table))
    plot.row("plot-jacobian", _jacobian(lab, table), *([_matching(lab, table)] if lab.correlation else []))


def _series(table: pd.DataFrame, quantity: str) -> list[Series]:
    return [common.quantile_series(table, quantity, scale) for scale in BY_D_K if scale in set(table["scale"])]


def _marks(lab: Laboratory) -> list[tuple[float, str]]:
    return [(knee(int(lab.keys)), say("lab.saturation.knee")), (int(lab.d), f"d_k = {lab.d}")]


def _at(lab: Laboratory, table: pd.DataFrame, quantity: str, statistic: str = "median") -> tuple[str, str]:
    raw, scaled = (
        digits(common.value(table, statistic, quantity=quantity, scale=scale, d_k=int(lab.d)))
        for scale in ("none", "sqrt_d_k")
    )
    return raw, scaled


def _largest(lab: Laboratory, table: pd.DataFrame) -> Chart:
    raw, scaled = _at(lab, table, "largest", "mean")
    frozen = common.value(table, "mean", quantity="frozen", scale="none", d_k=int(lab.d))
    note = say("lab.saturation.largest_note", d=lab.d, keys=lab.keys, raw=raw, scaled=scaled, frozen=share(frozen))
    x, y = common.d_k_axis(), Axis(say("lab.axis.largest"), range=(0, 1.02))
    title = say("lab.saturation.largest")
    return Chart("largest", title, _series(table, "largest"), x, y, note, marks=_marks(lab))


def _effective(lab: Laboratory, table: pd.DataFrame) -> Chart:
    raw, scaled = _at(lab, table, "effective", "mean")
    entropy, even = _at(lab, table, "entropy", "mean")
    note = say(
        "lab.saturation.effective_note",
        d=lab.d,
        keys=lab.keys,
        raw=raw,
        scaled=scaled,
        entropy=entropy,
        even=even,
        knee=digits(knee(int(lab.keys))),
    )
    x, y = common.d_k_axis(), Axis(say("lab.axis.effective"))
    title = say("lab.saturation.effective")
    return Chart("effective", title, _series(table, "effective"), x, y, note, marks=_marks(lab))


def _jacobian(lab: Laboratory, table: pd.DataFrame) -> Chart:
    mean, median = (crossover(table, statistic) for statistic in ("mean", "median"))
    raw, scaled = _at(lab, table, "jacobian")
    said = [say("lab.saturation.jacobian_note", d=lab.d, raw=raw, scaled=scaled)]
    if mean is None or median is None:
        said.append(say("lab.saturation.no_crossover", last=common.D_KS[-1]))
    else:
        said.append(say("lab.saturation.crossover", keys=lab.keys, mean=mean, median=median))
    x, y = common.d_k_axis(), Axis(say("lab.axis.jacobian"), log=True, range=(_SMALLEST, 1))
    title = say("lab.saturation.jacobian")
    marks = [(mean, say("lab.saturation.crossing"))] if mean else []
    return Chart("jacobian", title, _series(table, "jacobian"), x, y, listed("sentence", said), marks=marks)


def _matching(lab: Laboratory, table: pd.DataFrame) -> Chart:
    """Where q and k are correlated, the weight of the one key that belongs to the query."""
    raw, scaled = _at(lab, table, "matching", "mean")
    cold = common.value(table, "mean", quantity="matching", scale="d_k", d_k=int(lab.d))
    note = say(
        "lab.saturation.matching_note", rho=f"{lab.correlation:g}", d=lab.d, raw=raw, scaled=scaled, cold=digits(cold)
    )
    x, y = common.d_k_axis(), Axis(say("lab.axis.matching"), range=(0, 1.02))
    return Chart("matching", say("lab.saturation.matching"), _series(table, "matching"), x, y, note)
