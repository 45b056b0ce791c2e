"""The backward pass by its formulas: the rules of each step, executed as lines of Python."""

import math
import re
from collections.abc import Collection, Iterator, Mapping
from dataclasses import dataclass, replace
from functools import lru_cache
from types import CodeType

import torch
from torch import Tensor

from attention.analysis.backward.rule import BEFORE, Rule
from attention.analysis.backward.rules import RULES
from attention.trace import Quantity, Trace


def given(quantity: Quantity) -> Quantity:
    """The row of the gradient of a quantity, without a line that computes it: d in front of its letter."""
    return replace(quantity, formula=f"d{quantity.letter}", code="", kind="signed")


@dataclass(frozen=True)
class Use:
    """A step that reads another one, with the rule for the gradient that it hands back; None without a rule."""

    by: str
    rule: Rule | None


def uses(trace: Trace, id: str, among: Collection[str]) -> tuple[Use, ...]:
    """The steps that read a step, in the order of the record: until its letter is used again. among: ids of those that
    the target depends on."""
    letter, found = trace[id].quantity.letter, []
    ids = list(trace)
    for later in ids[ids.index(id) + 1 :]:
        quantity = trace[later].quantity
        if later in among and _reads(quantity.code, letter):
            rules = RULES.get(quantity.code, ())
            rule = next((rule for rule in rules if rule.of == letter), None)
            if rule is None or rule.code:
                found.append(Use(later, rule))
        if quantity.letter == letter:
            break
    return tuple(found)


def row(trace: Trace, id: str, among: Collection[str]) -> Quantity:
    """The row of a gradient with its formula and its line of Python; a given where a rule is missing.

    among: ids of the steps that the target depends on.
    """
    quantity, used = trace[id].quantity, uses(trace, id, among)
    if not used or any(use.rule is None for use in used):
        return given(quantity)
    refined = any(trace[use.by].quantity.letter == quantity.letter for use in used)
    formulas, codes = zip(*((use.rule.formula, use.rule.code) for use in used if use.rule), strict=True)
    arrow = r"\leftarrow" if refined else "="
    name = f"d{quantity.letter}"
    return replace(
        quantity,
        formula=f"{name} {arrow} {' + '.join(formulas)}",
        code=f"{name} = {' + '.join(codes)}",
        kind="signed",
    )


def by_hand(trace: Trace, known: Trace) -> Trace:
    """Compute every gradient of `known` by the line of Python of its row, from the last step back to the first.

    known: gradients by autograd, with the rows of `row`. Gradients without a line are copied from it: that of the
    target, and those of steps without a rule.
    """
    letters = dict(_letters(trace))
    made = Trace()
    made.sizes = dict(trace.sizes)
    for id in reversed(list(known)):
        value = known[id].value
        if not known[id].quantity.given:
            parts = [_value(use, trace, letters[use.by], made[use.by].value, value) for use in uses(trace, id, made)]
            value = torch.stack(parts).sum(0)
        made.record(known[id].quantity, value)
    return made


def _value(use: Use, trace: Trace, letters: Mapping[str, Tensor], upstream: Tensor, like: Tensor) -> Tensor:
    assert use.rule is not None
    letter = trace[use.by].quantity.letter
    names = {"math": math, "torch": torch, **letters, f"d{letter}": upstream}
    if f"{letter}{BEFORE}" in use.rule.code:
        names[f"{letter}{BEFORE}"] = trace.before(use.by, letter).value
    value: Tensor = eval(_compiled(use.rule.code), names)
    # Sum over an axis of 1 that the forward pass broadcasts.
    return value if value.shape == like.shape else value.sum_to_size(like.shape)


@lru_cache(maxsize=1024)
def _compiled(code: str) -> CodeType:
    return compile(code, "<rule>", "eval")


@lru_cache(maxsize=1024)
def _reads(code: str, letter: str) -> bool:
    """Whether the right-hand sides of a line of Python name a letter: its numbers, and not its shape or its dtype."""
    named = re.compile(rf"(?<![\w.]){letter}(?!\w|\.shape|\.dtype)")
    return any(named.search(line.partition(" = ")[2]) for line in code.split("; "))


def _letters(trace: Trace) -> Iterator[tuple[str, dict[str, Tensor]]]:
    """The value of each letter after each step, by the id of the step."""
    letters: dict[str, Tensor] = {}
    for step in trace.values():
        letters = {**letters, step.quantity.letter: step.value}
        yield step.id, letters
