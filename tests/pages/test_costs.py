"""The page on costs: its numbers are those of the formulas, and measured numbers are drawn with their spread."""

from functools import cache

import numpy as np
import pytest
from streamlit.testing.v1 import AppTest

from attention.analysis import costs
from attention.analysis.costs import MODELS, Layer
from attention.experiments.measured_costs import PATHS
from pages.shell.i18n import say
from pages.shell.state.todays_controls import Costs
from pages.shell.views import VIEWS, answered
from pages.shell.views.costs import measured
from pages.shell.views.costs.measured import Effort
from tests.pages.test_masks import table
from tests.support.app import app, charts, linked, markdown, no_exception
from tests.support.numbers import numbers


@cache
def opened() -> AppTest:
    return app("costs", cost_n="1024")


def crossings(at) -> dict[str, list[float]]:
    rows = table(at, say("costs.column.projections"))[2:]
    return {name: [float(cell.replace(",", "").rstrip("%")) for cell in cells[:4]] for name, *cells in rows}


def test_the_square_overtakes_where_the_reference_says():
    found = crossings(opened())
    assert found[say("choice.cost_model.gpt2")] == [1536, 4608, 18, 10]
    assert found[say("choice.cost_model.llama3")][:2] == [5120, 26_624]


def test_ones_own_sizes_are_those_of_the_screen():
    at = app("costs", preset="random", d_model=48, heads=3, d_k=32, d_v=8, cost_model="own", cost_n=4096)
    layer = Layer(48, 3, 32, d_v=8, hidden=4 * 48)
    assert crossings(at)[say("choice.cost_model.own")][:2] == pytest.approx(
        [costs.overtakes_projections(layer), costs.overtakes_layer(layer)], abs=0.5
    )
    drawn = charts(at)["costs-parts"]["series"][say("costs.part.pairs")]
    expected = [costs.pairs(layer, int(n)) for n in drawn["x"]]
    np.testing.assert_allclose(drawn["y"], expected, rtol=1e-6)


def test_the_sizes_of_the_screen_are_told_only_where_they_are_counted():
    view = VIEWS["costs.ledger"]
    [line, *_] = view.blocks(linked("costs", cost_model="own"))
    # The line gives d_model, but not n: the slider sets n, not the sentence.
    assert "d_model" in line["sizes"]["markdown"]
    assert "n **" not in line["sizes"]["markdown"]
    assert not view.blocks(linked("costs"))


def test_the_curves_are_the_formulas():
    series = charts(opened())["costs-parts"]["series"]
    for name in ("pairs", "projections", "feed_forward", "linear"):
        drawn = series[say(f"costs.part.{name}")]
        expected = [getattr(costs, name)(MODELS["gpt2"], int(n)) for n in drawn["x"]]
        np.testing.assert_allclose(drawn["y"], expected, rtol=1e-6)


def test_what_is_measured_has_its_spread_and_the_fused_path_keeps_no_scores():
    found = charts(opened())
    for path in PATHS:
        drawn = found["costs-time-n"]["series"][say(f"costs.path.{path}")]
        assert (drawn["low"] <= drawn["y"] * (1 + 1e-6)).all()
        assert (drawn["y"] <= drawn["high"] * (1 + 1e-6)).all()
    memory = {path: found["costs-memory"]["series"][say(f"costs.path.{path}")] for path in PATHS}
    n = memory["plain"]["x"].astype(int)
    scores = np.array([costs.scores_bytes(2, length, 4) for length in n])
    assert (memory["plain"]["y"] >= 2 * scores).all()
    assert (memory["recorded"]["y"] >= 4 * scores).all()
    assert memory["fused"]["y"][-1] < memory["plain"]["y"][-1]


def test_more_is_measured_when_it_is_asked_for_and_stopped_again(monkeypatch):
    monkeypatch.setattr(measured, "OPENING", Effort(32, 30.0, 3))
    monkeypatch.setattr(measured, "ASKED", Effort(64, 30.0, 3))
    monkeypatch.setattr(measured, "_D_KS", (8,))
    monkeypatch.setattr(measured, "_HEADS", (1,))
    at = app("costs", cost_heads=1, cost_d_k=8)

    def longest() -> int:
        assert no_exception(at)
        return int(max(charts(at)["costs-memory"]["series"][say("costs.path.plain")]["x"]))

    # The curve over d_k uses one size with more tokens.
    assert longest() == measured._N_OF_D_K
    monkeypatch.setattr(measured, "_N_OF_D_K", 16)
    monkeypatch.setattr(measured, "_N_OF_HEADS", 16)
    at.button(key="costs-start").click().run()
    assert longest() == 64
    at.button(key="costs-stop").click().run()
    assert longest() == 256


def test_what_there_was_no_time_for_is_said(monkeypatch):
    monkeypatch.setattr(measured, "OPENING", Effort(512, 1e-9, 3))
    at = app("costs", cost_heads=4, cost_d_k=8)
    assert no_exception(at)
    sizes = len(measured.sizes(Costs(cost_heads="4", cost_d_k="8")))
    said = say("costs.measured.left_out", count=sizes - 1, all=sizes, seconds="0")
    assert said in [text.value for text in markdown(at)]


def test_figures_wait_for_what_nobody_has_measured():
    """Nobody has measured this lap, so no number is shown."""
    found = answered("costs", ["costs.times", "costs.shares"], {"cost_lap": "999", "cost_heads": "4"}, "en")["views"]
    assert found["costs.times"] == {"pending": True}
    assert "stamp" in found["costs.shares"]


@pytest.mark.parametrize("n", [16, 1024, 131_072])
@pytest.mark.parametrize("model", ["gpt2", "llama3"])
def test_areas_are_operations(model, n):
    """At every length, a block is as high as the text, and as wide as its columns. In GPT-2 small, the projections cost
    as much as 2 d_model columns of the pairs, and the feed-forward part as much as 4."""
    drawn, layer = the_sheet(cost_model=model, cost_n=str(n))["sheet"], MODELS[model]
    counts = np.array([costs.pairs(layer, n), costs.projections(layer, n), costs.feed_forward(layer, n)])
    areas = drawn["n"] * np.array(drawn["columns"])
    np.testing.assert_allclose(areas / areas.sum(), counts / counts.sum(), rtol=1e-5)
    assert drawn["columns"][0] == drawn["n"] == n
    if model == "gpt2":
        assert drawn["columns"][1:] == [2 * 768, 4 * 768]


# In these layers, pairs take half at 48 and 192 tokens.
TOYS = [{"cost_model": "own", "preset": "random", "heads": 1, "d_model": d, "d_k": d, "d_v": d} for d in (8, 32)]


@pytest.mark.parametrize("sent", [{"cost_model": name} for name in (*MODELS, "own")] + TOYS, ids=str)
def test_the_scale_changes_seldom_and_where_it_does_the_picture_before_is_framed(sent):
    """The page is about growth, which a picture that is redrawn at each n in the same size does not show. Near the
    length where pairs take half, more work is drawn as more. The first scale has room for the whole width of a
    layer."""
    seen = [the_sheet(**sent, cost_n=str(2**exponent)) for exponent in range(4, 18)]
    scales = [card["sheet"]["most"] for card in seen]
    changes = [at for at in range(1, len(seen)) if scales[at] != scales[at - 1]]
    assert scales == sorted(scales)
    assert sum(seen[0]["sheet"]["columns"][1:]) <= 4.5 * scales[0]
    assert next(at for at, share in enumerate(seen[0]["sheet"]["over"]) if share >= 0.5) not in changes
    for at in changes:
        # Before the change, the text filled the part that is framed now.
        assert seen[at]["sheet"]["before"] == scales[at - 1] == 2 ** (3 + at)
        # The words of the frame name its length.
        assert numbers(seen[at]["labels"]["before"])[-1] == 2 ** (3 + at)
        assert scales[at] <= 8 * scales[at - 1]
    assert [card["labels"]["before"] == "" for card in seen] == [scale == scales[0] for scale in scales]


def test_beyond_its_own_context_a_model_is_said_to_have_ended():
    """Nobody runs GPT-2 small with 131,072 tokens; its costs are counted beyond the context that it can read."""
    told = say("costs.sheet.beyond", model=say("choice.cost_model.gpt2"), context="1,024")
    assert told not in the_sheet(cost_n="1024")["note"]
    assert told in the_sheet(cost_n="2048")["note"]
    told = say("costs.sheet.beyond", model=say("choice.cost_model.llama3"), context="8,192")
    assert told not in the_sheet(cost_model="llama3", cost_n="8192")["note"]
    assert told in the_sheet(cost_model="llama3", cost_n="16384")["note"]


def the_sheet(**link) -> dict:
    [block] = VIEWS["costs.sheet"].blocks(linked("costs", **link))
    [card] = block["cards"]
    return card


def test_the_picture_says_at_once_which_part_each_block_is():
    card = the_sheet()
    assert "are 18% of what a layer computes." in card["note"]
    assert [float(one.rstrip("%")) for one in card["labels"]["shares"]] == pytest.approx([18, 27, 55], abs=0.5)


@pytest.mark.parametrize(("n", "grown"), [("16", 2), ("8192", 2.9), ("131072", 3.9)])
def test_twice_the_text_takes_four_times_the_pairs_and_twice_the_rest(n, grown):
    """The page promises this growth; the whole grows by a factor between the two, by the share of the pairs."""
    layer, length = MODELS["gpt2"], int(n)
    labels = the_sheet(cost_n=n)["labels"]
    parts = costs.pairs, costs.projections, costs.feed_forward
    expected = [count(layer, length) / count(layer, length // 2) for count in parts]
    assert [float(one.removeprefix("×")) for one in labels["factors"]] == expected
    assert [labels["once"], labels["half"]] == [f"n = {length:,}", f"n/2 = {length // 2:,}"]
    told = VIEWS["costs.operations"].blocks(linked("costs", cost_n=n))[1]["markdown"]
    takes = numbers(told)[1]
    assert takes == pytest.approx(scaled(sum(count(layer, length) for count in parts) / 2), rel=5e-3)
    assert numbers(labels["grown"]) == [grown, length // 2]


def scaled(count: float) -> float:
    """The number that is written before million, billion and so on."""
    while count >= 1000:
        count /= 1000
    return count


@pytest.mark.parametrize("model", ["gpt2", "llama3"])
def test_the_track_marks_the_n_at_which_the_pairs_take_half(model):
    card = the_sheet(cost_model=model, cost_n="131072")
    drawn = card["sheet"]
    [meeting] = drawn["meetings"]
    [reached] = numbers(meeting["text"])
    layer, n = MODELS[model], int(reached)
    assert costs.pairs(layer, n) == costs.projections(layer, n) + costs.feed_forward(layer, n)
    # The slider has thirteen steps from 16 to 131,072, each of which doubles n.
    assert 16 * 2 ** (13 * meeting["at"]) == pytest.approx(n, rel=1e-3)
    assert drawn["at"] == 1
    step = int(13 * meeting["at"])
    assert drawn["over"][step] < 0.5 < drawn["over"][step + 1]


@pytest.mark.parametrize(("model", "before", "after"), [("gpt2", 4096, 8192), ("llama3", 16_384, 32_768)])
def test_where_the_pairs_take_half_is_told_to_those_who_have_come_there_or_have_guessed(model, before, after):
    """The page asks between which lengths pairs come to half, and a mark before the guess would tell the answer."""
    half = costs.overtakes_layer(MODELS[model])
    assert before < half < after
    far, near = (the_sheet(cost_model=model, cost_n=str(n)) for n in (before, after))
    assert halves(far) == []
    assert half not in numbers(far["note"])
    assert halves(near) == [half]
    assert half in numbers(near["note"])
    assert half in numbers(the_sheet(cost_model=model, cost_n=str(before), guess="costs.smaller")["note"])
    # The reason of a guess is no sentence for a visitor who came there without one.
    guessed = the_sheet(cost_model=model, cost_n=str(after), guess=f"half_{model}.{before}")
    assert near["labels"]["told"] == "" != guessed["labels"]["told"]


def test_the_guess_is_one_of_the_lengths_to_come_and_is_judged_by_the_formulas():
    """The guess is about the layer of the picture; another layer is asked about anew."""
    card = the_sheet(cost_n="512")
    half = costs.overtakes_layer(MODELS["gpt2"])
    zones = card["sheet"]["asked"]
    assert [numbers(zone["text"])[0] for zone in zones] == [2**exponent for exponent in range(9, 17)]
    for zone in zones:
        low, high = (16 * 2 ** (13 * zone[end]) for end in ("start", "end"))
        given = the_sheet(cost_n="512", **zone["sets"])
        found = given["sheet"]["guessed"]
        assert found["verdict"] == ("right" if low < half < high else "wrong")
        assert halves(given) == [half]
        assert given["sheet"]["asked"] == []
        assert found["sets"] == {"guess": ""}
        assert the_sheet(cost_n="512", cost_model="llama3", **zone["sets"])["sheet"]["asked"]


def test_which_layer_is_half_later_is_asked_once_it_is_told_where_this_one_is():
    view = VIEWS["costs.guess_costs"]
    assert not view.blocks(linked("costs", cost_n="512"))
    for told in ({"guess": "half_gpt2.512"}, {"cost_n": "8192"}):
        assert view.blocks(linked("costs", **{"cost_n": "512"} | told))
    # GPT-2 small is asked about first. A click on another layer is no guess: the question stays open.
    for model in ("llama3", "own"):
        assert not view.blocks(linked("costs", cost_model=model, cost_n="4096", guess=f"half_{model}.64"))
        [still] = view.blocks(linked("costs", cost_model=model, cost_n="131072"))
        assert [one["verdict"] for one in still["answers"]] == ["", "", ""]
        assert view.blocks(linked("costs", cost_model=model, guess="costs.smaller"))


def test_the_first_drawer_speaks_of_the_layer_of_the_picture():
    figures, rows, said = VIEWS["costs.shares"].blocks(linked("costs", cost_model="llama3"))
    name = say("choice.cost_model.llama3")
    assert figures["cards"][0]["note"].split(": ")[1].startswith(name)
    assert name in str(said)
    assert str(rows).index(name) < str(rows).index(say("choice.cost_model.gpt2"))


def halves(card) -> list[float]:
    """The lengths at which the track marks a half."""
    return [numbers(one["text"])[-1] for one in card["sheet"]["meetings"]]


def test_once_one_has_guessed_the_track_shows_where_both_models_come_to_half():
    """The picture answers a guess, right or wrong, whichever layer it shows."""
    expected = [costs.overtakes_layer(layer) for layer in MODELS.values()]
    for model in (*MODELS, "own"):
        for guessed in ("smaller", "larger"):
            card = the_sheet(cost_model=model, guess=f"costs.{guessed}")
            assert halves(card) == expected
    for one, layer in zip(card["sheet"]["meetings"], MODELS.values(), strict=True):
        parts = [costs.pairs, costs.projections, costs.feed_forward]
        counts = np.array([[count(layer, 2**exponent) for count in parts] for exponent in range(4, 18)])
        np.testing.assert_allclose(one["over"], counts[:, 0] / counts.sum(1), rtol=1e-3)


def test_a_length_is_written_with_its_commas_on_its_slider_too():
    [slider] = [one for one in opened().select_slider if one.key.startswith("cost_n")]
    assert slider.options[-1] == "131,072"


def test_the_sides_of_the_square_are_the_tokens():
    labels = the_sheet(cost_n="4096")["labels"]
    assert [numbers(labels[side]) for side in ("down", "across")] == [[4096], [4096]]


def test_a_meeting_outside_the_track_has_no_mark_on_it():
    """In a tiny model with wide heads, pairs take more than half from the first length on."""
    card = the_sheet(cost_model="own", preset="random", d_model=4, heads=1, d_k=32, d_v=32)
    [reached] = [float(number) for number in numbers(card["note"].split("half of it at")[1])]
    assert reached < 16
    assert card["sheet"]["meetings"] == []
    assert min(card["sheet"]["over"]) > 0.5


def test_the_layer_of_the_walkthrough_brings_no_bar_with_it():
    """A bar of controls for the layer would push the picture down. The layer's name begins its sentence."""
    at = app("costs", cost_model="own")
    assert no_exception(at)
    assert "heads" not in {one.key for one in [*at.select_slider, *at.slider]}
    assert the_sheet(cost_model="own")["note"].startswith(f"{say('choice.cost_model.own')}, 1,024 tokens")
