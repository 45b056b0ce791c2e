"""A page names the files that it is going to need, all of them and no other, and each is fetched once."""

import re
import urllib.parse
import urllib.request

import pytest

from pages.shell.server.preload import LINKS

NAMED = re.findall(r"<([^>]+)>", LINKS)
FETCHED = """() => performance.getEntriesByType('resource').map((one) => new URL(one.name).pathname)
  .filter((path) => path.startsWith('/assets/'))"""


def told(address: str) -> list[str]:
    with urllib.request.urlopen(address, timeout=30) as answer:
        return answer.headers.get_all("link", [])


@pytest.mark.parametrize("page", ["", "masks", "scaling?d=16"])
def test_every_page_names_files_that_are_there(server, page):
    (links,) = told(f"{server}/{page}")
    assert links == LINKS
    for name in NAMED:
        with urllib.request.urlopen(urllib.parse.urljoin(f"{server}/{page}", name), timeout=30) as answer:
            assert answer.status == 200


@pytest.mark.parametrize("path", ["assets/plot/mounts.js", "_stcore/health"])
def test_what_is_no_page_names_none(server, path):
    assert told(f"{server}/{path}") == []


@pytest.mark.browser
def test_a_page_fetches_what_was_named_and_each_file_once(browser, server):
    context = browser.new_context(viewport={"width": 1400, "height": 1000})
    try:
        page = context.new_page()
        page.goto(server)
        page.wait_for_selector(".att-card[data-drawn] .js-plotly-plot")
        assert sorted(page.evaluate(FETCHED)) == sorted(f"/{name}" for name in NAMED)
    finally:
        context.close()
