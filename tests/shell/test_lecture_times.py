"""A lecture takes the promised minutes: the time to say its texts, and a pause for the room at every stop."""

import re

import pytest

from pages.shell.i18n import LANGUAGES
from pages.shell.lectures.format import Lecture, in_language, lecture
from pages.shell.state.reader import LECTURES

# The rate of speech before a room in a minute: English in words, Chinese in characters.
PACE = {"en": 120, "zh": 200}
# Minutes of silence at a stop: one or two to think and to choose (Crouch and Mazur 2001, "Peer Instruction"), and a
# look for the number.
STILL = 1.75


def said(text: str, language: str) -> int:
    """The number of words, or of characters in Chinese, which has no spaces; a number counts as a word."""
    return len(re.findall(r"[\u4e00-\u9fff]|[\w./√^]+" if language == "zh" else r"[\w'’./√^-]+", text))


def minutes(on: Lecture, language: str) -> float:
    texts = [
        in_language(text, language)
        for stop in on.stops
        for text in (stop.question, *stop.choices, stop.answer, stop.look, stop.notes)
    ]
    return sum(said(text, language) for text in texts) / PACE[language] + STILL * len(on.stops)


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("name", LECTURES)
def test_a_lecture_takes_the_minutes_that_it_promises(name, language):
    promised = lecture(name).minutes
    assert 0.8 * promised <= minutes(lecture(name), language) <= 1.1 * promised


@pytest.mark.parametrize("name", LECTURES)
def test_a_title_promises_the_same_minutes(name):
    for language in LANGUAGES:
        named = re.findall(r"(\d+)(?: minutes| 分钟)", in_language(lecture(name).title, language))
        assert named in ([], [str(lecture(name).minutes)])
