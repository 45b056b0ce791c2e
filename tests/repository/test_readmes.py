"""The README in another language: the same headings, the same tests, its own names of the pages."""

import re
from pathlib import Path

import pytest

from pages.shell.i18n import say
from tests.support.app import PAGES, ROOT

READMES = sorted(ROOT.glob("README.*.md"))


def headings(path: Path) -> list[str]:
    """The levels of a document's headings, in order, without those in code."""
    prose = re.sub(r"^```.*?^```$", "", path.read_text(encoding="utf-8"), flags=re.MULTILINE | re.DOTALL)
    return re.findall(r"^#+(?= )", prose, flags=re.MULTILINE)


def test_there_is_a_readme_in_chinese():
    assert (ROOT / "README.zh.md") in READMES


@pytest.mark.parametrize("path", READMES, ids=[path.name for path in READMES])
def test_a_readme_in_another_language_has_the_same_headings(path):
    assert headings(path) == headings(ROOT / "README.md") != []


@pytest.mark.parametrize("path", READMES, ids=[path.name for path in READMES])
def test_a_readme_in_another_language_names_the_same_tests_and_its_pages(path):
    held = [
        re.findall(r"`[\w/]+/test_\w+\.py::\w+`", one.read_text(encoding="utf-8")) for one in (path, ROOT / "README.md")
    ]
    assert held[0] == held[1] != []
    language = path.name.split(".")[1]
    assert all(f"| {say(f'page.{page}.title', language)} | " in path.read_text(encoding="utf-8") for page in PAGES)
