"""One server for all processes of a test run: the first that needs it starts it, and it ends when nobody is left.

Whoever uses it holds a lock on a file, which the kernel takes from a process however that ends. A guard, which is the
parent of the server, waits until it gets this lock for itself."""

import contextlib
import fcntl
import importlib
import math
import os
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path
from typing import IO

ROOT = Path(__file__).resolve().parents[2]
STARTED_BY = "benchmarks.server:running"
# Seconds: to start, where each of its own steps has a limit of a minute; and to wait for a lock while another starts
# or ends it.
UP, LOCKED = 120, 240


@contextlib.contextmanager
def used(folder: Path, started_by: str = STARTED_BY) -> Iterator[str]:
    """The address of the server of a folder, which is up as long as somebody uses it.

    started_by: "module:name" of a context manager that takes the folder and gives what has an `address`."""
    with _lock(folder / "starting", fcntl.LOCK_EX, LOCKED):
        user = _lock(folder / "users", fcntl.LOCK_SH, LOCKED)
        if not (folder / "address").exists():
            _start(folder, started_by)
    with user:
        yield (folder / "address").read_text()


def _start(folder: Path, started_by: str) -> None:
    # As a file: of the package that it stands in, torch is imported.
    command = [sys.executable, __file__, str(folder), started_by]
    with (folder / "guard.log").open("a") as log:
        # An interrupt from the keyboard is for the tests: the guard outlives them, to end what they leave behind.
        guard = subprocess.Popen(
            command,
            cwd=ROOT,
            env=os.environ | {"PYTHONPATH": str(ROOT)},
            stdout=log,
            stderr=log,
            start_new_session=True,
        )
    end = time.monotonic() + UP
    while not (folder / "address").exists():
        if guard.poll() is not None or time.monotonic() > end:
            guard.kill()
            raise RuntimeError(f"the server is not up:\n{(folder / 'guard.log').read_text()}")
        time.sleep(0.05)


def guard(folder: Path, started_by: str) -> None:
    """Start a server, tell its address, and end it when nobody uses it any more."""
    module, name = started_by.split(":")
    with getattr(importlib.import_module(module), name)(folder) as server:
        told = folder / "address.new"
        told.write_text(server.address)
        told.rename(folder / "address")
        # As long as somebody uses it.
        last = _lock(folder / "users", fcntl.LOCK_EX, math.inf)
        (folder / "address").unlink()
    # Whoever has come in the meantime waits until it has ended, and starts another.
    last.close()


def _lock(path: Path, how: int, seconds: float) -> IO[str]:
    """A file that is locked until it is closed. TimeoutError: somebody else has kept it for so many seconds."""
    file, end = path.open("a"), time.monotonic() + seconds
    while True:
        try:
            fcntl.flock(file, how | fcntl.LOCK_NB)
            return file
        except BlockingIOError:
            if time.monotonic() > end:
                file.close()
                raise TimeoutError(f"{path} has been locked for {seconds} s") from None
            time.sleep(0.05)


if __name__ == "__main__":
    guard(Path(sys.argv[1]), sys.argv[2])
