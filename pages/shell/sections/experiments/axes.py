"""Conventions mistaken for others: columns as queries, softmax over the wrong axis, the wrong d under the root."""

import math
from dataclasses import replace
from typing import Any

import streamlit as st

from attention.analysis import interventions
from attention.experiments import wrong_scale
from attention.figures import matrix
from attention.scales import SCALES
from attention.trace import Step
from pages.shell.i18n import listed, say
from pages.shell.i18n.numbers import apart
from pages.shell.layout import figure_rows, page
from pages.shell.layout.rows import row
from pages.shell.runs.run import Run
from pages.shell.runs.run import run as compute
from pages.shell.sections.experiments.what_if import hidden
from pages.shell.state.config import AUTO

# Those that divide the scores, each by a number of its own.
_DIVISORS = tuple(name for name in SCALES if name not in ("none", "after_softmax"))


@row
def transposed(run: Run) -> None:
    """The same weights with a query a row, as here, and with a query a column."""
    weights, mask = run.trace["weights"], hidden(run)
    columns = Step(replace(weights.quantity, axes=("batch", "head", "key", "query")), weights.value.mT)
    st.subheader(say("what_if.transposed.title"), anchor=False)
    st.markdown(say("what_if.transposed.text"))
    figure_rows.row(
        "transposed",
        figure_rows.explained_heatmap(
            run, run.trace, "weights", _caption("rows", say("what_if.transposed.rows"), run, weights), forbidden=mask
        ),
        figure_rows.explained_heatmap(
            run,
            run.trace,
            "weights",
            _caption("columns", say("what_if.transposed.columns"), run, columns),
            forbidden=None if mask is None else mask.mT,
            moved=figure_rows.transposed(columns, by_column=True),
        ),
    )


@row
def wrong_axis(run: Run) -> None:
    """Softmax over the keys and over the queries, under the causal mask, and who then sees the future."""
    causal = compute(replace(run.config, mask="causal", painted=""))
    wrong = Step(causal.trace["weights"].quantity, interventions.over_queries(causal.trace))
    st.subheader(say("what_if.wrong_axis.title"), anchor=False)
    st.markdown(say("what_if.wrong_axis.text"))
    mask = hidden(causal)
    right = figure_rows.explained_heatmap(
        causal,
        causal.trace,
        "weights",
        _caption("over-keys", say("what_if.wrong_axis.over_keys"), causal, causal.trace["weights"]),
        forbidden=mask,
    )
    mistaken = figure_rows.explained_heatmap(
        causal,
        interventions.swapped(causal.trace),
        "weights",
        _caption("over-queries", say("what_if.wrong_axis.over_queries"), causal, wrong),
        forbidden=mask,
        moved=figure_rows.transposed(wrong, by_column=True),
    )
    figure_rows.row("wrong-axis", right, mistaken)
    if len(run.tokens) > 1:
        leak = interventions.future_leak(causal.trace)
        st.markdown(say("what_if.wrong_axis.leak", **{name: apart(far) for name, far in leak.items()}))


@row
def wrong_d(run: Run) -> None:
    """What is taken for the root of d_k, on the queries and keys of the screen."""
    st.subheader(say("what_if.wrong_d.title"), anchor=False)
    asked, run = run.module.heads, _telling(run)
    sizes: dict[str, Any] = {"d_k": run.module.d_k, "d_model": run.module.d_model, "heads": run.module.heads}
    told = [say("what_if.wrong_d.text", **sizes)]
    if run.module.heads != asked:
        told.append(say("what_if.wrong_d.instead", asked=asked, heads=run.module.heads))
    st.markdown(listed("sentence", told))
    columns = ("factor", "spread", "entropy", "largest", "row_sum")
    rows = []
    for scale in SCALES:
        found = wrong_scale.by_scale(run.trace, scale, run.module.d_model)
        rows.append([say(f"what_if.scale.{scale}"), *(_three(found[name]) for name in columns)])
    page.table(say("table.divisor"), *(say(f"what_if.column.{name}") for name in columns), rows=rows)


def _telling(run: Run) -> Run:
    """The screen, where each mistake has a divisor of its own; else with the first number of heads that tells them
    apart, or as it is where none does."""
    d_model = run.module.d_model
    for heads in (run.module.heads, *(h for h in range(2, d_model) if d_model % h == 0)):
        d_k = run.module.d_k if run.config.d_k != AUTO else d_model // heads
        if len({round(SCALES[name](d_k, d_model, heads), 9) for name in _DIVISORS}) == len(_DIVISORS):
            return run if heads == run.module.heads else compute(replace(run.config, heads=heads))
    return run


def _caption(id: str, title: str, run: Run, step: Step) -> figure_rows.Caption:
    return figure_rows.Caption(id, title, _sums(run, step))


def _three(number: float) -> str:
    """Nobody may attend to anything: then there is no row to measure."""
    return "–" if math.isnan(number) else f"{number:.3f}"


def _sums(run: Run, step: Step) -> str:
    z = matrix(step, **run.where)
    return say("what_if.sums", rows=figure_rows.span(z.sum(-1)), columns=figure_rows.span(z.sum(-2)))
