"""The verdict of the check on a function, and the numbers in it."""

import os
from dataclasses import dataclass
from typing import Self

import torch
from torch import Tensor

from attention.exercises import words
from attention.exercises.exercise import Case

# The default address of the app, with Streamlit's port; the variable ATTENTION_APP overrides it.
_APP = "http://localhost:8501/"
# The most numbers of a row, and of all arguments, that are printed; larger tensors are given by their sizes.
_IN_ROW, _IN_CALL = 6, 24


@dataclass(frozen=True)
class Verdict:
    """exercise: its name; passed; says: one sentence; details: lines with numbers; screen: the screen of the app about
    it; mistake: the id of the mistake, "" without one."""

    exercise: str
    passed: bool
    says: str
    details: tuple[str, ...] = ()
    screen: str = ""
    mistake: str = ""

    @classmethod
    def of(cls, exercise: str, says: str, details: tuple[str, ...] = (), screen: str = "", mistake: str = "") -> Self:
        """A negative verdict; without a screen of its own it links to the exercise's."""
        return cls(exercise, False, says, details, screen or words.task(exercise)["screen"], mistake)

    @property
    def address(self) -> str:
        """The screen as a link; "" without one."""
        return os.environ.get("ATTENTION_APP", _APP).rstrip("/") + "/" + self.screen if self.screen else ""

    def insist(self) -> None:
        """Raise AssertionError with the whole verdict, unless the function is right: for pytest, otter and nbgrader."""
        if not self.passed:
            raise AssertionError(str(self))

    def __str__(self) -> str:
        mark = words.say("right" if self.passed else "not_yet")
        lines = [f"{mark} {self.exercise}: {self.says}", *(f"    {line}" for line in self.details)]
        return "\n".join([*lines, "    " + words.say("see", address=self.address)] if self.screen else lines)

    __repr__ = __str__


def first_row(case: Case, value: Tensor | None) -> tuple[str, ...]:
    """The row that differs most, theirs and ours; the shapes if those differ."""
    right = case.right
    if value is None:
        return ()
    if value.shape != right.shape:
        return (words.say("shapes", yours=tuple(value.shape), right=tuple(right.shape)),)
    # NaN counts as a larger difference than any number.
    apart = (value.double() - right).abs().nan_to_num(nan=float("inf")).flatten(0, -2).amax(-1)
    row = int(apart.argmax())
    *lead, at = torch.unravel_index(torch.tensor(row), right.shape[:-1])
    place = str(int(at) + 1) + (words.say("of_matrix", index=[int(one) for one in lead]) if lead else "")
    yours, ours = (_row(matrix.flatten(0, -2)[row]) for matrix in (value, right))
    by = "" if apart[row].isinf() else words.say("by", apart=f"{apart[row].item():.3g}")
    return words.say("row", row=place, by=by), words.say("yours", numbers=yours), words.say("ours", numbers=ours)


def called_with(case: Case, dtype: torch.dtype = torch.float64) -> str:
    """The arguments of a call in words: the numbers of small ones, the sizes of large ones."""
    given = case.inputs
    few = sum(value.numel() for value in given.values() if isinstance(value, Tensor)) <= _IN_CALL
    told = (f"{name} {_argument(value, few)}" for name, value in given.items())
    return words.say("call", arguments=", ".join(told), dtype=str(dtype).removeprefix("torch."))


def _argument(value: Tensor | float | bool, few: bool) -> str:
    if not isinstance(value, Tensor):
        return str(value)
    if not few:
        return str(tuple(value.shape))
    return str(value.tolist() if value.dtype == torch.bool else torch.round(value, decimals=6).tolist())


def _row(row: Tensor) -> str:
    shown = " ".join(f"{number:.6f}" for number in row[:_IN_ROW].tolist())
    return shown if len(row) <= _IN_ROW else f"{shown} …"
