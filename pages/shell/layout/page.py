"""The functions that a page is made of: title, ledger, tables, questions."""

from pathlib import Path

import streamlit as st
from streamlit.delta_generator import DeltaGenerator

from pages.shell.i18n import say, spoken
from pages.shell.layout import training
from pages.shell.layout.live import show
from pages.shell.layout.part import dependent, depends_on
from pages.shell.screen import Screen
from pages.shell.state.config import Config
from pages.shell.state.reader import Reader
from pages.shell.state.settings import texts
from pages.shell.views import guess
from pages.shell.views.asked import is_asked, is_moot
from pages.shell.views.questions import QUESTIONS

_COVERS = Path(__file__).parent / "quiz.css"


def title(page: str) -> None:
    with st.container(key=f"title-{page}"):
        st.title(say(f"page.{page}.title"), anchor=False)
        st.markdown(say(f"page.{page}.lead"))


def halves() -> list[DeltaGenerator]:
    """Two places side by side; on a phone one below the other."""
    with st.container(key="halves"):
        return st.columns([4, 5], gap="medium")


def transport() -> list[DeltaGenerator]:
    """Places for the buttons of a play and for its slider, in one line."""
    with st.container(key="transport"):
        return st.columns([2, 5], gap="medium", vertical_alignment="bottom")


def training_offer(page: str) -> None:
    """Offer to train the setting of the screen, unless it was shipped."""
    training.beside_note(page)


def predict(question: str, *, below: bool = False, at: DeltaGenerator | None = None) -> DeltaGenerator:
    """A question in one line, remembered for the visit; returns the place for its answer (views/guess.py). below: put
    the question after that place, so that a picture follows its slider; at: the place of the question, if it stands
    beside the sliders.

    With the reader's `quiz` the figures are covered until the question is answered or skipped (quiz.css), unless a link
    or a click opens a cell in them.
    """
    if not Reader.current().quiz:
        answers = st.container(key=f"answers-{question}") if below else None
        with (at or st).container(key=f"predict-{question}"):
            show(guess.of(question))
        return answers or st.container(key=f"answers-{question}")
    _covering(question)
    return st.container(key=f"covered-{question}").container(key=f"answers-{question}")


@dependent
def _covering(question: str) -> None:
    def is_here() -> bool:
        config, asked = Config.current(), QUESTIONS[question]
        if asked.of not in ("", config.preset) or not is_asked(question, config):
            return False
        return not is_moot(question, Screen(asked.page, dict(texts()), spoken()))

    depends_on(is_here)
    if not is_here():
        return
    # Sent only in a quiz, because these rules make the browser check all containers for every new element.
    st.html(_COVERS)
    with st.container(border=True, key=f"quiz-{question}"):
        right = say(f"predict.{question}.right")

        def shown(answer: str) -> str:
            return say(f"predict.{question}.{answer}" if answer else "predict.show")

        chosen = st.radio(
            say(f"predict.{question}.question"),
            # The options are ids, which outlive a change of the language.
            (*QUESTIONS[question].answers, ""),
            index=None,
            horizontal=True,
            format_func=shown,
            key=f"predicted-{question}",
            persist_state="session",
        )
        if chosen is not None:
            verdict = say("predict.right" if chosen == right else "predict.wrong")
            st.markdown((f"**{verdict}** " if chosen else "") + say(f"predict.{question}.why"))
