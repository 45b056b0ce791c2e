"""Why divide by the square root of d_k: variance, saturation, gradients, layers, a race, and the wrong d."""

import streamlit as st

from pages.shell.layout import page
from pages.shell.layout.drawer import drawer
from pages.shell.layout.live import show
from pages.shell.layout.task import task
from pages.shell.layout.widgets import widgets
from pages.shell.sections.scaling import race, slider
from pages.shell.sections.scaling.deeper import heading
from pages.shell.state.page_controls import Laboratory
from pages.shell.views.scaling import (
    derivation,
    gradients,
    layers,
    minute,
    one_row,
    row,
    rows,
    saturation,
    theory,
    variance,
)

DRAWN = ("samples", "distribution", "correlation")
ENTRIES = ("sigma_q", "sigma_k", "mu_q", "mu_k")
SIZED = ("layer", "layer_heads")

with st.container(key="foremost"):
    page.title("scaling")
    with st.container(key="first-slider"):
        slider.of_d_k()
    show(minute.conclusion)
    with page.predict("root", below=True):
        show(minute.figures)
        first = st.container()
with drawer("one_row", one_row.figures, "log_axes"):
    slider.draw_again()
    show(one_row.figures)
    widgets("log_axes")
with heading("variance", (*DRAWN, *ENTRIES, "matrix"), ("matrix", "two_by_two")) as is_open:
    widgets(*DRAWN, "lab_seed")
    widgets(*ENTRIES)
    with first:
        task("variance", Laboratory, row.drawn, rows.drawn, variance.drawn)
    if is_open:
        show(variance.bars, theory.drift, derivation.told)
        with st.container(key="not-the-reason"):
            show(derivation.not_the_reason)
        task("derivation", Laboratory, derivation.measured)
    widgets("matrix")
    if is_open:
        show(variance.matrix)
        task("matrix", Laboratory, variance.of_matrices)
    with page.predict("refuted"):
        if is_open:
            show(variance.four)
with heading("saturation", ("keys",), ("largest", "entropy", "effective", "jacobian", "matching")) as is_open:
    widgets("keys")
    with page.predict("top"):
        if is_open:
            show(saturation.figures, saturation.norms)
            task("saturation", Laboratory, saturation.measured)
with heading("gradients", ("gradient_d",), ("sorted", "energy", "w_q_gradient")) as is_open:
    widgets("gradient_d")
    with page.predict("gradient"):
        if is_open:
            show(gradients.figures)
            task("gradients", Laboratory, gradients.measured)
# The controls of the sizes belong to both headings about layers, and stand below the first.
with heading("starts", SIZED) as is_open:
    widgets(*SIZED)
    if is_open:
        show(layers.starts)
        task("starts", Laboratory, layers.drawn)
race.section()
with heading("mistakes", ("mistake",)) as is_open:
    widgets("mistake")
    if is_open:
        show(layers.mistakes)
        task("mistakes", Laboratory, layers.scaled)
