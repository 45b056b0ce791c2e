"""Files of a screen, without a session: a link names the kind of file and the address, as in a question to `/live`.

docs/decisions/live-route.md says why this is a route and not a button of Streamlit.
"""

import asyncio
import logging
from http import HTTPStatus
from urllib.parse import urlsplit

from starlette.requests import Request
from starlette.responses import PlainTextResponse, Response

from pages.shell import views
from pages.shell.exports import files
from pages.shell.exports.files import File, Order
from pages.shell.server.live import NOBODY_THERE, unless_gone
from pages.shell.server.question import RefusedError, Shown, arguments_of, text_of
from pages.shell.server.shared_work import SharedWork
from pages.shell.views.files import MOST_SHEETS

# One file at a time, beside one answer of `/live`; each of the few that wait takes less than a second.
AT_ONCE, WAITING = 1, 8
_LONGEST_ADDRESS = 300
_work: SharedWork[File] = SharedWork(AT_ONCE, WAITING)
_log = logging.getLogger(__name__)


async def answer(request: Request) -> Response:
    """A file with 200, or a sentence with 400, 404, 413, 415, 500 or 503 (too many wait).

    Parameters: file, a kind of `files.KINDS`; page, language and the settings of the screen as in `/live`; app, the
    address of the app for links in the file; sheets, how many worksheets.
    """
    try:
        arguments = arguments_of(await text_of(request))
        given, shown = dict(arguments), Shown.of(arguments)
        kind = given.get("file", "")
        if kind not in files.KINDS:
            raise ValueError(f"file: {kind[:40]!r}, where one of {', '.join(files.KINDS)} is asked for")
        app, sheets = _address(given.get("app", "")), _sheets(given.get("sheets", "1"))
        made = await unless_gone(request, _work.get(asked := (kind, shown, app, sheets), lambda: _made(*asked)))
    except RefusedError as refused:
        return _said(refused.status, str(refused))
    except LookupError as error:
        return _said(HTTPStatus.NOT_FOUND, str(error))
    except ValueError as error:
        return _said(HTTPStatus.BAD_REQUEST, str(error))
    except asyncio.QueueFull:
        return _said(HTTPStatus.SERVICE_UNAVAILABLE, f"{WAITING} files wait already; ask again in a second")
    except Exception:
        # Without the address, which may hold a visitor's own text.
        _log.exception("Failed: a file")
        return _said(HTTPStatus.INTERNAL_SERVER_ERROR, "the file could not be made; the server's log says why")
    if made is None:
        return Response(status_code=NOBODY_THERE)
    named = {"content-disposition": f'attachment; filename="{made.name}"', "cache-control": "no-store"}
    return Response(made.body, headers=named, media_type=made.mime)


def _made(kind: str, shown: Shown, app: str, sheets: int) -> File:
    screen = views.screen(shown.page, dict(shown.parameters), shown.language)
    return files.made(kind, Order(screen, app, sheets))


def _sheets(text: str) -> int:
    if not (text.isdecimal() and len(text) < 4 and 1 <= int(text) <= MOST_SHEETS):
        raise ValueError(f"sheets: {text[:40]!r}, where a whole number from 1 to {MOST_SHEETS} is asked for")
    return int(text)


def _address(text: str) -> str:
    """The address of the app, as the browser tells it, since a server behind a proxy does not know it."""
    parts = urlsplit(text)
    is_one = parts.scheme in ("http", "https") and parts.netloc and len(text) <= _LONGEST_ADDRESS and text.isprintable()
    return f"{parts.scheme}://{parts.netloc}{parts.path.rstrip('/')}/" if is_one else "/"


def _said(status: HTTPStatus, sentence: str) -> Response:
    return PlainTextResponse(sentence, status, {"cache-control": "no-store"})
