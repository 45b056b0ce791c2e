"""Masks: painted by hand, on one sentence, chosen by data, composed; ways to hide the future, padding, empty rows."""

import streamlit as st

from pages.shell.layout import mask_choice, page
from pages.shell.layout.drawer import drawer
from pages.shell.layout.live import show
from pages.shell.layout.widgets import widgets
from pages.shell.sections import mask_studio
from pages.shell.views import masks

with st.container(key="foremost"):
    page.title("masks")
    with st.container(key="choice-of-mask"):
        mask_choice.choice("masks")
        show(masks.unpainted)
    show(masks.warning)
    painted, sentence = page.halves()
    with painted:
        show(masks.board)
    with sentence:
        show(masks.arcs)
        show(masks.asked)
        show(masks.says)
        show(masks.consequences)
show(masks.notes)
page.training_offer("masks")
with drawer("every_mask", "every_mask", masks.every_mask):
    widgets("every_mask")
    show(masks.layers, masks.every_mask)
with drawer("chosen", "index_keep", masks.chosen):
    widgets("index_keep")
    show(masks.chosen)
with drawer("studio", "studio_mask", "studio_how", "studio_second_mask", masks.studio):
    mask_studio.controls()
    show(masks.studio, masks.checks)
with drawer("future", masks.four_ways), page.predict("future"):
    show(masks.four_ways)
with drawer("one_mask", masks.one_mask):
    show(masks.one_mask, masks.how)
with drawer("polarity", masks.polarity), page.predict("polarity"):
    show(masks.polarity)
    show(masks.forms)
with drawer("padding", masks.columns), page.predict("padding"):
    show(masks.columns)
    with st.container(key="padded-table"):
        show(masks.sums)
    show(masks.code)
with drawer("empty", masks.empty_row):
    with page.predict("empty"):
        show(masks.empty_row)
    show(masks.numbers)
with drawer("corners", masks.both):
    show(masks.both)
with drawer("numbers"):
    show(masks.ledger)
