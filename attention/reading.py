"""The public `Trace` and `Step`: a record with pictures, the arithmetic of a number, gradients, differences and a file.

`attention.trace` keeps the computed steps and imports none of this. Each method imports its needs when it is called, so
that `import attention` stays fast.
"""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any, Self, cast

import torch
from torch import Tensor

from attention import checks
from attention import trace as kept

if TYPE_CHECKING:
    from attention.analysis.backward import Target
    from attention.analysis.difference import Difference
    from attention.explain.explanation import Explanation
    from attention.modules import MultiHeadAttention
    from attention.viewer.document import View

Labels = Mapping[str, Sequence[str]]


class Step(kept.Step):
    """A quantity with its value in one run; `repr` shows its formula, sizes and dtype, `np.asarray` has the numbers."""

    def plot(self, *, batch: int = 0, head: int = 0, labels: Labels | None = None) -> Any:
        """A Plotly figure of one sentence and one head. labels: the tokens by axis name.

        ValueError: no such sentence or head, or more or fewer labels than an axis has positions. ImportError: Plotly is
        not installed.
        """
        from attention.figures import plotly_figure

        heads = self.sizes.get("head", self.sizes.get("kv_head", 1) * self.group)
        for axis, index, size in (("batch", batch, self.sizes.get("batch", 1)), ("head", head, heads)):
            checks.inside(axis, index, size, f"step {self.id!r}")
        checks.labels(labels, self.sizes, of=f"step {self.id!r}", all_axes=False)
        return plotly_figure(self, labels, batch=batch, head=head)

    def _repr_mimebundle_(self, include: Any = None, exclude: Any = None) -> dict[str, Any]:
        """The display in a notebook: `repr`, and a figure whose cells can be chosen (attention.viewer)."""
        from attention.notebook import bundle_of_step

        return bundle_of_step(self)


class Trace(kept.Trace):
    """The steps of one run by id, in order: `trace["weights"]`. It is truthy, also while it is empty."""

    _step = Step

    def empty(self) -> "Trace":
        return type(self)()

    def plot(self, id: str = "weights", *, batch: int = 0, head: int = 0, labels: Labels | None = None) -> Any:
        """A Plotly figure of a step. KeyError: no such step; ValueError: labels of an axis that no step has; else as
        `Step.plot`."""
        checks.labels(labels, self.sizes, of="this trace")
        return self[id].plot(batch=batch, head=head, labels=labels)

    def explain(self, id: str, row: int, column: int, *, batch: int = 0, head: int = 0) -> "Explanation":
        """The arithmetic of one number of a step, at (row, column) from 0; the row of a weight is its query, the column
        its key.

        ValueError: no such step, sentence or head, a cell outside the matrix.
        """
        checks.whole("row", row)
        checks.whole("column", column)
        checks.inside("batch", batch, self.sizes.get("batch", 1), "this trace")
        checks.inside("head", head, self.sizes.get("head", 1), "this trace")
        from attention.explain.cell import cell

        return cell(self, id, row, column, batch=batch, head=head)

    def gradients(self, of: "Target | str" = "output", module: "MultiHeadAttention | None" = None) -> "Trace":
        """The gradient of one number with respect to each step that it depends on, by the ids of the steps.

        of: a target of `attention.analysis.backward` (a `Cell`, a `Row`, a loss), or the id of a step for the sum of
        all its numbers. module: the layer that made the record, with the parameters that it had; None for a record of
        the function alone. ValueError: no such step, a step without a gradient, a module that is missing.
        """
        from attention.analysis.backward import Target, Total, backward

        if not isinstance(of, (str, Target)):
            raise ValueError(
                "of must be the id of a step or a target of attention.analysis.backward, as Cell('weights', 2, 1);"
                f" got {type(of).__name__}"
            )
        # `backward` makes its record by `empty`, so it has the class of this one.
        return cast(Trace, backward(self, Total(of) if isinstance(of, str) else of, module).gradients)

    def diff(self, other: kept.Trace) -> "Difference":
        """The difference between this record and another one: its size, and the first step that differs.

        ValueError: other is not a record.
        """
        from attention.analysis.difference import difference

        checks.needed(kept.Trace, other=other)
        return difference(self, other)

    def to(self, *to: torch.device | torch.dtype | str) -> "Trace":
        """The same record on another device, or with its floating-point steps in another dtype.

        ValueError: an argument that is neither a device, nor the name of one, nor a dtype.
        """
        for each in to:
            _check_place(each)
        made = self.empty()
        made.sizes = dict(self.sizes)
        made._steps = {id: replace(step, value=_moved(step.value, to)) for id, step in self._steps.items()}
        return made

    def save(self, path: str | Path, *, tokens: Sequence[str] = (), brief: bool = False) -> None:
        """Write the record to an .npz or a .safetensors file, which `Trace.load` reads and the app opens.

        tokens: the words of the keys, which the app shows. brief: write queries, keys, values and the mask alone, from
        which the app computes the rest; `load` does not read such a file. ValueError: another ending, a step that is
        not a row of `attention.notation`, another number of tokens than of keys.
        """
        from attention.export import files, given_file

        (given_file.save if brief else files.save)(self, path, tokens)

    @classmethod
    def load(cls, path: str | Path) -> Self:
        """Read a record that `save` wrote. ValueError: the file is no record, or its steps do not fit together."""
        from attention.export.files import load

        return load(path, cls())

    def show(self, *, labels: Labels | None = None) -> "View":
        """Linked figures of all steps, as in a notebook, with words beside the numbers.

        labels: the tokens by axis name; with "key" alone, the queries take its last tokens. ValueError: labels of an
        axis that no step has, or more or fewer labels than positions.
        """
        checks.labels(labels, self.sizes, of="this trace")
        from attention.viewer.document import View

        return View(self, labels)

    def to_html(
        self, path: str | Path | None = None, *, labels: Labels | None = None, batch: int = 0, head: int = 0
    ) -> str:
        """Every step of one sentence and one head as one HTML page that opens without a server; also written to `path`
        if one is given.
        labels: the tokens by axis name. ValueError: no such sentence or head. ImportError: Plotly, which draws the
        heatmaps, is not installed.
        """
        from attention.notebook import write

        return write(self, path, labels=labels, batch=batch, head=head)

    def _repr_mimebundle_(self, include: Any = None, exclude: Any = None) -> dict[str, Any]:
        """The display in a notebook: every step as a line, and linked figures whose cells can be chosen."""
        from attention.notebook import bundle_of_trace

        return bundle_of_trace(self)

    if TYPE_CHECKING:

        def __getitem__(self, id: str) -> Step: ...


def _check_place(to: object) -> None:
    if not isinstance(to, (torch.device, torch.dtype, str)):
        raise ValueError(f"a record goes to a torch.device, its name or a torch.dtype, got {type(to).__name__}")
    if isinstance(to, str):
        try:
            torch.device(to)
        except RuntimeError as error:
            raise ValueError(f"{to!r} is no device") from error


def _moved(value: Tensor, to: tuple[torch.device | torch.dtype | str, ...]) -> Tensor:
    for each in to:
        if not isinstance(each, torch.dtype) or value.dtype.is_floating_point:
            value = value.to(each)
    return value
