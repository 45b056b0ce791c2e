"""The data of a record for the viewer: each step with its numbers, and the operands of each of its cells."""

import base64
from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
import torch

from attention.figures import COLOURS, of_every_head
from attention.trace import Step, Trace

Labels = Mapping[str, Sequence[str]]
# The most rows and columns of a step, letters of a label, and numbers of a record: 1.6 MB as text. The viewer says what
# is left out.
MOST, LETTERS, NUMBERS = 64, 40, 300_000
# The rule behind the numbers of a step, and the operands: by letter the cell itself, its row, its column, or the row of
# the other matrix that has the number of the column.
_MADE: Mapping[str, tuple[str, tuple[tuple[str, str], ...]]] = {
    "queries": ("product", (("X", "row"), ("W_Q", "column"))),
    "keys": ("product", (("X", "row"), ("W_K", "column"))),
    "values": ("product", (("X", "row"), ("W_V", "column"))),
    "scores": ("product", (("Q", "row"), ("K", "other"))),
    "scaled": ("scaled", (("S", "cell"),)),
    "softcapped": ("capped", (("S", "cell"),)),
    "biased": ("sum", (("S", "cell"), ("B", "cell"))),
    "masked": ("masked", (("S", "cell"), ("M", "cell"))),
    "weights": ("softmax", (("S", "row"),)),
    "dropped": ("dropped", (("A", "cell"), ("D", "cell"))),
    "output": ("product", (("A", "row"), ("V", "column"))),
    "projected": ("product", (("O", "row"), ("W_O", "column"))),
}
# Numbers in a sentence, by the step that they act on.
_NAMED = {"scaled": "scale", "softcapped": "softcap", "dropped": "dropout"}
_AFTER_MASK = ("masked", "weights", "kept", "dropped")


def contents(trace: Trace, labels: Labels | None = None) -> dict[str, Any]:
    """The steps that have cells, in their order. labels: the tokens by axis name.

    A record that is larger than NUMBERS is sent without its further sentences and then without its further heads.
    """
    drawn = [step for step in trace.values() if step.axes and step.value.numel()]
    sizes = [_sizes(trace, step) for step in drawn]
    sentences, heads = (max((each[at] for each in sizes), default=1) for at in (0, 1))
    held = [(sentences, heads), (1, heads), (1, 1)]
    batch, count = next((one for one in held if _numbers(sizes, *one) <= NUMBERS), held[-1])
    labels = dict(labels or {})
    if "key" in labels and "query" not in labels:
        # The queries are the last words.
        labels["query"] = labels["key"][-trace.sizes.get("query", 0) or None :]
    names = {axis: [str(word)[:LETTERS] for word in words[:MOST]] for axis, words in labels.items()}
    return {
        "steps": [_step(trace, step, batch, count) for step in drawn],
        "sentences": batch,
        "heads": count,
        "left": [sentences - batch, heads - count],
        "labels": names,
        "colours": COLOURS,
    }


def _sizes(trace: Trace, step: Step) -> tuple[int, int, int]:
    """Sentences and heads of a step, and the numbers of one of its matrices as drawn."""
    *_, rows, columns = 1, 1, *(step.sizes[axis] for axis in step.matrix_axes)
    heads = step.sizes.get("head", step.sizes.get("kv_head", 1) * step.group)
    return step.sizes.get("batch", 1), heads, min(rows, MOST) * min(columns, MOST)


def _numbers(sizes: Sequence[tuple[int, int, int]], batch: int, heads: int) -> int:
    return sum(min(each[0], batch) * min(each[1], heads) * each[2] for each in sizes)


def _step(trace: Trace, step: Step, batch: int, heads: int) -> dict[str, Any]:
    own, most, _ = _sizes(trace, step)
    kept, count = min(own, batch), min(most, heads)
    matrices = [of_every_head(step, count, batch=at)[:, :MOST, :MOST].cpu().float() for at in range(kept)]
    value = torch.stack(matrices).numpy().astype("<f4")
    rows, columns = ("", "", *step.matrix_axes)[-2:]
    how, operands = _MADE.get(step.id, ("given", ()))
    if step.quantity.given:
        how, operands = "given", ()
    made: dict[str, Any] = {
        "how": how,
        "of": [{"step": _before(trace, step, letter), "part": part} for letter, part in operands],
    }
    # The bias of a product, if the row of the record adds it.
    if (
        how == "product"
        and (bias := f"b_{step.quantity.letter.lower()}") in trace
        and f"+ {bias[0]}_" in step.quantity.code
    ):
        made["plus"] = bias
    if step.id == "projected" and "b_o" in trace:
        made["plus"] = "b_o"
    if step.id == "scaled" and "queries" in trace:
        made["features"] = trace["queries"].value.shape[-1]
    named = _NAMED.get(step.id, "")
    if named in trace and trace[named].value.numel() == 1:
        made["by"] = float(trace[named].value)
    sink = step.id == "weights" and "sink" in trace
    return {
        "id": step.id,
        "letter": step.quantity.letter,
        "latex": step.quantity.formula,
        "kind": step.quantity.kind,
        "axes": [rows, columns],
        "shape": list(value.shape),
        "sizes": [f"{axis} {size}" for axis, size in step.sizes.items()],
        "z": base64.b64encode(np.ascontiguousarray(value).tobytes()).decode(),
        "hidden": step.id in _AFTER_MASK and "mask" in trace and step.axes[-2:] == ("query", "key"),
        "made": made | ({"sink": True} if sink else {}),
    }


def _before(trace: Trace, step: Step, letter: str) -> str:
    """The id of the step that a letter names; for keys and values in cross-attention, the context for X."""
    names = ("C", "X") if letter == "X" and step.id != "queries" and "context" in trace else (letter,)
    for name in names:
        try:
            return trace.before(step.id, name).id
        except KeyError:
            continue
    return ""
