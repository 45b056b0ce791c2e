"""A device computes the layer, and pages say the same as on a CPU."""

import re

import pytest
import torch

from attention.device import devices
from pages.shell.runs.run import run
from pages.shell.state.config import Config
from pages.shell.state.registry import BY_PAGE
from pages.shell.views import VIEWS, answered

OTHERS = [name for name in devices() if name != "cpu"]
# Compare is left out: its A is on the default device, so it tells another device as a difference.
PAGES = sorted({*BY_PAGE} - {"models", "compare"})
SCREENS = {"opening": {}, "random": {"preset": "random"}, "masked": {"mask": "causal", "dropout": 0.3}}
# This view has a sentence about the rounding of float32 only if there is some.
ROUNDING = "heads.split"
NUMBER = re.compile(r"[\d.,]+( · 10[⁻⁰¹²³⁴⁵⁶⁷⁸⁹]+)?")


def words(found):
    """The texts of an answer, without numbers: the rounding differs between devices."""
    if isinstance(found, dict | list):
        return [text for one in (found.values() if isinstance(found, dict) else found) for text in words(one)]
    return [NUMBER.sub("#", found)] if isinstance(found, str) and re.search(r"[^\W\d]{2} [^\W\d]{2}", found) else []


@pytest.mark.parametrize("name", devices())
@pytest.mark.parametrize("preset", ["learned", "random", "story"])
def test_the_record_of_a_screen_is_on_the_cpu_and_has_its_numbers(name, preset):
    shown, expected = (run(Config(preset=preset, mask="causal", dropout=0.3, device=where)) for where in (name, "cpu"))
    assert [*shown.trace] == [*expected.trace]
    for id, step in shown.trace.items():
        assert step.value.device.type == "cpu"
        torch.testing.assert_close(step.value, expected.trace[id].value, rtol=1e-5, atol=1e-5)


@pytest.mark.parametrize("name", OTHERS)
@pytest.mark.parametrize("page", PAGES)
@pytest.mark.parametrize("screen", SCREENS)
def test_a_page_says_on_every_device_what_it_says_on_the_cpu(name, page, screen):
    names = [view for view in VIEWS if view.startswith(f"{page}.") and view != ROUNDING]
    asked = {key: str(value) for key, value in SCREENS[screen].items()}
    here, there = (answered(page, names, asked | {"device": where}, "en")["views"] for where in ("cpu", name))
    assert words(there) == words(here)
