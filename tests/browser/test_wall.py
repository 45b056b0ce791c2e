"""A lecture on a wall of 1280 × 720: each stop shows its question's figure; a room answers; windows keep together."""

import csv
import json
import urllib.parse
import urllib.request
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from pages.shell.i18n import say
from pages.shell.lectures.format import lecture
from pages.shell.state.reader import LECTURES
from tests.browser.test_lectures import at_stop, opened
from tests.support.browser import PHONE, Screen
from tests.support.covering import EVERY_TEST
from tests.support.trained import needed

if TYPE_CHECKING:
    from playwright.sync_api import Route

pytestmark = [
    pytest.mark.browser,
    pytest.mark.fast(
        "test_each_stop_shows_what_it_asks_about_and_covers_what_answers_it",
        "test_the_last_row_reads_every_word_and_the_answer_moves_nothing",
        "test_a_lecturer_opens_a_room_a_phone_follows_and_answers_and_the_counts_come_with_the_answer",
    ),
]

WALL = {"width": 1280, "height": 720}
# The target of a stop begins in the free area between header and bar, and fills it or is whole.
IN_SIGHT = """([figure, at]) => {
  const place = at ? document.querySelector(`.st-key-${at}, .st-key-plot-${at}`) : document;
  const shows = figure ? place?.querySelector(`.att-card[data-figure="${figure}"]`) : place;
  const bar = document.querySelector(".st-key-lecture-bar")?.getBoundingClientRect();
  if (!shows || !bar || bar.bottom > innerHeight) return false;
  const box = shows.getBoundingClientRect();
  const header = document.querySelector("[data-testid=stHeader]").getBoundingClientRect().bottom;
  return box.top >= header - 1 && box.top < bar.top - Math.min(box.height, 250) + 1;
}"""
# Texts that say more than a name: sentences, tables, code, headings below the title.
SAID = """() => [...document.querySelectorAll(
    "[data-testid=stMain] :is(.stMarkdown :is(p, li, td), .stCode, .stHeading :is(h2, h3), .att-note, .att-text," +
    " .att-prose, .att-heading)")]
  .filter((one) => !one.closest(".st-key-lecture-bar") && one.innerText.trim())
  .map((one) => [one.innerText, one.checkVisibility({ visibilityProperty: true, opacityProperty: true })])"""
COVERED = "(there) => (document.querySelectorAll('[data-lecture-covers]').length > 0) === there"


def said_before_the_figures_come(screen: Screen, link: str) -> list[tuple[str, bool]]:
    held: list[Route] = []
    screen.page.route("**/live?**", lambda route: held.append(route))
    try:
        screen.page.goto(screen.base + link, wait_until="commit")
        screen.page.locator("[data-testid=stMain] .stMarkdown p").first.wait_for(state="attached")
        return screen.page.evaluate(SAID)
    finally:
        for route in held:
            route.continue_()
        screen.page.unroute("**/live?**")


@pytest.mark.parametrize("name", ["masks"])
@pytest.mark.slow
def test_each_stop_shows_what_it_asks_about_and_covers_what_answers_it(screen, name):
    screen.page.set_viewport_size(WALL)
    early = said_before_the_figures_come(screen, f"/?lecture={name}&present=true")
    assert early
    assert [text for text, is_seen in early if is_seen] == []
    stops = lecture(name).stops[: None if EVERY_TEST else 3]
    for number, stop in enumerate(stops, 1):
        at_stop(screen, name, number)
        screen.page.wait_for_function(COVERED, arg=stop.cover)
        screen.page.wait_for_function(IN_SIGHT, arg=[stop.figure, stop.at])
        screen.page.wait_for_function(f"() => ({SAID})().length")
        said = screen.page.evaluate(SAID)
        assert [text for text, is_seen in said if is_seen] == []
        screen.page.keyboard.press(" ")
        screen.page.locator(".st-key-lecture-bar [data-testid=stAlert]").wait_for()
        screen.page.wait_for_function(COVERED, arg=False)
        screen.page.wait_for_function(f"() => ({SAID})().some(([, isSeen]) => isSeen)")
        screen.page.wait_for_function(IN_SIGHT, arg=[stop.figure, stop.at])
        # The colours of the wall stay on another page of the lecture.
        assert screen.page.evaluate("document.documentElement.dataset.palette") == "projector"
        if number < len(stops):
            screen.page.keyboard.press("PageDown")


# Words that are smaller than a share of the wall's height, except numbers of cells, exponents and indices.
SMALL = """(share) => {
  const small = [];
  const texts = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  for (let text; (text = texts.nextNode());) {
    const [words, element] = [text.textContent.trim(), text.parentElement];
    const raised = "sub, sup, :is(msub, msup, msubsup) > :not(:first-child)";
    if (!/[\\p{L}]{2}/u.test(words) || element.closest(`script, style, ${raised}`)) continue;
    if (!element.checkVisibility({ visibilityProperty: true, opacityProperty: true })) continue;
    const range = document.createRange();
    range.selectNodeContents(text);
    const { top, bottom, width } = range.getBoundingClientRect();
    if (width < 1 || bottom < 0 || top > innerHeight) continue;
    const size = parseFloat(getComputedStyle(element).fontSize);
    if (size < share * innerHeight - 0.05) small.push([words, size]);
  }
  return small;
}"""
SHOWS = """() => ({
  shows: document.querySelector("[data-lecture-shows]")?.getBoundingClientRect().toJSON(),
  bar: document.querySelector(".st-key-lecture-bar").getBoundingClientRect().toJSON(),
  question: parseFloat(getComputedStyle(document.querySelector(".st-key-lecture-bar strong")).fontSize),
})"""


# The highest targets: arcs with numbers and under a mask, a drawing with a cover of its own, a player with its figure,
# a drawer with a table.
SOME_STOPS = {"tour": (1, 3), "masks": (1,), "today": (3, 9), "sqrt_d_k": (7,)}
HALL = {"width": 1920, "height": 1080}
# At this stop, the numbers change by themselves.
PLAYS = ("steps", 8)


@pytest.mark.parametrize("wall", [WALL, HALL] if EVERY_TEST else [WALL], ids=lambda wall: str(wall["height"]))
@pytest.mark.parametrize("name", LECTURES if EVERY_TEST else SOME_STOPS)
@pytest.mark.slow
def test_the_last_row_reads_every_word_and_the_answer_moves_nothing(screen, wall, name):
    if name == "real_models":
        for model in ("minilm", "smollm2"):
            needed(model)
    screen.page.set_viewport_size(wall)
    stops = dict(enumerate(lecture(name).stops, 1))
    for number in stops if EVERY_TEST else SOME_STOPS[name]:
        stop = stops[number]
        opened(screen, lecture=name, stop=number, present="true")
        at_stop(screen, name, number)
        screen.page.wait_for_function(IN_SIGHT, arg=[stop.figure, stop.at])
        screen.settle()
        assert (
            not screen.page.locator("[data-testid=stSidebar], .st-key-bar, .st-key-tools, [data-testid=stHeader]")
            .filter(visible=True)
            .count()
        )
        assert screen.page.evaluate(SMALL, 0.025) == [], number
        before = screen.page.evaluate(SHOWS)
        assert before["question"] >= 24
        screen.page.keyboard.press(" ")
        screen.page.locator(".st-key-lecture-bar [data-testid=stAlert]").wait_for()
        screen.settle()
        after = screen.page.evaluate(SHOWS)
        if (name, number) != PLAYS:
            assert {part: after[part] for part in ("shows", "bar")} == {part: before[part] for part in ("shows", "bar")}
        assert after["shows"]["bottom"] <= after["bar"]["top"], number
        assert screen.page.evaluate(SMALL, 0.025) == [], number


def test_the_sentence_that_is_asked_about_is_seen_and_its_arcs_are_not(screen):
    screen.page.set_viewport_size(WALL)
    opened(screen, lecture="tour", present="true")
    at_stop(screen, "tour", 1)
    screen.page.wait_for_function("() => document.querySelector('.att-arcs [data-lecture-covers]')")
    words, arcs = (screen.page.locator(f".att-arcs .att-{name}") for name in ("word", "arc"))
    assert words.first.is_visible()
    assert not arcs.first.is_visible()
    # A heatmap's cover hides its cells, but not the names of its rows.
    screen.page.keyboard.press("PageDown")
    at_stop(screen, "tour", 2)
    screen.page.wait_for_function("""() => {
      const covered = document.querySelector('[data-lecture-shows] [data-lecture-covers]');
      return covered && parseFloat(getComputedStyle(covered, '::after').left) > 40;
    }""")
    screen.page.keyboard.press("PageUp")
    at_stop(screen, "tour", 1)
    screen.page.keyboard.press(" ")
    arcs.first.wait_for()


def test_a_title_of_an_axis_has_as_many_lines_as_it_needs_and_one_size(screen):
    lines = """async ([title, room]) => {
      const { inLines } = await import('/assets/plot/chart_layout.js');
      return inLines(title, room, (words) => 10 * words.length);
    }"""
    screen.open("/scaling")
    title = "effective number of keys, e to the entropy"
    assert screen.page.evaluate(lines, [title, 1000]) == [title]
    broken = screen.page.evaluate(lines, [title, 200])
    assert " ".join(broken) == title
    assert max(map(len, broken)) <= 20
    assert screen.page.evaluate(lines, ["unbreakable word", 40]) == ["unbreakable", "word"]


ROOM = {"lecture": "masks", "room": "Hall of a TEST"}
CHOICES = ".att-choices button"
COUNTED = (
    "(counts) => [...document.querySelectorAll('.att-choices output')].map((one) => one.textContent).join() === counts"
)


def another_votes(server: str, choice: int) -> None:
    """A vote that is sent without a browser."""
    vote = {"do": "choose", "lecture": ROOM["lecture"], "voter": "b" * 16, "stop": 2, "choice": choice}
    address = f"{server}/room?{urllib.parse.urlencode({'name': ROOM['room']})}"
    asked = urllib.request.Request(address, json.dumps(vote).encode(), {"content-type": "application/json"})
    with urllib.request.urlopen(asked, timeout=30) as answer:
        assert json.load(answer)["answered"] == 2


@pytest.mark.slow
def test_a_lecturer_opens_a_room_a_phone_follows_and_answers_and_the_counts_come_with_the_answer(browser, server):
    contexts = [browser.new_context(viewport=size) for size in (WALL, PHONE)]
    try:
        lecturer, phone = [Screen(context.new_page(), server) for context in contexts]
        opened(phone, **ROOM)
        phone.page.get_by_text(say("room.closed")).wait_for()
        assert phone.page.locator(CHOICES).first.is_disabled()
        opened(lecturer, **ROOM, stop=2)
        at_stop(lecturer, "masks", 2).open_panel("tool-share")
        lecturer.page.get_by_role("button", name=say("room.open")).click()
        lecturer.page.get_by_text(say("room.open_mine")).wait_for()
        # The phone follows to the lecturer's stop.
        at_stop(phone, "masks", 2)
        phone.page.locator(CHOICES).nth(0).click()
        phone.page.locator(f"{CHOICES}[aria-pressed=true]").wait_for()
        another_votes(server, 2)
        # A reload does not vote again, and shows what was chosen.
        phone.page.reload()
        phone.page.locator(f"{CHOICES}[aria-pressed=true]").wait_for()
        lecturer.page.get_by_text(say("room.count", count=2)).first.wait_for()
        assert lecturer.page.evaluate(COUNTED, ",,")
        lecturer.page.keyboard.press("Escape")
        lecturer.widget("lecture-reveal").locator("button").click()
        for screen in (lecturer, phone):
            screen.page.wait_for_function(COUNTED, arg="1,0,1")
        phone.page.locator(CHOICES).nth(1).click()
        phone.page.get_by_text(say("room.not_revealed")).wait_for()
        # A visitor who went to another stop stays there, is told where the lecture is, and comes back by a button.
        phone.widget("lecture-next").locator("button").click()
        at_stop(phone, "masks", 3)
        lecturer.page.keyboard.press("6")
        lecturer.page.keyboard.press("Enter")
        phone.page.get_by_text(say("room.elsewhere", stop=6)).wait_for()
        assert phone.parameters["stop"] == "3"
        phone.page.get_by_role("button", name=say("room.go")).click()
        at_stop(phone, "masks", 6)
        # After the last stop come the results.
        lecturer.page.keyboard.press("PageDown")
        with lecturer.page.expect_download() as download:
            lecturer.page.get_by_role("button", name=say("room.csv")).click()
        text = Path(download.value.path()).read_text(encoding="utf-8-sig")
        assert [row["choice"] for row in csv.DictReader(text.splitlines())] == ["a", "c"]
    finally:
        for context in contexts:
            context.close()


def test_a_window_that_is_opened_joins_and_the_answer_is_seen_in_both(browser, server):
    answer = ".st-key-lecture-bar [data-testid=stAlert]"
    with browser.new_context() as context:
        lecturer, second = [Screen(context.new_page(), server) for _ in range(2)]
        opened(lecturer, lecture="masks", stop=3)
        at_stop(lecturer, "masks", 3)
        opened(second, lecture="masks")
        at_stop(second, "masks", 3)
        second.page.keyboard.press(" ")
        for window in (second, lecturer):
            window.page.locator(answer).wait_for()
        assert lecturer.parameters["stop"] == "3"
