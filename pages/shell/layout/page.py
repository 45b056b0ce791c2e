"""The functions that a page is made of: title, ledger, tables, questions."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

import streamlit as st
from streamlit.delta_generator import DeltaGenerator

from attention.comparisons.parity import Comparison, against_torch
from pages.shell import component
from pages.shell.i18n import say
from pages.shell.i18n.numbers import apart
from pages.shell.layout import edit_notice, training
from pages.shell.layout.rows import changes, row
from pages.shell.runs.run import Run
from pages.shell.runs.sources import Source
from pages.shell.state.config import Config
from pages.shell.state.reads import Answer, note

# As they are imported by whoever calls them.
_MODULES = {"F": "torch.nn.functional", "nn": "torch.nn"}
# What the call was given that its answer depends on: with weights asked for, a query that sees nothing is NaN.
_GIVEN = {"nn.MultiheadAttention": "(need_weights=False)"}


def title(page: str) -> None:
    with st.container(key=f"title-{page}"):
        st.title(say(f"page.{page}.title"), anchor=False)
        st.markdown(say(f"page.{page}.lead"))


def heading(text: str) -> None:
    """A heading of what begins with controls. text: its key in the catalogue."""
    st.subheader(say(text), anchor=False)


def halves() -> list[DeltaGenerator]:
    """Two places side by side; one below the other on a phone."""
    with st.container(key="halves"):
        return st.columns([4, 5], gap="medium")


def ledger(run: Source[Run]) -> None:
    """Sizes, parameter count and the comparison with PyTorch in one line; then what was adjusted."""
    with st.container(key="ledger", horizontal=True, vertical_alignment="center"):
        _sizes(run)
        # The numbers that are compared change with most moves, what is said of them seldom.
        _parity(Source(lambda: tuple(map(_Verdict.of, against_torch(run().trace)))))
    _edited(run)
    _labels(run)
    with st.container(key="notes", horizontal=True, vertical_alignment="center"):
        _adjusted(run)
        training.beside_note(Source(lambda: training.asked(run().config)))


def training_offer(run: Source[Run]) -> None:
    """Nothing of a setting that was shipped."""
    training.beside_note(Source(lambda: training.asked(run().config)))


@row
def _sizes(run: Run) -> None:
    module = run.module
    lengths = {"n": len(run.tokens)} if run.context is None else {"n_q": len(run.tokens), "n_k": len(run.labels["key"])}
    sizes = lengths | {"d_model": module.d_model, "h": module.heads, "d_k": module.d_k, "d_v": module.d_v}
    if module.d_out != module.d_model:
        sizes["d_out"] = module.d_out
    if len(run.inputs.tokens) > 1:
        sizes = {say("ledger.batch"): len(run.inputs.tokens)} | sizes
    shapes = " · ".join(f"{name} **{size}**" for name, size in sizes.items())
    parameters = sum(parameter.numel() for parameter in module.parameters())
    st.markdown(f"{shapes} · {say('ledger.parameters', count=f'{parameters:,}')}", width="content")


@row
def _edited(run: Run) -> None:
    edit_notice.mark(run)


@dataclass(frozen=True)
class _Verdict:
    """What is said of a comparison. difference: as it is written, "" for none."""

    name: str
    agrees: bool
    difference: str
    reason: str

    @classmethod
    def of(cls, one: Comparison) -> "_Verdict":
        written = "" if one.difference is None else apart(one.difference)
        return cls(one.name, one.agrees, written, one.reason)


@row
def _parity(verdicts: Sequence[_Verdict]) -> None:
    """The verdict in a word; on a click, each call of PyTorch's that was made, and what came of it."""
    made = [verdict for verdict in verdicts if verdict.difference]
    word = "none" if not made else "agrees" if all(verdict.agrees for verdict in made) else "differs"
    icon = {"agrees": ":material/check:", "differs": ":material/error:", "none": ":material/remove:"}[word]
    with st.popover(say(f"parity.{word}"), icon=icon, type="tertiary", width="content"):
        st.markdown("  \n".join([say("parity.lead"), *map(_badge, verdicts)]))


@row
def _labels(run: Run) -> None:
    component.labels(run.labels)


@row
def _adjusted(run: Run) -> None:
    """In one place, which has room for two lines on the first screen of a desktop, and scrolls: first_screen.css."""
    if not (run.notes or run.homeless):
        return
    with st.container(key="notes-told"):
        for adjusted in run.notes:
            st.warning(adjusted, icon=":material/info:")
        edit_notice.homeless(run)


def _badge(verdict: _Verdict) -> str:
    module, _, call = verdict.name.partition(".")
    name = f"{_MODULES[module]}.{call}{_GIVEN.get(verdict.name, '')}"
    if not verdict.difference:
        return f":gray-badge[{say('badge.none', name=name, reason=say(f'reason.{verdict.reason}'))}]"
    colour, words = ("green", "badge.agrees") if verdict.agrees else ("red", "badge.differs")
    return f":{colour}-badge[{say(words, name=name, difference=verdict.difference)}]"


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
            on_change=changes(),
        )
        # What stood below comes nearer with the answer, and is asked for in the same moment.
        note(Answer(f"predicted-{question}"))
        if chosen is not None:
            verdict = say("predict.right" if chosen == right else "predict.wrong")
            st.markdown((f"**{verdict}** " if chosen else "") + say(f"predict.{question}.why"))
