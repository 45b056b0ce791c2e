"""Hide what answers the question of a stop until it is revealed: its sentences, tables, code and headings."""

import streamlit as st

# By what the server sends, and not by what a script sets: that comes later than the page, which would be read
# meanwhile. Sent with the question, and not among the styles of every page: a rule that finds the question by `:has()`
# makes the browser look at the whole page again for every element that comes (docs/operations.md).
_ANSWERS = (
    ".att-text",
    ".att-note",
    ".att-tip",
    ".att-card:has([data-lecture-covers]) .att-table",
    ".att-told:not(:root[data-lecture-plays] *) p",
    '[class*="st-key-cell-"]',
    ".st-key-moved",
    ".stMarkdown",
    ".stCode",
    ".stAlert",
    ".stTable",
    ".stDataFrame",
    ".stMetric",
    # The title and the names of figures and their parts stay.
    '.stHeading:not([class*="st-key-title-"] *)',
)
_ASKED = ":is(.st-key-bar, .st-key-lecture-bar) *"


def hide_answers() -> None:
    """Styles for the page around the bar that asks."""
    places = f".stMainBlockContainer :is({', '.join(_ANSWERS)}):not({_ASKED})"
    # Something to hold on to: of styles alone Streamlit makes an element of no row.
    st.html(f"<style>{places} {{ visibility: hidden; opacity: 0; }}</style><span></span>")
