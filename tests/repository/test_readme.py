"""What the README promises is there: pages by their names, tests by theirs, commands in the Makefile."""

import ast
import re
from pathlib import Path

import pytest

from pages.shell.i18n import say
from tests.support.app import PAGES

ROOT = Path(__file__).resolve().parents[2]
README = (ROOT / "README.md").read_text(encoding="utf-8")
ROWS = [[cell.strip() for cell in line.strip("|").split("|")] for line in README.splitlines() if line.startswith("| ")]
HELD = [row for row in ROWS if re.fullmatch(r"`[\w/]+/test_\w+\.py::\w+`", row[-1])]
TITLES = {say(f"page.{page}.title") for page in PAGES}


def test_every_page_is_in_the_table_of_pages():
    assert {row[0] for row in ROWS if row[0] in TITLES} == TITLES


@pytest.mark.parametrize("row", HELD, ids=[row[0] for row in HELD])
def test_what_the_app_teaches_has_its_page_and_its_test(row):
    _, place, test = row
    assert any(title in place for title in TITLES), place
    file, name = test.strip("`").split("::")
    tree = ast.parse((ROOT / "tests" / file).read_text(encoding="utf-8"))
    assert name in {node.name for node in ast.walk(tree) if isinstance(node, ast.FunctionDef)}


# What the four notes that this project began from teach, note by note, each by a piece of its row in the table.
NOTES = {
    "0, a notebook on attention for language models": (
        "Q = X W_Q, K = X W_K, V = X W_V",
        "S[b] = Q[b] K[b]ᵀ / √d_k",
        "large scores saturate softmax",
        "Σ_j A_ij = 1",
        "O[b] = A[b] V[b]",
        "*creature* finds *fluffy* and *blue*",
        "one head with biases, d_v other than d_k",
        "masked self-attention: −∞ before the softmax",
        "S + M",
        "padding mask (batch, n)",
        "dropout on the weights, 1 / (1 − p)",
        "training drops weights, inference uses all of them",
        "Concat(head₁ … head_h) W_O",
        "[:, None, None, :]",
        "a sentence of which everything is masked",
    ),
    "2, a notebook with printed numbers": (
        "token by token: q₁, its scores, scale, softmax, Σ a v",
        "all queries at once",
        "the matrices of the notebook, digit by digit",
        "one head without bias, an output of its own size",
    ),
    "3, an article from one query to several heads": (
        "one step between any two words",
        "s(x, q) = q xᵀ / √D, α = softmax(s), att(X, q) = Σ α x",
        "Q = W_q X of shape (D_k, N)",
        "Attention(Q, K, V) = softmax(Q Kᵀ / √d_k) V",
        "Y_i = Σ_j A_ij V_j",
        "the split into heads",
        "parameters that do not grow with the heads",
        "cross-attention: Q from one sequence, K and V from another",
        "self-attention is the case context = x",
    ),
    "4, an article on the function and its scale": (
        "`attention(query, key, value, dropout)`",
        "`attention(x, x, x)`",
        "E q·k = 0, Var q·k = d_k; divided by √d_k: 1",
        "eˣ / Σ eˣ",
        "the gradients vanish",
    ),
}


@pytest.mark.parametrize("note", NOTES)
def test_nothing_that_a_note_teaches_is_missing(note):
    taught = [row[0] for row in HELD]
    assert {piece: sum(piece in cell for cell in taught) for piece in NOTES[note]} == dict.fromkeys(NOTES[note], 1)


@pytest.mark.parametrize("command", sorted(set(re.findall(r"^make (\w+)", README, re.MULTILINE))))
def test_a_command_is_a_target(command):
    assert re.search(rf"^{command}:", (ROOT / "Makefile").read_text(), re.MULTILINE)


@pytest.mark.parametrize("path", sorted(set(re.findall(r"`((?:attention|pages|docs)/[\w/.]*)`", README))))
def test_a_path_that_is_named_is_there(path):
    assert (ROOT / path).exists()


def test_how_every_combination_is_run_is_said():
    assert "`EXHAUSTIVE=1 make test` runs every test, `EXHAUSTIVE=2 make test` every combination" in " ".join(
        README.split()
    )
    target = next(line for line in (ROOT / "Makefile").read_text().splitlines() if line.startswith("test:"))
    assert "EXHAUSTIVE=1" in target
    assert "EXHAUSTIVE=2" in target


def test_ci_runs_the_command_of_the_readme_and_says_how_to_run_every_combination():
    script = (ROOT / ".ci" / "run").read_text()
    assert "EXHAUSTIVE=1 in front of this command" in script
    lines = script.splitlines()
    # As a newcomer has it, and with the models: neither hides what the other finds.
    assert lines.index("make check") < lines.index("make models") < lines.index("make test MARK=models")
