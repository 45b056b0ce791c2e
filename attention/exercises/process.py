"""Run a student's file in a process of its own, so that a crash or an endless loop does not harm the check."""

import json
import os
import queue
import subprocess
import sys
import tempfile
import threading
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import IO, Any

import torch

from attention.exercises import words
from attention.exercises.calling import Outcome

# The process imports the same package as the check.
_PACKAGE = Path(__file__).resolve().parents[2]
# Seconds for loading torch and computing right answers, on a busy machine.
_OWN = 120.0


def run(path: Path, names: Sequence[str], seconds: float) -> dict[str, list[Outcome] | str]:
    """The outcomes of each exercise, or a sentence that explains their lack. names: the exercises, () for all in the
    file.

    An exercise that ends its process, or does not end, gets a sentence, and the others go on in another process.
    ValueError: the file cannot be run, and no exercise was named.
    """
    came: dict[str, list[Outcome] | str] = {}
    left: Sequence[str] | None = names or None
    while left is None or left:
        with tempfile.TemporaryDirectory() as folder, _child(path, Path(folder), left) as (child, lines):
            begun, problem = _listen(child, lines, Path(folder), seconds, came)
        if not problem:
            return came
        if begun.now is None:
            # The file itself does not load, so every requested exercise gets this sentence.
            asked = left or [name for name in begun.names if name not in came]
            if not asked:
                raise ValueError(problem)
            return came | dict.fromkeys(asked, problem)
        came[begun.now] = problem
        left = [name for name in begun.names if name not in came]
    return came


class _Begun:
    """The progress that a process has reported: the exercises that it will run, and the one that it runs."""

    def __init__(self) -> None:
        self.names: list[str] = []
        self.now: str | None = None


def _listen(
    child: subprocess.Popen[bytes],
    lines: "queue.Queue[dict[str, Any] | None]",
    folder: Path,
    seconds: float,
    came: dict[str, list[Outcome] | str],
) -> tuple[_Begun, str]:
    begun, patience = _Begun(), _OWN
    while True:
        try:
            line = lines.get(timeout=patience)
        except queue.Empty:
            return begun, words.say("too_long" if begun.now else "loads_too_long", seconds=f"{patience:g}")
        if line is None:
            return begun, words.say("died" if begun.now else "died_loading", code=child.wait())
        match line["says"]:
            case "started":
                patience = seconds
            case "unloadable":
                return begun, str(line["problem"])
            case "loaded":
                begun.names, patience = line["names"], _OWN
            case "begun":
                begun.now, patience = line["name"], seconds
            case "missing":
                came[line["name"]] = words.say("missing", name=line["name"])
            case "done":
                kept = torch.load(folder / line["file"], weights_only=True)
                came[line["name"]] = [Outcome(one["value"], one["problem"], tuple(one["changed"])) for one in kept]
                begun.now, patience = None, _OWN
            case "end":
                return begun, ""


@contextmanager
def _child(
    path: Path, folder: Path, names: Sequence[str] | None
) -> Iterator[tuple[subprocess.Popen[bytes], "queue.Queue[dict[str, Any] | None]"]]:
    asked = [] if names is None else [",".join(names)]
    # -P keeps a file called torch.py beside the student's from being imported as torch.
    command = [sys.executable, "-P", "-m", "attention.exercises.child", str(path.resolve()), str(folder), *asked]
    # An empty entry would be the folder of the file.
    paths = [str(_PACKAGE), *filter(None, os.environ.get("PYTHONPATH", "").split(os.pathsep))]
    there = os.environ | {"PYTHONPATH": os.pathsep.join(paths)}
    child = subprocess.Popen(command, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, env=there)
    lines: queue.Queue[dict[str, Any] | None] = queue.Queue()
    assert child.stdout is not None
    threading.Thread(target=_read, args=(child.stdout, lines), daemon=True).start()
    try:
        yield child, lines
    finally:
        child.kill()
        child.wait()


def _read(stream: IO[bytes], lines: "queue.Queue[dict[str, Any] | None]") -> None:
    """Hand over each line, and None at the end."""
    with stream:
        for line in stream:
            lines.put(json.loads(line))
    lines.put(None)
