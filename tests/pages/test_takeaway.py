"""The files of a screen: each holds the numbers that the screen shows, and none is made before it is asked for."""

import io
import zipfile
from urllib.parse import parse_qsl

import numpy as np
import pytest
import torch

from attention.analysis.backward import Cell, backward
from attention.export.tables import as_csv
from pages.shell.exports import downloads
from pages.shell.i18n import say
from pages.shell.runs.backward import Goal
from pages.shell.runs.run import Run
from pages.shell.state.config import Config
from tests.support.app import HOME, app, computed, figures, markdown, no_exception, recorded, widget
from tests.support.export import ROUNDING, assert_reproduces, executed, sources
from tests.support.screens import LINKS

HOSTILE = {"preset": "random", "text": '= + - @ """ \\ \' {x} # `a` $b$ <script>\n坐 -1 ...'}
SCREENS = LINKS | {"hostile tokens": HOSTILE}
each_screen = pytest.mark.parametrize("screen", SCREENS)


def shown(screen: str) -> Run:
    return computed(**SCREENS[screen])


@each_screen
def test_the_script_of_a_screen_gives_its_steps_again(screen):
    run = shown(screen)
    namespace, _ = executed(downloads.made("script", run.config, "en"))
    assert_reproduces(namespace["steps"], run.trace, ROUNDING[torch.float32])


def test_where_the_pipeline_shows_gradients_script_and_notebook_compute_them_too():
    goal = Goal.of("cell", "weights.3.1")
    run = computed(preset="story", dropout=0.3)
    made = backward(run.trace, Cell("weights", 3, 1), run.module)
    book = downloads.made("notebook", run.config, "en", goal)
    for lines in ([downloads.made("script", run.config, "en", goal)], sources(book)):
        namespace, _ = executed(*lines)
        assert list(namespace["gradients"]) == list(made.gradients)[::-1]
        for id, step in made.gradients.items():
            torch.testing.assert_close(namespace["gradients"][id], step.value, rtol=1e-4, atol=1e-5)
    assert any(text.startswith("### Gradient: Attention weights\n") for text in sources(book, "markdown"))
    at = app(HOME, preset="story", backward=True, backward_of="weights.3.1", dropout=0.3)
    at.session_state["takeaway"] = at.session_state["take-preview"] = True
    assert no_exception(at.run())
    assert 'gradient("weights", dA)' in "".join(code.value for code in at.code)
    assert say("takeaway.backward") in [text.value for text in markdown(at)]
    links = [link.proto for link in at.get("page_link")]
    assert ("backward", "goal_at=weights.3.1") in [(link.page, link.query_string) for link in links]


@each_screen
def test_the_notebook_of_a_screen_gives_its_steps_again(screen):
    run = shown(screen)
    namespace, _ = executed(*sources(downloads.made("notebook", run.config, "en")))
    assert_reproduces(namespace["steps"], run.trace, ROUNDING[torch.float32])


@each_screen
def test_the_tensors_of_a_screen_are_its_steps(screen):
    run = shown(screen)
    with np.load(io.BytesIO(downloads.made("npz", run.config, "en")), allow_pickle=False) as arrays:
        assert list(arrays) == list(run.trace)
        for id in arrays:
            torch.testing.assert_close(torch.from_numpy(arrays[id]), run.trace[id].value, rtol=1e-5, atol=1e-6)


@pytest.mark.parametrize("screen", ["default", "every step", "second sentence, third head", "hostile tokens"])
def test_the_tables_are_of_the_sentence_and_the_head_that_are_shown(screen):
    run = shown(screen)
    drawn = figures(app(HOME, **SCREENS[screen]))
    with zipfile.ZipFile(io.BytesIO(downloads.made("csv", run.config, "en"))) as archive:
        tables = {name[3:-4]: archive.read(name).decode("utf-8-sig") for name in archive.namelist()}
    assert list(tables) == list(run.trace)
    for id, text in tables.items():
        assert text == as_csv(run.trace[id], batch=run.sentence, head=run.head, labels=run.labels)
        if id in drawn:
            numbers = [row.split(",")[-drawn[id].z.shape[1] :] for row in text.splitlines()[1:]]
            np.testing.assert_array_equal(np.array(numbers, dtype=np.float32), recorded(run, id))


def opened(**link):
    """The walkthrough with the files in sight."""
    at = app(HOME, **link)
    at.session_state["takeaway"] = True
    return at.run()


def test_a_rerun_makes_no_file(monkeypatch):
    def refuse(*given, **named):
        raise AssertionError("nobody asked for it")

    at = opened()
    for name in ("made", "script", "notebook", "npz", "csv_archive"):
        monkeypatch.setattr(downloads, name, refuse)
    assert no_exception(widget(at, "dropout").set_value(0.3).run())
    labels = [*(say(f"takeaway.{kind}.label") for kind in downloads.FILES), say("worksheet.label", numbers=0)]
    assert [button.label for button in at.download_button] == labels
    assert all(button.proto.deferred_file_id and not button.proto.url for button in at.download_button)


def test_what_is_not_opened_is_not_sent():
    """Every button has another address after every rerun: it would travel with every move of every slider."""
    at = app(HOME)
    assert not at.download_button
    assert not at.code


@pytest.mark.parametrize(
    ("kind", "link", "expected"),
    [
        ("script", {}, "attention-learned-seed0.py"),
        ("script", {"preset": "story"}, "attention-story-seed0.py"),
        ("notebook", {"preset": "notebook", "seed": 7}, "attention-notebook-seed7.ipynb"),
        ("npz", {"preset": "random", "head": 3}, "attention-random-seed0.npz"),
        ("csv", {"preset": "random", "seed": 3, "head": 3}, "attention-random-seed3-sentence1-head3-csv.zip"),
    ],
)
def test_a_file_is_named_by_what_its_numbers_come_from(kind, link, expected):
    assert downloads.name(kind, computed(**link)) == expected


@each_screen
def test_the_link_at_the_top_of_the_script_opens_the_same_screen(screen):
    run = shown(screen)
    link = downloads.made("script", run.config, "en").splitlines()[1].removeprefix("# /?")
    assert Config.of(dict(parse_qsl(link, keep_blank_values=True))) == run.config


def test_the_link_of_a_script_with_gradients_opens_them():
    goal = Goal.of("row", "weights.3.1")
    text = downloads.made("script", Config(preset="story"), "en", goal, "https://example.org/app/")
    page, _, query = text.splitlines()[1].removeprefix("# https://example.org/app/").partition("?")
    asked = dict(parse_qsl(query))
    assert (page, asked.pop("preset")) == ("backward", "story")
    assert Goal.of(asked["goal"], asked["goal_at"]) == goal


def test_the_script_is_to_be_read_when_it_is_asked_for_and_not_before():
    at = opened(dropout=0.1)
    assert not at.code
    at.toggle(key="take-preview").set_value(True).run()
    assert no_exception(at)
    assert [code.value for code in at.code] == [downloads.made("script", computed(dropout=0.1).config, "en").strip()]


def test_a_script_that_is_too_long_to_be_read_says_how_long_it_is():
    at = opened(**LINKS["large"])
    at.toggle(key="take-preview").set_value(True).run()
    assert no_exception(at)
    assert not at.code
    size = len(downloads.made("script", computed(**LINKS["large"]).config, "en")) / 1e6
    assert say("takeaway.long", size=f"{size:,.1f} MB") in [text.value for text in markdown(at)]


@pytest.mark.parametrize(
    ("size", "words"), [(0, "0.0 kB"), (1234, "1.2 kB"), (999_949, "999.9 kB"), (2_500_000, "2.5 MB")]
)
def test_sizes_are_said_as_people_say_them(size, words):
    assert downloads._bytes(size) == words
