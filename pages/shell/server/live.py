"""The route of the figures in sight: a browser names views and an address, and gets their blocks, without a session.

An answer depends on the question alone, so the browser, a proxy and this process may keep it
(docs/decisions/live-route.md has the reasons and the cost).
"""

import asyncio
import gzip
import hashlib
import json
import logging
from collections.abc import Callable, Coroutine, Mapping
from dataclasses import dataclass
from http import HTTPStatus
from types import MappingProxyType
from typing import TypeVar

import brotli
from starlette.requests import Request
from starlette.responses import Response

from pages.shell import views
from pages.shell.server.build import build
from pages.shell.server.compression import best_encoding, tags
from pages.shell.server.memory import Returning
from pages.shell.server.question import Question, RefusedError, text_of
from pages.shell.server.shared_work import Kept, SharedWork

# One answer is computed at a time. Two threads would share one interpreter, take longer for both answers, and let the
# event loop wait for two of them.
AT_ONCE = 1
# The number of different questions that may wait, about a second of work. A later browser does better to ask again,
# with the newer value of its slider.
WAITING = 64
# Bytes of answers that are kept: room for some two thousand default screens.
KEPT = 16_000_000
# An hour, the length of a lecture, and no longer: an answer also depends on what the server has, such as trained models
# that are fetched meanwhile.
CACHED = "public, max-age=3600"
# Packing a shorter body would not save a network packet.
SMALL = 1024
# Low levels, for speed (docs/decisions/live-route.md).
PACKERS: dict[str, Callable[[bytes], bytes]] = {
    "br": lambda body: brotli.compress(body, quality=2),
    "gzip": lambda body: gzip.compress(body, 4, mtime=0),
}
# The status of nginx for a client that has left; nobody receives it.
NOBODY_THERE = 499
NO_HEADERS: Mapping[str, str] = MappingProxyType({})
T = TypeVar("T")
_log = logging.getLogger(__name__)


@dataclass(frozen=True)
class Made:
    """An answer or an error, as it is sent. tag: of the bytes that are sent, so each encoding has its own. holds:
    whether the same question has the same answer later, which is false while a view waits for a task of its page."""

    body: bytes
    encoding: str = ""
    tag: str = ""
    status: HTTPStatus = HTTPStatus.OK
    holds: bool = True


_work: SharedWork[Made] = SharedWork(AT_ONCE, WAITING)
_kept: Kept[Made] = Kept(KEPT)
_memory = Returning()


async def answer(request: Request) -> Response:
    """{"views": {name: {"stamp", "blocks"}}, "adjusted"} for a question as query string, or as form; else {"error"}.

    503: too many questions wait already. 400, 413, 415: the request holds no valid question.
    """
    try:
        question = Question.of(await text_of(request))
    except RefusedError as refused:
        return _sent(_failed(refused.status, str(refused)))
    except ValueError as error:
        return _sent(_failed(HTTPStatus.BAD_REQUEST, str(error)))
    # A POST holds a text that was typed by hand, and a file ends with its session: neither answer is kept.
    is_public = request.method != "POST" and not question.names_a_file
    encoding = best_encoding(request.headers.get("accept-encoding", ""), PACKERS)
    key = (question, encoding)
    made = _kept.get(key) if is_public else None
    if made is None:
        try:
            made = await unless_gone(request, _work.get(key, lambda: computed(question, encoding)))
        except asyncio.QueueFull:
            full = _failed(HTTPStatus.SERVICE_UNAVAILABLE, f"{WAITING} questions wait already; ask again in a second")
            return _sent(full, {"retry-after": "1"})
    if made is None:
        return Response(status_code=NOBODY_THERE)
    if made.status != HTTPStatus.OK:
        return _sent(made)
    headers = {"etag": made.tag, "vary": "Accept-Encoding"}
    if is_public and made.holds:
        _kept.keep(key, made, len(made.body) + question.size)
        if question.build == build():
            headers["cache-control"] = CACHED
    if made.tag in tags(request.headers.get("if-none-match", "")):
        return _sent(Made(b"", status=HTTPStatus.NOT_MODIFIED), headers)
    return _sent(made, headers)


def computed(question: Question, encoding: str) -> Made:
    """The packed answer to a question. Where a view fails it is a sentence, and the log has the traceback."""
    try:
        return _computed(question, encoding)
    finally:
        _memory.give_back()


def _computed(question: Question, encoding: str) -> Made:
    shown, before = question.shown, None if question.before is None else dict(question.before)
    try:
        found = views.answered(shown.page, question.views, dict(shown.parameters), shown.language, before)
    except views.UnknownViewError as error:
        return _failed(HTTPStatus.BAD_REQUEST, str(error))
    except ValueError as error:
        # The browser is told that the question is wrong. The log has the traceback, as the fault may be that of a view.
        _log.warning("Refused: %s", question, exc_info=True)
        return _failed(HTTPStatus.BAD_REQUEST, str(error))
    except Exception:
        return _broken(question)
    try:
        body = json.dumps(found, separators=(",", ":"), allow_nan=False).encode()
    except Exception:
        return _broken(question)
    if encoding and len(body) >= SMALL:
        body = PACKERS[encoding](body)
    else:
        encoding = ""
    holds = not any("pending" in one for one in found["views"].values())
    return Made(body, encoding, f'"{hashlib.sha256(body).hexdigest()[:32]}"', holds=holds)


async def unless_gone(request: Request, work: Coroutine[None, None, T]) -> T | None:
    """The result of work; None if the browser that asked for it leaves, which cancels the work."""
    asked, left = asyncio.create_task(work), asyncio.create_task(_left(request))
    try:
        await asyncio.wait((asked, left), return_when=asyncio.FIRST_COMPLETED)
        return asked.result() if asked.done() else None
    finally:
        left.cancel()
        asked.cancel()


async def _left(request: Request) -> None:
    while (await request.receive())["type"] != "http.disconnect":
        pass


def _broken(question: Question) -> Made:
    _log.exception("Failed: %s", question)
    return _failed(HTTPStatus.INTERNAL_SERVER_ERROR, "the figures could not be computed; the server's log says why")


def _failed(status: HTTPStatus, sentence: str) -> Made:
    return Made(json.dumps({"error": sentence}).encode(), status=status)


def _sent(made: Made, headers: Mapping[str, str] = NO_HEADERS) -> Response:
    """The response. Nobody may store it unless the headers say otherwise."""
    packed = {"content-encoding": made.encoding} if made.encoding else {}
    return Response(made.body, made.status, {"cache-control": "no-store"} | packed | dict(headers), "application/json")
