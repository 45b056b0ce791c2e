"""Whether a large weight means an important key: contributions of keys, other weights, a key of zeros."""

from collections.abc import Iterator
from dataclasses import replace
from functools import partial

from attention.analysis.importance import added, zero_key
from attention.explain.cell import cell
from attention.figures import heatmap, matrix
from pages.shell.component.heatmap import Figure
from pages.shell.i18n import say
from pages.shell.i18n.markdown import code, in_table
from pages.shell.i18n.numbers import fixed
from pages.shell.runs.run import run as compute
from pages.shell.screen import Screen
from pages.shell.state.config import Config
from pages.shell.views import blocks, explained
from pages.shell.views.blocks import Block
from pages.shell.views.captions import part
from pages.shell.views.experiments import other_weights


def weights_and_values(screen: Screen) -> Iterator[Block]:
    """The query and the head of the picture: its weights, the parts of its keys, other weights with the same output."""
    run, row = screen.run, other_weights.shown(screen)
    at = {"batch": run.sentence, "head": row.head}
    lengths = matrix(run.trace["values"], **at).norm(dim=-1)
    sizes = added(run.trace)[run.sentence, row.head, row.query]
    yield blocks.heading(say("importance.title"))
    word = code(run.labels["query"][row.query])
    yield blocks.text(say("importance.text", query=word, head=row.head + 1))
    rows = [
        [in_table(token), *(fixed(column[key], 3) for column in (row.was, lengths, sizes, row.now))]
        for key, token in enumerate(run.labels["key"])
    ]
    yield blocks.table(
        *(say(f"importance.column.{name}") for name in ("key", "weight", "length", "added", "other")), rows=rows
    )


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
