"""Paths that nearly name a page lead to it; other paths that Streamlit does not know become one that is not there.

For any path that it does not know, Streamlit answers with its own page, whose files are named relative to it: below
another path than the root, the browser finds none of them, and the page stays blank. A name with a dot gets Streamlit's
page without what ours adds to it.
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
    """ASGI middleware: where Streamlit's page would be the answer to `/a/b.c`, the browser is sent to `/a-b-c`; of
    `/MASKS`, `/Fewer-Keys` and `/pages/masks.py` to the page of this name, of `/walkthrough` to `/`.

    ours: first parts of paths below which a route of ours answers with pages.
    """

    def __init__(self, app: ASGIApp, ours: Collection[str] = ()) -> None:
        self.app, self._ours = app, ours
        self._pages = frozenset(pages())

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        # A lifespan has no path.
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
            # With "./", since a name with a colon would be another site.
            address = f"{up or './'}{target}{'?' if query else ''}{query}"
            await RedirectResponse(address, headers={"cache-control": "no-cache"})(scope, receive, send)

    def _target(self, segments: list[str]) -> str | None:
        """The path that is meant, "" for the root; None where it is the one that was asked for."""
        if not segments or segments == [""] or segments[0] in self._ours:
            return None
        name = segments[-1].removesuffix(".py").casefold().replace("-", "_")
        is_page = name in self._pages and segments[:-1] in ([], ["pages"])
        target = name.replace(_HOME, "") if is_page else "-".join(segments).replace(".", "-")
        return None if segments == [target] else target


def _wants_page(scope: Scope, name: str) -> bool:
    """Whether somebody opens the path; a script or a picture that is not there is asked for with another Accept."""
    return "." not in name or "text/html" in Headers(scope=scope).get("accept", "")


def _segments(scope: Scope) -> list[str]:
    """Of the path below what a proxy or a mount has taken off, which stays off: the address is relative."""
    path: str = scope["path"]
    return path.removeprefix(scope.get("root_path", "")).strip("/").split("/")
