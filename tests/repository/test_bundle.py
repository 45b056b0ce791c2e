"""Scripts and styles as one file each: the bundle of the sources, or the sources if they are newer."""

import shutil

import pytest

from pages.shell.server import bundle
from tests.repository.test_rooms import ROOT

ESBUILD = ROOT / "node_modules" / ".bin" / "esbuild"


@pytest.fixture
def elsewhere(tmp_path, monkeypatch):
    """A copy of the sources and their bundle in a folder where tests may change them."""
    for name, folder in (("SOURCES", bundle.SOURCES), ("BUNDLE", bundle.BUNDLE)):
        monkeypatch.setattr(bundle, name, shutil.copytree(folder, tmp_path / folder.name))
    bundle.is_current.cache_clear()
    yield tmp_path
    bundle.is_current.cache_clear()


def test_the_bundle_is_that_of_the_sources():
    assert bundle.is_current(), "`make bundle` brings it up to date"


@pytest.mark.parametrize("name", bundle.ENTRIES)
def test_a_changed_source_is_sent_as_it_stands(elsewhere, name):
    whole, _ = bundle.Scripts().lookup_path(name)
    assert whole == str(bundle.BUNDLE / name)
    with (bundle.SOURCES / "text.js").open("a") as file:
        file.write("// another line\n")
    bundle.is_current.cache_clear()
    assert bundle.Scripts().lookup_path(name)[0] == str(bundle.SOURCES / name)


def test_nothing_but_scripts_and_styles_is_sent():
    scripts = bundle.Scripts()
    assert scripts.lookup_path("text.js")[1] is not None
    assert scripts.lookup_path("../heatmap.py") == ("", None)


def test_every_style_is_among_all_styles():
    named = (bundle.SOURCES / "styles.css").read_text(encoding="utf-8")
    assert {path.name for path in bundle.SOURCES.glob("*.css") if f'url("{path.name}")' not in named} == {"styles.css"}


def test_the_same_sources_are_the_same_bundle(tmp_path):
    if not ESBUILD.is_file():
        pytest.skip("no esbuild: `npm ci` installs it")
    from deploy.bundle import write

    write(tmp_path)
    for name in bundle.ENTRIES:
        assert (tmp_path / name).read_bytes() == (bundle.BUNDLE / name).read_bytes()
