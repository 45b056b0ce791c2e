"""An answer on a connection that is kept open comes when it is ready."""

import http.client
import socket
import time

import pytest
from uvicorn.config import Config
from uvicorn.protocols.http.h11_impl import H11Protocol
from uvicorn.server import ServerState

from pages.shell.server.patches import immediate_writes
from tests.support.app import awaited

immediate_writes.install()


class Transport:
    def __init__(self, one: socket.socket | None) -> None:
        self.socket = one

    def get_extra_info(self, name: str):
        return self.socket if name == "socket" else None


def connected(transport: Transport) -> None:
    async def connect() -> None:
        H11Protocol(Config(app=None), ServerState(), {}).connection_made(transport)

    awaited(connect())


@pytest.mark.parametrize("family", [socket.AF_INET, socket.AF_INET6])
def test_a_connection_waits_for_no_acknowledgement(family):
    with socket.socket(family) as one:
        assert not one.getsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY)
        connected(Transport(one))
        assert one.getsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY)


def test_a_connection_of_another_kind_is_left_alone():
    connected(Transport(None))
    with socket.socket(socket.AF_UNIX) as one:
        connected(Transport(one))


def test_the_second_answer_of_a_connection_is_as_fast_as_the_first(server):
    """Without it, or uvloop, no answer but the first takes less than the 40 ms after which a kernel acknowledges."""
    connection = http.client.HTTPConnection(server.removeprefix("http://"), timeout=30)
    times = []
    for _ in range(20):
        started = time.perf_counter()
        connection.request("GET", "/_stcore/health")
        assert connection.getresponse().read() == b"ok"
        times.append(time.perf_counter() - started)
    connection.close()
    assert min(times[1:]) < 0.03
