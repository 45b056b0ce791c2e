"""Paths that people type, or that a project file has, lead to the intended page, and never to a blank one."""

import pytest

from pages.shell.server.nested_paths import NestedPaths
from tests.support.app import awaited


async def _page(scope, receive, send):
    """Streamlit's answer to any unknown path."""
    await send({"type": "http.response.start", "status": 200, "headers": [(b"content-type", b"text/html")]})
    await send({"type": "http.response.body", "body": b"page"})


def led(path: str, query: str = "", accept: str = "text/html", method: str = "GET") -> str | None:
    """The address to which the browser is redirected; None if it gets the page."""
    heard = []

    async def send(message):
        heard.append(message)

    scope = {
        "type": "http", "method": method, "path": path, "query_string": query.encode(),
        "headers": [(b"accept", accept.encode())],
    }  # fmt: skip
    awaited(NestedPaths(_page, ours=("figure",))(scope, None, send))
    return next((value.decode() for name, value in heard[0]["headers"] if name == b"location"), None)


@pytest.mark.parametrize(
    ("path", "to"),
    [
        ("/", None),
        ("/masks", None),
        ("/walkthrough", "./"),
        ("/Walkthrough", "./"),
        ("/MASKS", "./masks"),
        ("/fewer-keys", "./fewer_keys"),
        ("/masks.py", "./masks"),
        ("/pages/walkthrough.py", "../"),
        ("/pages/masks.py/", "../../masks"),
        ("/a/b.html", "../a-b-html"),
        ("/a.html", "./a-html"),
        ("/a/b/c/", "../../../a-b-c"),
        ("/https:evil.example", "./https:evil-example"),
        ("/nothing", None),
        ("/figure/masks.every_mask", None),
    ],
)
def test_a_path_leads_to_the_page_that_it_means(path, to):
    assert led(path) == to
    if to is not None:
        assert led(path, "mask=full&x=%C3%A9") == f"{to}?mask=full&x=%C3%A9"


def test_a_script_that_is_not_there_and_a_form_are_left_alone():
    assert led("/assets/old.js", accept="*/*") is None
    assert led("/MASKS", method="POST") is None


def test_the_walkthrough_has_its_name(server):
    import urllib.request

    request = urllib.request.Request(f"{server}/walkthrough?seed=7", headers={"accept": "text/html"})
    with urllib.request.urlopen(request, timeout=30) as answer:
        assert answer.url == f"{server}/?seed=7"
