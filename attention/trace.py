"""The record of one run: quantities with named axes, in the order in which they were computed."""

import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from typing import Any

import torch
from torch import Tensor

KINDS = ("signed", "probability", "binary")
# The axes outside of a matrix. "kv_head": key and value heads that query heads share; "head_pair": pairs of successive
# query heads; "index_head": the heads of an index that chooses keys.
OUTER = ("batch", "head", "kv_head", "head_pair", "index_head")
SHARED = ("kv_head", "head_pair")
_BROADCAST = ("batch", "head")


@dataclass(frozen=True)
class Quantity:
    """The properties of a tensor that are the same in every run: a row of `attention.notation`.

    id: the stable name; formula: LaTeX, a given when it has no equals sign or arrow; code: the line of Python
    that computes it from earlier letters; axes: names, outermost first; kind: one of `KINDS`, which decides colours.
    """

    id: str
    formula: str
    code: str
    axes: tuple[str, ...]
    kind: str = "signed"

    @property
    def given(self) -> bool:
        return self.code == ""

    @property
    def letter(self) -> str:
        """The name of the tensor in the formula and, in Python, in the code; a Greek letter is spelt out."""
        if self.given:
            return re.split(r"_\{|\s", self.formula)[0].removeprefix("\\")
        *_, letter = re.findall(r"(\w+) = ", self.code)
        return str(letter)


@dataclass(frozen=True, repr=False)
class Step:
    """A quantity with its value in one run (detached, on the device where it was computed).

    group: the number of successive query heads that share one head of the axis "kv_head" or "head_pair".
    """

    quantity: Quantity
    value: Tensor
    group: int = 1

    @property
    def id(self) -> str:
        return self.quantity.id

    @property
    def axes(self) -> tuple[str, ...]:
        """The names of the axes of the value; unbatched inputs lack the outer ones."""
        return self.quantity.axes[len(self.quantity.axes) - self.value.ndim :]

    @property
    def matrix_axes(self) -> tuple[str, ...]:
        """The names of the remaining axes for one sentence and one head."""
        return tuple(axis for axis in self.axes if axis not in OUTER)

    @property
    def sizes(self) -> dict[str, int]:
        """Axis name to size, outermost first."""
        return dict(zip(self.axes, self.value.shape, strict=True))

    def of(self, *, batch: int = 0, head: int = 0) -> Tensor:
        """The value for one sentence and one query head, on the device of the step, without these two axes.

        A value that all sentences or all heads share (an axis of 1) is the same for each of them; a query head that
        shares its key head with others gets the key head that it reads.
        """
        value, heads = self._of_sentence(batch), self._heads()
        return value if heads is None else value[_place(head, *heads)]

    def of_heads(self, heads: int, *, batch: int = 0) -> Tensor:
        """(heads, ...): the result of `of` for each of so many query heads of one sentence."""
        value, own = self._of_sentence(batch), self._heads()
        if own is None:
            return value.expand(heads, *value.shape)
        return value[[_place(head, *own) for head in range(heads)]]

    def _of_sentence(self, batch: int) -> Tensor:
        return self.value[min(batch, self.value.shape[0] - 1)] if "batch" in self.axes else self.value

    def _heads(self) -> tuple[int, int] | None:
        """The number of heads of the value, and of query heads that share each; None without an axis of heads."""
        sizes = self.sizes
        for axis in ("head", *SHARED, "index_head"):
            if axis in sizes:
                return sizes[axis], self.group if axis in SHARED else 1
        return None

    def __repr__(self) -> str:
        """The id, the formula in LaTeX, the sizes by name and the dtype; for a number its value."""
        sizes = " × ".join(f"{axis} {size}" for axis, size in self.sizes.items()) or f"{self.value.item():.6g}"
        return f"{self.id}: {self.quantity.formula}   ({sizes}; {str(self.value.dtype).removeprefix('torch.')})"

    def __array__(self, dtype: Any = None, copy: bool | None = None) -> Any:
        """The value for NumPy; bfloat16, which NumPy lacks, as float32. ValueError: copy=False if a copy is needed."""
        lacking = self.value.dtype == torch.bfloat16
        if copy is False and (lacking or self.value.device.type != "cpu"):
            raise ValueError(f"step {self.id!r} cannot be an array without a copy")
        array = (self.value.float() if lacking else self.value).cpu().numpy()
        return array if dtype is None else array.astype(dtype, copy=False)


def _place(head: int, heads: int, shared: int) -> int:
    """The index of the head that a query head reads, among `heads` heads, each shared by `shared` query heads."""
    return min(head // shared, heads - 1)


Recorder = Callable[[Quantity, Tensor], Tensor]


class Trace(Mapping[str, Step]):
    """The steps of one run by id, in order. It is truthy, also while it is empty."""

    # The class of the steps; `attention.reading` has its own.
    _step: type[Step] = Step
    # The ids of the steps to keep; None for all.
    _wanted: frozenset[str] | None = None

    def __init__(self) -> None:
        self._steps: dict[str, Step] = {}
        self.sizes: dict[str, int] = {}

    def record(self, quantity: Quantity, value: Tensor) -> Tensor:
        """Keep a detached copy of `value` under `quantity.id` and return the live tensor.

        ValueError, with nothing recorded: an id that is already recorded, more axes than the quantity names, or an axis
        whose size differs from that of the same name in an earlier step (a batch or head axis of 1 broadcasts). Queries
        come before the keys that their heads share. After `keep_only` it records only the wanted steps.
        """
        if self._wanted is not None and quantity.id not in self._wanted:
            return value
        if quantity.id in self._steps:
            raise ValueError(f"step {quantity.id!r} is recorded already; give each run a Trace of its own")
        if value.ndim > len(quantity.axes):
            names, axes = ", ".join(quantity.axes) or "none", len(quantity.axes)
            raise ValueError(
                f"step {quantity.id!r}: the value has {value.ndim} axes, its quantity names {axes} ({names});"
                " run without a trace, or flatten the leading axes into one batch"
            )
        # A copy, because the caller owns the value and the returned tensor, and may change both in place.
        step = self._step(quantity, self.kept(quantity, value))
        sizes = {axis: self._fitted(step, axis, size) for axis, size in step.sizes.items()}
        self.sizes |= sizes
        for axis in sizes.keys() & set(SHARED):
            # In a record without query heads, each head stands for itself.
            step = replace(step, group=max(1, self.sizes.get("head", 1) // sizes[axis]))
        self._steps[quantity.id] = step
        return value

    def before(self, id: str, letter: str) -> Step:
        """The step that a letter in the code of a step refers to: the last earlier step with that letter.

        KeyError: no earlier step has it.
        """
        found = None
        for step in self._steps.values():
            if step.id == id:
                break
            if step.quantity.letter == letter:
                found = step
        if found is None:
            raise KeyError(f"no step before {id!r} has the letter {letter}")
        return found

    def kept(self, quantity: Quantity, value: Tensor) -> Tensor:
        """The detached copy of a value that `record` keeps."""
        return value.detach().clone()

    def _fitted(self, step: Step, axis: str, size: int) -> int:
        known = self.sizes.get(axis, size)
        if size == known or (axis in _BROADCAST and 1 in (size, known)):
            return max(size, known)
        raise ValueError(f"step {step.id!r}: axis {axis!r} has size {size}, earlier steps have {known}")

    def __getitem__(self, id: str) -> Step:
        if id not in self._steps:
            raise KeyError(f"no step {id!r} in this trace; it has {', '.join(self._steps) or 'none'}")
        return self._steps[id]

    def __contains__(self, id: object) -> bool:
        return id in self._steps

    def __iter__(self) -> Iterator[str]:
        return iter(self._steps)

    def __len__(self) -> int:
        return len(self._steps)

    def __bool__(self) -> bool:
        return True

    def __repr__(self) -> str:
        return "\n".join(map(repr, self.values())) or f"{type(self).__name__}: no step is recorded"

    def empty(self) -> "Trace":
        """A record of the same kind, without a step."""
        return type(self)()

    def keep_only(self, wanted: Iterable[str]) -> None:
        """Leave out every later step whose id is not wanted: recording a step may take longer than computing it."""
        self._wanted = frozenset(wanted)


def recorder(trace: Trace | None) -> Recorder:
    """`t(ROW, tensor)` records the tensor in the trace, if there is one, and returns it."""
    return (lambda _, value: value) if trace is None else trace.record
