"""The page about a state: a key that comes twice, the sentence by its matrix, and memory."""

import numpy as np
import pytest
import torch

from attention.cache import HYBRIDS
from pages.shell.runs import decoding, remembering
from pages.shell.state.todays_controls import State
from pages.shell.views import state
from tests.support.app import app, charts, figures, linked
from tests.support.claims.state import remembered

ANSWERED = {"guess": "state_told.both"}
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
    """The strip shows all facts, whatever the number of told facts in the steps below."""
    (block,) = state.filmstrip.blocks(linked("state", **link, **ANSWERED))
    (card,) = block["cards"]
    for rule, states in enumerate(card["filmstrip"]["states"]):
        for told, drawn in enumerate(states, 1):
            held = remembered(State(**link | {"state_at": told}), adds=rule == 0)
            wanted = [[held[who, like] for like in remembering.LIKE] for who in remembering.WHO]
            np.testing.assert_allclose(drawn, wanted, atol=1e-3)


def answers(**link):
    (block,) = state.filmstrip.blocks(linked("state", **link))
    return block["cards"][0]["labels"]["answers"]


def test_what_is_read_is_told_in_words():
    assert answers(**ANSWERED) == ["old and red", "red"]
    assert answers(state_alpha=0.5, **ANSWERED) == ["old 0.13, red 1.00", "red"]
    assert answers(state_beta=0.0, **ANSWERED) == ["nothing", "nothing"]


def test_the_last_fact_waits_for_a_guess():
    """Until the guess, the page has neither the last fact's row nor the answer that is read from it."""
    waiting, told = {"guess_first": True}, {"guess_first": True} | ANSWERED
    (open_,), (shown,) = (state.filmstrip.blocks(linked("state", **link)) for link in (waiting, told))
    for states in open_["cards"][0]["filmstrip"]["states"]:
        assert [row is None for row in states[-1]] == [True, False, False]
        assert all(row is not None for each in states[:-1] for row in each)
    assert answers(**waiting) == ["", ""]
    assert answers(**told) == answers(**ANSWERED)
    assert None not in shown["cards"][0]["filmstrip"]["states"][0][-1]


@pytest.mark.parametrize(("answer", "begins"), [("old", "**No.**"), ("new", "**No.**"), ("both", "**Correct.**")])
def test_a_guess_is_judged_and_the_other_rule_explained(answer, begins):
    (asked,) = state.asked.blocks(linked("state", guess_first=True, guess=f"state_told.{answer}"))
    assert asked["told"]["markdown"].startswith(begins)
    assert "takes it away" in asked["told"]["markdown"]


def test_a_guess_brings_the_sliders_back_to_where_it_is_judged():
    (asked,) = state.asked.blocks(linked("state", guess_first=True, state_alpha=0.0, state_beta=0.5))
    guess = {"guess": "state_told.new", "state_alpha": "", "state_beta": ""}
    assert asked["answers"][1]["sets"] == guess


@pytest.mark.parametrize(
    ("link", "says"),
    [
        ({"state_beta": 0.5}, "takes a part away: old 0.25 is left"),
        ({"state_beta": 0.05}, "nearly the same"),
        ({"state_beta": 2.0}, "more away than there was: old −2.00"),
        ({"state_alpha": 0.1}, "nothing of old is left"),
        ({"state_beta": 0.0}, "no fact is written"),
    ],
)
def test_what_the_sliders_do_is_said_in_words(link, says):
    (told,) = state.asked.blocks(linked("state", **link, **ANSWERED))
    assert says in str(told)


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
    """The configuration classes have the sizes of the published models as their defaults."""
    qwen = pytest.importorskip("transformers.models.qwen3_next.configuration_qwen3_next").Qwen3NextConfig()
    kimi = pytest.importorskip("transformers.models.kimi_linear.configuration_kimi_linear").KimiLinearConfig()
    first, second = HYBRIDS
    sizes = qwen.linear_num_value_heads, qwen.linear_key_head_dim, qwen.linear_value_head_dim
    assert (first.heads, first.d_k, first.d_v) == sizes
    assert first.token == 2 * qwen.num_key_value_heads * qwen.head_dim
    assert (second.heads, second.d_k, second.d_v) == (kimi.linear_num_heads, *[kimi.linear_head_dim] * 2)
    assert second.token == kimi.kv_lora_rank + kimi.qk_rope_head_dim
    assert (first.state, round(second.equal)) == (524_288, 910)
