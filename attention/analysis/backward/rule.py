"""What a line of the forward pass hands back to an operand."""

from dataclasses import dataclass

# Behind a letter that a step refines: as it was before.
BEFORE = "_in"


@dataclass(frozen=True)
class Rule:
    """What a step adds to the gradient of one of its operands.

    of: the letter of the operand; formula: LaTeX; code: the same in Python, of the letters after the step, of the
    gradient of its result and, with `BEFORE` behind it, of the letter that the step refines as it was before; "" where
    the step asks the operand only where it is infinite, and hands nothing back.
    """

    of: str
    formula: str
    code: str
