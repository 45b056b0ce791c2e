"""A sentence through multi-head attention, step by step."""

import streamlit as st

from pages.shell.exports import downloads
from pages.shell.layout import page
from pages.shell.layout.live import show
from pages.shell.layout.widgets import widgets
from pages.shell.sections import learned, matrix_editor, to_gradients
from pages.shell.views import walkthrough

page.title("walkthrough")
sentence, numbers = page.halves()
with sentence:
    show(walkthrough.arcs)
with numbers:
    show(walkthrough.ledger, walkthrough.effect)
    # In one place, which has room for two lines on the first screen of a desktop, and scrolls: first_screen.css.
    with st.container(key="notes", horizontal=True, vertical_alignment="center"):
        show(walkthrough.notes)
        page.training_offer("walkthrough")
show(walkthrough.strip)
widgets("backward")
to_gradients.link()
show(walkthrough.backwards)
with st.container(key="pipeline"):
    show(walkthrough.formula, walkthrough.large)
show(walkthrough.learned_scores)
learned.section()
show(walkthrough.learned_heads)
with page.predict("creature", "full", "halves", "itself", of="story"):
    show(walkthrough.result)
matrix_editor.section()
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
with page.predict("sums", "rows", "columns", "both"):
    show(walkthrough.weights)
page.predict("forest", "nearest", "all", "first", of="story")
show(walkthrough.dropout, walkthrough.output)
downloads.section()
