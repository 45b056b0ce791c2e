"""A record as one file of NumPy's or of safetensors, and back: every step with its row of the notation."""

import json
import zipfile
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any, TypeVar

import numpy as np
import torch
from torch import Tensor

from attention import index_notation, notation, state_notation
from attention.export import safetensors_file
from attention.export.unreadable import UnreadableError
from attention.trace import Quantity, Trace

# Entries for the description of the steps and for the words, as text, not as objects: a file executes nothing.
ABOUT, TOKENS = "about", "tokens"
ENDINGS = (".npz", ".safetensors")
# No limit: a user's own record on their own machine may have any size.
_ANY = 2**62
_SHORT = "bfloat16"
# Errors of reading a file that `save` did not write.
_STRANGE = (KeyError, TypeError, AttributeError, RuntimeError, json.JSONDecodeError)
QUANTITIES = (*notation.QUANTITIES, *state_notation.QUANTITIES, *index_notation.QUANTITIES)
Record = TypeVar("Record", bound=Trace)


def save(trace: Trace, path: str | Path, tokens: Sequence[str] = ()) -> None:
    """Write a record to an .npz or a .safetensors file: the tensors by step id, and the order, the formulas and the
    dtypes of the steps. tokens: the words of the keys, which the app shows beside the numbers.

    ValueError: another ending, a step that is not a row of the package's notation, more or fewer tokens than keys.
    """
    is_npz = _ending(path) == ".npz"
    check_tokens(trace, tokens)
    steps = []
    for id, step in trace.items():
        if step.quantity not in QUANTITIES:
            raise ValueError(f"step {id!r} is no row of attention.notation, and could not be read again")
        steps.append({"id": id, "row": QUANTITIES.index(step.quantity), "formula": step.quantity.formula})
        steps[-1][_SHORT] = is_npz and step.value.dtype == torch.bfloat16
    about = {ABOUT: json.dumps({"steps": steps})}
    write(path, {id: step.value for id, step in trace.items()}, about | ({TOKENS: list(tokens)} if tokens else {}))


def write(path: str | Path, tensors: Mapping[str, Tensor], texts: Mapping[str, str | list[str]]) -> None:
    """Write tensors and texts to an .npz or a .safetensors file. ValueError: another ending."""
    if _ending(path) == ".npz":
        arrays: dict[str, Any] = {name: _array(value) for name, value in tensors.items()}
        arrays |= {name: np.array(text) for name, text in texts.items()}
        with Path(path).open("wb") as file:
            np.savez(file, **arrays)
        return
    words = {
        name: text if isinstance(text, str) else json.dumps(text, ensure_ascii=False) for name, text in texts.items()
    }
    Path(path).write_bytes(safetensors_file.written(tensors, words))


def load(path: str | Path, into: Record) -> Record:
    """Read a record that `save` wrote, into one that is empty. No code of a file is executed.

    ValueError: no such file of ours, an unknown step, an array that does not fit its step; the message names it.
    """
    name = Path(path).name
    try:
        if _ending(path) == ".npz":
            with np.load(path, allow_pickle=False) as file:
                _filled(into, str(file[ABOUT]), lambda id: torch.from_numpy(file[id]))
        else:
            tensors, texts = safetensors_file.read(Path(path).read_bytes(), _ANY, _ANY)
            _filled(into, texts[ABOUT], tensors.__getitem__)
    except (*_STRANGE, zipfile.BadZipFile, UnreadableError) as error:
        # A file of Trace.save(brief=True) has q, k, v and no steps.
        raise ValueError(f"{name} is no record that was saved by Trace.save with its steps") from error
    return into


def check_tokens(trace: Trace, tokens: Sequence[str]) -> None:
    """ValueError: there are more or fewer tokens than keys."""
    keys = trace.sizes.get("key", 0)
    if tokens and len(tokens) != keys:
        raise ValueError(f"there are {len(tokens)} tokens and {keys} keys")


def fill(into: Trace, about: Sequence[str], tensors: Mapping[str, Tensor]) -> None:
    """The steps of a record from the contents of its file. ValueError: as of `load`."""
    try:
        _filled(into, "".join(about), tensors.__getitem__)
    except _STRANGE as error:
        raise ValueError("this was not saved by Trace.save") from error


def _filled(into: Trace, about: str, tensor: Callable[[str], Tensor]) -> None:
    for said in json.loads(about)["steps"]:
        value = tensor(said["id"])
        into.record(_row(said), value.view(torch.bfloat16) if said.get(_SHORT, False) else value)


def _ending(path: str | Path) -> str:
    ending = Path(path).suffix
    if ending not in ENDINGS:
        raise ValueError(f"a record is a file that ends in {' or '.join(ENDINGS)}, got {Path(path).name}")
    return ending


def _row(said: dict[str, object]) -> Quantity:
    """The row of the notation that a file names, by id and formula, since rows come and go between versions."""
    place = said["row"]
    named = [row for row in QUANTITIES if row.id == said["id"] and row.formula == said["formula"]]
    if not named:
        raise ValueError(f"step {said['id']!r} with the formula {said['formula']!r} is unknown to this version")
    here = QUANTITIES[place] if isinstance(place, int) and 0 <= place < len(QUANTITIES) else None
    return here if here in named and here is not None else named[0]


def _array(value: Tensor) -> np.ndarray:
    """The array of a tensor; bfloat16, which NumPy lacks, as its bits."""
    value = value.cpu().contiguous()
    return (value.view(torch.int16) if value.dtype == torch.bfloat16 else value).numpy()
