"""How far many scores spread at one d_k, undivided and divided: two hills on one axis, of which one widens."""

import math

from attention.experiments.variance import Sweep, histograms
from pages.shell.component.chart import Axis, Chart, Series
from pages.shell.i18n import say
from pages.shell.i18n.numbers import digits
from pages.shell.state.page_controls import Laboratory
from pages.shell.views.scaling import common

BINS = 48


def histogram(lab: Laboratory, swept: Sweep) -> Chart:
    d = int(lab.d)
    raw = swept.at(d).double()
    note = say(
        "lab.variance.histogram_note",
        d=d,
        raw=digits(raw.std().item()),
        scaled=digits(raw.std().item() / math.sqrt(d)),
    )
    # The axis stays while the hill widens.
    reached = [swept.at(each) for each in common.D_KS if each <= common.reach(lab)]
    ends = min(float(one.min()) for one in reached), max(float(one.max()) for one in reached)
    x = Axis(say("lab.axis.score"), range=ends if ends[0] < ends[1] else None)
    # The wide hill is named at its left foot, the narrow one beside its top, at the edge.
    foot = max(-1.2 * raw.std().item(), 0.6 * ends[0])
    places = {"none": (foot, 0.6), "sqrt_d_k": (0.98 * ends[1], 0.75)}
    series = []
    for scale, place in places.items():
        # Bins of its own: as many in a narrow hill as in a wide one.
        table = histograms(swept, d, BINS, (scale,))
        share_of_highest = table[scale] / table[scale].max()
        name = common.scale_name(scale)
        series.append(
            Series(
                name,
                (table["left"] + table["right"]) / 2,
                share_of_highest,
                "bars",
                colour=common.COLOURS[scale],
                said=(*place, name),
            )
        )
    y = Axis(say("lab.axis.how_many"), range=(0, 1.05), ticks=(0, 1))
    return Chart("histogram", say("lab.variance.histogram"), series, x, y, note, light=True)
