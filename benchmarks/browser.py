"""A server in a process of its own, a Chromium that looks at it, and the stopwatch between the two."""

import contextlib
import os
import shutil
import socket
import subprocess
import sys
import time
import urllib.request
from collections.abc import Iterator
from pathlib import Path

from playwright.sync_api import Browser, Page, WebSocket, sync_playwright

ROOT = Path(__file__).resolve().parent.parent
FLAGS = ["--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run", "--disable-background-networking"]
IDLE = """() => {
  const app = document.querySelector('[data-testid=stApp]');
  return app?.getAttribute('data-test-script-state') === 'notRunning';
}"""
SHOWN = """() => document.querySelector('.att-card[data-drawn]')
  || [...document.querySelectorAll('.stMarkdown')].some((text) => text.innerText.startsWith('painted'))"""
# Everything near the screen shows what was sent last, and the browser had two frames to put it there.
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
DASH_SHOWN = """() => {
  const graphs = [...document.querySelectorAll('.js-plotly-plot')];
  return graphs.length > 8 && graphs.every((graph) => graph.querySelector('.heatmaplayer image'));
}"""
# Dash hands every graph its figure again, and Plotly says of each when it is drawn.
DASH_PAINTED = """() => new Promise((done) => {
  const waiting = new Set(document.querySelectorAll('.js-plotly-plot'));
  for (const graph of waiting) graph.once('plotly_afterplot', () => {
    waiting.delete(graph);
    if (waiting.size) return;
    requestAnimationFrame(() => requestAnimationFrame(() => done(performance.now() - window.pressed)));
  });
  addEventListener('keydown', () => { window.pressed = performance.now(); }, { capture: true, once: true });
})"""
BEFORE = """() => ({
  stamps: [...document.querySelectorAll('.att-card[data-near]')].map((card) => card.dataset.stamp).join(),
  text: [...document.querySelectorAll('.stMarkdown')].at(-1)?.innerText,
})"""


@contextlib.contextmanager
def server(script: Path, *options: str) -> Iterator[str]:
    """The address of a Streamlit server for a script, ready; ended afterwards."""
    with process(script, *options) as (address, _):
        yield address


def free_port() -> int:
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port: int = free.getsockname()[1]
        return port


@contextlib.contextmanager
def dash_server() -> Iterator[str]:
    """The address of the same heatmaps in Dash; ended afterwards."""
    port = free_port()
    command = [sys.executable, "-m", "benchmarks.dash_page", str(port)]
    started = subprocess.Popen(command, cwd=ROOT, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    try:
        address = f"http://127.0.0.1:{port}"
        wait_until_healthy(address, started, expected=None)
        yield address
    finally:
        started.terminate()
        started.wait(10)


@contextlib.contextmanager
def process(script: Path, *options: str) -> Iterator[tuple[str, int]]:
    """The address of a server and the id of its process."""
    port = free_port()
    fixed = ["--server.port", str(port), "--server.headless", "true", "--server.address", "127.0.0.1"]
    quiet = ["--server.fileWatcherType", "none", "--logger.level", "error", "--browser.gatherUsageStats", "false"]
    command = [sys.executable, "-m", "streamlit", "run", str(script), *fixed, *quiet, *options]
    environment = os.environ | {"PYTHONPATH": str(ROOT)}
    started = subprocess.Popen(command, cwd=ROOT, env=environment, stdout=subprocess.DEVNULL)
    try:
        wait_until_healthy(f"http://127.0.0.1:{port}/_stcore/health", started)
        yield f"http://127.0.0.1:{port}", started.pid
    finally:
        started.terminate()
        started.wait(10)


def wait_until_healthy(address: str, started: subprocess.Popen[bytes], expected: bytes | None = b"ok") -> None:
    """Until an address answers; expected: with what, None for anything."""
    end = time.monotonic() + 60
    while time.monotonic() < end:
        if started.poll() is not None:
            raise RuntimeError(f"the server ended with status {started.returncode}")
        with contextlib.suppress(OSError), urllib.request.urlopen(address, timeout=1) as answer:
            if expected in (None, answer.read()):
                return
        time.sleep(0.05)
    raise TimeoutError(f"{address} did not answer within a minute")


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
    """A page whose websocket is weighed and whose slider is timed."""

    def __init__(self, browser: Browser, address: str) -> None:
        self.page: Page = browser.new_page(viewport={"width": 1400, "height": 1000})
        self.frames: list[bytes] = []
        self.sent: list[bytes] = []
        self.page.on("websocket", self._listen)
        self.page.goto(address)
        self.page.wait_for_function(SHOWN, timeout=60_000)
        self.page.wait_for_function(IDLE)

    def _listen(self, socket: WebSocket) -> None:
        socket.on("framereceived", lambda frame: self.frames.append(_bytes(frame)))
        socket.on("framesent", lambda frame: self.sent.append(_bytes(frame)))

    def see(self, figure: str) -> None:
        """Scroll a figure to the top of the screen and wait until what is near is painted."""
        self.page.locator(f".att-card[data-figure={figure}]").last.scroll_into_view_if_needed()
        self.settle()

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


class WatchedDash:
    """A Dash page with one slider, which is timed."""

    def __init__(self, browser: Browser, address: str) -> None:
        self.page: Page = browser.new_page(viewport={"width": 1400, "height": 1000})
        self.page.goto(address)
        self.page.wait_for_function(DASH_SHOWN, timeout=60_000)

    def move(self, key: str, arrow: str) -> float:
        """Milliseconds from the arrow key on the slider until every graph is drawn anew."""
        self.page.bring_to_front()
        self.page.locator(f"#{key} [role=slider]").first.focus()
        self.page.evaluate(f"() => {{ window.painted = ({DASH_PAINTED})(); }}")
        self.page.keyboard.press(arrow)
        milliseconds: float = self.page.evaluate("window.painted")
        return milliseconds


def _bytes(frame: str | bytes) -> bytes:
    return frame if isinstance(frame, bytes) else frame.encode()
