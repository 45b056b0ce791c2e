"""Several heads: their slider stands at the picture, and stays there while it is dragged."""

import pytest

pytestmark = [
    pytest.mark.browser,
    pytest.mark.fast("test_the_slider_stands_between_the_sentence_and_the_switches"),
]


def places(screen) -> tuple[dict, dict, dict]:
    """The boxes of the picture, the slider and the switches."""
    figures = [screen.see(id).locator("svg").first.bounding_box() for id in ("head-arcs", "switches")]
    slider = screen.page.locator("[class*='st-key-heads'] .stSlider").bounding_box()
    return figures[0], slider, figures[1]


@pytest.mark.slow
def test_the_slider_stands_between_the_sentence_and_the_switches(screen):
    """The slider stood below an empty band, far from the arcs that it changes, and nobody saw it."""
    screen.page.set_viewport_size({"width": 1400, "height": 900})
    screen.open("/heads")
    picture, slider, switches = places(screen)
    assert 0 <= slider["y"] - (picture["y"] + picture["height"]) < 40
    assert slider["y"] + slider["height"] < switches["y"]
    screen.choose("heads", 1)
    screen.until_parameter("heads", "1")
    assert places(screen)[1]["y"] == slider["y"]
    assert places(screen)[0]["y"] == picture["y"]
