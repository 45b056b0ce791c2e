"""The content of Streamlit's page before Streamlit starts: script, styles, and the first question for figures."""

import gzip
import html
import json
import re
import urllib.parse

import pytest

from pages.shell.server.page import SCRIPT, STYLES
from pages.shell.views import first_screen
from tests.server.test_served import answer
from tests.support.app import PAGES, app, mounted

AHEAD = re.compile(r'<link rel="preload" as="fetch" crossorigin href="\./(live\?[^"]*)">')
FETCHED = """() => performance.getEntriesByType('resource').map((one) => new URL(one.name))
  .filter(({ pathname }) => pathname.startsWith('/assets/') || pathname === '/live').map(({ href }) => href)"""


def ahead(address: str, **headers: str) -> list[str]:
    """The questions that a page asks ahead."""
    return [html.unescape(found) for found in AHEAD.findall(answer(address, **headers)[2].decode())]


@pytest.mark.parametrize("path", ["/", "/masks", "/no-such-page?mask=full"])
@pytest.mark.parametrize("taken", ["identity", "gzip"])
def test_every_page_names_script_and_styles_once(server, path, taken):
    status, headers, body = answer(server + path, accept_encoding=taken)
    assert int(headers["content-length"]) == len(body)
    page = gzip.decompress(body) if taken == "gzip" else body
    assert (status, page.count(SCRIPT.encode()), page.count(STYLES.encode())) == (200, 1, 1)
    for name in re.findall(r'"\./(assets/[^"]+)"', SCRIPT + STYLES):
        assert answer(f"{server}/{name}")[0] == 200


@pytest.mark.parametrize("path", ["/assets/plot/mounts.js", "/_stcore/health"])
def test_what_is_no_page_names_none(server, path):
    assert SCRIPT.encode() not in answer(server + path)[2]


@pytest.mark.parametrize(
    ("path", "page"),
    [("/", "walkthrough"), ("/masks?mask=window&width=3&room=me", "masks"), ("/scaling?d=16", "scaling")],
)
def test_the_first_question_is_one_that_is_answered(server, path, page):
    (asked,) = ahead(server + path, accept_language="zh-CN,zh;q=0.9")
    given = urllib.parse.parse_qs(asked.partition("?")[2])
    assert (given["page"], given["language"]) == ([page], ["zh"])
    assert "room" not in given
    status, headers, body = answer(f"{server}/{asked}")
    assert status == 200
    # A view that waits for a task will have another answer later, so this one is not cached.
    assert ("pending" in body.decode()) == (headers["cache-control"] == "no-store")
    assert list(json.loads(body)["views"]) == given["view"]


@pytest.mark.parametrize("path", ["/no-such-page", "/?text=my+own+words", "/?painted=" + 2000 * "A", "/_stcore/health"])
def test_no_question_for_what_is_not_asked_by_address(server, path):
    assert ahead(server + path) == []


def test_markup_in_an_address_stays_text(server):
    (asked,) = ahead(server + '/?mask="><script>x</script>&lang=en')
    assert urllib.parse.parse_qs(asked.partition("?")[2])["mask"] == ['"><script>x</script>']


@pytest.mark.models
@pytest.mark.parametrize("page", PAGES)
def test_the_first_views_of_a_page_are_those_that_it_shows_first(page):
    shown = mounted(app(page)).views
    named = first_screen.names(page)
    # Some of the named views appear only after a click.
    assert [name for name in named if name in shown] == [name for name in shown if name in named]
    # A question may stand above the first view.
    assert named[0] == next(name for name in shown if not name.partition(".")[2].startswith("guess_"))


@pytest.mark.slow
@pytest.mark.browser
@pytest.mark.parametrize("path", ["", "masks?mask=window&width=3"])
def test_a_first_screen_takes_its_figures_from_the_first_question(browser, server, path):
    context = browser.new_context(viewport={"width": 1400, "height": 900}, locale="en-GB")
    try:
        page = context.new_page()
        page.goto(f"{server}/{path}")
        page.wait_for_selector(":root:not([data-opening]) .att-card[data-drawn]")
        shown = page.evaluate(
            "() => [...document.querySelectorAll('.att-view[data-shown]')].map((one) => one.dataset.view)"
        )
        fetched = page.evaluate(FETCHED)
    finally:
        context.close()
    assert len(fetched) == len(set(fetched))
    asked = [urllib.parse.parse_qs(urllib.parse.urlsplit(url).query)["view"] for url in fetched if "/live" in url]
    assert set(asked[0]) <= set(shown)
    # Views that were asked ahead are not asked for again.
    assert not any(set(asked[0]) & set(later) for later in asked[1:])


@pytest.mark.slow
@pytest.mark.browser
def test_a_deep_link_asks_at_the_root_of_the_app_alone(screen):
    asked: list[str] = []
    note = lambda request: asked.append(request.url)  # noqa: E731
    screen.page.on("request", note)
    screen.open("/masks", mask="window")
    screen.page.remove_listener("request", note)
    streamlits = [url for url in asked if "_stcore" in url]
    assert sorted(streamlits) == [f"{screen.base}/_stcore/{name}" for name in ("health", "host-config")]
