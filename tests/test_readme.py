"""What the README promises is there: pages by their names, tests by theirs, commands in the Makefile."""

import ast
import re
from pathlib import Path

import pytest

from pages.shell.text import say
from tests.app_support import PAGES

ROOT = Path(__file__).resolve().parent.parent
README = (ROOT / "README.md").read_text(encoding="utf-8")
ROWS = [[cell.strip() for cell in line.strip("|").split("|")] for line in README.splitlines() if line.startswith("| ")]
HELD = [row for row in ROWS if re.fullmatch(r"`test_\w+\.py::\w+`", row[-1])]
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


def test_the_table_is_not_empty():
    assert len(HELD) > 20


@pytest.mark.parametrize("command", sorted(set(re.findall(r"^make (\w+)", README, re.MULTILINE))))
def test_a_command_is_a_target(command):
    assert re.search(rf"^{command}:", (ROOT / "Makefile").read_text(), re.MULTILINE)


@pytest.mark.parametrize("path", sorted(set(re.findall(r"`((?:attention|pages|docs)/[\w/.]*)`", README))))
def test_a_path_that_is_named_is_there(path):
    assert (ROOT / path).exists()
