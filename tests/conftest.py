"""What the whole suite shares: one thread for the arithmetic; for the tests that are marked `browser`, one server, one
Chromium and one page in it, because a page that is there already opens a link in a fifth of the time."""

import contextlib
import functools
import os
import shutil
import subprocess
import sys
import time
import urllib.request
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from types import MappingProxyType

import pytest
import torch
from streamlit import config
from streamlit.components.v2 import manifest_scanner

from benchmarks.browser import free_port
from tests.support.browser import PHONE, Screen

ROOT = Path(__file__).resolve().parent.parent
BROWSERS = ("chromium", "chromium-browser", "google-chrome")
FLAGS = [
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
]

# Streamlit reads what every installed package says of itself for each app that a test starts: a third of its time.
manifest_scanner.scan_component_manifests = functools.cache(manifest_scanner.scan_component_manifests)

# What visitors do not see of an error, a test that failed must say.
config.set_option("client.showErrorDetails", "full")

# As the app computes. With more, the many tiny products wait for each other: test_parity.py took 33 s, now 2.
torch.set_num_threads(1)


@pytest.fixture(scope="session")
def browser():
    """A Chromium of the system. Without one its tests are skipped, and fail where they must not be."""
    path = next((found for name in BROWSERS if (found := shutil.which(name))), None)
    if path is None:
        message = f"no browser: install one of {', '.join(BROWSERS)} (Debian: apt-get install chromium)"
        if os.environ.get("CI") or os.environ.get("REQUIRE_BROWSER"):
            pytest.fail(message)
        pytest.skip(message)
    from playwright.sync_api import sync_playwright

    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=path, args=FLAGS)
        yield browser
        browser.close()


@dataclass(frozen=True)
class Server:
    """A server of the app in a process of its own."""

    address: str
    process: subprocess.Popen

    def visitors(self) -> int:
        """How many websockets are open to it, from the kernel's table: state 1 is an established connection."""
        port = f":{int(self.address.rsplit(':', 1)[1]):04X}"
        lines = [line.split() for line in Path("/proc/net/tcp").read_text().splitlines()[1:]]
        return sum(local.endswith(port) and state == "01" for _, local, _, state, *_ in lines)


@contextlib.contextmanager
def running(
    folder: Path,
    script: Path = ROOT / "streamlit_app.py",
    port: int | None = None,
    options: Mapping[str, object] = MappingProxyType({}),
) -> Iterator[Server]:
    """A server of its own, started from a folder that is not the project's; what it says is in `server.log` there."""
    port = port or free_port()
    fixed = {"port": port, "headless": "true", "address": "127.0.0.1", "fileWatcherType": "none"}
    command = [sys.executable, "-m", "streamlit", "run", str(script), "--logger.level", "error"]
    for name, value in ({f"server.{name}": value for name, value in fixed.items()} | dict(options)).items():
        command += [f"--{name}", str(value)]
    with (folder / "server.log").open("w+") as log:
        process = subprocess.Popen(command, cwd=folder, stdout=log, stderr=subprocess.STDOUT)
        try:
            until_healthy(f"http://127.0.0.1:{port}/_stcore/health", process, folder / "server.log")
            yield Server(f"http://127.0.0.1:{port}", process)
        finally:
            process.terminate()
            process.wait(10)


def until_healthy(address: str, process: subprocess.Popen, log: Path) -> None:
    end = time.monotonic() + 60
    while time.monotonic() < end:
        if process.poll() is not None:
            break
        with contextlib.suppress(OSError), urllib.request.urlopen(address, timeout=1) as answer:
            if answer.read() == b"ok":
                return
        time.sleep(0.05)
    pytest.fail(f"the server is not up:\n{log.read_text()}")


@pytest.fixture(scope="session")
def server(tmp_path_factory) -> Iterator[str]:
    with running(tmp_path_factory.mktemp("server")) as server:
        yield server.address


@pytest.fixture
def fresh_server(tmp_path_factory) -> Iterator[Callable[[], Server]]:
    """Servers that nobody has visited, ended with the test."""
    with contextlib.ExitStack() as stack:
        yield lambda: stack.enter_context(running(tmp_path_factory.mktemp("fresh")))


@pytest.fixture(scope="session")
def tab(browser):
    page = browser.new_page()
    page.set_default_timeout(30_000)
    yield page
    page.close()


@pytest.fixture
def screen(tab, server) -> Iterator[Screen]:
    """The tab at its usual size and in light colours; whatever it complained of fails the test."""
    screen = Screen(tab, server)
    yield screen
    screen.leave()
    assert not screen.complaints, "\n".join(screen.complaints)


@pytest.fixture
def phone(screen) -> Screen:
    screen.page.set_viewport_size(PHONE)
    return screen


@pytest.fixture
def picture(screen):
    """The picture of vectors, as its page opens."""
    screen.open("/one_query")
    return screen.see("vectors")
