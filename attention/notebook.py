"""A record outside the app: its display in a notebook, and one page that opens without a server."""

import html
import re
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from torch import Tensor

from attention.figures import LIMIT, matrix, plotly_figure
from attention.trace import Step, Trace
from attention.viewer.document import frame

Labels = Mapping[str, Sequence[str]]
# Heights in pixels: a row of cells, the margins around the cells, the smallest and the largest figure.
_ROW, _AROUND, _LEAST, _MOST = 28, 120, 220, 900
_SYMBOLS = {
    r"\leftarrow": "←",
    r"\infty": "∞",
    r"\top": "⊤",
    r"\sim": "∼",
    r"\odot": "⊙",
    r"\ldots": "…",
    r"\sqrt": "√",
    r"\lceil": "⌈",
    r"\rceil": "⌉",
    r"\theta": "θ",
    r"\kappa": "κ",
    r"\alpha": "α",
    r"\beta": "β",
    r"\Gamma": "Γ",
    r"\lambda": "λ",
    r"\sigma": "σ",
    r"\times": "×",
    r"\;": " ",
    r"\textstyle\prod": "∏",
    r"\textstyle\sum": "∑",
    r"\lVert": "‖",
    r"\rVert": "‖",
    r"\le ": "≤ ",
    r"\Phi": "Φ",
    r"\tanh": "tanh",
    r"\,": " ",
    "-": "−",
}
_STYLE = """
body { font: 16px/1.5 system-ui, sans-serif; max-width: 60rem; margin: 2rem auto; padding: 0 1rem; }
h2 { margin: 2.5rem 0 0; font-size: 1.2rem; }
p { margin: .2rem 0; }
.formula { font-family: Georgia, serif; font-size: 1.2rem; }
code { background: #f0f2f6; padding: .1rem .3rem; }
"""


def bundle_of_step(step: Step) -> dict[str, Any]:
    """MIME type to content: a line of text, and its numbers as a figure that answers clicks."""
    if not _is_drawn(step):
        return {"text/plain": repr(step)}
    alone = Trace()
    alone.record(step.quantity, step.value)
    return {"text/plain": repr(step), "text/html": frame(alone)}


def bundle_of_trace(trace: Trace) -> dict[str, Any]:
    """MIME type to content: all steps as text, and as linked figures that open on the weights."""
    text = {"text/plain": repr(trace)}
    return text | {"text/html": frame(trace)} if any(map(_is_drawn, trace.values())) else text


def page(trace: Trace, *, labels: Labels | None = None, batch: int = 0, head: int = 0) -> str:
    """One HTML page: each step with its formula, its sizes and the heatmap of one sentence and one head.

    labels: the tokens by axis name. The page holds plotly.js and needs neither a server nor a network. ValueError: no
    such sentence or head. ImportError: Plotly is not installed.
    """
    for axis, index in (("batch", batch), ("head", head)):
        size = trace.sizes.get(axis, 1)
        if not 0 <= index < size:
            raise ValueError(f"{axis} {index} is not in this trace; 0 to {size - 1}")
    first = next((step.id for step in trace.values() if _is_drawn(step)), None)
    sections = "".join(
        _section(step, trace, labels, batch, head, with_script=step.id == first) for step in trace.values()
    )
    return (
        '<!doctype html>\n<html lang="en"><head><meta charset="utf-8"><title>Attention, step by step</title>'
        f"<style>{_STYLE}</style></head>\n"
        f"<body><h1>Attention, step by step</h1>{sections}</body></html>\n"
    )


def write(trace: Trace, path: str | Path | None, **choices: Any) -> str:
    """Return the text of `page`, and write it to `path` if one is given."""
    text = page(trace, **choices)
    if path is not None:
        Path(path).write_text(text, encoding="utf-8")
    return text


def formula_in_html(latex: str) -> str:
    """A formula of the notation with HTML subscripts and superscripts, which the titles of Plotly can show."""
    text = re.sub(r"\\(?:operatorname|text)\{([^}]*)\}", r"\1", latex)
    for command, symbol in _SYMBOLS.items():
        text = text.replace(command, symbol)
    text = re.sub(r"√\{([^}]*)\}", r"√\1", html.escape(text))
    text = re.sub(r"_(?:\{([^}]*)\}|(\w))", r"<sub>\1\2</sub>", text)
    return re.sub(r"\^(?:\{([^}]*)\}|(.))", r"<sup>\1\2</sup>", text)


def _sizes(step: Step) -> str:
    return " × ".join(f"{axis} {size}" for axis, size in step.sizes.items()) or f"{step.value.item():.6g}"


def _is_drawn(step: Step) -> bool:
    return bool(step.axes) and step.value.numel() > 0


def _figure(step: Step, trace: Trace | None, labels: Labels | None, batch: int, head: int) -> Any:
    hidden = None if trace is None else _forbidden(step, trace, batch, head)
    figure = plotly_figure(step, labels, batch=batch, head=head, forbidden=hidden)
    rows = min(matrix(step, batch=batch, head=head).shape[0], LIMIT)
    title = f"<b>{step.id}</b>   {formula_in_html(step.quantity.formula)}   <sup>{_which(step, batch, head)}</sup>"
    # Hidden cells are blank, without grid lines.
    figure.update_xaxes(showgrid=False, zeroline=False).update_yaxes(showgrid=False, zeroline=False)
    height = min(max(_AROUND + _ROW * rows, _LEAST), _MOST)
    return figure.update_layout(title=title, height=height, plot_bgcolor="#ffffff")


def _forbidden(step: Step, trace: Trace, batch: int, head: int) -> Tensor | None:
    """True where the mask hides a cell; None for a step before the mask."""
    order = list(trace)
    if "mask" not in trace or order.index(step.id) <= order.index("mask") or step.axes[-2:] != ("query", "key"):
        return None
    mask = trace["mask"].of(batch=batch, head=head)
    allowed = mask if trace["mask"].quantity.kind == "binary" else ~mask.isneginf()
    return ~allowed.bool().expand(step.value.shape[-2:])


def _which(step: Step, batch: int, head: int) -> str:
    """The sizes of a step, and the sentence, head and part of the matrix in the heatmap."""
    parts = [_sizes(step)]
    for axis, index in (("batch", batch), ("head", head)):
        if (size := step.sizes.get(axis, 1)) > 1:
            parts.append(f"{axis} {index + 1} of {size}")
    if _is_drawn(step) and max(matrix(step, batch=batch, head=head).shape) > LIMIT:
        parts.append(f"the first {LIMIT} of each axis")
    return "; ".join(parts)


def _section(step: Step, trace: Trace, labels: Labels | None, batch: int, head: int, *, with_script: bool) -> str:
    code = f" <code>{html.escape(step.quantity.code)}</code>" if step.quantity.code else ""
    said = f'<h2>{html.escape(step.id)}</h2><p class="formula">{formula_in_html(step.quantity.formula)}</p>'
    hidden = _forbidden(step, trace, batch, head)
    blank = "; blank: hidden by the mask" if hidden is not None and bool(hidden.any()) else ""
    said += f"<p>{_which(step, batch, head)}{blank}{code}</p>"
    if not _is_drawn(step):
        return f"<section>{said}</section>\n"
    figure = _figure(step, trace, labels, batch, head).update_layout(title=None, margin={"t": 30})
    drawn = figure.to_html(full_html=False, include_plotlyjs=with_script, div_id=f"step-{step.id}")
    return f"<section>{said}{drawn}</section>\n"
