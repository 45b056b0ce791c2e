"""The handed-out material: files to fill in, notebooks that run, and the check as pytest and otter read it."""

import inspect
import io
import json
import os
import re
import subprocess
import sys
import types
import zipfile

import pytest

from attention.exercises import EXERCISES, check, check_file, words, writing
from attention.exercises.__main__ import main
from deploy.notebooks import executed
from tests.repository.test_rooms import ROOT

RIGHT = "def softmax(scores):\n    return scores.softmax(-1)\n"


@pytest.mark.parametrize("name", EXERCISES)
def test_a_file_to_fill_in_has_the_function_with_the_arguments_of_its_calls(name):
    names = {}
    exec(compile(writing.skeleton(name), name, "exec"), names)
    function = names[name]
    arguments = function.__code__.co_varnames[: function.__code__.co_argcount]
    assert all(tuple(case.inputs) == arguments for case in EXERCISES[name].cases)
    assert function.__doc__.split() == [*words.task(name)["says"].split(), *words.task(name)["returns"].split()]


@pytest.mark.parametrize("name", EXERCISES)
def test_a_notebook_checks_what_is_written_into_it(name, tmp_path):
    book = json.loads(writing.notebook(name))
    path = tmp_path / f"{name}.ipynb"
    path.write_text(json.dumps(book))
    with pytest.raises(AssertionError, match="nothing is returned"):
        executed(path)
    if name == "softmax":
        book["cells"][1]["source"] = RIGHT.splitlines(keepends=True)
        path.write_text(json.dumps(book))
        (printed,) = executed(path)["cells"][2]["outputs"]
        assert "".join(printed["text"]) == "passed  softmax: right in all 10 calls, in float64 and in float32\n"


def test_a_notebook_notes_for_nbgrader_what_is_solved_and_what_is_graded():
    _, solution, graded = (cell["metadata"].get("nbgrader") for cell in json.loads(writing.notebook("tiles"))["cells"])
    assert (solution["solution"], solution["grade"], solution["locked"]) == (True, False, False)
    assert (graded["solution"], graded["grade"], graded["locked"], graded["points"]) == (False, True, True, 1)
    assert all(re.fullmatch(r"[A-Za-z0-9_-]+", cell["grade_id"]) for cell in (solution, graded))


def test_a_notebook_knows_the_app_where_its_address_is_given():
    assert "ATTENTION_APP" not in writing.notebook("tiles")
    source = "".join(json.loads(writing.notebook("tiles", "https://attention.example"))["cells"][2]["source"])
    assert "os.environ.setdefault(\"ATTENTION_APP\", 'https://attention.example')" in source


def test_a_line_of_a_notebook_is_a_line_of_its_file():
    """A changed line then is one line of a diff, in readable letters."""
    text = writing.notebook("attention")
    lines = [line.strip().removesuffix(",") for line in text.splitlines()]
    for cell in json.loads(text)["cells"]:
        assert {json.dumps(line, ensure_ascii=False) for line in cell["source"]} <= {*lines}


def test_the_archive_has_everything_of_each_exercise_and_is_the_same_again():
    app = "https://attention.example"
    with zipfile.ZipFile(io.BytesIO(writing.archive(app))) as packed:
        found = {name.removeprefix("attention-exercises/"): packed.read(name).decode() for name in packed.namelist()}
        dates = {one.date_time for one in packed.infolist()}
    expected = {"test_exercises.py": writing.pytest_file([*EXERCISES])}
    for name in EXERCISES:
        expected[f"notebooks/{name}.ipynb"] = writing.notebook(name, app)
        expected[f"files/{name}.py"] = writing.skeleton(name)
        expected[f"tests/{name}.py"] = writing.otter_file(name)
    assert found == expected
    assert dates == {(1980, 1, 1, 0, 0, 0)}


def test_the_command_gives_an_exercise_as_long_as_the_function_does(monkeypatch):
    asked = []
    monkeypatch.setattr("attention.exercises.__main__.check_file", lambda *given, **named: asked.append(named) or {})
    main(["check", "answers.py"])
    assert asked == [{"seconds": inspect.signature(check_file).parameters["seconds"].default}]


@pytest.mark.parametrize(
    ("command", "explained"),
    [
        ("start", ("name", "notebook", "to")),
        ("check", ("file", "only", "seconds", "app")),
        ("graders", ("grader", "only")),
    ],
)
def test_every_argument_of_a_command_is_explained(command, explained, capsys):
    with pytest.raises(SystemExit, match="0"):
        main([command, "--help"])
    told = " ".join(capsys.readouterr().out.split())
    assert all(words.texts()["command"][one] in told for one in explained)


def test_start_writes_what_is_not_there_yet(tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    assert main(["start", "causal"]) == 0
    assert (tmp_path / "causal.py").read_text() == writing.skeleton("causal")
    assert "python -m attention.exercises check causal.py" in capsys.readouterr().out
    assert main(["start", "causal"]) == 2
    assert "causal.py is there already" in capsys.readouterr().err
    assert main(["start", "causal", "--notebook"]) == 0
    assert (tmp_path / "causal.ipynb").read_text(encoding="utf-8") == writing.notebook("causal")
    assert main(["start", "casual"]) == 2
    assert "unknown exercise 'casual'; one of softmax" in capsys.readouterr().err


def test_the_list_names_every_exercise_with_its_arguments(capsys):
    assert main(["list"]) == 0
    told = capsys.readouterr().out
    assert all(f"{name}({words.task(name)['signature']})\n" in told for name in EXERCISES)


WRONG = "def attention(query, key, value):\n    return (query @ key.mT).softmax(-1) @ value\n"


def test_the_file_for_pytest_asks_for_what_it_names(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    assert main(["graders", "pytest", "softmax", "attention"]) == 0
    names = {}
    exec((tmp_path / "test_exercises.py").read_text(), names)
    assert names["EXERCISES"] == ["softmax", "attention"]
    answers = {}
    exec(RIGHT + WRONG, answers)
    verdicts = {name: check(name, answers[name]) for name in names["EXERCISES"]}
    names["test_exercise"]("softmax", verdicts)
    with pytest.raises(AssertionError, match="you did not divide by √d_k"):
        names["test_exercise"]("attention", verdicts)


@pytest.mark.exhaustive("attention/exercises/test_writing.py::test_the_file_for_pytest_asks_for_what_it_names")
def test_pytest_reads_the_check_and_prints_the_name_of_the_mistake(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    assert main(["graders", "pytest", "softmax", "attention"]) == 0
    (tmp_path / "answers.py").write_text(RIGHT + WRONG)
    run = subprocess.run(
        [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", "test_exercises.py"],
        capture_output=True,
        text=True,
        env=os.environ | {"ATTENTION_FILE": "answers.py", "PYTHONPATH": str(ROOT)},
    )
    assert run.returncode == 1, run.stdout + run.stderr
    assert "1 failed, 1 passed" in run.stdout
    assert "you did not divide by √d_k" in run.stdout


def test_otter_reads_the_check_and_finds_the_function_by_its_name(tmp_path, monkeypatch):
    """In otter's exception format, a file has `OK_FORMAT`, `name`, and functions under `test_case`, whose arguments are
    names of the notebook. The decorator is a stand-in here, since otter brings all of Jupyter."""
    monkeypatch.chdir(tmp_path)
    cases = []
    stand_in = types.ModuleType("otter.test_files")
    stand_in.test_case = lambda **told: lambda function: cases.append((told, function)) or function
    monkeypatch.setitem(sys.modules, "otter", types.ModuleType("otter"))
    monkeypatch.setitem(sys.modules, "otter.test_files", stand_in)
    assert main(["graders", "otter"]) == 0
    assert sorted(path.stem for path in (tmp_path / "tests").glob("*.py")) == sorted(EXERCISES)
    names = {}
    exec((tmp_path / "tests" / "softmax.py").read_text(), names)
    assert (names["OK_FORMAT"], names["name"]) == (False, "softmax")
    ((told, test),) = cases
    assert told == {"points": 1}
    test(softmax=lambda scores: scores.softmax(-1))
    with pytest.raises(AssertionError, match="the columns sum to 1"):
        test(softmax=lambda scores: scores.softmax(-2))
