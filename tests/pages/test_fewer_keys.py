"""The page on fewer keys: what each head takes before and after keys are shared, and what the cache then holds."""

import numpy as np
import pytest
import torch
from torch.nn import functional as F

from attention import Trace
from attention.experiments import learning
from attention.experiments.shared_keys import averaged
from attention.inputs import shared_keys
from attention.inputs.grammar import EXAMPLE, read
from attention.inputs.learned import Setting, shipped
from pages.shell.state.opens_with import OPENS_WITH
from pages.shell.views import fewer_keys
from pages.shell.views.fewer_keys import readers
from tests.support.app import app, charts, figures, linked, no_exception
from tests.support.screens import payloads


def test_what_tiling_changes_is_what_it_changes_in_torch():
    trace = readers._merged(2).trace
    q, k, v = (trace[id].value for id in ("queries", "keys", "values"))
    one, other = (
        F.scaled_dot_product_attention(q, spread(k), spread(v))
        for spread in (lambda heads: heads.repeat_interleave(4, 1), lambda heads: heads.repeat(1, 4, 1, 1))
    )
    far = (one - other).abs().amax((0, 2, 3)).tolist()
    _, table = fewer_keys.tiled.blocks(linked("fewer_keys", kv_of_8="2"))
    ((_, *cells),) = table["rows"]
    assert [float(cell["line"]) for cell in cells] == pytest.approx(far, rel=0.05, abs=1e-5)


@pytest.mark.parametrize(("kv", "asks", "d_c"), [("4", 7, 1), ("1", 8, 16)])
def test_a_query_head_has_its_key_head_and_a_latent_its_rank(kv, asks, d_c):
    at = app("fewer_keys", kv_of_8=kv, asks=asks, d_c=d_c)
    assert no_exception(at)
    (heads,) = [card for sent in payloads(at) for card in sent.get("cards", ()) if "sharing" in card]
    assert heads["sharing"]["keys"] == int(kv)
    assert np.shape(heads["sharing"]["shares"]) == (3, 8, 11)
    key = (asks - 1) // (8 // int(kv)) + 1
    assert heads["labels"]["reads"][asks - 1] == f"query head {asks} reads key head {key}"
    kept, joined = (figures(at)[id] for id in ("latent", "latent-joined"))
    assert np.linalg.matrix_rank(joined.z, tol=1e-4) == d_c == kept.z.shape[1]
    assert joined.rest["note"].startswith(f"Rank {d_c} of at most 16.")
    lost = charts(at)["latent-lost"]["series"]["largest difference of an output"]["y"]
    assert lost[-1] == 0 < lost[:-1].min()


def sharing(**link) -> dict:
    (block,) = fewer_keys.shared.blocks(linked("fewer_keys", **link))
    (drawn,) = block["cards"]
    return drawn


@pytest.mark.parametrize(("kv", "said"), [("2", "176 of 704 numbers"), ("8", "704 of 704 numbers")])
def test_the_cache_is_counted_in_numbers(kv, said):
    assert sharing(kv_of_8=kv)["labels"]["cache"].endswith(said)


@pytest.mark.parametrize("kv", [1, 2, 4])
def test_each_head_has_its_shares_before_and_after_averaging_and_trained_on(kv):
    """By torch, of the three layers."""
    drawn = sharing(kv_of_8=str(kv))["sharing"]
    layers = shipped(Setting(heads=8)), averaged(kv), shared_keys.shipped(kv)
    for shares, layer in zip(drawn["shares"], layers, strict=True):
        x = layer.prepared((read(EXAMPLE.split()),)).inputs.x
        trace = Trace()
        layer.module(x, trace=trace)
        q, k = (trace[id].value[0] for id in ("queries", "keys"))
        k = k.repeat_interleave(8 // len(k), 0)
        expected = torch.softmax(q @ k.mT / q.shape[-1] ** 0.5, -1)[:, 4]
        np.testing.assert_allclose(shares, expected.detach(), rtol=0, atol=1e-3)


def test_a_head_is_named_after_the_question_that_it_answers_with_keys_of_its_own():
    drawn = sharing(kv_of_8="2")
    words = EXAMPLE.split()
    named = {
        head: (name, words[answer])
        for head, (name, answer) in enumerate(
            zip(drawn["labels"]["names"], drawn["sharing"]["answers"], strict=True), 1
        )
        if name
    }
    whose = {"who?": "fox", "whom?": "owl", "to whom?": "hen"}
    assert {name for name, _ in named.values()} == set(whose)
    assert all(whose[name] == word for name, word in named.values())
    own, shared, later = (
        [stage[head - 1][words.index(word)] for head, (_, word) in named.items()]
        for stage in drawn["sharing"]["shares"]
    )
    assert min(own) > 0.5
    assert np.mean(shared) < np.mean(later) < np.mean(own)


@pytest.mark.parametrize("kv", [1, 2, 4])
def test_bars_say_how_much_is_answered_rightly_at_each_stage(kv):
    """By measuring the three layers."""
    drawn = sharing(kv_of_8=str(kv))
    layers = shipped(Setting(heads=8)), averaged(kv), shared_keys.shipped(kv)
    rights = [learning.measure(layer).mean for layer in layers]
    assert drawn["sharing"]["rights"] == pytest.approx(rights, rel=1e-3)
    assert drawn["labels"]["written"] == [f"{share:.1%}" for share in rights]
    assert rights[0] > rights[2] > rights[1]
    assert drawn["labels"]["cached"] == f"{kv / 8:.1%}"


def test_where_nothing_is_shared_all_stages_are_alike():
    drawn = sharing(kv_of_8="8")
    assert len({*drawn["labels"]["written"]}) == 1
    assert drawn["labels"]["cached"] == "100.0%"
    first, *others = drawn["sharing"]["shares"]
    assert others == [first, first]


def test_it_opens_on_a_head_that_averaging_leads_astray_and_training_brings_back():
    drawn = sharing(**OPENS_WITH["fewer_keys"])
    head = drawn["sharing"]["asks"]
    answer = drawn["sharing"]["answers"][head]
    assert [int(np.argmax(shares[head])) == answer for shares in drawn["sharing"]["shares"]] == [True, False, True]
    assert "“who?”" in drawn["labels"]["takes"]


def test_a_head_without_a_question_is_told_as_one():
    assert "no clear question" in sharing(asks="1")["labels"]["takes"]
