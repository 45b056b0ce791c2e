"""Trained models with a change: it affects the named part, and nothing else."""

import pytest
import torch

from attention.masks import grid
from attention.scales import SCALES
from attention.trace import Trace
from tests.attention.inputs.trained.test_models import TEXT, each_model, far, value
from tests.support import refused, seeded
from tests.support.trained import model

pytestmark = pytest.mark.models


@each_model
def test_what_is_as_it_was_trained_changes_nothing(name):
    trained = model(name)
    own = "causal" if trained.sizes.causal else "full"
    same = {"scale": trained.sizes.d_k**-0.5, "mask": own, "rank": trained.sizes.d_k, "off": (), "dropout": {2: 0.0}}
    for change in same.items():
        torch.testing.assert_close(trained.output(TEXT, **dict([change])), trained.output(TEXT), rtol=1e-3, atol=1e-5)


@each_model
@pytest.mark.parametrize(
    "changes",
    [
        {"scale": "none"},
        {"scale": {1: 0.5}},
        {"dropout": 0.3},
        {"off": {0: (2,)}},
        {"off": (1, 5)},
        {"rank": {0: {2: 1}}},
        {"rank": 3},
        {"hidden": (0,)},
        {"hidden": {3: (1, 2)}},
    ],
    ids=str,
)
def test_every_change_reaches_what_it_says(name, changes):
    trained = model(name)
    plain = trained.output(TEXT)
    assert far(plain, trained.output(TEXT, **changes, generator=seeded())) > 1e-6
    # The layer itself is as it was.
    assert far(plain, trained.output(TEXT)) == 0


@each_model
def test_a_change_of_one_layer_leaves_those_before_it(name):
    trained = model(name)
    plain, changed = trained.traces(TEXT), trained.traces(TEXT, scale={2: "none"})
    assert [far(value(a, "weights"), value(b, "weights")) for a, b in zip(plain[:2], changed[:2], strict=True)] == [
        0,
        0,
    ]
    torch.testing.assert_close(value(changed[2], "scaled"), value(plain[2], "scores"))
    assert far(value(plain[3], "x"), value(changed[3], "x")) > 1e-4


@each_model
def test_a_head_that_is_off_adds_nothing_and_the_others_what_they_did(name):
    trained = model(name)
    plain, changed = trained.traces(TEXT)[0], trained.traces(TEXT, off={0: (2,)})[0]
    d_v, w_o = value(plain, "values").shape[-1], value(plain, "w_o")
    added = value(plain, "output")[:, 2] @ w_o[2 * d_v : 3 * d_v]
    torch.testing.assert_close(value(changed, "projected"), value(plain, "projected") - added, rtol=1e-4, atol=1e-4)


@each_model
def test_r_directions_are_the_best_approximation_of_that_rank(name):
    trained, rank, head = model(name), 3, 2
    plain, changed = (trained.traces(TEXT, rank=ranks)[0] for ranks in ({}, {0: {head: rank}}))
    group = trained.sizes.heads // trained.sizes.kv_heads

    def both(trace: Trace) -> torch.Tensor:
        parts = []
        for letter, place in (("q", head), ("k", head // group)):
            w = value(trace, f"w_{letter}")[place]
            parts.append(torch.cat((w, value(trace, f"b_{letter}")[place][None])) if f"b_{letter}" in trace else w)
        return parts[0].double() @ parts[1].double().mT

    whole, kept = both(plain), both(changed)
    left, values, right = torch.linalg.svd(whole, full_matrices=False)
    best = left[:, :rank] * values[:rank] @ right[:rank]
    torch.testing.assert_close(kept, best, rtol=1e-3, atol=1e-4 * values[0].item())
    others = [place for place in range(trained.sizes.heads) if place != head]
    torch.testing.assert_close(value(changed, "queries")[:, others], value(plain, "queries")[:, others])


@each_model
def test_hidden_tokens_get_nothing_and_a_mask_may_be_one_of_each_head(name):
    trained = model(name)
    n = len(trained.tokens(TEXT))
    for trace in trained.traces(TEXT, hidden=(0, 3)):
        assert value(trace, "weights")[..., [0, 3]].abs().max() == 0
    seen = grid("causal", n, n).expand(trained.sizes.heads, n, n).clone()
    seen[4, :, 1] = False
    weights = value(trained.traces(TEXT, mask={1: seen})[1], "weights")
    assert weights[0, 4, :, 1].abs().max() == 0
    assert weights[0, 3, :, 1].abs().max() > 0


def test_a_mask_may_take_a_number():
    trained = model("smollm2")
    n = len(trained.tokens(TEXT))
    named = trained.traces(TEXT, mask=("causal & window", {"width": 3}))[2]
    assert torch.equal(value(named, "mask")[0, 0], grid("causal & window", n, n, width=3))
    drawn = trained.traces(TEXT, mask=grid("causal & window", n, n, width=3))[2]
    assert far(value(named, "weights"), value(drawn, "weights")) == 0


@each_model
def test_the_same_generator_drops_the_same_weights(name):
    trained = model(name)
    first, second, other = (trained.traces(TEXT, dropout={1: 0.4}, generator=seeded(seed)) for seed in (5, 5, 7))
    assert torch.equal(value(first[1], "kept"), value(second[1], "kept"))
    assert not torch.equal(value(first[1], "kept"), value(other[1], "kept"))
    assert "kept" not in first[0]


WRONG = "mask must be bool (7, 7) or (12, 7, 7) for 7 tokens and 12 heads, got bool (3, 5)"


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        ({"scales": 1}, "unknown change 'scales'; one of scale, mask, dropout, off, rank, hidden, generator"),
        ({"scale": "sqrt"}, f"unknown scale 'sqrt'; one of {', '.join(SCALES)}"),
        ({"mask": "window"}, "unknown mask 'window'; one of full, causal"),
        ({"mask": torch.ones(3, 5, dtype=torch.bool)}, WRONG),
        ({"mask": ("window", {"width": 0})}, "width of mask 'window' must be at least 1, got 0"),
        ({"dropout": 1.5}, "dropout must lie between 0 and 1, got 1.5"),
        ({"off": {3: (12,)}}, "heads in off must lie between 0 and 11, got 12"),
        ({"off": {6: (1,)}}, "layers of off must lie between 0 and 5, got 6"),
        ({"rank": 33}, "rank must lie between 0 and 32, got 33"),
        ({"rank": {0: {13: 1}}}, "heads in rank must lie between 0 and 11, got 13"),
        ({"hidden": (7,)}, "tokens in hidden must lie between 0 and 6, got 7"),
    ],
    ids=str,
)
def test_a_change_that_does_not_fit_is_refused(changes, message):
    with refused(message):
        model("minilm").traces("one two three four five", **changes)
