"""A step of another run than that of the screen, as a figure with a title of its own."""

from collections.abc import Sequence
from dataclasses import replace

from torch import Tensor

from attention.figures import heatmap
from attention.trace import Step
from pages.shell import plot
from pages.shell.run import Run


def figure(
    run: Run,
    step: Step,
    id: str,
    title: str,
    note: str,
    *,
    forbidden: Tensor | None = None,
    bound: float | None = None,
    tokens: Sequence[str] | None = None,
) -> plot.Figure:
    """The sentence and the head that a run shows. id: tells it from its neighbours; tokens: those along queries and
    keys, None for the run's; forbidden and bound as in `attention.figures.heatmap`."""
    where = {"batch": run.sentence, "head": run.head}
    drawn = heatmap(step, **where, forbidden=forbidden, bound=bound)
    labels = run.labels if tokens is None else {"query": tokens, "key": tokens}
    rows, columns = (labels.get(axis, ()) for axis in (drawn.rows, drawn.columns))
    return plot.Figure(replace(drawn, id=id), title, rows, columns, note)


def ends(sums: Tensor) -> str:
    """From the smallest to the largest, one number where they are the same."""
    if sums.isnan().any():
        return "NaN"
    low, high = f"{sums.min():.2f}", f"{sums.max():.2f}"
    return low if low == high else f"{low}–{high}"
