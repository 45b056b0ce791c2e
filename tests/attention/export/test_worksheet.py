"""A student can compute the blanks of a sheet by hand, and the key has the numbers of torch."""

import math

import pytest
import torch
from torch.nn import functional as F

from attention.export.worksheet import D_K, D_MODEL, MOST_TOKENS, NAMES, sheet
from attention.masks import MASKS, grid
from attention.scales import SCALES
from tests.support import CLOSE, refused

NUMBERS = (*range(40), 9999)
EXACT = CLOSE[torch.float64]
WHOLE = ("x", "w_q", "w_k", "w_v", "queries", "keys", "values", "scores")
LATER = ("scores", "scaled", "masked", "weights", "output")
each_size = pytest.mark.parametrize("tokens", range(1, MOST_TOKENS + 1))
each_scale = pytest.mark.parametrize("scale", NAMES)
each_mask = pytest.mark.parametrize("mask", MASKS)


def masked(name: str, number: int = 0, scale: str = "sqrt_d_k"):
    return sheet(number, 3, mask=grid(name, 3, 3, **dict.fromkeys(MASKS[name].parameters, 1)), scale=scale)


@each_size
def test_all_up_to_the_scores_are_small_whole_numbers(tokens):
    for number in NUMBERS:
        trace = sheet(number, tokens).trace
        for id in WHOLE:
            values = trace[id].of()
            assert torch.equal(values, values.round())
            assert values.abs().max() <= (2 if id[:2] in ("x", "w_") else 40), id


def test_the_words_of_a_sheet_have_negative_features_too():
    features = {number for sheets in NUMBERS for number in sheet(sheets, 3).trace["x"].of().flatten().tolist()}
    assert features == {-1, 0, 1, 2}


@each_scale
@each_mask
def test_the_answers_are_those_of_torch(mask, scale):
    one = masked(mask, number=5, scale=scale)
    values = {id: step.of() for id, step in one.trace.items()}
    for letter, id in zip("qkv", ("queries", "keys", "values"), strict=True):
        torch.testing.assert_close(values[id], values["x"] @ values[f"w_{letter}"], **EXACT)
    attended = F.scaled_dot_product_attention(
        values["queries"], values["keys"], values["values"], values["mask"], scale=SCALES[scale](D_K, D_MODEL, 1)
    )
    torch.testing.assert_close(values["output"], attended, **EXACT)


@each_size
def test_a_number_is_one_sheet_and_no_other_has_the_same_numbers(tokens):
    def given(number):
        trace = sheet(number, tokens).trace
        return tuple(tuple(trace[id].of().flatten().tolist()) for id in WHOLE[:4])

    assert [given(number) for number in NUMBERS] == [given(number) for number in NUMBERS]
    assert len({given(number) for number in NUMBERS}) == len(NUMBERS)


@each_mask
def test_mask_and_scale_leave_the_numbers_of_a_sheet_as_they_are(mask):
    plain, other = sheet(3, 3), masked(mask, number=3, scale="none")
    for id in WHOLE:
        torch.testing.assert_close(other.trace[id].value, plain.trace[id].value, rtol=0, atol=0)


def test_no_row_is_alike_and_none_is_beyond_two_decimals():
    for number in NUMBERS:
        trace = sheet(number, 3).trace
        scores = trace["scores"].of()
        spread = scores.amax(-1) - scores.amin(-1)
        assert 1 <= spread.min() <= spread.max() <= 8
        assert len(trace["values"].of().unique(dim=0)) == 3


@each_size
def test_there_is_something_to_find_in_every_step_and_nothing_is_told_by_a_later_one(tokens):
    for number in NUMBERS:
        one = sheet(number, tokens, mask=grid("causal", tokens, tokens))
        assert set(one.blank) == {"queries", "keys", "values", *LATER}
        assert all(blank.any() and blank.shape == one.trace[id].of().shape for id, blank in one.blank.items())
        rows = [one.blank[id].all(-1).tolist() for id in LATER]
        assert all(row == [at != one.worked for at in range(tokens)] for row in rows)
        if one.worked is not None:
            # The query of the worked example is given, so that a student can follow the example from there.
            assert not one.blank["queries"][one.worked].any()


def test_the_example_is_a_query_that_has_a_choice():
    worked = [masked("causal", number) for number in NUMBERS]
    assert {one.worked for one in worked} == {1, 2}
    assert {masked("window", number).worked for number in NUMBERS} == {0, 1, 2}


def test_a_single_query_is_no_example():
    assert sheet(0, 1).worked is None


@each_scale
def test_the_powers_are_all_that_a_softmax_needs(scale):
    for number in NUMBERS:
        one = sheet(number, 3, scale=scale)
        scaled, powers = one.trace["scaled"].of(), torch.tensor(one.powers, dtype=torch.float64)
        torch.testing.assert_close(powers[:, 1], powers[:, 0].exp(), **EXACT)
        needed = (scaled - scaled.amax(-1, keepdim=True)).flatten()
        assert (needed[:, None] - powers[None, :, 0]).abs().amin(-1).max() < 1e-12


def test_with_the_rounded_powers_a_student_comes_within_the_second_decimal():
    """The student writes down two decimals at every step."""
    furthest = {"weights": 0.0, "output": 0.0}
    for number in NUMBERS:
        trace = sheet(number, 3).trace
        scaled = trace["scaled"].of()
        powers = (scaled - scaled.amax(-1, keepdim=True)).exp().round(decimals=2)
        weights = (powers / powers.sum(-1, keepdim=True)).round(decimals=2)
        output = (weights @ trace["values"].of()).round(decimals=2)
        for id, by_hand in (("weights", weights), ("output", output)):
            furthest[id] = max(furthest[id], (by_hand - trace[id].of()).abs().max().item())
    assert 0.005 < furthest["weights"] < 0.02
    assert 0.005 < furthest["output"] < 0.1


@pytest.mark.parametrize("softcap", [None, 2.0])
@pytest.mark.parametrize(("slope", "sink"), [(None, 1.0), (0.25, None), (0.25, -1.0)])
def test_what_later_models_changed_is_that_of_torch_and_can_be_looked_up(softcap, slope, sink):
    for number in NUMBERS[:7]:
        one = sheet(number, 3, mask=grid("causal", 3, 3), softcap=softcap, slope=slope, sink=sink)
        values = {id: step.of() for id, step in one.trace.items()}
        for id in WHOLE:
            torch.testing.assert_close(values[id], sheet(number, 3).trace[id].of(), rtol=0, atol=0)
        scores = values["queries"] @ values["keys"].T / D_K**0.5
        if softcap:
            capped = torch.tensor(one.capped, dtype=torch.float64)
            torch.testing.assert_close(capped[:, 1], softcap * (capped[:, 0] / softcap).tanh(), **EXACT)
            assert (scores.flatten()[:, None] - capped[:, 0]).abs().amin(-1).max() < 1e-9
            scores = softcap * (scores / softcap).tanh()
        if slope:
            at = torch.arange(3.0)
            scores = scores - slope * (at[:, None] - at).abs()
        scores = scores.masked_fill(~grid("causal", 3, 3), -math.inf)
        # A sink is a key whose value is zero.
        more = scores if sink is None else F.pad(scores, (0, 1), value=sink)
        torch.testing.assert_close(values["output"], more.softmax(-1)[:, :3] @ values["values"], **EXACT)
        needed = more - more.amax(-1, keepdim=True)
        powers = torch.tensor(one.powers, dtype=torch.float64)
        torch.testing.assert_close(powers[:, 1], powers[:, 0].exp(), **EXACT)
        assert (needed[needed.isfinite()][:, None] - powers[:, 0]).abs().amin(-1).max() < 1e-9
        asked = {*LATER, *(["softcapped"] if softcap else []), *(["biased"] if slope else [])}
        assert asked <= set(one.blank)


def test_a_query_that_may_attend_to_nothing_is_on_the_sheet_with_zeros():
    mask = torch.ones(3, 3, dtype=torch.bool)
    mask[1] = False
    one = sheet(0, 3, mask=mask)
    assert one.worked != 1
    assert (one.trace["masked"].of()[1] == -math.inf).all()
    assert not one.trace["weights"].of()[1].any()


@pytest.mark.parametrize(
    ("tokens", "scale", "text"),
    [
        (0, "none", "tokens must lie between 1 and 3, got 0"),
        (4, "none", "tokens must lie between 1 and 3, got 4"),
        (3, "d_v", "unknown scale 'd_v'; one of none, sqrt_d_k, d_k, sqrt_d_model"),
    ],
)
def test_what_no_sheet_can_have_is_refused(tokens, scale, text):
    with refused(text):
        sheet(0, tokens, scale=scale)
