"""The files for hosts: what can be checked of them without a container engine, and the proxy for real."""

import contextlib
import json
import os
import re
import shutil
import signal
import subprocess
import sys
import urllib.request
from collections.abc import Iterator
from pathlib import Path

import pytest

from benchmarks import replicas
from benchmarks.server import free_port, wait_until_healthy
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
            # The shell has made way for the server: it hears the signal, and goes at once.
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
    """A file as it comes, and its encoding."""
    request = urllib.request.Request(f"{address}/assets/plot/mounts.js", headers={"accept-encoding": encoding})
    with urllib.request.urlopen(request, timeout=10) as answer:
        return answer.read(), answer.headers.get("content-encoding", "")


def test_what_is_the_same_for_everybody_is_fetched_from_a_replica_once(server, fresh_server, tmp_path):
    replica = fresh_server()
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


@pytest.mark.browser
def test_when_a_replica_dies_its_visitors_go_on_at_the_other_with_their_screens(browser, fresh_server, tmp_path):
    servers = [fresh_server() for _ in range(2)]
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
