"""The one-line summary of a figure, made from the numbers that it shows, and the name of their head."""

import math
from collections.abc import Callable

import torch
from torch import Tensor

from attention.analysis.meters import meters
from attention.figures import matrix
from attention.trace import Step
from pages.shell.i18n import listed, say
from pages.shell.i18n.numbers import digits, fixed, fraction, interval
from pages.shell.runs.run import Run
from pages.shell.state import typed_numbers
from pages.shell.views import naming

# A smaller feature does not count as part of what an output says.
_READ = 0.1


def note(run: Run, step: Step, focus: int) -> str:
    """A sentence about a step, or nothing. focus: the query that it speaks about."""
    written = _NOTES.get(step.id)
    return written(run, step, matrix(step, **run.where), focus) if written else ""


def head(run: Run) -> str:
    """The name of the shown head; nothing if there is only one."""
    return say("heads.of", head=run.head + 1, heads=run.module.heads) if run.module.heads > 1 else ""


def part(run: Run, step: Step) -> str:
    """The head that a figure of a step shows; nothing if all heads share the step, as they share a mask."""
    is_own = "head" in step.axes and (
        step.id != "mask" or not step.value.equal(step.value[:, :1].expand_as(step.value))
    )
    return head(run) if is_own else ""


def _scores(run: Run, step: Step, z: Tensor, focus: int) -> str:
    row, column = divmod(int(z.argmax()), z.shape[1])
    return say("note.scores", value=_two(z.max()), **_pair(run, row, column))


def _scaled(run: Run, step: Step, z: Tensor, focus: int) -> str:
    # Measured over the pairs that the mask allows, as the numbers beside it.
    found = meters(run.trace, **run.where)
    before, after = ("–" if math.isnan(spread) else _two(spread) for spread in (found.raw, found.scaled))
    if run.config.scale == "none":
        return say("note.scaled_none", after=after)
    d_k = run.module.d_k
    factor = run.trace["scale"].value.item() if "scale" in run.trace else None
    if (d_k**-0.5 if factor is None else factor) == 1:
        return say("note.scaled_one", after=after)
    by = f"√d_k = √{d_k} = {d_k**0.5:.4g}" if factor is None else f"{1 / factor:.4g}"
    return say("note.scaled", by=by, before=before, after=after)


def _mask(run: Run, step: Step, z: Tensor, focus: int) -> str:
    said = say("note.mask", hidden=int((~z).sum()), pairs=z.numel())
    return listed("sentence", (said, *_empty_rows(run, ~z.any(-1))))


def _empty_rows(run: Run, empty: Tensor) -> tuple[str, ...]:
    """The policy for queries that may attend to nothing, if there are such queries."""
    rows = empty.nonzero().flatten().tolist()
    return (say("note.empty_rows", count=len(rows), tokens=_listed(run, rows)),) if rows else ()


def _masked(run: Run, step: Step, z: Tensor, focus: int) -> str:
    seen = int((z[focus] > -float("inf")).sum())
    return naming.opened(say("note.masked", query=naming.of_query(run, focus), seen=seen, keys=z.shape[1]))


def _weights(run: Run, step: Step, z: Tensor, focus: int) -> str:
    query, row = naming.of_query(run, focus), z[focus]
    empty = ~z.any(-1)
    top = [j for j in row.argsort(descending=True, stable=True).tolist() if row[j] >= 0.1][:3]
    if empty[focus]:
        said = say("note.weights_empty", query=query)
    elif top:
        parts = [say("note.weights_on", value=_two(row[j]), key=naming.of_key(run, j)) for j in sorted(top)]
        said = say("note.weights", query=query, parts=listed("comma", parts))
    else:
        said = say("note.weights_flat", query=query, most=_two(row.max()), keys=int((row > 0).sum()))
    sums = say("note.weight_sums", rows=_sums(z), columns=_sums(z.mT))
    return listed("sentence", (naming.opened(said), sums, *_empty_rows(run, empty)))


def _kept(run: Run, step: Step, z: Tensor, focus: int) -> str:
    seen = run.matrix("mask") if "mask" in run.trace else torch.ones_like(z)
    dropped = int((~z & seen).sum())
    return say("note.kept", p=f"{run.config.dropout:.2f}", dropped=dropped, pairs=int(seen.sum()))


def _dropped(run: Run, step: Step, z: Tensor, focus: int) -> str:
    return say("note.dropped", sums=_sums(z), largest=_two(z.max()))


def _origin(run: Run, step: Step, z: Tensor, focus: int) -> str:
    said = say(f"note.origin.{run.config.preset}")
    typed = any(one.matrix != "x" for one in typed_numbers.of(run.config.edited, run.config.preset))
    return listed("sentence", (said, say("note.origin.typed"))) if typed else said


def _reads(run: Run, step: Step, z: Tensor, focus: int) -> str:
    """The largest features of a query's output by their names; nothing if they have no names."""
    if "out" not in run.names:
        return ""
    names, row, token = run.labels["out"], z[focus], run.labels["query"][focus]
    largest = [at for at in row.abs().argsort(descending=True, stable=True).tolist() if abs(row[at]) >= _READ][:3]
    if not largest:
        return say("note.reads_nothing", token=token, least=_READ)
    parts = (say("note.reads_part", value=fraction(row[at]), name=names[at]) for at in sorted(largest))
    return say("note.reads", token=token, parts=listed("comma", parts))


def _sums(z: Tensor) -> str:
    sums = z.sum(-1)
    return interval(_two(sums.min()), _two(sums.max()))


_NOTES: dict[str, Callable[[Run, Step, Tensor, int], str]] = {
    "scores": _scores,
    "scaled": _scaled,
    "mask": _mask,
    "masked": _masked,
    "weights": _weights,
    "kept": _kept,
    "dropped": _dropped,
    "w_q": _origin,
    "projected": _reads,
}


def _pair(run: Run, row: int, column: int) -> dict[str, str]:
    return {"query": naming.of_query(run, row), "key": naming.of_key(run, column)}


def _listed(run: Run, rows: list[int]) -> str:
    return listed("comma", (naming.of_query(run, row) for row in rows[:5])) + (" …" if len(rows) > 5 else "")


def _two(value: Tensor | float) -> str:
    """Two decimals, or two digits if the decimals would show 0."""
    number = float(value)
    return fixed(number) if abs(number) >= 0.01 or number == 0 else digits(number, 2)
