"""A click brings a file to the visitor, and the numbers in it are those that the browser has drawn."""

import io
import zipfile

import numpy as np
import pytest

from pages.shell.exports.downloads import FILES, name
from tests.support.app import computed
from tests.support.browser import Screen
from tests.support.export import executed, sources

pytestmark = [
    pytest.mark.browser,
    pytest.mark.fast(
        "test_each_button_brings_the_numbers_that_are_drawn",
    ),
]

LINK = {
    "preset": "random",
    "text": "one two three four five\nsix = seven",
    "heads": 3,
    "d_model": "33",
    "d_k": "13",
    "d_v": "7",
    "dropout": 0.2,
    "bias": True,
    "sentence": 2,
    "head": 3,
}
# Compared with what was drawn; the hatched cells of the last two are not numbers.
STEPS = ("x", "w_q", "queries", "scores", "scaled", "masked", "weights", "output", "projected")


def opened(screen: Screen) -> None:
    """The files are behind a line that opens."""
    screen.widget("takeaway").locator("summary").click()
    screen.widget("take-csv").locator("button").wait_for()
    screen.settle()


def downloaded(screen: Screen, kind: str) -> bytes:
    button = screen.widget(f"take-{kind}").locator("button")
    button.scroll_into_view_if_needed()
    with screen.page.expect_download() as coming:
        button.click()
    assert coming.value.suggested_filename == name(kind, computed(**LINK))
    with open(coming.value.path(), "rb") as file:
        return file.read()


def arrays(kind: str, data: bytes) -> dict[str, np.ndarray]:
    """Step id to the matrix of the sentence and the head that are shown."""
    if kind == "csv":
        with zipfile.ZipFile(io.BytesIO(data)) as archive:
            texts = {entry[3:-4]: archive.read(entry).decode("utf-8-sig") for entry in archive.namelist()}
        rows = {id: [row.split(",")[1:] for row in texts[id].splitlines()[1:]] for id in STEPS}
        return {id: np.array(numbers, dtype=float) for id, numbers in rows.items()}
    if kind == "npz":
        with np.load(io.BytesIO(data)) as whole:
            steps = dict(whole)
    else:
        text = data.decode()
        steps = {
            id: np.asarray(step)
            for id, step in executed(*(sources(text) if kind == "notebook" else [text]))[0]["steps"].items()
        }
    trace = computed(**LINK).trace
    chosen = {"batch": 1, "head": 2}
    return {id: steps[id][tuple(chosen[axis] for axis in trace[id].axes if axis in chosen)] for id in STEPS}


def test_each_button_brings_the_numbers_that_are_drawn(screen):
    screen.open(**LINK)
    drawn = {id: screen.numbers(screen.see(id)) for id in STEPS}
    opened(screen)
    for kind in FILES:
        taken = arrays(kind, downloaded(screen, kind))
        for id, numbers in drawn.items():
            seen = ~np.isnan(numbers)
            assert seen.any()
            np.testing.assert_allclose(taken[id][seen], numbers[seen], rtol=1e-5, atol=1e-6, err_msg=f"{kind}: {id}")


def test_a_file_follows_the_control_that_was_moved_last(screen):
    screen.open(**LINK)
    opened(screen)
    screen.changed(lambda: screen.slide("head", "ArrowLeft"))
    drawn = screen.numbers(screen.see("scores"))
    button = screen.widget("take-csv").locator("button")
    with screen.page.expect_download() as coming:
        button.click()
    assert coming.value.suggested_filename == name("csv", computed(**LINK | {"head": 2}))
    with zipfile.ZipFile(coming.value.path()) as archive:
        (entry,) = [entry for entry in archive.namelist() if entry.endswith("-scores.csv")]
        rows = archive.read(entry).decode("utf-8-sig").splitlines()[1:]
    np.testing.assert_allclose(np.array([row.split(",")[1:] for row in rows], dtype=float), drawn, rtol=1e-5, atol=1e-6)
