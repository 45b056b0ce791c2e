"""The page on the backward pass, and the pipeline of gradients: figures, sentences and targets of the screen."""

import numpy as np
import pytest
import torch

from attention.analysis.attribution import METHODS, Attribution, attribute
from attention.analysis.backward import Cell, CrossEntropy, SquaredError, backward
from attention.comparisons.backward_parity import GradientComparison
from attention.experiments.sgd_by_hand import descend, start
from attention.inputs.learned import Setting
from pages.shell.i18n import catalogue, say
from pages.shell.runs import backward as runs
from pages.shell.runs.backward import Goal, found, goal_cell, right_answers, target
from pages.shell.screen import Screen
from pages.shell.views import VIEWS, NotYetError, attribution
from pages.shell.views.backward.lessons import query_of
from tests.support.app import app, blocks, charts, computed, decoded, give, linked, markdown, no_exception, payloads

pytestmark = pytest.mark.usefixtures("one_step_a_run")
TARGET = "weights.5.2"
LINK = {"mask": "causal", "dropout": 0.3, "bias": True, "preset": "random", "heads": 3, "d_model": 33, "head": 2}


def said(at) -> str:
    return " ".join(block.value for block in markdown(at))


def test_every_figure_of_a_gradient_is_that_of_the_chosen_cell():
    at = linked("backward", goal_at=TARGET, cell="d_scores.4.1.backward-scores", **LINK)
    run = computed(**LINK)
    made = backward(run.trace, Cell("weights", 5, 2, **run.where), run.module)
    text = said(at)
    assert "row `" in text
    assert "does not depend on $W_V$" in text
    # The gradient of hidden pairs is zero, and the panel has the arithmetic of the link's cell.
    hidden = int((~run.matrix("mask")).sum())
    assert (
        f"Pairs that the mask hides: {hidden}. The largest gradient of a score among them is 0. Their weights have none"
        in text
    )
    # The differentiated number comes before dropout.
    assert "Weights of this head that were dropped" not in text
    assert "Gradient: Raw scores" in text
    sent = gradient_figures(at)
    for id, step in made.gradients.items():
        z = torch.atleast_2d(step.of(**run.where)).numpy()
        np.testing.assert_allclose(np.nan_to_num(sent[f"d_{id}"]), z, atol=1e-6)
    assert set(sent) == {f"d_{id}" for id in made.gradients}


def gradient_figures(at):
    every = [card for sent in payloads(at) for card in sent.get("cards", ()) if card["id"].startswith("d_")]
    return {card["id"]: decoded(card) for card in every}


@pytest.mark.parametrize(
    ("goal", "also"), [("cell", {}), ("row", {}), ("sum", {}), ("error", {"goal": ""}), ("loss", {"goal": ""})]
)
def test_a_click_differentiates_a_value_and_tells_a_gradient(goal, also):
    sent = [block for block in blocks(linked("backward", goal=goal)) if "clicks" in block]
    assert len(sent) == 7
    for block in sent:
        values = {card["id"] for card in block["cards"] if not card["id"].startswith("d_")}
        assert block["clicks"] == dict.fromkeys(values, {"goal_at": "{figure}.{row}.{column}", "cell": ""} | also)
        assert block["click"]["cell"].startswith("{figure}.{row}.{column}.backward-")


def test_a_large_screen_waits_for_its_attributions_until_the_page_has_computed_them():
    large = {"preset": "random", "text": " ".join(f"w{number}" for number in range(31)), "d_model": "512", "seed": 13}
    view = VIEWS["backward.backward-attribution"]
    with pytest.raises(NotYetError):
        view.blocks(linked("backward", **large))
    assert no_exception(app("backward", **large))
    shown = {card["id"] for block in view.blocks(linked("backward", **large)) for card in block.get("cards", ())}
    assert shown == {"attribution", "agreement"}


@pytest.mark.parametrize("goal", ["row", "sum", "error", "loss"])
def test_each_kind_of_number_is_named(goal):
    at = linked("backward", goal=goal)
    names = {"row": "the sum of row", "sum": "the sum of **", "error": "from X", "loss": "the loss that this layer"}
    assert names[goal] in said(at)


@pytest.mark.parametrize(
    ("place", "also", "verdict"),
    [
        ("x.0.0", (), "none"),
        ("projected.4.2", (), "agrees"),
        ("projected.4.2", (GradientComparison("x", 3.0, 2.0),), "differs"),
    ],
)
def test_one_comparison_that_differs_decides_the_verdict(place, also, verdict, monkeypatch):
    monkeypatch.setattr(runs, "compared", lambda made, compared=runs.compared: (*compared(made), *also))
    (told,) = VIEWS["backward.target"].blocks(linked("backward", goal_at=place))
    assert (told["verdict"], told["word"]) == (verdict, say(f"backward.verdict.{verdict}"))


def test_the_loss_is_that_of_the_preset_and_elsewhere_the_distance_from_x():
    run = computed()
    asked = target(run, Goal("loss"), 4)
    assert isinstance(asked, CrossEntropy)
    # The trained layer answers nearly all that the sentence asks.
    assert found(run, Goal("loss"), 4).number < 0.5
    answers = right_answers(run)
    assert answers.shape == (1, 11, 5)
    assert answers[0, 4, :3].tolist() == [0, 1, 2]
    assert isinstance(target(computed(preset="story"), Goal("loss"), 4), SquaredError)


@pytest.mark.parametrize("at", ["", "weights.99.1", "nowhere.1.1", "mask.1.1", "kept.0.0", "x.1", "weights.-1.2", "🦊"])
def test_a_place_that_is_none_is_the_largest_number_of_the_output(at):
    run = computed(mask="causal", dropout=0.3)
    step, row, column = goal_cell(run, Goal.of("cell", at), 4)
    assert (step, row) == ("projected", 4)
    assert run.matrix("projected")[4].abs().argmax() == column


def test_the_query_of_a_target_is_its_row_where_rows_are_queries():
    run = computed()
    assert query_of(run, found(run, Goal("cell", ("scores", 7, 1)), 4)) == 7
    assert query_of(run, found(run, Goal("cell", ("w_q", 7, 1)), 4)) == 4


def test_what_was_asked_for_once_is_remembered():
    run = computed()
    assert found(run, Goal("sum"), 4) is found(run, Goal("sum"), 4)


def test_the_pipeline_shows_gradients_only_when_it_is_asked():
    def strip(at):
        return next(sent["strip"] for sent in payloads(at) if "strip" in sent)

    off, on = strip(linked()), strip(at := linked(backward=True, backward_of=TARGET, step="scores"))
    assert not off["backward"]
    assert on["backward"]
    assert [tile["id"] for tile in on["tiles"]] == [tile["id"] for tile in off["tiles"]]
    by_id = {tile["id"]: tile for tile in on["tiles"]}
    assert by_id["projected"]["missing"] == "no gradient"
    assert by_id["weights"]["operator"] == "start"
    assert (by_id["scores"]["letter"], by_id["scores"]["kind"]) == ("dS", "signed")
    assert "Gradient: Raw scores" in said(at)


def test_five_methods_are_held_against_the_right_words_and_training_goes_on_by_hand():
    at = app("backward", sgd_steps=3, goal_at="projected.4.2")
    assert no_exception(at)
    run = computed()
    direction = torch.nn.functional.one_hot(torch.tensor(2), 16).float()
    made = attribute(run.trace, run.module, 4, direction, steps=64)
    shares = figure(at, "attribution")
    np.testing.assert_allclose(shares, made.values / made.values.abs().amax(1, keepdim=True), atol=1e-5)
    assert "in this many of 3 questions: weight 1" in said(at)
    assert (drawn(at, "attribution")["rows"], drawn(at, "agreement")["columns"]) == ("method", "method")
    # Before they are projected, tokens are neither queries nor keys.
    assert drawn(at, "x")["called"] == drawn(at, "d_x")["called"] == "token"
    taken = descend(start(Setting(), 1.0), 3)
    change = taken.learned.module.w_q - taken.previous.module.w_q
    np.testing.assert_allclose(figure(at, "sgd-change"), change[:, :4], atol=1e-6)
    assert "Step 3: the loss of its sentences goes from" in said(at)
    assert no_exception(give(at, sgd_rate="3", sgd_steps=60))
    assert "the loss is no longer a number" in said(at)


@pytest.mark.parametrize("keys", [1, 3])
def test_where_no_key_has_a_share_no_word_is_named_and_no_method_compared(keys):
    nothing = Attribution(0.0, 0.0, torch.zeros(len(METHODS), keys))
    assert "largest share" not in attribution.summary(computed(), nothing, "A number.")
    assert "nothing to compare" in attribution.least(nothing, list(METHODS))
    # A method without a ranking agrees with none.
    one_flat = Attribution(0.0, 0.0, torch.tensor([[0.0, 0, 0], [1, 2, 3], [3, 2, 1], [1, 2, 3], [1, 3, 2]]))
    assert "weight_norm and gradient_input, −1.00" in attribution.least(one_flat, list(METHODS))


@pytest.mark.parametrize(("preset", "ends"), [("learned", True), ("story", False)])
def test_a_chart_that_ends_above_the_smallest_norm_says_where(preset, ends):
    chart = charts(linked("backward", preset=preset))["backward-scaled"]
    least = min(series["y"].min() for series in chart["series"].values())
    assert np.isclose(least, 1e-9) == ends
    assert ("The chart ends at 1 · 10⁻⁹" in chart["note"]) == ends


def figure(at, id):
    return decoded(drawn(at, id))


def drawn(at, id):
    return next(card for sent in payloads(at) for card in sent.get("cards", ()) if card["id"] == id)


def test_of_a_number_that_dropout_does_not_reach_nothing_is_said_about_dropped_weights():
    """The differentiated number itself is a weight that is dropped later, and its gradient is one."""
    told = [
        str(block)
        for goal in ("weights.0.0", "output.2.0")
        for block in VIEWS["backward.pairs"].blocks(Screen("backward", {"dropout": "0.5", "goal_at": goal}))
    ]
    assert sum(catalogue("en")["backward.pairs.dropped"].partition("{{")[0] in text for text in told) == 1
