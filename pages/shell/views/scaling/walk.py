"""Why the scores spread: each is the end of a walk, product by product, beside how far such walks get, and beside the
same walk divided by the root of how many products it has."""

import math

import numpy as np

from attention.experiments.dot_products import Pairs
from pages.shell.component.chart import Axis, Chart, Series
from pages.shell.i18n import say
from pages.shell.i18n.numbers import digits
from pages.shell.state.page_controls import Laboratory
from pages.shell.views.scaling import common, row

# The walks behind the one that is told.
OTHERS = len(row.WORDS) - 1
# Points of a walk, at most.
_POINTS = 256
# Where the words on the edge end, as a share of the axis.
_SAID = 0.97
# How far below it, as a share of half the axis.
_BELOW = 0.27
# Where the words on the divided walk end, as shares of the axis and of half the one upwards: below most walks.
_DIVIDED = 0.5, -0.85


def chart(lab: Laboratory) -> Chart:
    """The walks of the row as far as the slider has come, that of the first word bold, undivided and divided; the edges
    of what is usual go on."""
    last, here = common.near(lab), int(lab.d)
    every = max(1, last // _POINTS)
    steps = np.arange(0, last + 1, every)
    pairs = row.independent(lab)
    first, walks = row.first(lab), row.walks(lab)[steps]
    told, others = walks[:, first], np.delete(walks, first, axis=1)
    shown = steps <= here
    middle, spread = _usual(pairs, steps)
    name, colour = say("lab.walk.usual"), common.COLOURS["none"]
    words = say("lab.walk.edge" if pairs.mean(1) == 0 else "lab.walk.edge_from_mean", factor=_factor(pairs))
    # Below the lower edge, where the highest walk never is.
    at = int(_SAID * (len(steps) - 1))
    below = middle[at] - spread[at] - _BELOW * row.ends(lab)[1]
    edges = [
        Series(
            name,
            steps,
            middle + sign * spread,
            "theory",
            colour=3,
            said=(float(steps[at]), float(below), words) if sign < 0 else None,
            is_listed=False,
        )
        for sign in (1, -1)
    ]
    # One series, with a gap after each walk.
    gap = np.full((1, OTHERS), math.nan)
    ends = np.concatenate([others[shown], gap]).T.flatten()
    places = np.tile(np.append(steps[shown], here), OTHERS)
    behind = Series(say("lab.walk.others", count=OTHERS), places, ends, "faint", colour=colour, is_listed=False)
    bold = Series(
        say("lab.walk.one", word=row.WORDS[first]),
        steps[shown],
        told[shown],
        colour=colour,
        said=(here, float(told[shown][-1]), row.WORDS[first]),
        is_listed=False,
    )
    # Before the first product there is nothing to divide.
    products = steps[shown][1:]
    side, down = _DIVIDED
    divided = Series(
        say("lab.walk.divided", word=row.WORDS[first]),
        products,
        told[shown][1:] / np.sqrt(products),
        colour=common.COLOURS["sqrt_d_k"],
        said=(side * last, down * row.ends(lab)[1], say("lab.walk.divided", word=row.WORDS[first])),
        is_listed=False,
    )
    # The exact end of the walk: far along, not every step is drawn.
    end = float(row.walks(lab)[here, first])
    note = say("lab.walk.note", d=here, word=row.WORDS[first], at=digits(end), scaled=digits(end / math.sqrt(here)))
    x = Axis(say("lab.walk.products", last=f"{last:,}"), range=(0, 1.02 * last))
    y = Axis(say("lab.walk.sum"), range=row.ends(lab))
    marks = [(here, f"d_k = {lab.d}")]
    return Chart("walk", say("lab.walk.title"), [*edges, behind, bold, divided], x, y, note, marks=marks, light=True)


def _usual(pairs: Pairs, steps: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """The mean and the standard deviation after so many products."""
    spread = [math.sqrt(pairs.variance(int(step))) for step in steps]
    return np.array([pairs.mean(int(step)) for step in steps]), np.array(spread)


def _factor(pairs: Pairs) -> str:
    """What stands before the root of the number of products: nothing where it is 1."""
    factor = math.sqrt(pairs.variance(1))
    return "" if math.isclose(factor, 1) else f"{digits(factor)} · "
