"""A question is asked where its answer, as it is written, is that of the figures."""

import pytest

from pages.shell.state.config import Config
from pages.shell.views.asked import is_asked

STORY = {"preset": "story"}
RANDOM = {"preset": "random"}


@pytest.mark.parametrize(
    ("question", "link", "asked"),
    [
        ("sums", {}, True),
        ("sums", RANDOM | {"sink": "5"}, False),
        ("creature", STORY, True),
        ("creature", STORY | {"mask": "window"}, False),
        ("creature", STORY | {"positions": "none", "mask": "full"}, False),
        ("creature", STORY | {"scale": "d_k"}, False),
        ("forest", STORY, True),
        ("forest", STORY | {"positions": "none"}, True),
        ("forest", STORY | {"scale": "d_k"}, False),
        ("tiles", RANDOM, True),
    ],
)
def test_a_question_is_asked_where_it_has_its_answer(question, link, asked):
    assert is_asked(question, Config.of(link)) is asked
