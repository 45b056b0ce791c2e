"""The live route without a server: an app of our routes, and a registry of views that waits for the test."""

import asyncio
import json
import threading
from collections.abc import Awaitable, Callable, Iterable
from typing import Any, NamedTuple
from urllib.parse import urlencode

from starlette.applications import Starlette

from pages.shell.server.app import MIDDLEWARE, ROUTES

FORM = "application/x-www-form-urlencoded"
PATIENCE = 20.0


class Answer(NamedTuple):
    """The answer that a browser gets: as sent, and decoded."""

    status: int
    headers: dict[str, str]
    body: bytes

    @property
    def read(self) -> Any:
        return json.loads(self.body)


class Views:
    """A stand-in for the registry of views. It notes questions; views that are told to wait go on when `go` is set."""

    def __init__(self) -> None:
        self.asked: list[tuple[Any, ...]] = []
        self.begun, self.go = threading.Event(), threading.Event()
        self.error: Exception | None = None
        self.blocks: list[Any] = ["a block of a figure"] * 300

    def answered(self, page: str, names: Iterable[str], parameters: Any, language: str, before: Any) -> dict[str, Any]:
        self.asked.append((page, tuple(names), dict(parameters), language, before))
        if "waits" in names:
            self.begun.set()
            assert self.go.wait(PATIENCE)
        if self.error:
            raise self.error
        return {"views": {name: {"stamp": "1", "blocks": self.blocks} for name in names}, "adjusted": {}}

    @property
    def order(self) -> list[str]:
        return [names[0] for _, names, *_ in self.asked]


def text(view: str | list[str] = "result", **arguments: str) -> str:
    """The text of a question; an argument that is "" is left out."""
    given = {"view": view, "page": "walkthrough", "language": "en"} | arguments
    return urlencode({name: value for name, value in given.items() if value}, doseq=True)


class Browser:
    """One request to the app; `left` is set when the browser of the request goes away."""

    def __init__(
        self, question: str = "", method: str = "GET", path: str = "/live", body: bytes = b"", **headers: str
    ) -> None:
        self.left = asyncio.Event()
        self._body = [body[: len(body) // 2], body[len(body) // 2 :]] if method == "POST" else [b""]
        given = {name.replace("_", "-").encode(): value.encode() for name, value in headers.items()}
        self._scope = {
            "type": "http",
            "method": method,
            "path": path,
            "root_path": "",
            "query_string": question.encode("latin-1"),
            "headers": list(given.items()),
        }

    async def asks(self) -> Answer:
        """The answer of the app; the status is 0 if the app sends nothing."""
        told: list[dict[str, Any]] = []

        async def send(message: dict[str, Any]) -> None:
            told.append(message)

        await asyncio.wait_for(app(self._scope, self._receive, send), PATIENCE)  # type: ignore[arg-type]
        if not told:
            return Answer(0, {}, b"")
        headers = {name.decode(): value.decode() for name, value in told[0]["headers"]}
        return Answer(told[0]["status"], headers, b"".join(message.get("body", b"") for message in told[1:]))

    async def _receive(self) -> dict[str, Any]:
        if self._body and not self.left.is_set():
            return {"type": "http.request", "body": self._body.pop(0), "more_body": bool(self._body)}
        await self.left.wait()
        return {"type": "http.disconnect"}


app = Starlette(routes=ROUTES, middleware=MIDDLEWARE)


async def until(happened: Callable[[], bool]) -> None:
    """Let other tasks run until a condition holds."""

    async def look() -> None:
        while not happened():
            await asyncio.sleep(0)

    await asyncio.wait_for(look(), PATIENCE)


async def together(*requests: Awaitable[Answer]) -> list[Answer]:
    return list(await asyncio.gather(*requests))
