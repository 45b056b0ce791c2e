"""The handout of a lecture has every text of the lecture, as text, and links that open."""

import base64
import gc
import re
from dataclasses import replace
from html import unescape

import pytest

from attention import Trace, scaled_dot_product_attention
from pages.shell.exports import handout, stop_picture
from pages.shell.exports.qr_code import picture
from pages.shell.i18n import LANGUAGES, say
from pages.shell.lectures.format import in_language, lecture, read
from pages.shell.runs import results
from pages.shell.runs.brought import found, opened
from pages.shell.state.reader import LECTURES
from tests.shell.test_lecture_files import GOOD
from tests.support import drawn
from tests.support.app import HOME

BASE = "https://hall.example/app/"


@pytest.fixture
def unpainted(monkeypatch):
    """Leave out the pictures, which take seconds."""
    monkeypatch.setattr(handout.stop_picture, "drawn", lambda stop, language: None)


@pytest.mark.usefixtures("unpainted")
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


def images(page: str, kind: str) -> list[bytes]:
    found = re.findall(rf'src="data:[^,]*,([^"]*)" alt="[^"]+" class="{kind}"', page)
    return [base64.b64decode(one) for one in found]


def test_each_stop_has_its_figure_and_the_code_of_its_link():
    on = lecture("masks")
    page = handout.made("masks", on, "en", BASE)
    pictures = [one.decode() for one in images(page, "picture")]
    assert len(pictures) == len(on.stops)
    # The picture of the first stop shows the weights of the row that a claim is about.
    assert "creature" in pictures[0]
    assert all(one.startswith("<svg") for one in pictures)
    assert images(page, "code") == [
        picture(f"{BASE}?lecture=masks&stop={number}".encode()) for number in range(1, len(on.stops) + 1)
    ]


def test_without_answers_nothing_tells_them():
    on = lecture("masks")
    page = unescape(handout.made("masks", on, "en", BASE, answers=False))
    assert all(in_language(stop.question, "en") in page for stop in on.stops)
    assert not any(in_language(text, "en") in page for stop in on.stops for text in (stop.answer, stop.look))
    # All figures of the lecture are covered until the answer is shown.
    assert 'class="picture"' not in page
    open_one = replace(on.stops[0], cover=False)
    assert page.count('class="code"') == len(on.stops)
    assert 'class="picture"' in handout.made("masks", replace(on, stops=(open_one,)), "en", BASE, answers=False)


def test_a_link_that_leads_nowhere_has_no_code():
    assert 'class="code"' not in handout.made("own", read(GOOD), "en", "/")
    long = GOOD + f'screen = {{ text = "{"猫" * 1000}" }}\n'
    assert 'class="code"' not in handout.made("own", read(long), "en", BASE)
    assert 'class="code"' in handout.made("own", read(GOOD), "en", BASE)


def test_the_pictures_of_a_long_lecture_are_bounded(monkeypatch):
    drawn = []
    monkeypatch.setattr(handout.stop_picture, "drawn", lambda stop, language: drawn.append(stop))
    handout.made("own", read(GOOD + '[[stop]]\npage = "masks"\n' * 98), "en", BASE)
    assert len(drawn) == handout.MOST_PICTURES


def test_a_stop_whose_figure_is_nowhere_has_no_picture():
    assert stop_picture.drawn(replace(lecture("masks").stops[0], figure="nowhere"), "en") is None


def test_an_experiment_that_nobody_has_run_is_run_for_its_picture(monkeypatch):
    empty = results.Results(3)
    monkeypatch.setattr(results, "results", lambda of: empty)
    (stop,) = (one for one in lecture("sqrt_d_k").stops if one.figure == "matrix")
    assert "<svg" in stop_picture.drawn(stop, "en").svg


@pytest.mark.parametrize("language", LANGUAGES)
def test_a_stop_on_a_file_says_that_the_file_is_not_in_it_and_shows_no_other_layer(tmp_path, language):
    trace, (q, k, v) = Trace(), drawn((1, 3, 7, 5), (1, 3, 7, 5), (1, 3, 7, 11))
    scaled_dot_product_attention(q, k, v, trace=trace)
    trace.save(tmp_path / "mine.npz")
    held = opened("mine.npz", (tmp_path / "mine.npz").read_bytes())
    text = f'[[stop]]\npage = "{HOME}"\nfigure = "arcs"\nscreen = {{ preset = "file", tensors = "{held.id}" }}\n'
    text += f'[[stop]]\npage = "{HOME}"\nfigure = "arcs"\n'
    there = handout.made("own", read(GOOD + text), language, BASE)
    assert unescape(there).count(say("lecture.of_file", language)) == 1
    count, id = len(images(there, "picture")), held.id
    del held
    gc.collect()
    assert found(id) is None
    gone = handout.made("own", read(GOOD + text), language, BASE)
    assert len(images(gone, "picture")) == count - 1
    assert say("lecture.of_file", language) in unescape(gone)
