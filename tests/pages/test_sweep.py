"""No combination of the controls breaks a page or puts a NaN into the record."""

import itertools
from collections.abc import Iterator
from random import Random
from typing import Any

import numpy as np
import pytest
import torch
from numpy.testing import assert_allclose
from torch.nn.functional import scaled_dot_product_attention

from attention import Trace
from attention.inputs.edits import MATRICES
from attention.masks import CORNERS, MASKS
from pages.shell.state.config import ALL_UPDATES, KNOBS, SCALES
from pages.shell.state.typed_numbers import PRESETS
from tests.support.app import HOME, app, computed, edited, figures, no_exception, recorded
from tests.support.covering import EVERY_TEST, EXHAUSTIVE

# The letters in the order of the code for painted cells.
ALPHABET = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_"
TEXTS = (
    "alone",
    "one two three four five six seven",
    "\n".join(" ".join(["word"] * n) for n in (7, 1, 2, 13, 3, 5, 11, 4)),
    "\n".join(" ".join(f"w{i}" for i in range(n)) for n in (64, 1)),
    " ".join(["same"] * 64),
    "[PAD]\n[PAD] [PAD]\n猫 坐 🦊 <b>",
)
PRODUCT = {
    "scale": SCALES,
    "dropout": (0.0, 0.3, 0.9),
    "positions": KNOBS["positions"].options,
}
# Each combination of the controls above gets random values of these: the ends of the limits, and a few between.
DRAWN = {
    "text": TEXTS,
    "last": (0, 0, 1, 3, 64),
    "corner": CORNERS,
    "padding": (True, False),
    # One cell, every cell of the first row, and the two ends of the largest square.
    "painted": ("", "", "", "AA", "".join("A" + c for c in ALPHABET), "A___"),
    # The place that every matrix has, a square, and the last places, which hardly any matrix has.
    "edited": (
        "",
        "",
        edited(*PRESETS, **dict.fromkeys(MATRICES, ((0, 0, 0, -2.5),))),
        edited(*PRESETS, w_k=tuple((0, i, j, (i - j) / 4) for i in range(5) for j in range(5))),
        edited(*PRESETS, x=((7, 15, 15, 3.0), (0, 2, 1, 1e-30)), w_q=((15, 15, 15, 3.0),)),
    ),
    "d_model": ("1", "2", "5", "7", "16", "33", "64", "96", "512"),
    "heads": (1, 2, 3, 5, 7, 11, 16),
    "d_k": ("auto", "auto", "auto", "1", "7", "13", "64", "512"),
    "d_v": ("auto", "auto", "auto", "1", "5", "11", "64", "512"),
    "bias": (False, True),
    "width": (1, 2, 3, 64),
    "length": (0, 1, 5, 64),
    "seed": (0, 1, 9999),
    "sentence": (1, 2, 8),
    "head": (1, 2, 16),
    "mode": ("training", "training", "inference"),
    "draw": (0, 0, 7, 9999),
    "trained": (False, True),
    "updates": ("0", "100", ALL_UPDATES, ALL_UPDATES),
    "trained_p": ("auto", "auto", "0", "0.3"),
    # Existing heads, all heads, a missing head, and one that repeats.
    "heads_off": ("", "", "", "1", "3,1,2", "16", "5,7,5"),
    "d_out": ("auto", "1", "7", "64"),
    "kv_heads": ("auto", "auto", "1", "2", "8"),
    "qk_norm": (False, True),
    "softcap": ("off", "off", "0.5", "50"),
    "sink": ("off", "off", "0", "5"),
    "kv_cache": ("off", "off", "1", "4"),
}


def links(preset: str, mask: str) -> Iterator[dict[str, Any]]:
    """Every combination of PRODUCT, twice with EXHAUSTIVE=2; the same ones in every process."""
    random = Random(f"{preset} {mask}")
    for values in [*itertools.product(*PRODUCT.values())] * (2 if EXHAUSTIVE else 1):
        drawn = {name: random.choice(options) for name, options in DRAWN.items()}
        yield {"preset": preset, "mask": mask} | dict(zip(PRODUCT, values, strict=True)) | drawn


each_combination = pytest.mark.parametrize(
    ("preset", "mask"), [(preset, mask) for preset in KNOBS["preset"].options for mask in MASKS]
)


@each_combination
def test_every_setting_gives_finite_numbers_those_of_torch_and_rows_that_sum_to_one(preset, mask):
    # The fast form takes every fifth link in turn. No count of options has a factor of five, so each is among them.
    first = 0 if EVERY_TEST else (KNOBS["preset"].options.index(preset) + tuple(MASKS).index(mask)) % 5
    for link in itertools.islice(links(preset, mask), first, None, 1 if EVERY_TEST else 5):
        trace = computed(**link).trace
        nothing_is_a_nan(trace, link)
        torch_makes_the_same_output(trace, link)
        rows_sum_to_one_or_see_nothing(trace, link)


def nothing_is_a_nan(trace: Trace, link: dict[str, Any]) -> None:
    for id, step in trace.items():
        finite = step.value.isfinite()
        if id == "masked":
            assert torch.equal(finite, trace["mask"].value), link
            assert (step.value[~finite] == -torch.inf).all(), link
        else:
            assert finite.all(), (id, link)


def torch_makes_the_same_output(trace: Trace, link: dict[str, Any]) -> None:
    turned = next((kind for kind in ("_rotated", "_normed") if f"queries{kind}" in trace), "")
    q, k, v = (trace[id].value for id in (f"queries{turned}", f"keys{turned}", "values"))
    if "keys_joined" in trace:
        k, v = trace["keys_joined"].value, trace["values_joined"].value
    k, v = (part.repeat_interleave(q.shape[1] // part.shape[1], 1) for part in (k, v))
    mask = trace["mask"].value if "mask" in trace else None
    if "bias" in trace:
        bias = trace["bias"].value.expand(*q.shape[:-1], k.shape[-2])
        mask = bias if mask is None else bias.masked_fill(~mask, -torch.inf)
    scale = {
        "sqrt_d_k": q.shape[-1] ** -0.5,
        "none": 1.0,
        "d_k": 1 / q.shape[-1],
        "sqrt_d_model": trace["x"].sizes["model"] ** -0.5,
    }[link["scale"]]
    if "dropped" in trace:
        expected = trace["dropped"].value @ v
        torch.testing.assert_close(
            trace["dropped"].value,
            trace["weights"].value * trace["kept"].value / (1 - link["dropout"]),
            msg=lambda text: f"{link}: {text}",
        )
    elif "sink" in trace or "softcapped" in trace:
        expected = weights_by_hand(trace, q @ k.mT * scale, mask, link) @ v
    else:
        expected = scaled_dot_product_attention(q, k, v, attn_mask=mask, scale=scale)
    torch.testing.assert_close(
        trace["output"].value,
        expected,
        rtol=1e-4,
        atol=1e-4 * v.abs().max().item(),
        msg=lambda text: f"{link}: {text}",
    )


def weights_by_hand(
    trace: Trace, scores: torch.Tensor, mask: torch.Tensor | None, link: dict[str, Any]
) -> torch.Tensor:
    """exp(s - log sum exp): torch has no function with a cap or a sink. The record gives only the trained sink."""
    if link["softcap"] != "off":
        scores = float(link["softcap"]) * (scores / float(link["softcap"])).tanh()
    if mask is not None:
        scores = scores.masked_fill(~mask, -torch.inf) if mask.dtype == torch.bool else scores + mask
    summed = scores
    if link["sink"] != "off":
        summed = torch.nn.functional.pad(scores, (0, 1), value=float(link["sink"]))
    # For a query that may attend to nothing, minus infinity less itself is NaN, and its weights are 0.
    return (scores - summed.logsumexp(-1, keepdim=True)).exp().nan_to_num(0)


def rows_sum_to_one_or_see_nothing(trace: Trace, link: dict[str, Any]) -> None:
    weights = trace["weights"].value
    seen = trace["mask"].value.any(-1) if "mask" in trace else torch.ones_like(weights[..., 0], dtype=torch.bool)
    if "sink" in trace:
        assert (weights.sum(-1) <= seen.float() + 1e-5).all(), link
    else:
        torch.testing.assert_close(weights.sum(-1), seen.float(), rtol=0, atol=1e-5)
    if "dropped" not in trace:
        assert trace["output"].value[~seen].count_nonzero() == 0, link


@pytest.mark.parametrize(
    ("preset", "mask"),
    [
        (preset, mask)
        for turn, preset in enumerate(KNOBS["preset"].options)
        for place, mask in enumerate(MASKS)
        if EVERY_TEST or (turn + place) % 2 == 0
    ],
)
def test_the_page_shows_what_was_computed(preset, mask):
    """Some of the settings, through the page: nothing raises, and only hidden cells are not numbers."""
    for link in itertools.islice(links(preset, mask), tuple(MASKS).index(mask), None, 11 if EXHAUSTIVE else 23):
        shown = computed(**link)
        # Other tests open links to missing heads and sentences, so these are limited to existing ones.
        there = {"sentence": len(shown.inputs.tokens), "head": shown.module.heads}
        link |= {name: min(link[name], count) for name, count in there.items()}
        at = app(HOME, **link)
        assert no_exception(at), link
        for id, sent in figures(at).items():
            hidden = np.isnan(sent.z)
            assert "hidden" in sent.rest or not hidden.any(), (id, link)
            rows, columns = sent.z.shape
            expected = recorded(shown, id)[:rows, :columns][~hidden]
            assert_allclose(sent.z[~hidden], expected, rtol=1e-4, atol=1e-6, err_msg=f"{id} {link}")


@pytest.mark.parametrize("name", DRAWN)
def test_the_sweep_meets_every_value(name):
    assert {link[name] for mask in MASKS for link in links("random", mask)} == set(DRAWN[name])


def test_the_sweep_leaves_out_no_control():
    assert {*PRODUCT, *DRAWN, "preset", "mask", "device", "tensors"} == set(KNOBS)


@pytest.mark.parametrize(
    ("text", "scale"),
    [
        pytest.param(text, scale, id=f"{text[:12]!r}-{scale}")
        for place, text in enumerate(TEXTS)
        for turn, scale in enumerate(SCALES)
        if EXHAUSTIVE or (place - turn) % 3 == 0
    ],
)
def test_every_text_is_shown_at_every_scale(text, scale):
    assert no_exception(app(HOME, preset="random", text=text, scale=scale, mask="full", dropout=0.3, sentence=8))
