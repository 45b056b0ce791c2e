"""Do trained heads keep unit variance? The variance of the scaled scores of every head, measured."""

import numpy as np
import streamlit as st

from pages.shell import component
from pages.shell.component.chart import Axis, Chart, Series
from pages.shell.i18n import say
from pages.shell.i18n.numbers import digits
from pages.shell.layout.rows import row
from pages.shell.sections.models.common import after, is_ready


def section() -> None:
    if is_ready():
        _chart()


@row
def _chart() -> None:
    found = after.read()
    if found is None:
        return
    st.subheader(say("models.spread.title"), anchor=False)
    variances = found.variances.numpy()
    layers, heads = variances.shape
    x = np.repeat(np.arange(1, layers + 1), heads)
    y = np.maximum(variances.ravel(), 1e-6)
    ends = np.array([0.5, layers + 0.5])
    series = [
        Series(say("models.spread.head"), x, y, "dots"),
        Series(say("models.spread.median"), np.arange(1, layers + 1), np.median(variances, 1), colour=1),
        Series(say("models.spread.theory"), ends, np.ones(2), "theory", colour=2),
    ]
    within = int(((y > 0.5) & (y < 2)).sum())
    note = say(
        "models.spread.note",
        least=digits(float(y.min())),
        median=digits(float(np.median(y))),
        most=digits(float(y.max())),
        within=within,
        all=len(y),
    )
    component.row(
        "plot-spread",
        Chart(
            "spread",
            say("models.spread.chart"),
            series,
            Axis(say("models.layer"), range=(0.5, layers + 0.5)),
            Axis(say("models.spread.axis"), log=True),
            note,
            say("models.spread.text"),
        ),
    )
