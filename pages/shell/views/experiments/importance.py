"""Whether a large weight means an important key, on a layer that learned: what keys add, other weights, a zero key."""

from collections.abc import Iterator
from dataclasses import replace
from functools import partial

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
from pages.shell.runs.run import run as compute
from pages.shell.screen import Screen
from pages.shell.state.config import Config
from pages.shell.views import blocks, explained
from pages.shell.views.blocks import Block
from pages.shell.views.captions import part


def weights_and_values(_: Screen) -> Iterator[Block]:
    """One query: its weights, what its keys add, and other weights with the same output."""
    run = compute(Config())
    # Where weights are spread, they can be others.
    query = int(entropy(run.matrix("weights")).argmax())
    weights, values = run.matrix("weights")[query], run.matrix("values")
    other = same_output(weights, values, torch.Generator().manual_seed(0))
    lengths, sizes = values.norm(dim=-1), added(run.trace)[run.sentence, run.head, query]
    yield blocks.heading(say("importance.title"))
    yield blocks.text(say("importance.text", query=code(run.labels["query"][query])))
    rows = [
        [in_table(token), *(fixed(column[key], 3) for column in (weights, lengths, sizes, other))]
        for key, token in enumerate(run.labels["key"])
    ]
    yield blocks.table(
        *(say(f"importance.column.{name}") for name in ("key", "weight", "length", "added", "other")), rows=rows
    )
    far = float(total_variation(weights.double(), other))
    output = apart((other @ values.double() - weights.double() @ values.double()).abs().max())
    yield blocks.text(say("importance.same", moved=f"{far:.0%}", difference=output))


def key_of_zeros(screen: Screen) -> Iterator[Block]:
    """One more key and value of zeros, for the queries to attend to."""
    run = compute(Config(preset="story"))
    longer = zero_key(run.trace)
    z = matrix(longer["weights"], **run.where)
    query = int(z[:, -1].argmax())
    yield blocks.heading(say("importance.zero_title"))
    yield blocks.text(say("importance.zero_text"))
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
    yield from explained.row(screen, "zero-key", explained.ExplainedHeatmap(run, figure, explain, labels))
