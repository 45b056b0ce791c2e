"""The longest text that is drawn to the same scale as another one: no picture shows all lengths to one scale."""

from attention.analysis import costs
from attention.analysis.costs import Layer
from pages.shell.views.halfway import LENGTHS

# The most width of the rest of a layer, in sides of the frame: on the first scale it is a ribbon across the picture.
ROOM = 4.5
# Each scale reaches this many times as far as the one before, so that no square shrinks to a line.
_FURTHER = 8


def ends(layer: Layer) -> list[int]:
    """The longest text of each scale. The first one has room for the whole width of the rest, so that no area is cut;
    the second one ends beyond the length at which the pairs are half, so that more work is drawn larger there."""
    half = costs.overtakes_layer(layer)
    found = [next((length for length in LENGTHS if half <= ROOM * length), LENGTHS[-1])]
    while found[-1] < LENGTHS[-1]:
        found.append(min(_FURTHER * found[-1], LENGTHS[-1]))
    return found


def most(layer: Layer, n: int) -> int:
    """The longest text that is drawn to the same scale as this one."""
    return next(end for end in ends(layer) if n <= end)


def before(layer: Layer, n: int) -> int | None:
    """The longest text that is drawn to a larger scale; None if there is none."""
    return max((end for end in ends(layer) if end < n), default=None)
