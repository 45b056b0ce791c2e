"""Whether two answers of a source would be drawn the same."""

from dataclasses import fields, is_dataclass
from typing import Any

import torch
from torch import Tensor, nn

from pages.shell.runs.run import Run


def equal(a: Any, b: Any) -> bool:
    """Whether two answers would be drawn the same."""
    if a is b:
        return True
    if type(a) is not type(b) or isinstance(a, Run):
        return False
    if isinstance(a, Tensor):
        return a.dtype == b.dtype and torch.equal(a, b)
    if isinstance(a, nn.Module):
        # A run has a module of its own around parameters that it shares; its dropout and mode are those of the config.
        return equal(*({**vars(one), "dropout": 0, "training": False} for one in (a, b)))
    if isinstance(a, dict):
        return a.keys() == b.keys() and all(equal(value, b[name]) for name, value in a.items())
    if isinstance(a, tuple):
        return len(a) == len(b) and all(map(equal, a, b))
    if is_dataclass(a):
        return all(equal(getattr(a, field.name), getattr(b, field.name)) for field in fields(a))
    return bool(a == b)
