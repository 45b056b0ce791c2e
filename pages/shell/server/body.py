"""The body of a request, up to a limit, for routes that read one."""

from starlette.requests import ClientDisconnect, Request


async def read(request: Request, most: int) -> bytes | None:
    """The body of a request. None: it is longer than `most` bytes, or its browser has left and hears no answer."""
    body = bytearray()
    try:
        async for piece in request.stream():
            body += piece
            if len(body) > most:
                return None
    except ClientDisconnect:
        # A page that was closed is no error, and its traceback would hide those that are.
        return None
    return bytes(body)
