"""Conventions mistaken for others: columns as queries, softmax over the wrong axis, the wrong d under the root."""

import math
from collections.abc import Iterator
from dataclasses import replace
from typing import Any

from attention.analysis import interventions
from attention.experiments import wrong_scale
from attention.figures import matrix
from attention.scales import SCALES
from attention.trace import Step
from pages.shell.i18n import listed, say
from pages.shell.i18n.numbers import apart
from pages.shell.runs.run import Run
from pages.shell.runs.run import run as compute
from pages.shell.screen import Screen
from pages.shell.state.config import AUTO
from pages.shell.views import blocks, explained
from pages.shell.views.blocks import Block
from pages.shell.views.experiments.sentence import waits
from pages.shell.views.experiments.what_if import hidden, that_random, with_random
from pages.shell.views.head_arcs import asked_of

# Scales that divide the scores, each by a number of its own.
_DIVISORS = tuple(name for name in SCALES if name not in ("none", "after_softmax"))


def transposed(screen: Screen) -> Iterator[Block]:
    """The same weights with a query a row, as here, and with a query a column; those of the word in a frame. Nothing
    while the question waits for a guess, because they would give the answer away."""
    if waits(screen):
        return
    run, query = screen.run, asked_of(screen)
    weights, mask = run.trace["weights"], hidden(run)
    columns = Step(replace(weights.quantity, axes=("batch", "head", "key", "query")), weights.value.mT)
    row = explained.explained_heatmap(
        run, run.trace, "weights", _caption("rows", say("what_if.transposed.rows"), run, weights), forbidden=mask
    )
    column = explained.explained_heatmap(
        run,
        run.trace,
        "weights",
        _caption("columns", say("what_if.transposed.columns"), run, columns),
        forbidden=None if mask is None else mask.mT,
        moved=explained.transposed(columns, by_column=True),
    )
    own, keys = range(query, query + 1), range(weights.value.shape[-1])
    word = {"word": run.labels["query"][query]}
    framed = [
        replace(of, figure=replace(of.figure, block=block, named=say("what_if.transposed.own", **word)))
        for of, block in ((row, (own, keys)), (column, (keys, own)))
    ]
    yield from explained.row(screen, "transposed", *framed)


def wrong_axis(screen: Screen) -> Iterator[Block]:
    """Softmax over the keys and over the queries, and how far the latter looks into the future under a causal mask."""
    run = screen.run
    wrong = Step(run.trace["weights"].quantity, interventions.over_queries(run.trace))
    yield blocks.heading(say("what_if.wrong_axis.title"))
    yield blocks.text(say("what_if.wrong_axis.text"))
    mask = hidden(run)
    right = explained.explained_heatmap(
        run,
        run.trace,
        "weights",
        _caption("over-keys", say("what_if.wrong_axis.over_keys"), run, run.trace["weights"]),
        forbidden=mask,
    )
    mistaken = explained.explained_heatmap(
        run,
        interventions.swapped(run.trace),
        "weights",
        _caption("over-queries", say("what_if.wrong_axis.over_queries"), run, wrong),
        forbidden=mask,
        moved=explained.transposed(wrong, by_column=True),
    )
    yield from explained.row(screen, "wrong-axis", right, mistaken)
    if len(run.tokens) > 1:
        causal = compute(replace(run.config, mask="causal", painted=""))
        leak = interventions.future_leak(causal.trace)
        yield blocks.text(say("what_if.wrong_axis.leak", **{name: apart(far) for name, far in leak.items()}))


def wrong_d(screen: Screen) -> Iterator[Block]:
    """Mistakes for the root of d_k, on the queries and keys of the screen."""
    run = with_random(screen)
    yield blocks.heading(say("what_if.wrong_d.title"))
    yield from that_random(screen)
    asked, run = run.module.heads, _telling(run)
    sizes: dict[str, Any] = {"d_k": run.module.d_k, "d_model": run.module.d_model, "heads": run.module.heads}
    said = [say("what_if.wrong_d.text", **sizes)]
    if run.module.heads != asked:
        said.append(say("what_if.wrong_d.instead", asked=asked, heads=run.module.heads))
    yield blocks.text(listed("sentence", said))
    columns = ("factor", "spread", "entropy", "largest", "row_sum")
    rows = []
    for scale in SCALES:
        found = wrong_scale.by_scale(run.trace, scale, run.module.d_model)
        rows.append([say(f"what_if.scale.{scale}"), *(_three(found[name]) for name in columns)])
    yield blocks.table(say("table.divisor"), *(say(f"what_if.column.{name}") for name in columns), rows=rows)


def _telling(run: Run) -> Run:
    """The run of the screen if each mistake has a divisor of its own; else with the first number of heads that tells
    them apart, or unchanged if none does."""
    d_model = run.module.d_model
    for heads in (run.module.heads, *(h for h in range(2, d_model) if d_model % h == 0)):
        d_k = run.module.d_k if run.config.d_k != AUTO else d_model // heads
        if len({round(SCALES[name](d_k, d_model, heads), 9) for name in _DIVISORS}) == len(_DIVISORS):
            return run if heads == run.module.heads else compute(replace(run.config, heads=heads))
    return run


def _caption(id: str, title: str, run: Run, step: Step) -> explained.Caption:
    return explained.Caption(id, title, _sums(run, step))


def _three(number: float) -> str:
    """The number in three decimals; a dash if no row can be measured because nobody may attend to anything."""
    return "–" if math.isnan(number) else f"{number:.3f}"


def _sums(run: Run, step: Step) -> str:
    z = matrix(step, **run.where)
    return say("what_if.sums", rows=explained.span(z.sum(-1)), columns=explained.span(z.sum(-2)))
