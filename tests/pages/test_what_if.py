"""The picture of each question of What if…: its numbers are those of the layer with that part replaced."""

import functools
import math
import re
from dataclasses import replace
from itertools import pairwise

import numpy as np
import pytest
import torch

from pages.shell.exports.embedded.figure import Figure
from pages.shell.i18n import say, with_and
from pages.shell.i18n.numbers import fixed
from pages.shell.i18n.options import word
from pages.shell.state.page_controls import EXPERIMENTS
from pages.shell.views import experiments
from pages.shell.views.experiments import answers
from pages.shell.views.naming import opened
from pages.shell.views.prose import html
from tests.pages.test_masks import own_figures, table
from tests.support.app import app, computed, linked, widget


def figures(screen) -> dict[str, dict]:
    """The figures of the open question, by id."""
    return {card["id"]: card for block in experiments.arcs.blocks(screen) for card in block.get("cards", ())}


def sentences(screen) -> tuple[dict, dict, str]:
    """The arcs before and after, and the text below them."""
    drawn = figures(screen)
    [told] = [block["markdown"] for block in experiments.arcs.blocks(screen) if "markdown" in block]
    return drawn["before-arcs"]["arcs"], drawn["after-arcs"]["arcs"], told


def asked_of(screen) -> dict:
    """The question between the two sentences, with its answers."""
    (found,) = [block for block in experiments.arcs.blocks(screen) if block["kind"] == "guess"]
    return found


def numbers(screen) -> tuple[list[str], torch.Tensor, torch.Tensor]:
    """The names of the pairs, and the numbers before and after, infinite where a mask hides them."""
    drawn = figures(screen)["pairs"]["pairs"]
    sides = ([math.inf if one is None else one for one in drawn[side]] for side in ("before", "after"))
    return drawn["names"], *map(torch.tensor, sides)


def of_all_heads(arcs: dict) -> torch.Tensor:
    return torch.tensor([one["weights"] for one in arcs["asks"]])


def test_before_and_after_stand_the_weights_of_one_word_and_differ_in_one_thing():
    """Torch computes the weights with one matrix for queries and keys."""
    at = linked("experiments", what_if="tied")
    before, after, told = sentences(at)
    run = at.run
    assert before["tokens"] == after["tokens"] == list(run.tokens)
    assert before["focus"] == after["focus"] == run.tokens.index("brings")
    torch.testing.assert_close(of_all_heads(before), run.trace["weights"].value[0, :, 4], rtol=0, atol=1e-3)
    q = run.trace["queries"].value[0]
    by_torch = torch.softmax(q @ q.mT / run.module.d_k**0.5, -1)[:, 4]
    torch.testing.assert_close(of_all_heads(after), by_torch, rtol=0, atol=1e-3)
    assert f"{float(by_torch[:, 4].mean()):.0%} from itself" in told
    # 'today' takes next to nothing from itself, so it has another sentence.
    other = sentences(linked("experiments", what_if="tied", cell="weights.0.0.arcs"))
    assert float(of_all_heads(other[1])[:, 0].mean()) < 0.5
    assert "from itself" not in other[2]
    assert "changes most" in other[2]
    assert "a word with larger numbers wins" in other[2]
    assert "a word with larger numbers wins" not in told


@pytest.mark.parametrize(
    ("link", "stays"),
    [
        ({"what_if": "basis"}, True),
        ({"what_if": "columns"}, True),
        ({"what_if": "bias", "shifted": "keys"}, True),
        ({"what_if": "bias", "shifted": "values"}, True),
        ({"what_if": "importance", "heads": 1}, True),
        ({"what_if": "bias", "shifted": "queries"}, False),
        ({"what_if": "importance"}, False),
        ({"what_if": "mistakes"}, False),
    ],
    ids=str,
)
def test_every_question_has_one_layout_and_the_arcs_stay_where_no_weight_changes(link, stays):
    """Two sentences, one above the other, even if they are equal: then that is the answer."""
    at = linked("experiments", **link)
    drawn = figures(at)
    before, after, _ = sentences(at)
    # The two compared sentences stand together. Other numbers come after both.
    numbers = "laid" if link["what_if"] == "columns" else "pairs"
    assert [*drawn] == ["before-arcs", "after-arcs", numbers]
    side, alone = say("what_if.before"), link["what_if"] in ("importance", "mistakes")
    head = drawn["before-arcs"]["arcs"]["asks"][0]["head"]
    assert drawn["before-arcs"]["labels"]["side"] == (say("what_if.one_head", side=side, head=head) if alone else side)
    assert torch.allclose(of_all_heads(before), of_all_heads(after), atol=2e-3) == stays
    # An equals sign saves the comparison of two pictures that look alike.
    assert after["lane"].get("same", False) == stays
    assert "same" not in before["lane"]


@pytest.mark.parametrize(
    ("link", "asked", "right"),
    [
        ({"what_if": "tied"}, "tied", "moves"),
        ({"what_if": "bias"}, "keys", "stays"),
        ({"what_if": "bias", "shifted": "queries"}, "queries", "moves"),
        ({"what_if": "bias", "shifted": "values"}, "values", "stays"),
        ({"what_if": "basis"}, "basis", "stays"),
        ({"what_if": "sentence"}, "sentence", "differs"),
        ({"what_if": "importance"}, "importance", "less"),
        ({"what_if": "importance", "heads": 1}, "importance", "stays"),
        ({"what_if": "mistakes"}, "mistakes", "moves"),
        ({"what_if": "columns"}, "columns", "stays"),
    ],
    ids=str,
)
def test_a_guess_is_judged_by_what_the_layer_computes_and_the_verdict_speaks_to_it(link, asked, right):
    at = linked("experiments", **link)
    first = asked_of(at)
    so = say(f"what_if.so.{asked}.{right}", word="'brings'")
    offered = answers.offered(asked)
    assert [one["line"] for one in first["answers"]] == [*offered.values()]
    # The question has more answers than yes and no.
    assert len(offered) == (4 if asked in ("tied", "sentence") else 3)
    assert {one["verdict"] for one in first["answers"]} == {""}
    # A link without guesses shows the answer, and does not ask for a guess first.
    assert not first["line"].startswith(say("predict.guess", question=""))
    assert asked_of(linked("experiments", **link, guess_first=True))["line"].startswith(
        say("predict.guess", question="")
    )
    assert sentences(at)[2].startswith(say("what_if.verdict.told", told=opened(so)))
    for answer, button in zip(offered, first["answers"], strict=True):
        guessed = linked("experiments", **link, **button["sets"])
        judged = "right" if answer == right else "wrong"
        assert sentences(guessed)[2].startswith(say(f"what_if.verdict.{judged}", told=so))
        assert [one["pressed"] for one in asked_of(guessed)["answers"]] == [one == answer for one in offered]


@pytest.mark.parametrize("what_if", ["tied", "sentence"])
@pytest.mark.parametrize("link", [{}, {"preset": "random"}, {"preset": "story"}, {"heads": 2}], ids=str)
@pytest.mark.parametrize("query", [0, 2, 4, 9, 10])
def test_where_the_arcs_end_is_read_from_the_weights(what_if, link, query):
    """The text said that arcs end at other words, although all of them came back to the word itself."""
    link = {"what_if": what_if, "cell": f"weights.{query}.0.arcs", **link}
    before, after, told = sentences(linked("experiments", **link))
    was, now = of_all_heads(before), of_all_heads(after)
    # For each answer and each head, whether its widest arc ends there, as it is drawn.
    found = {
        "stays": [float(b.max() - b[a.argmax()]) <= 0 for a, b in zip(was, in_order(now, what_if), strict=True)],
        "places": [float(b.max() - b[a.argmax()]) <= 0 for a, b in zip(was, now, strict=True)],
        "moves": [float(b.max() - b[before["focus"]]) <= 0 for b in now],
    }
    del found["moves" if what_if == "sentence" else "places"]
    found["moves" if what_if == "sentence" else "others"] = [
        not any(head) for head in zip(*found.values(), strict=True)
    ]
    # The right answer is true of all heads. Without one, the heads differ.
    true = [answer for answer, heads in found.items() if all(heads)] or ["differs"]
    right = true[0]
    # A head with two true answers is counted once.
    first, second = ("moves", "stays") if what_if == "tied" else ("stays", "places")
    found[second] = [one and not other for one, other in zip(found[second], found[first], strict=True)]
    assert right != "differs" or [sum(head) for head in zip(*found.values(), strict=True)] == [1] * len(was)
    moves = (in_order(now, what_if) - was).abs().max() > 0.0055
    so = say(f"what_if.so.{what_if}.{right}", word=f"'{before['tokens'][before['focus']]}'")
    so = say("what_if.so.weights") if right == "stays" and moves else so
    assert told.startswith(say("what_if.verdict.told", told=opened(so)))
    for answer, heads in found.items():
        where = opened(say(f"what_if.answer.{what_if}.{answer}"))
        named = [str(head) for head, is_so in enumerate(heads, 1) if is_so]
        line = say(
            f"what_if.by_head.{'one' if len(named) == 1 else 'more'}",
            where=where,
            heads=with_and(named) if named else "",
            count=len(named),
            all=len(was),
        )
        assert (line in told) == (f"{where}:" in told) == (right == "differs" and bool(named))
    for answer in answers.offered(what_if):
        judged = asked_of(linked("experiments", **link, guess=f"if_{what_if}.{answer}"))["answers"]
        (pressed,) = (one["verdict"] for one in judged if one["pressed"])
        assert pressed == ("right" if answer in true else "wrong")


def test_two_arcs_that_are_almost_as_wide_end_where_the_wider_one_is_drawn():
    """The text said that all heads of 'hen' end at itself, beside an arc of 0.44 to 'owl' and one of 0.43 to 'hen'."""
    at = linked("experiments", what_if="tied", cell="weights.10.0.arcs")
    _, after, told = sentences(at)
    assert [after["tokens"][int(row.argmax())] for row in of_all_heads(after)] == ["owl", "hen", "hen", "hen"]
    assert told.startswith(say("what_if.verdict.told", told=opened(say("what_if.so.tied.differs"))))
    assert "from itself" not in told


def in_order(now: torch.Tensor, what_if: str) -> torch.Tensor:
    """The weights after the change, in the order of the words before it."""
    return now.flip(-1) if what_if == "sentence" else now


@pytest.mark.parametrize("name", EXPERIMENTS)
def test_a_click_on_another_word_keeps_the_answer_that_was_given(name):
    """A click once took the guess back, and with it the picture that it was made for."""
    asked = "keys" if name == "bias" else name
    at = linked("experiments", what_if=name, guess_first=True, guess=f"if_{asked}.stays")
    for arcs in sentences(at)[:2]:
        assert arcs["sets"]
        assert not any("guess" in sets for sets in arcs["sets"])


@pytest.mark.parametrize("guess", ["", "if_queries.stays"])
def test_of_nothing_that_is_added_nothing_is_asked(guess):
    """The question about the arcs stood beside its answer."""
    at = linked("experiments", what_if="bias", shifted="queries", shift=0, guess_first=True, guess=guess)
    drawn = figures(at)
    assert asked_of(at)["answers"] == []
    assert drawn["after-arcs"]["arcs"]["lane"]["same"]
    assert not any(drawn["after-arcs"]["arcs"]["lane"]["added"])
    assert ("pairs" in drawn) == bool(guess)


@pytest.mark.parametrize("name", EXPERIMENTS)
def test_what_was_to_be_guessed_first_is_not_once_it_is_guessed(name):
    link = {"what_if": name, "guess_first": True}
    asked = {"bias": "keys"}.get(name, name)
    said = asked_of(linked("experiments", **link))["line"].removeprefix(say("predict.guess", question=""))
    for answer in ("stays", "moves", "shown"):
        line = asked_of(linked("experiments", **link, guess=f"if_{asked}.{answer}"))["line"]
        assert line == (said if answer == "shown" else say("predict.guessed", question=said))


@pytest.mark.parametrize("name", EXPERIMENTS)
def test_where_the_answer_is_in_numbers_both_sentences_are_low(name):
    """With arcs of the usual height, the changes were below the screen while the slider was dragged. They are as low
    before the guess, so that nothing jumps."""
    for guess in ({}, {"guess": "if_keys.stays,if_columns.stays,if_basis.stays"}):
        drawn = figures(linked("experiments", what_if=name, guess_first=True, **guess))
        lanes = [drawn[id]["arcs"]["lane"].get("low", False) for id in ("before-arcs", "after-arcs")]
        assert lanes == [name in ("bias", "columns", "basis")] * 2


@pytest.mark.parametrize("name", EXPERIMENTS)
def test_before_a_guess_nothing_that_is_drawn_or_sent_gives_the_answer_away(name):
    """The known parts are there: the arcs before, the words after, and the change. Pale arcs were read as a vote for
    arcs that stay."""
    at = linked("experiments", what_if=name, guess_first=True)
    before, question, after = experiments.arcs.blocks(at)
    (was,), (open_one,) = before["cards"], after["cards"]
    known = figures(linked("experiments", what_if=name))
    assert was["arcs"]["asks"] == known["before-arcs"]["arcs"]["asks"]
    assert open_one["arcs"]["tokens"] == known["after-arcs"]["arcs"]["tokens"]
    side = known["after-arcs"]["labels"]["side"]
    dashed = (say(f"what_if.dashed.{ends}", side="") for ends in ("words", "arcs"))
    assert open_one["labels"]["side"] == functools.reduce(lambda said, one: said.removesuffix(one), dashed, side)
    assert open_one["arcs"]["lane"]["was"] == []
    assert [one["weights"] for one in open_one["arcs"]["asks"]] == [[]] * len(was["arcs"]["asks"])
    assert open_one["arcs"]["weights"] == []
    assert open_one["arcs"]["lane"]["asked"]
    assert open_one["note"] == say("what_if.open")
    assert {one["verdict"] for one in question["answers"]} == {""}
    assert not experiments.transposed.blocks(at)


@pytest.mark.parametrize("name", EXPERIMENTS)
def test_a_guess_and_who_wants_none_are_shown_the_same_picture(name):
    open_at = linked("experiments", what_if=name, guess_first=True)
    pictures = []
    for button in asked_of(open_at)["answers"]:
        at = linked("experiments", what_if=name, guess_first=True, **button["sets"])
        drawn = figures(at)
        pictures.append([card.get("arcs", {"stamp": card["stamp"]}) for card in drawn.values()])
        assert not figures(at)["after-arcs"]["arcs"]["lane"]["asked"]
    asked = asked_of(open_at)["answers"]
    assert len(pictures) == len(asked) == (5 if name in ("tied", "sentence") else 4)
    assert all(one == pictures[0] for one in pictures)
    # Without a guess, no answer is marked as wrong.
    shown = asked_of(linked("experiments", what_if=name, guess_first=True, **button["sets"]))["answers"]
    assert sorted(one["verdict"] for one in shown) == [*[""] * (len(asked) - 2), "told"]
    assert not any(one["pressed"] for one in shown)
    # The button is gone, because a second click on it would hide the answer that it has shown.
    guessed = linked("experiments", what_if=name, guess_first=True, **asked_of(open_at)["answers"][0]["sets"])
    assert len(asked_of(guessed)["answers"]) == len(asked) - 1


def test_each_question_waits_for_a_guess_of_its_own():
    at = linked("experiments", what_if="bias", guess_first=True, guess="if_keys.stays")
    assert not figures(at)["after-arcs"]["arcs"]["lane"]["asked"]
    other = linked("experiments", what_if="bias", shifted="queries", guess_first=True, guess="if_keys.stays")
    assert figures(other)["after-arcs"]["arcs"]["lane"]["asked"]


def test_a_figure_alone_has_its_answer():
    """A figure in slides asks nobody."""
    made = Figure.of("experiments.arcs", {"what_if": "tied", "guess_first": "true"}, "en")
    after = made.view["blocks"][2]["cards"][0]
    assert not after["arcs"]["lane"]["asked"]


@pytest.mark.parametrize("link", [{"what_if": "tied"}, {"what_if": "sentence"}, {"what_if": "importance"}], ids=str)
def test_arcs_come_from_what_the_same_words_had(link):
    at = linked("experiments", **link)
    before, after, _ = sentences(at)
    came = torch.tensor([one["weights"] for one in after["lane"]["was"]])
    places = [*range(11)][::-1] if link["what_if"] == "sentence" else [*range(11)]
    assert [before["tokens"][place] for place in places] == after["tokens"]
    torch.testing.assert_close(came, of_all_heads(before)[:, places], rtol=0, atol=1e-4)
    # A dashed line stands where arcs have left, and the text beside the lane says so.
    side = figures(at)["after-arcs"]["labels"]["side"]
    assert side.endswith(say(f"what_if.dashed.{'words' if link['what_if'] == 'sentence' else 'arcs'}", side=""))
    # In another order, places are numbered as before, so that *at the same place* is seen.
    numbered = [*map(str, range(1, 12))] if link["what_if"] == "sentence" else []
    assert [one["lane"]["added"] for one in (before, after)] == [numbered] * 2
    # A click on a word selects the same word as before.
    assert after["sets"] == [before["sets"][place] for place in places]


@pytest.mark.parametrize("link", [{"what_if": "basis"}, {"what_if": "mistakes"}, {"what_if": "bias"}], ids=str)
def test_where_every_arc_stays_or_only_new_ones_come_nothing_is_said_of_dashed_lines(link):
    """Softmax over the other axis leaves the weight of 'brings' on 'fox'."""
    before, after, _ = sentences(linked("experiments", **link))
    was, now = of_all_heads(before), of_all_heads(after)
    assert not ((was >= 0.1) & ((was - now).abs() >= 0.1)).any()
    side = figures(linked("experiments", **link))["after-arcs"]["labels"]["side"]
    assert say("what_if.dashed.arcs", side="") not in side


@pytest.mark.parametrize(("shifted", "at"), [("keys", range(11)), ("values", range(11)), ("queries", [4])])
def test_what_is_added_stands_at_the_words_that_get_it(shifted, at):
    added = figures(linked("experiments", what_if="bias", shifted=shifted, shift=-3.5))["after-arcs"]["arcs"]["lane"]
    assert added["added"] == ["−3.5" if place in at else "" for place in range(11)]
    assert not figures(linked("experiments", what_if="tied"))["after-arcs"]["arcs"]["lane"]["added"]


def bars(**link) -> dict:
    return figures(linked("experiments", what_if="bias", **link))["pairs"]["pairs"]


@pytest.mark.parametrize("shifted", ["keys", "queries", "values"])
@pytest.mark.parametrize("by", [0.5, 2.5, 5.0, 7.5, -5.0, -12.5])
def test_the_longest_bar_of_what_is_added_takes_a_good_part_of_its_picture(shifted, by):
    """On the scale of the whole slider, the bars at its opening were slivers of a few pixels."""
    drawn = bars(shifted=shifted, shift=by)
    longest = max(abs(one) for one in (*drawn["before"], *drawn["after"]))
    assert longest > 0.12 * (drawn["ends"][1] - drawn["ends"][0])


@pytest.mark.parametrize("shifted", ["keys", "values"])
def test_bars_keep_their_scale_from_one_step_of_the_slider_to_the_next(shifted):
    """Bars keep their scale: twice as much is twice as long. All keys move by the same, and all values, too."""
    for near, far in ((0.5, 2.5), (3.0, 5.0), (-5.0, 5.0), (5.5, 10.0), (-10.5, -20.0)):
        assert bars(shifted=shifted, shift=near)["ends"] == bars(shifted=shifted, shift=far)["ends"]
    for by in (-20.0, 0.5, 20.0):
        _, before, after = numbers(linked("experiments", what_if="bias", shifted=shifted, shift=by))
        drawn = bars(shifted=shifted, shift=by)
        far, end = drawn["far"], drawn["ends"]
        assert far == pytest.approx((after - before).tolist(), abs=1e-2)
        assert max(far) - min(far) < 1e-2 < abs(far[0])
        every = torch.cat([before, after])
        assert end[0] - 1e-2 <= every.min()
        assert every.max() <= end[1] + 1e-2
    assert {"ends", "far"}.isdisjoint(figures(linked("experiments", what_if="basis"))["pairs"]["pairs"])


@pytest.mark.parametrize("name", EXPERIMENTS)
def test_a_verdict_is_bold_whatever_stands_behind_it(name):
    at = replace(linked("experiments", what_if=name), language="zh")
    said = [html(block["markdown"]) for block in experiments.arcs.blocks(at) if "markdown" in block]
    assert len(said) == 1
    assert all("<strong>" in one and "**" not in one for one in said)


def test_a_key_bias_moves_every_score_that_is_seen_by_the_same():
    at = linked("experiments", what_if="bias", shift=3.5, mask="causal", head=2)
    names, before, after = numbers(at)
    assert names == list(at.run.tokens)
    expected = at.run.trace["scaled"].value[0, 1, 4, :5]
    torch.testing.assert_close(before[:5], expected, rtol=0, atol=1e-3)
    by = float(at.run.trace["queries"].value[0, 1, 4].sum()) * 3.5 / at.run.module.d_k**0.5
    torch.testing.assert_close(after[:5] - before[:5], torch.full((5,), by), rtol=0, atol=2e-3)
    assert before[5:].isinf().all()
    assert f"moves by {fixed(by)}, and" in sentences(at)[2]


def test_a_query_bias_moves_each_score_by_another_number_in_the_head_that_changes_most():
    at = linked("experiments", what_if="bias", shifted="queries")
    before, after, told = sentences(at)
    _, scores, moved = numbers(at)
    head = int((of_all_heads(after) - of_all_heads(before)).abs().sum(-1).argmax())
    assert f"in head {head + 1}" in figures(at)["pairs"]["title"]
    torch.testing.assert_close(moved.softmax(-1), of_all_heads(after)[head], rtol=0, atol=1e-3)
    assert (moved - scores).max() - (moved - scores).min() > 1
    assert "no share moves" not in told


def test_a_value_bias_is_seen_in_each_number_of_the_output():
    at = linked("experiments", what_if="bias", shifted="values", shift=-2.5, head=3, d_k="7", preset="random")
    names, before, after = numbers(at)
    assert names == ["1", "2", "3", "4", "5", "6", "7"]
    query = at.run.focus
    torch.testing.assert_close(before, at.run.trace["output"].value[0, 2, query], rtol=0, atol=1e-3)
    torch.testing.assert_close(after - before, torch.full((7,), -2.5), rtol=0, atol=1e-3)


def test_another_basis_makes_other_products_with_the_same_sum():
    names, before, after = numbers(linked("experiments", what_if="basis", basis=7))
    assert names == ["1", "2", "3", "4", "sum"]
    assert (before - after)[:4].abs().max() > 1
    for side in (before, after):
        assert side[4] == pytest.approx(float(side[:4].sum()), abs=1e-3)
    assert before[4] == pytest.approx(float(after[4]), abs=1e-3)
    one = linked("experiments", what_if="basis", preset="random", d_k="1")
    assert "add up to" in sentences(one)[2]


def test_over_the_wrong_axis_each_word_takes_another_sum():
    at = linked("experiments", what_if="mistakes", head=4)
    names, before, after = numbers(at)
    assert names == list(at.run.tokens)
    torch.testing.assert_close(before, torch.ones(11), rtol=0, atol=1e-4)
    scores = at.run.trace["scaled"].value[0, 3]
    torch.testing.assert_close(after, scores.softmax(0).sum(-1), rtol=0, atol=1e-3)


@pytest.mark.parametrize(
    "link", [{"head": 3}, {"preset": "random", "d_k": "7", "text": "one two three four five"}], ids=str
)
def test_each_row_of_the_queries_stands_up_as_a_column(link):
    """The numbers are those of the record, and the frame is around those of the asking word."""
    at = linked("experiments", what_if="columns", **link)
    card = figures(at)["laid"]
    drawn, queries = card["laid"], at.run.matrix("queries")
    torch.testing.assert_close(torch.tensor(drawn["numbers"]), queries.float(), rtol=1e-3, atol=1e-4)
    assert drawn["words"] == list(at.run.tokens)
    assert drawn["words"][drawn["focus"]] == at.run.tokens[sentences(at)[0]["focus"]]
    words, features = queries.shape
    assert f"{words} × {features}" in card["labels"]["rows"]
    assert f"{features} × {words}" in card["labels"]["columns"]
    assert card["note"] == ""


def test_of_many_queries_those_around_the_word_are_drawn_and_the_figure_says_so():
    text = " ".join(f"w{at}" for at in range(17))
    link = {"preset": "random", "text": text, "d_k": "11", "cell": "weights.13.0.arcs"}
    at = linked("experiments", what_if="columns", **link)
    card = figures(at)["laid"]
    drawn = card["laid"]
    assert (len(drawn["words"]), len(drawn["numbers"][0])) == (12, 8)
    assert drawn["words"][drawn["focus"]] == "w13"
    assert "17 × 11" in card["note"]


def test_columns_have_the_matrix_and_its_transpose_with_the_word_in_a_frame():
    shown = own_figures(linked("experiments", what_if="columns", cell="weights.6.0.arcs"))
    assert shown["rows"]["block"]["ends"] == [6, 6, 0, 10]
    assert shown["columns"]["block"]["ends"] == [0, 10, 6, 6]
    assert "owl" in shown["rows"]["block"]["named"]


def test_over_the_wrong_axis_no_row_need_sum_to_one_and_its_sum_is_said():
    _, after, told = sentences(linked("experiments", what_if="mistakes", head=4))
    (alone,) = after["asks"]
    assert alone["head"] == 4
    assert fixed(sum(alone["weights"])) in told


def test_the_wrong_axis_is_shown_under_the_mask_of_the_screen():
    at = linked("experiments", what_if="mistakes", mask="window", width=3)
    before, _, _ = sentences(at)
    torch.testing.assert_close(of_all_heads(before), at.run.trace["weights"].value[0, :1, 4], rtol=0, atol=1e-3)


@pytest.mark.parametrize(
    "link", [{}, {"heads": 8, "mask": "causal", "cell": "weights.6.0.arcs"}, {"cell": "weights.4.0.arcs"}], ids=str
)
def test_other_weights_give_the_same_output_and_leave_less_to_the_word_that_had_most(link):
    at = linked("experiments", what_if="importance", **link)
    before, after, told = sentences(at)
    (one,), (other,) = before["asks"], after["asks"]
    head, query = one["head"] - 1, before["focus"]
    weights = at.run.trace["weights"].value[0, head, query]
    torch.testing.assert_close(torch.tensor(one["weights"]), weights, rtol=0, atol=1e-3)
    most = int(weights.argmax())
    assert other["weights"][most] < one["weights"][most] - 0.1
    values = at.run.trace["values"].value[0, head]
    _, was, now = numbers(at)
    torch.testing.assert_close(was, weights @ values, rtol=0, atol=1e-3)
    torch.testing.assert_close(torch.tensor(other["weights"]) @ values, was, rtol=0, atol=2e-3)
    torch.testing.assert_close(now, was, rtol=0, atol=1e-3)
    assert fixed(weights[most]) in told
    if link.get("mask") == "causal":
        assert not any(other["weights"][query + 1 :])
    if "cell" in link:
        assert query == int(link["cell"].split(".")[1])


@pytest.mark.parametrize("link", [{"heads": 1}, {"mask": "causal", "cell": "weights.4.0.arcs"}], ids=str)
def test_where_values_have_as_many_numbers_as_there_are_words_in_sight_nothing_moves(link):
    """A word that a mask hides has no weight. The other words have too few free weights to move any."""
    before, after, _ = sentences(linked("experiments", what_if="importance", **link))
    torch.testing.assert_close(of_all_heads(before), of_all_heads(after), rtol=0, atol=5e-3)


def test_the_sentence_runs_backwards_through_the_same_layer():
    at = linked("experiments", what_if="sentence")
    before, after, told = sentences(at)
    assert " ".join(after["tokens"]) == "hen shy the to owl the brings fox old the today"
    assert after["tokens"][after["focus"]] == before["tokens"][before["focus"]] == "brings"
    turned = computed(text=" ".join(after["tokens"])).trace["weights"].value[0, :, after["focus"]]
    torch.testing.assert_close(of_all_heads(after), turned, rtol=0, atol=1e-3)
    # No head keeps the word with its largest weight.
    for was, now in zip(of_all_heads(before), turned, strict=True):
        assert before["tokens"][int(was.argmax())] != after["tokens"][int(now.argmax())]
    verdict = say("what_if.verdict.told", told=opened(say("what_if.so.sentence.differs")))
    # No head reaches the word that answered its question, so none has a name below.
    assert not any(say("asking.mark") in name for name in figures(at)["after-arcs"]["labels"]["names"])
    assert told.startswith(verdict)
    assert told.endswith(say("what_if.because.learned"))
    lost = say("what_if.lost.more", heads="1, 2, 3 and 4", words="'fox', 'hen' and 'owl'")
    assert sentences(linked("experiments", what_if="tied"))[2].endswith(lost)
    # For a layer without questions, the head that changes most is named.
    assert "changes most: " in sentences(linked("experiments", what_if="sentence", preset="random"))[2]
    stays = sentences(linked("experiments", what_if="basis"))
    assert "found" not in stays[2]


def test_of_a_word_that_stands_twice_the_sentence_says_which_one_it_is():
    """The arc of 'fox' ended at the first 'the', beside an arc to the second."""
    told = sentences(linked("experiments", what_if="importance", cell="weights.3.0.arcs"))[2]
    assert "'fox' took 0.77 from the first 'the' and now takes 0.00" in told


def test_no_two_stops_have_one_name():
    assert len({say(f"what_if.stop.{name}") for name in EXPERIMENTS}) == len(EXPERIMENTS)


def test_one_head_that_loses_its_word_is_told_with_that_word():
    at = linked("experiments", what_if="bias", shifted="queries", shift=-4)
    assert sentences(at)[2].endswith(say("what_if.lost.one", heads="4", words="'owl'"))


@pytest.mark.parametrize(
    ("link", "follows"),
    [
        ({"what_if": "bias", "shifted": "keys"}, "keys"),
        ({"what_if": "columns"}, "columns"),
        ({"what_if": "basis"}, "basis"),
        # No addition, moving arcs, or equal products have no such sentence.
        ({"what_if": "bias", "shifted": "keys", "shift": 0}, ""),
        ({"what_if": "bias", "shifted": "queries"}, ""),
        ({"what_if": "basis", "preset": "random", "d_k": "1"}, ""),
    ],
    ids=str,
)
def test_arcs_that_stay_are_followed_by_what_that_is_good_for(link, follows):
    """The page ended with arcs that stay, and a reader asked: so what?"""
    told = sentences(linked("experiments", **link))[2]
    for name in ("keys", "columns", "basis"):
        assert (say(f"what_if.follows.{name}") in told) == (name == follows)


@pytest.mark.parametrize(
    ("link", "because"),
    [
        ({}, "learned"),
        ({"preset": "random", "positions": "sinusoidal", "mask": "full"}, "positions"),
        ({"positions": "none", "mask": "causal"}, "mask"),
        ({"positions": "none"}, "nowhere"),
    ],
    ids=str,
)
def test_what_tells_a_layer_where_a_word_stands_is_the_reason_of_another_order(link, because):
    """Without places, a layer gives the same arcs. Learned places are a reason only if the layer has them."""
    told = sentences(linked("experiments", what_if="sentence", **link))[2]
    reasons = [one for one in ("learned", "positions", "mask", "nowhere") if say(f"what_if.because.{one}") in told]
    assert reasons == [because]
    is_kept = told.startswith(say("what_if.verdict.told", told=opened(say("what_if.so.sentence.stays"))))
    assert is_kept == (because == "nowhere")


def summary(**link) -> tuple[list[list[str]], list[str]]:
    """The rows of the table of all questions, and the conclusion beside the verdict."""
    at = linked("experiments", **link)
    shown = experiments.together.blocks(at)
    rows = [[cell["line"] for cell in row] for block in shown if block["kind"] == "table" for row in block["rows"]]
    return rows, [block["markdown"] for block in experiments.arcs.blocks(at) if block["kind"] == "note"]


def test_one_table_says_of_each_question_that_was_answered_whether_the_arcs_moved():
    """The table shows computed results, each only once its question is answered."""
    rows, follows = summary(what_if="tied", guess_first=True, guess="if_columns.moves,if_queries.shown,if_tied.stays")
    moves, stays = say("what_if.summary.moves"), say("what_if.summary.stays")
    assert [row[2] for row in rows] == [moves, "?", moves, "?", "?", "?", stays]
    assert [bool(row[3]) for row in rows] == [True, False, True, False, False, False, True]
    assert not follows
    given = ",".join(f"if_{'keys' if name == 'bias' else name}.stays" for name in EXPERIMENTS)
    for heads in (1, 4):
        rows, _ = summary(guess=given, heads=heads)
        for name, row in zip(EXPERIMENTS, rows, strict=True):
            before, after, _ = sentences(linked("experiments", what_if=name, heads=heads))
            was, now = of_all_heads(before), of_all_heads(after)
            moved = (was - (now.flip(-1) if name == "sentence" else now)).abs().max() > 0.0055
            assert row[2] == say(f"what_if.summary.{'moves' if moved else 'stays'}")


def test_what_follows_of_all_stops_stands_beside_the_last_verdict_and_names_what_stays_and_what_moves():
    """The conclusion stood below a table, out of sight after the last answer."""
    given = [f"if_{'values' if name == 'bias' else name}.shown" for name in EXPERIMENTS[:-1]]
    for lacking in range(6):
        assert not summary(guess_first=True, guess=",".join(given[:lacking] + given[lacking + 1 :]))[1]
    rows, [follows] = summary(what_if="importance", guess_first=True, guess=",".join(given))
    of_all, *kinds = follows.split("\n\n")
    assert of_all == say("what_if.summary.all")
    # Two questions keep the scores, and change how arcs are made of them.
    remade = ("mistakes", "importance")
    for kind, did in zip(kinds, ("stays", "moves", "remade"), strict=True):
        names = [
            say(f"what_if.closing.of.{'values' if name == 'bias' else name}")
            for name, row in zip(EXPERIMENTS, rows, strict=True)
            if row[2] == say(f"what_if.summary.{'stays' if did == 'stays' else 'moves'}")
            and (did == "stays" or (name in remade) == (did == "remade"))
        ]
        assert kind == say(f"what_if.closing.{did}", what=", ".join(names))
    # If a head has more numbers than there are words, no other weights have its output.
    _, [follows] = summary(what_if="importance", guess_first=True, guess=",".join(given), heads=1)
    assert say("what_if.closing.of.importance") in follows.split("\n\n")[1]


def test_the_questions_are_a_way_and_the_answer_leads_on():
    """The button to the next question stands beside the answer, and only after it."""

    def leads(**link) -> list[dict]:
        shown = experiments.arcs.blocks(linked("experiments", guess_first=True, **link))
        return [button for block in shown if block["kind"] == "buttons" for button in block["buttons"]]

    for at, (name, following) in enumerate(pairwise(EXPERIMENTS), 2):
        asked = "keys" if name == "bias" else name
        assert not leads(what_if=name)
        (button,) = leads(what_if=name, guess=f"if_{asked}.stays")
        assert button["sets"] == {"what_if": following}
        assert say(f"what_if.stop.{following}") in button["line"]
        # The notation of tokens is no stop of the way.
        assert (f"{at} of 6" in button["line"]) == (following != "columns")
    assert not leads(what_if=EXPERIMENTS[-1], guess=f"if_{EXPERIMENTS[-1]}.stays")
    # Each question has its own reason.
    whys = {
        block["markdown"]
        for name in EXPERIMENTS
        for block in experiments.why.blocks(linked("experiments", what_if=name))
    }
    assert whys == {say(f"what_if.why.{name}") for name in EXPERIMENTS}


def test_the_row_of_all_questions_fills_with_what_their_arcs_did():
    # A choice within a question does not rename it, because that would shift the row of all questions.
    for shifted in ("keys", "values"):
        names = widget(app("experiments", what_if="bias", shifted=shifted), "what_if").options
        assert names[EXPERIMENTS.index("bias")].endswith(f"*{word('what_if', 'bias')}*")
    for guess, expected in (
        ("if_tied.moves,if_queries.shown", "≠ 2 ≠ 4 5 6 +"),
        # Of two answered parts, one moves the arcs.
        ("if_keys.moves,if_queries.shown", "=\u00a0≠ 2 3 4 5 6 +"),
        ("if_sentence.stays,if_basis.moves,if_columns.shown", "1 = 3 ≠ 5 6 ="),
    ):
        names = widget(app("experiments", guess=guess), "what_if").options
        # A number or a sign, the stop, and the question. All of the numbers have room on a phone.
        signs = [re.fullmatch(r"\*\*([^*]+)\*\* :small\[[^]]+\] \*[^*]+\*", shown)[1] for shown in names]
        assert signs == expected.split(" ")


@pytest.mark.parametrize(
    "link", [{"preset": "story"}, {"preset": "random", "text": "hush, little baby\nfive six"}], ids=str
)
def test_other_sentences_run_backwards_too(link):
    at = linked("experiments", what_if="sentence", **link)
    before, after, _ = sentences(at)
    assert after["tokens"] == before["tokens"][::-1]
    assert after["tokens"][after["focus"]] == before["tokens"][before["focus"]]


@pytest.mark.parametrize("name", EXPERIMENTS)
@pytest.mark.parametrize("mask", ["full", "causal"])
def test_every_question_has_its_picture_on_the_mask_of_the_screen(name, mask):
    at = linked("experiments", what_if=name, mask=mask)
    before, after, _ = sentences(at)
    query, heads = before["focus"], [one["head"] - 1 for one in before["asks"]]
    # No question changes the word.
    assert query == 4
    expected = at.run.trace["weights"].value[0, heads, query]
    torch.testing.assert_close(of_all_heads(before), expected, rtol=0, atol=1e-3)
    hidden = of_all_heads(after)[:, after["focus"] + 1 :]
    assert bool((hidden == 0).all()) == (mask == "causal")


def test_the_table_has_what_keys_add_and_the_weights_of_the_picture():
    at = linked("experiments", what_if="importance")
    rows = np.array([row[1:] for row in table(at, say("importance.column.length"))[2:]], dtype=float)
    weights, lengths, added, other = rows.T
    np.testing.assert_allclose(added, weights * lengths, rtol=0, atol=5e-3)
    before, after, _ = sentences(at)
    for column, arcs in ((weights, before), (other, after)):
        np.testing.assert_allclose(column, arcs["asks"][0]["weights"], rtol=0, atol=6e-4)
