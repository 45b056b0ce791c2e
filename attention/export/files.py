"""A record as one file of NumPy's, and back: every step with its row of the notation."""

import json
import zipfile
from pathlib import Path
from typing import Any, TypeVar

import numpy as np
import torch
from torch import Tensor

from attention import index_notation, notation, state_notation
from attention.trace import Quantity, Trace

# The array that says which step is which: text, no object, so that nothing in a file is executed.
_ABOUT = "about"
_SHORT = "bfloat16"
QUANTITIES = (*notation.QUANTITIES, *state_notation.QUANTITIES, *index_notation.QUANTITIES)
Record = TypeVar("Record", bound=Trace)


def save(trace: Trace, path: str | Path) -> None:
    """Write a record to an .npz file: the arrays by step id, and the order, the formulas and the dtypes of the steps.

    ValueError: another ending than .npz, a step that is no row of a notation of the package.
    """
    _npz(path)
    steps = []
    for id, step in trace.items():
        if step.quantity not in QUANTITIES:
            raise ValueError(f"step {id!r} is no row of attention.notation, and could not be read again")
        steps.append({"id": id, "row": QUANTITIES.index(step.quantity), "formula": step.quantity.formula})
        steps[-1]["bfloat16"] = step.value.dtype == torch.bfloat16
    arrays: dict[str, Any] = {id: _array(step.value) for id, step in trace.items()}
    arrays[_ABOUT] = np.array(json.dumps({"steps": steps}))
    with Path(path).open("wb") as file:
        np.savez(file, **arrays)


def load(path: str | Path, into: Record) -> Record:
    """Read a record that `save` wrote, into one that is empty. No code of a file is executed.

    ValueError: no such file of ours, an unknown step, an array that does not fit its step; the message names it.
    """
    _npz(path)
    try:
        with np.load(path, allow_pickle=False) as file:
            about = json.loads(str(file[_ABOUT]))
            for said in about["steps"]:
                into.record(_row(said), _tensor(file[said["id"]], said.get("bfloat16", False)))
    except (KeyError, TypeError, zipfile.BadZipFile, json.JSONDecodeError) as error:
        raise ValueError(f"{Path(path).name} is no record that was saved by Trace.save") from error
    return into


def _npz(path: str | Path) -> None:
    if Path(path).suffix != ".npz":
        raise ValueError(f"a record is a file that ends in .npz, got {Path(path).name}")


def _row(said: dict[str, object]) -> Quantity:
    """The row of the notation that a file names; rows that come and go between versions are told by their formula."""
    place = said["row"]
    named = [row for row in QUANTITIES if row.id == said["id"] and row.formula == said["formula"]]
    if not named:
        raise ValueError(f"step {said['id']!r} with the formula {said['formula']!r} is unknown to this version")
    here = QUANTITIES[place] if isinstance(place, int) and 0 <= place < len(QUANTITIES) else None
    return here if here in named and here is not None else named[0]


def _array(value: Tensor) -> np.ndarray:
    """bfloat16, which NumPy lacks, by its bits."""
    value = value.cpu().contiguous()
    return (value.view(torch.int16) if value.dtype == torch.bfloat16 else value).numpy()


def _tensor(array: np.ndarray, short: bool) -> Tensor:
    value = torch.from_numpy(array)
    return value.view(torch.bfloat16) if short else value
