"""The picture of the page about one query shows the numbers computed for the query of its sliders."""

import re

import numpy as np
import pytest
import torch
from numpy.testing import assert_allclose

from attention.analysis.single_query import polar
from attention.inputs.plane import PLANE
from pages.shell.i18n import say
from tests.support.app import app, blocks, cards, markdown, no_exception, widget
from tests.support.numbers import plain
from tests.support.one_query import X, expected, numbers, opened, sent

QUERIES = {
    "default": {},
    "at cat": {"q_angle": 42, "q_length": 1.5},
    "no length": {"q_length": 0.0},
    "longest": {"q_angle": 359, "q_length": 4.0},
    "short": {"q_angle": 0, "q_length": 0.1},
}


each_query = pytest.mark.parametrize("link", QUERIES.values(), ids=QUERIES)


@each_query
def test_the_picture_shows_the_query_its_weights_and_its_output(link):
    drawn = sent(opened(**link), "vectors")["vectors"]
    weights, output = expected(link)
    assert drawn["tokens"] == list(PLANE)
    assert_allclose(drawn["points"], X.numpy())
    assert_allclose(drawn["weights"], weights, rtol=1e-5)
    assert_allclose(drawn["output"], output, rtol=1e-5)
    assert drawn["query"] == [link.get("q_angle", 130), link.get("q_length", 1.5)]


@each_query
def test_beside_each_weight_stands_what_it_is_made_of(link):
    drawn = sent(opened(**link), "vectors")
    weights, _ = expected(link)
    scores, powers = np.array(
        [[float(plain(one).replace("<0.01", "0")) for one in each] for each in drawn["labels"]["steps"]]
    ).T
    total = float(plain(drawn["labels"]["total"]).split()[-1])
    q = polar(link.get("q_angle", 130), link.get("q_length", 1.5))
    assert_allclose(scores, (X @ q / 2**0.5).numpy(), atol=0.006)
    assert_allclose(powers, (X @ q / 2**0.5).exp().numpy(), atol=0.006)
    assert_allclose(powers / total, weights, atol=0.01)


def test_what_a_number_is_stands_over_how_it_is_computed_and_over_the_words_that_they_have_keys():
    """'q·k ÷ √2' alone was no heading for a beginner, and nothing in the picture explained a key."""
    labels = sent(opened(), "vectors")["labels"]
    names = ("score", "power", "share")
    assert labels["named"] == [[say(f"plane.column.{name}"), say(f"plane.how.{name}")] for name in names]
    assert labels["key_of"] == say("plane.key_of")


def test_the_numbers_are_those_of_the_query_that_is_drawn_with_an_answer_too():
    """An arrow from each number to its double stayed for ever, and was read as the effect of a drag. Now dashed lines
    and one sentence show the double."""
    asked, answered = (
        sent(opened(q_angle=43, q_length=2.3, **link), "vectors") for link in ({}, {"guess": "length.flatter"})
    )
    assert answered["labels"] == asked["labels"]
    here, twice = (expected({"q_angle": 43, "q_length": length})[0] for length in (2.3, 4.6))
    most, second = here.argsort(descending=True)[:2].tolist()
    ratios = [float(weights[most] / weights[second]) for weights in (here, twice)]
    assert ratios[1] == pytest.approx(ratios[0] ** 2, rel=1e-4)
    said = {"token": list(PLANE)[most], "second": list(PLANE)[second], "twice": f"{twice[most]:.2f}"}
    ratio, times = (f"{one:.3g}" for one in ratios)
    assert answered["note"].endswith(say("plane.note_twice", **said, times=times, ratio=ratio))
    assert "dashed" not in asked["note"]


@each_query
def test_the_steps_show_the_same_query_with_words_for_keys(link):
    drawn = cards(opened(**link))["plane"]
    weights, output = expected(link)
    assert list(drawn) == ["scores", "scaled", "weights", "output"]
    assert_allclose(drawn["weights"].z, weights[None], rtol=1e-5)
    assert_allclose(drawn["output"].z, output[None], rtol=1e-5)
    for figure in drawn.values():
        assert figure.rest["labels"] == {"query": ["q"], "key": list(PLANE)}


@each_query
def test_the_charts_pass_through_the_present_query(link):
    at = opened(**link)
    weights, _ = expected(link)
    for id, here in (("around", link.get("q_angle", 130)), ("along", link.get("q_length", 1.5))):
        chart = sent(at, id)["chart"]
        assert [mark["x"] for mark in chart["marks"]] == [here]
        assert [series["name"] for series in chart["series"]] == list(PLANE)
        for series, weight in zip(chart["series"], weights, strict=True):
            x, y = numbers(series["x"]), numbers(series["y"])
            assert_allclose(np.interp(here, x, y), weight, atol=2e-3)


@pytest.mark.parametrize("link", [{}, {"q_length": 0.0}], ids=str)
def test_the_charts_that_a_slider_sweeps_are_drawn_at_once_and_name_each_word_once(link):
    """Plotly took a third of an answer to move one mark. A light chart has no legend: its lines name their words."""
    at = opened(**link)
    assert all(sent(at, id)["chart"]["light"] for id in ("around", "along", "spread"))
    for id in ("around", "along"):
        said = [one["said"]["text"] for one in sent(at, id)["chart"]["series"] if "said" in one]
        assert sorted(word for text in said for word in text.split(", ")) == sorted(PLANE)


def test_every_point_of_the_charts_is_what_torch_computes():
    at = opened(q_angle=77, q_length=2.3)
    for id in ("around", "along"):
        for index, series in enumerate(sent(at, id)["chart"]["series"]):
            for x, y in zip(numbers(series["x"]), numbers(series["y"]), strict=True):
                link = {"q_angle": x, "q_length": 2.3} if id == "around" else {"q_angle": 77, "q_length": x}
                assert abs(expected(link)[0][index] - y) < 1e-6


def test_a_query_of_no_length_listens_to_all_words_and_a_long_one_to_fewer():
    drawn = sent(opened(), "spread")["chart"]
    (series,) = drawn["series"]
    y = numbers(series["y"])
    # The axis has room for all words, whatever the query.
    assert drawn["y"]["range"] == [0.0, len(PLANE) + 0.5]
    assert_allclose(y[0], len(PLANE), rtol=1e-6)
    assert (np.diff(y) < 0).all()
    assert y[-1] >= 1


@pytest.mark.parametrize(("angle", "token", "also"), [(130, "pear", None), (42, "dog", "cat"), (180, "apple", None)])
def test_the_caption_names_the_word_with_the_most_weight_and_says_when_q_points_elsewhere(angle, token, also):
    note = sent(opened(q_angle=angle), "vectors")["note"]
    weights, _ = expected({"q_angle": angle})
    assert list(PLANE)[int(weights.argmax())] == token
    assert f"'{token}': {weights.max():.2f}." in note
    assert (f"nearly at '{also}'" in note) == (also is not None)
    assert ("points more nearly" in note) == (also is not None)


def test_the_caption_of_the_turn_names_its_peak_to_the_degree():
    note = sent(opened(q_length=2.0), "around")["note"]
    weights = torch.stack([expected({"q_angle": angle, "q_length": 2.0})[0] for angle in range(360)])
    angle, token = divmod(int(weights.argmax()), len(PLANE))
    assert f"{weights.max():.2f}, on '{list(PLANE)[token]}', at {angle}°" in note


@pytest.mark.parametrize("length", [0.5, 1.5, 4.0])
def test_the_caption_of_the_length_says_what_a_query_twice_as_long_gets(length):
    note = sent(opened(q_length=length), "along")["note"]
    here, twice = (expected({"q_length": times * length})[0] for times in (1, 2))
    token = int(here.argmax())
    assert twice[token] > here[token]
    assert f"{twice[token]:.2f} from '{list(PLANE)[token]}'." in note


def test_a_query_of_no_length_has_captions_of_its_own():
    at = opened(q_length=0.0)
    assert "q = 0" in sent(at, "vectors")["note"]
    assert "0.167" in sent(at, "vectors")["note"]
    for id in ("around", "along"):
        assert "no direction" in sent(at, id)["note"]


def test_the_length_is_the_temperature_as_measured():
    (text,) = [block.value for block in markdown(opened(q_length=3.0)) if "divided by the temperature" in block.value]
    assert float(re.search(r"difference is (\S+)\.$", plain(text))[1]) < 1e-12


@pytest.mark.parametrize(
    ("asked", "shown"),
    [
        ({"q_angle": "400", "q_length": "99"}, [359, 4.0]),
        ({"q_angle": "-1", "q_length": "-3"}, [0, 0.0]),
        ({"q_angle": "12.4", "q_length": "1.26"}, [12, 1.3]),
        ({"q_angle": "nan", "q_length": "inf"}, [130, 4.0]),
        ({"q_angle": "<b>x</b>", "q_length": "long " * 999}, [130, 1.5]),
    ],
    ids=["large", "negative", "between", "no numbers", "words"],
)
def test_a_link_gets_the_nearest_query(asked, shown):
    at = app("one_query", **asked)
    assert no_exception(at)
    assert sent(at, "vectors")["vectors"]["query"] == shown
    assert [widget(at, name).value for name in ("q_angle", "q_length")] == shown


@pytest.mark.parametrize(
    ("answer", "right"), [("sharper", True), ("flatter", False), ("same", False), ("doubled", False)]
)
def test_the_question_is_answered(answer, right):
    at = app("one_query", guess=f"length.{answer}")
    (verdict,) = [block["told"]["markdown"] for block in blocks(at) if block["kind"] == "guess"]
    assert "is a square" in verdict
    assert verdict.startswith("**Correct.**" if right else "**No.**")


def test_the_answer_is_drawn_in_the_picture_once_there_is_a_guess():
    assert sent(opened(), "vectors")["vectors"]["twice"] == []
    answered = sent(app("one_query", guess="length.flatter", q_length="1.3"), "vectors")
    twice = expected({"q_length": 2.6})[0]
    assert_allclose(answered["vectors"]["twice"], twice, rtol=1e-5)
    assert f"q takes {twice.max():.2f}" in answered["note"]
    # A query of length zero has no double.
    assert sent(app("one_query", guess="length.flatter", q_length="0"), "vectors")["vectors"]["twice"] == []
