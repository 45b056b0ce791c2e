"""A Chromium at a server, and the time from a key press to the finished paint."""

import contextlib
import shutil
from collections.abc import Iterator

from playwright.sync_api import Browser, Page, sync_playwright

FLAGS = ["--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run", "--disable-background-networking"]
IDLE = """() => {
  const app = document.querySelector('[data-testid=stApp]');
  return app?.getAttribute('data-test-script-state') === 'notRunning';
}"""
SHOWN = """() => document.querySelector('.att-card[data-drawn]')
  || [...document.querySelectorAll('.stMarkdown')].some((text) => text.innerText.startsWith('painted'))"""
# Resolves when everything near the screen shows the latest data, and two frames have passed.
PAINTED = """(before) => new Promise((done) => {
  const near = () => [...document.querySelectorAll('.att-card[data-near]')];
  const text = () => [...document.querySelectorAll('.stMarkdown')].at(-1)?.innerText;
  const charts = () => [...document.querySelectorAll('.stPlotlyChart')]
    .every((chart) => chart.querySelector('.heatmaplayer image'));
  const look = () => {
    const cards = near();
    const stamps = cards.map((card) => card.dataset.stamp).join();
    const fresh = cards.length ? stamps !== before.stamps : text() !== before.text;
    const drawn = cards.every((card) => card.dataset.drawn === card.dataset.stamp);
    if (fresh && drawn && charts()) {
      requestAnimationFrame(() => requestAnimationFrame(() => done(performance.now() - window.pressed)));
    } else requestAnimationFrame(look);
  };
  addEventListener('keydown', () => { window.pressed = performance.now(); }, { capture: true, once: true });
  look();
})"""
BEFORE = """() => ({
  stamps: [...document.querySelectorAll('.att-card[data-near]')].map((card) => card.dataset.stamp).join(),
  text: [...document.querySelectorAll('.stMarkdown')].at(-1)?.innerText,
})"""


@contextlib.contextmanager
def chromium() -> Iterator[Browser]:
    names = ("chromium", "chromium-browser", "google-chrome")
    path = next((found for name in names if (found := shutil.which(name))), None)
    if path is None:
        raise RuntimeError(f"no browser: install one of {', '.join(names)}")
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=path, args=FLAGS)
        yield browser
        browser.close()


class Watched:
    """A page whose slider is timed."""

    def __init__(self, browser: Browser, address: str) -> None:
        self.page: Page = browser.new_page(viewport={"width": 1400, "height": 1000})
        self.page.goto(address)
        self.page.wait_for_function(SHOWN, timeout=60_000)
        self.page.wait_for_function(IDLE)

    def settle(self) -> None:
        near = "[...document.querySelectorAll('.att-card[data-near]')]"
        self.page.wait_for_function(f"() => {near}.every((card) => card.dataset.drawn === card.dataset.stamp)")
        self.page.wait_for_function(IDLE)

    def move(self, key: str, arrow: str) -> float:
        """Milliseconds from the arrow key on a slider until everything near the screen is painted."""
        self.page.bring_to_front()
        self.page.locator(f".st-key-{key} input").first.focus()
        before = self.page.evaluate(BEFORE)
        self.page.evaluate(f"(before) => {{ window.painted = ({PAINTED})(before); }}", before)
        self.page.keyboard.press(arrow)
        milliseconds: float = self.page.evaluate("window.painted")
        self.page.wait_for_function(IDLE)
        return milliseconds
