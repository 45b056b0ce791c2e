"""A visitor sees one sentence about an error, and the log of the server has the rest."""

import re

import pytest
from streamlit import config
from streamlit.testing.v1 import AppTest
from websockets.sync.client import connect

from benchmarks.server import running
from pages.shell.i18n import LANGUAGES, say
from pages.shell.server import errors
from tests.server.test_messages import elements, told
from tests.support.app import ROOT


def broken() -> None:
    raise RuntimeError("the secret of line 7")


def test_of_an_error_a_visitor_sees_none_of_the_code(monkeypatch):
    monkeypatch.setattr(config, "_config_options", None)
    monkeypatch.chdir(ROOT)
    config.get_config_options(force_reparse=True)
    assert config.get_option("client.showErrorDetails") == "none"
    (error,) = AppTest.from_function(broken).run().exception
    assert "secret" not in error.value + error.message
    assert not error.stack_trace


@pytest.mark.parametrize("language", LANGUAGES)
def test_of_an_error_the_visitor_is_told_in_their_language(language):
    def page(language: str) -> None:
        from pages.shell.i18n import speak
        from pages.shell.server import errors

        speak(language)
        assert errors.tell(RuntimeError("the secret of line 7"))

    at = AppTest.from_function(page, kwargs={"language": language}).run()
    assert [error.value for error in at.error] == [say("app.failed", language)]


def test_the_server_tells_it_so():
    import streamlit_app

    assert streamlit_app.app._on_script_error is errors.tell


APP = """
import sys
sys.path.insert(0, {root!r})
import streamlit as st
from pages.shell.server import errors
app = st.App({page!r}, on_script_error=errors.tell)
"""


@pytest.mark.slow
def test_the_server_writes_the_error_to_its_log_and_sends_none_of_it(tmp_path):
    page, script = tmp_path / "page.py", tmp_path / "app.py"
    page.write_text("raise RuntimeError('the secret of line 7')", encoding="utf-8")
    script.write_text(APP.format(root=str(ROOT), page=str(page)), encoding="utf-8")
    with running(tmp_path, script) as server:
        address = f"ws{server.address.removeprefix('http')}/_stcore/stream"
        with connect(address, subprotocols=["streamlit"], origin=server.address, max_size=None) as visitor:
            messages = told(visitor)
    (error,) = elements(messages, "alert")
    assert error.body == say("app.failed")
    assert not any("secret" in str(message) for message in messages)
    # If rich is installed, as after `make audit`, Streamlit logs in colours.
    log = re.sub(r"\x1b\[[\d;]*m", "", (tmp_path / "server.log").read_text(encoding="utf-8"))
    assert "RuntimeError: the secret of line 7" in log
    assert "Traceback" in log


OPTIONS = {
    "client.showErrorDetails": "none",
    "client.toolbarMode": "minimal",
    "browser.gatherUsageStats": False,
    "server.enableXsrfProtection": True,
    "server.enableCORS": True,
    "server.maxUploadSize": 8,
    "server.enableStaticServing": False,
    "global.developmentMode": False,
    "runner.postScriptGC": False,
}


@pytest.mark.parametrize("option", OPTIONS)
def test_the_settings_that_are_in_force(monkeypatch, option):
    monkeypatch.chdir(ROOT)
    config.get_config_options(force_reparse=True)
    assert config.get_option(option) == OPTIONS[option]


def test_there_are_no_secrets():
    assert not [path for path in ROOT.rglob("*") if path.name in ("secrets.toml", ".env") and ".venv" not in path.parts]
    assert config.get_option("server.cookieSecret") not in (ROOT / ".streamlit" / "config.toml").read_text()
