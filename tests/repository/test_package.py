"""The wheel declares the packages that its modules import; one version, in one place, released by name and date.

`make package`, which CI calls, checks that the wheel can be built, installed in an empty environment and used there.
"""

import re
import sys
import tomllib

import pytest
from packaging.requirements import Requirement

import attention
from tests.repository.test_rooms import ROOT, all_imports, third_parties

PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))
DEPENDENCIES = [Requirement(line) for line in PROJECT["project"]["dependencies"]]
APP = [Requirement(line) for line in PROJECT["project"]["optional-dependencies"]["app"]]
PINNED = [
    Requirement(line.partition("#")[0])
    for line in (ROOT / "requirements.txt").read_text(encoding="utf-8").splitlines()
    if re.match(r"\w", line)
]
# Packages that only read the files of trained models: they are in another requirements file, and needed only with it.
OF_MODELS = {"safetensors", "tokenizers", "gguf"}
# Packages that are imported only after someone has made a model of them.
OF_READERS = {"transformers"}
# Packages whose modules have another name.
CALLED = {"PIL": "pillow", "markdown_it": "markdown-it-py", "mdit_py_plugins": "mdit-py-plugins"}


def imported(of: str) -> set[str]:
    names = set().union(*(third_parties(name) for name in all_imports() if re.match(of, name)))
    others = names - set(sys.stdlib_module_names) - {"attention", "pages"} - OF_MODELS - OF_READERS
    return {CALLED.get(name, name) for name in others}


@pytest.mark.slow
def test_the_theory_needs_what_the_package_declares():
    assert imported(r"attention") == {one.name for one in DEPENDENCIES}


@pytest.mark.slow
def test_the_app_needs_what_its_extra_declares():
    # Streamlit uses uvloop as the server's event loop if it is installed.
    declared = {one.name for one in (*DEPENDENCIES, *APP)}
    assert imported(r"pages|streamlit_app") <= declared
    assert declared == {one.name for one in PINNED}


@pytest.mark.parametrize("one", [*DEPENDENCIES, *APP], ids=lambda one: one.name)
def test_what_is_tested_is_allowed(one):
    (pin,) = next(pinned.specifier for pinned in PINNED if pinned.name == one.name)
    assert one.specifier.contains(pin.version)


def test_the_lowest_torch_and_python_that_are_declared_are_those_of_the_tests():
    """An older torch may lack a function; nothing here would notice."""
    (torch,) = next(one.specifier for one in DEPENDENCIES if one.name == "torch")
    (pin,) = next(one.specifier for one in PINNED if one.name == "torch")
    assert (torch.operator, torch.version) == (">=", pin.version.rpartition(".")[0])
    lowest = PROJECT["project"]["requires-python"].removeprefix(">=")
    assert PROJECT["tool"]["mypy"]["python_version"] == lowest
    assert PROJECT["tool"]["ruff"]["target-version"] == f"py{lowest.replace('.', '')}"


def test_there_is_one_version_and_the_changelog_dates_it():
    assert "version" not in PROJECT["project"]
    assert PROJECT["tool"]["hatch"]["version"]["path"] == "attention/__init__.py"
    releases = re.findall(r"^## \[([\d.]+)\] - (\d{4}-\d{2}-\d{2})$", (ROOT / "CHANGELOG.md").read_text(), re.M)
    assert releases[0][0] == attention.__version__
    assert releases == sorted(releases, reverse=True)


def test_all_that_stands_beside_the_code_is_in_the_wheel():
    packed = PROJECT["tool"]["hatch"]["build"]["targets"]["wheel"]
    folders = {"pages", "streamlit_app.py", ".streamlit/config.toml"}
    assert set(packed["force-include"]) == folders
    assert packed["packages"] == ["attention"]
    assert all((ROOT / name).exists() for name in folders)
    assert "make package" in (ROOT / ".ci" / "run").read_text(encoding="utf-8").splitlines()
