"""The page about one query shows what was computed for the query of its sliders, and what the notebook prints."""

import base64
import json
import re
from types import SimpleNamespace

import numpy as np
import pytest
import torch
from numpy.testing import assert_allclose
from torch.nn.functional import scaled_dot_product_attention

from attention.analysis import single_query
from attention.analysis.single_query import alone, together
from attention.inputs.plane import PLANE
from tests.attention.inputs.test_presets import FIRST_TOKEN
from tests.support.app import app, cards, decoded, no_exception

COMPARED = "queries", "scores", "scaled", "weights", "output"
X = torch.tensor(list(PLANE.values()), dtype=torch.float64)
QUERIES = {
    "default": {},
    "at cat": {"q_angle": 42, "q_length": 1.5},
    "no length": {"q_length": 0.0},
    "longest": {"q_angle": 359, "q_length": 4.0},
    "short": {"q_angle": 0, "q_length": 0.1},
}
each_query = pytest.mark.parametrize("link", QUERIES.values(), ids=QUERIES)


def sent(at, id: str) -> dict:
    """What was sent of a figure."""
    payloads = [json.loads(component.proto.json) for component in at.get("bidi_component")]
    (found,) = [card for payload in payloads for card in payload.get("cards", ()) if card["id"] == id]
    return found


def numbers(text: str) -> np.ndarray:
    return np.frombuffer(base64.b64decode(text), "<f4")


def expected(link) -> tuple[torch.Tensor, torch.Tensor]:
    """Weights and output of the query of a link, by torch."""
    angle, length = link.get("q_angle", 130), link.get("q_length", 1.5)
    turned = np.deg2rad(float(angle))
    q = float(length) * torch.tensor([np.cos(turned), np.sin(turned)], dtype=X.dtype)
    weights = scaled_dot_product_attention(q[None], X, torch.eye(len(X), dtype=X.dtype))[0]
    return weights, scaled_dot_product_attention(q[None], X, X)[0]


@each_query
def test_the_picture_shows_the_query_its_weights_and_its_output(link):
    drawn = sent(app("one_query", **link), "vectors")["vectors"]
    weights, output = expected(link)
    assert drawn["tokens"] == list(PLANE)
    assert_allclose(drawn["points"], X.numpy())
    assert_allclose(drawn["weights"], weights, rtol=1e-5)
    assert_allclose(drawn["output"], output, rtol=1e-5)
    assert_allclose(drawn["mean"], X.mean(0), rtol=1e-5)
    assert drawn["query"] == [link.get("q_angle", 130), link.get("q_length", 1.5)]


@each_query
def test_the_steps_show_the_same_query_with_words_for_keys(link):
    drawn = cards(app("one_query", **link))["plane"]
    weights, output = expected(link)
    assert list(drawn) == ["scores", "scaled", "weights", "output"]
    assert_allclose(drawn["weights"].z, weights[None], rtol=1e-5)
    assert_allclose(drawn["output"].z, output[None], rtol=1e-5)
    for figure in drawn.values():
        assert figure.rest["labels"] == {"query": ["q"], "key": list(PLANE)}


@each_query
def test_the_charts_pass_through_the_present_query(link):
    at = app("one_query", **link)
    weights, _ = expected(link)
    for id, here in (("around", link.get("q_angle", 130)), ("along", link.get("q_length", 1.5))):
        chart = sent(at, id)["chart"]
        assert [mark["x"] for mark in chart["marks"]] == [here]
        assert [series["name"] for series in chart["series"]] == list(PLANE)
        for series, weight in zip(chart["series"], weights, strict=True):
            x, y = numbers(series["x"]), numbers(series["y"])
            assert_allclose(np.interp(here, x, y), weight, atol=2e-3)


def test_every_point_of_the_charts_is_what_torch_computes():
    at = app("one_query", q_angle=77, q_length=2.3)
    for id in ("around", "along"):
        for index, series in enumerate(sent(at, id)["chart"]["series"]):
            for x, y in zip(numbers(series["x"]), numbers(series["y"]), strict=True):
                link = {"q_angle": x, "q_length": 2.3} if id == "around" else {"q_angle": 77, "q_length": x}
                assert abs(expected(link)[0][index] - y) < 1e-6


def test_a_query_of_no_length_listens_to_all_words_and_a_long_one_to_fewer():
    (series,) = sent(app("one_query"), "spread")["chart"]["series"]
    y = numbers(series["y"])
    assert_allclose(y[0], len(PLANE), rtol=1e-6)
    assert (np.diff(y) < 0).all()
    assert y[-1] >= 1


@pytest.mark.parametrize(("angle", "token", "also"), [(130, "pear", None), (42, "dog", "cat"), (180, "apple", None)])
def test_the_caption_names_the_word_with_the_most_weight_and_says_when_q_points_elsewhere(angle, token, also):
    note = sent(app("one_query", q_angle=angle), "vectors")["note"]
    weights, output = expected({"q_angle": angle})
    assert list(PLANE)[int(weights.argmax())] == token
    assert f"{weights.max():.2f} on '{token}'" in note
    assert ", ".join(f"{number:.2f}".replace("-", "−") for number in output.tolist()) in note
    assert (f"nearly at '{also}'" in note) == (also is not None)
    assert ("points more nearly" in note) == (also is not None)


def test_the_caption_of_the_turn_names_its_peak_and_its_flattest_place_to_the_degree():
    note = sent(app("one_query", q_length=2.0), "around")["note"]
    weights = torch.stack([expected({"q_angle": angle, "q_length": 2.0})[0] for angle in range(360)])
    angle, token = divmod(int(weights.argmax()), len(PLANE))
    flattest = int(weights.amax(-1).argmin())
    assert f"{weights.max():.2f}, on '{list(PLANE)[token]}', at {angle}°" in note
    assert f"At {flattest}° no word gets more than {weights[flattest].max():.2f}." in note


@pytest.mark.parametrize("length", [0.5, 1.5, 4.0])
def test_the_caption_of_the_length_says_what_a_query_twice_as_long_gets(length):
    note = sent(app("one_query", q_length=length), "along")["note"]
    here, twice = (expected({"q_length": times * length})[0] for times in (1, 2))
    token = int(here.argmax())
    assert twice[token] > here[token]
    assert f"at {length:.1f}, '{list(PLANE)[token]}' has {here[token]:.2f}" in note
    assert f"twice the length it has {twice[token]:.2f}." in note


def test_a_query_of_no_length_has_captions_of_its_own():
    at = app("one_query", q_length=0.0)
    assert "q = 0" in sent(at, "vectors")["note"]
    assert "0.167" in sent(at, "vectors")["note"]
    for id in ("around", "along"):
        assert "no direction" in sent(at, id)["note"]


def test_the_length_is_the_temperature_as_measured():
    (text,) = [block.value for block in app("one_query", q_length=3.0).markdown if "temperature" in block.value]
    assert float(re.search(r"difference is (\S+)\.$", text)[1].replace("−", "-")) < 1e-12


def page_text(at) -> str:
    told = [sent(at, id)["note"] for id in ("mix", *(f"product-{key}" for key in range(1, 5)))]
    return "\n".join([*(block.value for block in at.markdown), *told])


def test_every_number_that_the_notebook_prints_of_its_first_token_is_on_the_page():
    text = page_text(app("one_query"))
    for step, printed in FIRST_TOKEN.items():
        for number in printed.split():
            assert re.search(rf"(?<![\d.]){re.escape(number)}(?!\d)", text), (step, number)
    for weight in ("7.0690e-06", "3.6594e-04", "1.8944e-02", "9.8068e-01"):
        assert weight in text
    assert "√3" in text


def test_the_products_are_the_operands_of_the_scores_and_sum_to_them():
    at = app("one_query")
    keys, (query,) = (decoded(sent(at, id)) for id in ("keys", "queries"))
    for index, printed in enumerate(FIRST_TOKEN["scores"].split()):
        figure = sent(at, f"product-{index + 1}")
        z = decoded(figure)
        assert_allclose(z, [query, keys[index], query * keys[index]], rtol=1e-5)
        assert_allclose(z[2].sum(), float(printed), atol=1e-4)
        assert figure["note"].endswith(f"= {printed}")
    assert len({tuple(sent(at, f"product-{key}")["range"]) for key in range(1, 5)}) == 1


def test_the_weighted_values_sum_to_the_output():
    at = app("one_query")
    mix, values = (decoded(sent(at, id)) for id in ("mix", "values"))
    assert_allclose(mix[:-1].sum(0), mix[-1], rtol=1e-6)
    assert [f"{number:.4f}" for number in mix[-1]] == FIRST_TOKEN["output"].split()
    assert_allclose(mix[:-1], cards(at)["all_tokens"]["weights"].z[0][:, None] * values, rtol=1e-5)


def test_the_first_row_of_all_queries_is_the_query_that_asked_alone():
    at = app("one_query")
    every, numbers_of_one = cards(at)["all_tokens"], table(at, "k1")
    for id, row in zip(("scores", "scaled", "weights"), numbers_of_one, strict=True):
        assert_allclose([float(cell) for cell in row[1:]], every[id].z[0], rtol=1e-4)


def number(cell: str) -> float:
    return float(cell.replace("−", "-"))


def test_the_page_measures_how_far_asking_alone_is_from_asking_at_once_and_says_so():
    """Nothing or rounding: the kernels that multiply a matrix and one row of it depend on the processor."""
    at = app("one_query")
    rows = table(at, "Asked alone")
    assert [row[0] for row in rows] == ["`x1`", "`x2`", "`x3`", "`x4`"]
    found = [cell for row in rows for cell in row[1:]]
    assert len(found) == 20
    # n eps of the largest score: n = 3 + 3 + 4 terms are summed up on the way from x to the output.
    limit = 10 * np.finfo(np.float32).eps * np.abs(cards(at)["all_tokens"]["scores"].z).max()
    largest = max(found, key=number)
    assert 0 <= number(largest) <= limit
    text = "\n".join(block.value for block in at.markdown)
    assert ("not one number differs" in text) == (set(found) == {"0"})
    assert (f"The largest difference is {largest}, the rounding" in text) == (set(found) != {"0"})
    assert float(re.search(r"its tokens differ by (\S+)\.$", text, re.MULTILINE)[1].replace("−", "-")) <= limit


def test_where_they_are_the_same_the_page_says_that_not_one_number_differs(monkeypatch):
    def row(module, x, query):
        whole = together(module, x)
        return {id: SimpleNamespace(value=whole[id].value[..., query : query + 1, :]) for id in COMPARED}

    monkeypatch.setattr(single_query, "alone", row)
    at = app("one_query")
    assert [cell for row in table(at, "Asked alone") for cell in row[1:]] == ["0"] * 20
    text = "\n".join(block.value for block in at.markdown)
    assert "not one number differs" in text
    assert "The largest difference is 0" not in text
    assert re.search(r"its tokens differ by (\S+)\.$", text, re.MULTILINE)[1] == "0"


def test_where_they_are_not_the_same_the_page_says_how_far_apart_they_are(monkeypatch):
    def wrong(module, x, query):
        return alone(module, x, 0)

    monkeypatch.setattr(single_query, "alone", wrong)
    text = "\n".join(block.value for block in app("one_query").markdown)
    assert "not one number differs" not in text
    assert float(re.search(r"its tokens differ by (\S+)\.$", text, re.MULTILINE)[1].replace("−", "-")) > 1e-3


def table(at, heading: str) -> list[list[str]]:
    text = next(block.value for block in at.markdown if block.value.startswith("|") and heading in block.value)
    return [[cell.strip() for cell in line.strip("|").split("|")] for line in text.splitlines()[2:]]


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
    assert [at.slider(key=name).value for name in ("q_angle", "q_length")] == shown


def test_the_sliders_move_the_query():
    at = app("one_query")
    at.slider(key="q_angle").set_value(10)
    at.slider(key="q_length").set_value(3.2)
    assert no_exception(at.run())
    drawn = sent(at, "vectors")["vectors"]
    assert drawn["query"] == [10, 3.2]
    assert_allclose(drawn["weights"], expected({"q_angle": 10, "q_length": 3.2})[0], rtol=1e-5)


@pytest.mark.parametrize(("answer", "right"), [("sharper", True), ("flatter", False), ("the same", False)])
def test_the_question_is_answered(answer, right):
    at = app("one_query")
    at.radio(key="predicted-length").set_value(answer)
    at.run()
    (verdict,) = [block.value for block in at.markdown if "temperature." in block.value and "doubles" in block.value]
    assert verdict.startswith("**Correct.**" if right else "**Not quite.**")


@pytest.mark.parametrize(
    "cell", ["scores.0.3.plane", "weights.0.5.plane", "keys.2.1.one_token", "scores.3.1.all_tokens"]
)
def test_a_link_to_a_cell_tells_it_in_its_own_chapter(cell):
    at = app("one_query", cell=cell)
    assert no_exception(at)
    assert len(at.latex) == 1


def test_every_word_of_the_plane_is_query_key_and_value():
    """attention(x, x, x), as torch computes it."""
    drawn = cards(app("one_query"))["itself"]
    expected = scaled_dot_product_attention(X, X, X)
    assert_allclose(drawn["output"].z, expected, atol=1e-6)
    assert_allclose(drawn["weights"].z.sum(1), 1, atol=1e-6)
    assert_allclose(drawn["scores"].z, drawn["scores"].z.T, atol=1e-6)
