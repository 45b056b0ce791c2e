"""The page on scaling opened without waiting for its race, and its sentences and numbers."""

import re
from functools import cache

from streamlit.testing.v1 import AppTest

from pages.shell.i18n import say
from pages.shell.runs.results import MOST, results
from pages.shell.state.url import written
from tests.support.app import FRAME, markdown, no_exception

RAW, SCALED = say("lab.scale.none"), say("lab.scale.sqrt_d_k")

# Tests keep pages and ask for their views later, so no result may be forgotten in between.
MOST["tables"] = results("tables").most = 1000
# A race that is over at once, so that tests of other sections do not wait for it.
BRIEF = {"race_d": 4, "race_seeds": 1, "race_steps": 50}


HEADINGS = ("variance", "saturation", "gradients", "starts", "race", "mistakes")


@cache
def opened(**link) -> AppTest:
    return everything(**BRIEF | link)


@cache
def opened_at(*headings: str, **link) -> AppTest:
    """The page with only these headings open, for tests of few: each computes for half a second or more."""
    return everything(headings, **BRIEF | link)


def everything(headings: tuple[str, ...] = HEADINGS, **link) -> AppTest:
    """The page with these of its headings open, all by default."""
    at = AppTest.from_file(str(FRAME), default_timeout=60)
    for name in headings:
        at.session_state[f"open-{name}"] = True
    for name, value in link.items():
        at.query_params[name] = written(value)
    at.switch_page("../../pages/scaling.py").run()
    assert no_exception(at)
    return at


def said(at: AppTest) -> str:
    return "\n".join(markdown.value for markdown in markdown(at))


def numbers(text: str) -> list[float]:
    return [float(found.replace("−", "-")) for found in re.findall(r"[-−]?\d+(?:\.\d+)?", text)]
