"""Files that do not change while the server runs are compressed once, well, and not anew for each visitor."""

import gzip
import threading
from collections import OrderedDict
from collections.abc import Callable

import brotli
from starlette.concurrency import run_in_threadpool
from starlette.datastructures import Headers, MutableHeaders
from starlette.types import ASGIApp, Message, Receive, Scope, Send

FOLDERS = ("/static/", "/assets/")
# Bytes of compressed files that are kept; all that one visit needs are below 3 MB in each encoding.
MOST = 32_000_000
# Quality 11 makes plotly.js ten per cent smaller yet, and its first visitor wait for nine seconds instead of 0.4.
ENCODINGS: dict[str, Callable[[bytes], bytes]] = {
    "br": lambda body: brotli.compress(body, quality=9, lgwin=24),
    "gzip": lambda body: gzip.compress(body, 9, mtime=0),
}
# A megabyte in one piece is copied again for every bit of it that the network takes.
_PIECE = 65_536
_TEXT = ("text/", "application/javascript", "application/json", "image/svg+xml")


class Compressed:
    """ASGI middleware: a whole answer of text from `FOLDERS` is sent in the best encoding that the visitor takes."""

    def __init__(self, app: ASGIApp) -> None:
        self.app = app
        self._kept: OrderedDict[tuple[str, str, str], bytes] = OrderedDict()
        self._turn = threading.Lock()

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        encoding = _encoding(scope)
        if encoding is None:
            await self.app(scope, receive, send)
            return
        scope["headers"] = [(name, value) for name, value in scope["headers"] if name != b"accept-encoding"]
        # Without its body first: what was packed before need not be read again.
        start, body = await self._answer({**scope, "method": "HEAD"}, receive)
        if start is None:
            return
        headers = MutableHeaders(raw=start["headers"])
        if start["status"] == 200 and headers.get("content-type", "").startswith(_TEXT):
            key = (scope["path"], headers.get("etag", ""), encoding)
            packed = self._kept.get(key)
            if packed is None:
                begun, plain = await self._answer(scope, receive)
                if begun is None:
                    return
                packed = await run_in_threadpool(self._pack, key, plain)
            headers["content-encoding"] = encoding
            headers["content-length"] = str(len(packed))
            headers["vary"] = "Accept-Encoding"
            del headers["accept-ranges"]
            await send(start)
            for place in range(0, len(packed), _PIECE):
                piece = packed[place : place + _PIECE]
                await send({"type": "http.response.body", "body": piece, "more_body": place + _PIECE < len(packed)})
        elif start["status"] == 304:
            await send(start)
            await send({"type": "http.response.body", "body": body})
        else:
            await self.app(scope, receive, send)

    async def _answer(self, scope: Scope, receive: Receive) -> tuple[Message | None, bytes]:
        """How the app behind answers: the start of it, and its body. None: not at all, because the visitor has gone."""
        messages: list[Message] = []

        async def gathered(message: Message) -> None:
            messages.append(message)

        await self.app(scope, receive, gathered)
        start = messages[0] if messages else None
        return start, b"".join(message.get("body", b"") for message in messages[1:])

    def _pack(self, key: tuple[str, str, str], body: bytes) -> bytes:
        # A room that opens the link together waits for one compression, and not for one each.
        with self._turn:
            if key not in self._kept:
                self._kept[key] = ENCODINGS[key[2]](body)
                while sum(map(len, self._kept.values())) > MOST and len(self._kept) > 1:
                    self._kept.popitem(last=False)
            return self._kept[key]


def _encoding(scope: Scope) -> str | None:
    """The encoding to answer with; None where the answer is to be left alone."""
    if scope["type"] != "http" or scope["method"] != "GET" or not scope["path"].startswith(FOLDERS):
        return None
    headers = Headers(scope=scope)
    if "range" in headers:
        return None
    taken = {
        name.strip()
        for name, _, quality in (one.partition(";") for one in headers.get("accept-encoding", "").split(","))
        if quality.strip() not in ("q=0", "q=0.0")
    }
    return next((encoding for encoding in ENCODINGS if encoding in taken), None)
