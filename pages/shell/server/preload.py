"""Preload links: a page names the files of its figures, which the browser fetches while it starts Streamlit."""

from pathlib import Path

from starlette.datastructures import MutableHeaders
from starlette.types import Scope

from pages.shell.server.headers import Heading
from pages.shell.server.plotly_js import ADDRESS

_PLOT = Path(__file__).resolve().parent.parent / "component" / "browser"
# Addresses as on every page, whatever path the app has behind a proxy. plotly.js is more than all others together, and
# needed last.
LINKS = ", ".join(
    [
        *(f"<assets/plot/{file.name}>; rel=modulepreload" for file in sorted(_PLOT.glob("*.js"))),
        *(f"<assets/plot/{file.name}>; rel=preload; as=style" for file in sorted(_PLOT.glob("*.css"))),
        f"<{ADDRESS}>; rel=modulepreload; fetchpriority=low",
    ]
)


class Ahead(Heading):
    """ASGI middleware that adds the preload links to every page."""

    def change(self, scope: Scope, headers: MutableHeaders) -> None:
        if headers.get("content-type", "").startswith("text/html"):
            headers.append("link", LINKS)
