"""The causal mask for the last tokens as queries and all tokens as keys: aligned to one corner or the other."""

from dataclasses import replace

import streamlit as st

from attention.comparisons.causal_corners import difference
from attention.masks import CORNERS
from pages.shell.i18n import listed, say
from pages.shell.i18n.numbers import apart
from pages.shell.i18n.options import word
from pages.shell.layout import figure_rows
from pages.shell.layout.rows import row
from pages.shell.runs.run import Run
from pages.shell.runs.run import run as compute

_LAST = 3


@row
def both(run: Run) -> None:
    """The weights of the last queries at both corners, each with what PyTorch calls it and how far that is away."""
    st.subheader(say("corners.title"), anchor=False)
    last = min(run.config.last or _LAST, len(run.tokens))
    keys = len(run.tokens)
    # At the upper left, the last of some queries sees as many keys as there are queries.
    told = say("corners.lead", last=last, keys=keys, first=last) if last < keys else say("corners.same", keys=keys)
    st.markdown(told)
    plain = replace(run.config, mask="causal", last=last, padding=False, painted="", dropout=0.0)
    figure_rows.row("corners", *(_figure(compute(replace(plain, corner=corner))) for corner in CORNERS))


def _figure(run: Run) -> figure_rows.ExplainedHeatmap:
    corner, mask = run.config.corner, run.matrix("mask")
    by_name = difference(run.trace, corner).items()
    names = listed("comma", (say("corners.torch", name=name, by=apart(by)) for name, by in by_name))
    seen = ", ".join(str(int(count)) for count in mask.sum(-1)[:8])
    note = say("corners.note", seen=seen, more=" …" if len(mask) > 8 else "", torch=names)
    caption = figure_rows.Caption(corner, say("corners.corner", corner=word("corner", corner)), note)
    return figure_rows.explained_heatmap(run, run.trace, "weights", caption, forbidden=~mask)
