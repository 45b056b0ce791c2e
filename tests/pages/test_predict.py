"""Questions come before their figures. A visitor may answer, rightly or wrongly, or skip; nothing is blocked."""

import base64
import re
import tomllib
from functools import cache
from urllib.parse import parse_qsl

import numpy as np
import pytest
import torch
from streamlit.testing.v1 import AppTest

from pages.shell.i18n import LANGUAGES, catalogue, listed, say, speaking
from pages.shell.screen import Screen
from pages.shell.state.config import LEARNED
from pages.shell.state.opens_with import OPENS_WITH
from pages.shell.state.url import written
from pages.shell.views import VIEWS
from pages.shell.views.questions import QUESTIONS
from tests.pages.test_masks import own_figures
from tests.support.app import PAGES, ROOT, app, blocks, computed, decoded, figures, markdown, no_exception

# Screens on which a page asks all of its questions: a brief race; the story, which has questions of its own; tiles as
# they open, before the answer is told; a text whose pairs are more than half of a layer, after which another text is
# asked about; a link to a mask, whose drawers wait for no guess.
LINKS = {"scaling": {"race_d": 4, "race_seeds": 1, "race_steps": 50}}
LINKS |= {page: {"preset": "story"} for page in ("walkthrough", "dropout")}
LINKS |= {"experiments": {"what_if": "bias"}, "tiles": {"guess_first": True}, "fewer_keys": {"kv_of_8": "8"}}
LINKS |= {"costs": {"cost_n": "8192"}, "masks": {"mask": "causal"}}
FIXED = {"question", "right", "why", "try"}
# Questions whose guess is judged only after the visitor has tried something (test_fewer_keys.py, test_cross.py,
# test_dropout.py, test_order.py).
TRIED = ("order", "shared", "tiles")


@cache
def opened(page: str) -> AppTest:
    return app(page, **LINKS.get(page, {}))


def link_of(question: str) -> dict:
    """The screen of a question. Questions about the shared preset are asked on their page's opening screen."""
    page = page_of(question)
    return dict(OPENS_WITH.get(page, {})) if QUESTIONS[question].of == LEARNED else LINKS.get(page, {})


_OF_PAGES = ("lost", "state_told")


def asked(at: AppTest) -> list[str]:
    """The questions that a page asks, without those of *What if*, *A and B*, *Masks* and *A state*, whose right answers
    are computed (tests/pages/test_what_if.py, test_compare.py, test_masks.py, test_state.py)."""
    shown = blocks(at)
    found = [block["question"] for block in shown if block["kind"] == "guess"]
    # A chart may ask a question itself.
    cards = [card for block in shown if block["kind"] == "cards" for card in block["cards"]]
    found += [card["chart"]["asks"]["question"] for card in cards if "asks" in card.get("chart", {})]
    return [question for question in found if question not in _OF_PAGES and not question.startswith(("if_", "lost_"))]


each_question = pytest.mark.parametrize("question", QUESTIONS)


def page_of(question: str) -> str:
    return QUESTIONS[question].page


def answers(question: str) -> dict[str, str]:
    prefix = f"predict.{question}."
    ids = {id.removeprefix(prefix): text for id, text in catalogue("en").items() if id.startswith(prefix)}
    return {answer: text for answer, text in ids.items() if answer not in FIXED}


def drawn(question: str, language: str = "en", **link: str) -> list[dict]:
    """The blocks of a question on its page."""
    page = page_of(question)
    link = {name: written(value) for name, value in (link_of(question) | link).items()}
    return VIEWS[f"{page}.guess_{question}"].blocks(Screen(page, link, language))


@pytest.mark.parametrize("question", ["first_token", "forest", "creature"])
def test_what_only_the_story_answers_is_asked_of_the_story_alone(question):
    assert drawn(question)
    assert not drawn(question, preset="random")


@pytest.mark.models
@pytest.mark.slow
def test_every_question_of_the_catalogue_is_asked_once_and_on_its_page():
    written_down = {id.split(".")[1] for id in catalogue("en") if id.startswith("predict.") and id.count(".") == 2}
    assert written_down == {*QUESTIONS}
    found = [(page, question) for page in PAGES for question in asked(opened(page))]
    # Questions that a page does not show while it asks about the story.
    elsewhere = {page_of(question) for question in QUESTIONS if link_of(question) != LINKS.get(page_of(question), {})}
    found += [(page, question) for page in elsewhere for question in asked(app(page)) if (page, question) not in found]
    assert sorted(found) == sorted((one.page, question) for question, one in QUESTIONS.items())


# The stops of the lecture through all pages, and the page on which each question of a stop is asked to a single reader.
STOPS = {
    1: [],
    2: [("walkthrough", "sums")],
    3: [("walkthrough", "forest")],
    4: [("order", "order")],
    5: [("masks", "future")],
    6: [("masks", "empty"), ("masks", "padding"), ("masks", "polarity")],
    7: [("scaling", "root"), ("scaling", "refuted")],
    8: [("scaling", "top")],
    9: [("scaling", "gradient")],
    10: [("scaling", "race")],
    11: [("heads", "heads")],
    12: [("dropout", "row_sums")],
}


def test_what_the_lecture_asks_the_pages_ask_too():
    lecture = tomllib.loads((ROOT / "pages" / "shell" / "lectures" / "tour.toml").read_text(encoding="utf-8"))
    assert list(STOPS) == list(range(1, len(lecture["stop"]) + 1))
    assert {place for places in STOPS.values() for place in places} <= {
        (one.page, question) for question, one in QUESTIONS.items()
    }


@pytest.mark.parametrize(("page", "question"), [("walkthrough", "creature"), ("walkthrough", "forest")])
@pytest.mark.parametrize("link", [{}, {"preset": "random"}], ids=str)
def test_a_question_about_the_story_is_asked_of_the_story_alone(page, question, link):
    assert question in asked(opened(page))
    assert question not in asked(app(page, **link))
    assert "sums" in asked(app(page, **link))


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
    """The links of a text, each as its page and its parameters."""
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
    """A kept weight is doubled, so the sum of a drawn row lies between 0 and 2."""
    shown = computed(preset="random", dropout=0.5)
    sums = shown.trace["dropped"].value.sum(-1)
    torch.testing.assert_close(
        shown.trace["dropped"].value[shown.trace["kept"].value],
        2 * shown.trace["weights"].value[shown.trace["kept"].value],
    )
    assert 0 <= sums.min() < 0.9
    assert 1.1 < sums.max() <= 2


@each_question
def test_a_question_offers_its_answers_and_none_is_chosen(question):
    [block] = drawn(question)
    # A question that is answered by a drag has a button that does it instead.
    more = [say("predict.show")] if question == "dropped" else []
    assert [one["line"] for one in block["answers"]] == [*answers(question).values(), *more]
    assert {one["pressed"] for one in block["answers"]} == {False}
    assert block["told"]["markdown"] == ""
    assert say(f"predict.{question}.right") in answers(question)


@pytest.mark.parametrize("question", [one for one in QUESTIONS if one not in TRIED])
@pytest.mark.parametrize("language", LANGUAGES)
def test_the_guess_is_judged_and_explained_beside_the_right_answer(question, language):
    right, why = say(f"predict.{question}.right", language), say(f"predict.{question}.why", language)
    for guessed in answers(question):
        [block] = drawn(question, language, guess=f"{question}.{guessed}")
        verdict = say("predict.right" if guessed == right else "predict.wrong", language)
        refuted = guessed in QUESTIONS[question].refuted
        with speaking(language):
            said = listed("sentence", (say(f"refuted.{question}.{guessed}"), why)) if refuted else why
        assert block["told"]["markdown"].startswith(f"**{verdict}** {said}")
        found = {answer: one["verdict"] for answer, one in zip(answers(question), block["answers"], strict=True)}
        assert found == dict.fromkeys(answers(question), "") | {guessed: "wrong"} | {right: "right"}
        assert [one["pressed"] for one in block["answers"]] == [answer == guessed for answer in answers(question)]


def test_a_guess_keeps_those_of_other_questions_and_is_taken_back_by_a_second_click():
    [block] = drawn("future", guess="factor.four")
    assert block["answers"][2]["sets"] == {"guess": "factor.four,future.neither"}
    [block] = drawn("future", guess="factor.four,future.neither")
    assert block["answers"][2]["sets"] == {"guess": "factor.four"}
    assert block["answers"][0]["sets"] == {"guess": "factor.four,future.zero_before"}


@pytest.mark.parametrize("guess", ["", "future", "future.", ".neither", "future.who", "<b>,.,x.y", "FUTURE.neither"])
def test_what_is_no_answer_is_no_guess(guess):
    [block] = drawn("future", guess=guess)
    assert not block["told"]["markdown"]


def test_in_a_quiz_the_question_waits_for_an_answer_and_offers_a_way_out():
    at = app("masks", quiz=True)
    radio = at.radio(key="predicted-future")
    assert radio.value is None
    assert radio.options == [*answers("future").values(), say("predict.show")]
    assert "future" not in asked(at)
    before = {one.value for one in markdown(at)}
    for choice, verdict in (("neither", "right"), ("zero_after", "wrong"), ("", "")):
        at.radio(key="predicted-future").set_value(choice).run()
        assert no_exception(at)
        [told] = [one.value for one in markdown(at) if one.value not in before]
        assert told == (f"**{say(f'predict.{verdict}')}** " if verdict else "") + say("predict.future.why")


def test_an_answer_in_a_quiz_is_remembered_for_the_visit():
    at = app("masks", quiz=True)
    at.radio(key="predicted-future").set_value("neither").run()
    at.switch_page("../../pages/walkthrough.py").run()
    at.switch_page("../../pages/masks.py").run()
    assert at.radio(key="predicted-future").value == "neither"


# For each question: the view of the chart that shows its answers at their places; only charts that need no measurement.
IN_CHARTS = {"drown": ("taming", "length", "taming-length")}


@pytest.mark.parametrize("question", IN_CHARTS)
def test_the_answers_stand_in_the_chart_and_the_right_one_on_its_curve(question):
    page, view, id = IN_CHARTS[question]

    def ghosts(**link: str) -> tuple[list[dict], dict]:
        [block] = [one for one in VIEWS[f"{page}.{view}"].blocks(Screen(page, link)) if one["kind"] == "cards"]
        [card] = [one for one in block["cards"] if one["id"] == id]
        return card["chart"]["ghosts"], card["chart"]

    open_, chart = ghosts()
    assert [one["text"] for one in open_] == [*answers(question).values()]
    # At the place of the question, the right answer is the nearest one to its curve.
    place = open_[0]["x"]
    curve = chart["series"][0]
    x, y = (np.frombuffer(base64.b64decode(curve[name]), "<f4") for name in ("x", "y"))
    [real] = y[x == place]
    nearest = min(open_, key=lambda one: abs(one["y"] - real))
    assert nearest["text"] == say(f"predict.{question}.{say(f'predict.{question}.right')}")
    wrong = next(answer for answer in answers(question) if answer != say(f"predict.{question}.right"))
    judged, _ = ghosts(guess=f"{question}.{wrong}")
    assert {one["verdict"] for one in judged} == {"right", "wrong"}
    assert len(judged) == 2
