"""Lectures are data: every stop shows its screen, hides its answer, and can be explored and come back to."""

import json
import re

import pytest
from streamlit.testing.v1 import AppTest

from pages.shell.i18n import say
from pages.shell.i18n.markdown import plain
from pages.shell.lectures.format import in_language, lecture, pages
from pages.shell.lectures.player import covers
from pages.shell.state.config import looks
from pages.shell.state.reader import LECTURES
from pages.shell.state.registry import ALL_FIELDS, default
from pages.shell.state.url import written
from tests.support import refused
from tests.support.app import PAGES, app, no_exception
from tests.support.numbers import numbers
from tests.support.screens import payloads
from tests.support.trained import needed

pytestmark = pytest.mark.usefixtures("one_step_a_run")
STOPS = [(name, number) for name in LECTURES for number in range(1, len(lecture(name).stops) + 1)]
each_stop = pytest.mark.parametrize(("name", "number"), STOPS, ids=[f"{name} {number}" for name, number in STOPS])
_open: dict[tuple[str, int], AppTest] = {}


def at_stop(name: str, number: int) -> AppTest:
    """A stop as it opens, once for all tests that only look."""
    stop = lecture(name).stops[number - 1]
    if stop.page == "models":
        needed(stop.screen["model"])
    if (name, number) not in _open:
        at = app(None, lecture=name, stop=number)
        assert no_exception(at)
        _open[name, number] = at
    return _open[name, number]


def taken(name: str, number: int) -> AppTest:
    """The same for a test that goes on from there: no other finds it again."""
    return _open.pop((name, number), None) or app(None, lecture=name, stop=number)


@each_stop
def test_a_stop_shows_its_page_and_its_screen(name, number):
    at, stop = at_stop(name, number), lecture(name).stops[number - 1]
    assert at.title[0].value == say(f"page.{stop.page}.title")
    for control in ALL_FIELDS:
        if control not in ("lang", "lecture", "stop", "present", "room"):
            assert at.session_state[control] == stop.screen.get(control, default(control)), control


def test_the_speaker_opens_what_to_look_at_and_the_answer_and_who_reads_alone_is_not_told():
    name, number = "tour", 1
    stop = lecture(name).stops[number - 1]
    parts = [plain(in_language(part, "en")) for part in (stop.look, stop.notes, stop.answer)]
    assert all(parts)
    at = app(None, lecture=name, stop=number)
    assert not any(part in markdown.value for part in parts for markdown in at.markdown)
    at.session_state["lecture-notes"] = True
    at.run()
    assert set(parts) <= {markdown.value for markdown in at.markdown}


@each_stop
def test_a_stop_points_at_a_figure_that_is_there(name, number):
    stop = lecture(name).stops[number - 1]
    assert stop.figure or stop.at
    if stop.figure:
        assert stop.figure in {card["id"] for sent in payloads(at_stop(name, number)) for card in sent.get("cards", ())}


# Their figure is there to be read before one answers, or does not show the answer.
READ_FIRST = {
    ("steps", 8),
    ("exercises", 2),
    ("exercises", 4),
    ("backward", 1),
    ("today", 3),
    ("today", 9),
    ("today", 14),
}


@each_stop
def test_what_answers_a_question_is_covered(name, number):
    stop = lecture(name).stops[number - 1]
    assert stop.cover != ((name, number) in READ_FIRST)
    assert not stop.cover or covers(stop) or stop.at
    # And of several choices, one is meant.
    assert bool(stop.right) == bool(stop.choices)


@each_stop
def test_before_the_answer_no_name_of_a_part_says_it(name, number):
    """Sentences and tables are hidden by style (browser/test_wall.py); what stays are headings, names and notices."""
    at, stop = at_stop(name, number), lecture(name).stops[number - 1]
    asked = numbers(" ".join(in_language(text, "en") for text in (stop.question, *stop.choices)))
    # Small whole numbers stand everywhere.
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


def test_exploring_a_stop_and_coming_back_restores_it():
    name, number = STOPS[0]
    at = app(None, lecture=name, stop=number)
    stop = lecture(name).stops[number - 1]
    before = {control: at.session_state[control] for control in ALL_FIELDS}
    at.session_state["lab_seed"] = 41
    at.session_state["mask"] = "window"
    at.run()
    at.button(key="lecture-restore").click().run()
    assert {control: at.session_state[control] for control in ALL_FIELDS} == before
    assert at.title[0].value == say(f"page.{stop.page}.title")


def test_a_link_from_the_middle_of_exploring_keeps_its_own_screen():
    at = app("scaling", lecture="sqrt_d_k", stop=1, lab_seed=41)
    assert at.session_state["lab_seed"] == 41
    assert at.session_state["stop"] == 1


@pytest.mark.parametrize("name", LECTURES)
def test_the_buttons_lead_from_the_first_stop_to_the_last_and_back(name):
    at, last = app(None, lecture=name), len(lecture(name).stops)
    assert at.button(key="lecture-previous").disabled
    for number in range(2, last + 1):
        at.button(key="lecture-next").click().run()
        assert at.session_state["stop"] == number
        assert no_exception(at)
    assert at.button(key="lecture-next").disabled
    at.button(key="lecture-previous").click().run()
    assert at.session_state["stop"] == last - 1
    at.button(key="lecture-end").click().run()
    assert "lecture-next" not in [button.key for button in at.button]


def test_a_stop_beyond_the_end_is_the_last_one():
    name = LECTURES[0]
    last = len(lecture(name).stops)
    at = app(None, lecture=name, stop=99)
    assert no_exception(at)
    assert at.button(key="lecture-next").disabled
    assert at.session_state["stop"] == last


def test_written_values_of_a_screen_open_by_link():
    for name in LECTURES:
        for stop in lecture(name).stops:
            for control, value in stop.screen.items():
                assert ALL_FIELDS[control].nearest(written(value), default(control)) == value


def test_a_stop_turns_its_knob_through_its_values_and_begins_again():
    number, (control, values) = next(
        (number, stop.turn) for number, stop in enumerate(lecture("sqrt_d_k").stops, 1) if stop.turn
    )
    at = app(None, lecture="sqrt_d_k", stop=number)
    for value in (*values, values[0]):
        assert at.button(key="lecture-turn").label.endswith(str(value))
        at.button(key="lecture-turn").click().run()
        assert at.session_state[control] == value


def test_who_reads_alone_is_told_whether_a_choice_is_right():
    stop, key = lecture("masks").stops[1], "lecture-choice-masks-2"
    at = app(None, lecture="masks", stop=2)
    wrong = next(letter for letter in "ab" if letter != stop.right)
    at.pills(key=key).set_value(wrong).run()
    assert at.warning[0].value.startswith(f"**{say('predict.wrong')}** **({stop.right})**")
    at.pills(key=key).set_value(stop.right).run()
    assert at.success[0].value.startswith(f"**{say('predict.right')}** **({stop.right})**")
    # The choices stand in the question for whom a room answers, and on the wall.
    assert not any(one.key == key for one in app(None, lecture="masks", stop=2, present=True).pills)


def test_without_a_room_nothing_is_sent_to_be_counted():
    def asked(**reader):
        at = app(None, lecture="masks", stop=2, **reader)
        mounts = [json.loads(mount.proto.json) for mount in at.get("bidi_component")]
        return [mount["votes"] for mount in mounts if "votes" in mount]

    choices = [in_language(choice, "en") for choice in lecture("masks").stops[1].choices]
    assert asked() == []
    (one,) = asked(room="hall 7")
    assert (one["room"], one["stop"], one["choices"], one["counts"]) == ("hall 7", "masks-2", choices, False)
    (wall,) = asked(room="hall 7", present=True)
    assert wall["counts"]
