"""The handout of a lecture holds every text of it, as text, and links that open."""

import re
from html import unescape

import pytest

from pages.shell.exports import handout
from pages.shell.i18n import LANGUAGES
from pages.shell.lectures.format import in_language, lecture, read
from pages.shell.state.reader import LECTURES
from tests.shell.test_lecture_files import GOOD
from tests.support.app import HOME

BASE = "https://hall.example/app/"


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("name", LECTURES)
def test_every_question_has_its_choices_its_answer_and_its_link(name, language):
    page = unescape(re.sub(r"<[^>]*>", "", handout.made(name, lecture(name), language, BASE)))
    for number, stop in enumerate(lecture(name).stops, 1):
        for text in (stop.question, *stop.choices, stop.answer, stop.look):
            assert in_language(text, language) in page
        assert f"{BASE}?lecture={name}&stop={number}" in page


def test_a_lecture_of_ones_own_is_text_and_links_to_its_screens():
    text = GOOD + 'screen = { width = 5 }\nquestion = "<b>&"\n' + f'[[stop]]\npage = "{HOME}"\n'
    page = handout.made("own", read(text), "en", BASE)
    assert "&lt;b&gt;&amp;" in page
    assert re.findall('href="([^"]*)"', page) == [f"{BASE}masks?width=5", BASE]
