"""The path of the gradient without scaling: hardly any at the scores, and large ones into W_Q from a few rows."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass

import pandas as pd

from attention.experiments import score_gradients
from attention.experiments.score_gradients import SILENT, TOP, Gradients, summary
from pages.shell.component.chart import Axis, Chart, Series
from pages.shell.i18n import listed, say
from pages.shell.i18n.numbers import digits, share
from pages.shell.runs.results import Experiment, Progress
from pages.shell.screen import Screen
from pages.shell.state.page_controls import Laboratory
from pages.shell.views import blocks
from pages.shell.views.blocks import Block
from pages.shell.views.registry import named
from pages.shell.views.scaling import common
from pages.shell.views.waiting import result

D_KS = (16, 64, 256, 1024)
SEEDS = (0, 1, 2)
SCALES = ("none", "sqrt_d_k")
_POINTS = 200


@dataclass(frozen=True)
class Measured:
    """The rows of all seeds by scale and d_k, the same rows sorted, and a line for each seed."""

    rows: Mapping[tuple[str, int], Gradients]
    tables: Mapping[tuple[str, int], pd.DataFrame]
    by_seed: pd.DataFrame


def measured(_: Laboratory) -> Experiment[Measured]:
    """The measurement at all d_k, whichever is shown."""
    return Experiment(("gradients",), _measured)


def _measured(progress: Progress) -> Measured:
    parts = score_gradients.measured(D_KS, SCALES, SEEDS, progress=progress)
    rows = {(scale, d): Gradients.pooled([parts[scale, d, seed] for seed in SEEDS]) for scale in SCALES for d in D_KS}
    return Measured(rows, {place: norms.table() for place, norms in rows.items()}, summary(parts))


@named("scaling.gradients")
def figures(screen: Screen) -> Iterator[Block]:
    lab = screen.own(Laboratory)
    d, found = int(lab.gradient_d), result(measured(lab))
    rows, tables = ({scale: every[scale, d] for scale in SCALES} for every in (found.rows, found.tables))
    yield blocks.figures(_sorted(d, rows, tables), _energy(d, rows, tables), _w_q(d, found.by_seed))
    yield _usual_sentence(d, rows, found.by_seed)


def _curve(scale: str, table: pd.DataFrame, column: str) -> Series:
    step = max(1, len(table) // _POINTS)
    name, colour = common.scale_name(scale), common.COLOURS[scale]
    return Series(name, table["share"][::step], table[column][::step], colour=colour, dash=colour)


def _sorted(d: int, rows: Mapping[str, Gradients], tables: Mapping[str, pd.DataFrame]) -> Chart:
    silent = {scale: share(rows[scale].silent()) for scale in SCALES}
    medians = {scale: digits(rows[scale].scores.quantile(0.5).item()) for scale in SCALES}
    said = [
        say(
            "lab.gradients.sorted_note",
            d=d,
            rows=len(tables["none"]),
            seeds=len(SEEDS),
            silent=SILENT,
            raw=silent["none"],
            scaled=silent["sqrt_d_k"],
            raw_median=medians["none"],
            scaled_median=medians["sqrt_d_k"],
        )
    ]
    cut = (rows["none"].scores < common.EDGE).double().mean().item()
    if cut:
        said.append(say("lab.gradients.cut", edge=digits(common.EDGE), share=share(cut)))
    series = [_curve(scale, tables[scale], "scores") for scale in SCALES]
    x = Axis(say("lab.axis.rows"), range=(0, 1))
    y = Axis(say("lab.axis.score_gradient"), log=True, range=(common.EDGE, 2))
    return Chart("sorted", say("lab.gradients.sorted"), series, x, y, listed("sentence", said))


def _energy(d: int, rows: Mapping[str, Gradients], tables: Mapping[str, pd.DataFrame]) -> Chart:
    raw, scaled = (share(rows[scale].top()) for scale in SCALES)
    note = say("lab.gradients.energy_note", d=d, top=share(TOP), raw=raw, scaled=scaled, seeds=len(SEEDS))
    series = [_curve(scale, tables[scale], "energy") for scale in SCALES]
    x, y = Axis(say("lab.axis.rows"), range=(0, 1)), Axis(say("lab.axis.energy"), range=(0, 1.02))
    return Chart("energy", say("lab.gradients.energy"), series, x, y, note, marks=[(TOP, share(TOP))])


def _mean(table: pd.DataFrame, scale: str, d: int) -> float:
    return float(table[(table["scale"] == scale) & (table["d_k"] == d)]["w_q"].mean())


def _w_q(d: int, table: pd.DataFrame) -> Chart:
    series = []
    for scale in SCALES:
        seeds = table[table["scale"] == scale].groupby("d_k")["w_q"]
        mean, colour = seeds.mean(), common.COLOURS[scale]
        name = common.scale_name(scale)
        series.append(Series(name, mean.index, mean, "dots", low=seeds.min(), high=seeds.max(), colour=colour))
    raw, scaled = (_mean(table, scale, d) for scale in SCALES)
    note = say(
        "lab.gradients.w_q_note",
        d=d,
        raw=digits(raw),
        scaled=digits(scaled),
        factor=digits(raw / scaled),
        seeds=len(SEEDS),
    )
    x, y = common.d_k_axis(D_KS[-1]), Axis(say("lab.axis.w_q_gradient"), log=True)
    return Chart("w_q_gradient", say("lab.gradients.w_q"), series, x, y, note)


def _usual_sentence(d: int, rows: Mapping[str, Gradients], table: pd.DataFrame) -> Block:
    """The common claims beside the measurements; each text is chosen by the numbers."""
    medians = {scale: rows[scale].scores.quantile(0.5) for scale in SCALES}
    quieter = "most" if rows["none"].silent() > 0.5 else "quieter"
    at_scores = quieter if medians["none"] < medians["sqrt_d_k"] else "not"
    louder = _mean(table, "none", d) > _mean(table, "sqrt_d_k", d)
    return blocks.table(
        say("lab.gradients.said"),
        say("lab.gradients.measured", d=d),
        rows=[
            (say("lab.gradients.vanish"), say(f"lab.gradients.at_scores.{at_scores}")),
            (say("lab.gradients.slow"), say(f"lab.gradients.at_w_q.{'louder' if louder else 'not'}")),
        ],
    )
