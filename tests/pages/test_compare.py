"""The page on A and B: both screens as they are computed, their difference, and each row's difference by torch."""

import itertools
import math
import re
from dataclasses import replace

import numpy as np
import pytest
import torch

from attention.inputs.grammar import ANSWERS
from pages.shell.i18n import say
from pages.shell.i18n.numbers import fixed
from pages.shell.runs import learned, learned_scores
from pages.shell.runs.differences import differing
from pages.shell.state.config import Config
from pages.shell.state.opens_with import OPENS_WITH
from pages.shell.views import VIEWS, compare
from pages.shell.views.compare import changes, told, why
from pages.shell.views.compare.compared import Sides
from pages.shell.views.naming import coded
from pages.shell.views.prose import html
from tests.pages.test_masks import own_figures, table
from tests.support.app import app, blocks, computed, decoded, held, linked, markdown, no_exception, recorded
from tests.support.numbers import plain

# Sizes are pairwise distinct primes; two sentences, so that one is padded.
SCREEN = {"preset": "random", "text": "one two three four five six seven\neight nine ten", "d_model": "33", "heads": 3}
SCREEN |= {"d_k": "13", "d_v": "5", "mask": "full"}
STORY = {"preset": "story"}
OTHERS = [
    {"seed": 7},
    {"scale": "none", "head": 2},
    {"mask": "window", "width": 1, "sentence": 2},
    {"painted": "ABBA", "bias": True, "kv_heads": "1", "softcap": "2", "sink": "1", "qk_norm": True},
    {"dropout": 0.5, "d_model": "17"},
    {"padding": False, "sentence": 2, "mask": "causal"},
]
each_other = pytest.mark.parametrize("other", OTHERS, ids=str)
BOTH = ("A", "B")


def opened(a: dict, b: dict, language: str = "en", **more):
    return replace(linked("compare", pinned=pin(a), **b, **more), language=language)


def pin(screen: dict) -> str:
    return Config(**screen).bundled()


def drawn(at, id: str) -> np.ndarray:
    return np.nan_to_num(decoded(own_figures(at)[id]))


def rows(at, language: str = "en") -> list[list[str]]:
    return table(at, say("compare.column.variation", language))[2:]


def differs(at) -> dict[str, tuple[str, str]]:
    return {name: (a.strip("`"), b.strip("`")) for name, a, b in table(at, say("compare.control"))[2:]}


def number(cell: str) -> float:
    """A number as the page writes it."""
    if cell in ("∞", "–"):
        return {"∞": math.inf, "–": math.nan}[cell]
    return float(plain(cell))


def said(at) -> str:
    return "\n".join(block.value for block in markdown(at))


@each_other
@pytest.mark.parametrize("swapped", [False, True])
@pytest.mark.parametrize("id", ["weights", "output"])
def test_both_sides_and_their_difference_are_what_is_computed(id, other, swapped):
    sides = [SCREEN, SCREEN | other][:: -1 if swapped else 1]
    at = opened(*sides)
    expected = [recorded(computed(**side), id) for side in sides]
    for side, numbers in zip(BOTH, expected, strict=True):
        np.testing.assert_allclose(drawn(at, f"{id}-{side}"), numbers, rtol=1e-4, atol=1e-6)
    difference = own_figures(at)[f"{id}-difference"]
    np.testing.assert_allclose(np.nan_to_num(decoded(difference)), expected[1] - expected[0], rtol=0, atol=1e-5)
    low, high = difference["range"]
    assert -low == high == pytest.approx(np.abs(expected[1] - expected[0]).max() or 1, rel=1e-3)
    assert difference["kind"] == "signed"
    assert own_figures(at)[f"{id}-A"]["range"] == own_figures(at)[f"{id}-B"]["range"]


def test_what_positions_do_for_the_story():
    """The published weights of `forest`, with positions and without, and what follows from them."""
    at = opened(STORY | {"positions": "none"}, STORY)
    assert say("compare.trained") not in said(at)
    assert differs(at) == {say("control.positions.label"): ("none", "of the preset")}
    a = np.array([0.005924, 0.323459, 0.323459, 0.005924, 0.005924, 0.005924, 0.323459, 0.005924])
    b = np.array([0.000318, 0.017340, 0.017340, 0.000318, 0.000318, 0.017340, 0.946711, 0.000318])
    np.testing.assert_allclose(drawn(at, "weights-A")[-1], a, rtol=0, atol=1e-6)
    np.testing.assert_allclose(drawn(at, "weights-B")[-1], b, rtol=0, atol=1e-6)
    np.testing.assert_allclose(drawn(at, "weights-difference")[-1], b - a, rtol=0, atol=2e-6)
    name, variation, entropy, moved = rows(at)[-1]
    assert name == "`forest`"
    assert number(variation) == pytest.approx(np.abs(b - a).sum() / 2, abs=5.1e-4)
    assert number(entropy) == pytest.approx((b * np.log(b / a)).sum(), abs=5.1e-4)
    assert moved == "`verdant` +0.623, `fluffy` −0.306"
    assert own_figures(at)["weights-difference"]["note"] == "Largest change: query 'forest', key 'verdant', +0.623."


def test_the_page_opens_on_the_layer_that_learned_with_four_heads_and_with_two():
    """The opening screen has lost one answer, and its slider has stops on both sides of the chosen one."""
    at = app("compare")
    assert no_exception(at)
    assert held(at) == OPENS_WITH["compare"]
    assert differs(at)[say("control.heads.label")] == ("4", "2")
    same = linked("compare", heads=2)
    assert sides_of(same) == ["A · Heads: 4", "B · Heads: 2"]
    assert [state for _, state in scored_of(same)[1]].count("wrong") == 1
    for side, link in zip(BOTH, ({}, {"heads": 2}), strict=True):
        np.testing.assert_allclose(
            drawn(at, f"weights-{side}"), recorded(computed(**link), "weights"), rtol=1e-4, atol=1e-6
        )
    # Both sides use one layer, unless B needs a layer that was trained differently; the page says so.
    assert say("compare.trained") in said(at)
    assert say("compare.trained") not in said(linked("compare", mask="causal"))
    assert say("compare.trained") in said(opened({"positions": "none", "trained": True}, {}))


def test_cells_that_both_hide_are_hatched_and_those_that_one_shows_are_not():
    window, causal = SCREEN | {"mask": "window", "width": 2}, SCREEN | {"mask": "causal"}
    hidden = np.isnan(decoded(own_figures(opened(window, causal))["weights-difference"]))
    sees = [recorded(computed(**side), "mask").astype(bool) for side in (window, causal)]
    np.testing.assert_array_equal(hidden, ~(sees[0] | sees[1]))
    assert hidden.any()
    assert "hidden" not in own_figures(opened(SCREEN | {"sentence": 1, "padding": False}, causal))["weights-difference"]


@pytest.mark.parametrize("screen", [{}, STORY, SCREEN, {"preset": "notebook", "mask": "full"}], ids=str)
def test_a_screen_does_not_differ_from_itself(screen):
    at = opened(screen, screen)
    assert say("compare.same") in said(at)
    assert say("compare.unmoved", count=len(rows(at))) in said(at)
    assert all([number(row[1]), number(row[2]), row[3]] == [0, 0, say("compare.nothing")] for row in rows(at))
    assert not drawn(at, "weights-difference").any()


@pytest.mark.parametrize(
    ("other", "weights", "output"),
    [
        ({"last": 3}, ("7 × 7", "3 × 7"), ("7 × 5", "3 × 5")),
        ({"text": "one two"}, ("7 × 7", "2 × 2"), ("7 × 5", "2 × 5")),
        ({"d_v": "11"}, None, ("7 × 5", "7 × 11")),
    ],
    ids=str,
)
def test_other_shapes_are_shown_and_not_subtracted(other, weights, output):
    at = opened(SCREEN, SCREEN | other)
    for id, sizes in (("weights", weights), ("output", output)):
        figures = own_figures(at)
        assert {f"{id}-A", f"{id}-B"} <= set(figures)
        assert (f"{id}-difference" in figures) == (sizes is None)
        for side, link in zip(BOTH, (SCREEN, SCREEN | other), strict=True):
            np.testing.assert_allclose(drawn(at, f"{id}-{side}"), recorded(computed(**link), id), rtol=1e-4, atol=1e-6)
        if sizes:
            assert say(f"compare.shapes.{id}", a=sizes[0], b=sizes[1]) in said(at)
    assert (say("compare.rows") in said(at)) == (weights is None)


def test_other_words_of_one_number_are_compared_by_their_place_and_both_are_named():
    at = opened({"preset": "random", "text": "the cat sat"}, {"preset": "random", "text": "the dog sat"})
    assert say("compare.by_place") in said(at)
    labels = own_figures(at)["weights-difference"]["labels"]
    assert labels["query"] == labels["key"] == ["the", "cat / dog", "sat"]
    assert own_figures(at)["weights-A"]["labels"]["key"] == ["the", "cat", "sat"]


def test_dropout_comes_after_the_weights_and_the_page_says_so():
    plain, dropped = SCREEN, SCREEN | {"dropout": 0.5}
    at = opened(plain, dropped)
    assert say("compare.dropout") in said(at)
    assert not drawn(at, "weights-difference").any()
    assert drawn(at, "output-difference").any()
    assert say("compare.dropout") not in said(opened(plain, dropped | {"mode": "inference"}))


@pytest.mark.parametrize(("id", "row", "column"), [("weights", 3, 5), ("output", 6, 4)])
def test_a_cell_of_each_of_the_three_is_explained(id, row, column):
    other = SCREEN | {"seed": 7}
    values = [recorded(computed(**side), id)[row, column] for side in (SCREEN, other)]
    values.append(values[1] - values[0])
    for side, value in zip(("A", "B", "difference"), values, strict=True):
        at = opened(SCREEN, other, cell=f"{id}-{side}.{row}.{column}.compare-{id}")
        (latex,) = [block["latex"] for block in blocks(at) if block["kind"] == "panel"]
        shown = float(re.sub(r" \\cdot 10\^\{(-?\d+)\}", r"e\1", latex.strip("$ \n").rpartition("=")[2].strip()))
        assert shown == pytest.approx(float(value), rel=1e-3, abs=1e-6)


def test_what_was_adjusted_is_told_with_its_side():
    at = opened({"preset": "random", "d_model": "17", "heads": 5}, {})
    noted = [block["markdown"] for block in VIEWS["compare.adjusted"].blocks(at)]
    assert noted == ["A: " + say("note.d_k", d_model=17, heads=5, d_k=3)]


@pytest.mark.parametrize(
    ("a", "b"),
    [({}, SCREEN), ({"mask": "causal"}, {"mask": "full", "dropout": 0.5}), ({"painted": "AA"}, {}), ({}, {})],
    ids=str,
)
def test_everything_is_said_in_chinese_too(a, b):
    at = app("compare", pinned=pin(a), lang="zh", **b)
    assert no_exception(at)
    prose = " ".join(re.sub(r"`[^`]*`|\$[^$]*\$|\|.*?\|(?=\n)", "", block.value) for block in markdown(at))
    assert not re.search(r"\b(?:the|and|of|row|weights?|is)\b", prose)
    assert say("page.compare.lead", "zh") in prose


def test_what_differs_is_called_what_its_control_calls_it():
    (row,) = table(opened({"positions": "none"}, {}, "zh"), say("compare.control", "zh"))[2:]
    words = [say(f"choice.positions.{id}", "zh") for id in ("none", "sinusoidal")]
    assert row == [say("control.positions.label", "zh"), *(f"`{word}`" for word in words)]
    assert words[1] != "sinusoidal"


@pytest.mark.parametrize(
    "b",
    [{}, {"mask": "causal", "heads": 2}, {"positions": "none", "dropout": 0.5}, {"preset": "random", "text": "a b c"}],
    ids=str,
)
def test_until_something_is_kept_a_has_the_words_of_b_and_stays_whatever_is_changed(b):
    both = compare.sides(linked("compare", **b))
    words = {name: value for name, value in b.items() if name in ("preset", "text")}
    assert both.a.config == computed(**words).config
    assert both.b.config == computed(**b).config


@pytest.mark.parametrize("kept", [{}, {"pinned": pin({"heads": 2})}], ids=["nothing", "a screen"])
def test_at_a_stands_which_screen_it_is_and_what_makes_another_of_it(kept):
    at = linked("compare", mask="causal", **kept)
    (block,) = VIEWS["compare.keeping"].blocks(at)
    has = say("compare.a_has", values="Heads: 2")
    assert block["said"]["line"] == (has if kept else say("compare.a_opens"))
    keep, swap, *let_go = block["buttons"]
    assert Config.unbundled(keep["sets"]["pinned"]) == Config(mask="causal")
    swapped = compare.sides(linked("compare", **{"mask": "causal"} | swap["sets"]))
    both = compare.sides(at)
    assert (swapped.a.config, swapped.b.config) == (both.b.config, both.a.config)
    assert [one["sets"] for one in let_go] == [{"pinned": ""}][: len(kept)]
    above, below = of_sides(at)
    assert (len(above["arcs"]["asks"]), len(below["arcs"]["asks"])) == (2 if kept else 4, 4)
    assert "hangs" not in above["arcs"]
    assert below["arcs"]["hangs"]


def of_sides(at) -> list[dict]:
    """The arcs of A and those of B."""
    return [card for block in VIEWS["compare.arcs"].blocks(at) for card in block.get("cards", ())]


def sentences_of(at) -> list[str]:
    """The texts above and below the arcs, where there are any."""
    return [block["markdown"] for block in VIEWS["compare.arcs"].blocks(at) if block.get("markdown")]


def differences_of(at) -> str:
    """The text below the controls that differ."""
    return " ".join(block["markdown"] for block in VIEWS["compare.differ"].blocks(at) if "markdown" in block)


def test_the_arcs_are_those_of_both_sides_for_the_word_that_is_followed_and_the_sentence_says_how_much_moved():
    at = linked("compare", mask="causal", cell="weights.6.0.arcs")
    weights = [recorded_of_all_heads(**link)[:, 6] for link in ({}, {"mask": "causal"})]
    for drawn, numbers in zip(of_sides(at), weights, strict=True):
        assert drawn["arcs"]["tokens"][drawn["arcs"]["focus"]] == "owl"
        np.testing.assert_allclose([one["weights"] for one in drawn["arcs"]["asks"]], numbers, rtol=0, atol=1e-3)
    head = int(np.abs(weights[1] - weights[0]).sum(-1).argmax())
    words = [coded(at.run.tokens, int(weight[head].argmax())) for weight in weights]
    first, second = (f"{weight[head].max():.2f}" for weight in weights)
    told = {"head": head + 1, "was": words[0], "first": first, "now": words[1], "second": second}
    assert say("compare.turned", word="`owl`", **told) in differences_of(at)


def recorded_of_all_heads(**link) -> np.ndarray:
    return computed(**link).trace["weights"].value[0].numpy()


def sides_of(at) -> list[str]:
    return [drawn["labels"]["side"] for drawn in of_sides(at)]


def test_each_side_is_named_after_the_controls_that_differ():
    at = linked("compare", positions="none")
    assert sides_of(at) == ["A · Positions: sinusoidal", "B · Positions: none"]
    at = linked("compare", pinned=pin({"mask": "causal", "heads": 2}))
    assert sides_of(at) == ["A · Heads: 2, Mask: causal", "B · Heads: 4, Mask: no mask"]
    many = sides_of(linked("compare", pinned=pin({"mask": "causal", "heads": 2, "scale": "none", "positions": "none"})))
    assert [name[-3:] for name in many] == [", …", ", …"]


@pytest.mark.parametrize("link", [{"mask": "causal"}, {"scale": "none"}, {"heads": 1}], ids=str)
def test_what_is_lost_is_bold_whatever_stands_behind_it(link):
    at = replace(linked("compare", **link), language="zh")
    told = html(sentences_of(at)[0])
    assert "<strong>" in told
    assert "**" not in told


WRONG = {"asked": "to whom?", "said": "fox", "right": "hen"}
WRONG_OF_MASK = say("compare.answer.wrong", **WRONG)
GUESSES = ({"asked": "who?", "said": "cat", "right": "fox"}, {"asked": "whom?", "said": "bear", "right": "owl"})


@pytest.mark.parametrize(
    ("link", "lost"),
    [
        # The layer says owl whatever it sees.
        ({"mask": "causal"}, [say("compare.answer.chance", asked="whom?", said="owl"), WRONG_OF_MASK]),
        ({"heads": 1}, [say("compare.answer.guess", **one) for one in GUESSES]),
        ({"scale": "none"}, []),
    ],
    ids=str,
)
def test_above_the_arcs_stands_which_answers_are_lost_and_the_other_way_round_which_are_won(link, lost):
    """A lecturer first says what the change costs. Each side answers as its own layer does, computed by torch."""
    both = compare.sides(linked("compare", **link))
    for run, is_whole in ((both.a, True), (both.b, not lost)):
        layer = learned.layer(learned.used(run.config))
        says = layer.logits(run.trace["projected"].value[0, 4]).argmax(-1).tolist()
        right = [ANSWERS[of].index(word) for of, word in enumerate(("fox", "owl", "hen"))]
        assert (says[:3] == right) == is_whole
    if not lost:
        assert told.first(both, 4) == say("compare.keeps", word="`brings`")
        return
    assert told.first(both, 4) == say("compare.answers.lost", parts=", ".join(lost))
    assert told.first(Sides(both.b, both.a), 4) == say("compare.answers.won", parts=", ".join(lost))
    # The same line gives the reason, as far as the records show one.
    assert sentences_of(linked("compare", **link))[0] == f"{told.first(both, 4)} {next(why.said(both, 4))}"


def scored_of(at) -> list[list[tuple[str, str]]]:
    """Each line of both sides' scorecards, and its state."""
    return [
        list(zip(one["labels"].get("scored", ()), one["arcs"].get("scored", ()), strict=True)) for one in of_sides(at)
    ]


A_IS_RIGHT = [("who? fox", "right"), ("whom? owl", "right"), ("to whom? hen", "right")]


@pytest.mark.parametrize(
    ("link", "of_b", "gone"),
    [
        (
            {"mask": "causal"},
            [("who? fox", "right"), ("whom? owl (a lucky guess)", "chance"), ("to whom? fox", "wrong")],
            [("owl", "chance"), ("hen", "wrong")],
        ),
        (
            {"heads": 1},
            [("who? cat (a guess)", "wrong"), ("whom? bear (a guess)", "wrong"), ("to whom? hen", "right")],
            [("fox", "wrong"), ("owl", "wrong")],
        ),
        ({"scale": "none"}, A_IS_RIGHT, []),
    ],
    ids=str,
)
def test_beside_each_side_stands_what_it_answers_and_a_lost_arc_leaves_its_trace(link, of_b, gone):
    """Nobody notices a missing arc, so the picture shows the lost answer, and the one that the layer gives instead."""
    at = linked("compare", **link)
    assert scored_of(at) == [A_IS_RIGHT, of_b]
    above, below = of_sides(at)
    # Both scorecards stand in one place, so that a reader sees the difference down a column.
    assert list(zip(above["labels"]["other_scored"], above["arcs"]["other_scored"], strict=True)) == of_b
    assert above["labels"]["other_side"] == below["labels"]["side"]
    tokens = below["arcs"]["tokens"]
    assert [(tokens[one["to"]], one["state"]) for one in below["arcs"].get("gone", ())] == gone
    assert "gone" not in above["arcs"]
    # Each trace is one of A's arcs to whose word B answers something else, or is right by chance.
    ends = {one["answer"] for one in above["arcs"]["asks"]}
    assert {one["to"] for one in below["arcs"].get("gone", ())} <= ends
    # The text for screen readers has the marks, too.
    for side, lines in zip((above, below), scored_of(at), strict=True):
        marked = [f"{ {'wrong': '✗', 'chance': '○'}.get(state, '✓') } {line}" for line, state in lines]
        assert say("compare.scored", parts=", ".join(marked)) in side["note"]


def test_no_answers_stand_where_nobody_knows_the_right_ones():
    for link in ({"preset": "random"}, {"cell": "weights.0.0.arcs"}, {"pinned": pin({"text": "the cat shows"})}):
        assert scored_of(linked("compare", mask="causal", **link)) == [[], []]


def test_above_and_below_the_arcs_there_are_two_lines_at_most():
    """At 1400 px, two lines have room for about 340 letters."""
    for link in ({"mask": "causal"}, {"heads": 1}, {"positions": "none"}, {"updates": "40"}):
        told_of_both = sentences_of(linked("compare", **link))
        assert all(0 < len(one) < 340 for one in told_of_both)
        assert say("compare.right", first="", second="").split(":")[0] not in " ".join(told_of_both)


def changing_of(at) -> dict:
    block, _ = VIEWS["compare.changing"].blocks(at)
    return block


def pressed_of(at) -> list[str]:
    return [one["line"] for one in changing_of(at)["buttons"] if one["pressed"]]


@pytest.mark.parametrize(
    ("link", "line"),
    [
        ({}, None),
        ({"heads": 1}, "compare.offer.less_heads"),
        ({"heads": 8}, "compare.offer.more_heads"),
        ({"updates": "200"}, "compare.offer.less_updates"),
        ({"dropout": 0.35}, "compare.offer.dropout"),
        ({"positions": "none"}, "compare.offer.positions"),
        ({"mask": "causal"}, "compare.offer.mask"),
        ({"mask": "window"}, None),
        ({"scale": "none"}, None),
        ({"mask": "causal", "heads": 2}, None),
        ({"dropout": 0.3, "scale": "none"}, None),
    ],
    ids=str,
)
def test_a_button_is_pressed_only_where_b_differs_in_nothing_else(link, line):
    """The page asks about the effect of one setting. If B differs in a second one, a pressed button would be wrong."""
    at = linked("compare", **link)
    assert pressed_of(at) == ([say(line)] if line else [])
    is_told = line is not None or not link
    assert changing_of(at)["said"]["line"] == say("compare.b_changes" if is_told else "compare.b_back")
    for button in changing_of(at)["buttons"]:
        assert len(pressed_of(linked("compare", **link | button["sets"]))) == 1


@pytest.mark.parametrize("link", [{}, {"heads": 1}, {"mask": "causal"}, {"pinned": pin({"heads": 2})}], ids=str)
def test_the_second_of_two_quick_clicks_alone_counts(link):
    """Both buttons were sent with the screen before, so the second one must undo the settings of the first."""
    buttons = [button for button in changing_of(linked("compare", **link))["buttons"] if button["sets"]]
    for first, second in itertools.permutations(buttons, 2):
        at = linked("compare", **link | first["sets"] | second["sets"])
        assert pressed_of(at) == [second["line"]]


@pytest.mark.parametrize(
    ("link", "lines"),
    [
        ({"mask": "window", "heads": 2}, ["Heads: 2", "Mask: window"]),
        ({"dropout": 0.3, "scale": "none", "mask": "causal"}, ["Mask: causal", "Scale: no scaling", "Dropout p: 0.3"]),
        ({"mask": "causal"}, ["Mask: causal"]),
        ({"scale": "none"}, ["Scale: no scaling"]),
        ({"pinned": pin({"heads": 2}), "positions": "none"}, ["Positions: none", "Heads: 4"]),
    ],
    ids=str,
)
def test_what_differs_is_listed_and_each_difference_is_taken_back(link, lines):
    at = linked("compare", **link)
    (block,) = VIEWS["compare.instead"].blocks(at)
    count = len(lines)
    assert block["said"]["line"] == (say("compare.b_several", count=count) if count > 1 else say("compare.b_one"))
    assert [one["line"] for one in block["buttons"]] == lines
    for button, line in zip(block["buttons"], lines, strict=True):
        after = linked("compare", **link | button["sets"])
        assert len(differing(*(getattr(compare.sides(after), side) for side in "ab"))) < len(
            differing(*(getattr(compare.sides(at), side) for side in "ab"))
        )
        assert all(line not in name for name in sides_of(after)[1:])


@pytest.mark.parametrize(
    ("link", "name", "options"),
    [
        ({"heads": 2}, "heads", ["1", "2", "3"]),
        ({"heads": 8}, "heads", ["1", "2", "3", "8"]),
        ({"updates": "80"}, "updates", [*map(str, range(0, 141, 10))]),
        ({"dropout": 0.6}, "dropout", [f"{round(at * 0.05, 6)}" for at in range(1, 19)]),
        ({"positions": "none"}, None, None),
        ({"mask": "causal"}, None, None),
        ({"heads": 2, "mask": "window"}, None, None),
    ],
    ids=str,
)
def test_a_setting_with_a_scale_has_one_slider_and_it_never_reaches_a(link, name, options):
    """At A's value, both sides would be the same, so the slider leaves it out. A control stands once on a page: the
    slider's control is not repeated in the drawer of all others."""
    at = app("compare", **link)
    assert no_exception(at)
    drawn = {one.key.partition("--")[0]: one for one in (*at.select_slider, *at.slider)}
    assert [one.key.partition("--")[0] for one in (*at.select_slider, *at.slider)] == list(drawn)
    assert {"heads", "dropout", "d_k"} <= drawn.keys()
    assert ("updates" in drawn) == (name == "updates")
    # If there is no slider, buttons that undo the differences take its place.
    assert bool(list(VIEWS["compare.instead"].blocks(linked("compare", **link)))) == (name is None)
    if name:
        assert drawn[name].options == options


def test_a_slider_stays_on_its_side_of_a_so_that_its_name_stays_true():
    a = Config()
    for control, name in (("heads", "less_heads"), ("updates", "less_updates"), ("dropout", "dropout")):
        first = dict(changes.others(a))[control]
        for value in changes.steps(a, first, control):
            b = replace(a, **{control: value})
            assert changes.changed(a, b) == control
            assert changes.named(a, b, control) == name


def test_where_nobody_knows_answers_how_much_moves_stands_above_the_arcs_and_once():
    (moved, *behind) = sentences_of(linked("compare", preset="random", text="one two three", mask="window", width=1))
    assert "%" in moved or "0." in moved
    assert moved not in " ".join(behind)


def test_of_another_number_of_heads_the_sentence_tells_how_far_their_means_are_apart():
    at = linked("compare", pinned=pin({"mask": "causal"}), heads=2, cell="weights.6.0.arcs")
    a, b = (recorded_of_all_heads(**link)[:, 6].mean(0) for link in ({"mask": "causal"}, {"heads": 2}))
    told = say("compare.moved_together", share=f"{np.abs(b - a).sum() / 2:.0%}", word="`owl`")
    assert told in differences_of(at)


def test_of_one_head_nothing_is_said_of_heads_together():
    """One head has no average with others, so the text names the side with one head."""
    a, b = (recorded_of_all_heads(**link)[:, 4].mean(0) for link in ({}, {"heads": 1}))
    share = f"{np.abs(b - a).sum() / 2:.0%}"
    kept = pin({"heads": 1})
    for link, one, many in (({"heads": 1}, "B", "A"), ({"pinned": kept}, "A", "B")):
        told = differences_of(linked("compare", **link))
        assert say("compare.moved_one", share=share, word="`brings`", one=one, many=many) in told
        assert say("compare.moved_together", share=share, word="`brings`") not in told


def test_of_another_number_of_words_the_sentence_says_why_nothing_is_compared():
    at = linked("compare", pinned=pin({"text": "the cat shows the owl to the hen"}))
    assert say("compare.other_words") in sentences_of(at)[0]


def test_of_other_words_each_side_has_its_own_sentence():
    at = linked("compare", pinned=pin({"text": "the cat shows the owl to the hen"}))
    above, below = of_sides(at)
    assert above["arcs"]["tokens"] != below["arcs"]["tokens"]
    assert "hangs" not in below["arcs"]


def strayed(head: int, asked: str, was: str, now: str, case: str = "strayed") -> str:
    return say(f"compare.why.{case}", head=head, asked=asked, was=f"`{was}`", now=f"`{now}`")


@pytest.mark.parametrize(
    ("link", "causes"),
    [
        ({"mask": "causal"}, [say("compare.why.hidden", word="`brings`", words="the, owl, to, the, shy, hen")]),
        ({"scale": "none"}, [say("compare.why.larger", ratio="2.00")]),
        ({"positions": "none"}, [say("compare.why.any_order", word="`brings`"), strayed(1, "who?", "fox", "hen")]),
        (
            {"heads": 1},
            [say("compare.why.one_head", word="`brings`", asked=3, side="B", key="`hen`", weight="1.00")],
        ),
        (
            {"heads": 2},
            [say("compare.why.few_heads", word="`brings`", asked=3, side="B", heads=2)],
        ),
        # There are as many heads as questions.
        ({"heads": 3}, [say("compare.why.each_head", word="`brings`", asked=3, side="B")]),
        (
            {"updates": "40"},
            [
                strayed(1, "who?", "fox", "hen", "not_yet"),
                say("compare.why.updates", a="400", b="40"),
                say("compare.why.spread", word="`brings`", first="0.93", second="0.27"),
            ],
        ),
        ({"head": 2}, []),
        # If several settings differ, each has its reason.
        (
            {"mask": "causal", "positions": "none", "scale": "none"},
            [
                say("compare.why.hidden", word="`brings`", words="the, owl, to, the, shy, hen"),
                say("compare.why.order"),
                strayed(2, "to whom?", "hen", "today"),
            ],
        ),
        (
            {"mask": "causal", "heads": 2},
            [
                say("compare.why.few_heads", word="`brings`", asked=3, side="B", heads=2),
                say("compare.why.hidden", word="`brings`", words="the, owl, to, the, shy, hen"),
            ],
        ),
    ],
    ids=str,
)
def test_why_b_takes_something_else_is_read_from_both_records(link, causes):
    at = linked("compare", **link)
    both = compare.sides(at)
    assert list(why.said(both, 4)) == causes
    assert all(cause in said(at) for cause in causes)
    # With A and B exchanged, nothing is hidden, every score is half as large, and sizes and training go back.
    back = {
        "scale": [say("compare.why.smaller", ratio="0.50")],
        "heads": [say("compare.why.one_head", word="`brings`", asked=3, side="A", key="`hen`", weight="1.00")],
        "updates": [
            say("compare.why.updates", a="40", b="400"),
            say("compare.why.spread", word="`brings`", first="0.27", second="0.93"),
        ],
    }
    if link.get("heads") not in (2, 3) and len(link) == 1:
        assert list(why.said(Sides(both.b, both.a), 4)) == back.get(next(iter(link)), [])


def test_of_a_word_that_asks_one_thing_nothing_is_said_of_a_head_for_each():
    both = compare.sides(linked("compare", heads=2))
    assert list(why.said(both, 1)) == [say("compare.why.layers")]


def test_what_dropout_strikes_out_is_counted_over_all_heads():
    both = compare.sides(linked("compare", dropout=0.5))
    kept = both.b.trace["kept"].value[0, :, 4]
    large = int(((kept == 0) & (both.b.trace["weights"].value[0, :, 4] >= 0.25)).sum())
    (told,) = why.said(both, 4)
    counted = {"struck": int((kept == 0).sum()), "count": kept.numel(), "large": large}
    assert told == say("compare.why.dropped", word="`brings`", factor="2", **counted)
    assert list(why.said(Sides(both.b, both.a), 4)) == []


@pytest.mark.parametrize("dropout", [0.6, 0.8])
def test_each_large_weight_that_dropout_strikes_out_has_a_pale_arc_in_b(dropout):
    """The text counted 26 dropped weights, but one arc was missing: the text must count exactly the drawn arcs."""
    both = compare.sides(linked("compare", dropout=dropout))
    sky, under = the_arcs(dropout=dropout)
    weights, kept = (both.b.trace[id].value[0, :, 4] for id in ("weights", "kept"))
    expected = weights * ((kept == 0) & (weights >= 0.25))
    assert expected.any()
    np.testing.assert_allclose(under["arcs"]["lost"], expected, rtol=1e-3)
    assert "lost" not in sky["arcs"]
    assert "lost" not in the_arcs(heads=2)[1]["arcs"]


@pytest.mark.parametrize("heads", [1, 2, 3])
def test_in_another_layer_a_head_has_the_colour_of_the_question_that_it_answers(heads):
    """With three heads, B gives all answers of A, but by heads of other numbers. Coloured by number, no arc looked the
    same."""
    sky, under = the_arcs(heads=heads)
    answered = {one["answer"]: [] for one in sky["arcs"]["asks"] if one["answer"] >= 0}
    for place, one in enumerate(sky["arcs"]["asks"]):
        if one["answer"] >= 0:
            answered[one["answer"]].append(place)
    matched = [
        (colour, answered[one["answer"]])
        for colour, one in zip(under["arcs"]["colours"], under["arcs"]["asks"], strict=True)
        if one["answer"] in answered
    ]
    assert matched
    assert all(colour in places for colour, places in matched)
    others = [
        colour
        for colour, one in zip(under["arcs"]["colours"], under["arcs"]["asks"], strict=True)
        if one["answer"] not in answered
    ]
    assert all(colour >= len(sky["arcs"]["asks"]) for colour in others)
    assert "colours" not in sky["arcs"]
    assert say("compare.colours") in told_of(heads=heads)


@pytest.mark.parametrize("link", [{"dropout": 0.6}, {"mask": "causal"}, {"updates": "80"}])
def test_heads_that_are_the_same_keep_their_colours(link):
    assert "colours" not in the_arcs(**link)[1]["arcs"]
    assert say("compare.colours") not in told_of(**link)


def the_arcs(**link) -> list[dict]:
    found = VIEWS["compare.arcs"].blocks(linked("compare", **link))
    return [card for block in found for card in block.get("cards", ())]


def told_of(**link) -> str:
    return str(VIEWS["compare.arcs"].blocks(linked("compare", **link)))


def test_without_positions_two_words_that_change_places_are_taken_as_before():
    """The sentence claims this: by torch's softmax of the scores, each of the two words gets the same weight in the
    other place."""
    texts = ("today the old fox brings the owl to the shy hen", "today the old hen brings the owl to the shy fox")
    rows = [computed(positions="none", text=text).trace["scaled"].value[0, :, 4].softmax(-1) for text in texts]
    order = [texts[1].split().index(word) if word in ("fox", "hen") else at for at, word in enumerate(texts[0].split())]
    np.testing.assert_allclose(rows[0], rows[1][:, order], rtol=1e-4, atol=1e-6)
    far = [computed(text=text).trace["weights"].value[0, :, 4] for text in texts]
    assert float((far[0] - far[1][:, order]).abs().max()) > 0.5


def questions_of(at) -> list[dict]:
    return [block for block in VIEWS["compare.instead"].blocks(at) if block["kind"] == "guess"]


def asked_of(at) -> dict:
    (question,) = questions_of(at)
    return question


def kinds_of(at) -> list[str]:
    return [block["kind"] for block in VIEWS["compare.arcs"].blocks(at)]


@pytest.mark.parametrize(("link", "lost"), [({"mask": "causal"}, 2), ({"positions": "none"}, 2)], ids=str)
def test_b_waits_for_a_guess_how_many_answers_it_loses_and_the_record_judges_it(link, lost):
    at = linked("compare", **link, guess_first=True)
    _, below = of_sides(at)
    assert below["arcs"]["asks"] == below["arcs"]["weights"] == []
    # The places of the answers are drawn, but B's answers are not told.
    assert [below["arcs"]["tokens"][one["to"]] for one in below["arcs"]["gone"]] == ["fox", "owl", "hen"]
    assert {one["state"] for one in below["arcs"]["gone"]} == {"open"}
    assert sentences_of(at) == [say("compare.guess.open")]
    buttons = asked_of(at)["answers"]
    assert [one["line"] for one in buttons[1:-1]] == ["1", "2", "3"]
    for number, button in enumerate(buttons[:-1]):
        guessed = linked("compare", **link, guess_first=True, **button["sets"])
        _, drawn = of_sides(guessed)
        assert len(drawn["arcs"]["asks"]) == guessed.run.module.heads
        # Each text has its place before the guess, too, so the picture does not move.
        assert kinds_of(guessed) == kinds_of(at) == ["text", "cards", "text"]
        (pressed,) = (one for one in asked_of(guessed)["answers"] if one["pressed"])
        assert pressed["verdict"] == ("right" if number == lost else "wrong")
        assert sum(state != "right" for _, state in scored_of(guessed)[1]) == lost
        verdict = say("predict.right" if number == lost else "predict.wrong")
        assert sentences_of(guessed)[0].startswith(f"**{verdict}** **")
        # The question is not asked again for another word, but for another change it is.
        other = linked("compare", **link, guess_first=True, cell="weights.10.0.arcs", **button["sets"])
        assert not questions_of(other)
    skipped = linked("compare", **link, guess_first=True, **buttons[-1]["sets"])
    assert sentences_of(skipped)[0].startswith("**B can no longer look up")
    # An answer that was shown without a guess counts as no success.
    assert {one["verdict"] for one in asked_of(skipped)["answers"]} == {"", "told"}


def test_only_a_change_that_is_offered_is_guessed_and_no_link_waits():
    for link in ({"mask": "causal"}, {"mask": "window"}, {"mask": "causal", "heads": 2}, {}):
        first = {"guess_first": True} if link != {"mask": "causal"} else {}
        assert not questions_of(linked("compare", **link, **first))
    assert not questions_of(linked("compare", mask="causal", guess_first=True, pinned=pin({"heads": 2})))


@pytest.mark.parametrize("link", [{"heads": 1}, {"heads": 2}, {"updates": "40"}, {"dropout": 0.3}], ids=str)
def test_what_a_slider_finds_out_is_not_asked_and_waits_for_nobody(link):
    """A drag would answer the question above the slider, and so turn into a guess that nobody made."""
    at = linked("compare", **link, guess_first=True)
    assert list(VIEWS["compare.instead"].blocks(at)) == []
    assert of_sides(at)[1]["arcs"]["asks"]


@pytest.mark.parametrize(("link", "lost"), [({"updates": "80"}, 1), ({"dropout": 0.6}, 1)], ids=str)
def test_a_change_with_a_slider_is_guessed_where_it_comes_and_the_slider_has_its_place_then(link, lost):
    at = linked("compare", **link, guess_first=True)
    assert of_sides(at)[1]["arcs"]["asks"] == []
    buttons = asked_of(at)["answers"]
    for number, button in enumerate(buttons[:-1]):
        guessed = linked("compare", **link, guess_first=True, **button["sets"])
        assert not questions_of(guessed)
        assert [state for _, state in scored_of(guessed)[1]].count("wrong") == lost
        # The verdict stands beside its subject, and goes when the value changes that the guess was about.
        said, given = ("right", f"✓ {lost}.") if number == lost else ("wrong", f"✗ {number or 'none'}, ✓ {lost}.")
        verdict = f"**{say(f'predict.{said}')}** {given}"
        assert sentences_of(guessed)[0].startswith(verdict)
        (name,) = link
        moved = linked("compare", **{name: {"updates": "90", "dropout": 0.3}[name]}, guess_first=True, **button["sets"])
        assert of_sides(moved)[1]["arcs"]["asks"]
        assert verdict not in sentences_of(moved)[0]
    shown = sentences_of(linked("compare", **link, guess_first=True, **buttons[-1]["sets"]))[0]
    assert shown.startswith("**B cannot look up" if "updates" in link else "**B can no longer look up")


@pytest.mark.parametrize(
    "link", [{"heads": 2}, {"updates": "80"}, {"dropout": 0.6}, {"positions": "none"}, {"mask": "causal"}, {}], ids=str
)
def test_the_words_that_lose_an_answer_are_marked_and_counted(link):
    """A visitor who clicked a word without a loss did not know which words pay. The marks agree with the scorecards
    when each word asks."""
    above, _ = of_sides(linked("compare", **link))
    losing = []
    for query in range(11):
        a, b = scored_of(linked("compare", **link, cell=f"weights.{query}.0.arcs"))
        if any(was == "right" != now for (_, was), (_, now) in zip(a, b, strict=True)):
            losing.append(query)
    assert above["arcs"].get("pays", []) == losing
    assert bool(losing) == bool(link)
    if losing:
        assert above["note"].endswith(f"'{above['arcs']['tokens'][losing[-1]]}'.")
    # While B waits for a guess, so do the marks of words.
    if link and "heads" not in link:
        assert "pays" not in of_sides(linked("compare", **link, guess_first=True))[0]["arcs"]


def strays_of(at) -> set[tuple[str, str]]:
    """The names of heads of B that are marked as wrong, each with the word where its arc ends."""
    _, below = of_sides(at)
    tokens = below["arcs"]["tokens"]
    ends = [tokens[int(np.argmax(one["weights"]))] for one in below["arcs"]["asks"]]
    return {(name, end) for name, end in zip(below["labels"]["names"], ends, strict=True) if name.startswith("✗")}


@pytest.mark.parametrize(
    ("link", "strays"),
    [
        (
            {"positions": "none"},
            [("✗ to whom? · head 2", "owl"), ("✗ to whom? · head 3", "owl"), ("✗ who? · head 1", "hen")],
        ),
        ({"updates": "80"}, [("✗ who? · head 1", "the")]),
        # An arc back to the word itself has found no word, and a dropped arc finds none either.
        ({"mask": "causal"}, []),
        ({"dropout": 0.6}, []),
        # The heads of B are others than those of A.
        ({"heads": 2}, []),
        ({"scale": "none"}, []),
    ],
    ids=str,
)
def test_a_head_that_finds_another_word_in_b_is_marked_there_and_the_first_one_is_told(link, strays):
    """Without a mark, a picture without positions looks as good as one with them: as many arcs, to other words."""
    at = linked("compare", **link)
    assert sorted(strays_of(at)) == strays
    told = " ".join(why.said(compare.sides(at), 4))
    first = sorted(strays, key=lambda one: one[0][-1])[:1]
    for name, end in first:
        question = name.removeprefix("✗ ").partition(" · ")[0]
        was = {"who?": "`fox`", "to whom?": "`hen`"}[question]
        case = "not_yet" if "updates" in link else "strayed"
        said = say(f"compare.why.{case}", head=name[-1], asked=question, was=was, now=f"`{end}`")
        assert said in told
    if not first:
        assert "looks for" not in told


def test_a_layer_of_which_nobody_kept_the_way_has_its_whole_training_and_says_so():
    """The setting of little training stays in the address when the heads are dragged, but has no effect any more."""
    at = linked("compare", updates="40", heads=2)
    assert sides_of(at) == ["A · Heads: 4", "B · Heads: 2"]
    assert "updates" not in differing(*(getattr(compare.sides(at), side) for side in "ab"))
    whole = say("compare.whole", side="B", updates=400)
    assert whole in said(at)
    for link in ({"updates": "40"}, {"heads": 2}):
        assert whole not in said(linked("compare", **link))
    kept = linked("compare", pinned=pin({"updates": "40"}), heads=2)
    assert sides_of(kept) == ["A · Heads: 4, Updates of the training: 40", "B · Heads: 2, Updates of the training: 400"]


def test_no_side_is_named_after_a_control_that_does_not_act_there():
    assert all("–" not in name for name in sides_of(linked("compare", mask="window", width=3)))


def test_a_right_answer_to_a_hidden_word_is_told_as_a_guess_and_a_seen_one_is_not():
    """No arc reaches the owl, yet the layer says owl: without a note, headline and picture contradict each other."""
    chance = say("compare.by_chance", asked="whom?", said="owl")
    assert chance in sentences_of(linked("compare", mask="causal"))[-1]
    for link in ({}, {"heads": 1}, {"positions": "none"}):
        assert chance not in said(linked("compare", **link))
    # After this much dropout, no head takes anything from the fox.
    assert say("compare.by_chance", asked="who?", said="fox") in sentences_of(linked("compare", dropout=0.85))[-1]


@pytest.mark.parametrize(
    ("link", "made"),
    [
        ({"heads": 2}, "anew"),
        ({"updates": "80"}, "earlier"),
        ({"positions": "none"}, "same"),
        ({"mask": "causal"}, "same"),
        ({"dropout": 0.6}, "same"),
        ({"updates": "200", "pinned": pin({"updates": "80"})}, "later"),
        ({"scale": "none"}, ""),
    ],
    ids=str,
)
def test_a_line_says_whether_b_was_trained_again(link, made):
    at = linked("compare", **link)
    _, line = VIEWS["compare.changing"].blocks(at)
    assert line["markdown"] == (say(f"compare.made.{made}") if made else "")
    both = compare.sides(at)
    is_same = torch.equal(*(run.trace["w_q"].value for run in (both.a, both.b)))
    assert not made or is_same == (made == "same")


def test_words_that_are_guessed_and_stand_nowhere_are_explained():
    guesses = say("all_heads.unseen", words="cat, bear")
    assert guesses in sentences_of(linked("compare", heads=1))[-1]
    assert guesses not in differences_of(linked("compare", heads=1))
    assert say("all_heads.unseen", words="").split(":")[0] not in said(linked("compare", mask="causal"))


def test_a_head_of_one_layer_has_the_same_name_above_and_below_where_it_answers_the_same():
    """Under a mask, a head earns a name in the test sentences that it misses without one: one rule for both sides."""
    for mask, kept in (("causal", {}), ("full", {"pinned": pin({"mask": "causal"})})):
        of = [
            one["labels"]["names"] for one in of_sides(linked("compare", mask=mask, cell="weights.10.0.arcs", **kept))
        ]
        assert of[0] == of[1]
        assert of[0][0] == say("all_heads.named", head=1, question="what like?")
    assert say("compare.still", word="`hen`") in said(linked("compare", mask="causal", cell="weights.10.0.arcs"))


def test_the_right_answers_of_both_are_told_where_both_have_answers():
    both = compare.sides(linked("compare", mask="causal"))
    first, second = (fixed(learned_scores.tested(run.config, run.module).scores.mean) for run in (both.a, both.b))
    assert first != second
    assert say("compare.right", first=first, second=second) in said(linked("compare", mask="causal"))
    # If nothing is lost, the text says this, too.
    assert say("compare.right", first="1.00", second="1.00") in said(linked("compare", scale="none"))
    for link in ({"preset": "random"}, {"text": "nobody knows"}, {"pinned": Config().bundled()}):
        assert say("compare.right", first="", second="").split(":")[0] not in said(linked("compare", **link))


@pytest.mark.parametrize(
    "link",
    [
        {},
        {"mask": "causal"},
        {"heads": 1, "preset": "random"},
        {"pinned": pin({"mask": "causal", "positions": "none", "heads": 1, "updates": "40"})},
        {"pinned": pin({"preset": "story"}), "preset": "story"},
        {"pinned": pin({"mask": "causal", "seed": 3}), "heads": 2},
    ],
    ids=str,
)
def test_each_b_that_is_offered_is_a_with_one_thing_replaced(link):
    block = changing_of(linked("compare", **link))
    # If A has a setting already, the button offers the opposite. States during training are kept for four heads only,
    # the story has its own heads, and random weights are not trained.
    count = {"random": 4, "story": 3}.get(link.get("preset"), 4 if "heads=1" in link.get("pinned", "") else 5)
    assert len(block["buttons"]) == count
    for button in block["buttons"]:
        if button["pressed"]:
            assert button["sets"] == {}
            continue
        both = compare.sides(linked("compare", **link | button["sets"]))
        asked, here = both.a.config.values(), both.b.config.values()
        assert len([name for name in asked if asked[name] != here[name]]) == 1
        again = changing_of(linked("compare", **link | button["sets"]))
        assert [one["line"] for one in again["buttons"] if one["pressed"]] == [button["line"]]
