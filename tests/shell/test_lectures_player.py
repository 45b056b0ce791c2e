"""A visitor of a lecture goes from stop to stop, answers, turns a knob, explores a screen and comes back to it."""

import pytest

from pages.shell.i18n import say
from pages.shell.i18n.markdown import plain
from pages.shell.lectures.format import in_language, lecture
from pages.shell.state.reader import LECTURES
from pages.shell.state.registry import default
from pages.shell.state.url import written
from tests.support.app import app, give, held, markdown, no_exception, payloads
from tests.support.covering import EVERY_TEST, some

pytestmark = pytest.mark.usefixtures("one_step_a_run")


def test_the_speaker_opens_what_to_look_at_and_the_answer_and_who_reads_alone_is_not_told():
    name, number = "tour", 1
    stop = lecture(name).stops[number - 1]
    parts = [plain(in_language(part, "en")) for part in (stop.look, stop.notes, stop.answer)]
    assert all(parts)
    at = app(None, lecture=name, stop=number)
    assert not any(part in text.value for part in parts for text in markdown(at))
    at.session_state["lecture-notes"] = True
    at.run()
    assert set(parts) <= {text.value for text in markdown(at)}


def test_exploring_a_stop_and_coming_back_restores_it():
    name, number = LECTURES[0], 1
    at = app(None, lecture=name, stop=number)
    stop = lecture(name).stops[number - 1]
    before = held(at)
    give(at, lab_seed=41, mask="window")
    at.button(key="lecture-restore").click().run()
    assert held(at) == before
    assert at.title[0].value == say(f"page.{stop.page}.title")


def test_a_link_from_the_middle_of_exploring_keeps_its_own_screen():
    at = app("scaling", lecture="sqrt_d_k", stop=1, lab_seed=41)
    assert held(at) == {"lecture": "sqrt_d_k", "lab_seed": "41"}


@pytest.mark.parametrize("name", LECTURES if EVERY_TEST else some(LECTURES, 3))
def test_the_buttons_lead_from_the_first_stop_to_the_last_and_back(name):
    at, last = app(None, lecture=name), len(lecture(name).stops)
    assert at.button(key="lecture-previous").disabled
    for number in range(2, last + 1):
        at.button(key="lecture-next").click().run()
        assert held(at)["stop"] == str(number)
        assert no_exception(at)
    assert at.button(key="lecture-next").disabled
    at.button(key="lecture-previous").click().run()
    assert held(at)["stop"] == str(last - 1)
    at.button(key="lecture-end").click().run()
    assert "lecture-next" not in [button.key for button in at.button]


def test_a_stop_beyond_the_end_is_the_last_one():
    name = LECTURES[0]
    last = len(lecture(name).stops)
    at = app(None, lecture=name, stop=99)
    assert no_exception(at)
    assert at.button(key="lecture-next").disabled
    assert held(at)["stop"] == str(last)


def test_a_stop_turns_its_knob_through_its_values_and_begins_again():
    number, (control, values) = next(
        (number, stop.turn) for number, stop in enumerate(lecture("sqrt_d_k").stops, 1) if stop.turn
    )
    at = app(None, lecture="sqrt_d_k", stop=number)
    for value in (*values, values[0]):
        assert at.button(key="lecture-turn").label.endswith(str(value))
        at.button(key="lecture-turn").click().run()
        assert held(at).get(control, written(default(control))) == written(value)


def test_who_reads_alone_is_told_whether_a_choice_is_right():
    stop, key = lecture("masks").stops[1], "lecture-choice-masks-2"
    at = app(None, lecture="masks", stop=2)
    wrong = next(letter for letter in "ab" if letter != stop.right)
    at.pills(key=key).set_value(wrong).run()
    assert at.warning[0].value.startswith(f"**{say('predict.wrong')}** **({stop.right})**")
    at.pills(key=key).set_value(stop.right).run()
    assert at.success[0].value.startswith(f"**{say('predict.right')}** **({stop.right})**")
    # For a room that answers, and on the wall, the choices stand in the question.
    assert not any(one.key == key for one in app(None, lecture="masks", stop=2, present=True).pills)


def test_without_a_room_nothing_is_sent_to_be_counted():
    def asked(page=None, **reader):
        return [mount for mount in payloads(app(page, lecture="masks", stop=2, **reader)) if "room" in mount]

    choices = [in_language(choice, "en") for choice in lecture("masks").stops[1].choices]
    for nothing in ({}, {"room": " "}):
        assert asked(**nothing) == []
    (one,) = asked(room="Hall 7 ")
    assert one["choices"] == choices
    assert one["room"] == {
        "room": "hall 7", "lecture": "masks", "stop": 2, "revealed": False, "elsewhere": False, "language": "en"
    }  # fmt: skip
    assert not one["isLast"]
    # This visitor has gone to a screen beside the lecture.
    (other,) = asked("order", room="hall 7", seed=7)
    assert other["room"]["elsewhere"]
