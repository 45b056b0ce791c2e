"""A mask as a named predicate on positions: masks combine by and, or, not, and become the mask_mod of FlexAttention."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from inspect import signature
from numbers import Integral

import torch
from torch import Tensor

# One number, or a number for each document (`lengths`) or node (`parents`).
Parameter = int | tuple[int, ...]
Predicate = Callable[..., Tensor]
MaskMod = Callable[[Tensor, Tensor, Tensor, Tensor], Tensor]
# The least value of a parameter, for each of its numbers, if it differs from 1.
_LEAST = {"length": 0, "parents": -1}


@dataclass(frozen=True)
class Mask:
    """A named predicate on index grids; `&`, `|` and `~` make new ones that take the parameters of their parts.

    parts: the masks that it combines, none of which has parts itself; () for a mask that is not combined.
    """

    name: str
    predicate: Predicate
    parameters: tuple[str, ...]
    parts: tuple["Mask", ...] = ()

    def __call__(self, i: Tensor, j: Tensor, **parameters: Parameter) -> Tensor:
        return self.predicate(i, j, **parameters)

    def __and__(self, other: "Mask") -> "Mask":
        return self._combined(other, "&", torch.logical_and)

    def __or__(self, other: "Mask") -> "Mask":
        return self._combined(other, "|", torch.logical_or)

    def __invert__(self) -> "Mask":
        def predicate(i: Tensor, j: Tensor, **parameters: Parameter) -> Tensor:
            return ~self(i, j, **parameters)

        return Mask(f"~{_grouped(self)}", predicate, self.parameters, self.parts or (self,))

    def mask_mod(self, *, offset: int = 0, **parameters: Parameter) -> MaskMod:
        """The predicate as FlexAttention calls it, with indices of sentence, head, query and key.

        offset: the position of the first query (`position(0, queries, keys, corner)`). ValueError: as `grid`.
        """
        self.check(parameters)

        def mod(b: Tensor, h: Tensor, q: Tensor, k: Tensor) -> Tensor:
            return self(q + offset, k, **parameters)

        return mod

    def check(self, parameters: Mapping[str, Parameter]) -> None:
        """Raise ValueError unless these are the parameters of the mask, each in its range."""
        if set(parameters) != set(self.parameters):
            wanted = ", ".join(self.parameters) or "no parameter"
            raise ValueError(f"mask {self.name!r} takes {wanted}; got {', '.join(parameters) or 'none'}")
        for name, value in parameters.items():
            least, given = _LEAST.get(name, 1), value if isinstance(value, tuple) else (value,)
            if not given:
                raise ValueError(f"{name} of mask {self.name!r} must be at least one number, got none")
            for each in given:
                if isinstance(each, bool) or not isinstance(each, Integral):
                    kind = type(each).__name__
                    raise ValueError(f"{name} of mask {self.name!r} must be a whole number, got {kind}")
                if each < least:
                    raise ValueError(f"{name} of mask {self.name!r} must be at least {least}, got {each}")
            if name == "parents":
                _check_parents(self.name, given)

    def _combined(self, other: "Mask", sign: str, operation: Callable[[Tensor, Tensor], Tensor]) -> "Mask":
        def predicate(i: Tensor, j: Tensor, **parameters: Parameter) -> Tensor:
            mine = {name: parameters[name] for name in self.parameters}
            theirs = {name: parameters[name] for name in other.parameters}
            return operation(self(i, j, **mine), other(i, j, **theirs))

        names = tuple(dict.fromkeys(self.parameters + other.parameters))
        parts = dict.fromkeys((self.parts or (self,)) + (other.parts or (other,)))
        return Mask(f"{_grouped(self)} {sign} {_grouped(other)}", predicate, names, tuple(parts))


def registered_in(registry: dict[str, Mask]) -> Callable[[Predicate], Mask]:
    """Decorate a predicate of i, j and parameters: it becomes a Mask, and the registry gets it under its name."""

    def made(predicate: Predicate) -> Mask:
        name = predicate.__name__
        registry[name] = Mask(name, predicate, tuple(signature(predicate).parameters)[2:])
        return registry[name]

    return made


def _grouped(mask: Mask) -> str:
    return f"({mask.name})" if " " in mask.name else mask.name


def _check_parents(mask: str, parents: tuple[int, ...]) -> None:
    for node, parent in enumerate(parents):
        if parent >= node:
            raise ValueError(f"parents of mask {mask!r} must come before their nodes, got {parent} for node {node}")
