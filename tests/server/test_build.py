"""The name of a build: the same for the same sources wherever they are, and different for any others."""

from pathlib import Path

import pytest

from pages.shell.server.build import FOLDERS, build, hashed


def sources(folder: Path, **files: str) -> tuple[Path]:
    for name, content in files.items():
        path = folder / name.replace("__", "/").replace("_", ".")
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(content, encoding="utf-8")
    return (folder,)


FILES = {"a_py": "x = 1", "b__c_js": "let y", "d_css": "p {}", "e_toml": "z = 1"}


def test_the_same_sources_are_the_same_build_wherever_they_stand(tmp_path):
    first = hashed(sources(tmp_path / "1", **FILES))
    assert hashed(sources(tmp_path / "2", **FILES, b____pycache____c_pyc="compiled", notes_txt="not sent")) == first
    assert len(first) == 12


CHANGED = {
    "content": FILES | {"d_css": "q {}"},
    "name": {name.replace("b__c", "b__d"): content for name, content in FILES.items()},
    "one more": FILES | {"f_npz": "weights"},
    "one less": {name: content for name, content in FILES.items() if name != "e_toml"},
    "moved": FILES | {"a_py": "x = ", "b__c_js": "1let y"},
}


@pytest.mark.parametrize("changed", CHANGED.values(), ids=CHANGED)
def test_any_other_sources_are_another_build(tmp_path, changed):
    assert hashed(sources(tmp_path / "1", **FILES)) != hashed(sources(tmp_path / "2", **changed))


def test_the_build_of_this_process_is_of_package_and_app():
    assert build() == hashed(FOLDERS) == build()
    assert {folder.name for folder in FOLDERS} == {"attention", "pages"}
