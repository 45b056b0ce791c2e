"""Up to which length of a text its sheet is drawn to one scale: no picture shows all lengths to the same one."""

from attention.analysis import costs
from attention.analysis.costs import Layer
from pages.shell.views.halfway import LENGTHS

# How wide the rest of a layer is at most, in sides of the frame: on the first scale it is a ribbon across the picture.
ROOM = 4.5
# A scale reaches as many times as far as the one before, so that no square on it is a line.
_FURTHER = 8


def ends(layer: Layer) -> list[int]:
    """The longest text of each scale. The first one has room for the whole width of the rest, so that no area is cut;
    the second one ends beyond the length at which the pairs are half, so that there more work is drawn as more."""
    half = costs.overtakes_layer(layer)
    found = [next((length for length in LENGTHS if half <= ROOM * length), LENGTHS[-1])]
    while found[-1] < LENGTHS[-1]:
        found.append(min(_FURTHER * found[-1], LENGTHS[-1]))
    return found


def most(layer: Layer, n: int) -> int:
    """The longest text that is drawn to the scale of this one."""
    return next(end for end in ends(layer) if n <= end)


def before(layer: Layer, n: int) -> int | None:
    """The longest text that is drawn larger, None where none is."""
    return max((end for end in ends(layer) if end < n), default=None)
