"""Files are packed once and sent in pieces, and a visitor who has left gets nothing."""

import asyncio
import gzip
import random

import pytest
from starlette.responses import StreamingResponse

from pages.shell.server.compression import Compressed
from tests.support.app import awaited

BODY = random.Random(7).randbytes(300_007)
SCOPE = {
    "type": "http",
    "method": "GET",
    "path": "/assets/plot/a.js",
    "query_string": b"",
    "headers": [(b"accept-encoding", b"gzip")],
}


def sent(app, **scope) -> list[dict]:
    """The messages that an app or a `Compressed` sends for one request."""
    compressed, found = app if isinstance(app, Compressed) else Compressed(app), []

    async def send(message: dict) -> None:
        found.append(message)

    async def nothing() -> dict:
        return {"type": "http.disconnect"}

    awaited(compressed(SCOPE | scope, nothing, send))
    return found


async def large(scope, receive, send) -> None:
    headers = [(b"content-type", b"text/javascript"), (b"etag", b'"1"'), (b"accept-ranges", b"bytes")]
    await send({"type": "http.response.start", "status": 200, "headers": headers})
    await send({"type": "http.response.body", "body": BODY})


async def silent(scope, receive, send) -> None:
    """An app that sends nothing, as Starlette does for a visitor who has left."""


def test_a_large_file_goes_in_pieces_that_are_the_whole():
    start, *pieces = sent(large)
    assert start["status"] == 200
    headers = dict(start["headers"])
    packed = b"".join(piece["body"] for piece in pieces)
    assert headers[b"content-encoding"] == b"gzip"
    assert b"accept-ranges" not in headers
    assert int(headers[b"content-length"]) == len(packed)
    assert gzip.decompress(packed) == BODY
    assert [piece["more_body"] for piece in pieces] == [True] * (len(pieces) - 1) + [False]
    assert max(len(piece["body"]) for piece in pieces) <= 65_536 < len(packed)


def test_who_has_gone_is_sent_nothing():
    assert sent(silent) == []


async def in_two_halves(scope, receive, send) -> None:
    """An app that sends a file as Starlette does: until it is sent, or the visitor has left."""
    response = StreamingResponse(halves(), headers={"content-length": str(len(BODY)), "etag": '"3"'})
    await response({**scope, "asgi": {"spec_version": "2.3"}}, receive, send)


async def halves():
    for half in (BODY[:150_000], BODY[150_000:]):
        await asyncio.sleep(0.001)
        yield half


async def cut_off(scope, receive, send) -> None:
    await send({"type": "http.response.start", "status": 200, "headers": []})
    await send({"type": "http.response.body", "body": BODY[:7], "more_body": True})


def test_a_first_visitor_who_leaves_leaves_the_others_the_whole_file():
    compressed = Compressed(in_two_halves)
    for _ in range(2):
        assert b"".join(piece["body"] for piece in sent(compressed)[1:]) == BODY
    assert sent(cut_off) == []


class Asked:
    """An app that counts its requests. status: the status of its answers."""

    def __init__(self, status: int = 200, headers=((b"content-type", b"text/css"), (b"etag", b'"7"'))) -> None:
        self.paths, self.status, self.headers = [], status, list(headers)

    async def __call__(self, scope, receive, send) -> None:
        self.paths.append(scope["path"])
        assert not {b"accept-encoding", b"if-none-match"} & {name for name, _ in scope["headers"]}
        await asyncio.sleep(0)
        await send({"type": "http.response.start", "status": self.status, "headers": self.headers})
        await send({"type": "http.response.body", "body": b"a" * 2000})


@pytest.mark.parametrize("taken", [b"br", b"gzip", b"identity"])
def test_the_second_visitor_is_answered_from_memory(taken):
    asked = Asked()
    compressed = Compressed(asked)
    first, second = (sent(compressed, headers=[(b"accept-encoding", taken)]) for _ in range(2))
    assert first == second
    assert len(asked.paths) == 1


@pytest.mark.parametrize("held", [b'"7"', b'W/"7"', b'"1", "7"'])
def test_what_the_browser_has_is_not_sent(held):
    compressed = Compressed(Asked())
    for _ in range(2):
        start, body = sent(compressed, headers=[(b"accept-encoding", b"br"), (b"if-none-match", held)])
        assert start["status"] == 304
        assert {name for name, _ in start["headers"]} == {b"etag", b"vary"}
        assert not body.get("body")
    start, *_ = sent(compressed, headers=[(b"accept-encoding", b"br"), (b"if-none-match", b'"8"')])
    assert start["status"] == 200


def test_what_is_missing_is_not_kept():
    asked = Asked(404)
    compressed = Compressed(asked)
    for _ in range(2):
        start, body = sent(compressed)
        assert (start["status"], body["body"]) == (404, b"a" * 2000)
    assert len(asked.paths) == 2


def test_no_more_is_kept_than_there_is_room_for(monkeypatch):
    monkeypatch.setattr("pages.shell.server.compression.MOST", 5_000)
    asked = Asked()
    compressed = Compressed(asked)
    for name in "abcab":
        sent(compressed, path=f"/static/{name}.css", headers=[])
    assert [path[8] for path in asked.paths] == list("abcab")
    assert sum(len(kept.body) for kept in compressed._kept.values()) <= 5_000


def test_only_whole_files_are_kept():
    part = [(b"range", b"bytes=0-1")]
    for scope in ({"path": "/masks"}, {"method": "POST"}, {"headers": part}):
        compressed = Compressed(silent)
        assert sent(compressed, **scope) == []
        assert not compressed._kept


def test_a_room_that_comes_together_is_answered_by_one_reading():
    asked = Asked()
    compressed = Compressed(asked)

    async def nothing() -> dict:
        return {"type": "http.disconnect"}

    async def visit() -> list[dict]:
        found = []

        async def send(message: dict) -> None:
            found.append(message)

        await compressed(SCOPE, nothing, send)
        return found

    async def together() -> list[list[dict]]:
        return await asyncio.gather(*(visit() for _ in range(7)))

    first, *others = awaited(together())
    assert gzip.decompress(first[1]["body"]) == b"a" * 2000
    assert others == [first] * 6
    assert len(asked.paths) == 1
