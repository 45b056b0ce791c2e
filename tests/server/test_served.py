"""The server's answers: compressed files, and headers that keep a browser from doing harm."""

import gzip
import http.client
import re
import time
import urllib.error
import urllib.request
from pathlib import Path

import brotli
import pytest

from pages.shell.server import plotly_js

STYLES = Path(__file__).resolve().parents[2] / "pages" / "shell" / "component" / "browser"
PLOTLY = f"/{plotly_js.ADDRESS}"
UNPACKED = {"br": brotli.decompress, "gzip": gzip.decompress, None: bytes}


def answer(address: str, **headers: str):
    """Status, headers and body as they are sent."""
    wanted = urllib.request.Request(address, headers={name.replace("_", "-"): value for name, value in headers.items()})
    try:
        with urllib.request.urlopen(wanted, timeout=30) as answer:
            return answer.status, answer.headers, answer.read()
    except urllib.error.HTTPError as error:
        return error.code, error.headers, error.read()


@pytest.mark.parametrize(
    ("taken", "encoding"),
    [
        ("gzip, deflate, br, zstd", "br"),
        ("br;q=0, gzip;q=0.5", "gzip"),
        ("gzip", "gzip"),
        ("identity", None),
    ],
)
def test_a_file_arrives_whole_in_the_best_encoding_that_is_taken(server, taken, encoding):
    for _ in range(2):
        status, headers, body = answer(server + PLOTLY, accept_encoding=taken)
        assert (status, headers["content-encoding"]) == (200, encoding)
        hint, _, script = UNPACKED[encoding](body).partition(b"\n")
        assert hint == b"//# allFunctionsCalledOnLoad"
        assert script == plotly_js.INSTALLED.read_bytes()
        assert int(headers["content-length"]) == len(body)


def test_brotli_is_much_smaller(server):
    sizes = {one: len(answer(server + PLOTLY, accept_encoding=one)[2]) for one in ("br", "gzip", "identity")}
    assert sizes["br"] < 0.88 * sizes["gzip"] < 0.3 * sizes["identity"]


def test_a_file_that_the_browser_has_is_not_sent_again(server):
    tag = answer(server + PLOTLY, accept_encoding="br")[1]["etag"]
    status, _, body = answer(server + PLOTLY, accept_encoding="br", if_none_match=tag)
    assert (status, body) == (304, b"")


def test_a_part_of_a_file_is_a_part_of_the_file(server):
    status, headers, body = answer(server + "/assets/plot/plot.css", accept_encoding="br", range="bytes=7-20")
    assert (status, headers["content-encoding"], body) == (206, None, (STYLES / "plot.css").read_bytes()[7:21])


@pytest.mark.parametrize("path", ["/assets/plotly/none.js", "/assets/plot/__init__.py"])
def test_what_is_not_there_is_not_there(server, path):
    assert answer(server + path, accept_encoding="br")[0] == 404


@pytest.mark.parametrize("path", ["/", "/masks", PLOTLY, "/_stcore/health", "/assets/plotly/none.js"])
def test_every_answer_has_its_headers(server, path):
    headers = answer(server + path)[1]
    assert headers["x-content-type-options"] == "nosniff"
    assert headers["referrer-policy"] == "same-origin"
    policy = dict(part.split(" ", 1) for part in headers["content-security-policy"].split("; "))
    assert policy["default-src"] == "'self'"
    assert policy["object-src"] == "'none'"
    assert "unsafe" not in policy["script-src"]
    assert policy["frame-ancestors"] == "'self'"


def test_a_page_may_be_framed_where_it_asks_to_be_embedded(server):
    assert "frame-ancestors *" in answer(f"{server}/masks?embed=true")[1]["content-security-policy"]
    assert "frame-ancestors 'self'" in answer(f"{server}/masks?embed=false")[1]["content-security-policy"]


# All other browser tests check that no page breaks the policy, since a complaint of the console fails them.
@pytest.mark.browser
@pytest.mark.slow
def test_a_script_from_elsewhere_does_not_run(screen):
    screen.open()
    screen.page.evaluate(
        "() => document.body.append(Object.assign(document.createElement('script'), { text: 'window.ran = 1' }))"
    )
    assert screen.page.evaluate("() => window.ran === undefined")
    (complaint,) = screen.complaints
    assert "Content Security Policy" in complaint
    screen.complaints.clear()


@pytest.mark.parametrize("style", sorted(STYLES.glob("*.css")), ids=lambda path: path.name)
def test_no_style_makes_the_browser_judge_the_whole_page_again(style):
    """`:root:has()` made the browser restyle the page for every added element: 0.7 s of each page.
    `.stMainBlockContainer:has()` did so for elements inside it; and a rule with a `:not()` inside is checked again for
    any added element."""
    rules = re.sub(r"/\*.*?\*/", "", style.read_text(encoding="utf-8"), flags=re.DOTALL)
    assert "{" in rules or "@import" in rules
    assert not re.search(r"(:root|html|body|stMain\w*)\S*:has\(", rules)
    assert not re.search(r":has\([^()]*:not\(", rules)


def test_the_second_answer_of_a_connection_is_as_fast_as_the_first(server):
    """Without uvloop, every answer but the first takes at least the 40 ms after which a kernel acknowledges."""
    connection = http.client.HTTPConnection(server.removeprefix("http://"), timeout=30)
    times = []
    for _ in range(20):
        started = time.perf_counter()
        connection.request("GET", "/_stcore/health")
        assert connection.getresponse().read() == b"ok"
        times.append(time.perf_counter() - started)
    connection.close()
    assert min(times[1:]) < 0.03
