"""A rule of the backward pass: the gradient that a line of the forward pass hands back to an operand."""

from dataclasses import dataclass

# Suffix of a letter that a step refines, for its value before the step.
BEFORE = "_in"


@dataclass(frozen=True)
class Rule:
    """The contribution of a step to the gradient of one of its operands.

    of: the letter of the operand; formula: LaTeX; code: the formula in Python. The code has the letters after the step,
    the gradient of its result and, with the suffix `BEFORE`, the value before the step of the letter that it refines.
    It is "" if the step only checks where the operand is infinite, and hands nothing back.
    """

    of: str
    formula: str
    code: str
