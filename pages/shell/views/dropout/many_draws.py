"""Many dropout masks: their mean, the running mean of one weight, and rows against theory."""

from collections.abc import Iterator
from dataclasses import replace
from functools import partial

import numpy as np

from attention.experiments import dropout_draws
from attention.explain import derived
from attention.explain.cell import cell
from attention.explain.explanation import Explanation
from attention.figures import heatmap
from pages.shell.component.chart import Axis, Chart, Series
from pages.shell.component.heatmap import Figure
from pages.shell.i18n import say
from pages.shell.i18n.markdown import in_table
from pages.shell.i18n.numbers import digits, scientific
from pages.shell.runs.run import Run
from pages.shell.screen import Screen
from pages.shell.views import blocks, explained, steps
from pages.shell.views.blocks import Block
from pages.shell.views.captions import note as summary
from pages.shell.views.captions import part
from pages.shell.views.dropout.by_query import by_query, positions
from pages.shell.views.dropout.draws import statistics
from pages.shell.views.explained import ExplainedHeatmap

_ROWS = 16


def mean(screen: Screen) -> Iterator[Block]:
    """The weights of inference beside the mean over all draws."""
    run, draws = screen.run, statistics(screen).draws
    step, count = run.trace["weights"], f"{draws.counts[-1]:,}"
    one = heatmap(step, **run.where, forbidden=steps.forbidden(run, step))
    z = draws.means[-1].numpy().astype(np.float32)
    other = replace(one, id="mean", z=np.where(np.isnan(one.z), np.nan, z), high=max(1.0, float(z.max())))
    off = float((draws.means[-1] - draws.weights).abs().max())
    within = dropout_draws.within(draws)
    note = say("dropping.mean_note", largest=digits(off, 2), within=f"{within:.0%}" if within == within else "–")
    sides = run.labels["query"], run.labels["key"]
    said = summary(run, step, steps.focus_of(run))
    inference = Figure(
        replace(one, id="inference"), say("dropping.weights_inference"), *sides, said, part=part(run, step)
    )
    averaged = Figure(other, say("dropping.mean_of", draws=count), *sides, note, part=part(run, step))

    def drawn(row: int, column: int) -> Explanation:
        weight, mean = float(draws.weights[row, column]), float(draws.means[-1, row, column])
        return derived.drawn(weight, mean, row, column, p=draws.p, draws=draws.counts[-1])

    weights = partial(cell, run.trace, "weights", **run.where)
    told = (inference, weights), (averaged, drawn)
    drawings = (ExplainedHeatmap(run, figure, explain, run.labels) for figure, explain in told)
    yield from explained.row(screen, "mean", *drawings)


def converging(screen: Screen) -> Iterator[Block]:
    """The running mean of one weight in the band of theory, and the distance of all of them."""
    run, draws = screen.run, statistics(screen).draws
    query = steps.focus_of(run)
    key = int(draws.weights[query].argmax())
    names = {"query": run.labels["query"][query], "key": run.labels["key"][key]}
    a, error = float(draws.weights[query, key]), draws.errors()[:, query, key]
    last = float(draws.means[-1, query, key])
    n, table = np.array(draws.counts), dropout_draws.convergence(draws)
    along = Axis(say("dropping.draws"), log=True)
    one = Chart(
        "running",
        say("dropping.running_title"),
        [
            Series(say("dropping.band"), n, np.full(len(n), a), "theory", a - 2 * error, a + 2 * error, 1),
            Series(say("dropping.running"), n, draws.means[:, query, key]),
        ],
        along,
        Axis(say("dropping.weight")),
        say("dropping.running_note", mean=f"{last:.4f}", weight=f"{a:.4f}", error=digits(float(error[-1]), 2), **names),
    )
    first, final = table.iloc[0], table.iloc[-1]
    # A logarithm has no place for 0, and all weights may equal their means by chance.
    distances = {name: table[name].where(table[name] > 0) for name in ("distance", "distance_theory")}
    every = Chart(
        "distance",
        say("dropping.distance_title"),
        [
            Series(say("dropping.theory"), n, distances["distance_theory"], "theory", colour=1),
            Series(say("dropping.measured"), n, distances["distance"], "dots"),
        ],
        along,
        Axis(say("dropping.distance"), log=True),
        say(
            "dropping.distance_note",
            first=digits(first.distance, 2),
            last=digits(final.distance, 2),
            theory=digits(final.distance_theory, 2),
            draws=f"{draws.counts[-1]:,}",
        ),
    )
    yield blocks.figures(one, every)


def rows(screen: Screen) -> Iterator[Block]:
    """Row by row: the variance of the sum, and the probability that nothing is left of it."""
    run, found = screen.run, statistics(screen)
    yield blocks.heading(say("dropping.rows_title"))
    yield blocks.text(say("dropping.rows", p=f"{found.draws.p:.2f}"))
    table = found.rows
    charts = []
    for name in ("variance", "lost"):
        measured, theory, error = (table[f"{name}{end}"] for end in ("", "_theory", "_error"))
        x, inside = positions(run), ((measured - theory).abs() <= 2 * error + 1e-9).sum()
        series = [
            Series(say("dropping.theory"), x, theory, "theory", colour=1),
            Series(say("dropping.measured"), x, measured, "dots", (measured - 2 * error).clip(0), measured + 2 * error),
        ]
        note = say(f"dropping.rows_note.{name}", inside=int(inside), rows=len(table))
        charts.append(by_query(run, name, series, say(f"dropping.of_rows.{name}"), note))
    yield blocks.figures(*charts)
    yield from _table(run, table.to_dict("records"))


def _table(run: Run, found: list[dict[str, float]]) -> Iterator[Block]:
    def both(row: dict[str, float], name: str) -> tuple[str, str]:
        theory = row[f"{name}_theory"]
        # Four decimals would show a smaller probability as impossible.
        told = scientific(theory) if 0 < theory < 5e-5 else f"{theory:.4f}"
        return f"{row[name]:.4f} ± {2 * row[f'{name}_error']:.4f}", told

    header = [say(f"dropping.column.{name}") for name in ("query", "visible", "mean", "variance", "theory", "lost")]
    table = [
        (
            in_table(run.labels["query"][int(row["query"])]),
            int(row["visible"]),
            both(row, "mean")[0],
            *both(row, "variance"),
            *both(row, "lost"),
        )
        for row in found[:_ROWS]
    ]
    yield blocks.table(*header, say("dropping.column.theory"), rows=table)
    if len(found) > _ROWS:
        yield blocks.text(say("dropping.first_rows", shown=_ROWS, rows=len(found)))
