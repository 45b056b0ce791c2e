"""Security headers of every answer."""

import base64
import hashlib
import re
from abc import ABC, abstractmethod
from pathlib import Path
from urllib.parse import parse_qs

import streamlit as st
from starlette.datastructures import MutableHeaders
from starlette.types import ASGIApp, Message, Receive, Scope, Send


def _inline() -> str:
    """The hashes of the inline scripts of Streamlit's own page, so that no other inline script runs."""
    page = (Path(st.__file__).parent / "static" / "index.html").read_text(encoding="utf-8")
    scripts = re.findall(r"<script>(.*?)</script>", page, flags=re.DOTALL)
    digests = (base64.b64encode(hashlib.sha256(script.encode()).digest()).decode() for script in scripts)
    return " ".join(f"'sha256-{digest}'" for digest in digests)


# Streamlit imports the text of a component as a blob, and sets styles as it draws; pictures are made in the page as
# data and blobs.
_POLICY = {
    "default-src": "'self'",
    "script-src": f"'self' blob: {_inline()}",
    "style-src": "'self' 'unsafe-inline'",
    "img-src": "'self' data: blob:",
    "font-src": "'self' data:",
    "connect-src": "'self' ws: wss: data: blob:",
    "worker-src": "'self' blob:",
    "object-src": "'none'",
    "base-uri": "'self'",
    "form-action": "'self'",
}
# The page of a figure alone (server/figure.py) has no script of Streamlit's and no socket.
_ALONE = _POLICY | {"script-src": "'self'", "connect-src": "'self' data: blob:", "worker-src": "'none'"}
_OF_A_FIGURE = re.compile(r"/figure/[^/]+")
FIXED = {
    "x-content-type-options": "nosniff",
    # Our address may hold a visitor's own text, which other sites must not see.
    "referrer-policy": "same-origin",
    "permissions-policy": "camera=(), microphone=(), geolocation=(), payment=(), usb=()",
}


def policy(*, embedded: bool = False, alone: bool = False) -> str:
    """The content security policy. embedded: any site may frame the page, as `?embed=true` asks; alone: the policy of
    the page of a figure, which any site may frame, too."""
    parts = (_ALONE if alone else _POLICY) | {"frame-ancestors": "*" if embedded or alone else "'self'"}
    return "; ".join(f"{name} {value}" for name, value in parts.items())


class Heading(ABC):
    """Base of ASGI middleware that changes the headers of every answer."""

    def __init__(self, app: ASGIApp) -> None:
        self.app = app

    @abstractmethod
    def change(self, scope: Scope, headers: MutableHeaders) -> None:
        """Change the headers of the answer to a request."""

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http":
            await self.app(scope, receive, send)
            return

        async def headed(message: Message) -> None:
            if message["type"] == "http.response.start":
                self.change(scope, MutableHeaders(raw=message["headers"]))
            await send(message)

        await self.app(scope, receive, headed)


class Headers(Heading):
    """Add the security headers to every answer."""

    def change(self, scope: Scope, headers: MutableHeaders) -> None:
        asked = parse_qs(scope["query_string"].decode("latin-1"))
        path = scope["path"].removeprefix(scope.get("root_path", ""))
        allowed = policy(embedded="true" in asked.get("embed", []), alone=_OF_A_FIGURE.fullmatch(path) is not None)
        headers.update(FIXED | {"content-security-policy": allowed})
