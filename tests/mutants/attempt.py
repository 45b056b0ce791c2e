"""One run of tests in a process of its own, which has loaded the libraries, but none of our code."""

import importlib.util
import json
import os
import resource
import signal
import sys
from collections.abc import Callable, Collection, Sequence
from importlib.abc import MetaPathFinder
from importlib.machinery import ModuleSpec, SourceFileLoader
from pathlib import Path
from typing import Any

import hypothesis
import pytest

OPTIONS = [
    "-q",
    "--no-header",
    "-p",
    "no:xdist",
    "-p",
    "no:rerunfailures",
    "-p",
    "no:timeout",
    "-p",
    "no:cacheprovider",
]
LEFT_OUT = ["-m", "not browser and not models"]
# Bytes of address space for a run. Its time is the processor's, not the clock's: the machine may have other work.
MEMORY = 24 * 2**30


class _Planted(SourceFileLoader):
    """A module with another text than its file has."""

    def __init__(self, name: str, path: str, text: str) -> None:
        super().__init__(name, path)
        self.text = text

    def get_code(self, fullname: str) -> Any:
        return compile(self.text, self.path, "exec", dont_inherit=True)


class _Finder(MetaPathFinder):
    def __init__(self, path: str, text: str) -> None:
        parts = Path(path).with_suffix("").parts
        self.name = ".".join(parts[:-1] if parts[-1] == "__init__" else parts)
        self.path = str(Path(path).resolve())
        self.text = text

    def find_spec(self, fullname: str, path: Sequence[str] | None, target: Any = None) -> ModuleSpec | None:
        if fullname != self.name:
            return None
        return importlib.util.spec_from_file_location(
            fullname, self.path, loader=_Planted(fullname, self.path, self.text)
        )


class Chosen:
    """Select these tests from all collected ones, in this order, and note which one fails first.

    known: the names of all tests. A case with an unknown name has it because of the fault, and belongs to its test.
    """

    def __init__(self, names: list[str] | None, known: Collection[str] = ()) -> None:
        self.places = None if names is None else {name: place for place, name in enumerate(names)}
        self.known, self.tests = known, {name.partition("[")[0] for name in names or ()}
        self.failed = ""
        self.all_failed: set[str] = set()
        self.seconds: dict[str, float] = {}

    @pytest.hookimpl(trylast=True)
    def pytest_collection_modifyitems(self, items: list[pytest.Item]) -> None:
        if (places := self.places) is not None:
            new = [one for one in items if one.nodeid not in self.known and one.nodeid.partition("[")[0] in self.tests]
            chosen = [one for one in items if one.nodeid in places]
            items[:] = [*new, *sorted(chosen, key=lambda one: places[one.nodeid])]

    def pytest_collectreport(self, report: pytest.CollectReport) -> None:
        if report.failed:
            self.failed = self.failed or f"{report.nodeid} cannot be loaded"

    def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
        self.seconds[report.nodeid] = self.seconds.get(report.nodeid, 0.0) + report.duration
        if report.failed:
            self.failed = self.failed or report.nodeid
            self.all_failed.add(report.nodeid)


def libraries() -> None:
    """Load the slow libraries once: forked processes have them."""
    for name in ("torch", "numpy", "pandas", "plotly.graph_objects", "streamlit", "streamlit.testing.v1", "starlette"):
        importlib.import_module(name)
    hypothesis.settings.register_profile(
        "mutants",
        database=None,
        deadline=None,
        phases=(hypothesis.Phase.explicit, hypothesis.Phase.generate),
    )
    ours = [name for name in sys.modules if name.partition(".")[0] in ("attention", "pages", "benchmarks")]
    assert not ours, f"loaded before the fault was planted: {ours}"


def tried(fault: tuple[str, str], tests: list[str], known: Collection[str], limit: float) -> dict[str, Any]:
    """Run tests while a file has another text, until the first that fails. Returns its name, or the reason why the run
    was ended.

    known: as in `Chosen`.
    """

    def run() -> dict[str, Any]:
        sys.meta_path.insert(0, _Finder(*fault))
        chosen = Chosen(tests, known)
        files = dict.fromkeys(name.partition("::")[0] for name in tests)
        code = pytest.main([*OPTIONS, *LEFT_OUT, "-x", *files], plugins=[chosen])
        return {"failed": chosen.failed or ("" if code in (0, 5) else f"pytest ended with {code}")}

    return apart(run, limit)


def apart(work: Callable[[], dict[str, Any]], limit: float) -> dict[str, Any]:
    """The result of a function in a forked process, which has this many seconds of processor time."""
    reading, writing = os.pipe()
    if child := os.fork():
        os.close(writing)
        with os.fdopen(reading) as told:
            said = told.read()
        _, status = os.waitpid(child, 0)
        return json.loads(said) if said else {"failed": f"ended by signal {os.waitstatus_to_exitcode(status)}"}
    # The process has its own session, so that everything that a test starts ends with it.
    os.close(reading)
    os.setsid()
    signal.alarm(int(limit * 10))
    resource.setrlimit(resource.RLIMIT_CPU, (int(limit), int(limit)))
    resource.setrlimit(resource.RLIMIT_AS, (MEMORY, MEMORY))
    with open(os.environ.get("MUTANTS_OUTPUT", os.devnull), "w") as nowhere:
        os.dup2(nowhere.fileno(), 1)
        os.dup2(nowhere.fileno(), 2)
    os.environ["PYTHONDONTWRITEBYTECODE"] = "1"
    hypothesis.settings.load_profile("mutants")
    answer = work()
    os.write(writing, json.dumps(answer).encode())
    os._exit(0)
