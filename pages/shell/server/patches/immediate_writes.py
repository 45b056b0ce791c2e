"""Set TCP_NODELAY on every connection: an answer does not wait until the one before is acknowledged.

asyncio sets it where the listening socket says that it is TCP, and the one that Streamlit 1.67 opens for uvicorn does
not say so (uvicorn issue 3149): all answers but the first of a connection came 40 ms late. uvloop sets it for every
connection; Windows has no uvloop.
"""

import asyncio
import socket
from typing import Any

from uvicorn.protocols.http.h11_impl import H11Protocol

# Not this replacement itself, when the module is loaded anew.
_original: Any = getattr(H11Protocol.connection_made, "original", H11Protocol.connection_made)


def install() -> None:
    """Replace `H11Protocol.connection_made` in this process; a websocket takes over a connection that began as HTTP."""
    H11Protocol.connection_made = _connection_made  # type: ignore[method-assign,assignment]


def _connection_made(protocol: H11Protocol, transport: asyncio.Transport) -> None:
    open_socket = transport.get_extra_info("socket")
    if open_socket is not None and open_socket.family in (socket.AF_INET, socket.AF_INET6):
        open_socket.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
    _original(protocol, transport)


_connection_made.original = _original  # type: ignore[attr-defined]
