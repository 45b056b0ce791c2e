"""What stands between the files and the network: packed once, sent in pieces, nothing for who has gone."""

import gzip
import random

import pytest

from pages.shell.compressed import Compressed
from tests.app_support import awaited

BODY = random.Random(7).randbytes(300_007)
SCOPE = {
    "type": "http",
    "method": "GET",
    "path": "/assets/plot/a.js",
    "query_string": b"",
    "headers": [(b"accept-encoding", b"gzip")],
}


def sent(app) -> list[dict]:
    found = []

    async def send(message: dict) -> None:
        found.append(message)

    async def nothing() -> dict:
        return {"type": "http.disconnect"}

    awaited(Compressed(app)(dict(SCOPE), nothing, send))
    return found


async def large(scope, receive, send) -> None:
    headers = [(b"content-type", b"text/javascript"), (b"etag", b"1")]
    await send({"type": "http.response.start", "status": 200, "headers": headers})
    await send({"type": "http.response.body", "body": b"" if scope["method"] == "HEAD" else BODY})


async def silent(scope, receive, send) -> None:
    """As Starlette answers somebody who has gone."""


async def silent_at_last(scope, receive, send) -> None:
    if scope["method"] == "HEAD":
        await large(scope, receive, send)


def test_a_large_file_goes_in_pieces_that_are_the_whole():
    start, *pieces = sent(large)
    assert start["status"] == 200
    headers = dict(start["headers"])
    packed = b"".join(piece["body"] for piece in pieces)
    assert headers[b"content-encoding"] == b"gzip"
    assert int(headers[b"content-length"]) == len(packed)
    assert gzip.decompress(packed) == BODY
    assert [piece["more_body"] for piece in pieces] == [True] * (len(pieces) - 1) + [False]
    assert max(len(piece["body"]) for piece in pieces) <= 65_536 < len(packed)


@pytest.mark.parametrize("app", [silent, silent_at_last])
def test_who_has_gone_is_sent_nothing(app):
    assert sent(app) == []
