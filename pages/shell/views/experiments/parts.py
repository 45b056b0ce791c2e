"""Parameters and computed steps, free sizes, and the same projection written the other way."""

from collections.abc import Iterator
from dataclasses import replace

from torch import Tensor

from attention.analysis.columns import Columns, as_columns
from attention.analysis.rerun import rerun
from pages.shell.i18n import say
from pages.shell.i18n.numbers import apart
from pages.shell.runs.run import Run
from pages.shell.runs.run import run as compute
from pages.shell.screen import Screen
from pages.shell.views import blocks, explained
from pages.shell.views.blocks import Block
from pages.shell.views.experiments.other_words import in_other_order
from pages.shell.views.experiments.what_if import that_random, with_random

_COMPARED = ("w_q", "w_k", "w_v", "w_o", "queries", "keys", "values", "scaled", "weights", "projected")
_D_VS = (1, 3, 7)


def another_sentence(screen: Screen) -> Iterator[Block]:
    """The changes if the words stand in another order: in activations, and in no parameter."""
    run = with_random(screen)
    yield blocks.heading(say("parts.sentence.title"))
    yield from that_random(screen)
    other = in_other_order(run)
    yield blocks.text(say("parts.sentence.text"))
    rows = []
    for id in _COMPARED:
        kind = "parameter" if id.startswith("w_") else "activation"
        rows.append([say(f"step.{id}.title"), say(f"parts.kind.{kind}"), _far(run, other, id)])
    yield blocks.table(*(say(f"parts.column.{name}") for name in ("step", "kind", "change")), rows=rows)


def value_sizes(screen: Screen) -> Iterator[Block]:
    """Values of other sizes than queries and keys: the weights and the shape of Y stay, that of the output changes."""
    run = with_random(screen)
    yield blocks.heading(say("parts.sizes.title"))
    yield blocks.text(say("parts.sizes.text", d_k=run.module.d_k))
    sizes = sorted({run.module.d_k, *_D_VS})
    rows = []
    for d_v in sizes:
        other = compute(replace(run.config, d_v=str(d_v)))
        shapes = (_shape(other.matrix(id)) for id in ("values", "output", "w_o", "projected"))
        rows.append([d_v, *shapes, _far(run, other, "weights")])
    columns = ("d_v", "V", "O", "W_O", "Y")
    yield blocks.table(*columns, say("parts.column.weights"), rows=rows)


def columns(screen: Screen) -> Iterator[Block]:
    """Q = W_q X with one token per column: three figures, each the transpose of ours."""
    run = screen.run
    yield blocks.text(say("what_if.transposed.text"))
    yield blocks.heading(say("parts.columns.title"))
    made = as_columns(run.trace)
    d_k, d_model, n = run.module.d_k, run.module.d_model, run.trace.sizes["query"]
    yield blocks.text(say("parts.columns.text", d_k=d_k, d_model=d_model, n=n, difference=apart(made.by)))
    yield from explained.row(screen, "as-columns", *(_turned(run, made, id) for id in ("w_q", "x", "queries")))


def scaled_first(screen: Screen) -> Iterator[Block]:
    """The queries divided by the root of d_k before they meet the keys."""
    run = screen.run
    first = rerun(run.trace, queries=run.trace["queries"].value / run.module.d_k**0.5, scale=1.0)
    after = rerun(run.trace, scale=run.module.d_k**-0.5)
    far = {id: apart((first[id].value - after[id].value).abs().nan_to_num().max()) for id in ("scaled", "weights")}
    yield blocks.text(say("parts.scaled_first", scores=far["scaled"], weights=far["weights"]))


def _turned(run: Run, made: Columns, id: str) -> explained.ExplainedHeatmap:
    step = {"x": made.x, "w_q": made.w_q, "queries": made.queries}[id]
    return explained.explained_heatmap(
        run,
        run.trace,
        id,
        explained.Caption(f"{id}-columns", say(f"parts.turned.{id}")),
        moved=explained.transposed(step),
    )


def _shape(z: Tensor) -> str:
    return " × ".join(map(str, z.shape))


def _far(run: Run, other: Run, id: str) -> str:
    return apart((run.trace[id].value - other.trace[id].value).abs().nan_to_num(posinf=0.0).max())
