"""The arithmetic of one cell of one gradient, with the operands of the backward step."""

import re
from collections.abc import Callable, Sequence
from dataclasses import replace

import torch

from attention.explain import gradient_lines as lines
from attention.explain import gradient_results as results
from attention.explain import gradient_variants as variants
from attention.explain.explanation import Explanation
from attention.explain.gradient_part import Part, bracketed, matrix_of
from attention.explain.latex import subscript, terms
from attention.trace import Trace


def cell(
    forward: Trace,
    gradients: Trace,
    id: str,
    row: int,
    column: int,
    *,
    by: Sequence[str],
    batch: int = 0,
    head: int = 0,
) -> Explanation:
    """The arithmetic of the number at (row, column), counted from 0, of the gradient of a step.

    gradients: with the rows of the backward pass; by: the steps that read the step, whose gradients are its operands,
    in the order of the terms of its line; none for the target's own step. Rules: upstream, autograd (no formula),
    formula (one that is not shown with numbers), and those of `_LINES`, gradient_product to gradient_slope. ValueError:
    no such gradient, or a cell outside of it.
    """
    if id not in gradients:
        raise ValueError(f"the target does not depend on {id!r}; it depends on {', '.join(gradients)}")
    matrix = matrix_of(gradients[id], batch, head)
    for axis, index, size in zip(("row", "column"), (row, column), matrix.shape, strict=True):
        if not 0 <= index < size:
            raise ValueError(f"{axis} {index} is outside the gradient of step {id!r}, which has {size}")
    recorded, quantity = float(matrix[row, column]), gradients[id].quantity
    line = quantity.code.partition(" = ")[2]
    # The line of one step may have a plus of its own.
    codes = [] if quantity.given else [line] if len(by) == 1 else line.split(" + ")
    parts = [
        Part(forward, gradients, id, one, code, row, column, batch, head) for one, code in zip(by, codes, strict=False)
    ]
    # A value that several sentences share gets a sum over them, which the numbers of one sentence do not show.
    shared = (
        gradients[id].sizes.get("batch") == 1 < max((gradients[one].sizes.get("batch", 1) for one in by), default=1)
    )
    told = [None if shared else _told(part) for part in parts]
    if not told or any(each is None for each in told):
        name = f"{bracketed(quantity.letter)}_{{{subscript(row, column)}}} ="
        rule = "upstream" if not by else "autograd" if quantity.given else "formula"
        return Explanation(rule, "", (), recorded, name, recorded=recorded)
    found = [each for each in told if each is not None]
    return replace(found[0] if len(found) == 1 else _added(parts, found), recorded=recorded)


def _added(parts: Sequence[Part], told: Sequence[Explanation]) -> Explanation:
    """The sum of the contributions of several steps."""
    numbers = torch.tensor([each.computed for each in told], dtype=torch.float64)
    shown = tuple(line for each in told for line in each.lines[-1:])
    axis = told[0].axis
    same = all(each.axis == axis for each in told) and len({len(line.values) for line in shown}) == 1
    equation = f"{parts[0].cell} = {terms(numbers)} ="
    return Explanation("gradient_added", axis, shown if same else (), float(numbers.sum()), equation)


def _told(part: Part) -> Explanation | None:
    for pattern, tell in _LINES:
        if found := re.fullmatch(pattern, part.code):
            return tell(part, *found.groups())
    return None


_D, _M = r"(d\w+)", r"(\w+)"
# Line of the backward pass to the function that explains it.
_LINES: tuple[tuple[str, Callable[..., Explanation]], ...] = (
    (r"dO \* G\.sigmoid\(\).*", results.opened),
    (r"(?:\(dO \* O_in\)\.sum\(-1\)|dO \* O_in) \* G\..*", results.of_gate),
    (r"dG\.mT @ W_G", results.heads_of_gate),
    (r"\(dG @ X\)\..*", results.weights_of_gate),
    (r"torch\.stack\(\(dA, -lambda_D.*", results.of_pair),
    (r"\(-dA \* A_in.*", results.of_lambda),
    (r"\(\(A\.sum\(-1\) - 1\) \* \(dA \* A\)\.sum\(-1\)\)\.sum_to_size.*", results.of_own_sink),
    (rf"\({_D} @ {_M}\.mT\)\.sum\(-3\)", lines.over_heads),
    (rf"\({_M}(?:\.unsqueeze\(-3\))?\.mT @ {_D}\)\.sum_to_size\(\w+\.shape\)", lines.of_parameter),
    (rf"{_D} @ {_M}(?:\.repeat_interleave\(.*\))?\.mT", lines.rows_by_rows),
    (rf"{_D} @ {_M}(?:\.repeat_interleave\(.*\))?", lines.rows_by_columns),
    (rf"\({_M}\.mT @ {_M}\)\.unflatten\(.*", variants.of_group),
    (rf"{_M}\.mT @ {_M}", lines.columns_by_columns),
    (r"dS\.sum_to_size\(B\.shape\)", variants.over_sentences),
    (rf"{_D}(?:\.sum\(-2\))?\.sum_to_size\(\w+\.shape\)", lines.of_bias),
    (r"A \* \(dA - \(dA \* A\)\.sum\(-1, keepdim=True\)\)", lines.softmax),
    (r"d\w+ / math\.sqrt\(Q\.shape\[-1\]\)", lines.by_root),
    (r"d\w+ \* c", lines.by_factor),
    (r"d\w+\.masked_fill\(~M, 0\)", lines.masked),
    (r"d\w+ \* D / \(1 - p or 1\)", lines.dropped),
    (r"dO\.unflatten\(.*", lines.split),
    (r"torch\.(?:cat|stack)\(\((?:torch\.(?:cat|stack)\(\()?d.*", variants.rotated),
    (r"dS \* \(1 - \(S / kappa\) \*\* 2\)", variants.softcapped),
    (r"d\w\[\.\.\., C_(\w)\.shape\[-2\] :, :\]", variants.new_rows),
    (r"\(\(?d(\w).* - torch\.rms_norm\(.*", variants.normed),
    (r"\(d(\w) \* torch\.rms_norm\(.*\.sum_to_size\(g_\w\.shape\)", variants.of_gain),
    (r"\(\(A\.sum\(-1\) - 1\).*", variants.of_sink),
    (r"\(dB \* -\(p_Q.*", variants.of_slope),
    (r"d\w+", lines.same),
)
