"""The server accepts a file only within the limit, from a visitor with an open page, and by that page."""

import http.client
from collections.abc import Iterator
from dataclasses import dataclass

import pytest
from streamlit.proto.BackMsg_pb2 import BackMsg
from streamlit.proto.ClientState_pb2 import ClientState
from streamlit.proto.ForwardMsg_pb2 import ForwardMsg
from websockets.sync.client import ClientConnection, connect

from pages.shell.lectures.recorder import MOST_BYTES
from pages.shell.runs.brought import LIMITS
from tests.support.app import HOME, app, mounts

TOKEN = "_streamlit_xsrf"


@dataclass(frozen=True)
class Uploader:
    """A visitor with an open page. place: where the visitor may put a file; token: the proof that a request comes from
    that page."""

    host: str
    session: str
    place: str
    token: str

    def ask(self, method: str, place: str, size: int = 0, *, token: bool = True) -> int:
        """The status of an answer."""
        name = 'Content-Disposition: form-data; name="file"; filename="a.toml"'
        body = f"--b\r\n{name}\r\n\r\n{'#' * size}\r\n--b--\r\n".encode()
        headers = {"content-type": "multipart/form-data; boundary=b"}
        if token:
            headers |= {"x-xsrftoken": self.token, "cookie": f"{TOKEN}={self.token}"}
        connection = http.client.HTTPConnection(self.host, timeout=30)
        connection.request(method, place, body if method == "PUT" else None, headers)
        status = connection.getresponse().status
        connection.close()
        return status


@pytest.fixture(scope="module")
def uploader(server) -> Iterator[Uploader]:
    host = server.removeprefix("http://")
    address = f"ws://{host}/_stcore/stream"
    # The queue has no limit: if it were full of unread messages, it would hide the server's goodbye for ten seconds.
    with connect(address, subprotocols=["streamlit"], origin=server, max_size=None, max_queue=None) as socket:
        begun = answer(socket, BackMsg(rerun_script=ClientState()), "new_session")
        session = begun.new_session.initialize.session_id
        wish = BackMsg()
        wish.file_urls_request.session_id = session
        wish.file_urls_request.file_names.append("a.toml")
        place = answer(socket, wish, "file_urls_response").file_urls_response.file_urls[0].upload_url
        yield Uploader(host, session, place, token(host))


def answer(socket: ClientConnection, asked: BackMsg, kind: str) -> ForwardMsg:
    socket.send(asked.SerializeToString())
    while (message := ForwardMsg.FromString(socket.recv(timeout=60))).WhichOneof("type") != kind:
        pass
    return message


def token(host: str) -> str:
    connection = http.client.HTTPConnection(host, timeout=30)
    connection.request("GET", "/_stcore/health")
    cookie = connection.getresponse().getheader("set-cookie")
    connection.close()
    name, _, value = cookie.partition(";")[0].partition("=")
    assert name == TOKEN
    return value


def test_a_file_of_a_lecture_is_taken(uploader):
    assert uploader.ask("PUT", uploader.place, MOST_BYTES) == 204


def test_a_file_above_the_limit_is_refused(uploader):
    assert uploader.ask("PUT", uploader.place, 8 * 1_048_576 + 2048) == 413


def test_a_file_with_tensors_is_taken(uploader):
    assert uploader.ask("PUT", uploader.place, LIMITS.file) == 204


@pytest.mark.parametrize("method", ["PUT", "DELETE"])
def test_another_site_can_neither_put_a_file_nor_take_it_away(uploader, method):
    assert uploader.ask(method, uploader.place, 7, token=False) == 403


@pytest.mark.parametrize("session", ["", "none", "00000000-0000-0000-0000-000000000000", "..", "%2e%2e%2f"])
def test_nobody_puts_a_file_where_no_page_is_open(uploader, session):
    assert uploader.ask("PUT", uploader.place.replace(uploader.session, session), 7) in (400, 404, 405)


def test_a_file_of_another_kind_is_not_opened():
    """Streamlit's page refuses such a file before sending it; a visitor who sends it anyway gets an error."""
    at = app(HOME)
    at.file_uploader(key="lecture-upload").upload("lecture.exe", b"title = 1", "application/toml").run()
    assert at.exception
    assert not mounts(at)
