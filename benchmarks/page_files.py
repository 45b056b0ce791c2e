"""What a browser without a cache fetches: the page and all its files."""

import contextlib
import html
import http.client
import re
from http import HTTPStatus

# Seconds for which a visitor waits for any answer.
PATIENCE = 60.0
# Of what the page names, its scripts and styles, and the first question for figures.
_FILES = re.compile(r'(?:src|href)="\./((?:static|assets)/[^"]+\.(?:js|css)|live\?[^"]+)"')


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
        files = dict.fromkeys(html.unescape(file) for file in _FILES.findall(first.decode()))
        packed = {"accept-encoding": "gzip"}
        return len(first) + sum(len(body(file, **packed)) for file in files)
