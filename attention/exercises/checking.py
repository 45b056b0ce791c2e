"""The verdict on a student's function: right, a mistake by its name, or the wrong numbers and their place."""

from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import torch
from torch import Tensor

from attention import checks
from attention.exercises import process, words
from attention.exercises.calling import DTYPES, Outcome, outcomes
from attention.exercises.exercise import ANYTHING, Case, Exercise
from attention.exercises.registry import EXERCISES
from attention.exercises.verdict import Verdict, called_with, first_row

# Sums in another order change the last digits, weights rounded to float32 the seventh; a mistake changes the third.
_NEAR = {torch.float64: 1e-6, torch.float32: 1e-4}


def check(name: str, function: Callable[..., Any]) -> Verdict:
    """The verdict on a function, which is called in this process: in a notebook, or under a grader.

    ValueError: an unknown exercise, or no function.
    """
    checks.choice("exercise", name, EXERCISES)
    if not callable(function):
        raise ValueError(f"function must be callable, got {type(function).__name__}")
    return judged(EXERCISES[name], outcomes(EXERCISES[name], function))


def check_file(path: str | Path, *names: str, seconds: float = 10.0) -> dict[str, Verdict]:
    """The verdict on each function of a file that is named after an exercise, in a process of its own.

    names: these exercises alone, whether or not the file has them. seconds: the limit for one exercise. ValueError: an
    unknown exercise, a file that is missing, does not end in .py, or cannot be run at all.
    """
    for name in names:
        checks.choice("exercise", name, EXERCISES)
    path = Path(path)
    if path.suffix != ".py" or not path.is_file():
        raise ValueError(f"file must be a Python file that is there, got {path}")
    return {
        name: Verdict.of(name, came) if isinstance(came, str) else judged(EXERCISES[name], came)
        for name, came in process.run(path, names, seconds).items()
    }


def judged(exercise: Exercise, came: Sequence[Outcome]) -> Verdict:
    """The verdict on the outcomes of all calls of an exercise."""
    made = ((case, dtype) for dtype in DTYPES for case in exercise.cases)
    calls = [(*call, outcome) for call, outcome in zip(made, came, strict=True)]
    failed = [call for call in calls if not _right(*call)]
    if not failed:
        return _unless_changed(exercise, calls)
    doubles = [(case, outcome) for case, dtype, outcome in calls if dtype == DTYPES[0]]
    if (id := named(doubles)) is not None:
        says, screen = words.mistake(exercise.name, id)
        # A call in which this mistake shows, because its answer is wrong.
        case, outcome = next(
            (c, o) for c, o in doubles if id in c.wrong and o.value is not None and not _near(o.value, c.right)
        )
        return Verdict.of(exercise.name, says, (*first_row(case, outcome.value), called_with(case)), screen, id)
    return _described(exercise, *failed[0])


def named(calls: Sequence[tuple[Case, Outcome]]) -> str | None:
    """The mistake whose answers equal the returned ones wherever it runs, and which shows in at least one call."""
    for id in dict.fromkeys(id for case, _ in calls for id in case.wrong):
        made = [(case, outcome.value) for case, outcome in calls if id in case.wrong]
        if all(value is not None and _near(value, case.wrong[id]) for case, value in made) and any(
            value is not None and not _near(value, case.right) for case, value in made
        ):
            return id
    return None


def _near(value: Tensor, wanted: Tensor, tolerance: float | None = None) -> bool:
    if value.shape != wanted.shape or value.is_complex():
        return False
    if tolerance is None:
        tolerance = _NEAR[torch.float64 if value.dtype == torch.float64 else torch.float32]
    ours = torch.where(wanted == ANYTHING, 0, wanted)
    theirs = torch.where(wanted == ANYTHING, 0, value.double())
    return torch.allclose(theirs, ours, rtol=tolerance, atol=tolerance, equal_nan=True)


def _right(case: Case, dtype: torch.dtype, outcome: Outcome) -> bool:
    value = outcome.value
    return value is not None and value.dtype == dtype and _near(value, case.right, _NEAR[dtype])


def _unless_changed(exercise: Exercise, calls: Sequence[tuple[Case, torch.dtype, Outcome]]) -> Verdict:
    for case, _, outcome in calls:
        if outcome.changed:
            says = words.say("changed", names=", ".join(outcome.changed))
            return Verdict.of(exercise.name, says, (called_with(case),))
    return Verdict(exercise.name, True, words.say("passed", calls=len(calls)))


def _described(exercise: Exercise, case: Case, dtype: torch.dtype, outcome: Outcome) -> Verdict:
    value, right = outcome.value, case.right
    details: tuple[str, ...] = (called_with(case, dtype),)
    if value is None:
        says = outcome.problem
    elif value.shape != right.shape:
        says = words.say("shape", yours=tuple(value.shape), right=tuple(right.shape))
    elif value.dtype != dtype:
        says = words.say("dtype", yours=_short(value.dtype), right=_short(dtype))
    else:
        says = _of_numbers(exercise, value.double(), case, dtype)
        details = *first_row(case, value), *details
    if outcome.changed:
        details = *details, words.say("changed_too", names=", ".join(outcome.changed))
    return Verdict.of(exercise.name, says, details)


def _of_numbers(exercise: Exercise, value: Tensor, case: Case, dtype: torch.dtype) -> str:
    right = case.right
    if value.isnan().any():
        return words.say("nan", count=int(value.isnan().sum()), of=value.numel())
    if value.isinf().any():
        return words.say("infinite", count=int(value.isinf().sum()), of=value.numel())
    if dtype != DTYPES[0]:
        return words.say("float32")
    if _near(value, right, _NEAR[DTYPES[1]]):
        return words.say("lossy")
    if _near(value.mT, right):
        return words.say("swapped_axes")
    sums = value.sum(-1)
    wrong = (sums - right.sum(-1)).abs() > _NEAR[DTYPES[1]]
    if exercise.weights and wrong.any():
        return words.say("sums", sum=f"{sums[wrong][0].item():.6f}")
    if exercise.weights and (value[right == 0] > _NEAR[DTYPES[0]]).any():
        return words.say("leak", weight=f"{value[right == 0].max().item():.6f}")
    return words.say("other")


def _short(dtype: torch.dtype) -> str:
    return str(dtype).removeprefix("torch.")
