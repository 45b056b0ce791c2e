"""The route of the rooms: phones vote and ask for the current stop, the lecturer's windows lead and fetch the results.

`POST /room?name=…`, with JSON. The name is in the address so that a proxy can send all requests of a room to one
replica.
"""

import json
import time
from http import HTTPStatus
from typing import Any
from urllib.parse import urlsplit

from starlette.concurrency import run_in_threadpool
from starlette.requests import Request
from starlette.responses import JSONResponse, Response

from pages.shell.i18n import LANGUAGES, say
from pages.shell.lectures import format as lectures
from pages.shell.lectures.format import LectureError
from pages.shell.lectures.room_names import normalised
from pages.shell.server import results
from pages.shell.server.body import read
from pages.shell.server.room import RefusedError, Room
from pages.shell.server.rooms import Rooms

# Most bytes of the lecture of a room, and of a request; JSON may write one byte as six.
MOST_LECTURE, MOST_BYTES = 100_000, 620_000
JSON = "application/json"
_STATUS = {"closed": HTTPStatus.NOT_FOUND, "taken": HTTPStatus.FORBIDDEN, "no_room": HTTPStatus.SERVICE_UNAVAILABLE}
_VOTER, _KEY = 16, 32
_rooms = Rooms()


class NoQuestionError(ValueError):
    """A request that our scripts never send; the sentence names what is wrong."""


async def answer(request: Request) -> Response:
    """200 with what was asked for; {"refused": reason} with 403, 404, 409 or 503; {"error": sentence} with 400, 403,
    413 or 415."""
    if not _comes_from_here(request):
        return _said(HTTPStatus.FORBIDDEN, {"error": "a room is asked by the pages of this app alone"})
    kind = request.headers.get("content-type", "").partition(";")[0].strip().lower()
    if kind != JSON:
        return _said(HTTPStatus.UNSUPPORTED_MEDIA_TYPE, {"error": f"content-type: {kind[:40]!r}, not {JSON}"})
    body = await read(request, MOST_BYTES)
    if body is None:
        return _said(HTTPStatus.REQUEST_ENTITY_TOO_LARGE, {"error": f"at most {MOST_BYTES} bytes"})
    address = request.client.host if request.client else ""
    try:
        asked = json.loads(body)
        if not isinstance(asked, dict):
            raise NoQuestionError("a request is an object")
        name = normalised(request.query_params.get("name", ""))
        lecture = None
        if asked.get("do") == "open":
            # Read in a thread, since a file of 100 kB takes a tenth of a second, for which all phones would wait.
            lecture = await run_in_threadpool(_lecture, asked)
        return _said(HTTPStatus.OK, answered(_rooms, name, asked, address, time.time(), lecture))
    except RefusedError as refused:
        return _said(_STATUS.get(refused.reason, HTTPStatus.CONFLICT), {"refused": refused.reason})
    except (ValueError, RecursionError) as error:
        return _said(HTTPStatus.BAD_REQUEST, {"error": str(error)[:200]})


def answered(
    rooms: Rooms, name: str, asked: dict[str, Any], address: str, now: float, lecture: lectures.Lecture | None = None
) -> dict[str, Any]:
    """The answer to a request of a browser at an address. RefusedError, ValueError: the request gets no answer.

    do: look, choose or lecture, for everybody; open, lead, results or close, for the holder of the key. The answers to
    look, choose, open and lead are the state of the room.
    """
    match asked:
        case {"do": "open", "lecture": str(named)} if lecture is not None:
            text = asked.get("text", "") if named == "own" else ""
            more = {"text": text, "lost": asked.get("again") is True}
            room = rooms.open(name, _key(asked), address, named, lecture, now, **more)
            room.lead(min(_number(asked, "stop"), len(room.stops)), revealed=asked.get("revealed") is True)
        case {"do": "lead", "revealed": bool(revealed)}:
            room = _held(rooms.of_lecturer(name, _key(asked), now), asked)
            room.lead(_number(asked, "stop"), revealed=revealed)
        case {"do": "choose"}:
            room = _held(rooms.find(name, now), asked)
            room.choose(_voter(asked), address, _number(asked, "stop"), _number(asked, "choice"), now)
        case {"do": "look"}:
            room = rooms.of_lecturer(name, _key(asked), now) if "key" in asked else rooms.find(name, now)
        case {"do": "lecture"}:
            return {"text": rooms.find(name, now).own_lecture()}
        case {"do": "results"}:
            return _results(rooms.of_lecturer(name, _key(asked), now), asked)
        case {"do": "close"}:
            rooms.close(name, _key(asked), now)
            return {}
        case _:
            raise NoQuestionError("do: look, choose, lecture, open, lead, results or close, with what these need")
    # A browser may show another lecture, whose stop this one lacks; the state tells it which lecture is held.
    stop = _number(asked, "stop")
    return room.state(stop if stop <= len(room.stops) else room.stop, _voter(asked))


def _held(room: Room, asked: dict[str, Any]) -> Room:
    """The room, if the browser shows its lecture; the same stop of another lecture is another question."""
    if asked.get("lecture") != room.lecture:
        raise RefusedError("other_lecture")
    return room


def _results(room: Room, asked: dict[str, Any]) -> dict[str, Any]:
    if (language := asked.get("language")) not in LANGUAGES:
        raise NoQuestionError(f"language: {' or '.join(LANGUAGES)}")
    restarted = say("room.restarted_row", language)
    return {"questions": results.table(room, language), "csv": results.as_csv(room, language, restarted)}


def _lecture(asked: dict[str, Any]) -> lectures.Lecture:
    named, text = asked.get("lecture"), asked.get("text", "")
    if named != "own":
        return lectures.lecture(named if isinstance(named, str) else "")
    if not isinstance(text, str):
        raise NoQuestionError("text: the file of a lecture")
    if len(text.encode()) > MOST_LECTURE:
        raise RefusedError("large")
    try:
        return lectures.read(text)
    except LectureError as error:
        raise NoQuestionError(str(error)) from None


def _comes_from_here(request: Request) -> bool:
    """Whether a page of this app asks. A browser names the site of every page that sends something. Other clients need
    no check, since no foreign page can use them."""
    origin = request.headers.get("origin")
    return origin is None or urlsplit(origin).netloc == request.headers.get("host")


def _number(asked: dict[str, Any], name: str) -> int:
    value = asked.get(name)
    # `type`, not isinstance, since True is an int.
    if type(value) is not int or not 0 <= value < 100:
        raise NoQuestionError(f"{name}: a whole number below 100")
    return value


def _voter(asked: dict[str, Any]) -> str:
    return _hex(asked, "voter", _VOTER)


def _key(asked: dict[str, Any]) -> str:
    return _hex(asked, "key", _KEY)


def _hex(asked: dict[str, Any], name: str, length: int) -> str:
    value = asked.get(name)
    if not isinstance(value, str) or len(value) != length or set(value) - set("0123456789abcdef"):
        raise NoQuestionError(f"{name}: {length} hexadecimal digits")
    return value


def _said(status: HTTPStatus, content: dict[str, Any]) -> Response:
    return JSONResponse(content, status, {"cache-control": "no-store"})
