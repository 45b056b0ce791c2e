"""The effect of wide scores on softmax: the largest weight, the keys that count, and the gradient that it lets
through."""

import math
from collections.abc import Iterator

import pandas as pd

from attention.experiments.saturation import approximations, knee, saturation
from attention.scales import BY_D_K
from pages.shell.component.chart import Axis, Chart, Series
from pages.shell.i18n import say
from pages.shell.i18n.numbers import digits, share
from pages.shell.runs.results import Experiment
from pages.shell.screen import Screen
from pages.shell.state.page_controls import Laboratory
from pages.shell.views import blocks, guess
from pages.shell.views.blocks import Block
from pages.shell.views.registry import named
from pages.shell.views.scaling import common, jacobian
from pages.shell.views.waiting import result

ROWS = 2000
# The d_k of the question, and the weights that its answers stand for.
ASKED = 256
SHARES = {"quarter": 0.25, "half": 0.5, "most": 0.95}


def measured(lab: Laboratory) -> Experiment[pd.DataFrame]:
    keys = int(lab.keys)
    return Experiment(
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


@named("scaling.saturation")
def figures(screen: Screen) -> Iterator[Block]:
    lab = screen.own(Laboratory)
    table = result(measured(lab))
    yield blocks.figures(_largest(screen, lab, table), _entropy(lab, table), _effective(lab, table))


@named("scaling.jacobian")
def norms(screen: Screen) -> Iterator[Block]:
    """The gradient that softmax lets through, and the weight of the one correlated key, if there is one."""
    lab = screen.own(Laboratory)
    table = result(measured(lab))
    shown = jacobian.chart(lab, table, _series(table, "jacobian"))
    yield blocks.figures(shown, *([_matching(lab, table)] if lab.correlation else []))


def _series(table: pd.DataFrame, quantity: str) -> list[Series]:
    return [common.quantile_series(table, quantity, scale) for scale in BY_D_K if scale in set(table["scale"])]


def _means(table: pd.DataFrame, quantity: str) -> list[Series]:
    """The medians, and the means that the note and the lectures quote."""
    return [
        *_series(table, quantity),
        *(common.mean_series(table, quantity, scale) for scale in BY_D_K if scale in set(table["scale"])),
    ]


def _marks(lab: Laboratory) -> list[tuple[float, str]]:
    return [(knee(int(lab.keys)), say("lab.saturation.knee")), (int(lab.d), f"dₖ = {lab.d}")]


def _approximation(lab: Laboratory, quantity: str) -> list[Series]:
    """The approximation for small scores of variance 1, which scaled scores should have; none with a correlation, which
    may make them large."""
    if lab.correlation:
        return []
    (value,) = approximations([1.0], int(lab.keys))[quantity]
    name, ends = say(f"lab.saturation.small.{quantity}"), (common.D_KS[0], common.D_KS[-1])
    return [Series(name, ends, (value, value), "theory", colour=common.COLOURS["sqrt_d_k"])]


def _largest(screen: Screen, lab: Laboratory, table: pd.DataFrame) -> Chart:
    raw, scaled = common.raw_and_scaled(lab, table, "largest", "mean")
    frozen = common.value(table, "mean", quantity="frozen", scale="none", d_k=int(lab.d))
    note = say("lab.saturation.largest_note", d=lab.d, keys=lab.keys, raw=raw, scaled=scaled, frozen=share(frozen))
    x, y = common.d_k_axis(), Axis(say("lab.axis.largest"), range=(0, 1.02))
    title = say("lab.saturation.largest")
    is_asked = lab.keys == Laboratory.keys and not lab.correlation
    ghosts = guess.ghosts(screen, "top", {answer: (ASKED, each) for answer, each in SHARES.items()} if is_asked else {})
    return Chart("largest", title, _means(table, "largest"), x, y, note, marks=_marks(lab), ghosts=ghosts)


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
    """The weight of the one key that belongs to the query, if q and k are correlated."""
    raw, scaled = common.raw_and_scaled(lab, table, "matching", "mean")
    cold = common.value(table, "mean", quantity="matching", scale="d_k", d_k=int(lab.d))
    note = say(
        "lab.saturation.matching_note", rho=f"{lab.correlation:g}", d=lab.d, raw=raw, scaled=scaled, cold=digits(cold)
    )
    x, y = common.d_k_axis(), Axis(say("lab.axis.matching"), range=(0, 1.02))
    return Chart("matching", say("lab.saturation.matching"), _means(table, "matching"), x, y, note)
