"""Read and compress static files once, and not for each visitor."""

import asyncio
import gzip
from collections import OrderedDict
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from http import HTTPStatus

import brotli
from starlette.concurrency import run_in_threadpool
from starlette.datastructures import Headers, MutableHeaders
from starlette.types import ASGIApp, Message, Receive, Scope, Send

FOLDERS = ("/static/", "/assets/")
# Bytes of files that are kept. One visit needs less than 3 MB in each encoding.
MOST = 32_000_000
Packer = Callable[[bytes], bytes]
ENCODINGS: dict[str, Packer] = {
    "br": lambda body: brotli.compress(body, quality=9, lgwin=24),
    "gzip": lambda body: gzip.compress(body, 9, mtime=0),
}
# Bytes of a piece that is sent. The rest of a piece is copied whenever the network takes a part, so pieces are small.
_PIECE = 65_536
# Request headers of one visitor, removed before the file is read for everybody.
_CONDITIONS = (b"accept-encoding", b"if-none-match", b"if-modified-since")
_OF_A_BODY = (b"content-length", b"content-type", b"content-encoding")
_TEXT = ("text/", "application/javascript", "application/json", "image/svg+xml")


@dataclass(frozen=True)
class _Kept:
    """A whole answer as it is sent, kept for further visitors."""

    status: int
    headers: tuple[tuple[bytes, bytes], ...]
    body: bytes

    @property
    def etag(self) -> str:
        return dict(self.headers).get(b"etag", b"").decode("latin-1")


class Compressed:
    """ASGI middleware: read a file from `FOLDERS` once, and send it from memory in the best accepted encoding."""

    def __init__(self, app: ASGIApp) -> None:
        self.app = app
        self._kept: OrderedDict[tuple[str, str], _Kept] = OrderedDict()
        self._turn = asyncio.Lock()

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if not _is_whole_file(scope):
            await self.app(scope, receive, send)
            return
        headers = Headers(scope=scope)
        key = (scope["path"], best_encoding(headers.get("accept-encoding", ""), ENCODINGS))
        kept = self._kept.get(key)
        if kept is None:
            # All who open a link at the same time wait for one reading and one compression.
            async with self._turn:
                kept = self._kept.get(key) or await self._first(key, scope)
            if kept is None:
                return
        if kept.etag and kept.etag in tags(headers.get("if-none-match", "")):
            unchanged = [(name, value) for name, value in kept.headers if name not in _OF_A_BODY]
            await send({"type": "http.response.start", "status": 304, "headers": unchanged})
            await send({"type": "http.response.body"})
            return
        await send({"type": "http.response.start", "status": kept.status, "headers": list(kept.headers)})
        for place in range(0, max(1, len(kept.body)), _PIECE):
            piece = kept.body[place : place + _PIECE]
            await send({"type": "http.response.body", "body": piece, "more_body": place + _PIECE < len(kept.body)})

    async def _first(self, key: tuple[str, str], scope: Scope) -> _Kept | None:
        """The answer to the first visitor who asks, kept for the others; None if there is no whole answer."""
        found = await self._asked(scope)
        if found is None or found.status != HTTPStatus.OK:
            return found
        self._kept[key] = packed = await run_in_threadpool(_packed, found, key[1])
        while sum(len(one.body) for one in self._kept.values()) > MOST and len(self._kept) > 1:
            self._kept.popitem(last=False)
        return packed

    async def _asked(self, scope: Scope) -> _Kept | None:
        """The whole answer of the app behind, unchanged; None if it does not answer, or not to the end."""
        messages: list[Message] = []

        async def gathered(message: Message) -> None:
            messages.append(message)

        headers = [(name, value) for name, value in scope["headers"] if name not in _CONDITIONS]
        # The app hears of no disconnect: if the first visitor leaves, it still reads the whole file for the others.
        await self.app({**scope, "headers": headers}, _nothing_more, gathered)
        if not messages or messages[-1].get("more_body", False):
            return None
        start, *rest = messages
        return _Kept(start["status"], tuple(start["headers"]), b"".join(message.get("body", b"") for message in rest))


async def _nothing_more() -> Message:
    """An ASGI `receive` that never answers: a visitor who asks, and stays."""
    waits: asyncio.Future[Message] = asyncio.get_running_loop().create_future()
    return await waits


def _packed(found: _Kept, encoding: str) -> _Kept:
    headers = MutableHeaders(raw=list(found.headers))
    if encoding not in ENCODINGS or not headers.get("content-type", "").startswith(_TEXT):
        return found
    body = ENCODINGS[encoding](found.body)
    headers["content-encoding"] = encoding
    headers["content-length"] = str(len(body))
    headers["vary"] = "Accept-Encoding"
    # A range counts bytes of the unpacked file, so a packed one accepts none.
    del headers["accept-ranges"]
    return _Kept(found.status, tuple(headers.raw), body)


def _is_whole_file(scope: Scope) -> bool:
    """Whether a request asks for a whole file of `FOLDERS`."""
    if scope["type"] != "http" or scope["method"] != "GET" or not scope["path"].startswith(FOLDERS):
        return False
    return all(name != b"range" for name, _ in scope["headers"])


def tags(held: str) -> list[str]:
    """The tags in If-None-Match: the versions that a browser, or a cache before us, has."""
    return [tag.strip().removeprefix("W/") for tag in held.split(",")]


def best_encoding(accepted: str, encodings: Iterable[str]) -> str:
    """The first encoding, in order of preference, that a visitor accepts; "" for none."""
    taken = {
        name.strip()
        for name, _, quality in (one.partition(";") for one in accepted.split(","))
        if quality.strip() not in ("q=0", "q=0.0")
    }
    return next((encoding for encoding in encodings if encoding in taken), "")
