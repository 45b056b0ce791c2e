"""Masks: all of them on one sentence, one painted by hand, ways to hide the future, padding, and the empty row."""

import streamlit as st

from pages.shell.layout import page
from pages.shell.layout.live import show
from pages.shell.layout.widgets import widgets
from pages.shell.views import masks

page.title("masks")
show(masks.ledger)
page.training_offer("masks")
widgets("every_mask")
show(masks.layers, masks.every_mask, masks.board, masks.one_mask)
with page.predict("polarity", "may", "may_not", "depends"):
    show(masks.polarity)
with page.predict("future", "zero_before", "zero_after", "neither"):
    show(masks.four_ways)
with page.predict("padding", "columns", "rows", "both"):
    show(masks.columns)
    with st.container(key="padded-table"):
        show(masks.sums)
    show(masks.code)
with page.predict("empty", "nan", "zero", "depends"):
    show(masks.empty_row)
show(masks.numbers, masks.both)
