"""A figure as a file: it has what the card shows, it is well-formed, and typed text stays text."""

import io
from typing import NamedTuple
from xml.etree import ElementTree

import pytest
from PIL import Image
from playwright.sync_api import Locator

from pages.shell.i18n import say
from tests.support.app import computed
from tests.support.browser import Screen

pytestmark = [
    pytest.mark.browser,
    pytest.mark.fast(
        "test_a_heatmap_is_saved_with_its_words_its_tokens_and_its_hatch",
        "test_what_is_not_masked_has_no_hatch_and_a_head_is_in_the_name",
    ),
]

SVG = "{http://www.w3.org/2000/svg}"
HOSTILE = {"preset": "random", "text": "<img src=x onerror=alert(1)> &amp; 坐"}
# Elements that text would need to become active.
LIVE = {"script", "foreignObject", "a", "iframe", "set", "animate"}


class Saved(NamedTuple):
    """A file as the browser hands it over."""

    name: str
    content: bytes


def saved(screen: Screen, card: Locator, format: str) -> Saved:
    card.locator(".att-more").press("Enter")
    with screen.page.expect_download() as coming:
        card.locator(f"[data-item={format.lower()}]").press("Enter")
    with open(coming.value.path(), "rb") as file:
        return Saved(coming.value.suggested_filename, file.read())


def read(svg: Saved) -> ElementTree.Element:
    root = ElementTree.fromstring(svg.content)
    assert {element.tag.removeprefix(SVG) for element in root.iter()}.isdisjoint(LIVE)
    return root


def texts(root: ElementTree.Element) -> list[str]:
    return ["".join(element.itertext()) for element in root.iter(f"{SVG}text")]


def assert_picture_of(png: Saved, root: ElementTree.Element, page: tuple[int, int, int]) -> None:
    """The picture has twice as many pixels as the SVG, the colour of the page behind it, and something drawn."""
    image = Image.open(io.BytesIO(png.content)).convert("RGB")
    assert image.size == (2 * int(root.get("width")), 2 * int(root.get("height")))
    assert image.getpixel((1, 1)) == image.getpixel((image.width - 2, image.height - 2)) == page
    assert len(image.getcolors(image.width * image.height) or ()) > 50


@pytest.mark.slow
def test_a_heatmap_is_saved_with_its_words_its_tokens_and_its_hatch(screen):
    screen.page.emulate_media(color_scheme="dark")
    screen.open(**HOSTILE, heads=1, lang="zh")
    card = screen.see("weights", "result")
    title = say("step.weights.title", "zh")
    card.get_by_role("button", name=say("ui.more", "zh", title=title), exact=True).click()
    for format in ("PNG", "SVG"):
        label = say("ui.save", "zh", format=format, title=title)
        assert card.get_by_role("menuitem", name=label, exact=True).count() == 1
    screen.page.keyboard.press("Escape")
    svg, png = saved(screen, card, "SVG"), saved(screen, card, "PNG")
    told = say("ui.saved", "zh", name="attention-weights.png")
    screen.page.wait_for_function("(told) => document.querySelector('body > .att-said').textContent === told", arg=told)
    assert [svg.name, png.name] == ["attention-weights.svg", "attention-weights.png"]
    root = read(svg)
    assert root.get("{http://www.w3.org/XML/1998/namespace}lang") == say("app.language", "zh")
    found = texts(root)
    tokens = computed(**HOSTILE).tokens
    assert {"<", "onerror", "坐"} < set(tokens)
    assert set(tokens) <= set(found)
    assert {say("step.weights.title", "zh"), say("axis.query", "zh"), say("axis.key", "zh")} <= set(found)
    written = "".join(card.locator(".att-note").inner_text().split())
    assert written in "".join("".join(found).split())
    assert len([rect for rect in root.iter(f"{SVG}rect") if rect.get("class") == "hatch"]) == 1
    dark = card.evaluate("() => getComputedStyle(document.querySelector('.stApp')).backgroundColor")
    assert_picture_of(png, root, tuple(int(part) for part in dark[4:-1].split(",")))


def test_what_is_not_masked_has_no_hatch_and_a_head_is_in_the_name(screen):
    screen.open("/heads", mask="full", preset="random")
    card = screen.see("weights", "heads")
    svg = saved(screen, card, "SVG")
    assert svg.name == "attention-weights-head-1.svg"
    root = read(svg)
    assert card.locator("h4").inner_text() in texts(root)
    assert not [rect for rect in root.iter(f"{SVG}rect") if rect.get("class") == "hatch"]


def test_vectors_and_charts_are_saved_as_they_are_drawn(screen):
    screen.open("/one_query")
    vectors, chart = screen.see("vectors"), screen.see("around")
    root = read(saved(screen, vectors, "SVG"))
    drawn = vectors.locator(".att-token text").all_text_contents()
    assert len(drawn) == 6
    assert set(drawn) | {vectors.locator("h4").inner_text()} <= set(texts(root))
    # The chart has its numbers.
    assert any(text.split()[0] == "q" for text in texts(root) if text.strip())
    marks = [element for element in root.iter() if element.get("class") == "att-output"]
    colour = vectors.locator("path.att-output").first.evaluate("(path) => getComputedStyle(path).fill")
    assert {mark.get("fill") for mark in marks} == {colour}
    assert not [element for element in root.iter() if element.get("class") == "att-handle"]
    assert_picture_of(saved(screen, vectors, "PNG"), root, (255, 255, 255))

    assert_chart_is_saved(screen, chart, "att-line", len(drawn))


def test_a_chart_of_plotly_is_saved_as_it_is_drawn(screen):
    screen.open("/costs")
    assert_chart_is_saved(screen, screen.see("costs-shares"), "js-line", 2)


def assert_chart_is_saved(screen: Screen, chart: Locator, line: str, least: int) -> None:
    """A saved chart has its title, its words, and its lines of that class."""
    root = read(saved(screen, chart, "SVG"))
    shown = set(chart.locator(".att-canvas svg text").all_text_contents()) | {chart.locator("h4").inner_text()}
    assert shown <= set(texts(root))
    assert len([path for path in root.iter(f"{SVG}path") if line in path.get("class", "").split()]) >= least
    assert_picture_of(saved(screen, chart, "PNG"), root, (255, 255, 255))


def test_what_no_xml_can_hold_is_replaced(screen):
    """No link can contain such characters, but a visitor may type them."""
    screen.page.goto(f"{screen.base}/assets/plot/plot.css")
    cleaned = "async (text) => (await import('/assets/plot/svg.js')).legible(text)"
    assert screen.page.evaluate(cleaned, "a\u0001\ufffe\n坐") == "a\ufffd\ufffd\n坐"
    # The number is written as `digits` writes it.
    written = "async (number) => (await import('/assets/plot/text.js')).shown(number)"
    for number, text in ((-1.2e-7, "−1.2 · 10⁻⁷"), (0.000012345, "0.000012345"), (1e21, "1 · 10²¹"), (-3, "−3")):
        assert screen.page.evaluate(written, number) == text
