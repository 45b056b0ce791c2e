"""A click brings a file to the visitor, and the numbers in it are those that the browser has drawn."""

import io
import zipfile
from pathlib import Path

import numpy as np
import pytest
from playwright.sync_api import Download, Locator

from pages.shell.exports.files import KINDS
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
# The steps that are compared with the drawn ones; hatched cells of the last two are not numbers.
STEPS = ("x", "w_q", "masked", "weights")


def opened(screen: Screen) -> None:
    """Open the drawer of the files."""
    # If the figures are in drawers, too, looking at them has opened it already.
    closed = screen.page.locator(".st-key-drawer-files details:not([open]) > summary")
    if closed.count():
        closed.click()
    offer(screen, "csv").wait_for()


def offer(screen: Screen, kind: str) -> Locator:
    return screen.page.locator(f".att-file[data-file={kind}]")


def downloaded(screen: Screen, kind: str) -> Download:
    button = offer(screen, kind).locator("button").first
    button.scroll_into_view_if_needed()
    with screen.page.expect_download() as coming:
        button.click()
    return coming.value


def arrays(kind: str, data: bytes) -> dict[str, np.ndarray]:
    """Step id to its matrix in the shown sentence and head."""
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


@pytest.mark.slow
def test_each_button_brings_the_numbers_that_are_drawn(screen):
    screen.open(**LINK)
    drawn = {id: screen.numbers(screen.see(id)) for id in STEPS}
    opened(screen)
    for kind in KINDS.keys() - {"worksheet", "exercises"}:
        taken = arrays(kind, Path(downloaded(screen, kind).path()).read_bytes())
        for id, numbers in drawn.items():
            seen = ~np.isnan(numbers)
            assert seen.any()
            np.testing.assert_allclose(taken[id][seen], numbers[seen], rtol=1e-5, atol=1e-6, err_msg=f"{kind}: {id}")


def test_a_file_follows_the_control_that_was_moved_last(screen):
    screen.open(**LINK)
    opened(screen)
    screen.changed(lambda: screen.slide("head", "ArrowLeft"))
    drawn = screen.numbers(screen.see("scores"))
    taken = downloaded(screen, "csv")
    assert taken.suggested_filename == "attention-random-seed0-sentence2-head2-csv.zip"
    with zipfile.ZipFile(taken.path()) as archive:
        (entry,) = [entry for entry in archive.namelist() if entry.endswith("-scores.csv")]
        rows = archive.read(entry).decode("utf-8-sig").splitlines()[1:]
    np.testing.assert_allclose(np.array([row.split(",")[1:] for row in rows], dtype=float), drawn, rtol=1e-5, atol=1e-6)


def test_a_script_is_read_on_the_page_and_follows_the_screen(screen):
    screen.open()
    opened(screen)
    read = offer(screen, "script").locator("button").nth(1)
    assert read.get_attribute("aria-expanded") == "false"
    read.click()
    lines = offer(screen, "script").locator("pre")
    lines.wait_for()
    before = lines.inner_text()
    assert before.startswith("# ")
    screen.slide("dropout", "ArrowRight")
    screen.page.wait_for_function(
        "(before) => document.querySelector('.att-file pre').textContent !== before", arg=before
    )
    assert "dropout" in lines.inner_text()


def test_a_file_that_cannot_be_made_is_a_sentence_and_the_page_stays(screen):
    screen.open()
    opened(screen)
    screen.page.route(
        lambda address: "file=npz" in address, lambda route: route.fulfill(status=503, body="8 files wait already")
    )
    offer(screen, "npz").locator("button").first.click()
    said = offer(screen, "npz").locator(".att-file-failed")
    said.filter(has_text="8 files wait already").wait_for()
    screen.complaints[:] = [text for text in screen.complaints if "503" not in text]
    assert downloaded(screen, "script").suggested_filename == "attention-learned-seed0.py"


def test_words_that_were_typed_are_in_no_address(screen):
    asked = []
    screen.page.on(
        "request", lambda request: asked.append(request) if request.url.partition("?")[0].endswith("/file") else None
    )
    screen.open(**LINK)
    opened(screen)
    downloaded(screen, "csv")
    (request,) = asked
    assert (request.method, "three" in request.url, "three" in request.post_data) == ("POST", False, True)
