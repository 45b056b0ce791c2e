"""The backward pass: the gradient of one number with respect to every step of a recorded run.

The values come from autograd through the one implementation; `rules` has the formulas, `by_hand` executes them as
written, `targets` names the number. `descend` takes a step against it, `nudged` pushes scores by hand.
"""

from attention.analysis.backward.backward import Backward, backward
from attention.analysis.backward.descent import Descent, descend, nudged
from attention.analysis.backward.gradients import gradients
from attention.analysis.backward.targets import Cell, CrossEntropy, Row, SquaredError, Target, Total, Weighted

__all__ = [
    "Backward",
    "Cell",
    "CrossEntropy",
    "Descent",
    "Row",
    "SquaredError",
    "Target",
    "Total",
    "Weighted",
    "backward",
    "descend",
    "gradients",
    "nudged",
]
