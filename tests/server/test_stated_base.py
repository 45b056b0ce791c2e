"""A page says where its server is: of a deep link, nothing is asked below its own path."""

import gzip

import pytest

from pages.shell.server.stated_base import SCRIPT
from tests.server.test_served import answer


@pytest.mark.parametrize("path", ["/", "/masks", "/no-such-page?mask=full"])
@pytest.mark.parametrize("taken", ["identity", "gzip"])
def test_every_page_names_the_script_once(server, path, taken):
    status, headers, body = answer(server + path, accept_encoding=taken)
    assert int(headers["content-length"]) == len(body)
    page = gzip.decompress(body) if taken == "gzip" else body
    assert (status, page.count(SCRIPT)) == (200, 1)


@pytest.mark.browser
def test_a_deep_link_asks_at_the_root_of_the_app_alone(screen):
    asked: list[str] = []
    note = lambda request: asked.append(request.url)  # noqa: E731
    screen.page.on("request", note)
    screen.open("/masks", mask="window")
    screen.page.remove_listener("request", note)
    streamlits = [url for url in asked if "_stcore" in url]
    assert sorted(streamlits) == [f"{screen.base}/_stcore/{name}" for name in ("health", "host-config")]
