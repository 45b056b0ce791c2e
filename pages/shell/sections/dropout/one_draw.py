"""One dropout mask: row sums against their expected spread."""

from dataclasses import replace
from typing import Any

import streamlit as st

from pages.shell import component
from pages.shell.component.chart import Series
from pages.shell.i18n import say
from pages.shell.layout.rows import row
from pages.shell.runs.run import Run
from pages.shell.runs.run import run as compute
from pages.shell.runs.sources import Source, shared
from pages.shell.sections.dropout.by_query import by_query, positions
from pages.shell.state.config import Config

# Used where the shared control is at 0, at which there would be nothing to see; a layer was trained with it.
_P = 0.3
# Of float32 weights that sum to one.
_ROUNDING = 1e-6


@Source
def current_run() -> Run:
    """The run of the screen with dropout above 0, and the keep-mask that was chosen."""
    config = shared().plain()
    return compute(replace(config, dropout=config.dropout or _P))


@row
def which_p() -> None:
    """The p that the keep-mask is drawn with."""
    p = Config.held("dropout")
    st.markdown(say("dropping.p_is", p=f"{p:.2f}") if p else say("dropping.p_instead", p=f"{_P:.2f}"))


@row
def sums(run: Run) -> None:
    """Row sums of one draw, beside their expected spread."""
    st.subheader(say("dropping.sums_title"), anchor=False)
    if "dropped" not in run.trace:
        st.markdown(say("dropping.inference"))
        return
    a, z = (run.matrix(id).cpu().double() for id in ("weights", "dropped"))
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
    x, mean = positions(run), a.sum(-1)
    series = [
        Series(say("dropping.expected"), x, mean, "theory", (mean - 2 * spread).clamp_min(0), mean + 2 * spread, 1),
        Series(say("dropping.this_draw"), x, total, "dots"),
    ]
    note = say("dropping.sums_note", low=f"{float(total.min()):.2f}", high=f"{float(total.max()):.2f}")
    component.row("plot-sums", by_query(run, "sums", series, say("dropping.row_sum"), note))


@row
def difference(run: Run) -> None:
    """How far the two modes are apart, in one number."""
    both = [compute(replace(run.config, mode=mode)) for mode in ("training", "inference")]
    one, other = (each.matrix("output") for each in both)
    st.markdown(say("dropping.difference", difference=f"{float((one - other).abs().max()):.2f}"))
