"""Induction: on a text with a repetition, the head that attends to what followed last time, and the text without it."""

from dataclasses import replace

import streamlit as st

from pages.shell.i18n import say
from pages.shell.i18n.markdown import code
from pages.shell.layout.rows import changes, row
from pages.shell.runs import trained
from pages.shell.runs.trained import Asked, Seen
from pages.shell.sections.models.common import asked, before, is_ready, measured, name, open_head, two
from pages.shell.state.pending import set_controls


def section() -> None:
    if is_ready():
        _induction()


@row
def _induction() -> None:
    found, wanted = before.read(), asked.read().plain()
    if found is None:
        return
    st.subheader(say("models.induction.title"), anchor=False)
    st.markdown(say("models.induction.text"))
    told = measured(found)
    at = told.strongest("induction")
    if at is None:
        st.markdown(say("models.induction.none"))
        st.button(say("models.induction.try"), key="induction-try", on_click=changes(_repeat))
        return
    layer, head = at
    number = two(float(told.numbers["induction"][at]))
    st.markdown(say("models.induction.head", head=name(layer, head), code=f"L{layer}H{head}", number=number))
    _followed(found, wanted, layer, head)
    st.button(
        say("models.induction.open", head=name(layer, head)),
        key="induction-open",
        on_click=changes(_open),
        args=(layer, head),
    )


def _followed(found: Seen, wanted: Asked, layer: int, head: int) -> None:
    """Of a decoder whose last token has been there before: what followed it, its weight and its probability."""
    model = trained.loaded(wanted.model)
    last = len(found.tokens) - 1
    earlier = [place for place in range(last) if found.tokens[place] == found.tokens[last]]
    if model is None or not model.sizes.causal or not earlier:
        return
    key = earlier[-1] + 1
    without = trained.seen(replace(wanted, off=((layer, head),)))
    if without is None:
        return
    id = model.ids(trained.fitting(model, wanted.text))[key]
    st.markdown(
        say(
            "models.induction.followed",
            last=code(found.tokens[last]),
            token=code(found.tokens[key]),
            weight=two(float(found.weights[layer, head, last, key])),
            head=name(layer, head),
            before=two(float(found.output[id])),
            after=two(float(without.output[id])),
        )
    )


def _repeat() -> None:
    set_controls({"model_text": trained.REPEATED})


def _open(layer: int, head: int) -> None:
    open_head(layer + 1, head + 1)
