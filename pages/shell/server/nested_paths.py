"""A path of several segments is no page of the app, and becomes one that is not there: "Page not found".

For any path that it does not know, Streamlit answers with its own page, whose files are named relative to it: below
another path than the root, the browser finds none of them, and the page stays blank.
"""

from http import HTTPStatus

from starlette.datastructures import Headers
from starlette.responses import RedirectResponse
from starlette.types import ASGIApp, Message, Receive, Scope, Send


class NestedPaths:
    """ASGI middleware: where Streamlit's page would be the answer to `/a/b`, the browser is sent to `/a-b`."""

    def __init__(self, app: ASGIApp) -> None:
        self.app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        # A lifespan has no path.
        segments = _segments(scope) if scope["type"] == "http" else []
        if len(segments) < 2 or scope["method"] != "GET" or "." in segments[-1]:
            await self.app(scope, receive, send)
            return
        is_page = False

        async def unless_page(message: Message) -> None:
            nonlocal is_page
            if message["type"] == "http.response.start":
                kind = Headers(raw=message["headers"]).get("content-type", "")
                is_page = message["status"] == HTTPStatus.OK and kind.startswith("text/html")
            if not is_page:
                await send(message)

        await self.app(scope, receive, unless_page)
        if is_page:
            query = scope["query_string"].decode("latin-1")
            up = "../" * (len(segments) - 1 + scope["path"].endswith("/"))
            address = f"{up}{'-'.join(segments)}{'?' if query else ''}{query}"
            await RedirectResponse(address, headers={"cache-control": "no-cache"})(scope, receive, send)


def _segments(scope: Scope) -> list[str]:
    """Of the path below what a proxy or a mount has taken off, which stays off: the address is relative."""
    path: str = scope["path"]
    return path.removeprefix(scope.get("root_path", "")).strip("/").split("/")
