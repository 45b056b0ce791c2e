"""What the server has to say is sent when it is said, and does not wait until the last of it has been acknowledged.

asyncio sees to that for the connections of a socket that says it is TCP, and the one that Streamlit 1.67 opens for
uvicorn does not say so (uvicorn issue 3149): all answers but the first of a connection came 40 ms late. uvloop sees to
it for every connection; Windows has no uvloop.
"""

import asyncio
import socket
from typing import Any

from uvicorn.protocols.http.h11_impl import H11Protocol

# Not this function itself, when the module is loaded anew.
_as_it_was: Any = getattr(H11Protocol.connection_made, "as_it_was", H11Protocol.connection_made)


def send() -> None:
    """From now on, in the whole process. A websocket goes on with the connection that began as a question."""
    H11Protocol.connection_made = _connected  # type: ignore[method-assign,assignment]


def _connected(protocol: H11Protocol, transport: asyncio.Transport) -> None:
    open_socket = transport.get_extra_info("socket")
    if open_socket is not None and open_socket.family in (socket.AF_INET, socket.AF_INET6):
        open_socket.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
    _as_it_was(protocol, transport)


_connected.as_it_was = _as_it_was  # type: ignore[attr-defined]
