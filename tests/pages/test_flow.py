"""The gradients of a number of one word: over the arcs, and to the words in the table twin."""

import base64
import math
from itertools import pairwise

import numpy as np
import pytest
import torch
from torch.nn.functional import cross_entropy

from attention.inputs.grammar import read
from attention.inputs.learned import TAKEN, Setting, shipped
from pages.shell.i18n import say
from pages.shell.runs.backward import Goal, found, right_answers
from pages.shell.screen import Screen
from pages.shell.state.config import stops
from pages.shell.state.registry import ALL_FIELDS
from pages.shell.views import backward
from pages.shell.views.backward import target
from pages.shell.views.naming import named
from tests.support.app import app, computed, linked, no_exception
from tests.support.numbers import numbers

WORDS = computed().tokens


def figure(**link) -> dict:
    block, *_ = backward.flow.blocks(linked("backward", **link))
    return block["cards"][0]


def output(weights: torch.Tensor) -> torch.Tensor:
    """The layer's output with these weights (heads, queries, keys), in plain torch."""
    run = computed()
    taken = weights.double() @ run.trace["values"].value[0].double()
    return taken.transpose(0, 1).flatten(1) @ shipped(Setting()).module.w_o.detach().double()


@pytest.mark.parametrize(("word", "head", "key"), [("brings", 0, "fox"), ("brings", 2, "hen"), ("owl", 1, "the")])
def test_a_tenth_more_weight_changes_the_number_by_a_tenth_of_what_stands_at_the_arc(word, head, key):
    at, to = WORDS.index(word), WORDS.index(key, 2)
    drawn = figure(goal_at=f"projected.{at}.3")["arcs"]
    weights = computed().trace["weights"].value[0].clone()
    before = output(weights)[at, 3]
    weights[head, at, to] += 0.1
    assert drawn["flows"][head][to] == pytest.approx(float(output(weights)[at, 3] - before) * 10, rel=2e-3)
    assert drawn["focus"] == at


def test_what_arrives_at_a_word_is_the_gradient_of_its_input():
    sizes = [size for _, size, *_ in figure()["arcs"]["columns"]]
    made = found(computed(), Goal("cell"), WORDS.index("brings"))
    np.testing.assert_allclose(sizes, made.gradients["x"].value[0].norm(dim=-1), rtol=1e-3)


def test_a_click_on_a_word_differentiates_the_largest_number_of_its_output():
    sets = figure()["arcs"]["sets"]
    for query, row in enumerate(computed().matrix("projected")):
        assert sets[query] == {"goal_at": f"projected.{query}.{int(row.abs().argmax())}", "cell": ""}
    assert figure(goal="error")["arcs"]["sets"][2]["goal"] == ""


def test_of_a_loss_a_word_shows_its_own_arcs_and_a_number_of_the_output_takes_its_place():
    sets = figure(goal="loss")["arcs"]["sets"]
    assert not any("goal" in one for one in sets[: len(WORDS)])
    assert all(one["goal"] == "" for one in sets[len(WORDS) :])
    chosen = figure(goal="loss", goal_at="projected.6.2")
    assert chosen["arcs"]["focus"] == 6
    assert "loss" in chosen["note"]


def test_the_sentence_names_the_fastest_of_the_arcs():
    card = figure()
    flows, asks = card["arcs"]["flows"], card["arcs"]["asks"]
    arcs = {
        (head, key): flows[head][key]
        for head, one in enumerate(asks)
        for key, weight in enumerate(one["weights"])
        if weight >= 0.1
    }
    head, key = max(arcs, key=lambda at: abs(arcs[at]))
    assert card["arcs"]["fastest"] == (head, key)
    assert f"on {named(WORDS, key)} in head {head + 1}, the others kept," in card["note"]


def test_a_number_before_the_weights_does_not_depend_on_them():
    card = figure(goal_at="queries.4.1")
    assert not np.any(card["arcs"]["flows"])
    assert card["note"] == say("backward.flow.none", what=say("backward.flow_what.number"))


def test_the_number_is_named_and_the_one_that_the_address_names():
    named = figure(goal_at="projected.4.6")["note"]
    assert say("backward.flow_what.feature", feature=7, word=WORDS[4]) in named
    assert len(figure(goal_at="w_q.3.1")["arcs"]["tokens"]) == len(WORDS)


@pytest.mark.parametrize("goal", ["row", "sum", "error"])
def test_what_is_no_feature_of_one_word_is_called_the_number(goal):
    assert say("backward.flow_what.number") in figure(goal=goal)["note"]


def test_the_loss_of_a_layer_that_has_learned_says_that_little_is_left_and_colours_nothing_strongly():
    card = figure(goal="loss")
    assert numbers(card["note"]) == [400, 0]
    assert np.abs(card["arcs"]["flows"]).max() / card["arcs"]["bound"] < 0.5


def test_each_number_of_the_output_can_be_the_one_that_flows_back():
    card = figure(goal_at="projected.4.3")
    numbers = computed().matrix("projected")[4]
    assert card["arcs"]["picked"] == 3
    assert card["labels"]["picks"][3] == f"feature 4: {float(numbers[3]):.2f}"
    words = len(card["arcs"]["tokens"])
    picks = card["arcs"]["sets"][words:]
    assert picks == [{"goal_at": f"projected.4.{column}", "cell": ""} for column in range(len(numbers))]
    shades = np.frombuffer(base64.b64decode(card["arcs"]["output"]), np.uint8)
    assert int(shades.argmax()) == int(numbers.argmax())


def test_of_a_loss_no_number_is_picked_and_of_a_wide_output_none_is_offered():
    assert figure(goal="loss")["arcs"]["picked"] == -1
    assert "output" not in figure(preset="random", d_model="64")["arcs"]


@pytest.mark.parametrize("taken", TAKEN)
def test_on_its_way_the_loss_is_that_of_the_layer_after_so_many_updates(taken):
    link = {"goal": "loss", "updates": str(taken)}
    run = linked("backward", **link).run
    layer = shipped(Setting(taken=taken))
    answers = right_answers(run)[0]
    with torch.no_grad():
        logits = layer.logits(layer.module(layer.prepared([read(tuple(WORDS))]).inputs.x))[0]
    losses = [
        cross_entropy(logits[:, at][known], answers[:, at][known])
        for at in range(5)
        if (known := answers[:, at] >= 0).any()
    ]
    said = numbers(figure(**link)["note"])
    assert said[:2] == pytest.approx([taken, float(torch.stack(losses).mean())], abs=0.0051)


def test_colours_end_at_the_same_gradient_before_and_after_training_and_fade_with_it():
    before, after = (figure(goal="loss", updates=str(updates))["arcs"] for updates in (0, 400))
    assert before["bound"] == after["bound"]
    strong = [np.abs(one["flows"]).max() / one["bound"] for one in (before, after)]
    assert strong[0] > 0.8
    assert strong[1] < 0.1


@pytest.mark.parametrize(("link", "there"), [({}, True), ({"heads": 2}, False), ({"preset": "random"}, False)])
def test_the_slider_of_the_training_is_there_where_the_layer_was_kept_on_its_way(link, there):
    at = app("backward", **link)
    assert no_exception(at)
    assert any(one.label == say("control.updates.label") for one in at.select_slider) == there
    captions = [one.value for one in at.caption]
    assert (say("backward.answer.at_its_end") in captions) == ("heads" in link)
    assert (say("backward.answer.not_kept") in captions) == ("preset" in link)


@pytest.mark.parametrize("link", [{"heads": 2}, {"preset": "random"}, {"d_k": 8}])
def test_elsewhere_the_number_of_updates_changes_nothing(link):
    now, then = (linked("backward", **link, updates=str(updates)).run for updates in (0, 400))
    assert torch.equal(now.trace["weights"].value, then.trace["weights"].value)


def test_beside_a_and_b_no_other_page_looks_at_the_number_of_updates():
    for page in ("walkthrough", "heads", "tiles"):
        assert Screen(page, {"updates": "0"}).config == Screen(page, {}).config


@pytest.mark.slow
def test_an_arrow_has_one_of_three_sizes_and_the_same_push_has_the_same_at_all_updates():
    """Arrows once had lengths that nobody could read: by the square root, of a change of a logarithm. At the start of
    the training they were drawn ten times as large."""
    seen: dict[int, list[float]] = {}
    for updates in ALL_FIELDS["updates"].options:
        drawn = figure(goal="answer", updates=updates)["arcs"]
        for pushes, flows in zip(drawn["pushes"], drawn["flows"], strict=True):
            for push, flow in zip(pushes, flows, strict=True):
                assert push == 0 or push * flow > 0
                seen.setdefault(abs(push), []).append(abs(flow))
    ends = [(min(seen[size]), max(seen[size])) for size in range(4)]
    assert [one[0] for one in ends[1:3]] == pytest.approx([0.05, 0.2], abs=0.01)
    assert ends[2][1] < 0.6 < ends[3][0]
    assert all(below[1] < above[0] for below, above in pairwise(ends))


@pytest.mark.parametrize(("updates", "last"), [("80", "140"), ("140", "140"), ("300", "300"), ("400", "400")])
def test_the_stops_of_the_training_are_evenly_apart_and_a_link_to_another_one_has_it_as_the_last(updates, last):
    """From 140 to 400 updates nothing changed on the screen; links to 300 and 400 still open their screens."""
    (slider,) = (one for one in app("backward", updates=updates).select_slider if one.key.startswith("updates"))
    assert [*slider.options] == [*map(str, range(0, 131, 10)), "140", *([last] if last != "140" else [])]
    assert slider.value == updates
    assert linked("backward", updates=updates).run.config.updates == updates


def test_the_training_is_played_in_the_steps_of_its_slider():
    (player,) = backward.played.blocks(linked("backward", goal="answer", updates="80"))
    assert player["values"] == [*stops("80")]
    assert player["values"][player["at"] - 1] == "80"
    for link in ({"goal": "loss"}, {"goal": "answer", "heads": 2}, {"goal": "answer", "heads_off": "1"}):
        assert not [
            *backward.played.blocks(linked("backward", **link)),
            *backward.whole_lead.blocks(linked("backward", **link)),
        ]


def test_what_the_layer_says_and_the_push_stand_above_the_picture_and_the_others_below_it():
    """Without this line, nobody saw which answer is wrong."""
    screen = linked("backward", goal="answer", updates="80")
    (first,), (above, below, _) = backward.asked.blocks(screen), backward.flow.blocks(screen)
    assert "It is asked about 'brings': who? It says 'cat' (0." in first["markdown"]
    # The layer knows more words than this sentence has.
    assert "which is not in this sentence, but 'fox' (0." in first["markdown"]
    ways = "head 4 looks a little more at 'fox' or head 4 looks a little less at 'owl'"
    assert above["cards"][0]["note"] == f"It helps most, about alike, if {ways}."
    why = "What head 4 brings from 'fox' speaks more for 'fox' than for 'cat' (not in this sentence)."
    assert below["markdown"] == why
    # If there is nothing to add, the text is empty, but its place is kept.
    _, empty = backward.flow.blocks(linked("backward", goal="answer", updates="200", goal_at="answer.0.0"))
    assert empty == {"kind": "text", "markdown": ""} or not empty["markdown"]


@pytest.mark.parametrize("updates", ["80", "110", "140"])
def test_each_arrow_and_nothing_else_has_its_reason(updates):
    """An arrow without a reason looks arbitrary. The reason of the strongest arrow stands below the picture, too."""
    link = {"goal": "answer", "goal_at": "answer.3.4", "updates": updates}
    drawn, (_, below, *_) = figure(**link), backward.flow.blocks(linked("backward", **link))
    whys, pushes = drawn["labels"]["whys"], drawn["arcs"]["pushes"]
    assert [[bool(why) for why in of_head] for of_head in whys] == [[push != 0 for push in row] for row in pushes]
    head, key = drawn["arcs"]["fastest"]
    assert below["markdown"] == (whys[head][key] if head >= 0 else "")


def course(**link) -> dict | None:
    shown = list(backward.course.blocks(linked("backward", goal="answer", **link)))
    return next((card for block in shown for card in block.get("cards", ())), None)


def test_the_curve_of_an_answer_has_its_probability_at_each_stop_of_the_slider():
    """The probability wanders from the first updates on: only all stops together show the jump at the end. By torch."""
    drawn = course(goal_at="answer.3.4", updates="80")
    made = [target.found(linked("backward", goal="answer", goal_at="answer.3.4", updates=at)) for at in stops("80")]
    np.testing.assert_allclose(drawn["course"]["shares"], [math.exp(-one.number) for one in made], rtol=2e-3)
    assert stops("80")[drawn["course"]["at"]] == "80"
    assert drawn["labels"]["stops"] == list(stops("80"))
    assert "'old'" in drawn["note"]
    # The curve depends on the question, not on the slider.
    assert course(goal_at="answer.3.4", updates="110")["course"]["shares"] == drawn["course"]["shares"]
    assert course(goal_at="answer.4.1", updates="110")["course"]["shares"] != drawn["course"]["shares"]


def test_without_a_slider_or_a_question_there_is_no_curve():
    assert course(goal_at="answer.0.0") is None
    assert course(heads="8") is None
    assert not list(backward.course.blocks(linked("backward", goal="loss", updates="80")))
