"""Why the scores spread: a dot product, product by product, is a random walk, beside how far such walks get."""

import math
from functools import lru_cache

import numpy as np

from attention.experiments.dot_products import Pairs
from attention.experiments.variance import sweep
from pages.shell.component.chart import Axis, Chart, Series
from pages.shell.i18n import say
from pages.shell.i18n.numbers import digits
from pages.shell.state.page_controls import Laboratory
from pages.shell.views.scaling import common

# The last product that is drawn, and how many walks there are behind the one that is told.
LAST, OTHERS = 256, 12
# Standard deviations that the axis reaches, so that it stays for any d_k.
_REACH = 3
# Where the words on the edge end, as a share of the axis.
_SAID = 0.97


@lru_cache(maxsize=64)
def walks(pairs: Pairs, seed: int) -> np.ndarray:
    """(products, walks): the sums of the first products of some dot products, from 0 products on."""
    drawn = sweep(pairs, tuple(range(1, LAST + 1)), OTHERS + 1, generator=common.generator(seed)).scores
    return np.concatenate([np.zeros((1, OTHERS + 1)), drawn.cpu().double().numpy()])


def chart(lab: Laboratory) -> Chart:
    """As far as the slider has come; the edges of what is usual go on."""
    drawn, pairs = walks(lab.pairs, lab.lab_seed), lab.pairs
    here = min(int(lab.d), LAST)
    steps = np.arange(LAST + 1)
    middle, spread = _usual(pairs, steps)
    name, colour = say("lab.walk.usual"), common.COLOURS["none"]
    words = say("lab.walk.edge" if pairs.mean(1) == 0 else "lab.walk.edge_from_mean", factor=_factor(pairs))
    at = int(_SAID * LAST)
    edges = [
        Series(
            name,
            steps,
            middle + sign * spread,
            "theory",
            colour=3,
            said=(at, float(middle[at] + spread[at]), words) if sign > 0 else None,
            is_listed=False,
        )
        for sign in (1, -1)
    ]
    # One series, with a gap after each walk.
    gap = np.full((1, OTHERS), math.nan)
    ends = np.concatenate([drawn[: here + 1, 1:], gap]).T.flatten()
    places = np.tile(np.append(steps[: here + 1], here), OTHERS)
    others = Series(say("lab.walk.others", count=OTHERS), places, ends, "faint", colour=colour, is_listed=False)
    told = Series(say("lab.walk.one"), steps[: here + 1], drawn[: here + 1, 0], colour=colour, is_listed=False)
    reach = _REACH * float(spread[-1])
    ranges = min(0.0, float(middle[-1])) - reach, max(0.0, float(middle[-1])) + reach
    note = say(
        "lab.walk.note",
        d=here,
        at=digits(float(drawn[here, 0])),
        spread=digits(float(spread[here])),
        variance=digits(float(spread[here] ** 2)),
    )
    x = Axis(say("lab.walk.products"), range=(0, 1.02 * LAST))
    y = Axis(say("lab.walk.sum"), range=ranges)
    return Chart(
        "walk",
        say("lab.walk.title"),
        [*edges, others, told],
        x,
        y,
        note,
        marks=[(int(lab.d), f"d_k = {lab.d}")],
        light=True,
    )


def _usual(pairs: Pairs, steps: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """The mean and the standard deviation after so many products."""
    spread = [math.sqrt(pairs.variance(int(step))) for step in steps]
    return np.array([pairs.mean(int(step)) for step in steps]), np.array(spread)


def _factor(pairs: Pairs) -> str:
    """What stands before the root of the number of products: nothing where it is 1."""
    factor = math.sqrt(pairs.variance(1))
    return "" if math.isclose(factor, 1) else f"{digits(factor)} · "
