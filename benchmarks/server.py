"""Start servers in processes of their own, wait until they answer, and end them afterwards."""

import contextlib
import os
import socket
import subprocess
import sys
import time
import urllib.request
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from types import MappingProxyType
from typing import IO

ROOT = Path(__file__).resolve().parent.parent
APP = ROOT / "streamlit_app.py"
_FIXED = {
    "server.headless": "true",
    "server.address": "127.0.0.1",
    "server.fileWatcherType": "none",
    "logger.level": "error",
    "browser.gatherUsageStats": "false",
}
_NONE: Mapping[str, object] = MappingProxyType({})


@dataclass(frozen=True)
class Server:
    """A server that answers at an address."""

    address: str
    process: subprocess.Popen[bytes]

    def cpu(self) -> float:
        """Seconds of processor time so far. This and the methods below read /proc, so they need Linux."""
        fields = Path(f"/proc/{self.process.pid}/stat").read_text(encoding="utf-8").rpartition(")")[2].split()
        return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")

    def rest(self) -> None:
        """Wait until the server has been idle for a second. RuntimeError: it is busy for two minutes."""
        before = -1.0
        for _ in range(120):
            if (now := self.cpu()) - before <= 0.05:
                return
            before = now
            time.sleep(1)
        raise RuntimeError(f"{self.address} does not come to rest")

    def memory(self) -> float:
        """Megabytes of resident memory."""
        lines = Path(f"/proc/{self.process.pid}/status").read_text(encoding="utf-8").splitlines()
        return sum(int(line.split()[1]) for line in lines if line.startswith("VmRSS")) / 1024

    def visitors(self) -> int:
        """The number of open connections to the server, from the kernel's table, where state 1 means established."""
        port = f":{int(self.address.rsplit(':', 1)[1]):04X}"
        lines = [line.split() for line in Path("/proc/net/tcp").read_text().splitlines()[1:]]
        return sum(local.endswith(port) and state == "01" for _, local, _, state, *_ in lines)


@contextlib.contextmanager
def running(
    folder: Path = ROOT, script: Path = APP, *, port: int | None = None, options: Mapping[str, object] = _NONE
) -> Iterator[Server]:
    """A Streamlit server of a script. folder: its working directory, with its settings; its output goes to `server.log`
    there, or nowhere if the folder is the project's. port: None for a free one."""
    port = port or free_port()
    command = [sys.executable, "-m", "streamlit", "run", str(script)]
    for name, value in ({"server.port": port} | _FIXED | dict(options)).items():
        command += [f"--{name}", str(value)]
    with _log(folder) as log, started(command, f"http://127.0.0.1:{port}", "/_stcore/health", folder, log) as server:
        yield server


@contextlib.contextmanager
def started(command: Sequence[str], address: str, asked: str, folder: Path, log: IO[bytes]) -> Iterator[Server]:
    """The server that a command starts, once it answers the path `asked`. RuntimeError: it ended, or did not answer."""
    environment = os.environ | {"PYTHONPATH": str(ROOT)}
    process = subprocess.Popen(command, cwd=folder, env=environment, stdout=log, stderr=subprocess.STDOUT)
    try:
        wait_until_healthy(address + asked, process, log)
        yield Server(address, process)
    finally:
        process.terminate()
        try:
            process.wait(30)
        except subprocess.TimeoutExpired:
            # The server may wait for a connection that nobody closes.
            process.kill()
            process.wait(30)


def wait_until_healthy(address: str, process: subprocess.Popen[bytes], log: IO[bytes]) -> None:
    """Wait until an address answers. RuntimeError, with the log: the process ended, or did not answer in time."""
    end = time.monotonic() + 60
    while time.monotonic() < end and process.poll() is None:
        with contextlib.suppress(OSError), urllib.request.urlopen(address, timeout=1) as answer:
            if answer.status == 200:
                return
        time.sleep(0.05)
    said = Path(log.name).read_text(errors="replace") if Path(log.name).is_file() else ""
    raise RuntimeError(f"{address} does not answer (status of its process: {process.poll()})\n{said}")


def free_port() -> int:
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port: int = free.getsockname()[1]
        return port


def _log(folder: Path) -> IO[bytes]:
    return Path(os.devnull).open("wb") if folder == ROOT else (folder / "server.log").open("wb")
