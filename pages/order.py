"""Order: without a mask or positions, words in another order give the same outputs in another order."""

import streamlit as st

from pages.shell.layout import page
from pages.shell.layout.drawer import drawer
from pages.shell.layout.live import show
from pages.shell.layout.widgets import widgets
from pages.shell.views import order

with st.container(key="foremost"):
    page.title("order")
    show(order.warning, order.both)
    # The question stands before the control that gives its answer.
    guess = st.container(key="guess-positions")
    with st.container(key="reorders", horizontal=True, vertical_alignment="center"):
        show(order.again)
        widgets("order_positions", "order_mask")
with drawer("order"), page.predict("order", at=guess):
    show(order.weights, order.projected, order.differences)
with drawer("numbers"):
    show(order.ledger)
