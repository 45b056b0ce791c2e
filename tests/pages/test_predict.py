"""Questions come before their figures; they may be answered, rightly or wrongly, or skipped, and nothing is blocked."""

import re
import tomllib
from functools import cache
from urllib.parse import parse_qsl

import numpy as np
import pytest
import torch
from streamlit.testing.v1 import AppTest

from pages.shell.i18n import LANGUAGES, catalogue, say
from tests.pages.test_masks import own_figures
from tests.support.app import PAGES, ROOT, app, computed, decoded, figures, markdown, no_exception
from tests.support.covering import EVERY_TEST

# Screens on which a page asks all that it asks: a race that is brief, and the story, which has questions of its own.
LINKS = {"scaling": {"race_d": 4, "race_seeds": 1, "race_steps": 50}}
LINKS |= {page: {"preset": "story"} for page in ("walkthrough", "dropout")}
LINKS |= {"experiments": {"what_if": "bias"}}
FIXED = {"question", "right", "why"}


@cache
def opened(page: str) -> AppTest:
    return app(page, **LINKS.get(page, {}))


def asked(page: str) -> list[str]:
    return [radio.key.removeprefix("predicted-") for radio in opened(page).radio if radio.key.startswith("predicted-")]


# From the catalogue: to find them on the pages takes seconds, which every process would spend to know its tests.
QUESTIONS = sorted(id.split(".")[1] for id in catalogue("en") if id.startswith("predict.") and id.endswith(".question"))
each_question = pytest.mark.parametrize("question", QUESTIONS)


@cache
def places() -> list[tuple[str, str]]:
    """Each question that is asked, with its page."""
    return [(page, question) for page in PAGES for question in asked(page)]


def page_of(question: str) -> str:
    (page,) = (page for page, asked_there in places() if asked_there == question)
    return page


def answers(question: str) -> dict[str, str]:
    prefix = f"predict.{question}."
    ids = {id.removeprefix(prefix): text for id, text in catalogue("en").items() if id.startswith(prefix)}
    return {answer: text for answer, text in ids.items() if answer not in FIXED}


@cache
def answered(page: str) -> AppTest:
    """A page of its own for those who answer."""
    return app(page, **LINKS.get(page, {}))


def after(question: str, choice: str, before: set[str]) -> str:
    """What a page says more than before once a choice is made."""
    at = answered(page_of(question))
    at.radio(key=f"predicted-{question}").set_value(choice).run()
    assert no_exception(at)
    return "\n".join(markdown.value for markdown in markdown(at) if markdown.value not in before)


@pytest.mark.models
def test_every_question_of_the_catalogue_is_asked_once():
    questions = {id.split(".")[1] for id in catalogue("en") if id.startswith("predict.") and id.count(".") == 2}
    assert sorted(question for _, question in places()) == sorted(questions) == QUESTIONS


# The stops of the lecture that leads through all pages, and where each of its questions is asked to a single reader.
STOPS = {
    1: [("walkthrough", "creature")],
    2: [("walkthrough", "sums")],
    3: [("walkthrough", "forest")],
    4: [("order", "order")],
    5: [("masks", "future")],
    6: [("masks", "empty"), ("masks", "padding"), ("masks", "polarity")],
    7: [("scaling", "factor"), ("scaling", "refuted")],
    8: [("scaling", "top")],
    9: [("scaling", "gradient")],
    10: [("scaling", "race")],
    11: [("heads", "heads")],
    12: [("dropout", "row_sums")],
}


def test_what_the_lecture_asks_the_pages_ask_too():
    lecture = tomllib.loads((ROOT / "pages" / "shell" / "lectures" / "tour.toml").read_text(encoding="utf-8"))
    assert list(STOPS) == list(range(1, len(lecture["stop"]) + 1))
    assert {place for places in STOPS.values() for place in places} <= set(places())


@pytest.mark.parametrize(("page", "question"), [("walkthrough", "creature"), ("walkthrough", "forest")])
@pytest.mark.parametrize("link", [{}, {"preset": "random"}], ids=str)
def test_a_question_about_the_story_is_asked_of_the_story_alone(page, question, link):
    assert question in asked(page)
    other = app(page, **link)
    assert f"predicted-{question}" not in [radio.key for radio in other.radio]
    assert "predicted-sums" in [radio.key for radio in other.radio]


def of_story(query: str, **link: str) -> dict[str, float]:
    """The weights of a query of the story, by key."""
    shown = computed(preset="story", **link)
    row = shown.trace["weights"].value[0, 0, shown.tokens.index(query)]
    return dict(zip(shown.tokens, row.tolist(), strict=True))


@pytest.mark.parametrize("link", [{}, {"mask": "full"}, {"positions": "none"}], ids=str)
def test_the_answer_about_the_creature_is_that_of_the_figures(link):
    weights, shown = of_story("creature", **link), computed(preset="story", **link)
    assert {token for token, weight in weights.items() if abs(weight - 0.5) < 0.02} == {"fluffy", "blue"}
    output = dict(zip(shown.labels["value"], shown.matrix("output")[3].tolist(), strict=True))
    assert output == pytest.approx({"fluffy": 0.5, "blue": 0.5, "verdant": 0}, abs=0.02)


def test_the_answer_about_the_forest_is_that_of_the_figures():
    without, with_them = of_story("forest", positions="none"), of_story("forest")
    assert {f"{without[name]:.2f}" for name in ("fluffy", "blue", "verdant")} == {"0.32"}
    for language in LANGUAGES:
        assert re.findall(r"0\.\d+", say("predict.forest.why", language)) == ["0.32", f"{with_them['verdant']:.2f}"]


def links(text: str) -> list[tuple[str | None, dict[str, str]]]:
    """The links of a text: each with its page and its parameters."""
    found = re.findall(r"\]\(\./(\w*)\??([^)]*)\)", text)
    return [(page or None, dict(parse_qsl(query))) for page, query in found]


def test_the_links_of_the_answer_about_the_forest_lead_to_what_it_says():
    alone, both = links(say("predict.forest.why"))
    assert links(say("predict.forest.why", "zh")) == [(page, link | {"lang": "zh"}) for page, link in (alone, both)]
    without, with_them = (list(of_story("forest", **link).values()) for link in ({"positions": "none"}, {}))
    shown = figures(app(alone[0], **alone[1]))["weights"]
    assert shown.z[-1] == pytest.approx(without, abs=1e-6)
    sides = own_figures(app(both[0], **both[1]))
    drawn = [decoded(sides[f"weights-{side}"])[-1] for side in ("A", "B")]
    np.testing.assert_allclose(np.nan_to_num(drawn), [without, with_them], rtol=0, atol=1e-6)


def test_the_answer_about_half_of_the_weights_is_that_of_dropout():
    """All kept: twice as much; and rows that are really drawn lie between nothing and that."""
    shown = computed(preset="random", dropout=0.5)
    sums = shown.trace["dropped"].value.sum(-1)
    torch.testing.assert_close(
        shown.trace["dropped"].value[shown.trace["kept"].value],
        2 * shown.trace["weights"].value[shown.trace["kept"].value],
    )
    assert 0 <= sums.min() < 0.9
    assert 1.1 < sums.max() <= 2


@each_question
def test_a_question_offers_its_answers_and_a_way_out_and_none_is_chosen(question):
    radio = opened(page_of(question)).radio(key=f"predicted-{question}")
    assert radio.value is None
    assert radio.options == [*answers(question).values(), say("predict.tell")]
    assert say(f"predict.{question}.right") in answers(question)


@pytest.mark.models
@each_question
def test_the_answer_is_judged_and_explained(question):
    right = say(f"predict.{question}.right")
    wrong = next(answer for answer in answers(question) if answer != right)
    why = say(f"predict.{question}.why")
    before = {markdown.value for markdown in markdown(answered(page_of(question)).run())}
    assert after(question, right, before) == f"**{say('predict.right')}** {why}"
    # By turns: what is said of a wrong answer, and of none, comes from the same lines for every question.
    turn = QUESTIONS.index(question) % 2
    if EVERY_TEST or turn:
        assert after(question, wrong, before) == f"**{say('predict.wrong')}** {why}"
    if EVERY_TEST or not turn:
        assert after(question, "", before) == why


def test_an_answer_is_remembered_for_the_visit():
    at = opened("masks")
    radio = at.radio(key="predicted-future")
    radio.set_value("neither").run()
    at.switch_page("../../pages/walkthrough.py").run()
    at.switch_page("../../pages/masks.py").run()
    assert at.radio(key="predicted-future").value == "neither"
