"""Each control, moved by hand, writes its parameter into the URL and shows on the page."""

import pytest

from attention.masks import MASKS
from pages.shell.i18n import say
from pages.shell.state.config import DEFAULTS, KNOBS, SCALES
from pages.shell.state.url import written
from tests.support.app import HOME, app, charts, edited, figures
from tests.support.browser import Screen

pytestmark = pytest.mark.browser

START = {"preset": "random", "text": "one two three\nfour five", "heads": 2}


def typed_text(screen: Screen) -> None:
    box = screen.widget("text").locator("textarea")
    box.fill("six seven\neight")
    box.press("Control+Enter")


def reset(screen: Screen) -> None:
    """Remove all typed numbers."""
    screen.page.locator(".st-key-plot-notes").get_by_role("button", name=say("by_hand.reset_all")).click()


def press(screen: Screen, label: str) -> None:
    """Press a button among figures, found by the words that it begins with."""
    screen.page.locator(".att-buttons").get_by_role("button", name=label).click()


def typed_seed(screen: Screen) -> None:
    box = screen.widget("seed").locator("input")
    box.fill("41")
    box.press("Enter")


# Settings under which all other controls have something to change.
MASKED = START | {
    "mask": "window",
    "last": 2,
    "painted": "BABB",
    "edited": edited(x=((0, 1, 2, 3.0),)),
    "dropout": 0.5,
}
# Some controls have a widget only for the layer that learned, which a bare link opens.
LEARNED = {"mask": "causal"}
# control: the link before, what the visitor does, the value after.
MOVES = {
    "preset": (START, lambda screen: screen.choose("preset", "notebook"), "notebook"),
    "text": (START, typed_text, "six seven\neight"),
    "positions": (START, lambda screen: screen.choose("positions", "sinusoidal"), "sinusoidal"),
    "seed": (START, typed_seed, 41),
    "d_model": (START, lambda screen: screen.slide("d_model", "ArrowRight", "ArrowRight"), "18"),
    "heads": (START, lambda screen: screen.choose("heads", 6), 6),
    "d_k": (START, lambda screen: screen.choose("d_k", 2), "2"),
    "d_v": (START, lambda screen: screen.slide("d_v", "End"), "512"),
    "d_out": (START, lambda screen: screen.slide("d_out", "ArrowRight"), "1"),
    "kv_heads": (START, lambda screen: screen.slide("kv_heads", "ArrowRight"), "1"),
    "qk_norm": (START, lambda screen: screen.flip("qk_norm"), True),
    # The cache sets how many tokens ask, and how a mask is aligned.
    "kv_cache": ({**START}, lambda screen: screen.slide("kv_cache", "ArrowRight"), "1"),
    "softcap": (START, lambda screen: screen.slide("softcap", "ArrowRight"), "0.5"),
    "sink": (START, lambda screen: screen.slide("sink", "ArrowRight"), "0"),
    "bias": (START, lambda screen: screen.flip("bias"), True),
    "mask": (START, lambda screen: screen.choose("mask", "causal & window"), "causal & window"),
    "painted": (MASKED, lambda screen: screen.widget("unpaint").locator("button").click(), ""),
    "width": (MASKED, lambda screen: screen.slide("width", "ArrowLeft"), 1),
    "length": (MASKED | {"mask": "prefix"}, lambda screen: screen.slide("length", "ArrowRight"), 3),
    "last": (START, lambda screen: screen.slide("last", "ArrowRight"), 1),
    "corner": (MASKED, lambda screen: screen.choose("corner", "lower_right"), "lower_right"),
    "edited": (MASKED, reset, ""),
    "scale": (START, lambda screen: screen.choose("scale", "sqrt_d_model"), "sqrt_d_model"),
    "dropout": (START, lambda screen: screen.slide("dropout", "ArrowRight", "ArrowRight"), 0.1),
    "draw": (MASKED, lambda screen: screen.press("die"), 1),
    "mode": (MASKED, lambda screen: screen.choose("mode", "inference"), "inference"),
    "trained": (LEARNED, lambda screen: press(screen, "Train it with"), True),
    "sentence": (START, lambda screen: screen.slide("sentence", "ArrowRight"), 2),
    # The second sentence has padding.
    "padding": (START | {"sentence": 2}, lambda screen: screen.flip("padding"), False),
    "head": (START, lambda screen: screen.slide("head", "ArrowRight"), 2),
}


# Cards out of sight wait until they come near, which server/test_rows.py checks.
SAID = """() => [...document.querySelectorAll('.att-card[data-near]:not(.att-arcs)')].map((card) => [
  card.dataset.figure, card.dataset.stamp, card.querySelector('.att-note').textContent])"""


def test_every_control_is_moved():
    # Some controls are moved elsewhere: files are opened and closed in test_open_file.py, heads switched off in
    # test_fox.py, updates set in test_backward.py. No widget sets `trained_p`.
    assert set(MOVES) == set(KNOBS) - {"device", "tensors", "heads_off", "updates", "trained_p"}


# Controls that begin from the same link are moved in one visit, one after the other. A preset and a text change much
# else, so each is moved alone.
TOGETHER = [name for name, (link, *_) in MOVES.items() if link is START and name not in ("preset", "text")]
MASKS_TOGETHER = [name for name, (link, *_) in MOVES.items() if link is MASKED]
LEARNED_TOGETHER = [name for name, (link, *_) in MOVES.items() if link is LEARNED]
ALONE = [name for name in MOVES if name not in (*TOGETHER, *MASKS_TOGETHER, *LEARNED_TOGETHER)]
VISITS = {
    "one after the other": TOGETHER,
    "what a mask has": MASKS_TOGETHER,
    "what the layer that learned has": LEARNED_TOGETHER,
} | {name: [name] for name in ALONE}


@pytest.mark.exhaustive("browser/test_orders.py::test_the_address_follows_after_a_change_of_the_preset")
@pytest.mark.parametrize("names", VISITS.values(), ids=VISITS)
def test_a_control_writes_the_url_and_changes_the_figures(screen, names):
    shown = MOVES[names[0]][0]
    # The window is so high that every figure is in sight: some controls change nothing on the first screen.
    screen.page.set_viewport_size({"width": 1400, "height": 9000})
    screen.open(**shown)
    for name in names:
        _, act, after = MOVES[name]
        act(screen)
        screen.until_parameter(name, None if written(after) == default(name) else written(after))
        # A preset brings the mask that shows its point, and a text of its own.
        shown = {"preset": after, "mask": "full"} if name == "preset" else shown | {name: after}
        if name in ("mask", "width", "length"):
            # Cells that were painted on another mask would be inverted.
            shown = shown | {"painted": ""}
        expected = {key: written(value) for key, value in shown.items() if written(value) != default(key)}
        held = {key: value for key, value in screen.parameters.items() if key in shown and value != default(key)}
        assert held == expected, name
        opened = app(HOME, **shown)
        sent = {id: figure.rest for id, figure in figures(opened).items()} | charts(opened)
        # Rows of heads and the told word have no stamp of their own to compare.
        cards = [card for card in screen.page.evaluate(SAID) if card[0] in sent]
        assert cards, name
        assert {id: stamp for id, stamp, _ in cards} == {id: sent[id]["stamp"] for id, *_ in cards}, name
        for id, _, note in cards:
            assert note.startswith(sent[id]["note"]), (name, id)


def default(name: str) -> str:
    return written(getattr(DEFAULTS, name))


@pytest.mark.exhaustive("browser/test_orders.py::test_the_address_follows_after_a_change_of_the_preset")
def test_every_mask_can_be_chosen(screen):
    screen.open(mask="window")
    for mask in MASKS:
        screen.choose("mask", mask)
        # The layer that learned has the full mask itself, so the URL omits it.
        screen.until_parameter("mask", None if mask == "full" else mask)
        for parameter in MASKS[mask].parameters:
            screen.widget(parameter).wait_for()


@pytest.mark.exhaustive("browser/test_orders.py::test_the_address_follows_after_a_change_of_the_preset")
def test_every_scale_can_be_chosen(screen):
    screen.open(preset="random", scale="none")
    for scale in SCALES:
        screen.choose("scale", scale)
        screen.until_parameter("scale", None if scale == DEFAULTS.scale else scale)


@pytest.mark.exhaustive("browser/test_orders.py::test_the_address_follows_after_a_change_of_the_preset")
def test_the_picker_of_heads_is_there_when_there_are_heads_to_pick(screen):
    screen.open(preset="random", heads=1)
    assert not screen.widget("head").is_visible()
    screen.choose("heads", 2)
    screen.until_parameter("heads", "2")
    screen.widget("head").wait_for()
