"""QR codes of links. The link comes from the browser: no server knows its own public address for certain."""

import io

import segno
from starlette.concurrency import run_in_threadpool
from starlette.requests import Request
from starlette.responses import PlainTextResponse, Response

from pages.shell.server.body import read

# Bytes in version 40 at level L: ISO/IEC 18004, table 7.
MOST = 2953


async def answer(request: Request) -> Response:
    """The QR code of the link that was sent, as SVG; 413 for one that no code can hold."""
    link = await read(request, MOST)
    if link is None:
        return PlainTextResponse(f"a QR code holds {MOST} bytes", 413)
    return Response(await run_in_threadpool(picture, link), media_type="image/svg+xml")


def picture(link: bytes) -> bytes:
    """A QR code, black on white in every theme, with its quiet zone of four modules (ISO/IEC 18004, 6.3.8).

    As few modules as the link needs, for on a wall size is what carries and nothing is dirty; where these leave room,
    it goes into error correction.
    """
    code = segno.make(link, error="l", boost_error=True, micro=False, mode="byte")
    out = io.BytesIO()
    code.save(out, kind="svg", border=4, dark="#000", light="#fff", omitsize=True, xmldecl=False)
    return out.getvalue()
