"""The files of weights, and the messages if they are missing or are not the published ones."""

import pytest

from attention.inputs import trained
from attention.inputs.trained import MODELS, MissingModelError, files, loading
from tests.support import refused

pytestmark = pytest.mark.models

each_model = pytest.mark.parametrize("name", MODELS)


@pytest.fixture
def nothing_opened(monkeypatch):
    """The state of a process that has opened no model; other tests of this process may have."""
    monkeypatch.setattr(loading, "_opened", loading._opened.__wrapped__)


@pytest.mark.usefixtures("nothing_opened")
@each_model
def test_what_is_missing_is_named_with_the_command_that_brings_it(name, monkeypatch, tmp_path):
    monkeypatch.setenv(trained.FOLDER, str(tmp_path))
    monkeypatch.setattr(files, "find_spec", lambda library: True)
    lack = trained.missing(name)
    assert all(file in lack for file in MODELS[name].files)
    assert str(tmp_path) in lack
    assert trained.COMMAND in lack
    with pytest.raises(MissingModelError, match="make models"):
        trained.load(name)


@each_model
def test_without_the_packages_the_sentence_names_both_ways(name, monkeypatch):
    monkeypatch.delenv(trained.FOLDER, raising=False)
    monkeypatch.setattr(files, "find_spec", lambda library: None if library == MODELS[name].package else True)
    assert trained.missing(name) == (
        f"the weights of {MODELS[name].title} are not installed: make models, or name their folder in ATTENTION_MODELS"
    )


@each_model
def test_without_what_reads_them_that_is_named(name, monkeypatch):
    monkeypatch.setattr(files, "find_spec", lambda library: None)
    assert trained.missing(name) == (
        f"{MODELS[name].title} is read with {' and '.join(MODELS[name].libraries)}, not installed here: make models"
    )


@pytest.mark.usefixtures("nothing_opened")
@each_model
def test_a_file_that_is_not_the_published_one_is_refused(name, monkeypatch, tmp_path):
    monkeypatch.setenv(trained.FOLDER, str(tmp_path))
    monkeypatch.setattr(files, "find_spec", lambda library: True)
    for file in MODELS[name].files:
        (tmp_path / file).write_bytes(b"other weights")
    with pytest.raises(MissingModelError, match=r"is not the published file of .* its SHA-256 is .*, not") as caught:
        trained.load(name)
    assert trained.COMMAND in str(caught.value)


@each_model
def test_a_folder_with_the_official_files_is_enough(name, monkeypatch, tmp_path):
    from tests.support.trained import needed

    needed(name)
    for path in files.published(name):
        (tmp_path / path.name).symlink_to(path)
    monkeypatch.setenv(trained.FOLDER, str(tmp_path))
    assert [path.parent for path in files.published(name)] == [tmp_path] * len(MODELS[name].files)


def test_another_name_is_refused():
    with refused("unknown model 'gpt2'; one of minilm, smollm2"):
        trained.load("gpt2")
