"""Redirect paths that nearly name a page to that page, and nested unknown paths to a flat one.

Streamlit answers an unknown path with its own page, which names its files relative to the path. Below another path than
the root the browser finds none of these files, and the page stays blank. A path with a dot would get Streamlit's page
without our additions.
"""

from collections.abc import Collection
from http import HTTPStatus

from starlette.datastructures import Headers
from starlette.responses import RedirectResponse
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from pages.shell.lectures.format import pages

# The page that has no path of its own.
_HOME = "walkthrough"


class NestedPaths:
    """ASGI middleware: redirect `/a/b.c` to `/a-b-c` where Streamlit would answer with its page; redirect `/MASKS`,
    `/Fewer-Keys` and `/pages/masks.py` to the page of this name, and `/walkthrough` to `/`.

    ours: first segments of paths whose pages come from a route of ours.
    """

    def __init__(self, app: ASGIApp, ours: Collection[str] = ()) -> None:
        self.app, self._ours = app, ours
        self._pages = frozenset(pages())

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        # A lifespan scope has no path.
        segments = _segments(scope) if scope["type"] == "http" else []
        target = self._target(segments)
        if target is None or scope["method"] != "GET" or not _wants_page(scope, segments[-1]):
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
            # "./" because a name with a colon would be read as another scheme.
            address = f"{up or './'}{target}{'?' if query else ''}{query}"
            await RedirectResponse(address, headers={"cache-control": "no-cache"})(scope, receive, send)

    def _target(self, segments: list[str]) -> str | None:
        """The path to redirect to, "" for the root; None to leave the path as it is."""
        if not segments or segments == [""] or segments[0] in self._ours:
            return None
        name = segments[-1].removesuffix(".py").casefold().replace("-", "_")
        is_page = name in self._pages and segments[:-1] in ([], ["pages"])
        target = name.replace(_HOME, "") if is_page else "-".join(segments).replace(".", "-")
        return None if segments == [target] else target


def _wants_page(scope: Scope, name: str) -> bool:
    """Whether a visitor opens the path; the request for a missing script or picture has another Accept header."""
    return "." not in name or "text/html" in Headers(scope=scope).get("accept", "")


def _segments(scope: Scope) -> list[str]:
    """The segments of the path below the root path of a proxy or a mount; the redirect is relative to the path."""
    path: str = scope["path"]
    return path.removeprefix(scope.get("root_path", "")).strip("/").split("/")
