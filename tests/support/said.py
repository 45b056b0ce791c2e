"""The texts of a page, and the English words among them."""

import re
from collections.abc import Iterator
from typing import Any

from streamlit.testing.v1 import AppTest

from attention.published_layers import PUBLISHED_LAYERS
from pages.shell.i18n import catalogue
from pages.shell.state.fields import Choice
from pages.shell.state.registry import ALL_FIELDS
from tests.support.app import listings, markdown, payloads

WIDGETS = ("button_group", "slider", "select_slider", "toggle", "number_input", "text_area", "text_input", "radio")
# The keys of a figure's data that hold texts.
TOLD = {"axes", "chapters", "ui", "title", "text", "note", "tag", "name", "marks", "labels"}


def sent(at: AppTest) -> list[dict[str, Any]]:
    return payloads(at)


def texts(at: AppTest) -> set[str]:
    """Every text of a page: beside figures, on controls, in figures."""
    kinds = ("title", "header", "subheader", "markdown", "caption", "info", "warning", "success", "error")
    beside = [block.value for kind in kinds for block in at.get(kind)]
    controls = [text for kind in WIDGETS for one in at.get(kind) for text in (one.label, one.proto.help)]
    answers = [option for radio in at.radio for option in radio.options]
    buttons = [button.label for button in at.button]
    comments = [comment for code in listings(at) for comment in re.findall("#(.*)", code)]
    return {
        *beside,
        *(text.value for text in markdown(at)),
        *controls,
        *answers,
        *buttons,
        *comments,
        *(text for payload in sent(at) for text in strings(payload) if "code" not in payload),
    }


def strings(value: Any, told: bool = False) -> Iterator[str]:
    """The texts in a payload, without numbers, formulas, ids and styles."""
    if isinstance(value, dict):
        for name, item in value.items():
            yield from strings(item, told or name in TOLD)
    elif isinstance(value, list):
        for item in value:
            yield from strings(item, told)
    elif told and isinstance(value, str) and not value.startswith("<math"):
        yield value


def latin(text: str) -> set[str]:
    """The words of a text in Latin letters, without code, formulas, addresses and names such as d_model."""
    return set(
        re.findall(r"(?<![\w.])[A-Za-z]{3,}(?![\w.]*[_.]\w)", re.sub(r"`[^`]*`|\$[^$]*\$|\]\([^)]*\)", " ", text))
    )


def english(at: AppTest, language: str, tokens: str) -> set[str]:
    """The words of the English catalogue on a page in another language, except words that this language has as well,
    ids of controls, names and sources of models, and tokens of visitors."""
    known = {word for text in catalogue(language).values() for word in latin(text)}
    ids = {
        word for knob in ALL_FIELDS.values() if isinstance(knob, Choice) for id in knob.options for word in latin(id)
    }
    words = {word for text in catalogue("en").values() for word in latin(text)}
    names = {word for one in PUBLISHED_LAYERS for word in latin(f"{one.name} {one.source}")}
    said = {word for text in texts(at) for word in latin(text)}
    return said & words - known - ids - names - latin(tokens)
