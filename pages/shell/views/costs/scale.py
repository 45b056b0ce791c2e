"""Up to which length of a text its sheet is drawn to one scale: no picture shows all lengths to the same one."""

from attention.analysis import costs
from attention.analysis.costs import Layer
from pages.shell.views.costs.formulas import LENGTHS

# The longest text of each scale, so that no square is a line.
_ENDS = (32, 128, 1024, 8192, 32_768, LENGTHS[-1])
# How wide the rest of a layer is drawn at most, in sides of the frame.
ROOM = 1.15


def ends(layer: Layer) -> list[int]:
    """The longest text of each scale. Where the pairs become half, the scale stays: more work would look like less."""
    half = costs.overtakes_layer(layer)
    return [min(2 * end, LENGTHS[-1]) if end < half <= 2 * end else end for end in _ENDS]


def most(layer: Layer, n: int) -> int:
    """The longest text that is drawn to the scale of this one."""
    return next(end for end in ends(layer) if n <= end)


def before(layer: Layer, n: int) -> int | None:
    """The longest text that is drawn larger, None where none is."""
    return max((end for end in ends(layer) if end < n), default=None)


def drawn(layer: Layer, n: int) -> float:
    """How much of the width of the rest has room, from 0 to 1: the remainder is cut out."""
    return min(1.0, ROOM * most(layer, n) / costs.overtakes_layer(layer))
