"""A step as a heatmap: its numbers, axes and colour range. No other module of the theory imports it.

`heatmap` describes the drawing without colours; `plotly_figure` draws it with Plotly, for a notebook.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np
import torch
from torch import Tensor

from attention.block_masks import KINDS, blocks
from attention.trace import Step

if TYPE_CHECKING:
    from torch.nn.attention.flex_attention import BlockMask

LIMIT = 256
# The light colours of the app: its two scales of ten, and the two colours of boolean steps.
COLOURS = {
    "signed": [
        "#0b3c8c",
        "#2f6fbf",
        "#6ba3d8",
        "#aacdea",
        "#e6f0f8",
        "#fcefe4",
        "#f4c29f",
        "#e08552",
        "#bf4f1f",
        "#7f2a0a",
    ],
    "probability": [
        "#f4f8fd",
        "#dce9f7",
        "#bdd6ef",
        "#96bee4",
        "#6ba3d8",
        "#4587c7",
        "#2a6bb2",
        "#195198",
        "#0e3a79",
        "#082555",
    ],
    "binary": ["#f0f2f6", "#1f5fbf"],
}
_HIDDEN = {"signed": -float("inf"), "probability": 0.0, "binary": float("nan")}


@dataclass(frozen=True)
class Heatmap:
    """The drawing of a step: at most LIMIT rows and columns of one sentence and one head.

    z: float32 (rows, columns), NaN where the mask hides a cell; hidden: the value of a hidden cell, NaN if its value
    makes no difference (to keep or to drop a weight of zero), None if no cell is hidden; low, high: the ends of the
    colour range, which no drawn number exceeds; size: rows and columns before LIMIT.
    """

    id: str
    z: np.ndarray
    rows: str
    columns: str
    kind: str
    low: float
    high: float
    size: tuple[int, int]
    hidden: float | None = None


@dataclass(frozen=True)
class Heads:
    """All heads of a step, drawn side by side, each with its own colour range.

    z: float32 (heads, rows, columns), NaN as in `Heatmap`; low, high: (heads, 1, 1), the ends of the ranges.
    """

    z: np.ndarray
    low: np.ndarray
    high: np.ndarray


def heads_of(
    step: Step, heads: int, *, batch: int = 0, forbidden: Tensor | None = None, bounds: Tensor | None = None
) -> Heads:
    """The matrices of `heads` heads of one sentence, at most LIMIT rows and columns of each. forbidden: as in
    `heatmap`; bounds: (heads,), the `bound` of `heatmap` for each head."""
    z = of_every_head(step, heads, batch=batch)[:, :LIMIT, :LIMIT].to("cpu", torch.float32)
    if forbidden is not None:
        z = z.masked_fill(forbidden[:LIMIT, :LIMIT].cpu(), float("nan"))
    kind, largest = step.quantity.kind, magnitudes(z)
    if bounds is not None:
        largest = torch.maximum(largest, bounds.to(largest))
    if kind == "binary":
        low, high = torch.zeros_like(largest), torch.ones_like(largest)
    elif kind == "probability":
        low, high = torch.zeros_like(largest), largest.clamp(min=1)
    else:
        high = largest.where(largest > 0, torch.ones_like(largest))
        low = -high
    return Heads(z.numpy(), low.double().numpy()[:, None, None], high.double().numpy()[:, None, None])


def of_every_head(step: Step, heads: int, *, batch: int = 0) -> Tensor:
    """(heads, rows, columns) of one sentence, on the device of the step."""
    value = step.of_heads(heads, batch=batch)
    return value if value.ndim == 3 else value.reshape(heads, 1, -1)


def magnitudes(z: Tensor) -> Tensor:
    """The largest finite magnitude of each matrix of (heads, rows, columns), 0 without one."""
    return z.abs().nan_to_num(nan=0.0, posinf=0.0).amax(dim=(-2, -1))


def matrix(step: Step, *, batch: int = 0, head: int = 0) -> Tensor:
    """The (rows, columns) of one sentence and one head, on the device of the step.

    A bias is one row, and a number of each head one cell. A value that all sentences or all heads share (an axis of 1)
    is the same for each of them.
    """
    value = step.of(batch=batch, head=head)
    return value if value.ndim == 2 else value.reshape(1, -1)


def heatmap(
    step: Step, *, batch: int = 0, head: int = 0, forbidden: Tensor | None = None, bound: float | None = None
) -> Heatmap:
    """One sentence and one head of a step, ready to be drawn.

    forbidden: bool like the matrix, True where the mask hides the cell. bound: the end of a colour range that several
    figures share; None takes the largest magnitude of this one.
    """
    rows, columns = ("", "", *step.matrix_axes)[-2:]
    kind = step.quantity.kind
    # A difference of weights is drawn as signed, yet a hidden cell still has the weight 0.
    hidden = 0.0 if step.quantity.letter == "A" else _HIDDEN[kind]
    whole = matrix(step, batch=batch, head=head)
    return heatmap_of(step.id, whole, rows, columns, kind, forbidden=forbidden, hidden=hidden, bound=bound)


def heatmap_of(
    id: str,
    whole: Tensor,
    rows: str,
    columns: str,
    kind: str = "signed",
    *,
    forbidden: Tensor | None = None,
    hidden: float = -float("inf"),
    bound: float | None = None,
) -> Heatmap:
    """Any matrix (rows, columns), ready to be drawn. hidden: the value of a forbidden cell; the other arguments are
    those of `heatmap`."""
    z = whole[:LIMIT, :LIMIT].to("cpu", torch.float32)
    hides = forbidden is not None and bool(forbidden.any())
    if forbidden is not None and hides:
        z = z.masked_fill(forbidden[:LIMIT, :LIMIT].cpu(), float("nan"))
    size = (whole.shape[0], whole.shape[1])
    return Heatmap(id, z.numpy(), rows, columns, kind, *_ends(z, kind, bound), size, hidden if hides else None)


def magnitude(z: Tensor) -> float:
    """The largest finite magnitude, 0 without one."""
    return magnitudes(z.reshape(1, 1, -1)).item()


def _ends(z: Tensor, kind: str, bound: float | None) -> tuple[float, float]:
    if kind == "binary":
        return 0.0, 1.0
    largest = magnitude(z)
    if kind == "probability":
        return 0.0, max(1.0, largest, bound or 0.0)
    end = max(largest, bound or 0.0) or 1.0
    return -end, end


def plotly_figure(step: Step, labels: Mapping[str, Sequence[str]] | None = None, **choices: Any) -> Any:
    """A `plotly.graph_objects.Figure` of a step. labels: the tokens by axis name; choices: those of `heatmap`."""
    import plotly.graph_objects as go

    drawn, labels = heatmap(step, **choices), labels or {}
    figure = go.Figure(
        go.Heatmap(
            z=drawn.z,
            zmin=drawn.low,
            zmax=drawn.high,
            colorscale=COLOURS[drawn.kind],
            texttemplate="%{z:.2f}" if drawn.z.shape[1] <= 16 else None,
        )
    )
    for side, axis, count in (("yaxis", drawn.rows, drawn.z.shape[0]), ("xaxis", drawn.columns, drawn.z.shape[1])):
        names = [_escaped(name) for name in labels.get(axis, ())][:count]
        figure.update_layout({side: {"title": {"text": axis}}})
        if names:
            figure.update_layout({side: {"tickmode": "array", "tickvals": list(range(len(names))), "ticktext": names}})
    return figure.update_yaxes(autorange="reversed")


def block_figure(mask: "BlockMask", *, batch: int = 0, head: int = 0) -> Any:
    """A `plotly.graph_objects.Figure` of any `BlockMask` of FlexAttention: its full, partial and empty blocks.

    The axes count queries and keys. The title has the number of blocks of each kind. ValueError: no such sentence or
    head.
    """
    import plotly.graph_objects as go

    drawn = blocks(mask, batch=batch, head=head)
    (height, width), (queries, keys) = drawn.block, drawn.size
    empty, partial, full = COLOURS["binary"][0], COLOURS["probability"][3], COLOURS["binary"][1]
    # Each kind is one flat colour: its range ends where the next begins.
    scale = [[place, colour] for n, colour in enumerate((empty, partial, full)) for place in (n / 3, (n + 1) / 3)]
    said = [[KINDS[kind] for kind in row] for row in drawn.kinds.tolist()]
    figure = go.Figure(
        go.Heatmap(
            z=drawn.kinds.numpy(),
            x=_edges(width, keys),
            y=_edges(height, queries),
            zmin=-0.5,
            zmax=2.5,
            colorscale=scale,
            colorbar={"tickvals": [0, 1, 2], "ticktext": KINDS},
            text=said,
            texttemplate="%{text}" if len(said[0]) <= 16 else None,
            hovertemplate="queries around %{y}, keys around %{x}: %{text}<extra></extra>",
            xgap=1,
            ygap=1,
        )
    )
    counted = ", ".join(f"{count} {kind}" for kind, count in drawn.counts.items())
    title = f"{counted}: {drawn.sparsity:.0%} of the blocks are skipped"
    figure.update_layout(title=title, xaxis_title="key", yaxis_title="query")
    return figure.update_yaxes(autorange="reversed")


def _edges(block: int, size: int) -> list[int]:
    """The beginnings of blocks, and the end of the last one."""
    return [*range(0, size, block), size]


def _escaped(text: str) -> str:
    """The text with HTML escaped, since Plotly reads a subset of HTML in labels, and a token is text."""
    return text.replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;")
