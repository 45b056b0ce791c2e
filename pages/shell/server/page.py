"""Add to Streamlit's page a script, styles and the first question, which our pages need before Streamlit has started.

The script comes before Streamlit's own, and tells it where the server is. Without it, Streamlit's page at `/masks`
first asks for `/masks/_stcore/health` and `/masks/_stcore/host-config`, gets 404 twice, waits .1 s and asks at the root
(browser/base.js). Our styles come after Streamlit's, so that they win at equal specificity, and before anything is
drawn. The figures of the first screen are computed while Streamlit starts (browser/ahead.js).
"""

import html
import re
from http import HTTPStatus
from urllib.parse import parse_qs

from starlette.datastructures import Headers, MutableHeaders
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from pages.shell.i18n import settled
from pages.shell.server.build import build
from pages.shell.views import first_screen

# A module, as Streamlit's own script is: modules run in the order in which the page names them.
SCRIPT = '<script type="module" src="./assets/plot/mounts.js"></script>'
STYLES = '<link rel="stylesheet" href="./assets/plot/styles.css">'
_HEAD, _BODY = "<head>", "<body>"
# Paths that are left alone: files, which have an ending; `_stcore`; `/live`, which packs its answers itself; `/file`,
# pages to print; `/oembed`; and figures alone, which do not use Streamlit.
_NO_PAGE = re.compile(r"\.\w+$|/_stcore/|/live$|/file$|/oembed$|/figure/[^/]*$")


class Page:
    """ASGI middleware that puts the script, the styles and the first question into every page."""

    def __init__(self, app: ASGIApp) -> None:
        self.app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http" or scope["method"] != "GET" or _NO_PAGE.search(scope["path"]):
            await self.app(scope, receive, send)
            return
        # Without accept-encoding Streamlit does not pack its page; middleware outside packs the changed page.
        headers = [one for one in scope["headers"] if one[0] != b"accept-encoding"]
        start: Message | None = None
        body = b""

        async def added(message: Message) -> None:
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
            whole = body.replace(_HEAD.encode(), f"{_HEAD}{_ahead(scope)}{SCRIPT}".encode(), 1)
            whole = whole.replace(_BODY.encode(), f"{_BODY}{STYLES}".encode(), 1)
            MutableHeaders(raw=start["headers"])["content-length"] = str(len(whole))
            await send(start)
            await send({"type": "http.response.body", "body": whole})

        await self.app({**scope, "headers": headers}, receive, added)


def _ahead(scope: Scope) -> str:
    """The first question for figures, as a link that the browser preloads; "" where the page has no question."""
    query = scope["query_string"].decode("latin-1")
    wanted = parse_qs(query).get("lang", [""])[-1]
    language = settled(wanted, Headers(scope=scope).get("accept-language", "").partition(",")[0])
    path = scope["path"].removeprefix(scope.get("root_path", "")).strip("/")
    asked = first_screen.question(path, query, language, build())
    return f'<link rel="preload" as="fetch" crossorigin href="./live?{html.escape(asked)}">' if asked else ""


def _is_page(start: Message) -> bool:
    kind = MutableHeaders(raw=start["headers"]).get("content-type", "")
    return bool(start["status"] == HTTPStatus.OK and kind.startswith("text/html"))
