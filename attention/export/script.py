"""A record as a script and as a notebook, in plain PyTorch.

Givens are literals, everything else is the line of code of its quantity, in the order of the record.
"""

import json
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any

import torch

from attention.export.literals import UNPACK, literal
from attention.trace import Step, Trace

# Keeps every step under its id, because later steps re-use letters.
STEP = """\
steps = {}


def step(name, value):
    steps[name] = value
    print(f"{name:<10}", tuple(value.shape) if torch.is_tensor(value) else value)
"""
_FUSED = "F.scaled_dot_product_attention"
# A loop over the tokens with the same result, from an empty state.
_LOOP = """\
S = torch.zeros(*K.shape[:-2], K.shape[-1], V.shape[-1], dtype=V.dtype)
read = []
for i in range(K.shape[-2]):
    q, k, v, b = Q[..., i : i + 1, :], K[..., i : i + 1, :], V[..., i : i + 1, :], beta[..., i, None, None]
{lines}
    read.append(q @ S)
difference = steps["mixed"] - torch.cat(read, -2)
print("max |O - token by token| =", difference.abs().max().item())"""


@dataclass(frozen=True)
class Part:
    """A piece of an export: lines of Python, their title and formula ("" for none), and the expression that a notebook
    shows below them."""

    id: str
    code: str
    title: str = ""
    formula: str = ""
    shown: str = ""


def script(trace: Trace, *, titles: Mapping[str, str] | None = None, heading: str = "") -> str:
    """A Python script that computes every step again, prints its name and shape, and keeps it in `steps`.

    It ends with the difference from torch.nn.functional.scaled_dot_product_attention, unless that function cannot
    compute a step; for reads of a state (`attention.state`), with that from the loop over the tokens. titles: the
    titles of the steps, by id, for the comments; heading: comment lines at the top. Steps agree up to rounding: a
    projection is one product per head here, and one product in `attention.modules`. ValueError: an empty trace.
    """
    return as_script(forward(trace, titles or {}), heading)


def as_script(parts: Iterable[Part], heading: str) -> str:
    """Parts in order, each under its title and its formula as a comment."""
    bodies = (f"{_comment(': '.join(filter(None, (one.title, one.formula))))}{one.code}\n" for one in parts)
    text = "\n".join(bodies)
    return f"{_preamble(text, heading)}\n\n{text}"


def notebook(trace: Trace, *, titles: Mapping[str, str] | None = None, heading: str = "") -> str:
    """A Jupyter notebook (JSON, nbformat 4.5): for each step its formula, then a cell with its code.

    titles, heading, ValueError: as in `script`; the heading stands in the first cell of code, never as Markdown.
    """
    return as_notebook(forward(trace, titles or {}), heading)


def as_notebook(parts: Iterable[Part], heading: str) -> str:
    """Parts in order, each a cell with its formula and a cell with its code."""
    cells = []
    for part in parts:
        title = f"### {part.title}\n\n" if part.title else ""
        if part.formula:
            cells.append(_cell("markdown", f"{part.id}-formula", f"{title}$${part.formula}$$"))
        cells.append(_cell("code", part.id, "\n".join(filter(None, (part.code.rstrip(), part.shown)))))
    everything = "".join(cell["source"] for cell in cells)
    first = _cell("code", "start", _preamble(everything, heading).rstrip())
    kernel = {"display_name": "Python 3", "language": "python", "name": "python3"}
    metadata = {"kernelspec": kernel, "language_info": {"name": "python"}}
    whole = {"cells": [first, *cells], "metadata": metadata, "nbformat": 4, "nbformat_minor": 5}
    return json.dumps(whole, ensure_ascii=False, indent=1) + "\n"


def forward(trace: Trace, titles: Mapping[str, str]) -> Iterator[Part]:
    """The parts of a record's steps, and a part that compares them with torch."""
    if not len(trace):
        raise ValueError("the trace is empty: pass it to attention first")
    for id, step in trace.items():
        row = step.quantity
        yield Part(id, f'{_code(step)}\nstep("{id}", {row.letter})', titles.get(id, ""), row.formula, row.letter)
    if fused := _fused(trace):
        yield Part("torch", fused)
    if "mixed" in trace:
        yield Part("loop", _loop(trace))


def _code(step: Step) -> str:
    row = step.quantity
    return f"{row.letter} = {literal(step.value)}" if row.given else row.code.replace("; ", "\n")


def _preamble(text: str, heading: str) -> str:
    """The heading, then imports and helpers, as far as the text needs them."""
    packed = "unpacked(" in text
    standard = [name for name, used in (("base64", packed), ("math", "math." in text), ("zlib", packed)) if used]
    lines = "".join(f"import {name}\n" for name in standard) + "\n" * bool(standard) + "import torch\n"
    lines += "from torch.nn import functional as F\n" if _FUSED in text else ""
    return "\n".join([*([_comment(heading)] if heading else []), lines, STEP, *(["", UNPACK] if packed else [])])


def _fused(trace: Trace) -> str:
    """The comparison with torch's own function, which takes no keep-mask, cap, sink or second head."""
    if {"kept", "softcap", "sink", "difference"} & trace.keys() or "output" not in trace:
        return ""
    mask, scale = ("M" if "mask" in trace else None), ("c" if "scale" in trace else None)
    if "bias" in trace:
        hidden = mask and trace["mask"].value.dtype == torch.bool
        mask = "B.masked_fill(~M, -math.inf)" if hidden else "B + M" if mask else "B"
    gqa = "True" if "kv_head" in trace.sizes else None
    chosen = {"attn_mask": mask, "scale": scale, "enable_gqa": gqa}
    options = "".join(f", {name}={value}" for name, value in chosen.items() if value)
    return (
        f'difference = steps["output"] - {_FUSED}(Q, K, V{options})\n'
        f'print("max |O - {_FUSED}| =", difference.abs().max().item())'
    )


def _loop(trace: Trace) -> str:
    """The comparison with the loop that defines a state."""
    lines = []
    if "decay" in trace:
        of_features = trace["decay"].value.ndim == trace["keys"].value.ndim
        lines.append(f"    S = alpha[..., i, {':, None' if of_features else 'None, None'}] * S")
    written = "v - k @ S" if "overlaps" in trace else "v"
    return _LOOP.format(lines="\n".join([*lines, f"    S = S + k.mT @ (b * ({written}))"]))


def _comment(text: str) -> str:
    """Any text as comment lines that nothing in the text can end."""
    lines = ("".join(c if c.isprintable() else " " for c in line) for line in text.splitlines())
    return "".join(f"# {line}".rstrip() + "\n" for line in lines)


def _cell(kind: str, id: str, source: str) -> dict[str, Any]:
    cell = {"cell_type": kind, "id": id, "metadata": {}, "source": source}
    return cell | ({"execution_count": None, "outputs": []} if kind == "code" else {})
