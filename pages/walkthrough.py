"""A sentence through multi-head attention: a word asks, the others answer, and the computation behind it."""

import streamlit as st

from pages.shell.layout import page
from pages.shell.layout.drawer import drawer
from pages.shell.layout.live import show
from pages.shell.layout.widgets import widgets
from pages.shell.sections import learned, matrix_editor, to_gradients
from pages.shell.views import files, walkthrough

page.title("walkthrough")
# Each view is an element of its own, because the page orders them itself (first_screen.css).
show(walkthrough.film)
show(walkthrough.arcs)
# This stands beside the control bar, which comes before it (first_screen.css).
with st.container(key="told-effect"):
    show(walkthrough.effect)
    with st.container(key="notes", horizontal=True, vertical_alignment="center"):
        show(walkthrough.notes)
        page.training_offer("walkthrough")
reason, questions = page.halves()
with reason:
    show(walkthrough.why)
with questions:
    show(walkthrough.heads)
show(walkthrough.strip)
widgets("backward")
to_gradients.link()
show(walkthrough.backwards)
with st.container(key="pipeline"):
    show(walkthrough.large)
with drawer("whole", walkthrough.whole, "zoom", "zoom_row", "zoom_column"):
    show(walkthrough.whole)
with drawer("formula"):
    show(walkthrough.formula)
learned.section(walkthrough.learned_scores, walkthrough.learned_heads)
with drawer("matrices"):
    show(
        walkthrough.inputs,
        walkthrough.parameters,
        walkthrough.biases,
        walkthrough.projections,
        walkthrough.normed,
        walkthrough.places,
        walkthrough.rotated,
        walkthrough.cached,
        walkthrough.scaled,
        walkthrough.mask,
    )
    with page.predict("sums"):
        show(walkthrough.weights)
    page.predict("forest")
    show(walkthrough.dropout, walkthrough.output)
    with page.predict("creature"):
        show(walkthrough.result)
with drawer("numbers"):
    show(walkthrough.ledger, walkthrough.measured)
matrix_editor.section()
with drawer("files"):
    show(files.of_walkthrough)
