"""The page says where its server is, so that a deep link asks once.

Streamlit's page looks for the server below its own path first: of `/masks` it asks for `/masks/_stcore/health` and
`/masks/_stcore/host-config`, is told twice that they are not there, waits .1 s and asks at the root. An answer of 200
would make it take `/masks` for the root of the app. `component/browser/base.js` names the root instead.
"""

import re
from http import HTTPStatus

from starlette.datastructures import MutableHeaders
from starlette.types import ASGIApp, Message, Receive, Scope, Send

# A module, as Streamlit's own script is: modules run in the order in which the page names them.
SCRIPT = b'<script type="module" src="./assets/plot/base.js"></script>'
_PLACE = b"<head>"
# Files have an ending; nothing below `_stcore` is a page, and `/live` packs its answers itself.
_NO_PAGE = re.compile(r"\.\w+$|/_stcore/|/live$")


class StatedBase:
    """ASGI middleware that names the script in every page."""

    def __init__(self, app: ASGIApp) -> None:
        self.app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http" or scope["method"] != "GET" or _NO_PAGE.search(scope["path"]):
            await self.app(scope, receive, send)
            return
        # Streamlit packs its page itself, where that is taken; ours is packed further out.
        headers = [one for one in scope["headers"] if one[0] != b"accept-encoding"]
        scope = {**scope, "headers": headers}
        start: Message | None = None
        body = b""

        async def named(message: Message) -> None:
            nonlocal start, body
            if message["type"] == "http.response.start" and _is_page(message):
                start = message
                return
            if start is None:
                await send(message)
                return
            body += message.get("body", b"")
            if message.get("more_body", False):
                return
            whole = body.replace(_PLACE, _PLACE + SCRIPT, 1)
            MutableHeaders(raw=start["headers"])["content-length"] = str(len(whole))
            await send(start)
            await send({"type": "http.response.body", "body": whole})

        await self.app(scope, receive, named)


def _is_page(start: Message) -> bool:
    kind = MutableHeaders(raw=start["headers"]).get("content-type", "")
    return bool(start["status"] == HTTPStatus.OK and kind.startswith("text/html"))
