"""Links with forbidden values: each value becomes the nearest one that is allowed, and the visitor is told once."""

import pytest

from pages.shell.state.config import DEFAULTS
from pages.shell.state.url import written
from tests.browser.test_links import drawn_as_computed, held
from tests.support.covering import some

pytestmark = pytest.mark.browser


@pytest.mark.exhaustive("pages/test_links.py::test_what_a_link_lost_is_said")
@pytest.mark.parametrize(
    ("asked", "shown"),
    some(
        [
            (
                {
                    "preset": "random",
                    "heads": "9999",
                    "d_model": "65",
                    "d_k": "banana",
                    "mask": "window",
                    "width": "9999",
                },
                {"preset": "random", "heads": "16", "d_model": "64", "mask": "window", "width": "64"},
            ),
            (
                {"dropout": "1e309", "seed": "-1", "mask": "banana", "preset": "nope", "bias": "maybe"},
                {"dropout": "0.9"},
            ),
        ],
        1,
    ),
    ids=str,
)
def test_what_a_link_may_not_ask_for_becomes_the_nearest_and_it_is_said(screen, asked, shown):
    screen.open(**asked)
    toast = screen.page.locator("[data-testid=stToast]")
    toast.wait_for()
    told = toast.inner_text()
    for name in set(asked.items()) - set(shown.items()):
        assert name[0] in told
    # The browser writes the URL when it has heard of all controls, which may be after the toast appears.
    screen.until_parameters(shown)
    for name in asked:
        if screen.widget(name).count():
            assert held(screen, name) == shown.get(name, written(getattr(DEFAULTS, name)))
    typed = {name: type(getattr(DEFAULTS, name))(value) for name, value in shown.items()}
    assert drawn_as_computed(screen, "weights", **typed)


@pytest.mark.slow
def test_what_is_said_of_a_link_is_text_and_is_said_once(screen):
    screen.open(mask="<img src=x onerror=window.hacked=1>`[x](javascript:window.hacked=2)")
    toast = screen.page.locator("[data-testid=stToast]")
    toast.wait_for()
    assert "<img src=x" in toast.inner_text()
    assert toast.locator("a, img").count() == 0
    assert screen.page.evaluate("window.hacked") is None
    toast.get_by_role("button", name="Close").click()
    toast.wait_for(state="detached")
    screen.changed(lambda: screen.slide("dropout", "ArrowRight"))
    screen.until_parameter("dropout", "0.05")
    assert toast.count() == 0


@pytest.mark.exhaustive("pages/test_links.py::test_a_random_screen_has_the_link_that_opens_it")
@pytest.mark.parametrize("page", some(["heads", "order", "experiments"], 1))
def test_a_page_with_random_weights_of_its_own_keeps_the_head_that_a_link_asks_for(screen, page):
    """The page ignores the preset of the link, so the number of heads of that preset does not limit the head."""
    screen.open(f"/{page}", head=3)
    assert screen.parameters == {"head": "3"}
    assert held(screen, "head") == "3"
    assert screen.page.locator("[data-testid=stToast]").count() == 0
