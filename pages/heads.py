"""Several heads: each asks its own question of the same words; one projection is cut into bands, one a head."""

import streamlit as st

from pages.shell.layout import page
from pages.shell.layout.drawer import drawer
from pages.shell.layout.live import show
from pages.shell.layout.widgets import widgets
from pages.shell.views import heads

<<<<<<< HEAD
with st.container(key="foremost"):
    page.title("heads")
    show(heads.warning, heads.arcs)
with st.container(key="told-effect"):
    show(heads.effect)
    with st.container(key="notes", horizontal=True, vertical_alignment="center"):
        show(heads.notes)
        page.training_offer("heads")
switches, answers = page.halves()
with switches:
    show(heads.switches)
with answers:
    show(heads.answers)
show(heads.facts)
with page.drawer("counts"):
    widgets("fixed_d_k")
    with page.predict("heads", "same", "more", "fewer"):
        show(heads.parameters)
with page.drawer("every_head"):
    show(heads.every_head, heads.one_head, heads.joined)
with page.drawer("split"):
    show(heads.split, heads.average, heads.contributions)
with page.drawer("ranks"):
    show(heads.ranks)
with page.drawer("numbers"):
    show(heads.ledger)
=======
ONE_HEAD = (heads.average, heads.one_head, heads.joined)

page.title("heads")
widgets("fixed_d_k")
show(heads.ledger, heads.every_head, heads.facts, heads.split, heads.contributions)
with drawer("one_head", *ONE_HEAD):
    show(*ONE_HEAD)
with page.predict("heads", "same", "more", "fewer"):
    show(heads.parameters)
show(heads.ranks)
>>>>>>> short
