"""What the controls do to a page, and what the page says of sizes, parameters and agreement."""

import re
from collections.abc import Iterator

import numpy as np
import pytest
from streamlit.testing.v1 import AppTest
from streamlit.testing.v1.element_tree import Block

from attention.inputs.learned import SHIPPED
from attention.inputs.presets import PRESETS, STORY
from pages.shell.i18n import say
from pages.shell.layout.choices import word
from pages.shell.state.config import HEADS, LIVE, SENTENCES, TOKENS
from tests.support.app import HOME, app, cards, computed, figures, no_exception, recorded, seen

RANDOM = {"preset": "random"}
FIXED = ("d_model", "heads", "d_k", "d_v")


def ledger(at) -> str:
    unit = say("ledger.parameters", count="").replace("*", "").strip()
    (text,) = [markdown.value for markdown in at.markdown if unit in markdown.value]
    return text


def chip(at) -> str:
    """The label of the comparison with PyTorch."""
    (label,) = [block.proto.popover.label for block in blocks(at.main) if block.type == "popover"]
    return label


def blocks(block) -> Iterator[Block]:
    for child in block.children.values():
        if isinstance(child, Block):
            yield child
            yield from blocks(child)


OPTIONAL = [
    ("mask", "causal", "full", {"mask", "masked"}),
    ("dropout", 0.3, 0.0, {"kept", "dropped"}),
    ("bias", True, False, {"b_q", "b_k", "b_v", "b_o"}),
    ("last", 1, 0, {"context"}),
]


@pytest.mark.parametrize(("name", "on", "off", "steps"), OPTIONAL, ids=[name for name, *_ in OPTIONAL])
def test_an_optional_step_comes_and_goes_with_its_control(name, on, off, steps):
    at = app(HOME, **RANDOM, **{name: off})
    assert not steps & set(figures(at))
    at.session_state[name] = on
    assert no_exception(at.run())
    assert steps <= set(figures(at))
    at.session_state[name] = off
    assert no_exception(at.run())
    assert not steps & set(figures(at))


def test_a_chapter_without_a_figure_is_not_headed():
    assert {"mask", "dropout", "biases"} & set(cards(app(HOME, mask="full"))) == set()
    assert {"mask", "dropout"} <= set(cards(app(HOME, mask="causal", dropout=0.3)))


def test_dropout_shows_in_training_only():
    at = app(HOME, dropout=0.3)
    at.session_state["mode"] = "inference"
    assert not {"kept", "dropped"} & set(figures(at.run()))


@pytest.mark.parametrize(("lengths", "hides"), [("a b\nc d", False), ("a b\nc", True)])
def test_padding_is_hidden_where_there_is_some(lengths, hides):
    at = app(HOME, **RANDOM, text=lengths, mask="full")
    assert ("mask" in figures(at)) == hides
    at.session_state["padding"] = False
    assert "mask" not in figures(at.run())


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
    assert {*FIXED, "bias", "text"} <= seen(at)
    assert not at.caption
    assert "fixed-heads" not in [one.key for one in at.segmented_control]


@pytest.mark.parametrize(("name", "value"), [("heads", 4), ("d_k", 2)])
@pytest.mark.parametrize("preset", PRESETS)
def test_touching_a_size_that_a_preset_fixes_sets_it_free_and_there_is_a_way_back(preset, name, value):
    link = {"preset": preset, "mask": "window", "d_k": 13, "dropout": 0.3, "seed": 7}
    at = app(HOME, **link)
    before, module = figures(at), computed(preset=preset).module
    at.segmented_control(key=f"fixed-{name}").set_value(value).run()
    assert no_exception(at.run())
    sizes = {"heads": module.heads, "d_k": module.d_k} | {name: value}
    shown = computed(**link | {"preset": LIVE, "heads": sizes["heads"], "d_k": str(sizes["d_k"])})
    np.testing.assert_array_equal(np.nan_to_num(figures(at)["weights"].z), recorded(shown, "weights"))
    names = {"live": word("preset", LIVE), "preset": word("preset", preset)}
    assert say("bar.left", **names) in [markdown.value for markdown in at.markdown]
    at.button(key="back").click().run()
    assert no_exception(at.run())
    assert {id: sent.rest["stamp"] for id, sent in figures(at).items()} == {
        id: sent.rest["stamp"] for id, sent in before.items()
    }
    assert not [button for button in at.button if button.key == "back"]


@pytest.mark.parametrize(
    ("link", "offered"),
    [
        ({}, [1, 2, 4, 8, 16]),
        ({"d_model": 18}, [1, 2, 3, 6, 9]),
        ({"d_model": 48}, [1, 2, 3, 4, 6, 8, 12, 16]),
        ({"d_model": 17}, [1]),
        ({"d_model": 17, "d_k": 11}, [1, 2, 3, 4, 6, 8, 12, 16]),
    ],
    ids=str,
)
def test_the_bar_offers_the_numbers_of_heads_that_fit_and_holds_any(link, offered):
    at = app(HOME, **RANDOM, **link, heads=7)
    assert offers(at, "heads") == offered
    assert at.segmented_control(key="heads").value == 7
    assert at.segmented_control(key="heads").options == [str(heads) for heads in range(1, HEADS + 1)]


def offers(at: AppTest, name: str) -> list[int]:
    """The places, from 1, of the buttons of the bar that are seen."""
    (styles,) = [html.value for html in at.get("html") if "st-key-heads" in html.value and "not(" in html.value]
    return [int(place) for place in re.findall(r"nth-child\((\d+)\)", re.search(rf"st-key-{name}[^{{]*", styles)[0])]


@pytest.mark.parametrize(
    ("link", "sizes"),
    [
        ({"preset": "learned"}, {"auto"} | {str(setting.d_k) for setting in SHIPPED if setting.d_model == 16}),
        (RANDOM, {"auto", *(str(2**exponent) for exponent in range(10))}),
        (RANDOM | {"d_k": 11}, {"auto", "10", "11", "12", *(str(2**exponent) for exponent in range(10))}),
    ],
    ids=["learned", "random", "random, d_k 11"],
)
def test_the_bar_offers_the_sizes_that_are_there_and_the_next_ones(link, sizes):
    at = app(HOME, **link)
    options = at.segmented_control(key="d_k").options
    assert {options[place - 1] for place in offers(at, "d_k")} == sizes


def test_the_bar_offers_the_numbers_of_heads_that_were_trained():
    assert offers(app(HOME, preset="learned"), "heads") == sorted({one.heads for one in SHIPPED if one.d_model == 16})


def test_the_visitors_sizes_and_text_outlive_a_visit_to_a_preset():
    at = app(HOME, **RANDOM, d_model=33, heads=3, d_k=13, bias=True, text="one two three")
    before = figures(at)["projected"].z
    for preset in (*PRESETS, "random"):
        at.session_state["preset"] = preset
        assert no_exception(at.run())
    at.session_state["mask"] = "causal"
    np.testing.assert_array_equal(figures(at.run())["projected"].z, before)


@pytest.mark.parametrize("preset", [*PRESETS, "random"])
def test_choosing_a_preset_loads_the_mask_that_shows_its_point(preset):
    other = "notebook" if preset in ("story", "random") else "story"
    at = app(HOME, preset=other, positions="sinusoidal")
    at.pills(key="preset").set_value(preset).run()
    assert no_exception(at)
    assert ("mask" in figures(at)) == (preset in ("story", "random"))
    shown = computed(preset=preset, mask="causal" if preset in ("story", "random") else "full")
    np.testing.assert_array_equal(figures(at)["output"].z, shown.trace["output"].value[0, 0].numpy())


@pytest.mark.parametrize(
    "link",
    [
        {},
        {"preset": "notebook"},
        RANDOM | {"d_model": 33, "heads": 3},
        RANDOM | {"d_model": 33, "heads": 3, "d_k": 13, "d_v": 7, "bias": True},
        RANDOM | {"d_model": 10, "heads": 1, "d_k": 6, "d_out": 8},
        RANDOM | {"d_model": 17, "heads": 5},
        RANDOM | {"d_model": 512, "heads": 16},
    ],
    ids=str,
)
def test_the_ledger_counts_the_parameters(link):
    module = computed(**link).module
    d_model, h, d_k, d_v, d_out = module.d_model, module.heads, module.d_k, module.d_v, module.d_out
    count = 2 * d_model * h * d_k + d_model * h * d_v + h * d_v * d_out
    if link.get("bias"):
        count += 2 * h * d_k + h * d_v + d_out
    text = ledger(app(HOME, **link))
    assert f"**{count:,}**" in text
    for name, size in {"d_model": d_model, "h": h, "d_k": d_k, "d_v": d_v}.items():
        assert f"{name} **{size}**" in text
    assert (f"d_out **{d_out}**" in text) == (d_out != d_model)


@pytest.mark.parametrize(
    ("link", "agreeing", "reasons"),
    [
        (RANDOM, 2, ()),
        (RANDOM | {"bias": True, "last": 3, "mask": "window", "text": "a b c d\ne"}, 2, ()),
        (RANDOM | {"scale": "none"}, 1, ("scale",)),
        (RANDOM | {"d_k": 13}, 1, ("d_k",)),
        (RANDOM | {"d_v": 7}, 1, ("d_v",)),
        (RANDOM | {"d_out": 8}, 1, ("d_out",)),
        (RANDOM | {"dropout": 0.3}, 0, ("dropout", "dropout")),
        (RANDOM | {"dropout": 0.3, "mode": "inference"}, 2, ()),
        ({}, 2, ()),
        ({"preset": "story"}, 1, ("d_k",)),
    ],
    ids=str,
)
def test_a_badge_compares_the_numbers_with_torch_or_says_why_not(link, agreeing, reasons):
    at = app(HOME, **link)
    text = " ".join(markdown.value for markdown in at.markdown if "-badge[" in markdown.value)
    agrees, differs = (
        say(id, name="", difference="").split("{")[0].strip(" :") for id in ("badge.agrees", "badge.differs")
    )
    assert text.count(agrees) == agreeing
    assert differs not in text
    for reason in reasons:
        assert text.count(say(f"reason.{reason}")) == reasons.count(reason)
    assert "torch.nn.functional.scaled_dot_product_attention" in text
    assert "torch.nn.MultiheadAttention" in text
    assert chip(at) == say("parity.agrees" if agreeing else "parity.none")


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("\n".join(["a"] * (SENTENCES + 3)), ("note.sentences", {"most": SENTENCES, "count": SENTENCES + 3})),
        (" ".join(["a"] * (TOKENS + 3)), ("note.tokens", {"most": TOKENS, "count": TOKENS + 3})),
        ("  ", ("note.empty", {})),
    ],
    ids=["sentences", "tokens", "empty"],
)
def test_what_was_left_out_of_a_text_is_said(text, told):
    id, values = told
    at = app(HOME, **RANDOM, text=text)
    assert no_exception(at)
    assert say(id, **values) in [warning.value for warning in at.warning]


def test_sizes_that_do_not_divide_are_shown_with_a_size_that_fits_and_it_is_said():
    at = app(HOME, **RANDOM, d_model=17, heads=5)
    assert [warning.value for warning in at.warning] == [say("note.d_k", d_model=17, heads=5, d_k=3)]
    assert figures(at)["queries"].z.shape == (len(STORY.split()), 3)


@pytest.mark.parametrize(("name", "count"), [("head", 3), ("sentence", 2)])
def test_a_link_to_a_head_or_sentence_that_is_not_there_shows_the_last_one_and_says_so(name, count):
    link = {"heads": 3, "d_model": 33, "text": "one two three\nfour five six", "mask": "full"}
    at = app(HOME, **RANDOM, **link, **{name: 7})
    nearest = figures(app(HOME, **RANDOM, **link, **{name: count}))
    np.testing.assert_array_equal(figures(at)["weights"].z, nearest["weights"].z)
    assert at.toast, "nobody is told"


@pytest.mark.parametrize(("name", "link"), [("head", {"heads": 2, "d_model": 34}), ("sentence", {"text": "one"})])
def test_a_head_or_sentence_that_goes_away_leaves_one_that_is_there(name, link):
    before = {"heads": 3, "d_model": 33, "text": "one two three\nfour five six\nseven eight nine"}
    at = app(HOME, **RANDOM, **before, **{name: 3})
    for other, value in link.items():
        at.session_state[other] = str(value) if other == "d_model" else value
    assert no_exception(at.run())
    shown = computed(**RANDOM | before | link | {name: 1 if name == "sentence" else 2})
    np.testing.assert_array_equal(np.nan_to_num(figures(at)["weights"].z), recorded(shown, "weights"))


@pytest.mark.parametrize(("name", "written"), [("dropout", "0"), ("dropout", "0.30"), ("seed", "007"), ("width", "+3")])
def test_a_number_in_another_spelling_is_not_called_out_of_range(name, written):
    assert not app(HOME, **{name: written}, mask="window").toast


@pytest.mark.parametrize(("name", "written"), [("dropout", "7"), ("seed", "-1"), ("mask", "banana"), ("heads", "17")])
def test_a_value_that_no_control_can_hold_is_changed_and_it_is_said(name, written):
    at = app(HOME, **{name: written})
    assert no_exception(at)
    assert len(at.toast) == 1
    assert f"`{name}`" in at.toast[0].value
    assert f"`{written}`" in at.toast[0].value


@pytest.mark.parametrize("written", ["`" * 9, "[x](javascript:alert(1))", "<b>x</b>", "x" * 9999, "a\nb", ":red[x]"])
def test_what_a_link_asked_for_is_told_as_code(written):
    (toast,) = app(HOME, mask=written).toast
    told = toast.value.partition("`mask`")[2]
    assert len(told) < 200
    assert told.count("`") == 4, "two pieces of code, each between a pair of marks"


def test_a_link_to_a_sentence_of_a_page_that_has_no_presets_is_kept():
    at = app("heads", text="one two three\nfour five", sentence=2)
    assert not at.toast
    assert at.session_state["sentence"] == 2
