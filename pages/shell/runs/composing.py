"""The mask that a visitor composes: from the settings of the page to the predicate, its numbers and its positions."""

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from torch import Tensor

from attention.masks import Mask, grid, named
from attention.predicates import Parameter
from pages.shell.i18n import say
from pages.shell.state.page_controls import Masks

_MADE: Mapping[str, Callable[[Mask, Mask], Mask]] = {
    "alone": lambda one, other: one,
    "not": lambda one, other: ~one,
    "and": lambda one, other: one & other,
    "or": lambda one, other: one | other,
    "and_not": lambda one, other: one & ~other,
    "or_not": lambda one, other: one | ~other,
}
# These ways use the first mask alone.
_ALONE = ("alone", "not")
# Parameters that follow from the sentence, each with the controls that it depends on.
_OF_SENTENCE = {"noised": (), "size": (), "rows": ("columns",)}
# The most numbers that are read from a typed text, and the largest length: the number of words in a sentence.
_MOST = 64


@dataclass(frozen=True)
class Composed:
    """A mask with its parameters, and the names of its positions: the words, twice (with noise, then without) for the
    mask of block diffusion."""

    mask: Mask
    parameters: Mapping[str, Parameter]
    names: Sequence[str]
    is_doubled: bool

    @property
    def cells(self) -> Tensor:
        """bool (positions, positions), True = may attend."""
        n, given = len(self.names), dict[str, Any](self.parameters)
        return grid(self.mask, n, n, **given)


def composed(asked: Masks, words: Sequence[str]) -> Composed:
    """The mask that the controls compose, over the words of a sentence."""
    mask = _MADE[asked.studio_how](named(asked.studio_mask), named(asked.studio_second_mask))
    n, columns = len(words), min(asked.studio_columns, len(words))
    values: dict[str, Parameter] = {
        "noised": n,
        "size": n,
        "rows": -(-n // columns),
        "columns": columns,
        "lengths": lengths_of(asked.studio_lengths) or (n,),
        "parents": parents_of(asked.studio_parents) or (-1,),
    }
    doubled = "noised" in mask.parameters
    names = [*(say("studio.noised", word=word) for word in words), *words] if doubled else list(words)
    chosen = {name: values[name] if name in values else getattr(asked, f"studio_{name}") for name in mask.parameters}
    return Composed(mask, chosen, names, doubled)


def controls_of(asked: Masks) -> list[str]:
    """The controls of the parameters of the composed mask, each once."""
    parameters = named(asked.studio_mask).parameters
    if asked.studio_how not in _ALONE:
        parameters += named(asked.studio_second_mask).parameters
    controls = (control for name in parameters for control in _OF_SENTENCE.get(name, (name,)))
    return [f"studio_{name}" for name in dict.fromkeys(controls)]


def is_combined(asked: Masks) -> bool:
    """Whether the composition uses the second mask."""
    return asked.studio_how not in _ALONE


def lengths_of(text: str) -> tuple[int, ...]:
    """The lengths of documents in a text: those above 0, each at most the length of a sentence."""
    found = (min(_number(each), _MOST) for each in re.findall("[0-9]+", text))
    return tuple(length for length in found if length)[:_MOST]


def parents_of(text: str) -> tuple[int, ...]:
    """The parents in a text, as nodes from 0; -1 for 0, and for a number that is not an earlier node."""
    numbers = [_number(each) for each in re.findall("[0-9]+", text)[:_MOST]]
    return tuple(number - 1 if number <= node else -1 for node, number in enumerate(numbers))


def _number(digits: str) -> int:
    """The number of some digits, of which the first nine are read, since Python refuses to read thousands."""
    return int(digits[:9])
