"""The tests of a file: those of its room that pass through a line.

A file in a folder of the package has the tests of the folder of the same name, and then those at the top of
tests/attention, where variants of the theory are followed through all folders.
"""

import ast
import hashlib
import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import coverage
import pytest

from tests.mutants.attempt import LEFT_OUT, OPTIONS, Chosen, apart

KEPT = Path("mutants")
VIEWS = "pages/shell/views"
# Seconds of processor time for one run of a room's tests, in which their lines are noted.
WHOLE = 1500.0
# The number of quick tests that try a fault first, if no test file has the name of its file.
QUICK = 10


def room(path: str) -> str:
    """`attention`, one of the rooms in it that have tests of their own, or the views."""
    if path.startswith(VIEWS):
        return VIEWS
    inner = "/".join(Path(path).parts[:2])
    return inner if Path("tests", inner).is_dir() else "attention"


def rooms(path: str) -> tuple[str, ...]:
    """The rooms whose tests may detect a fault of a file, the likeliest first."""
    own = room(path)
    return (own,) if own in (VIEWS, "attention") else (own, "attention")


def files_of_tests(name: str) -> list[str]:
    if name == VIEWS:
        return sorted(str(one) for folder in ("pages", "shell") for one in Path("tests", folder).glob("test_*.py"))
    found = Path("tests", name).glob("test_*.py") if name == "attention" else Path("tests", name).rglob("test_*.py")
    return sorted(map(str, found))


class _Noting:
    """Name the test that runs, so that each line knows which tests passed through it."""

    def __init__(self, noted: coverage.Coverage) -> None:
        self.noted = noted

    @pytest.hookimpl(wrapper=True)
    def pytest_runtest_protocol(self, item: pytest.Item) -> Iterator[None]:
        self.noted.switch_context(item.nodeid)
        return (yield)


class Room:
    """The tests of a room: their times, and the lines that they pass through. Kept until a file of the room changes."""

    def __init__(self, name: str) -> None:
        self.name, self.files = name, files_of_tests(name)
        sources = sorted(str(one) for one in Path(name).rglob("*.py") if name in rooms(str(one)))
        texts = "".join(Path(one).read_text(encoding="utf-8") for one in [*sources, *self.files])
        kept = KEPT / f"{name.replace('/', '-')}.json"
        mark = hashlib.sha256(texts.encode()).hexdigest()
        found = json.loads(kept.read_text()) if kept.exists() else {}
        if found.get("mark") != mark:
            answer = apart(lambda: self._noted(sources), WHOLE)
            if "seconds" not in answer:
                raise RuntimeError(f"the tests of {name} did not end: {answer}")
            found = {"mark": mark, **answer}
            kept.write_text(json.dumps(found))
        self.seconds: dict[str, float] = found["seconds"]
        self.lines: dict[str, dict[str, list[int]]] = found["lines"]
        self.names: list[str] = found["names"]
        # Tests that fail without any fault.
        self.broken: list[str] = found["broken"]
        for one in self.broken:
            print(f"fails without any fault, and is left out: {one}", flush=True)

    def _noted(self, sources: list[str]) -> dict[str, Any]:
        noted = coverage.Coverage(data_file=None, include=[str(Path(one).resolve()) for one in sources])
        chosen = Chosen(None)
        noted.start()
        pytest.main([*OPTIONS, *LEFT_OUT, *self.files], plugins=[chosen, _Noting(noted)])
        noted.stop()
        data = noted.get_data()
        names = list(chosen.seconds)
        places = {name: place for place, name in enumerate(names)}
        lines = {
            path: {
                str(line): sorted({places[one] for one in contexts if one in places})
                for line, contexts in data.contexts_by_lineno(str(Path(path).resolve())).items()
            }
            for path in sources
        }
        return {"seconds": chosen.seconds, "names": names, "lines": lines, "broken": sorted(chosen.all_failed)}

    def tests(self, path: str, line: int, every: bool) -> tuple[list[str], list[str]]:
        """The tests for a fault in a line: those of the file of the same name, or a few quick ones; and all others that
        pass through its statement.

        The result of a line that runs on import may be read anywhere, so the others are the first case of each test of
        the room. every: all tests of the room, for values that are computed once and kept for later tests, too: no line
        shows that these read them.
        """
        first, last, inside = _statement(path, line)
        noted = self.lines.get(path, {})
        wanted = {str(one) for one in range(first, last + 1)} if inside else {*noted}
        through = {self.names[place] for one in wanted for place in noted.get(one, ())}
        inside = inside or room(path) != self.name
        own = {name for name in self.names if Path(name.partition("::")[0]).stem.startswith(f"test_{Path(path).stem}")}
        found = sorted(
            (through | own if inside and not every else {*self.names}) - {*self.broken},
            key=lambda name: (name not in through, self.seconds[name], name),
        )
        soon = [name for name in found if name in own] or found[:QUICK]
        others = [name for name in found if name not in {*soon}]
        if not inside and not every:
            others = [*{name.partition("[")[0]: name for name in reversed(others)}.values()][::-1]
        return soon, others


def _statement(path: str, line: int) -> tuple[int, int, bool]:
    """The lines of the statement around a line, and whether it runs in a function rather than on import."""
    best, inside = (line, line), False

    def walk(node: ast.AST, within: bool) -> None:
        nonlocal best, inside
        for child in ast.iter_child_nodes(node):
            if isinstance(child, ast.stmt | ast.excepthandler):
                last = child.end_lineno or child.lineno
                if child.lineno <= line <= last:
                    body = getattr(child, "body", None)
                    function = isinstance(child, ast.FunctionDef | ast.AsyncFunctionDef)
                    best = child.lineno, max(body[0].lineno - 1, child.lineno) if body else last
                    inside = within
                    walk(child, within or function)
            else:
                walk(child, within)

    walk(ast.parse(Path(path).read_text(encoding="utf-8")), False)
    return *best, inside
