"""The process that loads a student's file and calls its functions; `process` starts it and listens.

Its reports go to the stream that it was given; the file's own output goes to the stream of errors.
"""

import json
import os
import runpy
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import torch

from attention.exercises import words
from attention.exercises.calling import outcomes
from attention.exercises.registry import EXERCISES


def main(path: str, folder: str, names: Sequence[str] | None) -> None:
    report = os.fdopen(os.dup(1), "w", encoding="utf-8")
    os.dup2(2, 1)
    # Lines are written at once, since a process that is killed (in an endless loop) loses unwritten ones.
    sys.stdout.reconfigure(line_buffering=True)  # type: ignore[union-attr]

    def say(says: str, **more: Any) -> None:
        print(json.dumps({"says": says, **more}), file=report, flush=True)

    say("started")
    home = str(Path(path).parent)
    os.chdir(home)
    # The folder comes last in the path, so that a file beside the student's cannot replace a module of ours.
    sys.path.append(home)
    try:
        found = runpy.run_path(path, run_name="exercise")
    except BaseException as error:
        line = f", line {error.lineno}" if isinstance(error, SyntaxError) else ""
        told = f"{type(error).__name__}: {error.msg if isinstance(error, SyntaxError) else error}{line}"
        say("unloadable", problem=words.say("unloadable", error=told))
        return
    asked = [name for name in EXERCISES if callable(found.get(name))] if names is None else list(names)
    say("loaded", names=asked)
    for name in asked:
        if not callable(found.get(name)):
            say("missing", name=name)
            continue
        exercise = EXERCISES[name]
        # The cases are computed here, so that they take none of the student's time.
        assert exercise.cases
        say("begun", name=name)
        kept = [vars(outcome) for outcome in outcomes(exercise, found[name])]
        torch.save(kept, Path(folder) / f"{name}.pt")
        say("done", name=name, file=f"{name}.pt")
    say("end")


if __name__ == "__main__":
    main(sys.argv[1], sys.argv[2], sys.argv[3].split(",") if len(sys.argv) > 3 else None)
