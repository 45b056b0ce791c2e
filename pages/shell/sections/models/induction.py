"""Induction: on a text with a repetition, the head that attends to what followed last time, and the text without it."""

from dataclasses import replace
from functools import partial

import streamlit as st

from pages.shell.i18n import say
from pages.shell.i18n.markdown import code
from pages.shell.layout.rows import answers, row
from pages.shell.runs.sources import Source
from pages.shell.runs.trained.outputs import outputs
from pages.shell.runs.trained.recorded import Outputs
from pages.shell.runs.trained.request import Request, sizes_of
from pages.shell.sections.models.common import before, measured, name, open_head, request, two
from pages.shell.sections.models.start import open_example

_plain = Source(lambda: request().plain())


@row
def section() -> None:
    found = before.read()
    if found is None:
        return
    st.subheader(say("models.induction.title"), anchor=False)
    st.markdown(say("models.induction.text"))
    told = measured(found)
    at = told.strongest("induction")
    if at is None:
        st.markdown(say("models.induction.none"))
        st.button(say("models.induction.try"), key="induction-try", on_click=partial(open_example, "repeated"))
        return
    layer, head = at
    number = two(float(told.numbers["induction"][at]))
    st.markdown(say("models.induction.head", head=name(layer, head), code=f"L{layer}H{head}", number=number))
    _followed(found, _plain.read(), layer, head)
    st.button(
        say("models.induction.open", head=name(layer, head)),
        key="induction-open",
        on_click=answers(partial(open_head, layer + 1, head + 1)),
    )


def _followed(found: Outputs, plain: Request, layer: int, head: int) -> None:
    """Of a decoder whose last token has been there before: what followed it, its weight and its probability."""
    last = len(found.tokens) - 1
    earlier = [place for place in range(last) if found.tokens[place] == found.tokens[last]]
    if not sizes_of(plain.model).causal or not earlier:
        return
    key = earlier[-1] + 1
    without = outputs(replace(plain, off=((layer, head),)))
    if without is None:
        return
    st.markdown(
        say(
            "models.induction.followed",
            last=code(found.tokens[last]),
            token=code(found.tokens[key]),
            weight=two(float(found.weights[layer, head, last, key])),
            head=name(layer, head),
            before=two(float(found.output[found.ids[key]])),
            after=two(float(without.output[found.ids[key]])),
        )
    )
