"""A server of the app in a process of its own, from its start until it answers."""

import contextlib
import subprocess
import sys
import time
import urllib.request
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from types import MappingProxyType

import pytest

from benchmarks.browser import free_port

ROOT = Path(__file__).resolve().parents[2]


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
