"""The files for hosts: checks that need no container engine, and the proxy for real."""

import contextlib
import json
import os
import re
import shutil
import signal
import subprocess
import sys
import threading
import urllib.error
import urllib.request
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import ClassVar

import pytest

from benchmarks import replicas
from benchmarks.server import Server, free_port, running, wait_until_healthy
from pages.shell.server.live import CACHED
from tests.conftest import ROOT
from tests.support.browser import Screen

DEPLOY = ROOT / "deploy"
DOCKERFILE = (DEPLOY / "Dockerfile").read_text(encoding="utf-8").replace("\\\n", " ")


def instructions(name: str) -> list[str]:
    return re.findall(rf"^{name} (.*)$", DOCKERFILE, flags=re.MULTILINE)


def test_the_linter_finds_nothing_in_the_dockerfile():
    linter = Path(sys.executable).with_name("hadolint")
    done = subprocess.run([linter, DEPLOY / "Dockerfile"], capture_output=True, text=True, check=False)
    assert (done.returncode, done.stdout) == (0, "")


@pytest.mark.slow
def test_the_image_has_all_that_the_app_needs_and_says_that_it_is_well(tmp_path):
    for copied in instructions("COPY"):
        if "--from" not in copied and not copied.startswith("requirements"):
            source, target = ROOT / copied.split()[0], tmp_path / copied.split()[1]
            ignored = shutil.ignore_patterns("__pycache__")
            shutil.copytree(source, target, ignore=ignored) if source.is_dir() else shutil.copy(source, target)
    venv, port = str(Path(sys.executable).parent), str(free_port())
    shell, flag, command = json.loads(instructions("CMD")[-1])
    command = command.replace("/venv/bin", venv).replace("0.0.0.0", "127.0.0.1")
    environment = os.environ | {"PORT": port}
    (probe,) = re.findall(r"^HEALTHCHECK .*? CMD (.*)$", DOCKERFILE, flags=re.MULTILINE)
    healthy = [part.replace("/venv/bin", venv) for part in json.loads(probe)]
    with (tmp_path / "log").open("wb") as log:
        server = subprocess.Popen([shell, flag, command], cwd=tmp_path, env=environment, stdout=log, stderr=log)
        try:
            wait_until_healthy(f"http://127.0.0.1:{port}/_stcore/health", server, log)
            assert subprocess.run(healthy, env=environment, check=False).returncode == 0
            with urllib.request.urlopen(f"http://127.0.0.1:{port}/assets/plot/mounts.js", timeout=10) as answer:
                assert answer.status == 200
        finally:
            server.terminate()
            # The shell has been replaced by the server, which gets the signal and stops at once.
            assert server.wait(10) in (0, -signal.SIGTERM)
    assert subprocess.run(healthy, env=environment, capture_output=True, check=False).returncode != 0


def test_nothing_but_the_app_goes_into_the_image():
    kept = {line[1:] for line in (ROOT / ".dockerignore").read_text().splitlines() if line.startswith("!")}
    copied = {line.split()[0] for line in instructions("COPY") if "--from" not in line}
    assert kept == copied


@contextlib.contextmanager
def proxied(folder: Path, addresses: list[str]) -> Iterator[str]:
    """The address of an nginx with the project's configuration, for replicas on this machine."""
    if not replicas.is_there():
        pytest.fail(replicas.MISSING) if os.environ.get("REQUIRE_BROWSER") else pytest.skip(replicas.MISSING)
    with replicas.proxied(folder, addresses) as address:
        yield address


def fetched(address: str, encoding: str) -> tuple[bytes, str]:
    """A file as it is sent, and its encoding."""
    request = urllib.request.Request(f"{address}/assets/plot/mounts.js", headers={"accept-encoding": encoding})
    with urllib.request.urlopen(request, timeout=10) as answer:
        return answer.read(), answer.headers.get("content-encoding", "")


@pytest.fixture(scope="module")
def living(tmp_path_factory) -> Iterator[Callable[[int], list[Server]]]:
    """A function that returns `count` living servers: those of earlier tests, and new ones in place of dead ones."""
    with contextlib.ExitStack() as stack:
        servers: list[Server] = []

        def alive(count: int) -> list[Server]:
            servers[:] = [one for one in servers if one.process.poll() is None]
            while len(servers) < count:
                servers.append(stack.enter_context(running(tmp_path_factory.mktemp("replica"))))
            return servers[:count]

        yield alive


@pytest.mark.slow
def test_what_is_the_same_for_everybody_is_fetched_from_a_replica_once(server, living, tmp_path):
    (replica,) = living(1)
    with proxied(tmp_path, [replica.address, replica.address]) as address:
        first = {encoding: fetched(address, encoding) for encoding in ("gzip", "br", "identity")}
        assert {encoding: found for encoding, (_, found) in first.items()} == {
            "gzip": "gzip",
            "br": "br",
            "identity": "",
        }
        assert first == {encoding: fetched(server, encoding) for encoding in first}
        replica.process.kill()
        replica.process.wait(10)
        assert {encoding: fetched(address, encoding) for encoding in first} == first


class _Replica(BaseHTTPRequestHandler):
    """A server that answers like the live route: it counts its requests, and is full if the request says so."""

    protocol_version = "HTTP/1.1"
    asked: ClassVar[list[str]] = []

    def do_GET(self) -> None:
        full, tag = "full" in self.path, '"1"'
        if self.path != "/_stcore/health":
            self.asked.append(self.path)
        known = self.headers.get("if-none-match") == tag
        self.send_response(503 if full else 304 if known else 200)
        self.send_header("content-length", "0" if known else "7")
        self.send_header("etag", tag)
        self.send_header("cache-control", CACHED if "build" in self.path else "no-store")
        self.end_headers()
        if not known:
            self.wfile.write(b"figures")

    def do_POST(self) -> None:
        self.rfile.read(int(self.headers["content-length"]))
        self.do_GET()

    def log_message(self, *_: object) -> None:
        """Log nothing."""


@pytest.fixture
def replica() -> Iterator[str]:
    """The address of a replica with real cache rules and nothing else real."""
    _Replica.asked.clear()
    with ThreadingHTTPServer(("127.0.0.1", 0), _Replica) as server:
        threading.Thread(target=server.serve_forever, daemon=True).start()
        yield f"http://127.0.0.1:{server.server_address[1]}"
        server.shutdown()


def got(address: str, path: str, body: bytes | None = None, **headers: str) -> int:
    """The status of an answer; asserts that one with status 200 has the figures."""
    request = urllib.request.Request(address + path, body, {name.replace("_", "-"): headers[name] for name in headers})
    try:
        with urllib.request.urlopen(request, timeout=10) as answer:
            assert answer.read() == b"figures"
            return answer.status
    except urllib.error.HTTPError as error:
        return error.code


def test_figures_of_one_address_are_computed_for_two_visitors_and_kept_for_the_others(replica, tmp_path):
    with proxied(tmp_path, [replica]) as address:
        for path, asked in (("/live?build=1&a=1", 2), ("/live?build=1&a=2", 2), ("/live?a=1", 5)):
            _Replica.asked.clear()
            assert [got(address, path) for _ in range(5)] == [200] * 5
            assert len(_Replica.asked) == asked, path
        assert got(address, "/live?build=1&a=1", if_none_match='"1"') == 304
        _Replica.asked.clear()
        assert [got(address, "/live?build=1&a=1", b"text=mine") for _ in range(3)] == [200] * 3
        assert len(_Replica.asked) == 3


def test_a_hall_that_opens_one_link_at_once_is_one_or_two_questions_for_a_replica(replica, tmp_path):
    with proxied(tmp_path, [replica]) as address, ThreadPoolExecutor(20) as hall:
        assert set(hall.map(lambda _: got(address, "/live?build=1"), range(60))) == {200}
    assert len(_Replica.asked) <= 2


def test_a_replica_that_has_too_much_to_do_is_not_taken_for_dead(replica, tmp_path):
    with proxied(tmp_path, [replica, replica]) as address:
        assert [got(address, f"/live?full={turn}") for turn in range(3)] == [503] * 3
        assert len(_Replica.asked) == 3
        assert got(address, "/live?build=1") == 200


@pytest.mark.slow
def test_a_room_lives_on_one_replica(living, tmp_path):
    """One visitor at each replica asks for rooms: each room is open for both, or for neither."""

    def asked(do: str, name: str, visitor: str, **more) -> int:
        body = json.dumps({"do": do, "voter": "0" * 16, "lecture": "masks", "stop": 1, **more}).encode()
        headers = {"content-type": "application/json", "cookie": f"visitor={visitor}", "x-forwarded-for": visitor}
        request = urllib.request.Request(f"{address}/room?name={name}", body, headers)
        try:
            with urllib.request.urlopen(request, timeout=30) as answer:
                return answer.status
        except urllib.error.HTTPError as error:
            return error.code

    with proxied(tmp_path, [server.address for server in living(2)]) as address:
        for name in ("hall", "aula", "lab-3", "%E7%8C%AB", "room%207"):
            assert asked("open", name, "10.0.0.1", key="5a" * 16) == 200
            assert {asked("look", name, f"10.0.0.{number}") for number in range(7)} == {200}
        assert asked("look", "nobody", "10.0.0.1") == 404


@pytest.mark.slow
@pytest.mark.browser
def test_when_a_replica_dies_its_visitors_go_on_at_the_other_with_their_screens(browser, living, tmp_path):
    servers = living(2)
    with proxied(tmp_path, [server.address for server in servers]) as address, browser.new_context() as context:
        screen = Screen(context.new_page(), address)
        screen.open("/", mask="window", width=3, seed=7)
        before = screen.numbers(screen.see("weights"))
        (used,) = (server for server in servers if server.visitors())
        used.process.kill()
        screen.page.wait_for_function(
            "() => document.querySelector('[data-testid=stApp]').dataset.testConnectionState !== 'CONNECTED'"
        )
        screen.settle()
        screen.slide("width", "ArrowRight")
        screen.until_parameter("width", "4")
        after = screen.numbers(screen.see("weights"))
        assert screen.parameters == {"mask": "window", "width": "4", "seed": "7"}
        assert after.shape == before.shape
        assert (after != before).any()
