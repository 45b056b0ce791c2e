"""`/oembed`: tell a site how to embed a figure whose address somebody has pasted there (oembed.com)."""

import json
from http import HTTPStatus
from urllib.parse import urlsplit

from starlette.requests import Request
from starlette.responses import Response

from pages.shell.exports.embedded import oembed
from pages.shell.exports.embedded.figure import NoFigureError
from pages.shell.i18n import speaking
from pages.shell.server.figure import Made, asked, browser_language, parted, root_of, said, sent, unknown
from pages.shell.server.live import CACHED

# Pixels, more than any screen has; the limit where a site names none.
_ANY_SIZE = 10**5


async def answer(request: Request) -> Response:
    """The oEmbed answer for the figure with the address `url`; 404 for any other address, 501 for another format than
    JSON."""
    given = request.query_params
    if given.get("format", "json") != "json":
        return said(HTTPStatus.NOT_IMPLEMENTED, "format: json is the one that there is")
    root = root_of(request)
    url = urlsplit(given.get("url", ""))
    path = url.path.removeprefix(urlsplit(root).path)
    if url.netloc != urlsplit(root).netloc or not path.startswith("figure/"):
        return said(HTTPStatus.NOT_FOUND, f"url: the address of a figure of {root} is asked for")
    try:
        figure = asked(request, parted(path.removeprefix("figure/"))[0], url.query.encode())
        room = [_pixels(name, given.get(name)) for name in ("maxwidth", "maxheight")]
    except NoFigureError as error:
        return said(HTTPStatus.NOT_FOUND, unknown(error, browser_language(request)))
    except ValueError as error:
        return said(HTTPStatus.BAD_REQUEST, str(error))
    # Scheme and host are those of the given address, since a server behind a proxy may know another scheme.
    own = f"{url.scheme}://{url.netloc}{url.path.removesuffix(path)}"

    def make() -> Made:
        with speaking(figure.language):
            told = oembed.made(own, figure, *room)
        return Made(json.dumps(told).encode(), "application/json", CACHED, is_open=True)

    return await sent(request, ("oembed", *figure.asked, own, *room), make)


def _pixels(name: str, text: str | None) -> int:
    if text is None:
        return _ANY_SIZE
    if not (text.isdecimal() and len(text) < 6):
        raise ValueError(f"{name}: {text[:40]!r}, where a number of pixels is asked for")
    return int(text)
