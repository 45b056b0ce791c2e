"""Every page, found in its folder, runs, and draws exactly the numbers that the package computes."""

import json
from functools import cache
from itertools import chain

import numpy as np
import pytest
import streamlit as st
import torch
from numpy.testing import assert_allclose, assert_array_equal
from streamlit.testing.v1 import AppTest
from torch.nn.functional import scaled_dot_product_attention

from attention.figures import LIMIT
from attention.inputs.presets import STORY
from pages.shell.runs.run import Run
from pages.shell.state.config import KNOBS, LEARNED
from tests.support.app import HOME, MAP, PAGES, app, cards, computed, edited, figures, no_exception, recorded

pytestmark = pytest.mark.usefixtures("one_step_a_run")
SENTENCES = "one two three four five six\nseven, eight\n[PAD]\nnine"
# Sizes are pairwise distinct primes, so that no matrix can stand in for another.
PRIMES = {"preset": "random", "text": SENTENCES, "heads": 3, "d_model": 33, "d_k": 13, "d_v": 7}
TYPED = ((0, 1, 2, 3.0), (1, 2, 12, -0.3), (2, 7, 5, 1000.0))
LINKS = {
    "default": {},
    "learned, masked afterwards": {"mask": "causal", "afterwards": True, "heads_off": "2,3"},
    "another draw": {"dropout": 0.3, "draw": 5, "heads": 2},
    "story": {"preset": "story"},
    "story without positions": {"preset": "story", "positions": "none"},
    "story with sinusoids, full": {"preset": "story", "positions": "sinusoidal", "mask": "full"},
    "notebook": {"preset": "notebook", "mask": "full"},
    "token by token": {"preset": "token_by_token", "mask": "full", "last": 1},
    "random": {"preset": "random"},
    "every step": PRIMES | {"bias": True, "dropout": 0.3, "last": 5, "scale": "d_k", "head": 2},
    "second sentence, third head": PRIMES | {"sentence": 2, "head": 3},
    "padding in sight": PRIMES | {"padding": False, "mask": "full", "sentence": 4},
    "padding hidden, no other mask": PRIMES | {"mask": "full", "sentence": 2},
    "rows that see nothing": PRIMES | {"mask": "window", "width": 1, "sentence": 2},
    "upper left corner": PRIMES | {"last": 3},
    "lower right corner": PRIMES | {"last": 3, "corner": "lower_right"},
    "prefix": PRIMES | {"mask": "prefix", "length": 3},
    "sliding window": PRIMES | {"mask": "causal & window", "width": 3},
    "painted": PRIMES | {"painted": "ABBABBCA"},
    "painted over nothing": PRIMES | {"mask": "full", "painted": "ABCD__"},
    "typed over": PRIMES | {"bias": True, "head": 2, "edited": edited(x=TYPED, w_q=TYPED, b_k=((1, 0, 3, 2.5),))},
    "the story typed over": {
        "preset": "story",
        "edited": edited("story", x=((0, 3, 7, -2.5),), w_o=((0, 2, 13, 0.1),)),
    },
    "nothing of it is there": {"preset": "notebook", "edited": edited("notebook", x=((0, 15, 15, 1.0),))},
    "unscaled": PRIMES | {"scale": "none"},
    "the common bug": PRIMES | {"scale": "sqrt_d_model"},
    "inference": PRIMES | {"dropout": 0.5, "mode": "inference"},
    "much dropout": PRIMES | {"dropout": 0.9, "seed": 3},
    "heads that do not divide": {"preset": "random", "d_model": 17, "heads": 5, "d_out": 7},
    "more heads than features": {"preset": "random", "d_model": 1, "heads": 16},
    "a single token": {"preset": "random", "text": "alone"},
    "no token": {"preset": "random", "text": "   "},
    "large": {"preset": "random", "text": "\n".join([" ".join(map(str, range(64)))] * 8), "d_model": 512, "heads": 16},
    "wide": {"preset": "random", "d_model": 512, "d_k": 320, "d_v": 384, "heads": 2, "bias": True},
    "too many": {"preset": "random", "text": "\n".join([" ".join(map(str, range(70)))] * 9), "mask": "full"},
}
each_link = pytest.mark.parametrize("link", LINKS)


@cache
def opened(link: str) -> AppTest:
    """The walkthrough, run once a link for all tests that only look."""
    return app(HOME, **LINKS[link])


@cache
def expected_run(link: str) -> Run:
    return computed(**LINKS[link])


def test_the_frame_knows_every_page_and_no_other(monkeypatch):
    given = []
    navigation = st.navigation
    monkeypatch.setattr(
        st, "navigation", lambda menu, **options: given.extend(chain(*menu.values())) or navigation(menu, **options)
    )
    no_exception(app())
    assert sorted(page._page.stem for page in given) == PAGES
    assert [page._page.stem for page in given if page._default] == [HOME]


# The other pages read the same record, and draw fewer figures of it: they see each kind of screen once.
KINDS = [
    "default",
    "story",
    "notebook",
    "every step",
    "rows that see nothing",
    "painted",
    "typed over",
    "heads that do not divide",
    "more heads than features",
    "a single token",
    "no token",
    "large",
    "too many",
]


@pytest.mark.parametrize(
    ("page", "link"), [(page, link) for page in PAGES for link in (LINKS if page == HOME else KINDS)]
)
def test_a_page_runs(page, link):
    at = app(page, **LINKS[link])
    assert no_exception(at)
    assert at.title or at.header or at.subheader


@each_link
def test_the_walkthrough_draws_every_step_as_it_was_recorded(link):
    shown, drawn = expected_run(link), figures(opened(link))
    maps = {f"{MAP}{head + 1}" for head in range(shown.module.heads) if shown.config.preset == LEARNED}
    assert set(drawn) == {id for id, step in shown.trace.items() if step.axes} | maps
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
            assert not recorded(shown, "mask")[hidden].any(), id
            # To keep or to drop a weight of zero makes no difference, and the figure says neither.
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


@each_link
def test_torch_makes_the_drawn_output_of_the_drawn_queries_keys_and_values(link):
    """Nothing but what was sent: a wrong head, sentence or mask on the way to the screen is seen here."""
    shown, drawn = expected_run(link), figures(opened(link))
    if any("size" in drawn[id].rest for id in ("queries", "keys", "values")):
        assert max(shown.module.d_k, shown.module.d_v) > LIMIT
        return
    q, k, v = (torch.tensor(drawn[id].z) for id in ("queries", "keys", "values"))
    mask = torch.tensor(drawn["mask"].z) > 0 if "mask" in drawn else None
    if "dropped" in drawn:
        expected = torch.tensor(np.nan_to_num(drawn["dropped"].z)) @ v
    else:
        scale = shown.trace["scale"].value.item() if "scale" in shown.trace else None
        expected = scaled_dot_product_attention(q[None], k[None], v[None], attn_mask=mask, scale=scale)[0]
    torch.testing.assert_close(torch.tensor(drawn["output"].z), expected, rtol=1e-5, atol=1e-5)
    weights = torch.tensor(np.nan_to_num(drawn["weights"].z))
    torch.testing.assert_close(weights.sum(-1), torch.ones(len(weights)) if mask is None else mask.any(-1).float())


@each_link
def test_no_drawn_number_exceeds_its_range_and_scores_share_theirs(link):
    drawn = figures(opened(link))
    for id, sent in drawn.items():
        low, high = sent.rest["range"]
        # The ends travel with six digits.
        assert low <= np.nanmin(sent.z, initial=np.inf) + 1e-5 * abs(low), id
        assert np.nanmax(sent.z, initial=-np.inf) <= high + 1e-5 * abs(high), id
    assert len({tuple(drawn[id].rest["range"]) for id in ("scores", "scaled", "masked") if id in drawn}) == 1


@each_link
def test_the_axes_carry_the_tokens_of_the_sentence(link):
    shown = expected_run(link)
    (sent,) = [payload["labels"] for payload in payloads(opened(link)) if "labels" in payload]
    tokens = shown.inputs.tokens[min(LINKS[link].get("sentence", 1), len(shown.inputs.tokens)) - 1]
    queries = min(LINKS[link].get("last", 0), len(tokens)) or len(tokens)
    assert {axis: tuple(sent.pop(axis)) for axis in ("query", "key")} == {"query": tokens[-queries:], "key": tokens}
    # Beside them, the features of a preset that somebody built.
    assert {axis: len(names) for axis, names in sent.items()} == {axis: len(of) for axis, of in shown.names.items()}


def payloads(at) -> list[dict]:
    return [json.loads(component.proto.json) for component in at.get("bidi_component")]


@pytest.mark.parametrize("link", ["default", "every step", "second sentence, third head"])
def test_equal_stamps_mean_equal_pictures(link):
    """The browser redraws by the stamp alone."""
    seen: dict[tuple[str, str], tuple] = {}
    for other in ({}, {"seed": 5}, {"dropout": 0.4}, {"head": 2}):
        for id, sent in figures(app(HOME, **LINKS[link] | other)).items():
            picture = (sent.rest["z"], tuple(sent.rest["range"]))
            assert seen.setdefault((id, sent.rest["stamp"]), picture) == picture


def test_a_figure_that_is_drawn_twice_says_the_same_twice():
    drawn = cards(app(HOME, dropout=0.3))
    twice = {id for chapter in drawn.values() for id in chapter if sum(id in other for other in drawn.values()) > 1}
    assert twice >= {"weights"}
    for id in twice:
        assert len({json.dumps(chapter[id].rest) for chapter in drawn.values() if id in chapter}) == 1


def test_numbers_do_not_depend_on_who_asked_before():
    first = figures(app(HOME, preset="random", dropout=0.3))
    for link in ({"preset": "notebook"}, {"preset": "random", "seed": 9, "dropout": 0.5}, {"positions": "sinusoidal"}):
        app(HOME, **link)
    again = figures(app(HOME, preset="random", dropout=0.3))
    for id, sent in first.items():
        assert_allclose(again[id].z, sent.z, rtol=1e-4, atol=1e-6, err_msg=id)


def test_running_a_page_leaves_the_shared_generator_alone():
    before = torch.get_rng_state()
    app(HOME, preset="random", dropout=0.3, bias=True)
    torch.testing.assert_close(torch.get_rng_state(), before, rtol=0, atol=0)


@pytest.mark.parametrize("dropout", [0.1, 0.3, 0.9])
def test_dropout_keeps_what_the_keep_mask_says_and_scales_it_up(dropout):
    drawn = figures(app(HOME, preset="random", text=" ".join(map(str, range(31))), mask="full", dropout=dropout))
    kept, weights, dropped = (drawn[id].z for id in ("kept", "weights", "dropped"))
    assert_allclose(dropped, weights * kept / (1 - dropout), rtol=1e-5, atol=1e-7)
    assert abs(kept.mean() - (1 - dropout)) < 0.06


def test_the_story_is_the_text_of_the_random_preset_too():
    assert [" ".join(sentence) for sentence in computed(preset="random").inputs.tokens] == [STORY]


@pytest.mark.parametrize("name", KNOBS)
def test_the_sweep_of_links_touches_every_control(name):
    # `device` has one value on most machines; `seed` is one of the numbers above.
    assert name == "device" or any(name in link for link in LINKS.values())
