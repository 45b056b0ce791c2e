"""The route of files: the files that it sends, the requests that it refuses, and how it reports errors."""

import asyncio
import io
import logging
import zipfile

import pytest

from pages.shell.exports import files as exports
from pages.shell.runs.trained import layer_run
from pages.shell.server import files
from pages.shell.server.shared_work import SharedWork
from pages.shell.views.files import MOST_SHEETS
from tests.support.app import awaited
from tests.support.live import FORM, Answer, Browser, text, until


@pytest.fixture(autouse=True)
def work(monkeypatch) -> None:
    # The places of the work belong to the test's event loop.
    monkeypatch.setattr(files, "_work", SharedWork(files.AT_ONCE, files.WAITING))


def asked(kind: str, question: str, **how: object) -> Answer:
    async def alone() -> Answer:
        return await Browser(f"file={kind}&{question}", path="/file", **how).asks()

    return awaited(alone())


def posted(question: str) -> Answer:
    async def alone() -> Answer:
        body = question.encode("latin-1")
        return await Browser(path="/file", method="POST", body=body, content_type=FORM).asks()

    return awaited(alone())


@pytest.mark.parametrize("kind", exports.KINDS)
def test_each_file_is_an_attachment_that_nobody_keeps(kind):
    answer = asked(kind, text("", heads="1", preset="story"))
    assert answer.status == 200
    assert answer.headers["content-disposition"].startswith('attachment; filename="attention-')
    assert answer.headers["cache-control"] == "no-store"
    # The printed page has none of the scripts of Streamlit's page.
    assert b"mounts.js" not in answer.body


@pytest.mark.parametrize("app", ["https://example.org/app/", ""])
def test_the_exercises_lead_to_the_app_if_a_browser_has_told_its_address(app):
    answer = asked("exercises", text("", app=app))
    with zipfile.ZipFile(io.BytesIO(answer.body)) as packed:
        book = packed.read("attention-exercises/notebooks/causal.ipynb").decode()
    assert ("https://example.org/app/" in book) == bool(app)


def test_a_form_is_a_question_too():
    body = text("", file="script", text="Tübingen 猫", preset="random")
    answer = posted(body)
    assert answer.status == 200
    assert "Tübingen 猫" in answer.body.decode()


@pytest.mark.parametrize(
    ("app", "link"),
    [
        ("https://example.org/app/", "https://example.org/app/?"),
        ("http://example.org", "http://example.org/?"),
        ("javascript:alert(1)", "/?"),
        ("https://a\nimport os", "/?"),
        ("", "/?"),
        ("https://" + "a" * 400, "/?"),
    ],
)
def test_the_link_in_a_file_leads_to_the_app_that_was_asked(app, link):
    lines = asked("script", text("", app=app, heads="1", preset="story")).body.decode().splitlines()
    assert lines[1].startswith(f"# {link}")


@pytest.mark.parametrize(
    ("kind", "question", "status", "said"),
    [
        (
            "tar",
            text(""),
            400,
            "file: 'tar', where one of script, notebook, npz, csv, worksheet, exercises is asked for",
        ),
        ("script", "language=en", 400, "page: missing"),
        ("script", text("", page="nowhere"), 400, "unknown page 'nowhere'; one of "),
        ("script", text("", language="xx"), 400, "language: 'xx'"),
        ("worksheet", text("", sheets="0"), 400, f"sheets: '0', where a whole number from 1 to {MOST_SHEETS}"),
        ("worksheet", text("", sheets="41"), 400, "sheets: '41'"),
        ("worksheet", text("", sheets="²"), 400, "sheets: '²'"),
    ],
)
def test_what_is_refused_says_why(kind, question, status, said):
    answer = asked(kind, question)
    assert answer.status == status
    assert answer.body.decode().startswith(said)


@pytest.mark.models
def test_a_model_that_is_not_loaded_has_no_files(monkeypatch):
    monkeypatch.setattr(layer_run, "loaded", lambda model: None)
    answer = asked("npz", text("", page="models", model="smollm2"))
    assert (answer.status, answer.body) == (404, b"smollm2 is not loaded")


def test_an_error_is_a_sentence_and_the_log_has_no_address(monkeypatch, caplog):
    def failing(*_: object) -> None:
        raise RuntimeError("a mistake of ours")

    monkeypatch.setattr(exports, "made", failing)
    with caplog.at_level(logging.ERROR):
        answer = asked("script", text("", text="a secret"))
    assert (answer.status, "a mistake" in answer.body.decode()) == (500, False)
    assert "a mistake of ours" in caplog.text
    assert "secret" not in caplog.text


def test_too_many_are_told_to_ask_again():
    async def full() -> Answer:
        files._work = SharedWork(0, 0)
        return await Browser(text("", file="script"), path="/file").asks()

    answer = awaited(full())
    assert (answer.status, answer.body) == (503, f"{files.WAITING} files wait already; ask again in a second".encode())


def test_a_file_that_nobody_waits_for_is_not_made(monkeypatch):
    made = []
    monkeypatch.setattr(files, "_made", lambda *asked: made.append(asked))

    async def left() -> None:
        files._work = SharedWork(0, 1)
        browser = Browser(text("", file="script"), path="/file")
        request = asyncio.create_task(browser.asks())
        await until(lambda: len(files._work) > 0)
        browser.left.set()
        await request
        assert not len(files._work)

    awaited(left())
    assert not made
