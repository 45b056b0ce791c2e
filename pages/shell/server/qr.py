"""QR codes of links. The link comes from the browser: no server knows its own public address for certain."""

from starlette.concurrency import run_in_threadpool
from starlette.requests import Request
from starlette.responses import PlainTextResponse, Response

from pages.shell.exports.qr_code import MOST, picture
from pages.shell.server.body import read


async def answer(request: Request) -> Response:
    """The QR code of the link that was sent, as SVG; 413 for one that no code can hold."""
    link = await read(request, MOST)
    if link is None:
        return PlainTextResponse(f"a QR code holds {MOST} bytes", 413)
    return Response(await run_in_threadpool(picture, link), media_type="image/svg+xml")
