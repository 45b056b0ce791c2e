"""The table of misconceptions: twenty beliefs, each with headings that exist on their pages, and with a test."""

import ast
from functools import cache
from pathlib import Path

import pytest

from pages.shell.i18n import say
from pages.shell.runs.trained import loaded
from pages.shell.state.registry import ALL_FIELDS
from tests.support.app import PAGES, app
from tests.support.said import texts
from tests.support.trained import hide

ROOT = Path(__file__).resolve().parents[2]
TABLE = (ROOT / "docs" / "misconceptions.md").read_text(encoding="utf-8")
ROWS = [[cell.strip() for cell in line.strip("|").split("|")] for line in TABLE.splitlines() if line.startswith("| ")]
ROWS = ROWS[1:]
TITLES = {say(f"page.{page}.title"): page for page in PAGES}


# Links that open the sections with the headings, by one of their controls. Each question of What if… has its own
# screen. One of them waits for a guess, and so do the drawers of Masks if nothing is set.
LINKS = {
    "masks": [{"mask": "causal"}],
    "scaling": [{"samples": "1024"}],
    "experiments": [{"what_if": one, "guess": "bias.scores"} for one in ALL_FIELDS["what_if"].options],
}


@cache
def told(page: str) -> set[str]:
    """The texts of a page, without the marks of headings."""
    return {text.strip("#* ") for link in LINKS.get(page, [{}]) for text in texts(app(page, **link))}


def test_there_are_twenty():
    assert len(ROWS) == len({row[0] for row in ROWS}) == 20


@pytest.mark.models
@pytest.mark.parametrize("row", ROWS, ids=[row[0][:40] for row in ROWS])
def test_a_misconception_has_its_headings_and_its_test(row, monkeypatch, tmp_path):
    hide(monkeypatch, tmp_path)
    monkeypatch.setattr(loaded, "_process", cache(loaded._Process))
    _, page, headings, test = row
    for heading in headings.split("; "):
        other, _, name = heading.partition(": ")
        where, shown = (other, name) if other in TITLES else (page, heading)
        assert shown in told(TITLES[where]), heading
    file, name = test.strip("`").split("::")
    assert file.startswith("pages/")
    tree = ast.parse((ROOT / "tests" / file).read_text(encoding="utf-8"))
    assert name in {node.name for node in ast.walk(tree) if isinstance(node, ast.FunctionDef)}
