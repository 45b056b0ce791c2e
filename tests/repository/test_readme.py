"""The README's promises are true: its pages exist by name, its tests by theirs, and its paths."""

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


@pytest.mark.parametrize("path", sorted(set(re.findall(r"`((?:attention|pages|docs)/[\w/.]*)`", README))))
def test_a_path_that_is_named_is_there(path):
    assert (ROOT / path).exists()


def test_ci_runs_the_tests_without_the_models_and_with_them():
    lines = (ROOT / ".ci" / "run").read_text().splitlines()
    # CI first runs as a newcomer would, then with the models: neither run hides the faults of the other.
    assert lines.index("make check") < lines.index("make models") < lines.index("make test MARK=models")
