"""The available devices, all of which compute the same."""

import pytest
import torch

from attention import MultiHeadAttention, Trace, grid, scaled_dot_product_attention
from attention.device import device, devices
from attention.masks import MASKS, padding
from tests.support import CLOSE, EXACT, KEYS, QUERIES, qkv, refused, seeded, with_gradients

ABSENT = sorted({"cuda", "mps", "tpu"} - set(devices()))


def test_the_cpu_is_always_there_and_comes_last():
    assert devices()[-1] == "cpu"


def test_the_best_device_is_the_first_that_is_there():
    assert device() == torch.device(devices()[0])


@pytest.mark.parametrize("name", devices())
def test_a_device_that_is_there_can_be_named(name):
    assert device(name) == torch.device(name)


@pytest.mark.parametrize("name", ABSENT)
def test_a_device_that_is_not_there_is_refused_with_the_choices(name):
    with refused(f"device {name!r} is not there; one of {', '.join(devices())}"):
        device(name)


@pytest.mark.parametrize(
    ("cuda", "mps", "expected"),
    [
        (True, True, ("cuda", "mps", "cpu")),
        (True, False, ("cuda", "cpu")),
        (False, True, ("mps", "cpu")),
        (False, False, ("cpu",)),
    ],
)
def test_devices_are_listed_best_first(monkeypatch, cuda, mps, expected):
    monkeypatch.setattr(torch.cuda, "is_available", lambda: cuda)
    monkeypatch.setattr(torch.backends.mps, "is_available", lambda: mps)
    assert devices() == expected
    assert device() == torch.device(expected[0])


@pytest.mark.parametrize("name", devices())
def test_masks_are_made_on_the_device(name):
    assert grid("causal", 5, 7, device=name).device.type == name
    assert padding([5, 3], 5, device=name).device.type == name


@pytest.mark.parametrize("name", [name for name in MASKS if "window" not in name and "prefix" not in name])
def test_a_mask_is_made_where_it_is_asked_for_and_nowhere_else(name):
    """The device "meta" has shapes and no numbers, and is there on every machine."""
    assert grid(name, 5, 7, device="meta").device.type == "meta"


@pytest.mark.parametrize("form", [None, "bool", "float", "empty"])
@pytest.mark.parametrize("name", devices())
def test_every_device_computes_what_the_cpu_computes(name, form):
    def run(where):
        mask = None if form is None else grid("causal", QUERIES, KEYS, device=where)
        if form == "empty":
            mask[2] = False
        if form == "float":
            mask = torch.zeros(mask.shape, device=where).masked_fill(~mask, -torch.inf)
        moved = [tensor.to(where) for tensor in qkv(torch.float32)]
        trace = Trace()
        # The cotangent is drawn on the CPU, so the output must come back before it is multiplied.
        results = with_gradients(
            lambda *inputs: scaled_dot_product_attention(*inputs, mask=mask, trace=trace).cpu(), moved
        )
        assert all(step.value.device.type == where for step in trace.values())
        return [tensor.cpu() for tensor in results]

    torch.testing.assert_close(run(name), run("cpu"), rtol=1e-5, atol=1e-5)


@pytest.mark.parametrize("name", devices())
def test_a_generator_of_the_cpu_draws_the_same_keep_mask_on_every_device(name):
    kept = []
    for where in (name, "cpu"):
        trace = Trace()
        moved = (tensor.to(where) for tensor in qkv(torch.float32))
        scaled_dot_product_attention(*moved, dropout=0.5, generator=seeded(), trace=trace)
        assert trace["kept"].value.device.type == where
        kept.append(trace["kept"].value.cpu())
    torch.testing.assert_close(*kept, **EXACT)


@pytest.mark.parametrize("name", devices())
def test_a_layer_can_be_moved_to_every_device(name):
    layer = MultiHeadAttention(6, 3, bias=True, dropout=0.5, generator=seeded())
    x = torch.ones(2, 5, 6)
    on_cpu = layer(x, generator=seeded())
    moved = layer.to(name)(x.to(name), generator=seeded())
    assert moved.device.type == name
    torch.testing.assert_close(moved.cpu(), on_cpu, rtol=0, atol=10 * CLOSE[torch.float32]["atol"])
