"""What arrives over a websocket or as a file is from anybody: it is read as nothing, or refused."""

import http.client
import io
import json
import uuid
from collections.abc import Iterator
from urllib.parse import urlsplit

import pytest
from streamlit import config
from streamlit.proto.BackMsg_pb2 import BackMsg
from streamlit.proto.ClientState_pb2 import ClientState
from streamlit.proto.ForwardMsg_pb2 import ForwardMsg
from streamlit.proto.WidgetStates_pb2 import WidgetState, WidgetStates
from streamlit.runtime.state.common import WidgetMetadata
from streamlit.runtime.state.session_state import WStates
from streamlit.testing.v1 import AppTest
from websockets.sync.client import ClientConnection, connect

from pages.shell import arrived, failed, plot
from pages.shell.plot import Click
from pages.shell.text import LANGUAGES, say
from tests.app_support import HOME, ROOT, app, no_exception
from tests.conftest import running

arrived.guard()
NAN, INFINITE = float("nan"), float("inf")


@pytest.fixture(scope="module")
def visitor(server) -> Iterator[ClientConnection]:
    """Somebody who speaks to the server without a browser."""
    with connect(
        f"ws{server.removeprefix('http')}/_stcore/stream", subprotocols=["streamlit"], origin=server, max_size=None
    ) as socket:
        yield socket


def told(visitor: ClientConnection, **state) -> list[ForwardMsg]:
    """All that the server says until a run is over."""
    visitor.send(BackMsg(rerun_script=ClientState(**state)).SerializeToString())
    found = []
    while not found or found[-1].WhichOneof("type") != "script_finished":
        found.append(ForwardMsg.FromString(visitor.recv(timeout=60)))
    return found


def elements(messages: list[ForwardMsg], kind: str) -> list:
    drawn = [message.delta.new_element for message in messages if message.WhichOneof("type") == "delta"]
    return [getattr(element, kind) for element in drawn if element.WhichOneof("type") == kind]


def widget(visitor: ClientConnection, kind: str, name: str) -> str:
    """The id of a control's widget."""
    return next(one.id for one in elements(told(visitor), kind) if one.id.endswith(f"-{name}"))


@pytest.mark.parametrize("value", [NAN, INFINITE, -INFINITE, -1.0, 1e300, 10_000.0])
def test_a_number_that_no_browser_sends_is_not_heard(visitor, value):
    seed = widget(visitor, "number_input", "seed")
    answer = told(visitor, widget_states=WidgetStates(widgets=[WidgetState(id=seed, double_value=value)]))
    assert not elements(answer, "exception")
    assert len(elements(answer, "bidi_component")) > 5
    assert not elements(told(visitor), "exception")


@pytest.mark.parametrize("values", [[9999.0], [NAN], [1.0, 2.0], []], ids=str)
def test_a_slider_beyond_its_ends_is_not_heard(visitor, values):
    dropout = WidgetState(id=widget(visitor, "slider", "dropout"))
    dropout.double_array_value.data.extend(values)
    answer = told(visitor, widget_states=WidgetStates(widgets=[dropout]))
    assert not elements(answer, "exception")
    # No dropout, no keep-mask.
    assert not any('"kept"' in component.json for component in elements(answer, "bidi_component"))


class TestHeard:
    """What is read of a widget, without a server."""

    def read(self, sent: WidgetState, kind: str, read) -> object:
        states = WStates()
        states.set_widget_from_proto(sent)
        states.set_widget_metadata(WidgetMetadata(sent.id, read, lambda value: value, kind))
        return states[sent.id]

    def test_a_good_value_is_read(self):
        sent = WidgetState(id="x", double_value=3.0)
        assert self.read(sent, "double_value", lambda value: 7 if value is None else int(value)) == 3

    def test_of_one_that_cannot_be_read_there_is_the_default(self):
        sent = WidgetState(id="x", double_value=NAN)
        assert self.read(sent, "double_value", lambda value: 7 if value is None else int(value)) == 7

    def test_of_one_of_another_kind_there_is_the_default(self):
        sent = WidgetState(id="x", string_value="a")
        assert self.read(sent, "double_value", lambda value: 7 if value is None else value) == 7

    @pytest.mark.parametrize(
        "text", ["[" * 100_000, "9" * 5000, "{", '{"edited_rows": 5}', '{"edited_rows": {"a": 1}}']
    )
    def test_of_what_is_no_json_there_is_the_default(self, text):
        def rows(value):
            return {int(key) for key in (json.loads(value) if value else {"edited_rows": {}})["edited_rows"]}

        assert self.read(WidgetState(id="x", string_value=text), "string_value", rows) == set()

    def test_of_one_that_nobody_can_read_there_is_nothing(self):
        states = WStates()
        states.set_widget_from_proto(WidgetState(id="x", double_value=3.0))
        with pytest.raises(KeyError):
            states["x"]
        with pytest.raises(KeyError):
            states["y"]

    def test_it_is_guarded_once(self):
        before = WStates.__getitem__
        arrived.guard()
        assert WStates.__getitem__ is before


CELL = {"figure": "weights", "row": 1, "column": 2}


@pytest.mark.parametrize(
    ("reported", "click"),
    [
        (CELL, Click("weights", 1, 2, None)),
        (CELL | {"sets": ["head", 3]}, Click("weights", 1, 2, ("head", "3"))),
        (CELL | {"sets": ["head", []]}, Click("weights", 1, 2, None)),
        (CELL | {"sets": [[], 1]}, Click("weights", 1, 2, None)),
        (CELL | {"figure": []}, None),
        (CELL | {"row": 0.5}, None),
        (CELL | {"column": None}, None),
        *((wrong, None) for wrong in (None, 5, "weights", [], {}, [CELL], True)),
    ],
    ids=repr,
)
def test_a_click_is_what_says_all_of_a_cell(monkeypatch, reported, click):
    monkeypatch.setattr(plot.st, "session_state", {"plot-result": {"cell": reported}})
    assert plot.clicked("plot-result") == click


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
        from pages.shell import failed
        from pages.shell.text import speak

        speak(language)
        assert failed.tell(RuntimeError("the secret of line 7"))

    at = AppTest.from_function(page, kwargs={"language": language}).run()
    assert [error.value for error in at.error] == [say("app.failed", language)]


def test_the_server_tells_it_so():
    import streamlit_app

    assert streamlit_app.app._on_script_error is failed.tell


APP = """
import sys
sys.path.insert(0, {root!r})
import streamlit as st
from pages.shell import failed
app = st.App({page!r}, on_script_error=failed.tell)
"""


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
    log = (tmp_path / "server.log").read_text()
    assert "RuntimeError: the secret of line 7" in log
    assert "Traceback" in log


OPTIONS = {
    "client.showErrorDetails": "none",
    "client.toolbarMode": "minimal",
    "browser.gatherUsageStats": False,
    "server.enableXsrfProtection": True,
    "server.enableCORS": True,
    "server.maxUploadSize": 1,
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


def put(server: str, path: str, body: bytes, **headers: str) -> int:
    connection = http.client.HTTPConnection(urlsplit(server).netloc, timeout=30)
    try:
        connection.request("PUT", path, body, {name.replace("_", "-"): value for name, value in headers.items()})
        return connection.getresponse().status
    finally:
        connection.close()


def form(content: bytes) -> tuple[bytes, str]:
    body = io.BytesIO()
    body.write(b'--x\r\ncontent-disposition: form-data; name="file"; filename="a.toml"\r\n\r\n')
    body.write(content + b"\r\n--x--\r\n")
    return body.getvalue(), "multipart/form-data; boundary=x"


class TestUpload:
    @pytest.fixture
    def session(self, visitor) -> str:
        first = told(visitor)
        return next(one.new_session.initialize.session_id for one in first if one.WhichOneof("type") == "new_session")

    def test_nobody_uploads_from_another_site(self, server, session):
        body, kind = form(b"title = 'T'")
        assert put(server, f"/_stcore/upload_file/{session}/{uuid.uuid4()}", body, content_type=kind) == 403


def test_a_file_of_another_kind_is_not_opened():
    at = app(HOME)
    at.file_uploader(key="lecture-upload").upload("lecture.exe", b"title = 1", "application/toml").run()
    assert no_exception(at)
    assert not at.error
