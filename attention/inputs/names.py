"""The meaning of the features along an axis, if they were built to have one: ids, in no language."""

from collections.abc import Mapping, Sequence
from typing import NamedTuple


class Name(NamedTuple):
    """id: the kind of feature; of: the token, or the position from 1, that it refers to, "" for none."""

    id: str
    of: str = ""


# Keys are names of axes, or `step.axis` if an axis has another meaning in one step.
Names = Mapping[str, tuple[Name, ...]]


def along(names: Mapping[str, Sequence[str]], step: str, axis: str) -> Sequence[str]:
    """The names along an axis of a step, () without names."""
    return names.get(f"{step}.{axis}") or names.get(axis, ())
