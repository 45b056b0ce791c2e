"""The page about one query shows the notebook's printed numbers, and measures the effect of asking all at once."""

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
from pages.shell.i18n import say
from tests.attention.inputs.test_notebooks import FIRST_TOKEN
from tests.support.app import app, blocks, cards, decoded, markdown, no_exception
from tests.support.numbers import plain
from tests.support.one_query import opened, sent

COMPARED = "queries", "scores", "scaled", "weights", "output"


def page_text(at) -> str:
    told = [sent(at, id)["note"] for id in ("mix", *(f"product-{key}" for key in range(1, 5)))]
    return "\n".join([*(block.value for block in markdown(at)), *told])


def test_every_number_that_the_notebook_prints_of_its_first_token_is_on_the_page():
    text = page_text(opened())
    for step, printed in FIRST_TOKEN.items():
        for number in printed.split():
            assert re.search(rf"(?<![\d.]){re.escape(number)}(?!\d)", text), (step, number)
    for weight in ("7.0690 · 10⁻⁶", "3.6594 · 10⁻⁴", "1.8944 · 10⁻²", "9.8068 · 10⁻¹"):
        assert weight in text
    assert "√3" in text


def test_the_products_are_the_operands_of_the_scores_and_sum_to_them():
    at = opened()
    keys, (query,) = (decoded(sent(at, id)) for id in ("keys", "queries"))
    for index, printed in enumerate(FIRST_TOKEN["scores"].split()):
        figure = sent(at, f"product-{index + 1}")
        z = decoded(figure)
        assert_allclose(z, [query, keys[index], query * keys[index]], rtol=1e-5)
        assert_allclose(z[2].sum(), float(printed), atol=1e-4)
        assert figure["note"].endswith(f"= {printed}")
    assert len({tuple(sent(at, f"product-{key}")["range"]) for key in range(1, 5)}) == 1


def test_the_weighted_values_sum_to_the_output():
    at = opened()
    mix, values = (decoded(sent(at, id)) for id in ("mix", "values"))
    assert_allclose(mix[:-1].sum(0), mix[-1], rtol=1e-6)
    assert [f"{number:.4f}" for number in mix[-1]] == FIRST_TOKEN["output"].split()
    assert_allclose(mix[:-1], cards(at)["all_tokens"]["weights"].z[0][:, None] * values, rtol=1e-5)


def test_the_first_row_of_all_queries_is_the_query_that_asked_alone():
    at = opened()
    every, numbers_of_one = cards(at)["all_tokens"], table(at, "k1")
    for id, row in zip(("scores", "scaled", "weights"), numbers_of_one, strict=True):
        assert_allclose([number(cell) for cell in row[1:]], every[id].z[0], rtol=1e-4)


def number(cell: str) -> float:
    return float(plain(cell))


def test_the_page_measures_how_far_asking_alone_is_from_asking_at_once_and_says_so():
    """The difference is zero or rounding: whether the kernels multiply a matrix and one of its rows alike depends on
    the processor."""
    at = opened()
    rows = table(at, "Asked alone")
    assert [row[0] for row in rows] == ["`x1`", "`x2`", "`x3`", "`x4`"]
    found = [cell for row in rows for cell in row[1:]]
    assert len(found) == 20
    # The limit is n eps of the largest score: n = 3 + 3 + 4 terms are added up on the way from x to the output.
    limit = 10 * np.finfo(np.float32).eps * np.abs(cards(at)["all_tokens"]["scores"].z).max()
    largest = max(found, key=number)
    assert 0 <= number(largest) <= limit
    text = "\n".join(block.value for block in markdown(at))
    assert ("every number agrees" in text) == (set(found) == {"0"})
    assert (f"The largest difference is {largest}, the rounding" in text) == (set(found) != {"0"})
    assert number(re.search(r"its tokens differ by (.+)\.$", text, re.MULTILINE)[1]) <= limit


def test_where_they_are_the_same_the_page_says_that_not_one_number_differs(monkeypatch):
    def row(module, x, query):
        whole = together(module, x)
        return {id: SimpleNamespace(value=whole[id].value[..., query : query + 1, :]) for id in COMPARED}

    monkeypatch.setattr(single_query, "alone", row)
    at = opened()
    assert [cell for row in table(at, "Asked alone") for cell in row[1:]] == ["0"] * 20
    text = "\n".join(block.value for block in markdown(at))
    assert "every number agrees" in text
    assert "The largest difference is 0" not in text
    assert re.search(r"its tokens differ by (\S+)\.$", text, re.MULTILINE)[1] == "0"


def test_where_they_are_not_the_same_the_page_says_how_far_apart_they_are(monkeypatch):
    def wrong(module, x, query):
        return alone(module, x, 0)

    monkeypatch.setattr(single_query, "alone", wrong)
    text = "\n".join(block.value for block in markdown(opened()))
    assert "every number agrees" not in text
    assert number(re.search(r"its tokens differ by (.+)\.$", text, re.MULTILINE)[1]) > 1e-3


def table(at, heading: str) -> list[list[str]]:
    text = next(block.value for block in markdown(at) if block.value.startswith("|") and heading in block.value)
    return [[cell.strip() for cell in line.strip("|").split("|")] for line in text.splitlines()[2:]]


@pytest.mark.parametrize(
    "cell", ["scores.0.3.plane", "weights.0.5.plane", "keys.2.1.one_token", "scores.3.1.all_tokens"]
)
def test_a_link_to_a_cell_tells_it_in_its_own_chapter(cell):
    at = opened(cell=cell)
    step, row, column, chapter = cell.split(".")
    shown = blocks(at)
    (panel,) = [block for block in shown if block["kind"] == "panel"]
    before = shown[shown.index(panel) - 1]
    assert before["chapter"] == chapter
    (figure,) = [card for card in before["cards"] if card["id"] == step]
    assert say(f"step.{step}.title") in panel["title"]["line"]
    assert decoded(figure)[int(row), int(column)] == pytest.approx(result(panel), abs=6e-4)


def result(panel) -> float:
    """The last number of a cell's arithmetic."""
    return float(re.findall(r"-?\d+(?:\.\d+)?", panel["formula"]["markdown"])[-1])


def test_the_page_opens():
    at = app("one_query", cell="scores.0.3.plane")
    assert no_exception(at)
    assert {card["id"] for block in blocks(at) for card in block.get("cards", ())} >= {"vectors", "along", "mix"}


def test_every_word_of_the_plane_is_query_key_and_value():
    """The figure shows attention(x, x, x) by torch, and the text counts the steps that a recurrent network takes."""
    at = opened()
    assert any("first of these 6 words takes 5 steps" in block.value for block in markdown(at))
    drawn, x = cards(at)["itself"], torch.tensor(list(PLANE.values()), dtype=torch.float64)
    assert_allclose(drawn["output"].z, scaled_dot_product_attention(x, x, x), atol=1e-6)
    assert_allclose(drawn["weights"].z.sum(1), 1, atol=1e-6)
    assert_allclose(drawn["scores"].z, drawn["scores"].z.T, atol=1e-6)
