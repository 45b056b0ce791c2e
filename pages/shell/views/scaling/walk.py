"""The reason why scores spread: each score is the end of a walk, product by product. Beside the walks stand their
standard deviation and the same walks divided by the root of the number of products."""

import math
from typing import Any

import numpy as np

from attention.experiments.dot_products import Pairs
from pages.shell.component.chart import Axis, Chart, Series
from pages.shell.i18n import listed, say
from pages.shell.i18n.numbers import digits
from pages.shell.state.page_controls import Laboratory
from pages.shell.views.scaling import common, row

# The number of walks behind the one that the texts tell.
OTHERS = len(row.WORDS) - 1
# The most points of a walk, and of an edge.
_POINTS, _FEW = 256, 16


def chart(lab: Laboratory) -> Chart:
    """All walks of the row, undivided and divided, strong up to the d_k of the slider and pale beyond it. The walk of
    the word with the largest score is bold. The slider moves neither the axes nor the walks."""
    last, here = common.reach(lab), int(lab.d)
    steps = np.arange(0, last + 1, max(1, last // _POINTS))
    first, walks = row.first(lab), row.walks(lab)
    # Before the first product there is nothing to divide.
    products = steps[1:]
    undivided = walks[steps, first]
    divided = walks[products] / np.sqrt(products)[:, None]
    raw, scaled = common.COLOURS["none"], common.COLOURS["sqrt_d_k"]
    word = row.WORDS[first]
    others, others_divided = (np.delete(each, first, axis=1) for each in (walks[steps], divided))
    name = say("lab.walk.others", count=OTHERS)
    series = [
        # The name is the word's: at another d_k another word may be in front.
        Series(
            say("lab.walk.one", word=word),
            steps[steps <= here],
            undivided[steps <= here],
            colour=raw,
            said=(float(here), float(walks[here, first]), word),
            is_listed=False,
        ),
        Series(
            say("lab.walk.divided", word=word),
            products[products <= here],
            divided[products <= here, first],
            colour=scaled,
            said=(float(last), float(divided[-1].mean()), _by_root(row.independent(lab))),
            is_beside=True,
            is_listed=False,
        ),
        *_edges(row.independent(lab), last),
        _many(name, steps[steps <= here], others[steps <= here], raw, "thin"),
        _many(
            say("lab.walk.others_divided", count=OTHERS), *_thinned(products, others_divided, 1, here), scaled, "thin"
        ),
        _many(say("lab.walk.further"), steps[steps >= here], walks[steps[steps >= here]], raw, "faint"),
        _many(say("lab.walk.further_divided"), *_thinned(products, divided, here, last), scaled, "faint"),
    ]
    x = Axis(say("lab.walk.products"), range=(0, 1.02 * last))
    y = Axis(say("lab.walk.sum"), range=row.ends(lab))
    marks = [(here, f"dₖ = {lab.d}")]
    return Chart("walk", say("lab.walk.title"), series, x, y, _note(lab), marks=marks, light=True)


def _edges(pairs: Pairs, last: int) -> list[Series]:
    """The mean and one standard deviation around it, after so many products; points are dense where a root is steep."""
    steps = np.unique(np.rint(last * (np.arange(_FEW + 1) / _FEW) ** 2))
    middle = np.array([pairs.mean(int(step)) for step in steps])
    spread = np.array([math.sqrt(pairs.variance(int(step))) for step in steps])
    # The name stands at the lower edge, because the word in front is above the upper one or near it.
    words = f"±{_root(pairs)}" if pairs.mean(1) == 0 else ""
    return [
        Series(
            say("lab.walk.usual"),
            steps,
            middle + sign * spread,
            "theory",
            colour=3,
            said=(float(last), float(middle[-1] - spread[-1]), words) if words and sign < 0 else None,
            is_beside=True,
            is_listed=False,
        )
        for sign in (1, -1)
    ]


def _thinned(products: np.ndarray, walks: np.ndarray, first: int, last: int) -> tuple[np.ndarray, np.ndarray]:
    """Each fourth product from first to last, and both ends: divided walks are too flat to show more."""
    inside = (products >= first) & (products <= last)
    kept = inside & ((products % 4 == 0) | np.isin(products, products[inside][[0, -1]]))
    return products[kept], walks[kept]


def _many(name: str, steps: np.ndarray, walks: np.ndarray, colour: int, style: str) -> Series:
    """Walks of the same steps as one series, with a gap after each."""
    each = walks.reshape(len(steps), -1)
    ends = np.concatenate([each, np.full((1, each.shape[1]), math.nan)]).T.flatten()
    # The gap is at the walk's end.
    places = np.tile(np.append(steps, steps[-1]), each.shape[1])
    return Series(name, places, ends, style, colour=colour, is_listed=False)


def _note(lab: Laboratory) -> str:
    first, here, pairs = row.first(lab), int(lab.d), row.independent(lab)
    # The exact end of the walk, because a long one does not draw each step.
    end = float(row.walks(lab)[here, first])
    numbers: dict[str, Any] = {"d": here, "at": digits(end), "scaled": digits(end / math.sqrt(here))}
    edge = "lab.walk.edge" if pairs.mean(1) == 0 else "lab.walk.edge_from_mean"
    said = say("lab.walk.note", **numbers, word=row.WORDS[first])
    return listed("sentence", (said, say(edge, root=_root(pairs))))


def _by_root(pairs: Pairs) -> str:
    """The divisor of a score, and the spread of the divided scores if their mean is 0."""
    spread = math.sqrt(pairs.variance(1))
    return say("lab.walk.by_root", spread=digits(spread)) if pairs.mean(1) == 0 else say("lab.walk.by_root_alone")


def _root(pairs: Pairs) -> str:
    """The standard deviation: the root of the number of products, with its factor unless that is 1."""
    factor = math.sqrt(pairs.variance(1))
    return "√dₖ" if math.isclose(factor, 1) else f"{digits(factor)} · √dₖ"
