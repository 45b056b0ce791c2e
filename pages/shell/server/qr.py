"""QR codes of links. The browser sends the link, since a server cannot know its own public address."""

from starlette.concurrency import run_in_threadpool
from starlette.requests import Request
from starlette.responses import PlainTextResponse, Response

from pages.shell.exports.qr_code import MOST, picture
from pages.shell.server.body import read


async def answer(request: Request) -> Response:
    """The QR code of the link in the body, as SVG; 413 for a link that is too long for a code."""
    link = await read(request, MOST)
    if link is None:
        return PlainTextResponse(f"a QR code holds {MOST} bytes", 413)
    return Response(await run_in_threadpool(picture, link), media_type="image/svg+xml")
