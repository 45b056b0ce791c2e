"""Up to which length of a text its sheet is drawn to one scale: no picture shows all lengths to the same one."""

from attention.analysis import costs
from attention.analysis.costs import Layer
from pages.shell.views.costs.formulas import LENGTHS

# The largest square in widths of the rest, and how many doublings are drawn to one scale after the first change of it.
_LARGEST, _DOUBLINGS = 1.8, 4


def ends(layer: Layer) -> list[int]:
    """The longest texts of each scale. Up to the first one a square grows past the rest of the layer, if any does."""
    wanted = _LARGEST * costs.overtakes_layer(layer)
    made = [max((length for length in LENGTHS if length <= wanted), default=LENGTHS[0])]
    while made[-1] < LENGTHS[-1]:
        made.append(min(made[-1] * 2**_DOUBLINGS, LENGTHS[-1]))
    return made


def most(layer: Layer, n: int) -> int:
    """The longest text that is drawn to the scale of this one."""
    return next(end for end in ends(layer) if n <= end)


def before(layer: Layer, n: int) -> int | None:
    """The longest text that is drawn larger, None where none is."""
    return max((end for end in ends(layer) if end < n), default=None)
