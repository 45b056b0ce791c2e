"""A part of Streamlit that is replaced is kept, and stays what is kept when its module is loaded anew."""

from importlib.util import module_from_spec, spec_from_file_location
from types import ModuleType

import pytest

from pages.shell.server import startup
from tests.support.app import ROOT


def originals(patch: ModuleType) -> dict[str, object]:
    return {name: value for name, value in vars(patch).items() if name.startswith("_original")}


PATCHES = [patch for patch in startup.PATCHES if originals(patch)]


@pytest.mark.parametrize("patch", PATCHES, ids=lambda patch: patch.__name__.rpartition(".")[2])
def test_what_is_replaced_is_not_the_replacement(patch):
    patch.install()
    spec = spec_from_file_location("anew", patch.__file__)
    anew = module_from_spec(spec)
    spec.loader.exec_module(anew)
    assert originals(anew) == originals(patch)


def test_every_patch_is_installed_or_named():
    """Turns are given by the runs of the app."""
    folder = ROOT / "pages" / "shell" / "server" / "patches"
    there = {file.stem for file in folder.glob("[a-z]*.py")}
    assert there == {patch.__name__.rpartition(".")[2] for patch in startup.PATCHES} | {"turns"}
