"""Every reader can read a page: light, dark and on a projector, judged by axe-core and, where axe is blind, by tests of
this file. Every page is judged in test_pages.py, where every page is opened."""

import importlib.resources
import re
from collections.abc import Collection, Iterator

import numpy as np
import pytest

from pages.shell.i18n import LANGUAGES, say
from tests.shell.test_palettes import PALETTES, contrast
from tests.support.browser import Screen
from tests.support.covering import some

pytestmark = [
    pytest.mark.browser,
    pytest.mark.fast(
        "test_a_number_in_a_cell_can_be_read_on_every_colour_of_every_scale",
    ),
]

AXE = (importlib.resources.files("axe_playwright_python") / "axe.min.js").read_text(encoding="utf-8")
# The words that CSS writes into an element, such as those of a choice; axe does not read them, a screen reader does.
GENERATED = """(element) => {
  const { content, display } = getComputedStyle(element, "::after");
  return content.startsWith('"') && display !== "none" ? JSON.parse(content).trim() : "";
}"""
# All rules run once, in light: the other palettes differ in colour alone.
JUDGED = """async (rules) => {
  const generated = GENERATED;
  const options = { resultTypes: ["violations"], elementRef: true, ...(rules ? { runOnly: rules } : {}) };
  const { violations } = await axe.run(document, options);
  const bad = violations.filter(({ impact }) => impact !== "minor");
  const why = ({ any, all, none }) => [...any, ...all, ...none].map(({ message }) => message).join("; ");
  return bad.flatMap(({ id, nodes }) => nodes
    .filter(({ element }) => id !== "button-name" || !generated(element))
    .map((node) => `${id}: ${node.html.slice(0, 160)}: ${why(node)}`));
}""".replace("GENERATED", GENERATED)
# axe judges no contrast in SVG or in parts that are scrolled out of sight. So every word of the page is compared with
# the colours behind it, except numbers in cells, which stand on a picture, and signs and disabled elements, which WCAG
# leaves out.
WORDS = """() => {
  const generated = GENERATED;
  const channels = (colour) => {
    const [red, green, blue, share = 1] = colour.match(/[\\d.]+/g).map(Number);
    const whole = colour.startsWith("color(srgb") ? 255 : 1;
    return [red * whole, green * whole, blue * whole, share];
  };
  // Of each element once: there are thousands of words, and all of them are in the same few.
  const once = (look) => {
    const known = new Map();
    return (element) => {
      if (!known.has(element)) known.set(element, look(element));
      return known.get(element);
    };
  };
  const over = (front, share, back) => back.map((part, at) => front[at] * share + part * (1 - share));
  const light = (rgb) => rgb.map((part) => part / 255)
    .map((part) => (part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4))
    .reduce((sum, part, at) => sum + part * [0.2126, 0.7152, 0.0722][at], 0.05);
  // KaTeX draws the box behind a part of a formula beside that part, not around it.
  const boxed = (element) => element.matches(".boxpad")
    ? element.closest(".vlist").querySelector(":scope > span > .colorbox") : null;
  const plates = (word) => {
    const { x, y, width, height } = word.getBoundingClientRect();
    const [across, down] = [x + width / 2, y + height / 2];
    const under = ({ left, right, top, bottom }) => left <= across && across <= right && top <= down && down <= bottom;
    return [...word.parentElement.querySelectorAll(":scope > rect")]
      .filter((rect) => under(rect.getBoundingClientRect()))
      .map((rect) => getComputedStyle(rect))
      .filter(({ fill, fillOpacity }) => fill !== "none" && Number(fillOpacity) === 1)
      .map(({ fill }) => channels(fill))
      .filter(([, , , share]) => share === 1);
  };
  const behind = once((element) => {
    if (!element) return [255, 255, 255];
    const box = boxed(element);
    if (box) return behind(box);
    // A word of a picture stands on the plate beside it, where that lies under it.
    const fill = element.matches("svg text") && plates(element).at(-1);
    if (fill) return fill.slice(0, 3);
    const [red, green, blue, share] = channels(getComputedStyle(element).backgroundColor);
    return share === 1 ? [red, green, blue] : over([red, green, blue], share, behind(element.parentElement));
  });
  const solid = once((element) =>
    element ? Number(getComputedStyle(element).opacity) * solid(element.parentElement) : 1);
  const APART = ".att-numbers, :disabled, [data-testid=stIconMaterial], style, title, script";
  const leaves = document.createTreeWalker(document.querySelector(".stApp"), NodeFilter.SHOW_TEXT);
  const found = [];
  while (leaves.nextNode()) {
    const element = leaves.currentNode.parentElement;
    if (!leaves.currentNode.data.trim() || element.closest(APART)) continue;
    // A figure takes on another palette when it comes near.
    if (element.closest(".att-card:not([data-near]) svg")) continue;
    if (!element.checkVisibility({ visibilityProperty: true })) continue;
    const style = getComputedStyle(element);
    const drawn = element.closest("svg") ? style.fill : style.color;
    let [red, green, blue, share] = channels(drawn);
    if (element.closest("svg")) share *= Number(style.fillOpacity);
    share *= solid(element);
    if (!share) continue;
    // The number of a slider stands above the handle that holds it.
    const back = behind(element.closest("[data-testid=stSliderThumbValue]") ? element.closest(".stSlider") : element);
    const [one, other] = [light(over([red, green, blue], share, back)), light(back)];
    const contrast = (Math.max(one, other) / Math.min(one, other)).toFixed(2);
    found.push([Number(contrast), `${element.tagName} ${leaves.currentNode.data.slice(0, 60)}: ${contrast}`]);
  }
  for (const element of document.querySelectorAll("[role=radio]")) {
    if (!generated(element) || element.closest(APART)) continue;
    if (!element.checkVisibility({ visibilityProperty: true })) continue;
    const [red, green, blue, share] = channels(getComputedStyle(element, "::after").color);
    const back = behind(element);
    const [one, other] = [light(over([red, green, blue], share * solid(element), back)), light(back)];
    const contrast = (Math.max(one, other) / Math.min(one, other)).toFixed(2);
    found.push([Number(contrast), `${element.tagName} ${generated(element)}: ${contrast}`]);
  }
  return found;
}""".replace("GENERATED", GENERATED)
NAMELESS = """() => {
  const generated = GENERATED;
  axe.setup(document);
  const kinds = "button, input, select, textarea, summary, a[href], [tabindex='0'], [role=slider]";
  // Streamlit's own scrolling region is named by its role.
  const all = [...document.querySelectorAll(kinds)].filter((one) => one.tagName !== "MAIN")
    .filter((one) => one.checkVisibility({ visibilityProperty: true }));
  const nameless = all.filter((one) => !axe.commons.text.accessibleText(one).trim() && !generated(one));
  axe.teardown();
  return [all.length, nameless.map((one) => one.outerHTML.slice(0, 160))];
}""".replace("GENERATED", GENERATED)
COLOURED = """(page) => getComputedStyle(document.querySelector(".stApp")).backgroundColor === page"""
# Buttons fade to the colours of another palette. A transition of an element that is not rendered never ends.
FADED = """() => document.getAnimations().every((one) => !(one instanceof CSSTransition) || one.playState !== "running"
    || !one.effect.target.checkVisibility({ contentVisibilityAuto: true }))"""
OUTLINED = """() => [...document.querySelectorAll("[data-testid=stMain] h4")]
    .every((one) => !one.checkVisibility({ visibilityProperty: true }) || one.ariaLevel)"""
PAGE = {"light": "rgb(255, 255, 255)", "dark": "rgb(23, 22, 20)", "projector": "rgb(255, 255, 255)"}


def palettes(screen: Screen) -> Iterator[str]:
    """One palette after the other on the page that is open."""
    yield "light"
    screen.page.emulate_media(color_scheme="dark")
    yield "dark"
    screen.flip("present")
    screen.until("() => document.documentElement.dataset.palette === 'projector'")
    yield "projector"


def complaints(
    screen: Screen, *, among: Collection[str] = PALETTES, by_axe: Collection[str] = PALETTES
) -> dict[str, list[str]]:
    """The faults of the page in each palette. among: the palettes; by_axe: those in which axe judges, too."""
    screen.page.evaluate(AXE)
    found = {}
    for palette in palettes(screen):
        if palette not in among:
            continue
        screen.until(COLOURED, PAGE[palette])
        screen.until(FADED)
        # The levels of headings come when the page is at rest (outline.js).
        screen.until(OUTLINED)
        rules = None if palette == "light" else ["color-contrast"]
        words = screen.page.evaluate(WORDS)
        assert len(words) > 30
        judged = screen.page.evaluate(JUDGED, rules) if palette in by_axe else []
        found[palette] = judged + [word for contrast, word in words if contrast < 4.5]
        if len(found) == len(among):
            # Stop here, so that no further palette is loaded for nothing.
            break
    assert set(found) == set(among)
    return {palette: wrong for palette, wrong in found.items() if wrong}


@pytest.mark.parametrize("language", some(LANGUAGES, 1))
def test_a_stop_with_everything_open_can_be_read_by_everyone(screen, language):
    """A lecture with its answer, the arithmetic of a cell, a table twin, what to take away."""
    screen.open(lecture="tour", lang=language)
    screen.page.locator(".st-key-lecture-reveal button").click()
    screen.page.locator(".st-key-lecture-bar [data-testid=stAlert]").wait_for()
    screen.tabulate(screen.see("weights", "result"))
    screen.page.locator(".st-key-drawer-files summary").click()
    screen.page.locator(".att-file button").first.wait_for()
    screen.open_sidebar()
    screen.page.get_by_text(say("lecture.speaker", language)).click()
    assert screen.page.locator(".att-panel").first.is_visible()
    # The rules that axe alone can judge find the same in every palette, so axe judges one.
    assert complaints(screen, by_axe=some(PALETTES, 1)) == {}
    count, nameless = screen.page.evaluate(NAMELESS)
    assert count > 5
    assert nameless == []


SCALE = """async () => {
  const { theme, mixed, ink } = await import(new URL("assets/plot/colour.js", document.baseURI).href);
  const colours = theme(document.querySelector(".att-plot"));
  const shares = Array.from({ length: 201 }, (_, at) => at / 200);
  return Object.fromEntries(["signed", "probability", "binary"].map((kind) => [kind, shares.map((share) => {
    const cell = mixed(colours[kind], share);
    return [cell, ink(cell)];
  })]));
}"""
PRINTED = """(card) => {
  const { z, sent, colours } = card.querySelector(".att-canvas").heatmap;
  const [zmin, zmax] = sent.range;
  const fills = [...card.querySelectorAll(".att-numbers text")].map((text) => getComputedStyle(text).fill);
  const numbers = z.flatMap((row) => [...row]).filter((number) => !Number.isNaN(number));
  return { z: numbers, zmin, zmax, fills, scale: colours[sent.kind] };
}"""


def written(rgb) -> str:
    return "#" + "".join(f"{round(part):02x}" for part in rgb)


@pytest.mark.slow
def test_a_number_in_a_cell_can_be_read_on_every_colour_of_every_scale(screen):
    screen.open()
    for at, palette in enumerate(palettes(screen)):
        screen.until(COLOURED, PAGE[palette])
        for pairs in screen.page.evaluate(SCALE).values():
            assert len({written(cell) for cell, _ in pairs}) > 50
            assert min(contrast([ink], written(cell))[0] for cell, ink in pairs) >= 4.5
        # Weights are shares and outputs are signed numbers; the palettes show them by turns.
        drawn = screen.see(("weights", "output")[at % 2], "result").evaluate(PRINTED)
        assert len(drawn["fills"]) == len(drawn["z"])
        share = (np.array(drawn["z"]) - drawn["zmin"]) / (drawn["zmax"] - drawn["zmin"])
        rgb = np.array([[int(one[at : at + 2], 16) for at in (1, 3, 5)] for one in drawn["scale"]])
        places = np.linspace(0, 1, len(rgb))
        for one, fill in zip(share, drawn["fills"], strict=True):
            cell = written(np.interp(one, places, part) for part in rgb.T)
            assert contrast([written(map(float, re.findall(r"[\d.]+", fill)))], cell)[0] >= 4.5
