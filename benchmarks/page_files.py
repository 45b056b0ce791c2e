"""Fetch the page and all its files, as a browser without a cache does."""

import contextlib
import html
import http.client
import re
from http import HTTPStatus

# The most seconds that a visitor waits for an answer.
PATIENCE = 60.0
# Matches the scripts and styles in the page, and its first question for figures.
_FILES = re.compile(r'(?:src|href)="\./((?:static|assets)/[^"]+\.(?:js|css)|live\?[^"]+)"')


def fetched(base: str) -> int:
    """The bytes over the wire of the page and of all its files, by one connection that is kept open."""
    connection = http.client.HTTPConnection(base.removeprefix("http://"), timeout=PATIENCE)

    def body(path: str, **headers: str) -> bytes:
        connection.request("GET", f"/{path}", headers=headers)
        answer = connection.getresponse()
        if answer.status != HTTPStatus.OK:
            raise OSError(f"/{path} was answered with {answer.status}")
        return answer.read()

    with contextlib.closing(connection):
        # The page is fetched unpacked as well, because its text names the files.
        first = body("")
        files = dict.fromkeys(html.unescape(file) for file in _FILES.findall(first.decode()))
        packed = {"accept-encoding": "gzip"}
        return len(first) + sum(len(body(file, **packed)) for file in files)
