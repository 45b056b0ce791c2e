"""A sentence of one's own on the opening page: the field, the texts beside it, and the links that it leads to."""

from html.parser import HTMLParser
from urllib.parse import parse_qsl, urlsplit

import pytest

from attention.inputs.grammar import CLASSES, EXAMPLE, read
from pages.shell.i18n import say
from pages.shell.views import VIEWS
from pages.shell.views.own_sentence import editing
from pages.shell.views.prose import html
from tests.support.app import linked

OUTSIDE = "The [robot](x) sings & jumps <b> (twice) 猫"


def told(**parameters):
    return editing(linked(**parameters).run)


@pytest.mark.parametrize("language", ["en", "zh"])
def test_the_hint_names_every_word_that_the_layer_knows(language):
    screen = linked(lang=language)
    hint = editing(screen.run)["hint"]
    assert all(word in hint for kind in ("opener", "noun", "adjective", "verb") for word in CLASSES[kind])
    assert not read(EXAMPLE.split()).fault
    assert EXAMPLE in hint


def test_the_field_holds_the_sentence_that_is_shown():
    assert told()["text"] == EXAMPLE
    assert told(text=" the cat shows ")["text"] == "the cat shows"
    assert told(preset="random", text="a b")["text"] == "a b"


@pytest.mark.parametrize("link", [{"preset": "story"}, {"preset": "notebook"}, {"text": "the cat\nthe dog"}], ids=str)
def test_words_that_a_preset_fixes_and_several_sentences_are_not_typed_over(link):
    assert told(**link) is None


class Links(HTMLParser):
    def __init__(self, text):
        super().__init__()
        self.found = []
        self.feed(text)

    def handle_starttag(self, tag, attributes):
        if tag == "a":
            self.found.append(dict(attributes)["href"])


def links(**parameters):
    notes = VIEWS["walkthrough.notes"].blocks(linked(**parameters))
    texts = [block["markdown"] for block in notes if "markdown" in block]
    return [
        (urlsplit(link).path, dict(parse_qsl(urlsplit(link).query)))
        for text in texts
        for link in Links(html(text)).found
    ]


def test_outside_the_grammar_the_page_leads_to_other_models_with_the_very_sentence():
    assert links(text=OUTSIDE, lang="zh") == [
        ("./models", {"lang": "zh", "model_text": OUTSIDE}),
        ("./", {"lang": "zh", "mask": "full", "preset": "random", "text": OUTSIDE}),
    ]
    # The link keeps the mask: one cause, one effect.
    assert links(text=OUTSIDE, mask="window")[1][1]["mask"] == "window"
    assert say("own.random") == told(preset="random")["hint"]


@pytest.mark.parametrize(
    "link", [{}, {"text": "the robot brings the owl to the hen"}, {"preset": "random", "text": OUTSIDE}]
)
def test_inside_the_grammar_and_with_other_weights_it_leads_nowhere(link):
    assert links(**link) == []


@pytest.mark.parametrize(
    ("typed", "offered"),
    [
        ("hello world", "the fox brings the owl to the hen"),
        ("my lazy cat sleeps on the mat", "the lazy cat brings the fox to the owl"),
        ("then a dog leads a tiny bear", "then the dog leads the tiny bear to the fox"),
        ("the old fox gives the owl to the shy hen", "the old fox brings the owl to the shy hen"),
        ("owl owl to old", "the owl brings the fox to the hen"),
    ],
)
def test_outside_the_grammar_a_sentence_of_the_layer_is_offered_with_words_of_ones_own(typed, offered):
    first, *_ = VIEWS["walkthrough.notes"].blocks(linked(text=typed, cell="weights.0.1.word"))
    [button] = first["buttons"]
    assert (button["line"], button["sets"]) == (offered, {"text": offered, "cell": ""})
    assert not read(offered.split()).fault
    assert all(noun in first["said"]["line"] for noun in (*CLASSES["noun"], *CLASSES["verb"]))
    assert links(text=button["sets"]["text"]) == []


def test_of_several_sentences_those_inside_the_grammar_stay_as_they_are():
    block = VIEWS["walkthrough.notes"].blocks(linked(text=f"{EXAMPLE}\na red cat"))[0]
    assert block["buttons"][0]["sets"]["text"].split("\n") == [EXAMPLE, "the red cat brings the fox to the owl"]
