"""The page about a state: what it shows of a key that comes twice, of the sentence by its matrix, and of memory."""

import numpy as np
import pytest
import torch

from attention.cache import HYBRIDS
from pages.shell.runs import decoding, remembering
from pages.shell.state.todays_controls import State
from pages.shell.views import state
from tests.support.app import app, charts, figures, linked
from tests.support.claims.state import remembered

LINKS = ({}, {"state_at": 2}, {"state_alpha": 0.5}, {"state_alpha": 0.25, "state_fades": "one"}, {"state_beta": 1.5})


@pytest.mark.parametrize("link", LINKS, ids=str)
def test_the_states_are_those_of_the_loop(link):
    at = app("state", **link)
    for rule in ("add", "delta"):
        held = remembered(State(**link), adds=rule == "add")
        wanted = [[held[who, like] for like in remembering.LIKE] for who in remembering.WHO]
        np.testing.assert_allclose(figures(at)[f"state-{rule}"].z, wanted, atol=1e-6)


@pytest.mark.parametrize("link", LINKS, ids=str)
def test_the_film_strip_ends_in_what_the_loop_says(link):
    """It shows all facts, however many the steps below have told."""
    (block,) = state.filmstrip.blocks(linked("state", **link))
    (card,) = block["cards"]
    for rule, states in enumerate(card["filmstrip"]["states"]):
        for told, drawn in enumerate(states, 1):
            held = remembered(State(**link | {"state_at": told}), adds=rule == 0)
            wanted = [[held[who, like] for like in remembering.LIKE] for who in remembering.WHO]
            np.testing.assert_allclose(drawn, wanted, atol=1e-3)


def test_what_is_read_is_told_in_words():
    def answers(**link):
        (block,) = state.filmstrip.blocks(linked("state", **link))
        return block["cards"][0]["labels"]["answers"]

    assert answers() == ["old and red", "red"]
    assert answers(state_alpha=0.5) == ["old 0.12, red", "red"]
    assert answers(state_beta=0.0) == ["nothing", "nothing"]


def test_a_key_that_comes_twice_is_added_to_and_overwritten_before_anything_is_touched():
    at = figures(app("state"))
    assert at["state-add"].z[0].tolist() == [1, 0, 0, 1]
    assert at["state-delta"].z[0].tolist() == [0, 0, 0, 1]


@pytest.mark.parametrize(("beta", "alpha"), [(1.0, 1.0), (0.7, 0.3)])
def test_the_matrix_of_the_sentence_reads_what_a_loop_reads(beta, alpha):
    run = decoding.whole()
    q, k, v = (run.matrix(id).double() for id in ("queries", "keys", "values"))
    q, k = (each / each.square().sum(-1, keepdim=True).sqrt() for each in (q, k))
    held, read = torch.zeros(k.shape[1], v.shape[1], dtype=torch.float64), []
    for query, key, value in zip(q, k, v, strict=True):
        held = alpha * held
        held = held + torch.outer(key, beta * (value - key @ held))
        read.append(query @ held / k.shape[1] ** 0.5)
    z = figures(app("state", state_beta=beta, state_alpha=alpha))["mixing"].z
    np.testing.assert_allclose(np.nan_to_num(z) @ v.float().numpy(), torch.stack(read).numpy(), atol=1e-5)


def test_the_lines_of_memory_cross_where_the_note_says():
    at = app("state")
    (mark,) = next(card["chart"]["marks"] for card in _cards(at) if card["id"] == "state-memory")
    assert mark["x"] == HYBRIDS[0].equal == 512
    series = charts(at)["state-memory"]["series"]
    assert len(series) == len(HYBRIDS) + 1


def _cards(at):
    return [card for block in state.memory.blocks(linked("state")) for card in block.get("cards", ())]


def test_sizes_of_models_are_those_of_their_configurations():
    """Of classes that have the sizes of the published models for defaults."""
    qwen = pytest.importorskip("transformers.models.qwen3_next.configuration_qwen3_next").Qwen3NextConfig()
    kimi = pytest.importorskip("transformers.models.kimi_linear.configuration_kimi_linear").KimiLinearConfig()
    first, second = HYBRIDS
    sizes = qwen.linear_num_value_heads, qwen.linear_key_head_dim, qwen.linear_value_head_dim
    assert (first.heads, first.d_k, first.d_v) == sizes
    assert first.token == 2 * qwen.num_key_value_heads * qwen.head_dim
    assert (second.heads, second.d_k, second.d_v) == (kimi.linear_num_heads, *[kimi.linear_head_dim] * 2)
    assert second.token == kimi.kv_lora_rank + kimi.qk_rope_head_dim
    assert (first.state, round(second.equal)) == (524_288, 910)
