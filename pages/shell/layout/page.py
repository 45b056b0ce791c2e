"""The verbs a page is made of."""

from collections.abc import Iterable

import streamlit as st
from streamlit.delta_generator import DeltaGenerator

from attention.comparisons.parity import Comparison, against_torch
from pages.shell import component
from pages.shell.i18n import say
from pages.shell.layout import edit_notice
from pages.shell.layout.rows import row
from pages.shell.runs.run import Run
from pages.shell.runs.sources import Source
from pages.shell.state.config import Config


def title(page: str) -> None:
    st.title(say(f"page.{page}.title"), anchor=False)
    st.markdown(say(f"page.{page}.lead"))


def ledger(run: Source[Run]) -> None:
    """Shapes, parameter count and the comparison with PyTorch, always in sight; then what was adjusted."""
    # Around the row, which has a container of its own: only what stands in that of the page stays in sight.
    with st.container(key="ledger"):
        _shapes(run)
    _labels(run)
    _adjusted(run)


@row
def _shapes(run: Run) -> None:
    module = run.module
    lengths = {"n": len(run.tokens)} if run.context is None else {"n_q": len(run.tokens), "n_k": len(run.labels["key"])}
    sizes = lengths | {"d_model": module.d_model, "h": module.heads, "d_k": module.d_k, "d_v": module.d_v}
    if len(run.inputs.tokens) > 1:
        sizes = {say("ledger.batch"): len(run.inputs.tokens)} | sizes
    shapes = " · ".join(f"{name} **{size}**" for name, size in sizes.items())
    parameters = sum(parameter.numel() for parameter in module.parameters())
    badges = "  ".join(_badge(comparison) for comparison in against_torch(run.trace))
    st.markdown(f"{shapes} · {say('ledger.parameters', count=f'{parameters:,}')}  \n{badges}")
    edit_notice.mark(run)


@row
def _labels(run: Run) -> None:
    component.labels(run.labels)


@row
def _adjusted(run: Run) -> None:
    for adjusted in run.notes:
        st.warning(adjusted, icon=":material/info:")
    edit_notice.homeless(run)


def _badge(comparison: Comparison) -> str:
    if comparison.difference is None:
        return f":gray-badge[{say('badge.none', name=comparison.name, reason=say(f'reason.{comparison.reason}'))}]"
    colour, words = ("green", "badge.agrees") if comparison.agrees else ("red", "badge.differs")
    return f":{colour}-badge[{say(words, name=comparison.name, difference=f'{comparison.difference:.1e}')}]"


def table(*header: str, rows: Iterable[Iterable[object]]) -> None:
    """A small table of text: Markdown, which needs no other component."""
    lines = [header, ["---"] * len(header), *rows]
    st.markdown("\n".join(f"| {' | '.join(map(str, line))} |" for line in lines))


def predict(question: str, *answers: str, of: str = "") -> DeltaGenerator:
    """A question, to be answered or skipped, remembered for the visit; then the place for the rows that answer it.

    They are covered until that (plot.css), unless a link or a click opens a cell in them.

    of: the only preset whose figures answer it, "" for any.
    """
    _question(question, *answers, of=of)
    return st.container(key=f"answers-{question}")


@row
def _question(question: str, *answers: str, of: str) -> None:
    if of not in ("", Config.current().preset):
        return
    with st.container(border=True, key=f"predict-{question}"):
        right = say(f"predict.{question}.right")

        def shown(answer: str) -> str:
            return say(f"predict.{question}.{answer}") if answer else say("predict.show")

        chosen = st.radio(
            say(f"predict.{question}.question"),
            # Ids, which outlive a change of the language.
            (*answers, ""),
            index=None,
            horizontal=True,
            format_func=shown,
            key=f"predicted-{question}",
            persist_state="session",
        )
        if chosen is not None:
            verdict = say("predict.right" if chosen == right else "predict.wrong")
            st.markdown((f"**{verdict}** " if chosen else "") + say(f"predict.{question}.why"))
