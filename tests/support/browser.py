"""The app in a browser: open a link, wait for a condition, read the figures. Nothing here sleeps."""

from __future__ import annotations

import contextlib
import os
import re
import shutil
import time
import urllib.parse
from collections.abc import Callable
from typing import TYPE_CHECKING, Any

import numpy as np
import pytest
from playwright.sync_api import TimeoutError as WaitedInVain

from pages.shell.i18n import LANGUAGES, say
from pages.shell.i18n.options import word
from pages.shell.layout import more, words
from pages.shell.state.fields import Choice
from pages.shell.state.registry import ALL_FIELDS
from pages.shell.state.url import written
from tests.support import trained
from tests.support.in_page import ACTED, BETWEEN_BARS, CARDS, CENTRE, IDLE, NUMBERS, SETTLED, TAG, UNSETTLED

if TYPE_CHECKING:
    from playwright.sync_api import Locator, Page

# A race that is over at once, since a page that trains never settles.
BRIEF = {"scaling": {"race_d": 4, "race_seeds": 1, "race_steps": 50}}
DESKTOP = {"width": 1400, "height": 1000}
PHONE = {"width": 390, "height": 844}
# The panels of a page, and the controls in them.
PANELS = {
    "words": words.NAMES,
    "more": more.NAMES,
    "kept": ("pin-instead", "pin-let-go"),
    "tool-share": ("lecture", "stop", "room", "present", "quiz"),
    "tool-language": ("lang",),
}
BROWSERS = ("chromium", "chromium-browser", "google-chrome")


def chromium() -> str:
    """The path of the system's Chromium. Without one the test is skipped, or fails if a browser is required."""
    path = next((found for name in BROWSERS if (found := shutil.which(name))), None)
    if path is None:
        message = f"no browser: install one of {', '.join(BROWSERS)} (Debian: apt-get install chromium)"
        pytest.fail(message) if os.environ.get("CI") or os.environ.get("REQUIRE_BROWSER") else pytest.skip(message)
    return path


class Screen:
    """One tab at one server, and all complaints of its pages."""

    def __init__(self, page: Page, base: str) -> None:
        self.page, self.base, self._kept = page, base, False
        self.is_stuck = False
        self.complaints: list[str] = []
        page.add_init_script(f"({ACTED})()")
        page.set_viewport_size(DESKTOP)
        # Tests share a tab, so the window, colours and motion of the test before are reset.
        page.emulate_media(color_scheme="light", reduced_motion="no-preference")
        self._listeners: dict[str, Callable[..., None]] = {
            "console": lambda message: self._complain(message.text) if message.type in ("error", "assert") else None,
            "pageerror": lambda error: self._complain(error.stack),
            # Leaving a page may abort a file that is still on its way.
            "requestfailed": lambda request: (
                self._complain(f"{request.url}: {request.failure}") if request.failure != "net::ERR_ABORTED" else None
            ),
            "framenavigated": lambda frame: (
                trained.note() if urllib.parse.urlsplit(frame.url).path == f"/{trained.PAGE}" else None
            ),
            "response": lambda answer: (
                self._complain(f"{answer.url}: {answer.status}") if answer.status >= 400 else None
            ),
        }
        for event, listener in self._listeners.items():
            page.on(event, listener)

    def _complain(self, text: str) -> None:
        self.complaints.append(text)

    def leave(self) -> None:
        """Make the page ready for the next test: end all that this test may have left running.

        A page that stays busy is closed, since `evaluate` has no limit and each further test would hang.
        """
        for event, listener in self._listeners.items():
            self.page.remove_listener(event, listener)
        try:
            if self._kept:
                self.page.wait_for_function("true")
            else:
                self.page.goto("about:blank")
        except WaitedInVain:
            self.page.close()
            raise

    def open(self, path: str = "/", **parameters: Any) -> Screen:
        self.page.goto(self._address(path, parameters))
        self.is_stuck = False
        return self.settle()

    def look(self, path: str = "/", **parameters: Any) -> Screen:
        """Open a link, or stay if the test before has opened it; for tests that change nothing."""
        address = self._address(path, parameters)
        if self.page.evaluate("window.lookedAt") == address == self.page.url:
            self.page.mouse.move(0, 0)
            self.page.evaluate("document.activeElement?.blur()")
            self.settle()
        else:
            self.open(path, **parameters).page.evaluate("(address) => { window.lookedAt = address; }", address)
        self._kept = True
        return self

    def spoil(self) -> Screen:
        """Note that this test changes the page, so that the next `look` opens it anew."""
        self._kept = False
        return self

    def _address(self, path: str, parameters: dict[str, Any]) -> str:
        query = urllib.parse.urlencode({name: written(value) for name, value in parameters.items()})
        return f"{self.base}{path}{'?' if query else ''}{query}"

    def settle(self) -> Screen:
        """Wait until a run and its drawing are over, and are still over when the browser is idle."""
        end = time.monotonic() + 60
        while time.monotonic() < end:
            self._wait(SETTLED)
            self._wait(IDLE)
            if self.page.evaluate(SETTLED):
                return self
        self.is_stuck = True
        raise WaitedInVain(f"the page comes to rest again and again, and goes on: {self._standing()}")

    def until(self, condition: str, argument: Any = None) -> Screen:
        """Wait for a condition in JavaScript, and for the run and the drawing that follow from it."""
        self._wait(condition, argument)
        return self.settle()

    def _wait(self, condition: str, argument: Any = None) -> None:
        """Wait for a condition; if it is not met in time, the error describes the page."""
        try:
            self.page.wait_for_function(condition, arg=argument)
        except WaitedInVain as error:
            self.is_stuck = True
            error.add_note(f"{self._standing()} {self.complaints}")
            raise

    def _standing(self) -> str:
        """A description of the page. A page that stays busy gives none, since `evaluate` has no limit."""
        try:
            return str(self.page.wait_for_function(UNSETTLED, timeout=5_000).json_value())
        except WaitedInVain:
            return "the page does not answer"

    @property
    def parameters(self) -> dict[str, str]:
        query = urllib.parse.urlsplit(self.page.evaluate("location.href")).query
        return dict(urllib.parse.parse_qsl(query, keep_blank_values=True))

    def until_parameter(self, name: str, value: str | None) -> Screen:
        """Wait for a parameter of the URL (None: for its absence)."""
        return self.until("([name, value]) => new URLSearchParams(location.search).get(name) === value", [name, value])

    def until_parameters(self, values: dict[str, str]) -> Screen:
        """Wait until these are all the parameters of the URL."""
        told = "(values) => new URLSearchParams(location.search).size === Object.keys(values).length"
        each = (
            "Object.entries(values).every(([name, value]) => new URLSearchParams(location.search).get(name) === value)"
        )
        return self.until(f"{told} && {each}", values)

    def cards(self) -> dict[str, dict[str, Any]]:
        return self.page.evaluate(CARDS)

    def near(self) -> dict[str, str]:
        """The stamps of the figures near the screen; other figures are not drawn until they come near."""
        return {place: card["stamp"] for place, card in self.cards().items() if card["near"]}

    def changed(self, act: Callable[[], Any]) -> dict[str, dict[str, Any]]:
        """Tag all cards, act, wait until a card has another stamp, and return the cards."""
        self.page.evaluate(TAG)
        before = {place: card["stamp"] for place, card in self.cards().items()}
        act()
        self.until(f"(before) => Object.entries(({CARDS})()).some(([id, card]) => before[id] !== card.stamp)", before)
        return self.cards()

    def card(self, figure: str, chapter: str | None = None) -> Locator:
        row = f".st-key-plot-{chapter} " if chapter else ""
        return self.page.locator(f"{row}.att-card[data-figure='{figure}']").first

    def see(self, figure: str, chapter: str | None = None) -> Locator:
        """A card, after scrolling to it, so that it is drawn."""
        card = self.card(figure, chapter)
        # A link that names a cell asks for figures in closed drawers, too.
        if not card.count() or not card.is_visible():
            self.unfold()
        # The browser asks for a view when it comes near, so its figures do not exist before.
        for view in self.page.locator(".att-view").all():
            if card.count():
                break
            view.scroll_into_view_if_needed()
            self.settle()
        # Figures that appear above it during the scroll move it, hence twice.
        for _ in range(2):
            card.locator(".att-plot").evaluate(BETWEEN_BARS)
            self.settle()
        self.until(
            "(card) => 'near' in card.dataset && card.dataset.drawn === card.dataset.stamp", card.element_handle()
        )
        return card

    def unfold(self) -> Screen:
        """Open all drawers of the page with figures."""
        closed = self.page.locator("[class*=st-key-drawer-] [data-testid=stExpander] > details:not([open]) > summary")
        # An open drawer may contain further ones.
        for _ in range(50):
            if not closed.count():
                return self.settle()
            closed.first.click()
        raise AssertionError(f"{closed.count()} lines stay closed")

    def tabulate(self, card: Locator) -> Locator:
        """The table twin of a card, opened by its menu if it is not open."""
        if card.locator(".att-table[hidden]").count():
            card.locator(".att-more").click()
            card.locator("[data-item=table]").click()
        card.locator("td").first.wait_for()
        return card.locator("table")

    def numbers(self, card: Locator) -> np.ndarray:
        """The numbers that Plotly drew."""
        return np.array(card.evaluate(NUMBERS), dtype=np.float32)

    def point(self, card: Locator, row: int, column: int) -> tuple[float, float]:
        """Move the mouse over a cell, and again if the page has moved the cell meanwhile."""
        for _ in range(5):
            x, y = card.evaluate(CENTRE, [row, column])
            self.page.mouse.move(x, y)
            told = card.locator(".att-tip").is_visible()
            if told and card.evaluate(CENTRE, [row, column]) == [x, y]:
                break
            self.settle()
        return x, y

    def click(self, card: Locator, row: int, column: int) -> None:
        self.point(card, row, column)
        self.page.mouse.down()
        self.page.mouse.up()

    def widget(self, key: str) -> Locator:
        """The widget of a control, after opening the panel that contains it."""
        self.reach(key)
        return self.there(key)

    def there(self, key: str) -> Locator:
        # During a run, Streamlit also keeps a moved control at its old place. A control that code has set has a new
        # widget (pages/shell/state/settings.py).
        return self.page.locator(f':is(.st-key-{key}, [class*="st-key-{key}--"]):not([data-retained])')

    def reach(self, key: str) -> None:
        """Open the panel of a control, if the page has one and it is closed."""
        panel = next((panel for panel, names in PANELS.items() if key in names), None)
        if panel is not None and not self.there(key).count():
            # On a page whose sentence has a pencil, the words are behind "More".
            has_panel = self.page.locator(f".st-key-{panel} button:visible").count()
            self.open_panel(panel if panel != "words" or has_panel else "more")

    def open_panel(self, panel: str) -> None:
        """Open a panel, if the page has it; click again if the click met a run."""
        self.settle()
        # A button with an icon exists twice, for wide and for narrow screens.
        button = self.page.locator(f".st-key-{panel} button:visible")
        opened = self.page.locator("[data-testid=stPopoverBody]:visible")
        if not button.count():
            return
        # Another open panel may cover the button.
        if opened.count():
            self.page.keyboard.press("Escape")
            opened.wait_for(state="hidden")
        for _ in range(2):
            button.first.click()
            with contextlib.suppress(WaitedInVain):
                opened.wait_for(timeout=5_000)
                return
        button.first.click()
        opened.wait_for()

    def slide(self, key: str, *presses: str) -> None:
        """Press keys on a slider."""
        handle = self.widget(key).locator("input[type=range]")
        handle.focus()
        for press in presses:
            handle.press(press)

    @property
    def language(self) -> str:
        """The id of the language of the page, from the name that the page gives the browser."""
        told = self.page.evaluate("document.documentElement.lang")
        return next((one for one in LANGUAGES if say("app.language", one) == told), LANGUAGES[0])

    def choose(self, key: str, option: object) -> None:
        """Choose an option by its id: press its button, or move the handle of a slider to it."""
        shown = word(key, str(option), self.language)
        handle = self.widget(key).locator("input[type=range]")
        if handle.count():
            handle.focus()
            handle.press("Home")
            while (now := handle.get_attribute("aria-valuetext")) != shown:
                handle.press("ArrowRight")
                assert handle.get_attribute("aria-valuetext") != now, f"{key} has no {shown}"
            return
        # A question has its number or a sign before it, and its lecture stop on the way.
        before = r"(?:(?:\d|\+|[=≠\s]+) [^?]+ )?"
        button = self.widget(key).locator("[role=radio]").filter(has_text=re.compile(rf"^{before}{re.escape(shown)}$"))
        if key == "mask" and not button.count():
            # Rarer options are behind "More".
            self.open_panel("more")
            self.page.locator(".st-key-other-masks").get_by_role("button", name=shown, exact=True).click()
            self.page.keyboard.press("Escape")
            return
        button.click()

    def chosen(self, key: str) -> str:
        """The id of the chosen option of a control."""
        pressed = self.widget(key).locator("[role=radio][aria-checked=true]").evaluate("(button) => button.textContent")
        knob = ALL_FIELDS[key]
        assert isinstance(knob, Choice)
        language = self.language
        return {word(key, option, language): option for option in knob.options}[pressed]

    def open_sidebar(self) -> None:
        """Open the sidebar, which only a lecturer needs."""
        self.page.get_by_test_id("stExpandSidebarButton").click()
        self.page.get_by_test_id("stSidebarCollapseButton").wait_for()
        # Other tests share the tab, and their pages must not open with the sidebar.
        kept = "Object.keys(localStorage).filter((name) => name.startsWith('stSidebar'))"
        self.page.wait_for_function(f"() => {kept}.length > 0")
        self.page.evaluate(f"{kept}.forEach((name) => localStorage.removeItem(name))")

    def press(self, key: str) -> None:
        """Press a button; a button with an icon exists twice, for wide and for narrow screens."""
        self.widget(key).locator("button:visible").click()

    def turn_to(self, group: str, page: str) -> None:
        """Choose a page from the menu by its words."""
        self.page.get_by_test_id("stTopNavSection").filter(has_text=group).click()
        self.page.get_by_test_id("stTopNavDropdownLink").filter(has_text=page).click()

    def flip(self, key: str) -> None:
        self.reach(key)
        self.widget(key).locator("label").first.click()
