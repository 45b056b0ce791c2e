"""One server for all processes of a test run: the first process that needs it starts it, and it ends after the last.

Each process that uses the server holds a shared lock on a file, which the kernel releases however the process ends. A
guard, the parent of the server, waits for the exclusive lock and then ends the server.
"""

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
# Seconds to start, of which each step has a limit of a minute; and seconds to wait for a lock while another process
# starts or ends the server.
UP, LOCKED = 120, 240


@contextlib.contextmanager
def used(folder: Path, started_by: str = STARTED_BY) -> Iterator[str]:
    """The address of the server of a folder, which runs as long as a process uses it.

    started_by: "module:name" of a context manager that takes the folder and yields an object with an `address`.
    """
    with _lock(folder / "starting", fcntl.LOCK_EX, LOCKED):
        user = _lock(folder / "users", fcntl.LOCK_SH, LOCKED)
        if not (folder / "address").exists():
            _start(folder, started_by)
    with user:
        yield (folder / "address").read_text()


def _start(folder: Path, started_by: str) -> None:
    # Run as a file, not as a module, because its package would import torch.
    command = [sys.executable, __file__, str(folder), started_by]
    with (folder / "guard.log").open("a") as log:
        # The guard has its own session: an interrupt from the keyboard ends the tests, then the guard ends the server.
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
    """Start a server, write its address, and end it when no process uses it any more."""
    module, name = started_by.split(":")
    with getattr(importlib.import_module(module), name)(folder) as server:
        told = folder / "address.new"
        told.write_text(server.address)
        told.rename(folder / "address")
        # Waits until no process uses the server.
        last = _lock(folder / "users", fcntl.LOCK_EX, math.inf)
        (folder / "address").unlink()
    # A process that came in the meantime waits until the server has ended, and starts another.
    last.close()


def _lock(path: Path, how: int, seconds: float) -> IO[str]:
    """A file that is locked until it is closed. TimeoutError: another process has held the lock for so many seconds."""
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
