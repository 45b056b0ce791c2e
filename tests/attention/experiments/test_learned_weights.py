"""The files beside the package: the weights after a training, and their scores, as they are read back."""

import numpy as np
import pytest
import torch

from attention.experiments import few_sentences, learned_weights, learning, translation
from attention.inputs import learned, shared_keys, translating
from attention.inputs.learned import Setting, key

SHORT = (Setting(steps=3), Setting(heads=2, steps=5))


@pytest.fixture
def written(tmp_path, monkeypatch, capsys):
    monkeypatch.setattr(learned_weights, "FILE", tmp_path / "learned.npz")
    monkeypatch.setattr(learned_weights, "SHIPPED", SHORT)
    monkeypatch.setattr(shared_keys, "FILE", tmp_path / "shared_keys.npz")
    monkeypatch.setattr(shared_keys, "KV_HEADS", (4,))
    monkeypatch.setattr(translating, "FILE", tmp_path / "translating.npz")
    monkeypatch.setattr(translating, "SHIPPED", SHORT)
    monkeypatch.setattr(few_sentences, "FILE", tmp_path / "few_sentences.npz")
    monkeypatch.setattr(few_sentences, "LAYER", Setting(heads=2, steps=3))
    monkeypatch.setattr(few_sentences, "COUNTS", (5, 35))
    monkeypatch.setattr(few_sentences, "SEEDS", (1, 7, 2))
    threads = torch.get_num_threads()
    learned_weights.main()
    torch.set_num_threads(threads)
    return tmp_path, capsys.readouterr().out.splitlines()


@pytest.mark.slow
def test_every_setting_is_written_with_its_scores_and_told(written):
    folder, lines = written
    with np.load(folder / "shared_keys.npz") as file:
        assert file.files == ["4", "rights-4"]
        assert len(file["4"]) + 1 == len(file["rights-4"]) == 21
        trained_on = shared_keys.unpacked(4, file["4"][-1])
        assert file["rights-4"][-1] == pytest.approx(learning.measure(trained_on).mean, abs=1e-6)
    shared = lines.pop(2)
    assert shared.split() == ["kv_heads=4", f"{learning.measure(trained_on).mean:.3f}"]
    with np.load(folder / "few_sentences.npz") as file:
        assert set(file.files) == {"seen", "new"}
        assert file["seen"].shape == file["new"].shape == (2, 2, 3)
        assert file["new"].dtype == np.float32
        means = [file[name].mean(-1) for name in ("seen", "new")]
    for at, count in ((1, 35), (0, 5)):
        seen, new = (" ".join(f"{share:.3f}" for share in mean[at]) for mean in means)
        assert lines.pop().split() == f"sentences={count} seen {seen} new {new}".split()
    assert len(lines) == 2 * len(SHORT)
    for module, trained, measure, told in (
        (learned, learning.trained, learning.measure, lines[:2]),
        (translating, translation.trained, translation.measure, lines[2:]),
    ):
        with np.load(folder / f"{module.__name__.rpartition('.')[2]}.npz") as file:
            assert set(file.files) == {learned_weights.SCORES, *map(key, SHORT)}
            assert file[learned_weights.SCORES].dtype == np.float32
            for setting, scores, line in zip(SHORT, file[learned_weights.SCORES], told, strict=True):
                packed = file[key(setting)]
                np.testing.assert_array_equal(packed, trained(setting).packed())
                found = measure(module.unpacked(setting, packed))
                looked = found.look if module is learned else found.found
                np.testing.assert_allclose(scores, [found.accuracy, looked], atol=1e-6)
                assert line.startswith(key(setting))
                assert line.split()[1] == f"{found.mean:.3f}"
                assert line.split()[2:] == [f"{a:.2f}|{b:.2f}" for a, b in zip(found.accuracy, looked, strict=True)]
