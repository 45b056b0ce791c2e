"""Questions come before their figures; they may be answered, rightly or wrongly, or skipped, and nothing is blocked."""

from functools import cache

import pytest
from streamlit.testing.v1 import AppTest

from pages.shell.text import catalogue, say
from tests.app_support import PAGES, app, no_exception

BRIEF = {"scaling": {"race_d": 4, "race_seeds": 1, "race_steps": 50}}
FIXED = {"question", "right", "why"}


@cache
def opened(page: str) -> AppTest:
    return app(page, **BRIEF.get(page, {}))


def asked(page: str) -> list[str]:
    return [radio.key.removeprefix("predicted-") for radio in opened(page).radio if radio.key.startswith("predicted-")]


QUESTIONS = [(page, question) for page in PAGES for question in asked(page)]
each_question = pytest.mark.parametrize(("page", "question"), QUESTIONS, ids=[question for _, question in QUESTIONS])


def answers(question: str) -> dict[str, str]:
    prefix = f"predict.{question}."
    ids = {id.removeprefix(prefix): text for id, text in catalogue("en").items() if id.startswith(prefix)}
    return {answer: text for answer, text in ids.items() if answer not in FIXED}


def after(page: str, question: str, choice: str) -> str:
    """What the page says more than before once a choice is made."""
    at = app(page, **BRIEF.get(page, {}))
    before = {markdown.value for markdown in at.markdown}
    at.radio(key=f"predicted-{question}").set_value(choice).run()
    assert no_exception(at)
    return "\n".join(markdown.value for markdown in at.markdown if markdown.value not in before)


def test_every_question_of_the_catalogue_is_asked_once():
    questions = {id.split(".")[1] for id in catalogue("en") if id.startswith("predict.") and id.count(".") == 2}
    assert sorted(question for _, question in QUESTIONS) == sorted(questions)


@each_question
def test_a_question_offers_its_answers_and_a_way_out_and_none_is_chosen(page, question):
    radio = opened(page).radio(key=f"predicted-{question}")
    assert radio.value is None
    assert radio.options == [*answers(question).values(), say("predict.show")]
    assert say(f"predict.{question}.right") in answers(question)


@each_question
def test_the_answer_is_judged_and_explained(page, question):
    right = say(f"predict.{question}.right")
    wrong = next(answer for answer in answers(question) if answer != right)
    why = say(f"predict.{question}.why")
    assert after(page, question, right) == f"**{say('predict.right')}** {why}"
    assert after(page, question, wrong) == f"**{say('predict.wrong')}** {why}"
    assert after(page, question, "") == why


def test_an_answer_is_remembered_for_the_visit():
    at = opened("masks")
    radio = at.radio(key="predicted-future")
    radio.set_value("neither").run()
    at.switch_page("../../pages/walkthrough.py").run()
    at.switch_page("../../pages/masks.py").run()
    assert at.radio(key="predicted-future").value == "neither"
