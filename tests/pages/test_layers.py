"""The sections on layers: initialisations beside their formula, and the wrong d under the root."""

import pytest

from attention.scales import SCALES
from pages.shell.i18n import say
from pages.shell.state.page_controls import Laboratory
from pages.shell.views.scaling import layers
from tests.support.app import blocks
from tests.support.lab import numbers, opened, said


def test_the_initialisations_stand_beside_their_formula():
    (table,) = [text for text in said(opened()).split("\n|") if "nn.MultiheadAttention" in text]
    assert numbers(table)[2] == pytest.approx(0.5, abs=0.01)


def test_gpt2_starts_at_its_published_spread():
    lines = said(opened(layer="768", layer_heads="12")).splitlines()
    (row,) = [line for line in lines if line.startswith(f"| {say('lab.starts.name.gpt2')} |")]
    assert numbers(row.partition("²)")[2])[2] == pytest.approx(0.307, abs=0.003)


def test_heads_that_do_not_divide_the_layer_are_fewer_and_that_is_said():
    at = opened(layer="512", layer_heads="12")
    assert say("lab.starts.divides", d_model=512, asked=12, heads=8) in said(at).splitlines()
    assert "With d_model 512 and dₖ 64" in said(at)
    assert "with d_model 512 and 8 heads" in said(at)
    assert all(block["kind"] != "note" for block in blocks(opened()))


@pytest.mark.parametrize("d_model", Laboratory.knobs()["layer"].options)
def test_no_layer_takes_more_than_a_moment_or_is_drawn_too_rarely(d_model):
    for heads in (1, 16):
        d_k = int(d_model) // heads
        repeats = layers.repeats(int(d_model), d_k)
        assert 8 <= repeats <= 64
        assert repeats * int(d_model) * d_k <= 2**24


@pytest.mark.parametrize("scale", SCALES)
def test_every_mistake_is_told(scale):
    text = said(opened(mistake=scale))
    name = say(f"lab.mistakes.name.{scale}")
    assert f"| **{name}** |" in text
    assert sum(line.startswith(f"**{name}**") for line in text.splitlines()) == 1


@pytest.mark.slow
def test_with_one_head_the_common_bug_is_no_bug():
    text = said(opened(mistake="sqrt_d_model", layer_heads=1))
    assert say("lab.mistakes.same", name=say("lab.mistakes.name.sqrt_d_model"), d_k=512) in text
