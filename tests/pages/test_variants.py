"""Variants of today on the walkthrough: links carry them, steps are drawn, presets with given weights omit them."""

import pytest
import torch
import torch.nn.functional as F

from pages.shell.i18n import say
from pages.shell.i18n.numbers import fixed
from pages.shell.runs.differences import differing
from pages.shell.state.config import VARIANTS
from pages.shell.views import telling
from tests.support.app import app, computed, figures, held, no_exception, widget

ALL = {"kv_heads": "2", "qk_norm": True, "kv_cache": "2", "softcap": "2", "sink": "1"}
SCREEN = {"preset": "random", "text": "one two three four five", "d_model": 22, "heads": 4, "d_k": 6, "d_v": 7}


def test_a_screen_with_all_of_them_has_their_steps_and_they_are_drawn():
    at = app(None, **SCREEN, **ALL, positions="rotary")
    assert no_exception(at)
    steps = {
        "queries_normed",
        "keys_normed",
        "queries_rotated",
        "keys_rotated",
        "softcapped",
        "past_keys",
        "past_values",
    }
    steps |= {"keys_joined", "values_joined"}
    assert steps <= set(figures(at))


@pytest.mark.parametrize("positions", ["rotary", "alibi"])
def test_the_run_of_a_screen_is_that_of_torch(positions):
    run = computed(**SCREEN, positions=positions, kv_heads="2", last=3, mask="causal", corner="lower_right")
    q, k, v = (run.trace.before("output", letter).value for letter in "QKV")
    mask = run.trace["mask"].value
    if positions == "alibi":
        slopes = torch.tensor([1 / 4, 1 / 16, 1 / 64, 1 / 256])[:, None, None]
        # The last three of five tokens ask.
        distance = torch.tensor([[2, 1, 0, 1, 2], [3, 2, 1, 0, 1], [4, 3, 2, 1, 0]])
        mask = (-slopes * distance).masked_fill(~mask, -torch.inf)
    expected = F.scaled_dot_product_attention(q, k, v, attn_mask=mask, enable_gqa=True)
    torch.testing.assert_close(run.trace["output"].value, expected, rtol=0, atol=1e-6)
    assert run.trace["queries"].value.shape[1] == 4
    assert run.trace["keys"].value.shape[1] == 2


def test_what_fills_the_cache_draws_nothing_from_the_generator_that_all_share():
    before = torch.get_rng_state()
    # This seed is used nowhere else, so that no cached run takes its place.
    assert "past_keys" in computed(**SCREEN, kv_cache="2", dropout=0.5, seed=11).trace
    assert torch.equal(torch.get_rng_state(), before)


@pytest.mark.parametrize("with_it", [{"positions": "rotary", "qk_norm": True}, {"positions": "learned", "bias": True}])
def test_after_a_cache_new_tokens_have_the_rows_that_they_have_in_one_pass(with_it):
    links = SCREEN | with_it | {"text": "one two three four five\nsix seven", "mask": "causal"}
    whole, part = computed(**links), computed(**links, kv_cache="2")
    for id in ("weights", "projected"):
        expected = whole.trace[id].value[..., -2:, :]
        torch.testing.assert_close(part.trace[id].value, expected, rtol=1e-5, atol=1e-5)
    assert part.trace["x"].value.shape[1] == part.trace.sizes["new"] == 2
    assert (part.labels["past"], part.labels["new"]) == (("one", "two", "three"), ("four", "five"))
    assert part.labels["query"] == part.labels["new"]
    assert differing(whole, part) == {"kv_cache": ("off", "2")}


def test_learned_positions_are_vectors_of_the_places():
    """The vectors depend on the place, not on the word; those of a longer text begin with those of a shorter one."""
    moved = {}
    for text in ("one two three", "three one two four"):
        plain, placed = (computed(**SCREEN | {"text": text}, positions=kind) for kind in ("none", "learned"))
        moved[text] = (placed.trace["x"].value - plain.trace["x"].value)[0]
    short, long = moved.values()
    torch.testing.assert_close(short, long[:3])
    assert torch.pdist(long).min() > 1
    other = computed(**SCREEN | {"seed": 1}, positions="learned").trace["x"].value
    assert not torch.equal(other, computed(**SCREEN, positions="learned").trace["x"].value)


@pytest.mark.parametrize("preset", ["learned", "story"])
def test_given_weights_are_as_they_were_and_it_is_said(preset):
    plain, asked = computed(preset=preset), computed(preset=preset, positions="rotary", **ALL)
    assert list(plain.trace) == list(asked.trace)
    for id, step in plain.trace.items():
        assert torch.equal(step.value, asked.trace[id].value)
    (note,) = asked.notes
    assert all(say(f"control.{name}.label") in note for name in ("positions", *VARIANTS))


@pytest.mark.parametrize(
    ("link", "text"),
    [
        ({"heads": 4, "kv_heads": "3"}, say("note.kv_heads", heads=4, asked=3, kv_heads=2)),
        ({"d_k": 5, "positions": "rotary"}, say("note.rotary_odd", d_k=5)),
        ({"text": "one two", "kv_cache": "2"}, say("note.kv_cache", new=2, tokens=2)),
    ],
    ids=["kv_heads", "odd", "empty cache"],
)
def test_what_cannot_be_is_said(link, text):
    assert text in computed(**SCREEN | link).notes


def test_two_screens_differ_in_the_variants_that_they_have():
    a, b = computed(**SCREEN), computed(**SCREEN, kv_heads="1", softcap="5")
    assert differing(a, b) == {"kv_heads": ("auto", "1"), "softcap": ("off", "5")}


def test_the_sentences_about_the_steps_say_what_they_do():
    run = computed(**SCREEN, **ALL | {"kv_cache": "off"}, positions="alibi", mask="causal")
    said = [telling.sentence(run, told, 3) for told in range(1, len(telling.STEPS) + 1)]
    q, k = (run.trace.before("scores", letter).of(head=0) for letter in "QK")
    scaled = (q @ k.T)[3] / 6**0.5
    best = int(scaled.argmax())
    capped = 2 * (scaled / 2).tanh()
    biased = capped - (3 - torch.arange(5)).abs() / 4
    powers = biased[:4].exp()
    share = powers / (powers.sum() + torch.e)
    assert say("told.shared", heads=4, kv_heads=2, group=2) in said[1]
    assert say("told.normed") in said[1]
    assert say("told.softcapped", cap="2", after=fixed(capped[best])) in said[3]
    assert say("told.biased", bias=fixed(-abs(3 - best) / 4), after=fixed(biased[best])) in said[3]
    assert fixed(share.max()) in said[5]
    assert f"{fixed(share.sum())}, and {fixed(1 - share.sum())}" in said[5]
    turned = telling.sentence(computed(**SCREEN, positions="rotary", last=2), 2, 1)
    assert say("told.rotated", word=say("note.named", token="five"), position=4) in turned
    after = computed(**SCREEN, kv_cache="2")
    assert say("told.cached", cached=3) in telling.sentence(after, 2, 1)
    words = {"words": 5, "new": 2, "features": 22}
    assert telling.sentence(after, 1, 1) == say("told.x_new", word=say("note.named", token="five"), **words)


def test_switching_one_on_leads_to_weights_that_take_it():
    at = app(None)
    widget(at, "qk_norm").set_value(True).run()
    assert held(at)["preset"] == "random"
    assert no_exception(at)
    at = app(None, preset="story")
    widget(at, "positions").set_value("learned").run()
    assert held(at)["preset"] == "random"
    assert no_exception(at)
