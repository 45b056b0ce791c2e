"""Which words a number of the output comes from: five methods compared."""

import streamlit as st
import torch
from torch import Tensor

from attention.analysis.attribution import METHODS, attribute
from attention.analysis.backward import Backward
from attention.figures import LIMIT
from attention.inputs.grammar import QUESTIONS, read
from attention.inputs.tokens import PAD
from pages.shell.i18n import listed, say
from pages.shell.i18n.markdown import code
from pages.shell.i18n.numbers import digits
from pages.shell.layout import attribution, page
from pages.shell.layout.rows import row
from pages.shell.runs import backward, learned
from pages.shell.runs.run import Run
from pages.shell.views.steps import focus_of


@row
def section(run: Run, made: Backward) -> None:
    st.subheader(say("backward.attribution.title"), anchor=False)
    st.markdown(say("backward.attribution.lead"))
    query, feature = _place(run, made)
    direction = torch.zeros(run.trace["projected"].value.shape[-1])
    direction[feature] = 1
    found = attribute(run.trace, run.module, query, direction, batch=run.sentence, steps=attribution.STEPS)
    what = say(
        "backward.attribution.said",
        word=run.labels["query"][query],
        feature=feature + 1,
        number=digits(found.number, 4),
    )
    attribution.figures(run, found, what, "backward-attribution")
    _answers(run)


def _place(run: Run, made: Backward) -> tuple[int, int]:
    """The row and the column of the output that is asked about: those of the target, if it is one."""
    if made.target.id == backward.OUTPUT and hasattr(made.target, "column"):
        return made.target.row, made.target.column  # type: ignore[attr-defined]
    query = focus_of(run)
    return query, int(run.matrix(backward.OUTPUT)[query, :LIMIT].abs().argmax())


def _answers(run: Run) -> None:
    """What each method says of the logits of the right answers, where the preset knows the right words."""
    setting = learned.used(run.config)
    if setting is None:
        return
    words = [token for token in run.tokens if token != PAD]
    earlier = len(run.tokens) - run.trace.sizes["query"]
    answers = backward.right_answers(run)[run.sentence]
    read_out = learned.layer(setting).read_out
    per_question = read_out.shape[-1] // len(QUESTIONS)
    rows, right, asked = [], torch.zeros(len(METHODS)), 0
    for one in read(words).asked:
        place = one.place - earlier
        if place < 0 or answers[place, one.question] < 0 or one.question > 2:
            continue
        logit = read_out[:, one.question * per_question + int(answers[place, one.question])]
        found = attribute(run.trace, run.module, place, logit, batch=run.sentence, steps=attribution.STEPS)
        largest = [int(values.argmax()) if values.any() else None for values in found.values]
        hits = torch.tensor([key == one.target for key in largest])
        right, asked = right + hits, asked + 1
        shown = [
            "–" if key is None else f"{code(run.labels['key'][key])} {'✓' if hit else '✗'}"
            for key, hit in zip(largest, hits, strict=True)
        ]
        rows.append((say(f"learned.question.{QUESTIONS[one.question]}"), code(words[one.target]), *shown))
    if rows:
        names = attribution.names()
        st.markdown(_score(right, asked, names))
        page.table(say("learned.column.asks"), say("learned.column.right"), *names, rows=rows)


def _score(right: Tensor, asked: int, names: list[str]) -> str:
    parts = (f"{name} {int(hits)}" for name, hits in zip(names, right, strict=True))
    return say("backward.attribution.score", asked=asked, parts=listed("comma", parts))
