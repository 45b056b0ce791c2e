"""Presets and sizes: sizes that a preset fixes, options of the bar, and sizes that survive a visit to a preset."""

import numpy as np
import pytest

from attention import __version__
from attention.inputs.learned import SHIPPED
from attention.inputs.presets import PRESETS, STORY
from pages.shell.i18n import say
from pages.shell.i18n.options import word
from pages.shell.state.config import LIVE
from tests.support.app import (
    HOME,
    app,
    blocks,
    computed,
    figures,
    give,
    linked,
    markdown,
    no_exception,
    recorded,
    seen,
    widget,
)

RANDOM = {"preset": "random"}


FIXED = ("d_model", "heads", "d_k", "d_v")


@pytest.mark.parametrize("preset", PRESETS)
def test_a_preset_shows_the_sizes_that_it_brings_and_no_control_that_it_does_not_read(preset):
    at = app(HOME, preset=preset)
    module = computed(preset=preset).module
    assert not {*FIXED, "bias", "text"} & seen(at)
    why = say("control.fixed", preset=word("preset", preset), live=word("preset", LIVE))
    assert why in [caption.value for caption in at.caption]
    held = {name: at.segmented_control(key=f"fixed-{name}").value for name in ("heads", "d_k")}
    assert held == {"heads": module.heads, "d_k": module.d_k}


def test_the_random_preset_leaves_every_control_live():
    at = app(HOME, **RANDOM)
    assert {*FIXED, "d_out", "bias", "text"} <= seen(at)
    assert [caption.value for caption in at.caption] == [say("app.version", version=__version__)]
    assert "fixed-heads" not in [one.key for one in at.segmented_control]


@pytest.mark.parametrize(("name", "value"), [("heads", 4), ("d_k", 2)])
@pytest.mark.parametrize("preset", PRESETS)
def test_touching_a_size_that_a_preset_fixes_sets_it_free_and_there_is_a_way_back(preset, name, value):
    link = {"preset": preset, "mask": "window", "d_k": 13, "dropout": 0.3, "seed": 7}
    at = app(HOME, **link)
    before, module = figures(at), computed(preset=preset).module
    at.segmented_control(key=f"fixed-{name}").set_value(value).run()
    assert no_exception(at)
    sizes = {"heads": module.heads, "d_k": module.d_k} | {name: value}
    shown = computed(**link | {"preset": LIVE, "heads": sizes["heads"], "d_k": str(sizes["d_k"])})
    np.testing.assert_array_equal(np.nan_to_num(figures(at)["weights"].z), recorded(shown, "weights"))
    names = {"live": word("preset", LIVE), "preset": word("preset", preset)}
    assert say("bar.left", **names) in [text.value for text in markdown(at)]
    at.button(key="back").click().run()
    assert no_exception(at)
    assert {id: sent.rest["stamp"] for id, sent in figures(at).items()} == {
        id: sent.rest["stamp"] for id, sent in before.items()
    }
    assert not [button for button in at.button if button.key == "back"]


@pytest.mark.parametrize(
    ("link", "offered"),
    [
        ({}, [1, 2, 4, 7, 8, 16]),
        ({"d_model": 18}, [1, 2, 3, 4, 6, 7, 9]),
        ({"d_model": 17}, [1, 4, 7]),
        ({"d_model": 17, "d_k": 11}, [1, 2, 4, 7, 8, 16]),
    ],
    ids=str,
)
def test_the_bar_offers_the_numbers_of_heads_that_fit_and_those_of_the_link(link, offered):
    """A link without a number means 4 heads."""
    slider = widget(app(HOME, **RANDOM, **link, heads=7), "heads")
    assert slider.options == list(map(str, offered))
    assert slider.value == 7


@pytest.mark.parametrize(
    ("link", "sizes"),
    [
        ({"preset": "learned"}, {setting.d_k for setting in SHIPPED if setting.d_model == 16}),
        (RANDOM, {2**exponent for exponent in range(10)}),
        (RANDOM | {"d_k": 11}, {11, *(2**exponent for exponent in range(10))}),
    ],
    ids=["learned", "random", "random, d_k 11"],
)
def test_the_bar_offers_the_sizes_that_are_there_and_that_of_the_link(link, sizes):
    slider = widget(app(HOME, **link), "d_k")
    # The first option is the size if nobody sets it: 16 features over 4 heads.
    assert slider.options == [say("bar.d_k", d_model=16), *map(str, sorted(sizes))]
    assert slider.value == str(link.get("d_k", "auto"))


def test_the_bar_offers_the_numbers_of_heads_that_were_trained():
    slider = widget(app(HOME, preset="learned"), "heads")
    assert slider.options == [str(heads) for heads in sorted({one.heads for one in SHIPPED if one.d_model == 16})]


def test_the_visitors_sizes_and_text_outlive_a_visit_to_a_preset():
    at = app(HOME, **RANDOM, d_model=33, heads=3, d_k=13, bias=True, text="one two three")
    before = figures(at)["projected"].z
    for preset in (*PRESETS, "random"):
        assert no_exception(give(at, preset=preset))
    np.testing.assert_array_equal(figures(give(at, mask="causal"))["projected"].z, before)


@pytest.mark.parametrize("preset", [*PRESETS, "random"])
def test_choosing_a_preset_loads_the_mask_that_shows_its_point(preset):
    other = "notebook" if preset in ("story", "random") else "story"
    at = app(HOME, preset=other, positions="sinusoidal")
    widget(at, "preset").set_value(preset).run()
    assert no_exception(at)
    assert ("mask" in figures(at)) == (preset in ("story", "random"))
    shown = computed(preset=preset, mask="causal" if preset in ("story", "random") else "full")
    np.testing.assert_array_equal(figures(at)["output"].z, shown.trace["output"].value[0, 0].numpy())


def test_sizes_that_do_not_divide_are_shown_with_a_size_that_fits_and_it_is_said():
    at = linked(**RANDOM, d_model=17, heads=5)
    told = [block["markdown"] for block in blocks(at) if block["kind"] == "note"]
    assert told == [say("note.d_k", d_model=17, heads=5, d_k=3)]
    assert figures(at)["queries"].z.shape == (len(STORY.split()), 3)
