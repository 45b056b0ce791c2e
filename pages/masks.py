"""Masks: all of them on one sentence, one painted by hand, ways to hide the future, padding, and the empty row."""

import streamlit as st

from pages.shell.layout import page
from pages.shell.layout.drawer import drawer
from pages.shell.layout.live import show
from pages.shell.layout.widgets import widgets
from pages.shell.views import masks

page.title("masks")
show(masks.ledger)
page.training_offer("masks")
widgets("every_mask")
show(masks.layers, masks.every_mask, masks.board, masks.one_mask)
with page.predict("future", "zero_before", "zero_after", "neither"):
    show(masks.four_ways)
with drawer("polarity", masks.polarity), page.predict("polarity", "may", "may_not", "depends"):
    show(masks.polarity)
with drawer("padding", masks.columns), page.predict("padding", "columns", "rows", "both"):
    show(masks.columns)
    with st.container(key="padded-table"):
        show(masks.sums)
    show(masks.code)
with drawer("empty"):
    with page.predict("empty", "nan", "zero", "depends"):
        show(masks.empty_row)
    show(masks.numbers)
with drawer("corners", masks.both):
    show(masks.both)
