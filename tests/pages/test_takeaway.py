"""The files of a screen: each holds the numbers that the screen shows, and none is made before it is asked for."""

import io
import zipfile
from urllib.parse import parse_qsl

import numpy as np
import pytest
import torch

from attention.analysis.backward import Cell, backward
from attention.export.tables import as_csv
from pages.shell.exports import files
from pages.shell.exports.files import KINDS, Order
from pages.shell.i18n import LANGUAGES, say
from pages.shell.runs.backward import Goal
from pages.shell.runs.run import Run
from pages.shell.screen import Screen
from pages.shell.state.config import Config
from pages.shell.state.url import written
from pages.shell.views import VIEWS
from pages.shell.views.files import _bytes
from tests.support.app import HOME, app, computed, figures, recorded
from tests.support.export import ROUNDING, assert_reproduces, executed, sources
from tests.support.screens import LINKS

HOSTILE = {"preset": "random", "text": '= + - @ """ \\ \' {x} # `a` $b$ <script>\n坐 -1 ...'}
SCREENS = LINKS | {"hostile tokens": HOSTILE}
each_screen = pytest.mark.parametrize("screen", SCREENS)


def shown(screen: str) -> Run:
    return computed(**SCREENS[screen])


def on(page: str = HOME, language: str = "en", **link: object) -> Screen:
    return Screen(page, {name: written(value) for name, value in link.items()}, language)


def made(kind: str, screen: Screen, address: str = "/") -> str:
    return files.made(kind, Order(screen, address)).body.decode()


def archive(kind: str, screen: str) -> io.BytesIO:
    return io.BytesIO(files.made(kind, Order(on(**SCREENS[screen]))).body)


@each_screen
def test_the_script_of_a_screen_gives_its_steps_again(screen):
    namespace, _ = executed(made("script", on(**SCREENS[screen])))
    assert_reproduces(namespace["steps"], shown(screen).trace, ROUNDING[torch.float32])


@pytest.mark.parametrize(
    ("page", "shown"),
    [
        (HOME, {"backward": True, "backward_of": "weights.3.1"}),
        ("backward", {"goal": "cell", "goal_at": "weights.3.1"}),
    ],
)
def test_where_a_page_shows_gradients_script_and_notebook_compute_them_too(page, shown):
    screen = on(page, preset="story", dropout=0.3, **shown)
    run = computed(preset="story", dropout=0.3)
    expected = backward(run.trace, Cell("weights", 3, 1), run.module)
    book = made("notebook", screen)
    for lines in ([made("script", screen)], sources(book)):
        namespace, _ = executed(*lines)
        assert list(namespace["gradients"]) == list(expected.gradients)[::-1]
        for id, step in expected.gradients.items():
            torch.testing.assert_close(namespace["gradients"][id], step.value, rtol=1e-4, atol=1e-5)
    assert any(text.startswith("### Gradient: Attention weights\n") for text in sources(book, "markdown"))


def test_of_a_layer_on_its_way_the_script_has_the_weights_of_that_update():
    screen = on("backward", updates="60")
    namespace, _ = executed(made("script", screen))
    assert_reproduces(namespace["steps"], computed(updates="60").trace, ROUNDING[torch.float32])
    assert not torch.equal(computed(updates="60").trace["weights"].value, computed().trace["weights"].value)


@each_screen
def test_the_notebook_of_a_screen_gives_its_steps_again(screen):
    namespace, _ = executed(*sources(made("notebook", on(**SCREENS[screen]))))
    assert_reproduces(namespace["steps"], shown(screen).trace, ROUNDING[torch.float32])


@each_screen
def test_the_tensors_of_a_screen_are_its_steps(screen):
    run = shown(screen)
    with np.load(archive("npz", screen), allow_pickle=False) as arrays:
        assert list(arrays) == list(run.trace)
        for id in arrays:
            torch.testing.assert_close(torch.from_numpy(arrays[id]), run.trace[id].value, rtol=1e-5, atol=1e-6)


@pytest.mark.parametrize("screen", ["default", "every step", "second sentence, third head", "hostile tokens"])
def test_the_tables_are_of_the_sentence_and_the_head_that_are_shown(screen):
    run = shown(screen)
    drawn = figures(app(HOME, **SCREENS[screen]))
    with zipfile.ZipFile(archive("csv", screen)) as packed:
        tables = {name[3:-4]: packed.read(name).decode("utf-8-sig") for name in packed.namelist()}
    assert list(tables) == list(run.trace)
    for id, text in tables.items():
        assert text == as_csv(run.trace[id], batch=run.sentence, head=run.head, labels=run.labels)
        if id in drawn:
            numbers = [row.split(",")[-drawn[id].z.shape[1] :] for row in text.splitlines()[1:]]
            np.testing.assert_array_equal(np.array(numbers, dtype=np.float32), recorded(run, id))


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
    assert files.made(kind, Order(on(**link))).name == expected


@each_screen
def test_the_link_at_the_top_of_the_script_opens_the_same_screen(screen):
    link = made("script", on(**SCREENS[screen])).splitlines()[1].removeprefix("# /?")
    assert Config.of(dict(parse_qsl(link, keep_blank_values=True))) == on(**SCREENS[screen]).config


def test_the_link_of_a_script_with_gradients_opens_them():
    screen = on("backward", preset="story", goal="row", goal_at="weights.3.1")
    text = made("script", screen, "https://example.org/app/")
    page, _, query = text.splitlines()[1].removeprefix("# https://example.org/app/").partition("?")
    asked = dict(parse_qsl(query))
    assert (page, asked.pop("preset")) == ("backward", "story")
    assert Goal.of(asked["goal"], asked["goal_at"]) == Goal.of("row", "weights.3.1")


@pytest.mark.parametrize("language", LANGUAGES)
def test_a_script_speaks_the_language_of_its_screen(language):
    text = made("script", on(language=language))
    assert text.startswith(f"# {say('takeaway.heading', language)}\n")
    assert f"# {say('step.weights.title', language)}: " in text


@pytest.mark.parametrize("page", [HOME, "backward"])
def test_what_a_page_offers_can_be_made(page):
    screen = on(page, preset="story", heads=1)
    (offered,) = (block for block in VIEWS[f"{page}.files"].blocks(screen) if block["kind"] == "files")
    assert {file["file"] for file in offered["files"]} <= KINDS.keys()
    assert dict(parse_qsl(offered["query"])) == {"page": page, "language": "en", "preset": "story", "heads": "1"}
    for file in offered["files"]:
        assert files.made(file["file"], Order(screen)).body


def test_sheets_say_which_controls_they_leave_out():
    shown = VIEWS["walkthrough.files"].blocks(on(preset="random", positions="rotary"))
    (offered,) = (block for block in shown if "files" in block)
    (sheets,) = (file for file in offered["files"] if file["file"] == "worksheet")
    assert say("worksheet.left_out", names=say("control.positions.label")) in sheets["line"]


@pytest.mark.parametrize(
    ("size", "words"), [(0, "0.0 kB"), (1234, "1.2 kB"), (999_949, "999.9 kB"), (2_500_000, "2.5 MB")]
)
def test_sizes_are_said_as_people_say_them(size, words):
    assert _bytes(size) == words
