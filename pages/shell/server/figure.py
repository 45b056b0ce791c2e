"""Figures under their own addresses: `/figure/<view>?<settings>` as a page, and with an ending as picture or data.

These are the one part of the app that a page of any origin may show in a frame (server/headers.py).
"""

import asyncio
import hashlib
import logging
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from http import HTTPStatus

from starlette.requests import Request
from starlette.responses import PlainTextResponse, Response

from pages.shell.exports.embedded import page
from pages.shell.exports.embedded.figure import Figure, NoFigureError
from pages.shell.exports.html import Markup
from pages.shell.i18n import listed, say, settled, speaking
from pages.shell.server.build import build
from pages.shell.server.compression import tags
from pages.shell.server.live import NOBODY_THERE, unless_gone
from pages.shell.server.question import LONGEST, arguments_of
from pages.shell.server.shared_work import Kept, SharedWork

# One at a time, beside one answer with figures; a slide has a few, and a room opens the same.
AT_ONCE, WAITING = 1, 32
KEPT = 8_000_000
# A page is asked for again and mostly has not changed; the script that it loads has to be of its build.
_ASKED_AGAIN = "no-cache"
_log = logging.getLogger(__name__)


@dataclass(frozen=True)
class Made:
    """What goes out. holds: whether the same address has the same answer later."""

    body: bytes
    kind: str
    cache: str
    holds: bool = True

    @property
    def tag(self) -> str:
        return f'"{hashlib.sha256(self.body).hexdigest()[:32]}"'


_work: SharedWork[Made] = SharedWork(AT_ONCE, WAITING)
_kept: Kept[Made] = Kept(KEPT)


async def answer(request: Request) -> Response:
    """A figure: 200, or a sentence with 400, 404, 413, 500 or, where too many wait, 503."""
    name = request.path_params["view"]
    browser = request.headers.get("accept-language", "").partition(",")[0]
    query = request.scope["query_string"]
    if len(query) > LONGEST:
        return said(HTTPStatus.REQUEST_ENTITY_TOO_LARGE, f"an address has at most {LONGEST} characters")
    try:
        figure = Figure.of(name, dict(arguments_of(query.decode("latin-1"), "the address")), browser)
    except NoFigureError as error:
        return said(HTTPStatus.NOT_FOUND, _unknown(error, browser))
    except ValueError as error:
        return said(HTTPStatus.BAD_REQUEST, str(error))
    return await sent(request, (figure,), lambda: _page(figure))


async def sent(request: Request, key: tuple[object, ...], make: Callable[[], Made]) -> Response:
    """What `make` gives, made in a thread or kept from before."""
    made = _kept.get(key)
    try:
        made = made or await unless_gone(request, _work.get(key, make))
    except asyncio.QueueFull:
        return said(HTTPStatus.SERVICE_UNAVAILABLE, f"{WAITING} figures wait already; ask again in a second")
    except Exception:
        # Not the address: a visitor's own text may stand in it.
        _log.exception("Failed: a figure")
        return said(HTTPStatus.INTERNAL_SERVER_ERROR, "the figure could not be made; the server's log says why")
    if made is None:
        return Response(status_code=NOBODY_THERE)
    headers = {"vary": "Accept-Language, Accept-Encoding", "cache-control": made.cache, "etag": made.tag}
    if made.holds:
        _kept.keep(key, made, len(made.body) + len(request.scope["query_string"]) + 1000)
    if made.tag in tags(request.headers.get("if-none-match", "")):
        return Response(status_code=HTTPStatus.NOT_MODIFIED, headers=headers)
    return Response(made.body, headers=headers, media_type=made.kind)


def said(status: HTTPStatus, sentence: str, headers: Mapping[str, str] | None = None) -> Response:
    return PlainTextResponse(sentence, status, {"cache-control": "no-store"} | dict(headers or {}))


def _page(figure: Figure) -> Made:
    with speaking(figure.language):
        text = page.made(figure, build(), Markup(""))
    return Made(text.encode(), "text/html", _ASKED_AGAIN, holds="pending" not in figure.view)


def _unknown(error: NoFigureError, browser: str) -> str:
    with speaking(settled("", browser)):
        told = say("figure.unknown", name=str(error)[:80])
        if not error.nearest:
            return told
        return listed("sentence", (told, say("figure.nearest", names=listed("comma", error.nearest))))
