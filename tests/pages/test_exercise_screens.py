"""The screen that an exercise or a mistake names exists, and its link opens it unchanged.

Opening the pages, each screen once, takes half of the time.
"""

import io
import json
import zipfile
from urllib.parse import parse_qsl

import pytest

from attention.exercises import EXERCISES, words
from attention.exercises.writing import archive
from pages.shell.layout import drawer
from pages.shell.state.registry import ALL_FIELDS
from tests.support.app import HOME, PAGES, app

NAMED = {words.task(name)["screen"] for name in EXERCISES}
NAMED |= {row["screen"] for name in EXERCISES for row in words.mistakes(name).values()}


def parts(screen):
    page, _, query = screen.partition("?")
    return page or HOME, dict(parse_qsl(query))


@pytest.mark.parametrize("screen", sorted(NAMED))
def test_a_screen_opens_as_its_link_says(screen, monkeypatch):
    page, settings = parts(screen)
    assert page in PAGES
    assert set(settings) <= {*ALL_FIELDS, "cell"}
    opened = []
    expander = drawer.st.expander
    monkeypatch.setattr(
        drawer.st, "expander", lambda label, **more: opened.append(more.get("expanded")) or expander(label, **more)
    )
    at = app(page, **settings)
    assert not at.exception
    assert not at.toast, [toast.value for toast in at.toast]
    # A link to a cell opens the drawer with the cell, and no other.
    if "cell" in settings:
        assert opened.count(True) == 1


def test_the_exercises_are_handed_out_with_links_to_the_app_that_they_came_from():
    with zipfile.ZipFile(io.BytesIO(archive("https://attention.example/"))) as packed:
        names = packed.namelist()
        book = json.loads(packed.read("attention-exercises/notebooks/causal.ipynb"))
    assert len(names) == 3 * len(EXERCISES) + 1
    assert "os.environ.setdefault(\"ATTENTION_APP\", 'https://attention.example/')" in "".join(
        book["cells"][2]["source"]
    )


def test_who_teaches_finds_the_exercises():
    at = app(HOME)
    (link,) = at.get("link_button")
    assert link.proto.label == "Exercises for students"
    path, _, query = link.proto.url.partition("?")
    assert path == "file"
    assert dict(parse_qsl(query))["file"] == "exercises"
    # Streamlit would keep a file of each visitor.
    assert not at.get("download_button")
