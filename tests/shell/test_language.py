"""A screen is the same in every language: its controls, its numbers and its link; only the words differ."""

import re
from functools import cache
from typing import Any

import pytest
from streamlit.testing.v1 import AppTest

from attention.cache import HYBRIDS
from attention.inputs.grammar import ANSWERS, EXAMPLE
from attention.inputs.presets import STORY
from attention.inputs.tokens import tokenize
from pages.shell.i18n import LANGUAGES, catalogue, listed, say
from pages.shell.runs.remembering import LIKE
from pages.shell.runs.trained.request import OTHER, TEXTS, UNRELATED
from pages.shell.state.page_controls import CrossAttention
from pages.shell.views.costs import measured
from tests.support.app import (
    HOME,
    PAGES,
    app,
    blocks,
    control_of,
    deep,
    figures,
    held,
    markdown,
    no_exception,
    widget,
)
from tests.support.covering import EVERY_TEST, cases
from tests.support.said import WIDGETS, english, sent, texts

OTHERS = [language for language in LANGUAGES if language != "en"]
CONTEXT = CrossAttention.context
BRIEF = {"race_d": "4", "race_seeds": 1, "race_steps": "50"}
# The screen has two sentences, every step, a note above the figures, and a query that sees nothing.
SHARED = {
    "preset": "random",
    "text": "one two three four\nfive",
    "d_model": "17",
    "heads": 3,
    "bias": True,
    "dropout": 0.3,
    "mask": "window",
    "width": 1,
    "sentence": 2,
}
# The numbers of a figure whose stamp depends on its words, too.
NUMBERS = ("x", "y", "low", "high")
each_page = pytest.mark.parametrize("page", PAGES)


@pytest.fixture(autouse=True)
def _measures_briefly(monkeypatch):
    """Measure briefly: the links press the button of the page on costs, which measures for ten seconds; the words are
    the same."""
    monkeypatch.setattr(measured, "ASKED", measured.OPENING)


each_other = pytest.mark.parametrize("language", OTHERS)


def link(page: str) -> dict[str, Any]:
    return deep(page, SHARED) | (BRIEF if page == "scaling" else {})


@cache
def opened(page: str, language: str) -> AppTest:
    at = app(page, lang=language, **link(page))
    assert no_exception(at)
    return at


def drawn(at: AppTest) -> list[dict[str, Any]]:
    """The figures of a page without their words, and without those of the race, which goes on meanwhile."""
    cards = [card for payload in sent(at) for card in payload.get("cards", ())]
    return [bare(card) for card in cards if card["id"] not in ("accuracy", "loss")]


def bare(card: dict[str, Any]) -> dict[str, Any]:
    if "chart" in card:
        series = [{name: one.get(name) for name in NUMBERS} for one in card["chart"]["series"]]
        return {"id": card["id"], "series": series}
    if "pairs" in card:
        return {"id": card["id"]} | {side: card["pairs"][side] for side in ("before", "after")}
    if "vectors" in card:
        return {"id": card["id"], "vectors": card["vectors"]}
    return {name: card.get(name) for name in ("id", "stamp", "shape", "range", "size", "sets", "hidden")}


def notes(at: AppTest) -> list[str]:
    """The page's notes about adjusted settings."""
    return [block["markdown"] for block in blocks(at) if block["kind"] == "note"]


def shown(at: AppTest) -> dict[str, Any]:
    """The value of each widget, by the name of its control."""
    widgets = {control_of(one.key): one.value for kind in WIDGETS for one in at.get(kind) if one.key}
    return {name: value for name, value in widgets.items() if name != "lang"}


def told(at: AppTest) -> dict[str, str]:
    """All settings except the language."""
    return {name: text for name, text in held(at).items() if name != "lang"}


@each_other
@each_page
def test_titles_captions_and_figures_speak_the_language(page, language):
    at = opened(page, language)
    assert at.title[0].value == say(f"page.{page}.title", language)
    said = texts(at)
    assert say(f"page.{page}.lead", language) in said
    assert say("control.lang.label", language) in said
    assert say("control.lang.help", language) in said
    # Some names are the same in both languages, and may have another id.
    own = {*catalogue(language).values()}
    assert not {text for text in catalogue("en").values() if text in said and text not in own}


@each_other
@each_page
def test_no_word_is_left_in_english(page, language):
    """The test compares words, so it also finds sentences with numbers in them, and sentences that are in no
    catalogue."""
    # Words of models, names and sources do not count: Qwen3-Next is no "next".
    of_models = (*TEXTS.values(), OTHER, UNRELATED, *(text for one in HYBRIDS for text in (one.name, one.source)))
    # A layer may answer with any word of its grammar, even if the sentence does not have it.
    of_grammar = (EXAMPLE, *(word for answers in ANSWERS for word in answers))
    tokens = " ".join(
        [*of_grammar, STORY, CONTEXT, *LIKE, *of_models, say("padded.example", "en"), *map(str, link(page).values())]
    )
    assert english(opened(page, "en"), language, tokens)
    assert english(opened(page, language), language, tokens) == set()


@each_other
@each_page
def test_the_screen_does_not_depend_on_the_language(page, language):
    english, other = opened(page, "en"), opened(page, language)
    assert len(drawn(english)) > 0
    assert drawn(other) == drawn(english)
    assert shown(other) == shown(english)


# The fast form switches on every third page, since all pages share the code that keeps the screen.
@each_other
@pytest.mark.parametrize("page", PAGES if EVERY_TEST else PAGES[::3])
def test_switching_the_language_keeps_the_screen(page, language):
    at = app(page, **link(page))
    figures_before, shown_before, set_before = drawn(at), shown(at), told(at)
    widget(at, "lang").set_value(language).run()
    assert no_exception(at)
    assert say(f"page.{page}.lead", language) in texts(at)
    assert drawn(at) == figures_before
    assert shown(at) == shown_before
    assert told(at) == set_before
    widget(at, "lang").set_value("en").run()
    assert say(f"page.{page}.lead", "en") in texts(at)
    assert drawn(at) == figures_before


@each_other
def test_an_answer_given_outlives_a_switch_of_the_language(language):
    at = app("one_query", lang="en", quiz=True)
    at.radio(key="predicted-length").set_value("sharper").run()
    assert any(say("predict.length.why", "en") in block.value for block in markdown(at))
    widget(at, "lang").set_value(language).run()
    assert at.radio(key="predicted-length").value == "sharper"
    assert any(say("predict.length.why", language) in block.value for block in markdown(at))


@each_other
def test_what_was_opened_stays_open_in_another_language(language):
    at = app(HOME, lang="en", preset="story")
    at.session_state["by_hand"] = True
    at.run()
    widget(at, "lang").set_value(language).run()
    assert no_exception(at)
    assert say("by_hand.which", language) in [radio.label for radio in at.radio]


def rules(language: str) -> set[str]:
    """The rules of the catalogue as patterns: how a number is computed, with any text in the holes."""
    texts = (text for id, text in catalogue(language).items() if id.startswith("rule."))
    return {".+".join(map(re.escape, re.split(r"\{\{\w+\}\}", text))) for text in texts}


@each_other
@pytest.mark.parametrize(
    "cell", ["weights.1.0", "masked.0.1", "mask.1.1", "kept.0.0", "dropped.1.1", "x.0.0", "w_q.1.1"]
)
def test_a_cell_is_explained_in_the_language(cell, language):
    screen = SHARED | {"sentence": 1}
    # A step always tells one rule, so without the cell, another step is shown.
    without = app(HOME, lang=language, step="keys", **screen)
    at = app(HOME, lang=language, cell=cell, **screen)
    assert no_exception(at)
    said = texts(at) - texts(without)
    assert say("cell.more", language) in {block["more"] for block in blocks(at) if block["kind"] == "panel"}
    parts = [part for text in said for part in text.split("\n\n")]
    assert [part for part in parts if any(re.fullmatch(rule, part) for rule in rules(language))]
    assert english(at, language, str(SHARED["text"])) == set()


STRANGE = ["xx", "", "EN", "zh-CN", "../en", "zh\n", "<b>zh</b>", "🦊", "a" * 5000, "None"]


# Each wanted language is tried on some page, and each page with some of them, since all pages share the code that reads
# it.
@pytest.mark.parametrize(("page", "wanted"), cases(PAGES, STRANGE, strength=1), ids=ascii)
def test_a_language_that_there_is_not_settles(page, wanted):
    at = app(page, lang=wanted)
    assert no_exception(at)
    assert widget(at, "lang").value in ("auto", *LANGUAGES)
    assert at.title[0].value in {say(f"page.{page}.title", language) for language in LANGUAGES}


def test_a_language_that_there_is_not_is_english():
    at = app(HOME, lang="xx")
    assert at.title[0].value == say("page.walkthrough.title", "en")
    assert widget(at, "lang").value == "auto"


@each_other
def test_a_text_without_spaces_falls_into_characters_and_the_page_says_so(language):
    text = "GPT模型好"
    at = app(HOME, lang=language, preset="random", text=text)
    labels = next(payload["labels"] for payload in sent(at) if payload.get("labels"))
    assert tuple(labels["key"]) == tokenize(text)[0] == ("GPT", "模", "型", "好")
    assert say("note.divided", language) in notes(at)
    assert figures(at)["weights"].z.shape == (4, 4)
    apart = app(HOME, lang=language, preset="random", text="GPT 模 型 好")
    assert not notes(apart)
    assert drawn(apart) == drawn(at)


def test_a_context_that_is_taken_apart_is_named():
    at = app("cross_attention", lang="en", preset="random", text="one two", context="一二")
    told = say("random.warning", "en"), say("note.of_context", "en", note=say("note.divided", "en"))
    assert notes(at) == [*told]


def test_parts_are_joined_as_the_language_writes_them():
    assert [listed("comma", "abc"), listed("semicolon", "ab"), listed("sentence", ["A.", "B."])] == [
        "a, b, c",
        "a; b",
        "A. B.",
    ]
    assert listed("comma", ["{{first}}", "$x$"]) == "{{first}}, $x$"


def test_a_language_that_is_chosen_in_the_message_of_another_change_is_spoken():
    at = app(HOME)
    widget(at, "lang").set_value("zh")
    widget(at, "text").set_value("two cats")
    assert no_exception(at.run())
    assert [title.value for title in at.title] == [say(f"page.{HOME}.title", "zh")]
    assert held(at)["text"] == "two cats"
