"""Lectures are data: every stop shows its screen, points at its figure, and hides its answer."""

import re

import pytest
from streamlit.testing.v1 import AppTest

from pages.shell.i18n import say
from pages.shell.i18n.markdown import plain
from pages.shell.lectures.format import in_language, lecture, pages
from pages.shell.lectures.player import covers
from pages.shell.state.config import looks
from pages.shell.state.reader import LECTURES, Reader
from pages.shell.state.registry import ALL_FIELDS, default
from pages.shell.state.url import written
from tests.support import refused
from tests.support.app import PAGES, app, held, markdown, no_exception
from tests.support.covering import EVERY_TEST
from tests.support.numbers import numbers
from tests.support.screens import payloads

pytestmark = pytest.mark.usefixtures("one_step_a_run")
STOPS = [(name, number) for name in LECTURES for number in range(1, len(lecture(name).stops) + 1)]
each_stop = pytest.mark.parametrize(("name", "number"), STOPS, ids=[f"{name} {number}" for name, number in STOPS])
_open: dict[tuple[str, int], AppTest] = {}


def at_stop(name: str, number: int) -> AppTest:
    """A stop as it opens, shared by all tests that only look; stops on real models use the models or their records."""
    if (name, number) not in _open:
        at = app(None, lecture=name, stop=number)
        assert no_exception(at)
        _open[name, number] = at
    return _open[name, number]


def taken(name: str, number: int) -> AppTest:
    """A stop for a test that changes it, and so comes last: the stop is no longer shared."""
    return _open.pop((name, number), None) or app(None, lecture=name, stop=number)


@each_stop
def test_a_stop_shows_its_page_and_its_screen(name, number):
    at, stop = at_stop(name, number), lecture(name).stops[number - 1]
    assert at.title[0].value == say(f"page.{stop.page}.title")
    wanted = {control: written(value) for control, value in stop.screen.items() if value != default(control)}
    assert {control: text for control, text in held(at).items() if control not in Reader.knobs()} == wanted | (
        {"cell": stop.cell} if stop.cell else {}
    )


@each_stop
def test_a_stop_points_at_a_figure_that_is_there(name, number):
    stop = lecture(name).stops[number - 1]
    assert stop.figure or stop.at
    if stop.figure:
        assert stop.figure in {card["id"] for sent in payloads(at_stop(name, number)) for card in sent.get("cards", ())}


# Stops whose figure is to be read before answering, or does not show the answer.
READ_FIRST = {
    ("tour", 4),
    ("steps", 1),
    ("steps", 2),
    ("steps", 7),
    ("steps", 8),
    ("exercises", 2),
    ("exercises", 4),
    ("backward", 1),
    ("today", 9),
    ("today", 14),
}


@each_stop
def test_what_answers_a_question_is_covered(name, number):
    stop = lecture(name).stops[number - 1]
    assert stop.cover != ((name, number) in READ_FIRST)
    assert not stop.cover or covers(stop) or stop.at
    # A stop with choices has a right one.
    assert bool(stop.right) == bool(stop.choices)


@each_stop
def test_before_the_answer_no_name_of_a_part_says_it(name, number):
    """Sentences and tables are hidden by CSS (browser/test_wall.py), but headings, names and notices stay."""
    at, stop = at_stop(name, number), lecture(name).stops[number - 1]
    asked = numbers(" ".join(in_language(text, "en") for text in (stop.question, *stop.choices)))
    # Small whole numbers occur everywhere, so they do not count.
    wanted = {one for one in numbers(in_language(stop.answer, "en")) if one % 1 or one > 12} - set(asked)
    kinds = ("title", "header", "subheader", "info", "warning", "error", "expander", "button", "metric")
    told = [text for kind in kinds for part in at.get(kind) for text in (part_text(part),)]
    assert told
    for text in told:
        assert not wanted & set(numbers(text)), text


def part_text(part) -> str:
    return str(getattr(part, "label", None) or getattr(part, "value", None) or "")


@each_stop
def test_a_stop_does_not_depend_on_the_screen_that_the_app_opens_on(name, number):
    stop = lecture(name).stops[number - 1]
    screens = [(stop.page, stop.screen)]
    screens += [(claim.get("page", stop.page), claim["screen"]) for claim in stop.claims if "screen" in claim]
    assert all({"preset", "mask"} <= set(screen) for page, screen in screens if looks(page))


@pytest.mark.parametrize("name", LECTURES)
@pytest.mark.parametrize("language", ["en", "zh"])
def test_a_shipped_lecture_speaks_every_language(name, language):
    on = lecture(name)
    texts = [on.title, *(t for stop in on.stops for t in (stop.question, stop.answer, stop.look, *stop.choices))]
    assert all(isinstance(text, str) or text.get(language) for text in texts)


def test_the_pages_of_a_stop_are_the_pages():
    assert list(pages()) == PAGES


def test_an_unknown_lecture_is_an_error():
    with refused(f"unknown lecture 'x'; one of {', '.join(LECTURES)}"):
        lecture("x")


@pytest.mark.parametrize("text", ["a *b* _c_ `d` $e$ [f](g) <h> # 1. ~i~ :red[j] |k| \\l &amp; !m", "猫 坐"])
def test_what_a_lecture_says_is_text(text):
    at = AppTest.from_function(_written, kwargs={"text": plain(text)}).run()
    escaped = re.sub(r"\\(.)", r"\1", at.markdown[0].value)
    assert escaped == text
    assert not re.search(r"(?<!\\)[*_`$\[\]<>|~]", at.markdown[0].value)


def _written(text: str) -> None:
    import streamlit as st

    st.markdown(text)


def test_written_values_of_a_screen_open_by_link():
    for name in LECTURES:
        for stop in lecture(name).stops:
            for control, value in stop.screen.items():
                assert ALL_FIELDS[control].nearest(written(value), default(control)) == value


# The buttons are the same at every stop, and tests/shell/test_handout.py reads every question and answer.
@pytest.mark.parametrize(("name", "number"), [stop for stop in STOPS if EVERY_TEST or stop[1] in (1, 3)])
def test_a_stop_asks_and_hides_its_answer_until_it_is_wanted(name, number):
    at, stop = taken(name, number), lecture(name).stops[number - 1]
    texts = "\n".join(markdown.value for markdown in markdown(at))
    assert plain(in_language(stop.question, "en")) in texts
    # A visitor who reads alone gets the choices as buttons.
    offered = at.pills(key=f"lecture-choice-{name}-{number}").options if stop.choices else []
    assert [option.partition(") ")[2] for option in offered] == [
        plain(in_language(choice, "en")) for choice in stop.choices
    ]
    assert not at.success
    at.button(key="lecture-reveal").click().run()
    assert plain(in_language(stop.answer, "en")) in at.success[0].value
    assert at.success[0].value.startswith(
        f"**({stop.right})**" if stop.choices else plain(in_language(stop.answer, "en"))
    )
    # The button that hides the answer again is the same at every stop.
    if EVERY_TEST or number == 1:
        at.button(key="lecture-reveal").click().run()
        assert not at.success
