"""The backward pass of a worksheet: gradients of its scores by hand, from whole numbers as gradients of the output."""

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property

from torch import Tensor

from attention.analysis.backward import Weighted, backward
from attention.analysis.rerun import rerun
from attention.export.worksheet import Sheet, rows_of
from attention.trace import Step, Trace


@dataclass(frozen=True, eq=False)
class WayBack:
    """The gradients of a sheet, as autograd computes them, and the cells that are left blank."""

    sheet: Sheet

    @cached_property
    def gradients(self) -> Trace:
        record = rerun(self.sheet.trace)
        upstream = self.sheet.upstream.expand_as(record["output"].value)
        return backward(record, Weighted(upstream)).gradients

    @property
    def tasks(self) -> dict[str, Step]:
        """The gradients to compute, in order, by the names of their instructions: those of A, of the scores that
        softmax reads, of the scores before they are scaled, and of Q."""
        last = "masked" if "masked" in self.gradients else "scaled"
        scaled = "back_scaled_by" if "scale" in self.sheet.trace else "back_scaled"
        ids = {"back_weights": "weights", "back_softmax": last, scaled: "scores", "back_queries": "queries"}
        return {task: self.gradients[id] for task, id in ids.items()}

    @property
    def blank(self) -> Mapping[str, Tensor]:
        """By task, bool (rows, columns), True for a blank cell: all rows but that of the example."""
        queries = self.sheet.trace.sizes["query"]
        others = [row for row in range(queries) if row != self.sheet.worked]
        return {task: rows_of(step.of(), others) for task, step in self.tasks.items()}
