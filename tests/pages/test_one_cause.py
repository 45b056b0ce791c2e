"""One cause, one effect: a control of the layer changes its own step and the steps computed from it, and no number
before that."""

import pytest
import torch

from attention.inputs.learned import SHIPPED, Setting, shipped
from attention.masks import MASKS
from attention.notation import IDS
from attention.positions import sinusoidal
from pages.shell.runs import learned
from pages.shell.runs.run import Run, run
from pages.shell.state.config import POSITIONS, SCALES, Config

OPENED = Config()
# The step that each control changes first. All steps before it stay, including single numbers.
FIRST = {"mask": "mask", "scale": "scaled", "dropout": "dropout"}
VALUES = {
    "mask": [{"mask": mask} for mask in MASKS]
    + [{"mask": mask, name: n} for mask in MASKS for name in MASKS[mask].parameters for n in (1, 3, 64)],
    "scale": [{"scale": scale} for scale in SCALES],
    "dropout": [
        {"dropout": n / 20, "mode": mode, "draw": draw}
        for n in range(19)
        for mode, draw in (("training", 0), ("training", 3), ("inference", 0))
    ],
}
LAYERS = ({}, {"heads": 1}, {"heads": 2, "d_k": "16"}, {"d_model": "64"})


def test_steps_before_the_one_that_a_control_is_about_are_bit_for_bit_the_same():
    for sizes in LAYERS:
        plain = run(Config(**sizes))
        for control, changes in VALUES.items():
            before = (*IDS[: IDS.index(FIRST[control])], "w_o", "b_o")
            for change in changes:
                changed = run(Config(**sizes, **change))
                assert [id for id in before if id in plain.trace] == [id for id in before if id in changed.trace]
                for id in before:
                    if id in plain.trace:
                        assert torch.equal(plain.trace[id].value, changed.trace[id].value), (sizes, change, id)


@pytest.mark.parametrize("positions", POSITIONS)
def test_positions_change_what_is_added_to_the_words_and_no_weight_matrix(positions):
    plain, changed = run(OPENED), run(Config(positions=positions))
    for id in ("w_q", "w_k", "w_v", "w_o"):
        assert torch.equal(plain.trace[id].value, changed.trace[id].value)
    x, other = (one.trace["x"].value for one in (plain, changed))
    added = sinusoidal(*x.shape[-2:]) if positions == "none" else torch.zeros_like(x)
    torch.testing.assert_close(x - other, added.expand_as(x))


def test_heads_and_sizes_alone_bring_another_layer():
    acting = [change for changes in VALUES.values() for change in changes] + [{"positions": "none"}]
    assert {learned.used(Config(**change)) for change in acting} == {Setting()}
    for setting in SHIPPED:
        sizes = {"heads": setting.heads, "d_k": str(setting.d_k), "d_model": str(setting.d_model)}
        found = learned.used(Config(**sizes))
        assert found == Setting(setting.d_model, setting.heads, setting.d_k, setting.d_v)


@pytest.mark.parametrize("setting", SHIPPED, ids=str)
def test_every_layer_that_was_trained_with_something_is_there_where_it_is_asked_for(setting):
    positions = "preset" if setting.positions else "none"
    asked = Config(
        d_model=str(setting.d_model),
        heads=setting.heads,
        d_k=str(setting.d_k),
        mask=setting.mask,
        width=setting.width,
        length=setting.length,
        scale=setting.scale,
        dropout=setting.dropout,
        positions=positions,
        trained=setting.taken is None,
        updates=str(setting.updates),
    )
    assert learned.used(asked) == setting
    assert _is_of(run(asked), setting)


def _is_of(shown: Run, setting: Setting) -> bool:
    return torch.equal(shown.module.w_q, shipped(setting).module.w_q)
