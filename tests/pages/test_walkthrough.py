"""The walkthrough draws exactly the numbers that the package computes."""

import json
from functools import cache

import numpy as np
import pytest
import torch
from numpy.testing import assert_allclose, assert_array_equal
from torch.nn.functional import scaled_dot_product_attention

from attention.figures import LIMIT
from pages.shell.runs.run import Run
from pages.shell.state.config import LEARNED
from tests.support.app import MAP, TILED, cards, computed, figures, linked, payloads, recorded
from tests.support.screens import LINKS, opened

pytestmark = pytest.mark.usefixtures("one_step_a_run")
each_link = pytest.mark.parametrize("link", LINKS)


@cache
def expected_run(link: str) -> Run:
    return computed(**LINKS[link])


@each_link
def test_the_walkthrough_draws_every_step_as_it_was_recorded(link):
    shown, drawn = expected_run(link), figures(opened(link))
    maps = {f"{MAP}{head + 1}" for head in range(shown.module.heads) if shown.config.preset == LEARNED}
    assert set(drawn) == {id for id, step in shown.trace.items() if step.axes} | maps | {*TILED}
    for id, sent in drawn.items():
        expected = recorded(shown, id)
        assert tuple(sent.rest.get("size", sent.z.shape)) == expected.shape, id
        expected = expected[:LIMIT, :LIMIT]
        hidden = np.isnan(sent.z)
        if "hidden" not in sent.rest:
            assert not hidden.any(), id
        # Two computations of the same product may round differently.
        assert_allclose(sent.z[~hidden], expected[~hidden], rtol=1e-4, atol=1e-6, err_msg=id)
        assert np.isfinite(sent.z[~hidden]).all(), id


@each_link
def test_a_cell_is_hidden_only_where_the_mask_hides_it_and_says_what_it_holds(link):
    shown, drawn = expected_run(link), figures(opened(link))
    for id, sent in drawn.items():
        hidden = np.isnan(sent.z)
        assert hidden.any() == ("hidden" in sent.rest), id
        if hidden.any():
            rows, columns = sent.z.shape
            assert not recorded(shown, "mask")[:rows, :columns][hidden].any(), id
            # Keeping or dropping a weight of zero makes no difference, so the keep-mask shows neither.
            assert (sent.rest["hidden"] == "–") == (id == "kept")
            if id == "kept":
                continue
            held = {"0": 0.0, "−∞": -np.inf}[sent.rest["hidden"]]
            assert_array_equal(recorded(shown, id)[:LIMIT, :LIMIT][hidden], np.full(hidden.sum(), held), err_msg=id)


@pytest.mark.parametrize("id", ["masked", "weights"])
@each_link
def test_every_cell_that_the_mask_hides_is_hidden(link, id):
    drawn = figures(opened(link))
    hides = drawn["mask"].z == 0 if "mask" in drawn else np.zeros_like(drawn["weights"].z)
    if id in drawn:
        assert_array_equal(np.isnan(drawn[id].z), hides)


def refined(drawn: dict, id: str) -> str:
    """The last step of queries, keys or values before they meet."""
    return next(each for each in (f"{id}_joined", f"{id}_rotated", f"{id}_normed", id) if each in drawn)


@each_link
def test_torch_makes_the_drawn_output_of_the_drawn_queries_keys_and_values(link):
    """The oracle uses only the sent numbers, so a wrong head, sentence or mask on the way to the screen shows up."""
    shown, drawn = expected_run(link), figures(opened(link))
    if any("size" in drawn[id].rest for id in ("queries", "keys", "values")):
        assert max(shown.module.d_k, shown.module.d_v) > LIMIT
        return
    q, k, v = (torch.tensor(drawn[refined(drawn, id)].z) for id in ("queries", "keys", "values"))
    mask = torch.tensor(drawn["mask"].z) > 0 if "mask" in drawn else None
    weights = torch.tensor(np.nan_to_num(drawn["weights"].z))
    if "dropped" in drawn:
        expected = torch.tensor(np.nan_to_num(drawn["dropped"].z)) @ v
    elif "sink" in drawn:
        # torch's function has no sink.
        expected = weights @ v
        assert (weights.sum(-1) < 1).all()
        weights = weights / weights.sum(-1, keepdim=True)
    else:
        if "bias" in drawn:
            bias = torch.tensor(drawn["bias"].z)
            mask = bias if mask is None else bias.masked_fill(~mask, -torch.inf)
        scale = shown.trace["scale"].value.item() if "scale" in shown.trace else None
        expected = scaled_dot_product_attention(q[None], k[None], v[None], attn_mask=mask, scale=scale)[0]
    torch.testing.assert_close(torch.tensor(drawn["output"].z), expected, rtol=1e-5, atol=1e-5)
    attends = torch.ones(len(weights)) if mask is None else (mask != -torch.inf if "bias" in drawn else mask).any(-1)
    torch.testing.assert_close(weights.sum(-1), attends.float())


@each_link
def test_no_drawn_number_exceeds_its_range_and_scores_share_theirs(link):
    drawn = figures(opened(link))
    for id, sent in drawn.items():
        low, high = sent.rest["range"]
        # The ends are sent with six digits.
        assert low <= np.nanmin(sent.z, initial=np.inf) + 1e-5 * abs(low), id
        assert np.nanmax(sent.z, initial=-np.inf) <= high + 1e-5 * abs(high), id
    assert len({tuple(drawn[id].rest["range"]) for id in ("scores", "scaled", "masked") if id in drawn}) == 1


@each_link
def test_the_axes_carry_the_tokens_of_the_sentence(link):
    shown = expected_run(link)
    sent, *others = [payload["labels"] for payload in payloads(opened(link)) if payload.get("labels")]
    assert all(other == sent for other in others)
    sent = dict(sent)
    tokens = shown.inputs.tokens[min(LINKS[link].get("sentence", 1), len(shown.inputs.tokens)) - 1]
    new = int(LINKS[link].get("kv_cache", 0))
    queries = min(new or LINKS[link].get("last", 0), len(tokens)) or len(tokens)
    assert {axis: tuple(sent.pop(axis)) for axis in ("query", "key")} == {"query": tokens[-queries:], "key": tokens}
    if new:
        assert (tuple(sent.pop("past")), tuple(sent.pop("new"))) == (tokens[:-new], tokens[-new:])
    # The features of a hand-made preset have names, too.
    assert {axis: len(names) for axis, names in sent.items()} == {axis: len(of) for axis, of in shown.names.items()}


@pytest.mark.parametrize("link", ["default", "every step", "second sentence, third head"])
def test_equal_stamps_mean_equal_pictures(link):
    """The browser decides by the stamp alone whether to redraw."""
    seen: dict[tuple[str, str], tuple] = {}
    for other in ({}, {"seed": 5}, {"dropout": 0.4}, {"head": 2}):
        for id, sent in figures(linked(**LINKS[link] | other)).items():
            picture = (sent.rest["z"], tuple(sent.rest["range"]))
            assert seen.setdefault((id, sent.rest["stamp"]), picture) == picture


def test_a_figure_that_is_drawn_twice_says_the_same_twice():
    drawn = cards(linked(dropout=0.3))
    twice = {id for chapter in drawn.values() for id in chapter if sum(id in other for other in drawn.values()) > 1}
    assert twice >= {"weights"}
    for id in twice:
        assert len({json.dumps(chapter[id].rest) for chapter in drawn.values() if id in chapter}) == 1


@pytest.mark.parametrize("dropout", [0.1, 0.3, 0.9])
def test_dropout_keeps_what_the_keep_mask_says_and_scales_it_up(dropout):
    drawn = figures(linked(preset="random", text=" ".join(map(str, range(31))), mask="full", dropout=dropout))
    kept, weights, dropped = (drawn[id].z for id in ("kept", "weights", "dropped"))
    assert_allclose(dropped, weights * kept / (1 - dropout), rtol=1e-5, atol=1e-7)
    assert abs(kept.mean() - (1 - dropout)) < 0.06
