"""The spread of many scores at one d_k, undivided and divided: two hills on one axis, of which one widens."""

import math
from collections.abc import Sequence

from torch import Tensor

from attention.experiments.variance import Sweep, histograms
from pages.shell.component.chart import Axis, Chart, Series
from pages.shell.i18n import say
from pages.shell.i18n.numbers import digits
from pages.shell.state.page_controls import Laboratory
from pages.shell.views.scaling import common

BINS = 48
# Standard deviations from the middle of the widest hill to the ends of the axis.
_SEEN = 2.6


def histogram(lab: Laboratory, swept: Sweep, scales: Sequence[str]) -> Chart:
    d = int(lab.d)
    raw = swept.at(d).double()
    note = say(
        "lab.variance.histogram_note_by_d_k" if "d_k" in scales else "lab.variance.histogram_note",
        d=d,
        count=f"{len(raw):,}",
        raw=digits(raw.std().item()),
        scaled=digits(raw.std().item() / math.sqrt(d)),
        cold=digits(raw.std().item() / d),
    )
    # The axis stays while the hill widens. Its far ends are cut off, since otherwise the narrow hill would be a line.
    reached = [swept.at(each).double() for each in common.D_KS if each <= common.reach(lab)]
    ends = min(_foot(one, -1) for one in reached), max(_foot(one, 1) for one in reached)
    x = Axis(say("lab.axis.score"), range=ends if ends[0] < ends[1] else None)
    # The wide hill is named at its left foot, the narrow ones on both sides of their tops.
    wide, middle = raw.std().item(), raw.mean().item()
    foot = max(-1.2 * wide, 0.6 * ends[0])
    places = {"none": (foot, 0.6), "sqrt_d_k": (middle / math.sqrt(d), 1.0), "d_k": (middle / d, 1.0)}
    series = []
    for scale in scales:
        # Each hill has bins of its own: as many in a narrow one as in a wide one.
        table = histograms(swept, d, BINS, (scale,))
        share_of_highest = table[scale] / table[scale].max()
        name = common.scale_name(scale)
        # At d_k = 1 all hills coincide and share one name.
        words = name if d > 1 else say("lab.variance.no_difference") if scale == "sqrt_d_k" else ""
        series.append(
            Series(
                name,
                (table["left"] + table["right"]) / 2,
                share_of_highest,
                "bars",
                colour=common.COLOURS[scale],
                said=(*places[scale], words) if words else None,
                is_after=scale == "sqrt_d_k",
                is_listed=False,
            )
        )
    y = Axis(say("lab.axis.how_many"), range=(0, 1.2), ticks=(0, 1))
    marks = [(middle + wide, say("lab.variance.one_deviation"))]
    return Chart("histogram", say("lab.variance.histogram"), series, x, y, note, marks=marks, light=True)


def _foot(scores: Tensor, sign: int) -> float:
    return scores.mean().item() + sign * _SEEN * scores.std().item()
