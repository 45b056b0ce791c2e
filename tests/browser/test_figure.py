"""A figure in a page of another origin: it is drawn, moved, read and measured there, and the app is not."""

import http.server
import json
import threading
from collections.abc import Iterator
from urllib.parse import urlencode

import pytest
from playwright.sync_api import Frame, Page

from pages.shell.exports.embedded.palettes import palette
from tests.browser.test_axe import AXE, JUDGED
from tests.server.test_served import answer
from tests.support.browser import Screen

pytestmark = [
    pytest.mark.browser,
    pytest.mark.fast(
        "test_in_a_page_of_another_origin_a_figure_follows_its_slider_and_tells_its_height",
        "test_the_lines_to_copy_lead_to_the_figure",
    ),
]

# A minimal course page: a frame, and a script that listens for heights.
HOST = """<!doctype html><title>A course</title><body><iframe id="one" title="figure" width="900" height="300"></iframe>
<script>window.heard = []; addEventListener("message", ({{source, data}}) => heard.push(data));
one.onload = () => one.contentWindow.postMessage("[iFrameSizer]one:8:false:true:32:true:true", "*");
one.src = {address}</script>"""


@pytest.fixture
def course(screen, server) -> Iterator[tuple[Page, str]]:
    """A page on another port, in a tab of its own, and the base address there: a path below it is framed."""

    class Answers(http.server.BaseHTTPRequestHandler):
        def do_GET(self):
            body = HOST.format(address=json.dumps(server + self.path)).encode()
            self.send_response(200)
            self.send_header("content-type", "text/html")
            self.end_headers()
            self.wfile.write(body)

        def log_message(self, *_):
            pass

    hosting = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Answers)
    threading.Thread(target=hosting.serve_forever, daemon=True).start()
    page = screen.page.context.new_page()
    yield page, f"http://localhost:{hosting.server_port}"
    page.close()
    hosting.shutdown()
    hosting.server_close()


def framed(course: tuple[Page, str], path: str, card: str = ".att-card[data-drawn]") -> Frame:
    """The figure of a path, drawn in the frame of the other page."""
    page, host = course
    page.goto(host + path)
    page.frame_locator("#one").locator(card).first.wait_for()
    return page.frames[1]


def heard(page: Page) -> list:
    return page.evaluate("heard")


DRAWN = "() => document.querySelector('.att-card').dataset.drawn"
ADDRESS = "() => location.search"


def test_in_a_page_of_another_origin_a_figure_follows_its_slider_and_tells_its_height(course):
    page, _ = course
    frame = framed(course, "/figure/walkthrough.arcs?controls=heads,dropout&lang=en")
    before = frame.evaluate(DRAWN)
    slider = frame.locator("input[name=heads]")
    assert slider.get_attribute("aria-valuetext") == "4"
    box = slider.bounding_box()
    page.mouse.move(box["x"] + 0.72 * box["width"], box["y"] + box["height"] / 2)
    page.mouse.down()
    page.mouse.move(box["x"] + 1, box["y"] + box["height"] / 2, steps=4)
    frame.wait_for_function(f"before => ({DRAWN})() !== before", arg=before)
    # The address changes only when the slider is let go.
    assert "heads=1" not in frame.evaluate(ADDRESS)
    page.mouse.up()
    frame.wait_for_function("() => new URLSearchParams(location.search).get('heads') === '1'")
    assert frame.locator("#att-full a").get_attribute("href") == "?heads=1&lang=en"
    page.wait_for_function("() => heard.some((one) => typeof one === 'string' && one.startsWith('[iFrameSizer]'))")
    high = frame.evaluate("() => Math.ceil(document.body.getBoundingClientRect().height)")
    page.wait_for_function("high => heard.some(({ height }) => Math.abs(height - high) <= 1)", arg=high)
    told = heard(page)
    embedly = [json.loads(one) for one in told if isinstance(one, str) and one.startswith("{")][-1]
    canvas = [one for one in told if isinstance(one, dict)][-1]
    resizer = [one for one in told if isinstance(one, str) and one.startswith("[")][-1]
    assert (embedly["context"], canvas["subject"]) == ("iframe.resize", "lti.frameResize")
    assert abs(embedly["height"] - high) <= 1
    assert canvas["height"] == embedly["height"]
    assert resizer.split(":")[0] == "[iFrameSizer]one"
    # The page around the frame is not told the settings inside it.
    assert "heads=1" not in embedly["src"]


@pytest.mark.exhaustive("browser/test_paint.py::test_another_mask_begins_without_strokes_and_has_none_to_take_back")
def test_another_width_beside_a_figure_begins_without_the_painted_cells(course):
    """Painted cells invert the mask, so under another mask a hidden cell would become visible."""
    frame = framed(course, "/figure/masks.paint?mask=window&width=3&painted=ED&controls=width&lang=en")
    slider = frame.locator("input[name=width]")
    slider.focus()
    slider.press("ArrowRight")
    frame.wait_for_function("() => new URLSearchParams(location.search).get('width') === '4'")
    assert "painted" not in frame.evaluate(ADDRESS)


def test_the_app_is_shown_in_no_frame(course):
    page, host = course
    page.goto(host + "/masks")
    page.wait_for_function("() => window.frames.length === 1")
    frame = page.frames[1]
    frame.wait_for_load_state()
    assert not frame.url.startswith("http")


def test_its_numbers_are_a_table_from_the_keyboard(course):
    page, _ = course
    frame = framed(course, "/figure/walkthrough.weights?lang=en")
    frame.locator(".att-more").press("Enter")
    frame.locator("[data-item=table]").press("Enter")
    assert frame.locator(".att-table tr").count() > 2
    page.keyboard.press("Tab")
    assert frame.evaluate("() => document.activeElement !== document.body")


@pytest.mark.parametrize("theme", ["light", "dark"])
def test_its_colours_are_those_of_the_app(screen, theme):
    names = list(palette(theme))
    screen.page.emulate_media(color_scheme=theme)
    screen.look("/masks")
    read = """names => { const style = getComputedStyle(document.querySelector(".att-card"));
        return Object.fromEntries(names.map((name) => [name, style.getPropertyValue(`--st-${name}`)])); }"""
    of_app = screen.page.evaluate(read, names)
    assert {name: of_app[name].lower() for name in names} == palette(theme)


@pytest.mark.parametrize(
    "query", ["controls=heads,mask,text,padding", "theme=dark", "theme=light&lang=zh", "dropout=9&controls=dropout"]
)
def test_nothing_keeps_anybody_from_reading_it(course, query):
    frame = framed(course, f"/figure/masks.every_mask?{query}")
    frame.wait_for_function("() => document.querySelector('h3')?.ariaLevel")
    # The page allows no foreign script, so axe runs by evaluation.
    frame.evaluate(AXE)
    assert not frame.evaluate(JUDGED, None)


def test_a_chart_shows_a_picture_until_it_is_drawn(course, server):
    page, _ = course
    page.route("**/plotly.min.js*", lambda route: route.abort())
    frame = framed(course, "/figure/costs.shares?lang=en", "#att-first svg, .att-table table")
    # plotly.js does not come: the table has the numbers, and the picture goes.
    frame.locator(".att-table table").wait_for()
    frame.wait_for_function("() => !document.getElementById('att-first')")


@pytest.mark.slow
def test_the_lines_to_copy_lead_to_the_figure(screen: Screen, server):
    screen.look("/masks", mask="causal", lang="en")
    card = screen.page.locator("[data-view='masks.paint'] .att-card")
    card.locator(".att-more").click()
    card.locator("[data-item=embed]").click()
    dialog = screen.page.locator(".att-embed")
    dialog.locator("[name=heads]").check()
    dialog.locator("[name=theme]").select_option("dark")
    lines = {one.get_attribute("data-kind"): one.input_value() for one in dialog.locator("textarea").all()}
    query = urlencode({"mask": "causal", "lang": "en", "controls": "heads", "theme": "dark"})
    address = f"{server}/figure/masks.paint?{query}"
    escaped = address.replace("&", "&amp;")
    assert list(lines) == ["html", "markdown", "quarto", "myst", "jupyter", "oembed"]
    assert f'<iframe src="{escaped}"' in lines["html"]
    assert lines["html"] in lines["quarto"]
    for kind in ("markdown", "myst", "jupyter"):
        assert address in lines[kind]
    assert answer(address)[0] == 200
    frame = json.loads(answer(lines["oembed"])[2])["html"]
    assert all(f"{name}={value}" in frame for name, value in (("mask", "causal"), ("controls", "heads")))
    screen.page.keyboard.press("Escape")
    assert dialog.count() == 0
    assert card.locator(".att-more").evaluate("(button) => button === document.activeElement")
