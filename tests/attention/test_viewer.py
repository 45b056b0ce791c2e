"""The document of linked figures: its numbers, the omissions in a large record, tokens of strangers, its policy."""

import base64
import hashlib
import json
import re

import numpy as np
import pytest
import torch

from attention import MultiHeadAttention, Trace, scaled_dot_product_attention
from attention.figures import of_every_head
from attention.viewer.contents import MOST, NUMBERS, contents
from attention.viewer.document import document
from tests.attention.test_figures import HOSTILE, TRACE
from tests.support import BATCH, HEADS, KEYS, QUERIES, drawn, seeded
from tests.support.runs import RUNS, traced

SOME = [*RUNS[:: len(RUNS) // 11]]


def numbers(step: dict) -> np.ndarray:
    return np.frombuffer(base64.b64decode(step["z"]), "<f4").reshape(step["shape"])


@pytest.mark.parametrize("run", SOME, ids=str)
def test_every_number_is_that_of_the_record(run):
    trace = traced(run)
    sent = contents(trace)
    assert [step["id"] for step in sent["steps"]] == [id for id, step in trace.items() if step.axes]
    for shown in sent["steps"]:
        step, z = trace[shown["id"]], numbers(shown)
        assert shown["letter"] == step.quantity.letter
        for batch in range(z.shape[0]):
            expected = of_every_head(step, z.shape[1], batch=batch)[:, :MOST, :MOST].float().numpy()
            np.testing.assert_array_equal(z[batch], expected)


@pytest.mark.parametrize("run", SOME, ids=str)
def test_operands_are_the_steps_that_the_code_of_a_step_names(run):
    trace = traced(run)
    for shown in contents(trace)["steps"]:
        for one in shown["made"]["of"]:
            letter = trace[one["step"]].quantity.letter
            assert trace.before(shown["id"], letter).id == one["step"]
            assert re.search(rf"\b{letter}\b", trace[shown["id"]].quantity.code)
        if plus := shown["made"].get("plus"):
            letter = trace[plus].quantity.letter
            assert f"+ {letter}" in trace[shown["id"]].quantity.code
        assert ("plus" in shown["made"]) == bool(re.search(r"\+ b_", trace[shown["id"]].quantity.code))
        assert ("features" in shown["made"]) == (shown["id"] == "scaled" and "queries" in trace)
        assert shown["made"].get("sink", False) == (shown["id"] == "weights" and "sink" in trace)


def test_pairs_are_hidden_in_every_matrix_of_them_from_the_mask_on():
    hiding = [trace for trace in map(traced, RUNS[::3]) if "masked" in trace]
    assert hiding
    for trace in hiding:
        hidden = [step["id"] for step in contents(trace)["steps"] if step["hidden"]]
        after = list(trace)[list(trace).index("masked") :]
        assert hidden == [id for id in after if trace[id].axes[-2:] == ("query", "key")]


def test_a_large_record_is_sent_in_part_and_says_so():
    trace, n = Trace(), MOST + 3
    scaled_dot_product_attention(*drawn((5, 7, n, 3), (5, 7, n, 3), (5, 7, n, 3)), trace=trace)
    sent = contents(trace)
    assert sum(numbers(step).size for step in sent["steps"]) <= NUMBERS
    assert (sent["sentences"], sent["heads"], sent["left"]) == (1, 7, [4, 0])
    weights = next(step for step in sent["steps"] if step["id"] == "weights")
    assert weights["shape"] == [1, 7, MOST, MOST]
    assert f"query {n}" in weights["sizes"]
    many = Trace()
    scaled_dot_product_attention(*drawn((40, n, 3), (40, n, 3), (40, n, 3)), trace=many)
    assert contents(many)["left"] == [0, 39]


def test_a_record_is_sent_whole_up_to_the_limit(monkeypatch):
    """A weight matrix counts once for all sentences."""
    trace = Trace()
    MultiHeadAttention(21, 7, generator=seeded())(torch.ones(5, 11, 21), trace=trace)
    whole = sum(numbers(step).size for step in contents(trace)["steps"])
    monkeypatch.setattr("attention.viewer.contents.NUMBERS", whole)
    assert contents(trace)["left"] == [0, 0]
    monkeypatch.setattr("attention.viewer.contents.NUMBERS", whole - 1)
    assert contents(trace)["left"] == [4, 0]


@pytest.mark.parametrize("sink", [-torch.inf, torch.nan])
def test_what_is_no_number_can_be_shown(sink):
    """A sink of minus infinity takes nothing."""
    trace = Trace()
    scaled_dot_product_attention(*drawn((2, 3), (5, 3), (5, 7)), sink=torch.tensor(sink), trace=trace)
    text = document(trace)
    steps = json.loads(text.split('id="record">')[1].split("</script>")[0])["steps"]
    (weights,) = (step for step in steps if step["id"] == "weights")
    assert numbers(weights).shape == (1, 1, 2, 5)


def test_a_record_without_a_step_is_shown():
    assert contents(Trace())["left"] == [0, 0]
    assert "<main>" in document(Trace())


def test_queries_are_the_last_of_the_words():
    words = [f"w{n}" for n in range(KEYS)]
    labels = contents(TRACE, {"key": words})["labels"]
    assert labels["query"] == words[-QUERIES:]
    assert contents(TRACE, {"key": words, "query": ["a"]})["labels"]["query"] == ["a"]


def test_tokens_of_strangers_are_data_and_nothing_is_loaded():
    text = document(TRACE, {"key": HOSTILE})
    data = text.split('id="record">')[1].split("</script>")[0]
    assert json.loads(data)["labels"]["key"] == [str(token)[:40] for token in HOSTILE][:MOST]
    assert "<" not in data
    text = text.replace(data, "")
    assert not re.search(r"\b(?:src|href)\s*=|https?://|\burl\(|@import|\beval\b|innerHTML|insertAdjacent", text)
    assert not re.search(r"<[^>]+\son\w+=|<[^>]+\sstyle=", text)


def test_the_policy_names_the_script_and_the_style_that_are_there():
    text = document(TRACE)
    policy = re.search(r'Content-Security-Policy" content="([^"]+)"', text)[1]
    for tag in ("script", "style"):
        source = text.split(f"<{tag}>")[1].split(f"</{tag}>")[0]
        digest = base64.b64encode(hashlib.sha256(source.encode()).digest()).decode()
        assert f"{tag}-src 'sha256-{digest}'" in policy
    assert policy.startswith("default-src 'none'; ")


def test_a_view_is_saved_as_it_shows_itself(tmp_path):
    view = TRACE.show(labels={"key": [f"w{n}" for n in range(KEYS)]})
    view.save(tmp_path / "view.html")
    assert (tmp_path / "view.html").read_text(encoding="utf-8") == view.html
    assert "sandbox" in view._repr_html_()
    assert repr(TRACE).splitlines()[0].split(":")[0] in view._repr_html_()


def test_sizes_that_a_sentence_names_are_whole():
    trace = Trace()
    layer = MultiHeadAttention(2 * (MOST + 1), 1, generator=seeded())
    layer(torch.ones(1, 2, 2 * (MOST + 1)), trace=trace)
    scaled = next(step for step in contents(trace)["steps"] if step["id"] == "scaled")
    assert scaled["made"]["features"] == 2 * (MOST + 1)
    assert TRACE.sizes["batch"] == BATCH
    assert TRACE.sizes["head"] == HEADS
