"""A record as data: all tensors in one file for NumPy, and matrices for a spreadsheet."""

import csv
import io
import zipfile
from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
import torch
from torch import Tensor

from attention.trace import Step, Trace

# Characters with which a spreadsheet starts a formula, full-width forms included.
_FORMULA = ("=", "+", "-", "@", "\t", "\r", "\n", "＝", "＋", "－", "＠")


def npz(trace: Trace) -> bytes:
    """All steps, of all sentences and heads, by id for `numpy.load`; bfloat16, which NumPy lacks, as float32."""
    file = io.BytesIO()
    arrays: dict[str, Any] = {id: _array(step.value) for id, step in trace.items()}
    np.savez(file, **arrays)
    return file.getvalue()


def as_csv(step: Step, *, batch: int = 0, head: int = 0, labels: Mapping[str, Sequence[str]] | None = None) -> str:
    """The matrix of one sentence and one head as CSV: the corner names the axes, the first row and column their labels.

    labels: the labels along an axis, by the name of the axis or, for one step, by `step.axis`; other axes are counted
    from 1. A bias is one row; a single number has no axes. Numbers are the shortest decimals with the same bits,
    booleans 0 and 1, both unquoted; everything else is quoted, and a label that a spreadsheet would read as a formula
    gets an apostrophe in front. ValueError: another number of labels than the axis has places.
    """
    matrix = torch.atleast_2d(step.of(batch=batch, head=head))
    rows, columns = ("", "", *step.matrix_axes)[-2:]
    names = {axis: (labels or {}).get(f"{step.id}.{axis}") or (labels or {}).get(axis) for axis in (rows, columns)}
    down, across = (_along(axis, size, names[axis]) for axis, size in zip((rows, columns), matrix.shape, strict=True))
    array = _array(matrix)
    numbers = array.astype(int) if array.dtype == bool else array
    file = io.StringIO()
    writer = csv.writer(file, quoting=csv.QUOTE_NONNUMERIC)
    writer.writerow([f"{rows} \\ {columns}".strip(" \\"), *across])
    writer.writerows([name, *line] for name, line in zip(down, numbers, strict=True))
    return file.getvalue()


def csv_archive(
    trace: Trace, *, batch: int = 0, head: int = 0, labels: Mapping[str, Sequence[str]] | None = None
) -> bytes:
    """A zip archive with `as_csv` of every step, numbered in the order of the record; equal runs give equal bytes.

    UTF-8 with a byte order mark, without which a spreadsheet misreads anything but English.
    """
    file = io.BytesIO()
    with zipfile.ZipFile(file, "w", zipfile.ZIP_DEFLATED) as archive:
        for number, (id, step) in enumerate(trace.items(), 1):
            # A ZipInfo of a name alone is dated 1980.
            entry = zipfile.ZipInfo(f"{number:02}-{id}.csv")
            text = as_csv(step, batch=batch, head=head, labels=labels)
            archive.writestr(entry, text.encode("utf-8-sig"), zipfile.ZIP_DEFLATED, compresslevel=1)
    return file.getvalue()


def _array(value: Tensor) -> np.ndarray:
    return (value.float() if value.dtype == torch.bfloat16 else value).cpu().numpy()


def _along(axis: str, size: int, names: Sequence[str] | None) -> Sequence[str | int]:
    if names is not None:
        if len(names) != size:
            raise ValueError(f"axis {axis!r} has {size} places, got {len(names)} labels")
        return [f"'{name}" if name.startswith(_FORMULA) else name for name in names]
    return range(1, size + 1) if axis else [""] * size
