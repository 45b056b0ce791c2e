"""What the page about dropout shows beside the steps: one draw in numbers, and many of them against theory."""

from dataclasses import dataclass, replace
from functools import partial
from typing import Any

import numpy as np
import pandas as pd
import streamlit as st
import torch

from attention.experiments import dropout_draws
from attention.explain import derived
from attention.explain.cell import Explanation, cell
from attention.figures import heatmap, matrix
from pages.shell import beside, plot, show
from pages.shell.computed import Progress, computed
from pages.shell.controls import SEEDS, Config
from pages.shell.notes import note as summary
from pages.shell.own import Dropout
from pages.shell.plot.chart import Axis, Chart, Series
from pages.shell.run import Run
from pages.shell.run import run as compute
from pages.shell.text import say
from pages.shell.wanted import hold, want
from pages.shell.widgets import widget, widgets

# Shown where the shared control is at 0, at which there would be nothing to see.
_P = 0.2
_ROWS = 16
# Of float32 weights that sum to one.
_ROUNDING = 1e-6


def chosen() -> Run:
    """The run of the screen, with dropout in any case: which keep-mask of it, and what was chosen for the visitor."""
    which, again, said = st.columns([1, 1, 3], vertical_alignment="bottom")
    # Before the first run of a link there is no value to be read: the widget comes first.
    with which:
        widget("draw")
    again.button(say("dropping.again"), on_click=_again, icon=":material/casino:", key="again")
    config = Config.current()
    p = config.dropout or _P
    shown = f"{p:.2f}"
    said.markdown(say("dropping.p_is", p=shown) if config.dropout else say("dropping.p_instead", p=shown))
    return compute(replace(config, dropout=p), Dropout.current().draw)


def _again() -> None:
    hold()
    want({"draw": (Dropout.current().draw + 1) % SEEDS})


def sums(run: Run) -> None:
    """Row sums of the one draw, beside what theory expects of them."""
    st.subheader(say("dropping.sums_title"), anchor=False)
    if "dropped" not in run.trace:
        st.markdown(say("dropping.inference"))
        return
    a, z = (matrix(run.trace[id], batch=run.sentence, head=run.head).cpu().double() for id in ("weights", "dropped"))
    p, total = run.config.dropout, z.sum(-1)
    visible = a.sum(-1) > 0
    counts: dict[str, Any] = {
        "above": int((total > 1 + _ROUNDING).sum()),
        "lost": int((total[visible] == 0).sum()),
        "rows": int(visible.sum()),
        "single": int((z > 1 + _ROUNDING).sum()),
        "pairs": int((a > 0).sum()),
        "largest": f"{float(z.max()):.2f}",
    }
    st.markdown(say("dropping.sums", factor=f"{1 / (1 - p):.4g}", p=f"{p:.2f}", **counts))
    spread = (p / (1 - p) * a.square().sum(-1)).sqrt()
    x, mean = _positions(run), a.sum(-1)
    series = [
        Series(say("dropping.expected"), x, mean, "theory", (mean - 2 * spread).clamp_min(0), mean + 2 * spread, 1),
        Series(say("dropping.this_draw"), x, total, "dots"),
    ]
    note = say("dropping.sums_note", low=f"{float(total.min()):.2f}", high=f"{float(total.max()):.2f}")
    plot.row("plot-sums", _by_query(run, "sums", series, say("dropping.row_sum"), note))


def difference(run: Run) -> None:
    """How far the two modes are apart, in one number."""
    both = [compute(replace(run.config, mode=mode), run.draw) for mode in ("training", "inference")]
    one, other = (matrix(each.trace["output"], batch=run.sentence, head=run.head) for each in both)
    st.markdown(say("dropping.difference", difference=f"{float((one - other).abs().max()):.2f}"))


@dataclass(frozen=True)
class Many:
    """What is kept of many draws: their means, and a row for each row of weights. The single row sums are dropped."""

    draws: dropout_draws.Draws
    rows: pd.DataFrame


def many(run: Run) -> Many:
    """As many draws as are chosen, in training, whatever the mode of the screen."""
    st.subheader(say("dropping.many_title"), anchor=False)
    widgets("draws")
    count = int(Dropout.current().draws)

    def make(progress: Progress) -> Many:
        with torch.inference_mode():
            drawn = dropout_draws.draw(
                run.trace,
                count,
                p=run.config.dropout,
                generator=torch.Generator().manual_seed(run.config.seed),
                batch=run.sentence,
                head=run.head,
                progress=progress,
            )
        return Many(replace(drawn, sums=drawn.sums[:0].clone()), dropout_draws.row_sums(drawn))

    return computed(("dropout", replace(run.config, mode="training"), count), make)


def mean(run: Run, found: Many) -> None:
    """The weights of inference beside the mean over all draws."""
    draws = found.draws
    step, count = run.trace["weights"], f"{draws.counts[-1]:,}"
    one = heatmap(step, batch=run.sentence, head=run.head, forbidden=show.forbidden(run, step))
    z = draws.means[-1].numpy().astype(np.float32)
    other = replace(one, id="mean", z=np.where(np.isnan(one.z), np.nan, z), high=max(1.0, float(z.max())))
    off = float((draws.means[-1] - draws.weights).abs().max())
    within = dropout_draws.within(draws)
    note = say("dropping.mean_note", largest=f"{off:.2g}", within=f"{within:.0%}" if within == within else "–")
    sides = run.labels["query"], run.labels["key"]
    said = summary(run, step, show.focus_of(run))
    inference = plot.Figure(replace(one, id="inference"), say("dropping.weights_inference"), *sides, said)
    averaged = plot.Figure(other, say("dropping.mean_of", draws=count), *sides, note)

    def drawn(row: int, column: int) -> Explanation:
        weight, mean = float(draws.weights[row, column]), float(draws.means[-1, row, column])
        return derived.drawn(weight, mean, row, column, p=draws.p, draws=draws.counts[-1])

    weights = partial(cell, run.trace, "weights", batch=run.sentence, head=run.head)
    told = (inference, weights), (averaged, drawn)
    beside.row("mean", *(beside.Told(run, figure, tell, run.labels) for figure, tell in told))


def strayed(run: Run, found: Many) -> None:
    """The running mean of one weight in the band of theory, and the distance of all of them."""
    draws = found.draws
    query = show.focus_of(run)
    key = int(draws.weights[query].argmax())
    names = {"query": run.labels["query"][query], "key": run.labels["key"][key]}
    a, error = float(draws.weights[query, key]), draws.errors()[:, query, key]
    last = float(draws.means[-1, query, key])
    n, table = np.array(draws.counts), dropout_draws.convergence(draws)
    steps = Axis(say("dropping.draws"), log=True)
    one = Chart(
        "running",
        say("dropping.running_title"),
        [
            Series(say("dropping.band"), n, np.full(len(n), a), "theory", a - 2 * error, a + 2 * error, 1),
            Series(say("dropping.running"), n, draws.means[:, query, key]),
        ],
        steps,
        Axis(say("dropping.weight")),
        say("dropping.running_note", mean=f"{last:.4f}", weight=f"{a:.4f}", error=f"{float(error[-1]):.2g}", **names),
    )
    first, final = table.iloc[0], table.iloc[-1]
    # A logarithm has no place for 0: every weight may be equal to its mean by chance.
    distances = {name: table[name].where(table[name] > 0) for name in ("distance", "distance_theory")}
    every = Chart(
        "distance",
        say("dropping.distance_title"),
        [
            Series(say("dropping.theory"), n, distances["distance_theory"], "theory", colour=1),
            Series(say("dropping.measured"), n, distances["distance"], "dots"),
        ],
        steps,
        Axis(say("dropping.distance"), log=True),
        say(
            "dropping.distance_note",
            first=f"{first.distance:.2g}",
            last=f"{final.distance:.2g}",
            theory=f"{final.distance_theory:.2g}",
            draws=f"{draws.counts[-1]:,}",
        ),
    )
    plot.row("plot-converging", one, every)


def rows(run: Run, many: Many) -> None:
    """Row by row: the variance of the sum, and how often nothing is left of it."""
    st.subheader(say("dropping.rows_title"), anchor=False)
    st.markdown(say("dropping.rows", p=f"{many.draws.p:.2f}"))
    found = many.rows
    charts = []
    for name in ("variance", "lost"):
        measured, theory, error = (found[f"{name}{end}"] for end in ("", "_theory", "_error"))
        x, apart = _positions(run), ((measured - theory).abs() <= 2 * error + 1e-9).sum()
        series = [
            Series(say("dropping.theory"), x, theory, "theory", colour=1),
            Series(say("dropping.measured"), x, measured, "dots", (measured - 2 * error).clip(0), measured + 2 * error),
        ]
        note = say("dropping.rows_note", inside=int(apart), rows=len(found))
        charts.append(_by_query(run, name, series, say(f"dropping.of_rows.{name}"), note))
    plot.row("plot-rows", *charts)
    _table(run, found.to_dict("records"))


def _table(run: Run, found: list[dict[str, float]]) -> None:
    def both(row: dict[str, float], name: str) -> tuple[str, str]:
        return f"{row[name]:.4f} ± {row[f'{name}_error']:.4f}", f"{row[f'{name}_theory']:.4f}"

    header = [say(f"dropping.column.{name}") for name in ("query", "visible", "mean", "variance", "theory", "lost")]
    table = [
        (
            show.code(run.labels["query"][int(row["query"])]),
            int(row["visible"]),
            both(row, "mean")[0],
            *both(row, "variance"),
            *both(row, "lost"),
        )
        for row in found[:_ROWS]
    ]
    show.table(*header, say("dropping.column.theory"), rows=table)
    if len(found) > _ROWS:
        st.markdown(say("dropping.first_rows", shown=_ROWS, rows=len(found)))


def _by_query(run: Run, id: str, series: list[Series], title: str, note: str) -> Chart:
    count = run.trace.sizes["query"]
    ticks = [int(tick) for tick in range(1, count + 1, 1 + count // 16)]
    x = Axis(say("dropping.query"), range=(0.5, count + 0.5), ticks=ticks)
    return Chart(id, title, series, x, Axis(title), note)


def _positions(run: Run) -> np.ndarray:
    """Queries are counted from 1, as in formulas; the first of fewer queries than keys is not the first token."""
    return np.arange(1, run.trace.sizes["query"] + 1)
