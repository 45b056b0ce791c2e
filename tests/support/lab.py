"""The page on scaling opened without waiting for its race, and its sentences and numbers."""

import re
from functools import cache

from streamlit.testing.v1 import AppTest

from pages.shell.i18n import say
from tests.support.app import app, no_exception

RAW, SCALED = say("lab.scale.none"), say("lab.scale.sqrt_d_k")

# Races that are over at once, so that the other sections are not waited for.
BRIEF = {"race_d": 4, "race_seeds": 1, "race_steps": 50}


@cache
def opened(**link) -> AppTest:
    at = app("scaling", **BRIEF | link)
    assert no_exception(at)
    return at


def said(at: AppTest) -> str:
    return "\n".join(markdown.value for markdown in at.markdown)


def numbers(text: str) -> list[float]:
    return [float(found.replace("−", "-")) for found in re.findall(r"[-−]?\d+(?:\.\d+)?", text)]
