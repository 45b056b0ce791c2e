"""A lecture in a browser: driven by the keyboard alone, opened by link, in two windows, on a projector."""

import urllib.parse

import pytest

from pages.shell.i18n import LANGUAGES, say
from pages.shell.lectures.format import lecture
from tests.browser.test_share import press
from tests.support.browser import PHONE, Screen
from tests.support.covering import EXHAUSTIVE, some

pytestmark = [
    pytest.mark.browser,
    pytest.mark.fast(
        "test_the_keyboard_alone_leads_from_the_first_stop_to_the_last",
        "test_a_stop_opens_the_line_behind_which_its_figure_waits",
    ),
]

INSIDE = """(figure) => {
  const box = document.querySelector(`.att-card[data-figure=${figure}] .att-plot`)?.getBoundingClientRect();
  return box && box.bottom > 0 && box.top < innerHeight;
}"""
BAR = """(white) =>
  getComputedStyle(document.querySelector(".st-key-lecture-bar").parentElement).backgroundColor === white"""
# The time at a stop runs; beside it are the planned time of the stop, and the minutes of the lecture.
CLOCK = r"""(minutes) => {
  const place = document.querySelector(".st-key-lecture-clock");
  const told = place ? getComputedStyle(place, "::after").content.match(/\d+(:\d\d)?/g) : null;
  return told?.length === 4 && told[0] !== "0:00" && told[1] === "2:30" && Number(told[3]) === minutes;
}"""
# The visible words of views.
SAYS = """() => [...document.querySelectorAll('.att-view *')]
  .filter((one) => one.matches('.att-prose, .att-heading, .att-panel, .att-moved, .att-note'))
  .filter((one) => one.textContent && one.checkVisibility({ visibilityProperty: true }))
  .map((one) => one.className)"""
ANSWER = ".st-key-lecture-bar [data-testid=stAlert]"
AT = "(text) => document.querySelector('.st-key-lecture-bar')?.innerText.includes(text)"


def opened(screen: Screen, **parameters) -> None:
    """Open a link without waiting until the page settles: a race may be running."""
    screen.page.goto(f"{screen.base}/?{urllib.parse.urlencode(parameters)}")


def at_stop(screen: Screen, name: str, number: int, language: str | None = None) -> Screen:
    """Wait for a stop: its page, its bar and its place in the URL."""
    on = lecture(name)
    told = say("lecture.stop", language, number=number, all=len(on.stops))
    screen.page.wait_for_function(AT, arg=told)
    title = say(f"page.{on.stops[number - 1].page}.title", language)
    screen.page.get_by_role("heading", level=1, name=title, exact=True).wait_for()
    screen.until_parameter("stop", str(number) if number > 1 else None)
    # While one page replaces another, both have a bar.
    screen.widget("lecture-end").locator("button").wait_for()
    return screen


@pytest.mark.slow
@pytest.mark.parametrize("language", some(LANGUAGES, 1))
def test_the_keyboard_alone_leads_from_the_first_stop_to_the_last(screen, language):
    name = "tour"
    last = len(lecture(name).stops)
    # Without EXHAUSTIVE=2, the last three stops: both keys are used, and the stops show all that one can.
    first = 1 if EXHAUSTIVE else last - 2
    opened(screen, lecture=name, lang=language, **({"stop": first} if first > 1 else {}))
    for number, key in zip(range(first, last + 1), ["PageDown", "ArrowRight"] * last, strict=False):
        at_stop(screen, name, number, language)
        screen.page.locator(".att-view .att-note").first.wait_for(state="attached")
        assert screen.page.evaluate(SAYS) == []
        screen.page.keyboard.press(" ")
        screen.page.wait_for_function(f"() => ({SAYS})().length > 0")
        answer = screen.page.locator(".st-key-lecture-bar [data-testid=stAlert]").inner_text()
        assert lecture(name).stops[number - 1].answer[language] in " ".join(answer.split())
        figure = lecture(name).stops[number - 1].figure
        if figure:
            screen.page.wait_for_function(INSIDE, arg=figure)
        if number < last:
            screen.page.keyboard.press(key)
    screen.page.keyboard.press("PageUp")
    at_stop(screen, name, last - 1, language).settle()
    for key in (*str(last - 2), "Enter"):
        screen.page.keyboard.press(key)
    at_stop(screen, name, last - 2, language)
    # Back leads through the stops in the order of the visit, to the whole screen of each, and Forward leads on again.
    screen.page.go_back()
    at_stop(screen, name, last - 1, language).settle()
    screen.page.go_back()
    at_stop(screen, name, last, language).settle()
    screen.page.go_forward()
    at_stop(screen, name, last - 1, language)


@pytest.mark.exhaustive("browser/test_lectures.py::test_the_keyboard_alone_leads_from_the_first_stop_to_the_last")
def test_the_link_of_a_stop_brings_its_figure_into_sight(screen):
    last = len(lecture("tour").stops)
    opened(screen, lecture="tour", stop=last)
    at_stop(screen, "tour", last)
    screen.page.wait_for_function(INSIDE, arg=lecture("tour").stops[-1].figure)


def test_a_stop_opens_the_line_behind_which_its_figure_waits(screen):
    """The stop names only the figure, and the browser has not requested it: no view near the screen contains it."""
    name = "today"
    number, stop = next((at, one) for at, one in enumerate(lecture(name).stops, 1) if one.figure == "receptive-field")
    assert not stop.at
    opened(screen, lecture=name, stop=number)
    at_stop(screen, name, number)
    screen.page.wait_for_function(INSIDE, arg=stop.figure)
    assert screen.page.locator(".st-key-drawer-field details").get_attribute("open") is not None


def test_arrow_keys_in_a_figure_and_on_a_slider_stay_there(screen):
    opened(screen, lecture="sqrt_d_k")
    at_stop(screen, "sqrt_d_k", 1)
    plot = screen.see("variance").locator(".att-plot")
    plot.focus()
    plot.press("ArrowRight")
    screen.slide("d", "ArrowRight")
    screen.until_parameter("d", "128")
    assert "stop" not in screen.parameters


PLACE = """(there) => {
  const bar = document.querySelector('.st-key-lecture-bar')?.innerText ?? '';
  const titles = [...document.querySelectorAll('h1')].map((one) => one.innerText);
  return bar.includes(there.question) && titles.join() === there.title;
}"""


def test_a_lecture_that_was_started_by_a_click_takes_every_key(screen):
    screen.open("/")
    screen.choose("lecture", "tour")
    at_stop(screen, "tour", 1)
    # The panel with the choice has closed. If open, an arrow would choose the next lecture, and Space select it.
    for number in (2, 3):
        screen.page.keyboard.press("ArrowRight")
        at_stop(screen, "tour", number)
    screen.page.keyboard.press(" ")
    screen.page.locator(ANSWER).wait_for()
    assert screen.parameters["lecture"] == "tour"
    # If the panel is open again, its chosen option does not take the keys either.
    screen.widget("lecture").get_by_role("radio", checked=True).focus()
    screen.page.keyboard.press("ArrowRight")
    at_stop(screen, "tour", 4)
    assert screen.parameters["lecture"] == "tour"
    # In a field, arrow keys edit the text; the keys of a clicker still change the stop.
    box = screen.widget("room").locator("input")
    box.click()
    box.press("ArrowLeft")
    box.press("PageDown")
    at_stop(screen, "tour", 5)


def test_keys_that_are_quicker_than_the_pages_end_at_the_stop_that_they_add_up_to(screen):
    failed = []
    screen.page.on("pageerror", lambda error: failed.append(str(error)))
    opened(screen, lecture="tour")
    at_stop(screen, "tour", 1).settle()
    for key, times in (("PageDown", 8), ("PageUp", 5)):
        for _ in range(times):
            screen.page.keyboard.press(key, delay=10)
    # The first press leaves a stop at once; the following presses add up, and are followed in one step.
    at_stop(screen, "tour", 4)
    stop = lecture("tour").stops[3]
    there = {"question": stop.question["en"], "title": say(f"page.{stop.page}.title")}
    screen.page.wait_for_function(PLACE, arg=there)
    screen.settle()
    assert screen.page.evaluate(PLACE, there)
    assert failed == []


def test_an_answer_that_was_revealed_is_there_again_when_the_page_is_loaded_again(screen):
    opened(screen, lecture="masks", stop=2)
    at_stop(screen, "masks", 2).settle()
    screen.page.keyboard.press(" ")
    screen.page.locator(ANSWER).wait_for()
    screen.page.reload()
    at_stop(screen, "masks", 2)
    screen.page.locator(ANSWER).wait_for()
    # An answer that was hidden again stays hidden, and another stop asks its own question.
    screen.settle().page.keyboard.press(" ")
    screen.page.locator(ANSWER).wait_for(state="detached")
    screen.page.reload()
    at_stop(screen, "masks", 2).settle()
    assert screen.page.locator(ANSWER).count() == 0


def test_a_lecture_of_ones_own_outlives_its_tab(screen, tmp_path):
    stop = '\n[[stop]]\npage = "{}"\nquestion = "{}"\n'
    text = 'title = "Mine"\n' + stop.format("masks", "First?") + stop.format("order", "Second?")
    (tmp_path / "lecture.toml").write_text(text, encoding="utf-8")
    screen.open("/order")
    screen.open_panel("tool-share")
    screen.page.get_by_text(say("lecture.own")).click()
    screen.page.locator(".st-key-lecture-upload input[type=file]").set_input_files(tmp_path / "lecture.toml")
    screen.page.wait_for_function(AT, arg="First?")
    screen.widget("lecture-next").locator("button").click()
    screen.until_parameter("stop", "2")
    screen.page.reload()
    screen.page.wait_for_function(AT, arg="Second?")
    # Other tests share the tab, so clear its storage.
    screen.page.evaluate("localStorage.clear()")


def copied(screen: Screen) -> str:
    """The link of the screen, as it is copied for others."""
    screen.settle().open_panel("tool-share")
    press(screen, "copy")
    screen.page.get_by_role("status").filter(has_text=say("ui.share_copied")).first.wait_for(state="attached")
    return screen.page.evaluate("navigator.clipboard.readText()")


def test_a_lecture_that_is_written_here_reaches_others_by_its_link_and_by_a_room(browser, server):
    contexts = [browser.new_context() for _ in range(3)]
    try:
        contexts[0].grant_permissions(["clipboard-read", "clipboard-write"], origin=server)
        lecturer, reader, phone = [Screen(context.new_page(), server) for context in contexts]
        lecturer.open("/masks", width=3, mask="window")
        lecturer.see("weights").evaluate("(card) => card.scrollIntoView({ block: 'center' })")
        lecturer.settle().open_panel("tool-share")
        lecturer.page.get_by_text(say("lecture.own")).click()
        lecturer.widget("lecture-save").locator("button").click()
        question, choices = (
            lecturer.page.get_by_label(label, exact=True)
            for label in (say("lecture.edit_field.question"), say("lecture.edit.choices", most=8))
        )
        for field, text in ((question, "Mine?"), (choices, "yes\nno")):
            field.fill(text)
            field.press("Control+Enter" if field is choices else "Enter")
            lecturer.settle()
        lecturer.widget("lecture-give").locator("button").click()
        lecturer.page.wait_for_function(AT, arg="Mine?")
        lecturer.page.wait_for_function(INSIDE, arg="weights")
        link = copied(lecturer)
        assert "#lecture=" in link
        reader.page.goto(link)
        reader.page.wait_for_function(AT, arg="Mine?")
        reader.page.wait_for_function(INSIDE, arg="weights")
        # A room stores the lecture, so its link is short.
        lecturer.page.goto(f"{lecturer.page.url}&room=own")
        lecturer.page.wait_for_function(AT, arg="Mine?")
        lecturer.settle().open_panel("tool-share")
        lecturer.page.get_by_role("button", name=say("room.open")).click()
        lecturer.page.get_by_text(say("room.open_mine")).wait_for()
        link = copied(lecturer)
        assert "#" not in link
        phone.page.goto(link)
        phone.page.wait_for_function(AT, arg="Mine?")
        phone.page.locator(".att-choices button:not(:disabled)").nth(1).click()
        phone.page.locator(".att-choices button[aria-pressed=true]").wait_for()
    finally:
        for context in contexts:
            context.close()


def test_another_window_of_the_browser_follows(browser, server):
    with browser.new_context() as context:
        windows = [Screen(context.new_page(), server) for _ in range(2)]
        for window in windows:
            opened(window, lecture="masks", stop=3)
            at_stop(window, "masks", 3)
        windows[0].page.bring_to_front()
        windows[0].page.keyboard.press("PageDown")
        for window in windows:
            at_stop(window, "masks", 4)
        # The lecturer opens the notes in one of the windows, where a clock runs.
        windows[1].open_sidebar()
        windows[1].widget("lecture-notes").locator("summary").click()
        windows[1].page.wait_for_function(CLOCK, arg=15)


def test_on_a_projector_type_is_large_and_the_way_back_is_in_sight_and_a_phone_has_the_bar_too(screen):
    size = "() => getComputedStyle(document.querySelector('.st-key-lecture-bar p')).fontSize"
    opened(screen, lecture="masks")
    at_stop(screen, "masks", 1)
    small = float(screen.page.evaluate(size).removesuffix("px"))
    opened(screen, lecture="masks", present="true")
    at_stop(screen, "masks", 1)
    assert float(screen.page.evaluate(size).removesuffix("px")) > small
    notes = screen.page.get_by_test_id("stExpandSidebarButton")
    assert not notes.is_visible()
    screen.page.get_by_role("button", name=say("lecture.leave")).click()
    screen.until_parameter("present", None)
    notes.wait_for()
    screen.page.set_viewport_size(PHONE)
    screen.settle()
    box = screen.page.locator(".st-key-lecture-bar").bounding_box()
    assert box["x"] >= 0
    assert box["x"] + box["width"] <= PHONE["width"]


@pytest.mark.exhaustive("browser/test_axe.py::test_a_stop_with_everything_open_can_be_read_by_everyone")
def test_a_link_to_the_wall_is_white_whatever_the_lecturers_own_screen_is(screen):
    screen.page.emulate_media(color_scheme="dark")
    screen.page.goto(f"{screen.base}/masks?lecture=masks&present=true")
    screen.page.locator(".st-key-lecture-bar").wait_for()
    screen.page.wait_for_function("() => document.documentElement.dataset.palette === 'projector'")
    screen.page.wait_for_function(BAR, arg="rgb(255, 255, 255)")
