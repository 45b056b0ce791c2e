"""Figures under their own addresses: `/figure/<view>?<settings>` as a page, and with an ending as picture or data.

These are the one part of the app that a page of any origin may show in a frame (server/headers.py).
"""

import asyncio
import hashlib
import json
import logging
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from html import escape
from http import HTTPStatus

from starlette.requests import Request
from starlette.responses import PlainTextResponse, Response

from pages.shell.exports.embedded import data, page
from pages.shell.exports.embedded import oembed as oembed_of
from pages.shell.exports.embedded.figure import Figure, NoFigureError
from pages.shell.exports.embedded.picture import composed, png, svg
from pages.shell.exports.embedded.picture.composed import NoPictureError
from pages.shell.exports.embedded.picture.png import NoFontError
from pages.shell.exports.html import Markup, joined
from pages.shell.i18n import listed, say, settled, speaking
from pages.shell.server.build import build
from pages.shell.server.compression import tags
from pages.shell.server.live import CACHED, NOBODY_THERE, unless_gone
from pages.shell.server.question import LONGEST, arguments_of
from pages.shell.server.shared_work import Kept, SharedWork

# One figure at a time, beside one answer of `/live`. A slide has a few figures, and a room opens the same ones.
AT_ONCE, WAITING = 1, 32
KEPT = 8_000_000
# A browser revalidates the page each time, because the page and the script that it loads must be of one build.
_ASKED_AGAIN = "no-cache"
_FORMS = ("svg", "png", "json")
_log = logging.getLogger(__name__)


@dataclass(frozen=True)
class Made:
    """An answer. holds: whether the same address has the same answer later; is_open: whether scripts of any page may
    read it."""

    body: bytes
    kind: str
    cache: str
    status: HTTPStatus = HTTPStatus.OK
    holds: bool = True
    is_open: bool = False

    @property
    def tag(self) -> str:
        return f'"{hashlib.sha256(self.body).hexdigest()[:32]}"'


_quick: SharedWork[Made] = SharedWork(AT_ONCE, WAITING)
# Pictures and data have a queue of their own, so that no page waits for those of experiments, which take seconds.
_slow: SharedWork[Made] = SharedWork(AT_ONCE, WAITING)
_kept: Kept[Made] = Kept(KEPT)


async def answer(request: Request) -> Response:
    """A figure with 200, or a sentence with 400, 404, 413, 500, 501 (no such form) or 503 (too many wait). The ending
    of the name chooses the form: `.svg`, `.png`, `.json`, none for a page."""
    name, ending = parted(request.path_params["view"])
    try:
        figure = asked(request, name, request.scope["query_string"])
    except NoFigureError as error:
        return said(HTTPStatus.NOT_FOUND, unknown(error, browser_language(request)))
    except ValueError as error:
        return said(HTTPStatus.BAD_REQUEST, str(error))
    root = root_of(request)
    work = _slow if ending else _quick
    return await sent(request, (*figure.asked, ending, root), lambda: _made(figure, ending, root), work)


def browser_language(request: Request) -> str:
    return request.headers.get("accept-language", "").partition(",")[0]


def root_of(request: Request) -> str:
    """The address of the app as the visitor knows it, as far as the proxy forwards it."""
    scheme = request.headers.get("x-forwarded-proto", request.url.scheme)
    scheme = scheme if scheme in ("http", "https") else request.url.scheme
    return f"{scheme}://{request.url.netloc}{request.scope.get('root_path', '')}/"


def parted(name: str) -> tuple[str, str]:
    """The name of a view, and the ending after it; "" for none."""
    view, _, ending = name.rpartition(".")
    return (view, ending) if ending in _FORMS and "." in view else (name, "")


def asked(request: Request, name: str, query: bytes) -> Figure:
    """The figure that a request asks for. NoFigureError: no such figure; ValueError: the address is wrong."""
    if len(query) > LONGEST:
        raise ValueError(f"an address has at most {LONGEST} characters")
    return Figure.of(name, dict(arguments_of(query.decode("latin-1"), "the address")), browser_language(request))


async def sent(
    request: Request, key: tuple[object, ...], make: Callable[[], Made], work: SharedWork[Made] | None = None
) -> Response:
    """The answer of `make`, made in a thread or kept from before. key: all that it depends on, kept as well, hence
    short; work: the queue in which it waits."""
    made = _kept.get(key)
    try:
        made = made or await unless_gone(request, (work or _quick).get(key, make))
    except asyncio.QueueFull:
        return said(HTTPStatus.SERVICE_UNAVAILABLE, f"{WAITING} figures wait already; ask again in a second")
    except Exception:
        # Without the address, which may hold a visitor's own text.
        _log.exception("Failed: a figure")
        return said(HTTPStatus.INTERNAL_SERVER_ERROR, "the figure could not be made; the server's log says why")
    if made is None:
        return Response(status_code=NOBODY_THERE)
    headers = {"vary": "Accept-Language, Accept-Encoding", "cache-control": made.cache, "etag": made.tag}
    if made.is_open:
        headers["access-control-allow-origin"] = "*"
    if made.holds:
        _kept.keep(key, made, len(made.body) + len(request.scope["query_string"]) + 1000)
    if made.tag in tags(request.headers.get("if-none-match", "")):
        return Response(status_code=HTTPStatus.NOT_MODIFIED, headers=headers)
    return Response(made.body, made.status, headers, made.kind)


def said(status: HTTPStatus, sentence: str, headers: Mapping[str, str] | None = None) -> Response:
    return PlainTextResponse(sentence, status, {"cache-control": "no-store"} | dict(headers or {}))


def _made(figure: Figure, ending: str, root: str) -> Made:
    with speaking(figure.language):
        if not ending:
            return _page(figure, root)
        figure.compute()
        # A view that still waits for a task of its page has no picture and no data.
        if "pending" in figure.view:
            return Made(
                say("figure.pending").encode(), "text/plain", "no-store", HTTPStatus.NOT_IMPLEMENTED, holds=False
            )
        if ending == "json":
            told = data.made(figure, oembed_of.address(root, figure))
            text = json.dumps(told, ensure_ascii=False, allow_nan=False)
            return Made(text.encode(), "application/json", CACHED, is_open=True)
        try:
            drawing = composed.drawn(figure)
            if ending == "png":
                return Made(png.written(drawing, figure.title, figure.sentence), "image/png", CACHED, is_open=True)
            text = svg.written(drawing, figure.title, figure.sentence, say("app.language"))
            return Made(text.encode(), "image/svg+xml", CACHED, is_open=True)
        except NoPictureError:
            reason = say("figure.no_picture", name=figure.name)
        except NoFontError as error:
            reason = str(error)
        return Made(reason.encode(), "text/plain", "no-store", HTTPStatus.NOT_IMPLEMENTED)


def _page(figure: Figure, root: str) -> Made:
    link = oembed_of.link(root, figure)
    found = Markup(f'<link rel="alternate" type="application/json+oembed" href="{escape(link)}" ')
    links = joined(found, Markup(f'title="{escape(figure.title)}">\n'))
    text = page.made(figure, build(), links)
    return Made(text.encode(), "text/html", _ASKED_AGAIN, holds="pending" not in figure.view)


def unknown(error: NoFigureError, browser: str) -> str:
    with speaking(settled("", browser)):
        told = say("figure.unknown", name=str(error)[:80])
        if not error.nearest:
            return told
        return listed("sentence", (told, say("figure.nearest", names=listed("comma", error.nearest))))
