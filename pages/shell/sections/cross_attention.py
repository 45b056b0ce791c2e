"""What the page about cross-attention shows beside the steps: both sides of the rectangle, and context = x."""

from dataclasses import replace

import streamlit as st

from pages.shell.i18n import say
from pages.shell.i18n.numbers import apart
from pages.shell.layout.rows import row
from pages.shell.runs.run import Run
from pages.shell.runs.run import run as compute
from pages.shell.runs.sources import Source, shared
from pages.shell.state.config import Config, looked_at
from pages.shell.state.page_controls import CROSS, CrossAttention
from pages.shell.state.pending import set_controls


@Source
def shown() -> Run:
    """The run of the screen: queries from the shared text, keys and values from the text of this page."""
    own = CrossAttention.current()
    config = replace(looked_at(CROSS, shared()), mask=own.cross_mask)
    return compute(config, context=own.context)


@row
def sums(run: Run) -> None:
    """Which side softmax sums over."""
    weights = run.matrix("weights")
    columns, seeing = weights.sum(0), int(weights.any(-1).sum())
    n_q, n_k = weights.shape
    low, high, mean = (f"{float(number):.2f}" for number in (columns.min(), columns.max(), columns.mean()))
    st.markdown(say("cross.sums", seeing=seeing, n_q=n_q, n_k=n_k, low=low, high=high, mean=mean))


@row
def same(run: Run) -> None:
    """Self-attention is the case context = x: computed both ways, and put into the screen by a button."""
    st.subheader(say("cross.same_title"), anchor=False)
    is_same = run.context is not None and run.context.tokens == run.inputs.tokens
    crossed, alone = run if is_same else compute(run.config, context=run.config.text), compute(run.config)
    off = max(
        float((crossed.trace[id].value - alone.trace[id].value).abs().max())
        for id in ("weights", "output", "projected")
    )
    st.markdown(say("cross.same", difference=apart(off) if off else "0"))
    if is_same:
        st.markdown(say("cross.is_same", n=len(run.tokens)))
    else:
        st.button(say("cross.put"), on_click=_put, icon=":material/content_copy:", key="put")


def _put() -> None:
    set_controls({"context": Config.current().text})
