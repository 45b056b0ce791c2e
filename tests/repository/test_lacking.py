"""A fresh machine: a test that lacks something is skipped with the sentence that says how to get it, or fails if it
must not be skipped. A test that may depend on the trained models is marked, so that it runs with and without."""

from functools import cache
from types import SimpleNamespace
from typing import Any

import pytest

from attention.inputs import trained as package
from benchmarks.visitor import Visitor
from pages.shell.runs.trained import loaded
from tests.server.test_deploy import proxied
from tests.support import trained
from tests.support.app import app
from tests.support.browser import Screen, chromium


def nginx(tmp_path) -> None:
    with proxied(tmp_path, []):
        pass


LACKING = {
    "a Chromium": (lambda folder: chromium(), "REQUIRE_BROWSER", "Debian: apt-get install chromium"),
    "nginx": (nginx, "REQUIRE_BROWSER", "Debian: apt-get install nginx-light"),
    "the models": (lambda folder: trained.model.__wrapped__("minilm"), "REQUIRE_MODELS", package.COMMAND),
}


@pytest.mark.models
@pytest.mark.parametrize("what", LACKING)
def test_what_needs_it_is_skipped_and_says_how_to_get_it_or_fails_where_it_is_required(what, monkeypatch, tmp_path):
    need, required, sentence = LACKING[what]
    trained.hide(monkeypatch, tmp_path)
    monkeypatch.setenv("PATH", str(tmp_path))
    for name in ("CI", "REQUIRE_BROWSER", "REQUIRE_MODELS"):
        monkeypatch.delenv(name, raising=False)
    with pytest.raises(pytest.skip.Exception, match=sentence):
        need(tmp_path)
    monkeypatch.setenv(required, "1")
    with pytest.raises(pytest.fail.Exception, match=sentence):
        need(tmp_path)


class Tab(SimpleNamespace):
    """A stand-in for a Playwright page, with the methods that a screen needs."""

    def __getattr__(self, name):
        return lambda *given, **named: None


def goes(path: str) -> None:
    """Let a browser navigate to a page, whatever led there."""
    Screen(Tab(), "")._listeners["framenavigated"](SimpleNamespace(url=f"http://127.0.0.1:8600{path}"))


ASKING = {
    "the package": (lambda: package.missing("minilm"), True),
    "the page, in this process": (lambda: app("models"), True),
    "the page, in a browser": (lambda: goes("/models?lang=zh"), True),
    "another page in a browser": (lambda: goes("/masks?lecture=tour"), False),
    "the page, by a visitor": (lambda: Visitor("", "models?lang=zh").arrive().close(), True),
    "another page, by a visitor": (lambda: Visitor("", "masks").arrive().close(), False),
}


@pytest.mark.models
@pytest.mark.parametrize("who", ASKING)
def test_who_asks_for_the_models_is_noted_once(who, monkeypatch):
    ask, is_asking = ASKING[who]
    # Forget loaded models: for a loaded one, no process asks whether it is there.
    monkeypatch.setattr(loaded, "_process", cache(loaded._Process))
    trained.look_anew()
    ask()
    assert trained.look_anew() == is_asking
    assert not trained.look_anew()


def item(*marks: str, **parameters: str) -> Any:
    """A stand-in for a test, with its marks and parameters."""
    found = {*marks}
    return SimpleNamespace(
        callspec=SimpleNamespace(params=parameters),
        get_closest_marker=lambda name: pytest.mark.models if name in found else None,
        add_marker=lambda mark: found.add(mark.name),
    )


def test_a_test_that_asks_without_the_mark_fails():
    trained.judge(item())
    trained.note()
    trained.judge(item("browser", "models"))
    trained.note()
    with pytest.raises(pytest.fail.Exception, match=r"mark it with pytest\.mark\.models"):
        trained.judge(item("browser"))


def test_what_has_the_page_or_its_lecture_for_a_parameter_is_marked():
    tests = [item(page="models"), item(name="real_models", number=2), item(page="masks"), SimpleNamespace()]
    trained.mark(tests)
    assert [bool(test.get_closest_marker("models")) for test in tests[:-1]] == [True, True, False]
