"""A file runs in a process of its own: a crash or an endless loop is reported, and the other exercises are checked.

Each process takes two seconds to load torch, and a file with a crash in one exercise and an endless loop in another
needs three processes.
"""

import pickle

import pytest

from attention.exercises import check_file
from attention.exercises.__main__ import main

FILE = """
import math
import os
import time
import torch
from helper import shares

print("loaded")

def softmax(scores):
    print("called")
    return shares(scores)

def attention(query, key, value):
    while True:
        time.sleep(1)

def causal(scores):
    os._exit(3)

def split_heads(x, heads):
    return x.unflatten(-1, (heads, -1))

if __name__ == "__main__":
    raise RuntimeError("a file that is checked is not run as a program")
"""
HELPER = "def shares(scores):\n    return scores.softmax(-1)\n"
BROKEN = "import torch\n\ndef softmax(scores):\n    return scores.softmax(-1\n"


@pytest.mark.slow
def test_a_function_that_never_ends_or_ends_its_process_leaves_the_others(tmp_path, capfd, monkeypatch):
    monkeypatch.chdir(tmp_path)
    # With this variable, Python would flush by itself and hide a missing flush.
    monkeypatch.delenv("PYTHONUNBUFFERED", raising=False)
    (tmp_path / "answers.py").write_text(FILE)
    (tmp_path / "helper.py").write_text(HELPER)
    # A file with the name of a library does not replace the library.
    (tmp_path / "json.py").write_text("raise RuntimeError('not this one')\n")
    assert main(["check", "answers.py", "--seconds", "5", "--app", "https://attention.example"]) == 1
    told = capfd.readouterr()
    assert "passed  softmax: right in all 10 calls" in told.out
    assert "not yet attention: no end within 5 s: a loop that never stops?" in told.out
    assert "not yet causal: the function ends its process, with code 3" in told.out
    assert "not yet split_heads: the heads are still behind the positions" in told.out
    assert "see https://attention.example/heads?" in told.out
    # The output of the file is kept, apart from the verdicts.
    assert "called" in told.err
    assert "called\n" not in told.out


@pytest.mark.slow
def test_a_file_that_does_not_load_says_so(tmp_path, capsys):
    path = tmp_path / "broken.py"
    path.write_text(BROKEN)
    (verdict,) = check_file(path, "softmax").values()
    said = "the file cannot be run: SyntaxError: '(' was never closed, line 4"
    assert said in str(verdict)
    assert main(["check", str(path)]) == 2
    assert said in capsys.readouterr().err


@pytest.mark.slow
def test_what_is_asked_for_and_not_there_is_told(tmp_path, capsys):
    path = tmp_path / "other.py"
    path.write_text("def softmax(scores):\n    return scores.softmax(-1)\n")
    verdicts = check_file(path, "softmax", "tiles")
    assert [verdict.passed for verdict in verdicts.values()] == [True, False]
    assert "the file has no function `tiles`" in str(verdicts["tiles"])
    assert main(["check", str(tmp_path / "gone.py")]) == 2
    assert "file must be a Python file that is there" in capsys.readouterr().err
    with pytest.raises(ValueError, match="unknown exercise 'sofmax'; one of softmax"):
        check_file(path, "sofmax")


PLANTS = """
import torch

keeps = torch.save

class Planted:
    def __reduce__(self):
        return open, ("planted", "w")

torch.save = lambda kept, path: keeps([Planted()], path)

def softmax(scores):
    return scores.softmax(-1)
"""


@pytest.mark.slow
def test_what_a_file_puts_in_the_place_of_an_answer_is_not_run_here(tmp_path, monkeypatch):
    (tmp_path / "answers.py").write_text(PLANTS)
    here = tmp_path / "here"
    here.mkdir()
    monkeypatch.chdir(here)
    with pytest.raises(pickle.UnpicklingError):
        check_file(tmp_path / "answers.py", "softmax")
    assert not (here / "planted").exists()
