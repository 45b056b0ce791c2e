"""Call a student's function, and keep only the outcome."""

import traceback
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import torch
from torch import Tensor

from attention.exercises import words
from attention.exercises.exercise import Case, Exercise

DTYPES = (torch.float64, torch.float32)


@dataclass(frozen=True)
class Outcome:
    """The outcome of a call. value: the returned tensor, None without one; problem: why there is none; changed: the
    arguments that the function has changed in place."""

    value: Tensor | None
    problem: str = ""
    changed: tuple[str, ...] = ()


def outcomes(exercise: Exercise, function: Callable[..., Any]) -> list[Outcome]:
    """The outcomes of all cases, first in float64, then in float32."""
    return [called(function, case, dtype) for dtype in DTYPES for case in exercise.cases]


def called(function: Callable[..., Any], case: Case, dtype: torch.dtype) -> Outcome:
    given = case.arguments(dtype)
    before = case.arguments(dtype)
    try:
        value = function(**given)
    except KeyboardInterrupt:
        raise
    except BaseException as error:  # SystemExit, too: a function that ends its process has not answered.
        return Outcome(None, words.say("raised", error=_told(error), line=_line(error, function)))
    changed = tuple(name for name, kept in before.items() if not _same(given[name], kept))
    if not isinstance(value, Tensor):
        return Outcome(None, _no_tensor(value), changed)
    try:
        return Outcome(value.detach().cpu().clone(), "", changed)
    except (RuntimeError, NotImplementedError) as error:
        return Outcome(None, words.say("unreadable", error=_told(error)), changed)


def _same(now: object, before: object) -> bool:
    if isinstance(now, Tensor) and isinstance(before, Tensor):
        return now.shape == before.shape and torch.equal(now.nan_to_num(), before.nan_to_num())
    return now == before


def _no_tensor(value: object) -> str:
    kind = type(value)
    if value is None:
        return words.say("returned_none")
    if kind.__module__.partition(".")[0] == "numpy":
        return words.say("returned_numpy", kind=kind.__name__)
    if isinstance(value, tuple):
        return words.say("returned_tuple", count=len(value))
    return words.say("returned_other", kind=kind.__name__)


def _told(error: BaseException) -> str:
    text = str(error).strip().partition("\n")[0][:300]
    return f"{type(error).__name__}: {text}" if text else type(error).__name__


def _line(error: BaseException, function: Callable[..., Any]) -> str:
    """The last line of the file of the function that the error came through."""
    file = getattr(getattr(function, "__code__", None), "co_filename", None)
    own = [frame for frame in traceback.extract_tb(error.__traceback__) if frame.filename == file]
    return words.say("in_line", line=own[-1].lineno) if own else ""
