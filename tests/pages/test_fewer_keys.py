"""The page on fewer keys: what each head takes before and after keys are shared, and what the cache then holds."""

import numpy as np
import pytest
import torch
from torch.nn import functional as F

from attention import Trace
from attention.experiments import learning
from attention.experiments.shared_keys import averaged
from attention.inputs import shared_keys
from attention.inputs.grammar import ANSWERS, EXAMPLE, QUESTIONS, read
from attention.inputs.learned import Setting, shipped
from pages.shell.state.opens_with import OPENS_WITH
from pages.shell.views import fewer_keys
from pages.shell.views.fewer_keys import layers
from tests.support.app import app, charts, decoded, figures, linked, no_exception
from tests.support.screens import payloads


def test_what_tiling_changes_is_what_it_changes_in_torch():
    trace = layers.merged(2).trace
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
    assert np.shape(figures(at)["head-takes"].z) == (3, 11)
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


def heatmap(id: str, **link) -> np.ndarray:
    (block,) = fewer_keys.one.blocks(linked("fewer_keys", **link))
    (drawn,) = [card for card in block["cards"] if card["id"] == id]
    return decoded(drawn)


@pytest.mark.parametrize(("kv", "said"), [("2", "176 of 704 numbers"), ("8", "704 of 704 numbers")])
def test_the_cache_is_counted_in_numbers(kv, said):
    assert sharing(kv_of_8=kv)["labels"]["cache"].endswith(said)


def by_torch(layer) -> tuple[torch.Tensor, torch.Tensor]:
    """The weights of each head on the example, and the answers of the layer: (questions, answers) of the verb."""
    x = layer.prepared((read(EXAMPLE.split()),)).inputs.x
    trace = Trace()
    layer.module(x, trace=trace)
    q, k, v = (trace[id].value[0] for id in ("queries", "keys", "values"))
    k, v = (one.repeat_interleave(8 // len(one), 0) for one in (k, v))
    weights = torch.softmax(q @ k.mT / q.shape[-1] ** 0.5, -1)
    outputs = F.scaled_dot_product_attention(q, k, v).transpose(0, 1).flatten(1) @ layer.module.w_o
    return weights.detach(), (outputs[4] @ layer.read_out).unflatten(-1, (len(QUESTIONS), -1)).detach()


@pytest.mark.parametrize("kv", [1, 2, 4])
def test_each_head_has_its_shares_before_and_after_averaging_and_trained_on(kv):
    """By torch, of the three layers."""
    drawn = heatmap("head-takes", kv_of_8=str(kv), asks="5")
    made = shipped(Setting(heads=8)), averaged(kv), shared_keys.shipped(kv)
    expected = torch.stack([by_torch(layer)[0][4, 4] for layer in made])
    np.testing.assert_allclose(drawn, expected, rtol=0, atol=1e-3)


@pytest.mark.parametrize("kv", [1, 2, 4])
def test_the_answers_to_the_verb_are_those_of_the_whole_layer(kv):
    """One head's weight is not the answer: with one key head, head 7 looks at the fox, and the layer says the hen."""
    drawn = sharing(kv_of_8=str(kv))
    made = shipped(Setting(heads=8)), averaged(kv), shared_keys.shipped(kv)
    said = [[ANSWERS[at][int(logits.argmax())] for at, logits in enumerate(by_torch(one)[1][:3])] for one in made]
    assert drawn["labels"]["answers"] == said
    right = [[one == word for one, word in zip(of, ("fox", "owl", "hen"), strict=True)] for of in said]
    assert drawn["sharing"]["right"] == right
    assert drawn["labels"]["counts"] == [f"{sum(of)} of 3" for of in right]
    assert [all(of) for of in right] == [True, False, True]
    assert f"{sum(right[1])} of 3 in this one" in drawn["note"]


@pytest.mark.parametrize(("kv", "until"), [(1, 65), (2, 45), (4, 20)])
def test_fewer_key_heads_take_more_updates_to_repair(kv, until):
    """The price has a size: what is drawn starts at the averaged layer and ends at the one that was trained on."""
    drawn = sharing(kv_of_8=str(kv))
    way, rights, at = drawn["sharing"]["way"], drawn["sharing"]["rights"], drawn["sharing"]["repaired"]
    assert [way[0], way[-1]] == pytest.approx(rights[1:], abs=2e-3)
    assert way[at - 1] < 0.9 <= way[at]
    assert until == at * 5
    assert f"90% right after {until} more steps" in drawn["labels"]["stages"][2]


def test_a_head_is_named_after_the_question_that_it_answers_with_keys_of_its_own():
    """By the weights of its layer: at least half on the right word."""
    drawn = sharing(kv_of_8="2")
    weights, _ = by_torch(shipped(Setting(heads=8)))
    asked, names = drawn["sharing"]["asked"], drawn["labels"]["names"]
    assert {name for at, name in zip(asked, names, strict=True) if at >= 0} == {"who?", "whom?", "to whom?"}
    assert drawn["labels"]["questions"] == ["who?", "whom?", "to whom?"]
    for head, (at, name) in enumerate(zip(asked, names, strict=True)):
        assert name == (drawn["labels"]["questions"][at] if at >= 0 else "none")
        if at >= 0:
            assert weights[head, 4, (3, 6, 10)[at]] > 0.5


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
    first, *others = drawn["labels"]["answers"]
    assert others == [first, first]
    assert (drawn["sharing"]["way"], drawn["sharing"]["repaired"]) == ([], -1)


def test_it_opens_on_a_question_that_averaging_leads_astray_and_training_brings_back():
    drawn = sharing(**OPENS_WITH["fewer_keys"])
    asked = drawn["sharing"]["asked"][drawn["sharing"]["asks"]]
    assert drawn["labels"]["questions"][asked] == "who?"
    assert [right[asked] for right in drawn["sharing"]["right"]] == [True, False, True]
