"""Up to which length of a text its sheet is drawn to one scale: no picture shows all lengths to the same one."""

from attention.analysis import costs
from attention.analysis.costs import Layer
from pages.shell.views.costs.formulas import LENGTHS

# The shortest length that fills the frame, and how many doublings later it is filled again, at another scale. So no
# square is a line, and each scale shows two doublings.
_FIRST, _DOUBLINGS = 64, 3
# How wide the rest of a layer is drawn at most, in sides of the frame.
ROOM = 1.15


def ends() -> list[int]:
    """The longest text of each scale."""
    made = [_FIRST]
    while made[-1] < LENGTHS[-1]:
        made.append(min(made[-1] * 2**_DOUBLINGS, LENGTHS[-1]))
    return made


def most(n: int) -> int:
    """The longest text that is drawn to the scale of this one."""
    return next(end for end in ends() if n <= end)


def before(n: int) -> int | None:
    """The longest text that is drawn larger, None where none is."""
    return max((end for end in ends() if end < n), default=None)


def drawn(layer: Layer, n: int) -> float:
    """How much of the width of the rest has room, from 0 to 1: the remainder is cut out."""
    return min(1.0, ROOM * most(n) / costs.overtakes_layer(layer))
