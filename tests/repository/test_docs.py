"""The reference names every public object and can be built; the notebook has the outputs that it prints.

The notebook makes a model of transformers, which takes two seconds of processor time to import and one to fill; the
reference takes two to build.
"""

import json
import re
import subprocess
import sys
from importlib.util import find_spec
from itertools import zip_longest

import pytest

import attention
from deploy.notebooks import FOLDER, executed
from tests.repository.test_rooms import ROOT

PAGES = {path.stem: path.read_text(encoding="utf-8") for path in (FOLDER / "api").glob("*.md")}
NOTEBOOKS = sorted(FOLDER.glob("*.ipynb"))
NUMBER = re.compile(r"-?\d+\.\d+")


def lacking(*modules: str) -> None:
    if absent := [module for module in modules if find_spec(module) is None]:
        pytest.skip(f"{' and '.join(absent)} not installed: pip install -r requirements-dev.txt")


@pytest.mark.parametrize("name", attention.__all__)
def test_every_public_name_is_in_the_reference(name):
    assert any(re.search(rf"^::: attention\.{name}$|`attention\.{name}`", page, re.M) for page in PAGES.values())
    assert f"`{name}`" in PAGES["index"]


def test_every_page_of_the_reference_is_in_its_menu():
    listed = re.findall(r"(\w+)\.md$", (ROOT / "mkdocs.yml").read_text(encoding="utf-8"), re.M)
    assert sorted(listed) == sorted(PAGES)


@pytest.mark.slow
def test_the_reference_is_built_from_the_docstrings(tmp_path):
    """Strict: a name that is not there is an error."""
    lacking("mkdocs", "mkdocstrings")
    built = [sys.executable, "-m", "mkdocs", "build", "--strict", "--quiet", "--site-dir", tmp_path]
    run = subprocess.run(built, cwd=ROOT, capture_output=True, text=True)
    assert run.returncode == 0, run.stderr
    page = (tmp_path / "models.html").read_text(encoding="utf-8")
    assert "Record the layers of a model while the block runs" in page


@pytest.mark.parametrize("path", NOTEBOOKS, ids=lambda path: path.stem)
def test_a_notebook_prints_what_it_shows(path):
    """Another processor may round the last printed digit differently; `make docs` writes the outputs."""
    lacking("transformers")
    kept, now = (
        ["".join(output["text"]) for cell in notebook["cells"] for output in cell.get("outputs", ())]
        for notebook in (json.loads(path.read_text(encoding="utf-8")), executed(path))
    )
    assert len(kept) > 3
    for before, after in zip_longest(kept, now, fillvalue=""):
        assert NUMBER.sub("#", after) == NUMBER.sub("#", before)
        numbers = (list(map(float, NUMBER.findall(text))) for text in (before, after))
        assert next(numbers) == pytest.approx(next(numbers), rel=0.01, abs=0.011)
