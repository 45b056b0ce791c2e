"""Hand an exercise out: as a file to fill in, as a notebook, and with its check for pytest and otter."""

import io
import json
import zipfile
from collections.abc import Sequence
from textwrap import wrap
from typing import Any

from attention.exercises import words
from attention.exercises.registry import EXERCISES

_WIDTH = 100


def skeleton(name: str) -> str:
    """A Python file with the function to write."""
    task = words.task(name)
    told = "\n\n    ".join("\n    ".join(wrap(task[part], _WIDTH)) for part in ("says", "returns"))
    head = f'def {name}({task["signature"]}):\n    """{told}\n    """\n'
    return f"import math\n\nimport torch\n\n\n{head}    ...\n"


def notebook(name: str, app: str = "") -> str:
    """A notebook with the task, a cell to fill in and a cell that checks it, with nbgrader's metadata.

    app: the target of its links, if it is known.
    """
    task = words.task(name)
    says = [f"# {name}", task["says"], f"`{name}({task['signature']})`: {task['returns']}"]
    verdict = (
        f'from attention.exercises import check\n\nverdict = check("{name}", {name})\nprint(verdict)\nverdict.insist()'
    )
    if app:
        verdict = f'import os\n\nos.environ.setdefault("ATTENTION_APP", {app!r})\n{verdict}'
    cells = [
        _cell("markdown", "\n\n".join(says), f"{name}-task"),
        _cell("code", skeleton(name).rstrip(), f"{name}-solution", solution=True),
        _cell("code", verdict, f"{name}-check", grade=True, locked=True, points=1),
    ]
    kernel = {"display_name": "Python 3", "language": "python", "name": "python3"}
    whole = {"cells": cells, "metadata": {"kernelspec": kernel}, "nbformat": 4, "nbformat_minor": 5}
    return json.dumps(whole, indent=1, ensure_ascii=False) + "\n"


def _cell(kind: str, source: str, id: str, **grading: bool | int) -> dict[str, Any]:
    cell: dict[str, Any] = {"cell_type": kind, "id": id, "metadata": {}, "source": source.splitlines(keepends=True)}
    if kind == "code":
        cell |= {"execution_count": None, "outputs": []}
        known = {"schema_version": 3, "grade_id": id, "grade": False, "solution": False, "locked": False, "task": False}
        cell["metadata"]["nbgrader"] = known | grading
    return cell


def pytest_file(names: Sequence[str]) -> str:
    """A pytest file that tests each exercise of the file named by ATTENTION_FILE, in a process of its own."""
    return f'''"""Run with: ATTENTION_FILE=solution.py pytest"""

import os

import pytest

from attention.exercises import check_file

EXERCISES = {list(names)}


@pytest.fixture(scope="module")
def verdicts():
    return check_file(os.environ["ATTENTION_FILE"], *EXERCISES)


@pytest.mark.parametrize("name", EXERCISES)
def test_exercise(name, verdicts):
    verdicts[name].insist()
'''


def otter_file(name: str) -> str:
    """A test file of otter-grader, in its format of exceptions; it finds the function by its name."""
    if name not in EXERCISES:
        raise ValueError(f"unknown exercise {name!r}; one of {', '.join(EXERCISES)}")
    return f'''from otter.test_files import test_case

from attention.exercises import check

OK_FORMAT = False
name = "{name}"
points = 1


@test_case(points=1)
def test_{name}({name}):
    check("{name}", {name}).insist()
'''


def archive(app: str = "") -> bytes:
    """All exercises as a zip: notebooks, files to fill in, and the checks of both graders."""
    files = {"test_exercises.py": pytest_file(list(EXERCISES))}
    for name in EXERCISES:
        files |= {f"notebooks/{name}.ipynb": notebook(name, app), f"files/{name}.py": skeleton(name)}
        files[f"tests/{name}.py"] = otter_file(name)
    packed = io.BytesIO()
    with zipfile.ZipFile(packed, "w", zipfile.ZIP_DEFLATED) as whole:
        for path, text in files.items():
            # A fixed date, so that the same exercises give the same bytes.
            whole.writestr(zipfile.ZipInfo(f"attention-exercises/{path}"), text, zipfile.ZIP_DEFLATED)
    return packed.getvalue()
