"""`python -m attention.exercises list | start NAME | check FILE | graders pytest`."""

import argparse
import os
import sys
from collections.abc import Sequence
from io import TextIOWrapper
from pathlib import Path

from attention import checks
from attention.exercises import words, writing
from attention.exercises.checking import check_file
from attention.exercises.registry import EXERCISES


def main(arguments: Sequence[str] | None = None) -> int:
    """Exit status 0: done, or all right; 1: something is wrong; 2: nothing was checked or written, for a given
    reason."""
    # Consoles without √ print ? in its place.
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, TextIOWrapper):
            stream.reconfigure(errors="replace")
    chosen = _parser().parse_args(arguments)
    if getattr(chosen, "app", None):
        os.environ["ATTENTION_APP"] = chosen.app
    try:
        return int(_COMMANDS[chosen.command](chosen))
    except ValueError as error:
        print(error, file=sys.stderr)
        return 2


def _list(chosen: argparse.Namespace) -> int:
    for name in EXERCISES:
        task = words.task(name)
        print(f"{name}({task['signature']})\n    {task['says']}")
    return 0


def _start(chosen: argparse.Namespace) -> int:
    checks.choice("exercise", chosen.name, EXERCISES)
    file = Path(chosen.to or f"{chosen.name}{'.ipynb' if chosen.notebook else '.py'}")
    text = writing.notebook(chosen.name) if file.suffix == ".ipynb" else writing.skeleton(chosen.name)
    then = _said("then_run") if file.suffix == ".ipynb" else _said("then_check", file=file)
    return _write(file, text, words.say("written", file=file, then=then))


def _check(chosen: argparse.Namespace) -> int:
    verdicts = check_file(chosen.file, *chosen.names, seconds=chosen.seconds)
    for verdict in verdicts.values():
        print(verdict)
    if not verdicts:
        raise ValueError(words.say("nothing", file=chosen.file, names=", ".join(EXERCISES)))
    return int(not all(verdict.passed for verdict in verdicts.values()))


def _graders(chosen: argparse.Namespace) -> int:
    for name in chosen.names:
        checks.choice("exercise", name, EXERCISES)
    names = chosen.names or list(EXERCISES)
    if chosen.grader == "pytest":
        file = Path("test_exercises.py")
        told = words.say("written_for", file=file, then=_said("then_pytest", file=file))
        return _write(file, writing.pytest_file(names), told)
    Path("tests").mkdir(exist_ok=True)
    for name in names:
        file = Path("tests") / f"{name}.py"
        _write(file, writing.otter_file(name), words.say("written_for", file=file, then=_said("then_otter")))
    return 0


def _write(file: Path, text: str, told: str) -> int:
    """Write a file; refuse to replace an existing one, which may be the student's work."""
    if file.exists():
        raise ValueError(words.say("exists", file=file))
    file.write_text(text, encoding="utf-8")
    print(told)
    return 0


_COMMANDS = {"list": _list, "start": _start, "check": _check, "graders": _graders}


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser("python -m attention.exercises", description=_said("about"))
    commands = parser.add_subparsers(dest="command", required=True)
    commands.add_parser("list", help=_said("list"))
    start = commands.add_parser("start", help=_said("start"))
    start.add_argument("name", help=_said("name"))
    start.add_argument("--notebook", action="store_true", help=_said("notebook"))
    start.add_argument("--to", help=_said("to"))
    check = commands.add_parser("check", help=_said("check"))
    check.add_argument("file", help=_said("file"))
    check.add_argument("names", nargs="*", help=_said("only"))
    check.add_argument("--seconds", type=float, default=10.0, help=_said("seconds"))
    check.add_argument("--app", help=_said("app"))
    graders = commands.add_parser("graders", help=_said("graders"))
    graders.add_argument("grader", choices=("pytest", "otter"), help=_said("grader"))
    graders.add_argument("names", nargs="*", help=_said("only"))
    return parser


def _said(id: str, **values: object) -> str:
    text: str = words.texts()["command"][id]
    return text.format(**values)


if __name__ == "__main__":
    sys.exit(main())
