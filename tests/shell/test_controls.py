"""Every value of a link becomes a value that its control can hold."""

from dataclasses import fields
from random import Random

import pytest

from attention.inputs.presets import PRESETS
from attention.masks import MASKS
from pages.shell.state import painted_cells
from pages.shell.state.config import DEFAULTS, KNOBS, OF_PRESET, Config
from pages.shell.state.fields import CellName, Cells, Choice, Flag, Listed, Range, Text
from pages.shell.state.registry import ALL_FIELDS, SCREENS, default, settled
from pages.shell.state.url import written
from tests.support.covering import EVERY_TEST, some
from tests.support.hostile import HOSTILE, holds


def settle(parameters: dict[str, str]) -> dict[str, str]:
    return parameters | {name: nearest for name, (_, nearest) in settled(parameters).items()}


@pytest.mark.parametrize("name", ALL_FIELDS)
def test_any_value_becomes_one_that_the_control_holds(name):
    for of, value in HOSTILE.items():
        found = settle({name: value})
        assert holds(name, found[name]), of
        assert settled(found) == {}, of


@pytest.mark.parametrize("name", ALL_FIELDS)
def test_a_default_is_held_by_its_own_control(name):
    assert holds(name, written(default(name)))
    assert settled({name: written(default(name))}) == {}


@pytest.mark.parametrize("name", [name for name, knob in ALL_FIELDS.items() if isinstance(knob, Choice)])
def test_every_option_is_kept(name):
    for option in ALL_FIELDS[name].options:
        assert settled({name: option}) == {}, option


@pytest.mark.parametrize("name", [name for name, knob in ALL_FIELDS.items() if isinstance(knob, Range)])
def test_every_step_of_a_slider_is_kept(name):
    """The fast form checks some steps and both ends of a slider with thousands of steps."""
    knob, number = ALL_FIELDS[name], type(default(name))
    count = round((knob.high - knob.low) / knob.step)
    for index in range(count + 1) if EVERY_TEST else some(range(count + 1), 331):
        value = written(number(round(knob.low + index * knob.step, 6)))
        assert settled({name: value}) == {}, value


@pytest.mark.parametrize(
    ("name", "asked", "nearest"),
    [
        ("width", "9999", "64"),
        ("width", "-1", "1"),
        ("width", "inf", "64"),
        ("width", "-inf", "1"),
        ("width", "1e309", "64"),
        ("width", "4.4", "4"),
        ("width", "nan", "2"),
        ("width", "banana", "2"),
        ("heads", "17", "16"),
        ("heads", "0", "1"),
        ("dropout", "1", "0.9"),
        ("dropout", "-0.5", "0.0"),
        ("dropout", "0.31", "0.3"),
        ("dropout", "0.13", "0.15"),
        ("seed", "12345", "9999"),
        ("d_model", "9999", "512"),
        ("d_model", "0", "1"),
        ("d_model", "65", "64"),
        ("d_model", "100", "96"),
        ("d_model", "511.9", "512"),
        ("d_model", "auto", "16"),
        ("d_k", "9999", "512"),
        ("d_k", "banana", "auto"),
        ("mask", "CAUSAL", "preset"),
        ("mask", "banana", "preset"),
        ("mask", "3", "preset"),
        ("scale", "SQRT_D_MODEL", "sqrt_d_k"),
        ("preset", "other", "learned"),
        ("bias", "True", "true"),
        ("bias", "FALSE", "false"),
        ("bias", "yes", "false"),
        ("padding", "no", "true"),
        ("text", "a\x00b\r\nc", "ab\nc"),
        ("pinned", "banana", ""),
        ("pinned", "pinned=preset%3Drandom", ""),
        ("pinned", "seed=5&pinned=preset%3Drandom", "preset=learned&seed=5"),
        ("pinned", "heads=many&width=9999&lang=zh&scale", "preset=learned&width=64"),
        ("pinned", "preset=story&positions=preset", "preset=story"),
        ("pinned", "scale=none&preset=notebook&scale=d_k", "preset=notebook&scale=d_k"),
        ("pinned", "mask=causal+%26+window&preset=random", "preset=random&mask=causal %26 window"),
        ("pinned", "painted=CBCB&text=%00%ff%0d%0Ab%25", "preset=learned&text=%0Ab%25"),
        ("painted", "CBBAC", "BACB"),
        ("painted", "CBCB", ""),
        ("painted", "CB!AA§__", "CB__"),
        ("painted", "/+Ω", ""),
        ("heads_off", "nonsense", ""),
        ("heads_off", "4, 0;17 x", "4,0,17"),
        ("backward_of", "nonsense", ""),
        ("goal_at", "output.3.99999", ""),
        ("tensors", "banana", ""),
        ("tensors", "A" * 32, ""),
        ("tensors", "a" * 33, ""),
        ("tensors", "a" * 31 + "\u0661", ""),
        ("edited", "banana", ""),
        ("edited", "eNpjYGBgZrI_wMAAAANhAQ", ""),
        ("edited", " eNpjYGBgZrI_wMAAAANhAQU", ""),
    ],
)
def test_the_nearest_value_is_taken_or_else_the_default(name, asked, nearest):
    assert settled({name: asked}) == {name: (asked, nearest)}


def test_only_what_changed_is_told():
    parameters = {"width": "99", "heads": "3", "mask": "window", "utm_source": "somewhere", "cell": "weights.0.0"}
    assert settled(parameters) == {"width": ("99", "64")}


def test_a_long_text_is_cut_and_nothing_else_of_it_changed():
    most = KNOBS["text"].most
    assert settle({"text": "x" * (most + 1)})["text"] == "x" * most
    assert settled({"text": "x" * most}) == {}


def test_a_screen_in_one_text_comes_back_whatever_it_holds():
    random = Random(5)
    letters = ["&", "=", "%", "+", "%26", "\n", " ", "#", ";", "猫", "🦊", "<b>", "pinned=", "'", '"', "\\", "a"]
    for _ in range(200):
        chosen = {name: written(value(knob, getattr(DEFAULTS, name), random)) for name, knob in KNOBS.items()}
        kept = {name: held for name, held in chosen.items() if random.random() < 0.5}
        screen = Config.of(kept | {"text": "".join(random.choices(letters, k=random.randrange(40)))})
        assert Config.unbundled(screen.bundled()) == screen
        assert settled({"pinned": screen.bundled()}) == {}


def value(knob, first, random: Random):
    """Any value that a control can hold."""
    match knob:
        case Choice(options):
            return random.choice(options)
        case Range():
            return type(first)(
                round(knob.low + knob.step * random.randrange(round((knob.high - knob.low) / knob.step)), 6)
            )
        case Flag():
            return random.random() < 0.5
        case Cells():
            return painted_cells.text(tuple({(random.randrange(64), random.randrange(64)) for _ in range(5)}))
        case Listed():
            return ",".join(str(random.randrange(1, 17)) for _ in range(3))
        case CellName():
            return f"output.{random.randrange(7)}.{random.randrange(5)}"
        case _:
            return "text"


def test_the_longest_screen_can_be_pinned():
    longest = {name: max(knob.options, key=len) for name, knob in KNOBS.items() if isinstance(knob, Choice)}
    square = tuple((row, column) for row in range(painted_cells.SIZE) for column in range(painted_cells.SIZE))
    longest |= {name: painted_cells.text(square) for name, knob in KNOBS.items() if isinstance(knob, Cells)}
    longest |= {name: "%" * knob.most for name, knob in KNOBS.items() if isinstance(knob, Text)}
    screen = Config.of(longest)
    assert len(screen.bundled()) > 20_000
    assert settled({"pinned": screen.bundled()}) == {}


def test_all_controls_are_settled_together():
    found = settle(dict.fromkeys(ALL_FIELDS, "-1"))
    assert all(holds(name, value) for name, value in found.items())
    assert settled(found) == {}


def test_every_field_of_the_configuration_is_a_control():
    assert tuple(KNOBS) == tuple(field.name for field in fields(Config))
    assert Config() == DEFAULTS


def test_no_two_screens_have_a_control_of_one_name():
    assert len(ALL_FIELDS) == sum(len(screen.knobs()) for screen in SCREENS)


def test_the_registries_are_the_options():
    assert KNOBS["mask"].options == (OF_PRESET, *MASKS)
    assert set(KNOBS["preset"].options) == {*PRESETS, "learned", "random", "file"}


def test_every_parameter_of_a_mask_has_a_control():
    assert {parameter for mask in MASKS.values() for parameter in mask.parameters} <= set(KNOBS)


@pytest.mark.parametrize("name", [name for name, knob in ALL_FIELDS.items() if isinstance(knob, Text)])
def test_tokens_may_be_written_in_any_script(name):
    assert settled({name: "der Größere 猫坐 🦊\nПривет"}) == {}
