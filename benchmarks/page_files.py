"""What a browser without a cache fetches: the page and all its files."""

import contextlib
import http.client
import re
from http import HTTPStatus

from benchmarks.server import ROOT
from pages.shell.server.plotly_js import ADDRESS

# Seconds for which a visitor waits for any answer.
PATIENCE = 60.0
_FILES = re.compile(r'(?:src|href)="\./(static/[^"]+\.(?:js|css))"')
_PLOT = ROOT / "pages" / "shell" / "component" / "browser"
_OURS = [ADDRESS, *(f"assets/plot/{file.name}" for file in sorted(_PLOT.glob("*.[jc]s*")))]


def fetched(base: str) -> int:
    """The bytes of the page and of all its files as they come over the wire, by one connection that is kept open."""
    connection = http.client.HTTPConnection(base.removeprefix("http://"), timeout=PATIENCE)

    def body(path: str, **headers: str) -> bytes:
        connection.request("GET", f"/{path}", headers=headers)
        answer = connection.getresponse()
        if answer.status != HTTPStatus.OK:
            raise OSError(f"/{path} was answered with {answer.status}")
        return answer.read()

    with contextlib.closing(connection):
        # The page alone unpacked: its text names the others.
        first = body("")
        files = dict.fromkeys([*_FILES.findall(first.decode()), *_OURS])
        packed = {"accept-encoding": "gzip"}
        return len(first) + sum(len(body(file, **packed)) for file in files)
