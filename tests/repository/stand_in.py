"""A stand-in for a server, for test_shared_server.py; without torch, because each of its processes imports this."""

import contextlib
import os
from collections.abc import Iterator
from pathlib import Path
from types import SimpleNamespace


@contextlib.contextmanager
def served(folder: Path) -> Iterator[SimpleNamespace]:
    """A stand-in for a server: a file that exists as long as it is up, and a line for each start."""
    with (folder / "starts").open("a") as starts:
        starts.write(f"{os.getpid()}\n")
    (folder / "up").touch()
    try:
        yield SimpleNamespace(address=f"server {os.getpid()}")
    finally:
        (folder / "up").unlink()


@contextlib.contextmanager
def failing(folder: Path) -> Iterator[None]:
    raise OSError("no port is free")
    yield
