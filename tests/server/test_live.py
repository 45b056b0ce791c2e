"""The live route: the requests that it understands, the caching of its answers, and its errors."""

import gzip
import json
import logging
import urllib.error
import urllib.request

import brotli
import pytest

from pages.shell import views as registry
from pages.shell.server import live
from pages.shell.server.build import build
from pages.shell.server.question import LONGEST, RESERVED
from pages.shell.server.shared_work import Kept, SharedWork
from pages.shell.state.registry import ALL_FIELDS
from tests.support.app import awaited
from tests.support.live import FORM, Answer, Browser, Views, text


@pytest.fixture
def views(monkeypatch) -> Views:
    fake = Views()
    monkeypatch.setattr(registry, "answered", fake.answered)
    monkeypatch.setattr(live, "_work", SharedWork(live.AT_ONCE, live.WAITING))
    monkeypatch.setattr(live, "_kept", Kept(live.KEPT))
    return fake


def asked(question: str, **how: object) -> Answer:
    async def alone() -> Answer:
        return await Browser(question, **how).asks()

    return awaited(alone())


def posted(question: str, **headers: str) -> Answer:
    return asked("", method="POST", body=question.encode("latin-1"), **{"content_type": FORM} | headers)


def test_views_are_asked_for_by_name_and_get_the_address(views):
    before = text("", page="", language="", heads="2")
    answer = asked(text(["result", "arcs", "result"], lang="zh", heads="4", text="", before=before) + "&text=&heads=8")
    assert answer.status == 200
    assert list(answer.read["views"]) == ["result", "arcs"]
    address = {"heads": "8", "lang": "zh", "text": ""}
    assert views.asked == [("walkthrough", ("result", "arcs"), address, "en", {"heads": "2"})]


def test_the_words_of_a_text_arrive(views):
    asked(text(text="Tübingen 猫 & more"))
    assert views.asked[0][2] == {"text": "Tübingen 猫 & more"}


def test_no_control_has_a_name_that_is_reserved():
    assert RESERVED.isdisjoint(ALL_FIELDS)


def test_a_question_as_form_is_answered_as_one_in_the_address(views):
    got, sent = asked(text(heads="4")), posted(text(heads="4"), content_type=f"{FORM}; charset=utf-8")
    assert (sent.status, sent.body) == (200, got.body)
    assert views.asked[0] == views.asked[1]


REFUSED = {
    "no view": (text(""), "view: a question names 1 to 64 views, this one 0"),
    "many views": (text([f"a{n}" for n in range(65)]), "view: a question names 1 to 64 views, this one 65"),
    "no page": (text(page=""), "page: missing, where the name of a page is asked for"),
    "no language": (text(language=""), "language: missing, where en or zh is asked for"),
    "a strange language": (text(language="<b>" + "x" * 99), f"language: '<b>{'x' * 37}', where en or zh is asked for"),
    "many arguments": ("a=1&" * 1000 + text(), "the question: at most 1000 arguments, not 1003"),
    "a long way back": (text(before="a=1&" * 1001), "before: at most 1000 arguments, not 1002"),
}


@pytest.mark.parametrize(("asking", "sentence"), REFUSED.values(), ids=REFUSED)
def test_a_damaged_question_is_told_what_is_wrong(views, asking, sentence):
    for answer in (asked(asking), posted(asking)):
        assert (answer.status, answer.read) == (400, {"error": sentence})
        assert answer.headers["cache-control"] == "no-store"
    assert not views.asked


def test_what_is_no_question_is_not_read(views):
    long = text(text="x" * LONGEST)
    assert [asked(long).status, posted(long).status] == [413, 413]
    answer = posted(text(), content_type="application/json")
    assert (answer.status, answer.read["error"]) == (
        415,
        f"content-type: 'application/json', where {FORM} is asked for",
    )
    assert [asked(text(), method=method).status for method in ("PUT", "DELETE")] == [405, 405]
    assert not views.asked


PACKED = {"gzip, deflate, br, zstd": "br", "gzip": "gzip", "identity": ""}
UNPACK = {"br": brotli.decompress, "gzip": gzip.decompress, "": bytes}


@pytest.mark.parametrize(("taken", "encoding"), PACKED.items())
def test_an_answer_is_packed_as_the_browser_takes_it(views, taken, encoding):
    plain, packed = asked(text()), asked(text(), accept_encoding=taken)
    assert packed.headers.get("content-encoding", "") == encoding
    assert UNPACK[encoding](packed.body) == plain.body
    assert set(packed.headers["vary"].split(", ")) == {"Accept-Encoding"}
    assert (packed.headers["etag"] == plain.headers["etag"]) == (not encoding)
    assert int(packed.headers["content-length"]) == len(packed.body)


def test_a_small_answer_is_not_packed(views):
    views.blocks = []
    answer = asked(text(), accept_encoding="br")
    assert "content-encoding" not in answer.headers
    assert answer.body == b'{"views":{"result":{"stamp":"1","blocks":[]}},"adjusted":{}}'


def test_others_may_keep_the_answer_of_this_build_alone(views):
    mine, other, none = text(build=build()), text(build="0" * 12), text()
    assert [asked(one).headers["cache-control"] for one in (mine, other, none)] == [live.CACHED, "no-store", "no-store"]
    assert posted(mine).headers["cache-control"] == "no-store"
    assert asked(mine).body == asked(other).body


@pytest.mark.parametrize("held", ["{}", "W/{}", '"1", {}'])
def test_what_the_browser_has_is_not_sent(views, held):
    tag = asked(text(build=build())).headers["etag"]
    answer = asked(text(build=build()), if_none_match=held.format(tag))
    assert (answer.status, answer.body) == (304, b"")
    assert (answer.headers["etag"], answer.headers["cache-control"]) == (tag, live.CACHED)
    assert asked(text(), if_none_match='"1"').status == 200


def test_another_answer_has_another_tag(views):
    tag = asked(text()).headers["etag"]
    assert asked(text(heads="2")).headers["etag"] == tag
    views.blocks = ["another"]
    assert asked(text(heads="3")).headers["etag"] != tag


def test_an_answer_is_kept_and_one_to_a_form_is_not(views):
    for _ in range(2):
        assert asked(text(heads="4")).body == asked(text(heads="4", build=build())).body
    assert len(views.asked) == 1
    for _ in range(2):
        posted(text(heads="4"))
    assert len(views.asked) == 3


def test_every_answer_has_the_headers_of_all_others(views):
    for answer in (asked(text()), asked("")):
        assert answer.headers["x-content-type-options"] == "nosniff"
        assert "frame-ancestors 'self'" in answer.headers["content-security-policy"]
        assert answer.headers["content-type"] == "application/json"
        assert "set-cookie" not in answer.headers


def test_a_view_that_fails_takes_nothing_else_with_it(views, caplog):
    views.error = RuntimeError("the secret of line 7")
    failed = asked(text(text="my own words"))
    assert (failed.status, failed.headers["cache-control"]) == (500, "no-store")
    assert failed.read == {"error": "the figures could not be computed; the server's log says why"}
    (line,) = caplog.records
    assert line.getMessage() == "Failed: 'walkthrough', views ('result',)"
    assert "the secret of line 7" in logging.Formatter().format(line)
    assert "my own words" not in line.getMessage()
    views.error = None
    assert asked(text(text="my own words")).status == 200


@pytest.mark.parametrize("block", [float("nan"), {1, 2}])
def test_what_is_no_json_is_a_failure(views, caplog, block):
    views.blocks = [block]
    assert asked(text()).status == 500
    assert len(caplog.records) == 1


@pytest.mark.parametrize(("error", "lines"), [(registry.UnknownViewError, 0), (ValueError, 1)])
def test_a_view_that_does_not_know_what_is_meant_says_so(views, caplog, error, lines):
    views.error = error("walkthrough has no view 'x'")
    answer = asked(text())
    assert (answer.status, answer.read) == (400, {"error": "walkthrough has no view 'x'"})
    assert len(caplog.records) == lines


@pytest.mark.parametrize("path", ["/live", "/assets/votes", "/assets/qr"])
def test_a_browser_that_leaves_while_it_is_read_leaves_no_trace(views, caplog, path):
    async def leaves() -> None:
        browser = Browser(method="POST", path=path, body=text().encode(), content_type=FORM)
        browser.left.set()
        await browser.asks()

    awaited(leaves())
    assert not caplog.records
    assert not views.asked


def test_the_server_answers_by_the_route(server):
    """Unknown paths are answered with Streamlit's page, but this path is not."""
    with pytest.raises(urllib.error.HTTPError) as refused:
        urllib.request.urlopen(f"{server}/live?{text('no such view')}", timeout=30)
    assert refused.value.code == 400
    assert "no such view" in json.loads(refused.value.read())["error"]
