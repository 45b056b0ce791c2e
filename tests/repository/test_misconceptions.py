"""The table of misconceptions: twenty rows, each with a page, a part of it that the catalogue names, and its test."""

import ast
import re
from pathlib import Path

import pytest

from pages.shell.i18n import catalogue, say
from tests.support.app import PAGES

ROOT = Path(__file__).resolve().parents[2]
TABLE = (ROOT / "docs" / "misconceptions.md").read_text(encoding="utf-8")
ROWS = [[cell.strip() for cell in line.strip("|").split("|")] for line in TABLE.splitlines() if line.startswith("| ")]
ROWS = ROWS[1:]
TITLES = {say(f"page.{page}.title") for page in PAGES}
HEADINGS = {
    text for id, text in catalogue("en").items() if id.endswith("title") or id in ("heads.average", "order.when")
}


def test_there_are_twenty():
    assert len(ROWS) == len({row[0] for row in ROWS}) == 20


@pytest.mark.parametrize("row", ROWS, ids=[row[0][:40] for row in ROWS])
def test_a_misconception_has_its_page_its_heading_and_its_test(row):
    _, page, place, test = row
    assert page in TITLES
    parts = [part.strip() for part in re.split(r"; ", place)]
    assert any(parts[0].startswith(heading) for heading in HEADINGS), place
    file, name = test.strip("`").split("::")
    tree = ast.parse((ROOT / "tests" / file).read_text(encoding="utf-8"))
    assert name in {node.name for node in ast.walk(tree) if isinstance(node, ast.FunctionDef)}
