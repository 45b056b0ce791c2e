"""A figure under its own address: as a page that any site may frame, as a picture, as data, and by oEmbed."""

import json
import re
from functools import cache
from html.parser import HTMLParser
from pathlib import Path
from urllib.parse import parse_qs, urlencode, urlsplit
from xml.etree import ElementTree

import pytest

from pages.shell import views as registry
from pages.shell.exports.embedded import controls, figure
from pages.shell.i18n import say
from pages.shell.runs import results
from pages.shell.runs.results import Results
from pages.shell.screen import Screen
from pages.shell.server import figure as route
from pages.shell.server.headers import policy
from pages.shell.server.shared_work import Kept, SharedWork
from pages.shell.state import beside_figures
from pages.shell.state.registry import BY_PAGE, HOME
from tests.support.app import awaited
from tests.support.covering import EVERY_TEST, some
from tests.support.live import Answer, Browser

NAMES = figure.names()
KNOWN = Path(__file__).with_name("figure_names.txt").read_text(encoding="utf-8").split()
SVG = "{http://www.w3.org/2000/svg}"
HOST = "example.org"


@pytest.fixture(autouse=True)
def work(monkeypatch) -> None:
    # The places of the work belong to the test's event loop.
    for name in ("_quick", "_slow"):
        monkeypatch.setattr(route, name, SharedWork(route.AT_ONCE, route.WAITING))
    monkeypatch.setattr(route, "_kept", Kept(route.KEPT))


def asked(name: str, query: str = "", **headers: str) -> Answer:
    async def alone() -> Answer:
        return await Browser(query, path=f"/figure/{name}", **{"host": HOST} | headers).asks()

    return awaited(alone())


def embedded(**query: str) -> Answer:
    async def alone() -> Answer:
        return await Browser(urlencode(query), path="/oembed", host=HOST).asks()

    return awaited(alone())


class Page(HTMLParser):
    """A page as a browser reads it: its elements in order, each with its attributes and its text."""

    def __init__(self, answer: Answer) -> None:
        super().__init__()
        self.elements: list[tuple[str, dict[str, str], list[str]]] = []
        self.feed(answer.body.decode())

    def handle_starttag(self, tag, attrs):
        self.elements.append((tag, dict(attrs), []))

    def handle_data(self, data):
        if self.elements:
            self.elements[-1][2].append(data)

    def all(self, tag: str, **attributes: str) -> list[tuple[dict[str, str], str]]:
        return [
            (given, "".join(texts))
            for name, given, texts in self.elements
            if name == tag and attributes.items() <= given.items()
        ]

    def one(self, tag: str, **attributes: str) -> tuple[dict[str, str], str]:
        (found,) = self.all(tag, **attributes)
        return found

    @property
    def given(self) -> dict:
        return json.loads(self.one("script", id="att-given")[1])


@pytest.fixture
def drawn(monkeypatch) -> list[str]:
    """Replaces all views by ones that show one text each; returns the names of the requested views."""
    names: list[str] = []

    def answered(page, asked, parameters, language):
        names.extend(asked)
        block = {"kind": "text", "html": f"<p>{asked[0]} of {page}</p>"}
        return {"views": {name: {"stamp": "1", "blocks": [block]} for name in asked}}

    monkeypatch.setattr(registry, "answered", answered)
    return names


@pytest.mark.slow
def test_every_view_is_a_page(drawn, subtests):
    for name in NAMES:
        with subtests.test(name):
            answer = asked(name)
            assert answer.status == 200
            assert Page(answer).given["view"] == name
    assert set(drawn) == set(NAMES)


def with_models(names: list[str]) -> list:
    """Views of real models are tested both with the models and without."""
    return [pytest.param(name, marks=pytest.mark.models) if name.startswith("models.") else name for name in names]


@pytest.mark.parametrize("name", with_models(some(NAMES, len(NAMES) if EVERY_TEST else 24)))
def test_a_page_has_the_figure_and_its_sentence(name):
    page = Page(asked(name, "lang=en"))
    (came,) = [(given, text) for given, text in page.all("script") if "data-asked" in given]
    shown = json.loads(came[1])["views"][name]
    assert set(shown) in ({"pending"}, {"stamp", "blocks"})
    assert parse_qs(came[0]["data-asked"])["view"] == [name]
    assert page.one("meta", name="description")[0]["content"]
    full = page.one("a", target="_blank")[0]["href"]
    assert urlsplit(full).path in (page.given["context"]["page"], "")


def test_no_name_that_somebody_may_have_used_is_lost():
    """`figure.RENAMED` keeps the former name of a renamed view, and the list has every new name."""
    assert [name for name in KNOWN if figure.RENAMED.get(name, name) not in NAMES] == []
    assert sorted(set(NAMES) - set(KNOWN)) == []


def test_a_former_name_leads_to_the_view(drawn, monkeypatch):
    monkeypatch.setitem(figure.RENAMED, "masks.former", "masks.every_mask")
    assert Page(asked("masks.former")).given["view"] == "masks.every_mask"


def test_a_figure_may_be_framed_and_nothing_else():
    for name in ("masks.every_mask", "masks.every_mask.svg", "masks.nothing"):
        allowed = asked(name).headers["content-security-policy"]
        assert "frame-ancestors *" in allowed
        assert "script-src 'self';" in allowed
    for path in ("/live", "/figure", "/figure/", "/oembed", "/file"):
        headers = awaited(Browser(path=path, host=HOST).asks()).headers
        assert headers["content-security-policy"] == policy()
    assert "frame-ancestors 'self'" in policy()


def test_it_needs_no_script_of_streamlit():
    page = Page(asked("walkthrough.arcs", accept_encoding="gzip"[:0]))
    sources = {given["src"] for given, _ in page.all("script") if "src" in given}
    assert sources == {"./assets/plot/alone.js"}
    assert {given["type"] for given, _ in page.all("script")} == {"module", "application/json"}


@pytest.mark.parametrize("name", ["walkthrough.arcs", "masks.every_mask", "costs.shares"])
def test_a_page_is_small(name):
    assert len(asked(name, accept_encoding="gzip").body) < 30_000


@pytest.mark.parametrize(("language", "said"), [("en", "en"), ("zh-CN,zh;q=0.9", "zh-Hans")])
def test_it_speaks_as_the_browser_does_where_the_address_is_silent(drawn, language, said):
    assert Page(asked("masks.every_mask", accept_language=language)).one("html")[0]["lang"] == said
    assert Page(asked("masks.every_mask", "lang=en", accept_language=language)).one("html")[0]["lang"] == "en"


@pytest.mark.parametrize("theme", figure.THEMES)
def test_each_theme_is_said_to_the_styles(drawn, theme):
    assert Page(asked("masks.every_mask", f"theme={theme}")).one("html")[0]["data-theme"] == theme


def test_bad_settings_become_the_nearest_and_are_told():
    page = Page(asked("masks.every_mask", "lang=en&dropout=7&haeds=3&theme=red&controls=heads,foo&head=99"))
    told = " ".join(text.strip() for _, _, texts in page.elements for text in texts)
    for part in ("dropout : 7 → 0.9", "haeds", "theme : red → auto", "foo", "head : 99 → 4"):
        assert part in told
    assert [one["name"] for one in page.given["controls"]] == ["heads"]
    assert page.one("html")[0]["data-theme"] == "auto"


def test_an_unknown_figure_is_told_with_those_that_look_like_it():
    answer = asked("masks.evry_mask", accept_language="en")
    assert answer.status == 404
    assert answer.body.decode().startswith(say("figure.unknown", "en", name="masks.evry_mask"))
    assert "masks.every_mask" in answer.body.decode()
    chinese = asked("masks.evry_mask.svg", accept_language="zh")
    assert chinese.body.decode().startswith(say("figure.unknown", "zh", name="masks.evry_mask"))
    assert asked("contents.thumbnail").status == 404


def test_a_damaged_address_is_told():
    answer = asked("masks.every_mask", "a=1&" * 1001)
    assert (answer.status, answer.body) == (400, b"the address: at most 1000 arguments, not 1002")


@pytest.mark.parametrize("page", BY_PAGE)
def test_each_control_that_is_offered_has_an_input(page):
    names = beside_figures.possible(page)
    assert set(beside_figures.offered(page)) <= set(names)
    for name in names:
        told = controls.described(name, Screen(page, {}, "en"))
        assert told["label"]
        match told["kind"]:
            case "steps" | "choice":
                assert told["first"] in [option for option, _ in told["options"]]
            case "range" | "number":
                assert told["low"] <= float(told["first"]) <= told["high"]
            case kind:
                assert kind in ("flag", "text", "lines")


def test_sizes_that_a_preset_brings_cannot_be_moved():
    fixed = controls.described("heads", Screen(HOME, {"preset": "story"}, "en"))
    assert len(fixed["options"]) == 1
    assert len(controls.described("heads", Screen(HOME, {}, "en"))["options"]) > 1


def test_heads_go_as_far_as_there_are_heads():
    assert controls.described("head", Screen(HOME, {"heads": "2"}, "en"))["high"] == 2


EVIL = "</script><svg/onload=alert(1)> \"' &amp;"


def test_what_a_visitor_typed_stays_text():
    query = urlencode({"preset": "random", "text": EVIL, "lang": "en"})
    # The labels of the arcs contain the whole sentence, and not only its tokens.
    answer = asked("walkthrough.arcs", query)
    assert b"\\u003csvg/onload" in answer.body
    assert b"<svg/onload" not in answer.body
    assert b"</script><" not in answer.body.replace(b"</script>\n<", b"")
    assert [given for given, _ in Page(answer).all("svg")] == []
    picture = ElementTree.fromstring(asked("walkthrough.weights.svg", query).body)
    tags = {element.tag.removeprefix(SVG) for element in picture.iter()}
    assert tags <= {"svg", "title", "desc", "rect", "path", "text"}
    assert any((element.text or "").startswith("<") for element in picture.iter(SVG + "text"))


def test_a_text_that_no_xml_can_hold_is_a_picture_all_the_same():
    query = urlencode({"preset": "random", "text": "a\ud7ff\ufffe\uffff b"}, errors="surrogatepass")
    assert ElementTree.fromstring(asked("walkthrough.weights.svg", query).body).tag == SVG + "svg"


@pytest.mark.parametrize(
    "name", ["masks.every_mask", "walkthrough.arcs", "costs.shares", "one_query.vectors", "heads.facts"]
)
def test_a_picture_says_what_it_shows(name):
    page = Page(asked(name, "lang=en"))
    sentence = page.one("meta", name="description")[0]["content"]
    svg, png = asked(f"{name}.svg", "lang=en"), asked(f"{name}.png", "lang=en")
    assert (svg.headers["content-type"], png.headers["content-type"]) == ("image/svg+xml", "image/png")
    picture = ElementTree.fromstring(svg.body)
    assert (picture.find(SVG + "title").text, picture.find(SVG + "desc").text) == (page.one("h1")[1].strip(), sentence)
    assert png.body.startswith(b"\x89PNG")
    assert sentence.encode() in png.body
    for answer in (svg, png):
        assert answer.headers["access-control-allow-origin"] == "*"
        assert answer.headers["cache-control"] == "public, max-age=3600"


def test_what_has_no_picture_says_so():
    for ending in ("svg", "png"):
        answer = asked(f"walkthrough.film.{ending}", "lang=en")
        assert (answer.status, answer.body.decode()) == (501, say("figure.no_picture", "en", name="walkthrough.film"))
        assert answer.headers["cache-control"] == "no-store"


def test_data_are_the_numbers_of_the_figure():
    told = asked("masks.every_mask.json", "lang=en&mask=causal").read
    assert (told["figure"], told["settings"]) == ("masks.every_mask", {"mask": "causal"})
    matrices = [part for part in told["parts"] if part["kind"] == "matrix"]
    assert len(matrices) == 5
    for matrix in matrices:
        assert len(matrix["rows"]["names"]) == len(matrix["values"])
        for row in matrix["values"]:
            assert sum(one for one in row if one is not None) == pytest.approx(1, abs=1e-5)
    # Under the causal mask, later words have no number.
    causal = matrices[1]["values"]
    assert all(causal[row][column] is None for row in range(len(causal)) for column in range(row + 1, len(causal)))


def test_data_of_a_chart_have_its_series():
    (chart,) = [part for part in asked("costs.shares.json", "lang=en").read["parts"] if part["kind"] == "chart"]
    assert all(len(one["x"]) == len(one["y"]) for one in chart["series"])
    assert "stamp" not in json.dumps(asked("walkthrough.strip.json").read)


def test_an_experiment_is_computed_for_its_data(monkeypatch):
    monkeypatch.setattr(results, "results", cache(lambda of: Results(results.MOST[of])))
    address = ("scaling.variance", "lang=en")
    assert say("figure.computing", "en") in asked(*address).body.decode()
    told = asked("scaling.variance.json", "lang=en")
    assert (told.status, told.read["parts"][0]["kind"]) == (200, "chart")
    assert say("figure.computing", "en") not in asked(*address).body.decode()


def test_what_its_page_alone_can_compute_says_so():
    # Forget the measurements of other tests.
    results.results.cache_clear()
    for ending in ("svg", "png", "json"):
        answer = asked(f"costs.times.{ending}", "lang=en")
        assert (answer.status, answer.body.decode()) == (501, say("figure.pending", "en"))


def test_one_address_is_computed_once(drawn):
    first = asked("masks.every_mask", "heads=2")
    assert asked("masks.every_mask", "heads=2").body == first.body
    again = asked("masks.every_mask", "heads=2", if_none_match=first.headers["etag"])
    assert (again.status, again.body) == (304, b"")
    assert len(drawn) == 1
    asked("masks.every_mask", "heads=3")
    assert len(drawn) == 2


def test_a_view_that_fails_tells_nobody_why(monkeypatch, caplog):
    def fails(*_):
        raise RuntimeError("the secret of line 7")

    monkeypatch.setattr(registry, "answered", fails)
    answer = asked("masks.every_mask", "text=my+own+words")
    assert (answer.status, answer.headers["cache-control"]) == (500, "no-store")
    assert "secret" not in answer.body.decode()
    (line,) = caplog.records
    assert "my own words" not in line.getMessage()


URL = f"http://{HOST}/figure/masks.every_mask?mask=causal&controls=heads,mask&text=a%26b"


def test_a_site_that_asks_gets_a_frame():
    told = embedded(url=URL, maxwidth="600", maxheight="60").read
    assert (told["version"], told["type"], told["width"], told["height"]) == ("1.0", "rich", 600, 120)
    frame = re.fullmatch(r'<iframe src="([^"]*)".*></iframe>', told["html"])
    source = urlsplit(frame[1].replace("&amp;", "&"))
    assert (source.netloc, source.path) == (HOST, "/figure/masks.every_mask")
    assert parse_qs(source.query) == {"mask": ["causal"], "controls": ["heads,mask"], "text": ["a&b"]}


def test_the_page_names_the_address_that_a_site_asks():
    given, _ = Page(asked("masks.every_mask", "mask=causal", x_forwarded_proto="https")).one("link", rel="alternate")
    link = urlsplit(given["href"])
    assert (link.scheme, link.netloc, link.path) == ("https", HOST, "/oembed")
    (url,) = parse_qs(link.query)["url"]
    assert url == f"https://{HOST}/figure/masks.every_mask?mask=causal"
    assert embedded(url=url).read["provider_url"] == f"https://{HOST}/"


@pytest.mark.parametrize(
    ("query", "status"),
    [
        ({"url": "http://elsewhere.org/figure/masks.every_mask"}, 404),
        ({"url": f"http://{HOST}/masks"}, 404),
        ({"url": f"http://{HOST}/figure/masks.fife"}, 404),
        ({}, 404),
        ({"url": URL, "format": "xml"}, 501),
        ({"url": URL, "maxwidth": "wide"}, 400),
        ({"url": URL, "maxheight": "9" * 6}, 400),
    ],
)
def test_no_frame_for_anything_else(query, status):
    assert embedded(**query).status == status
