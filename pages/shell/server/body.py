"""The body of a request, up to a limit, for routes that read one."""

from starlette.requests import ClientDisconnect, Request


async def read(request: Request, most: int) -> bytes | None:
    """The body of a request; None if it is longer than `most` bytes, or its browser has left."""
    body = bytearray()
    try:
        async for piece in request.stream():
            body += piece
            if len(body) > most:
                return None
    except ClientDisconnect:
        # Closing a page is normal; its traceback would hide real errors.
        return None
    return bytes(body)
