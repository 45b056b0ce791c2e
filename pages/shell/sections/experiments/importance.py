"""Whether a large weight means an important key, on a layer that learned: what keys add, other weights, a zero key."""

from dataclasses import replace
from functools import partial

import streamlit as st
import torch

from attention.analysis.divergence import total_variation
from attention.analysis.importance import added, same_output, zero_key
from attention.analysis.sharpness import entropy
from attention.explain.cell import cell
from attention.figures import heatmap, matrix
from pages.shell.component.heatmap import Figure
from pages.shell.i18n import say
from pages.shell.i18n.markdown import code, in_table
from pages.shell.i18n.numbers import apart, fixed
from pages.shell.layout import figure_rows, page
from pages.shell.layout.rows import row
from pages.shell.runs.run import Run
from pages.shell.runs.run import run as compute
from pages.shell.runs.sources import Source
from pages.shell.state.config import Config
from pages.shell.views.captions import part

learned = Source(lambda: compute(Config()))
story = Source(lambda: compute(Config(preset="story")))


@row
def weights_and_values(run: Run) -> None:
    """One query: its weights, what its keys add, and other weights with the same output."""
    # Where weights are spread, they can be others.
    query = int(entropy(run.matrix("weights")).argmax())
    weights, values = run.matrix("weights")[query], run.matrix("values")
    other = same_output(weights, values, torch.Generator().manual_seed(0))
    lengths, sizes = values.norm(dim=-1), added(run.trace)[run.sentence, run.head, query]
    st.subheader(say("importance.title"), anchor=False)
    st.markdown(say("importance.text", query=code(run.labels["query"][query])))
    rows = [
        [in_table(token), *(fixed(column[key], 3) for column in (weights, lengths, sizes, other))]
        for key, token in enumerate(run.labels["key"])
    ]
    page.table(*(say(f"importance.column.{name}") for name in ("key", "weight", "length", "added", "other")), rows=rows)
    far = float(total_variation(weights.double(), other))
    output = apart((other @ values.double() - weights.double() @ values.double()).abs().max())
    st.markdown(say("importance.same", moved=f"{far:.0%}", difference=output))


@row
def key_of_zeros(run: Run) -> None:
    """One more key and value of zeros, for the queries to attend to."""
    longer = zero_key(run.trace)
    z = matrix(longer["weights"], **run.where)
    query = int(z[:, -1].argmax())
    st.subheader(say("importance.zero_title"), anchor=False)
    st.markdown(say("importance.zero_text"))
    labels = {**run.labels, "key": (*run.labels["key"], "0")}
    numbers = {"most": fixed(z[query, -1]), "query": run.labels["query"][query], "least": fixed(z[:, -1].min())}
    drawn = replace(heatmap(longer["weights"], **run.where), id="zero-key")
    figure = Figure(
        drawn,
        say("importance.zero_figure"),
        labels["query"],
        labels["key"],
        say("importance.zero_note", **numbers),
        part=part(run, longer["weights"]),
    )
    explain = partial(cell, longer, "weights", **run.where)
    figure_rows.row("zero-key", figure_rows.ExplainedHeatmap(run, figure, explain, labels))
