"""The notebook's four tokens: its printed numbers of the first one, step by step, and all queries at once."""

from collections.abc import Iterator
from dataclasses import replace
from functools import partial

import torch
from torch import Tensor

from attention.analysis.single_query import differences
from attention.explain import derived
from attention.explain.cell import cell
from attention.explain.explanation import Explanation
from attention.figures import heatmap_of, magnitude
from attention.trace import Trace
from pages.shell.component.heatmap import Figure
from pages.shell.i18n import say
from pages.shell.i18n.numbers import apart, fixed, scientific
from pages.shell.runs.one_query import NOTEBOOK, every, first
from pages.shell.runs.preparation import prepared
from pages.shell.screen import Screen
from pages.shell.views import blocks, explained, steps
from pages.shell.views.blocks import Block


def vectors(screen: Screen) -> Iterator[Block]:
    yield from steps.row(screen, "queries", "keys", "values", chapter="one_token", run=first())


def products(screen: Screen) -> Iterator[Block]:
    """The query against each key in turn: both, their elementwise product, and its sum."""
    run = first()
    yield blocks.heading(say("by_token.products"))
    told = [cell(run.trace, "scores", 0, key) for key in range(len(run.tokens))]
    values = [torch.stack([line.values for line in each.lines]) for each in told]
    end = max(map(magnitude, values))
    shown = []
    for index, (each, z) in enumerate(zip(told, values, strict=True)):
        drawn = heatmap_of(f"product-{index + 1}", z, "operand", "feature", bound=end)
        names = [line.name for line in each.lines]
        terms = " + ".join(fixed(term, 4) for term in z[-1])
        title = say("by_token.product", key=index + 1)
        figure = Figure(drawn, title, names, (), f"{terms} = {fixed(each.result, 4)}")
        shown.append(explained.ExplainedHeatmap(run, figure, partial(_factor, run.trace, index), run.labels))
    yield from explained.row(screen, "products", *shown)


def _factor(trace: Trace, key: int, row: int, column: int) -> Explanation:
    """A feature of the query, of a key, or the product of both."""
    if row < 2:
        return cell(trace, ("queries", "keys")[row], (0, key)[row], column)
    return derived.term(cell(trace, "scores", 0, key), column)


def numbers(screen: Screen) -> Iterator[Block]:
    """The notebook's printed numbers from the scores to the weights."""
    run = first()
    yield blocks.heading(say("by_token.numbers"))
    d_k = run.trace.sizes["feature"]
    written = {"scores": fixed, "scaled": fixed, "weights": scientific}
    rows = [
        [say(f"by_token.row.{id}", d_k=d_k), *(write(number, 4) for number in _row(run.trace[id].value))]
        for id, write in written.items()
    ]
    yield blocks.table(say("table.quantity"), *(f"k{index + 1}" for index in range(len(run.tokens))), rows=rows)
    vectors = {name: _vector(run.trace[id].value) for name, id in (("q", "queries"), ("k", "keys"), ("v", "values"))}
    yield blocks.text(say("by_token.vectors", **vectors))


def mix(screen: Screen) -> Iterator[Block]:
    """Each value row times its weight, and their sum."""
    run = first()
    told = [cell(run.trace, "output", 0, feature) for feature in range(run.trace.sizes["value"])]
    parts = torch.stack([each.lines[-1].values for each in told], -1)
    z = torch.cat((parts, torch.tensor([[each.result for each in told]], dtype=parts.dtype)))
    weights = _row(run.trace["weights"].value)
    names = [f"a1{index + 1} · v{index + 1}" for index in range(len(weights))]
    most = max(weights)
    output, key = _vector(run.trace["output"].value), run.tokens[weights.index(most)]
    note = say("by_token.mix_note", output=output, most=f"{most:.2%}", key=key)
    drawn = heatmap_of("mix", z, "operand", "value")
    figure = Figure(drawn, say("by_token.mix"), [*names, "o1"], (), note)

    def explain(row: int, column: int) -> Explanation:
        return derived.term(told[column], row) if row < len(weights) else told[column]

    yield from explained.row(screen, "mix", explained.ExplainedHeatmap(run, figure, explain, run.labels))


def all_tokens(screen: Screen) -> Iterator[Block]:
    yield from steps.row(screen, "scores", "scaled", "weights", "output", chapter="all_tokens", run=every())


def same(screen: Screen) -> Iterator[Block]:
    """The difference between each query alone and its row of the matrices, measured now."""
    run = every()
    found = differences(run.module, run.inputs.x)
    largest = max(float(row.max()) for row in found.values())
    yield blocks.text(say("by_token.exact") if largest == 0 else say("by_token.rounding", difference=apart(largest)))
    names = [say(f"step.{id}.title") for id in found]
    rows = [
        [f"`{token}`", *(apart(row[index]) if row[index] else "0" for row in found.values())]
        for index, token in enumerate(run.tokens)
    ]
    yield blocks.table(say("by_token.alone"), *names, rows=rows)
    second = prepared(replace(NOTEBOOK, preset="notebook"))[0]
    of_second = max(float(row.max()) for row in differences(second.module, second.inputs.x).values())
    yield blocks.text(say("by_token.notebook", difference=apart(of_second)))


def _row(value: Tensor) -> list[float]:
    """The first row of the only sentence and the only head."""
    numbers: list[float] = value[0, 0, 0].tolist()
    return numbers


def _vector(value: Tensor) -> str:
    return f"({', '.join(fixed(number, 4) for number in _row(value))})"
