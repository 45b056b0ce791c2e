"""The page about dropout: one draw as it was recorded, many draws against theory, and a link to either."""

import numpy as np
import pytest
import torch

from attention.experiments.dropout_draws import draw, row_sums
from attention.experiments.few_sentences import COUNTS, SEEDS, shipped
from attention.inputs.learned import Setting
from pages.shell.component.chart import INK
from pages.shell.i18n import listed, say
from pages.shell.runs import learned
from pages.shell.runs import results as computing
from pages.shell.runs.backward import right_answers
from pages.shell.screen import Screen
from pages.shell.state.config import SEEDS as MOST_SEEDS
from pages.shell.state.opens_with import OPENS_WITH
from pages.shell.views import NotYetError, dropout
from pages.shell.views.dropout import draws as many_draws
from pages.shell.views.dropout import series as turning
from pages.shell.views.registry import VIEWS
from tests.support.app import (
    app,
    cards,
    charts,
    computed,
    decoded,
    held,
    linked,
    markdown,
    no_exception,
    payloads,
    recorded,
    screen,
    widget,
)

RANDOM = {"preset": "random", "text": "one two three four five\nsix seven", "d_model": 33, "heads": 3, "head": 2}


def views(**link) -> Screen:
    return linked("dropout", **link)


def page(**link):
    at = app("dropout", **link)
    assert no_exception(at)
    return at


def own(at, id: str) -> np.ndarray:
    """A heatmap outside the chapters."""
    (card,) = [
        card for payload in payloads(at) for card in payload.get("cards", []) if card["id"] == id and "kind" in card
    ]
    return decoded(card)


def said(at) -> str:
    return "\n".join(element.value for element in markdown(at))


def test_at_first_sight_there_is_dropout_and_the_page_says_of_what_size():
    at = page()
    drawn = cards(at)["one_draw"]
    shown = computed(dropout=0.3, **OPENS_WITH["dropout"])
    for id in ("weights", "dropped", "kept", "output"):
        np.testing.assert_allclose(drawn[id].z, recorded(shown, id), rtol=1e-5, atol=1e-7)
    scaled_up = drawn["dropped"].z / drawn["weights"].z
    np.testing.assert_allclose(scaled_up, np.where(drawn["kept"].z > 0, 1 / 0.7, 0), rtol=1e-5)
    assert say("dropping.p_instead", p="0.30") in said(at)
    assert not [block for block in dropout.ledger.blocks(screen(at)) if block["kind"] == "note"]
    assert held(at) == OPENS_WITH["dropout"]


def test_the_size_that_a_link_asks_for_is_shown():
    at = views(dropout=0.5, **RANDOM)
    shown = computed(dropout=0.5, **RANDOM)
    expected = np.where(recorded(shown, "mask"), recorded(shown, "kept"), np.nan)
    np.testing.assert_array_equal(cards(at)["one_draw"]["kept"].z, expected)
    assert say("dropping.p_instead", p="0.30") not in said(at)


WITH = {"trained_p": "0.3"}


def arcs_of_answers(drawn: dict) -> list[list[tuple[int, int]]]:
    """For each question of the word, the (head, key) pairs of the arcs that have its name."""
    return [
        [
            (head, int(np.argmax(one["weights"])))
            for head, (one, row) in enumerate(zip(drawn["asks"], drawn["answers"], strict=True))
            if row == question
        ]
        for question in range(len(drawn["rights"]))
    ]


def kept(drawn: dict, arcs: list[tuple[int, int]]) -> np.ndarray:
    """How many of these arcs each draw keeps."""
    return np.sum([[int(one) for one in drawn["kept"][head][key]] for head, key in arcs], axis=0)


@pytest.mark.parametrize("p", [0.1, 0.3, 0.5])
def test_an_answer_is_wrong_exactly_where_all_of_its_arcs_are_cut(p):
    """An answer was called wrong although a wide arc to it was left: in that layer, the arc had no effect."""
    drawn = in_turn(**OPENS_WITH["dropout"] | {"dropout": p})["arcs"]
    for arcs, rights in zip(arcs_of_answers(drawn), drawn["rights"], strict=True):
        np.testing.assert_array_equal([one == "1" for one in rights], kept(drawn, arcs) > 0)
    # Only the named arcs are wide, so a visitor sees all arcs that count.
    named = {pair for arcs in arcs_of_answers(drawn) for pair in arcs}
    others = [
        weight
        for head, one in enumerate(drawn["asks"])
        for key, weight in enumerate(one["weights"])
        if (head, key) not in named
    ]
    assert max(others) < 0.1


def test_the_page_opens_on_an_answer_that_falls_with_its_arc_and_one_that_survives_the_cut_of_one_of_two():
    drawn = in_turn(**OPENS_WITH["dropout"])["arcs"]
    at, arcs = drawn["at"], arcs_of_answers(drawn)
    assert [len(one) for one in arcs] == [1, 1, 2]
    assert [kept(drawn, one)[at] for one in arcs] == [0, 1, 1]
    assert [rights[at] for rights in drawn["rights"]] == ["0", "1", "1"]
    # Early, so that there is something to play.
    assert 0 < at < 10


def test_from_the_opening_draw_a_growing_p_takes_arc_after_arc_and_the_answer_on_two_last():
    """From p = 0.3 to 0.7 no answer was lost: a visitor who dragged saw two arcs cut, and nothing more."""
    opened, left = OPENS_WITH["dropout"], []
    for p in (0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7):
        drawn = in_turn(**opened | {"dropout": p})["arcs"]
        at, arcs = drawn["at"], arcs_of_answers(drawn)
        rights = [one[at] for one in drawn["rights"]]
        left.append((sum(int(kept(drawn, one)[at]) for one in arcs), "".join(rights)))
    assert left == [(4, "111"), (3, "011"), (2, "011"), (2, "011"), (1, "001"), (1, "001"), (0, "000")]


def test_a_link_can_show_the_layer_that_was_trained_without_dropout():
    assert learned.used(views(trained_p="0").config) == Setting()
    # The slider sets the p of the draws, not of the training.
    assert learned.used(views(dropout=0.7, **WITH).config) == Setting(dropout=0.3)


def test_a_link_that_names_no_layer_opens_what_it_opened():
    assert learned.used(views(trained=True, dropout=0.5).config) == Setting(dropout=0.5)
    assert learned.used(views(dropout=0.5).config) == Setting()
    # The control exists on this page only.
    assert learned.used(linked("walkthrough", **WITH).config) == Setting()


def test_at_the_arcs_stand_the_questions_and_below_them_what_is_cut_and_right():
    labels = in_turn(**OPENS_WITH["dropout"])["labels"]
    assert labels["counted"] == say("dropping.arcs_counted", right="{{right}}", draws="{{draws}}", lucky="{{lucky}}")
    assert (labels["right"], labels["wrong"]) == ("{{name}} right", "{{name}} wrong")
    told = labels["told"]
    for hole, number in {"draw": 5, "cut": 2, "arcs": 4, "right": 2, "asked": 3, "lucky": ""}.items():
        told = told.replace(f"{{{{{hole}}}}}", str(number))
    assert told == say("dropping.arcs_answered", draw=5, cut=2, arcs=4, right=2, asked=3, lucky="")
    assert "{{right}}" not in in_turn(preset="story")["labels"]["told"]
    # For a single answer there is nothing to count.
    one = in_turn(cell="weights.3.0.arcs")["labels"]
    assert one["told"].endswith("wide arcs cut; {{so}}.")
    assert one["so_wrong"] == say("dropping.so.wrong")
    assert in_turn(mode="inference")["labels"].get("told") is None


def test_another_draw_is_another_mask_of_the_same_weights():
    one = views(**RANDOM)
    before, statistics = cards(one)["one_draw"], charts(one)["variance"]
    at = views(**RANDOM, draw=1)
    after = cards(at)["one_draw"]
    np.testing.assert_array_equal(after["weights"].z, before["weights"].z)
    assert (np.nan_to_num(after["kept"].z) != np.nan_to_num(before["kept"].z)).any()
    assert charts(at)["variance"]["stamp"] == statistics["stamp"]


def test_after_the_last_draw_comes_the_first():
    at = app(dropout=0.3, draw=MOST_SEEDS - 1)
    at.button(key="die").click().run()
    assert no_exception(at)
    assert held(at) == {"dropout": "0.3"}


def test_no_draw_is_the_draw_of_another_seed():
    (one, other) = (cards(views(**RANDOM, **link))["one_draw"]["kept"].z for link in ({"draw": 1}, {"seed": 1}))
    assert (np.nan_to_num(one) != np.nan_to_num(other)).any()


def in_turn(**link) -> dict:
    (block,) = [block for block in dropout.arcs.blocks(views(**link)) if block["kind"] == "cards"]
    return block["cards"][0]


@pytest.mark.parametrize(
    "link",
    [{"dropout": 0.45}, RANDOM | {"dropout": 0.7, "draw": 61}, {"dropout": 0.2, "mask": "causal", "seed": 5}],
    ids=str,
)
def test_the_arcs_are_those_of_the_draws_that_the_setting_counts(link):
    card = in_turn(**link)
    drawn = card["arcs"]
    assert (drawn["draws"], drawn["first"] + drawn["at"]) == (60, link.get("draw", 0))
    query = drawn["focus"]
    for at in (0, 7, 59):
        recorded = computed(**link | {"draw": drawn["first"] + at}).trace["dropped"].value[0, :, query]
        shown = [
            [up * int(key[at]) for up, key in zip(row, keys, strict=True)]
            for row, keys in zip(drawn["up"], drawn["kept"], strict=True)
        ]
        np.testing.assert_allclose(shown, recorded[:, : len(drawn["tokens"])], rtol=1e-3)
    weights = computed(**link).trace["weights"].value[0, :, query, : len(drawn["tokens"])]
    np.testing.assert_allclose([one["weights"] for one in drawn["asks"]], weights, rtol=1e-3)


@pytest.mark.parametrize(
    "link", [{}, {"dropout": 0.5, "draw": 61, "bias": True}, {"trained": True, "cell": "weights.3.2.x"}], ids=str
)
def test_the_ticks_are_the_answers_of_the_layer_in_each_draw(link):
    """The text said that an answer is wrong once its arcs are cut, but the picture did not show it."""
    card = in_turn(**link)
    drawn = card["arcs"]
    shown = views(**link).run
    read_out = learned.layer(learned.used(shown.config))
    known = right_answers(shown)[0, drawn["focus"]]
    asked = [question for question, answer in enumerate(known.tolist()) if answer >= 0]
    for at in (0, 7, 59):
        run = views(**link | {"draw": drawn["first"] + at}).run
        found = read_out.logits(run.trace["projected"].value[0, drawn["focus"]].float()).argmax(-1)
        told = [str(int(rights[at] != "0")) for rights in drawn["rights"]]
        assert told == [str(int(found[one] == known[one])) for one in asked]
    # The layer trained with dropout answers for the noun in each of these draws.
    assert any("0" in one for one in drawn["rights"]) or "trained" in link


@pytest.mark.parametrize(
    ("trained_p", "p", "then"), [("0.3", 0.3, "same"), ("0.3", 0.5, "other"), ("0", 0.3, "other"), ("0", 0.0, "none")]
)
def test_above_the_arcs_stands_of_which_layer_they_are_and_how_they_are_cut(trained_p, p, then):
    """Strangers could not tell which layer the arcs belong to, and took the slider's p for that of the training."""
    layer = say("dropping.layer_without") if trained_p == "0" else say("dropping.layer_with", p=trained_p)
    cut = say(f"dropping.cut_{then}", **({"p": f"{p:.2f}"} if then == "other" else {}))
    assert in_turn(trained_p=trained_p, dropout=p)["text"] == [say("dropping.arcs_of", layer=layer, cut=cut)]


def test_the_arcs_of_other_weights_say_of_which_layer_they_are_too():
    told = say("dropping.arcs_of", layer=say("dropping.layer_without"), cut=say("dropping.cut_other", p="0.70"))
    for link, texts in (({"d_model": 32}, [told]), (RANDOM, [])):
        (block,) = dropout.arcs.blocks(views(dropout=0.7, **link))
        assert block["cards"][0]["text"] == texts


def worth(**link) -> list[str]:
    return [block["markdown"] for block in dropout.worth.blocks(views(**link))]


def why(**link) -> str:
    (block,) = dropout.why.blocks(views(**link))
    return block["markdown"]


@pytest.mark.parametrize("p", [0.0, 0.3, 0.5])
def test_a_row_shows_the_answer_on_two_arcs_in_the_other_layer_after_the_same_cuts(p):
    """The verdict was about sixty draws, beside a picture that had shown five."""
    opened = OPENS_WITH["dropout"] | {"dropout": p}
    both = {trained_p: in_turn(**opened | {"trained_p": trained_p}) for trained_p in ("0", "0.3")}
    rows = {}
    for trained_p, card in both.items():
        drawn = card["arcs"]
        (held,) = [row for row, of in enumerate(arcs_of_answers(drawn)) if len(of) == 2]
        rows[trained_p] = drawn["rights"][held]
    assert both["0"]["arcs"]["kept"] == both["0.3"]["arcs"]["kept"]
    for here, there, layer in (
        ("0.3", "0", say("dropping.layer_without")),
        ("0", "0.3", say("dropping.layer_with", p="0.3")),
    ):
        card = both[here]
        beside = card["arcs"]["beside"]
        assert beside["rights"] == rows[there]
        # A click on the row exchanges the layers; nevertheless, the layer without dropout stays the lower one.
        assert (beside["sets"], beside["isBelow"]) == ({"trained_p": there}, there == "0")
        assert card["labels"]["beside"] == say("dropping.arcs_beside", question="to whom?", layer=layer)
        assert card["labels"]["asked"][beside["row"]] == both[there]["labels"]["beside"]
        # The text does not tell the result, which the draws show.
        reason = why(**opened | {"trained_p": here}).split("\n\n")[0]
        told = say("dropping.purpose_beside", question="to whom?", layer=layer)
        assert reason == listed("sentence", (say("dropping.purpose"), told))
    if p:
        # One arc left is enough in one layer, and not in the other.
        assert rows["0"].count("1") < rows["0.3"].count("1")
        at = both["0"]["arcs"]["at"]
        assert p == 0.5 or (rows["0"][at], rows["0.3"][at]) == ("0", "1")


@pytest.mark.parametrize(
    "link",
    [RANDOM, {"d_model": 32}, {"mode": "inference"}, {"cell": "weights.6.0.arcs"}],
    ids=str,
)
def test_of_an_answer_on_one_arc_and_of_a_layer_alone_nothing_stands_beside(link):
    card = in_turn(**link)
    assert not card["arcs"]["beside"]
    assert not card["labels"]["beside"]
    assert "“to whom?”" not in why(**link)


def test_how_much_an_arc_counts_that_stays_is_said_at_the_arcs():
    assert in_turn(dropout=0.3)["labels"]["counts"] == say("dropping.arcs_counts", factor="1.43")
    assert in_turn(dropout=0.9, **RANDOM)["labels"]["counts"] == say("dropping.arcs_counts", factor="10")
    assert in_turn(dropout=0.5)["labels"]["counts"] == say("dropping.arcs_counts_twice")
    # In the layer that learned without dropout, the same arc is too little at a small p, and enough at a larger one.
    assert in_turn(dropout=0.3, trained_p="0")["labels"]["enough"] == say("dropping.arcs_enough", factor="1.43")
    assert in_turn(dropout=0.5, trained_p="0")["labels"]["enough"] == say("dropping.arcs_enough_twice")
    assert "enough" not in in_turn(dropout=0.5, trained_p="0.3")["labels"]
    # Nothing grows.
    for link in ({"dropout": 0.0}, {"mode": "inference"}):
        assert "counts" not in in_turn(**link)["labels"]


def guess(**link) -> list[dict]:
    return list(VIEWS["dropout.guess_two_arcs"].blocks(views(**link)))


def test_a_guess_about_two_arcs_shows_all_draws_at_its_p_and_is_judged_by_them_at_each_p():
    """The guess was judged before a draw was played, and asked again at another p."""
    (asked,) = guess(draw=61, **WITH)
    (half, *_) = asked["answers"]
    assert (half["sets"]["dropout"], half["sets"]["draw"]) == ("0.5", "119")
    drawn = in_turn(**WITH | {"dropout": 0.5, "draw": 119})["arcs"]
    assert drawn["at"] == drawn["draws"] - 1 == 59
    (held,) = [row for row, of in enumerate(arcs_of_answers(drawn)) if len(of) == 2]
    fallen = drawn["rights"][held].count("0")
    told = say("dropping.falls", fallen=fallen, draws=60, share=f"{fallen / 60:.0%}", p=0.5)
    why = listed("sentence", (say("refuted.two_arcs.half"), say("predict.two_arcs.why"), told))
    for p, draw_at in ((0.3, 60), (0.5, 60), (0.5, 119), (0.9, 119)):
        (judged,) = guess(guess="two_arcs.half", dropout=p, draw=draw_at, **WITH)
        assert judged["told"]["markdown"] == f"**{say('predict.wrong')}** {why}"
        assert [one["verdict"] for one in judged["answers"]] == ["wrong", "right", ""]
    # The other layer is another case, but a click on its row keeps the guess and its verdict.
    other = WITH | {"trained_p": "0"}
    (beside,) = guess(**other)
    (kept,) = guess(guess="two_arcs.half", **other)
    assert kept["told"]["markdown"] == f"**{say('predict.wrong')}** {beside['markdown']}"
    assert [one["verdict"] for one in kept["answers"]] == ["wrong", "right", ""]


def test_a_question_whose_answer_the_draws_show_is_answered_and_not_asked():
    """After all draws at p = 0.5, "45 of 60" stood above "Guess first"."""
    (shown,) = guess(**WITH | {"dropout": 0.5, "draw": 119})
    assert shown["kind"] == "text"
    assert say("predict.two_arcs.quarter") in shown["markdown"]
    for other in ({"draw": 118}, {"dropout": 0.3}, {"mode": "inference"}):
        (asked,) = guess(**WITH | {"dropout": 0.5, "draw": 119} | other)
        assert asked["kind"] == "guess"


@pytest.mark.parametrize("p", [0.3, 0.9])
def test_an_answer_without_its_arcs_is_luck_and_no_tick(p):
    """At p = 0.9, an answer on one arc was right more often than an answer on two."""
    for trained_p in ("0", "0.3"):
        drawn = in_turn(dropout=p, draw=6784, trained_p=trained_p)["arcs"]
        marks = ""
        for arcs, rights in zip(arcs_of_answers(drawn), drawn["rights"], strict=True):
            assert all((mark == "2") <= (left == 0) for mark, left in zip(rights, kept(drawn, arcs), strict=True))
            assert all((mark == "1") <= (left > 0) for mark, left in zip(rights, kept(drawn, arcs), strict=True))
            marks += rights
        assert "2" in marks or (trained_p, p) == ("0.3", 0.3)


def test_of_a_layer_that_needs_both_arcs_nobody_is_asked_what_one_of_them_holds():
    drawn = in_turn(trained_p="0")["arcs"]
    ((row, arcs),) = [pair for pair in enumerate(arcs_of_answers(drawn)) if len(pair[1]) == 2]
    rights = np.array([one != "0" for one in drawn["rights"][row]])
    alone = kept(drawn, arcs) == 1
    tried = {head + 1: alone & (kept(drawn, [(head, key)]) == 1) for head, key in arcs}
    right, left, head = min(
        (int((rights & draws).sum()), int(draws.sum()), head) for head, draws in tried.items() if draws.any()
    )
    told = {"question": "to whom?", "arcs": 2, "head": head, "right": right, "left": left}
    assert guess(trained_p="0") == [{"kind": "text", "markdown": say("dropping.alone.fails", **told)}]
    # Nor is a word with four arcs to its answer asked about: a text in its place says that one of them is enough.
    (said,) = guess(cell="weights.2.0.arcs", **WITH)
    assert "“whose?” has 4 arcs, and one alone is enough" in said["markdown"]
    # If nothing is cut, there is no text.
    assert not guess(cell="weights.2.0.arcs", dropout=0.0, **WITH)


def test_a_word_that_asks_little_leads_to_the_one_that_asks_most():
    """A click on 'owl' led to arcs that no answer depends on, and offered no way on."""
    for cell, told in (("weights.0.0.arcs", "asks_nothing"), ("weights.6.0.arcs", "asks_one")):
        *_, offer = dropout.arcs.blocks(views(cell=cell))
        word = "today" if told == "asks_nothing" else "owl"
        assert offer["said"]["line"] == say(f"dropping.{told}", word=word)
        (button,) = offer["buttons"]
        assert button["line"] == say("dropping.asks_most", word="brings", count=3)
        *_, at_verb = dropout.arcs.blocks(views(**button["sets"]))
        assert at_verb["cards"][0]["arcs"]["focus"] == 4
    # If no answer can be lost, or the right answers are unknown, no button leads on.
    for link in ({"mode": "inference"}, {"preset": "story"}):
        *_, last = dropout.arcs.blocks(views(cell="weights.0.0.arcs", **link))
        assert last["kind"] == "cards"


@pytest.mark.parametrize("p", [0.0, 0.3, 0.9])
def test_why_arcs_are_cut_is_told_by_new_sentences_with_nothing_cut(p):
    """The reason was circular: a layer that was trained with cuts did better in a test with cuts."""
    reason, use = why(dropout=p).split("\n\n")
    assert reason.startswith(say("dropping.purpose"))
    told = say("dropping.purpose_use", factor=f"{1 / (1 - p):.3g}") if p else say("dropping.purpose_use_none")
    assert use == told
    shares, named = shipped(), []
    for at in (COUNTS.index(60), -1):
        without, trained = (f"{share:.0%}" for share in shares.new[at].mean(-1))
        named.append({"count": COUNTS[at], "without": without, "trained": trained})
    layer = say("dropping.layer_larger", heads=8, here=4)
    told = say("dropping.purpose_few", layer=layer, known=f"{shares.seen[2].mean():.0%}", **named[0])
    assert worth(dropout=p) == [listed("sentence", (told, say("dropping.purpose_many", **named[1])))]
    assert why(dropout=p, preset="story").split("\n\n") == [say("dropping.purpose"), use]
    assert worth(preset="story") == []


@pytest.mark.parametrize(
    ("link", "which", "here"),
    [({}, "larger", 4), ({"heads": 8}, "of", 8), ({"d_model": 64, "d_k": 4}, "other", 4), (WITH, "larger", 4)],
    ids=str,
)
def test_the_layer_that_is_measured_is_told_apart_from_that_of_the_arcs(link, which, here):
    """The chart's layer has 8 heads and the arcs' layer has 4, but the page read as if they were one."""
    layer = say(f"dropping.layer_{which}", heads=8, here=here)
    shown = views(**link)
    assert learned.used(shown.config).heads == here
    assert charts(shown)["dropout-scores"]["note"] == say("dropping.scores_note", layer=layer, trainings=len(SEEDS))
    assert layer in worth(**link)[0]


def test_two_lines_show_what_a_training_with_dropout_is_worth_by_how_much_it_has_read():
    card = charts(views(dropout=0.7))["dropout-scores"]
    new = shipped().new
    for at, name in enumerate((say("dropping.layer_without"), say("dropping.layer_with", p=0.3))):
        sent = card["series"][name]
        np.testing.assert_array_equal(sent["x"], COUNTS)
        np.testing.assert_allclose(sent["y"], new[:, at].mean(-1), rtol=1e-5)
        error = new[:, at].std(-1, ddof=1) / np.sqrt(len(SEEDS))
        np.testing.assert_allclose(sent["y"] - sent["low"], 2 * error, rtol=1e-3)
        # The colour is neither that of a head of the arcs nor that of a layer in another chart.
        assert sent["colour"] == INK
    assert card["stamp"] == charts(views(dropout=0.1))["dropout-scores"]["stamp"]
    assert "dropout-scores" not in charts(views(preset="story"))


def test_where_nothing_is_asked_or_dropped_there_are_no_ticks():
    for link in (RANDOM, {"mode": "inference"}, {"cell": "weights.0.2.x"}):
        card = in_turn(**link)
        assert not card["arcs"]["rights"]
        assert "{{right}}" not in card["labels"].get("told", "")


def test_another_draw_or_head_of_the_screen_is_among_the_same_draws():
    first = turning.series(computed(dropout=0.3), 4)
    assert turning.series(computed(dropout=0.3, draw=7, head=3), 4) is first
    assert turning.series(computed(dropout=0.3, draw=60), 4) is not first


def test_with_p_at_0_each_draw_leaves_all_weights():
    """A visitor who chooses p = 0 sees 0: the page once took it for an unset p, and drew with its own."""
    drawn = in_turn(dropout=0.0)["arcs"]
    assert drawn["draws"] == 60
    assert {*"".join("".join(row) for row in drawn["kept"])} == {"1"}
    np.testing.assert_allclose(drawn["up"], [one["weights"] for one in drawn["asks"]], rtol=1e-3)
    at = page(dropout=0.0)
    assert widget(at, "dropout").value == 0
    assert len([one for one in at.slider if one.key.startswith("dropout")]) == 1
    assert say("dropping.zero") in said(at)
    assert say("dropping.p_instead", p="0.30") not in said(at)
    assert no_exception(widget(page(), "dropout").set_value(0.0).run())


def test_a_large_run_has_fewer_draws():
    large = {"preset": "random", "heads": 16, "text": "\n".join([" ".join(map(str, range(61)))] * 3)}
    assert 5 <= in_turn(**large)["arcs"]["draws"] < 60


def test_in_inference_the_arcs_are_the_weights():
    card = in_turn(mode="inference")
    assert card["arcs"]["draws"] == 0
    weight = computed().trace["weights"].value[0, :, card["arcs"]["focus"]].max()
    assert card["note"] == say("dropping.arcs_inference", word="brings", key="hen", weight=f"{weight:.2f}")


@pytest.mark.parametrize(
    "link", [{}, {"dropout": 0.5, "seed": 3, "draw": 7}, RANDOM | {"dropout": 0.9, "mask": "full"}]
)
def test_the_sums_and_what_is_said_of_them_are_those_of_the_draw(link):
    at = views(**link)
    z = np.nan_to_num(cards(at)["one_draw"]["dropped"].z)
    sent = charts(at)["sums"]
    sums = sent["series"][say("dropping.this_draw")]["y"]
    np.testing.assert_allclose(sums, z.sum(1), rtol=1e-5)
    (text,) = [text for text in said(at).split("\n") if "lost everything" in text and "of " in text]
    above, lost, single = ((z.sum(1) > 1 + 1e-6).sum(), (z.sum(1) == 0).sum(), (z > 1 + 1e-6).sum())
    assert f"of {len(z)} rows, {above} sum to more than one and {lost} lost everything" in text
    assert f"{single} exceed one, the largest is {z.max():.2f}" in text
    theory = sent["series"][say("dropping.spread")]
    weights, p = np.nan_to_num(cards(at)["one_draw"]["weights"].z), link.get("dropout", 0.3)
    spread = np.sqrt(p / (1 - p) * (weights**2).sum(1))
    # The sum of a row is at most that of a row that keeps all its weights.
    np.testing.assert_allclose(theory["high"], np.minimum(1 + 2 * spread, 1 / (1 - p)), rtol=1e-4)
    np.testing.assert_allclose(theory["low"], np.maximum(1 - 2 * spread, 0), atol=1e-5)
    assert z.sum(1).max() <= 1 / (1 - p) + 1e-5


def test_in_inference_nothing_is_dropped_and_the_many_draws_stay_those_of_training():
    at, training = views(mode="inference", dropout=0.3), views(dropout=0.3)
    assert set(cards(at)["one_draw"]) == {"weights", "output"}
    assert "sums" not in charts(at)
    assert say("dropping.inference") in said(at)
    assert charts(at)["variance"]["stamp"] == charts(training)["variance"]["stamp"]


def test_training_and_inference_stand_side_by_side_in_one_range():
    at = views(dropout=0.5, draw=2, **RANDOM)
    (pair,) = [payload["cards"] for payload in payloads(at) if payload.get("chapter") == "modes"]
    assert [card["sets"] for card in pair] == [{"mode": "training"}, {"mode": "inference"}]
    assert pair[0]["range"] == pair[1]["range"]
    training, inference = map(decoded, pair)
    np.testing.assert_array_equal(training, cards(at)["one_draw"]["output"].z)
    np.testing.assert_allclose(inference, recorded(computed(**RANDOM), "output"), rtol=1e-5, atol=1e-7)
    assert say("dropping.difference", difference=f"{np.abs(training - inference).max():.2f}") in said(at)


@pytest.mark.parametrize("link", [{}, RANDOM | {"dropout": 0.5, "draws": 300, "seed": 5, "scale": "none"}])
def test_the_statistics_are_those_of_the_package(link):
    at = views(**link)
    shown = computed(**{"dropout": 0.3} | {name: value for name, value in link.items() if name != "draws"})
    drawn = draw(
        shown.trace,
        link.get("draws", 1000),
        p=link.get("dropout", 0.3),
        generator=torch.Generator().manual_seed(shown.config.seed),
        batch=shown.sentence,
        head=shown.head,
    )
    np.testing.assert_allclose(np.nan_to_num(own(at, "mean")), drawn.means[-1], rtol=1e-5)
    np.testing.assert_allclose(np.nan_to_num(own(at, "inference")), recorded(shown, "weights"), rtol=1e-5)
    rows, sent = row_sums(drawn), charts(at)
    for name in ("variance", "lost"):
        measured, theory = (sent[name]["series"][say(f"dropping.{kind}")] for kind in ("measured", "theory"))
        np.testing.assert_allclose(measured["y"], rows[name], rtol=1e-5)
        np.testing.assert_allclose(theory["y"], rows[f"{name}_theory"], rtol=1e-5)
        np.testing.assert_allclose(measured["high"] - measured["y"], 2 * rows[f"{name}_error"], rtol=1e-3, atol=1e-6)
        low = np.maximum(rows[name] - 2 * rows[f"{name}_error"], 0)
        np.testing.assert_allclose(measured["low"], low, rtol=1e-3, atol=1e-6)
    running = sent["running"]["series"]
    np.testing.assert_array_equal(running[say("dropping.running")]["x"], drawn.counts)
    assert sent["distance"]["note"].count(f"{link.get('draws', 1000):,}") == 1
    # Every query has the same room, including the first and the last one.
    ends = [0.5, len(drawn.weights) + 0.5]
    assert all(sent[name]["chart"]["x"]["range"] == ends for name in ("sums", "variance", "lost"))
    band = running[say("dropping.band")]
    at_end = np.abs(drawn.weights.numpy() - running[say("dropping.running")]["y"][-1]).min()
    assert at_end < 5 * (band["high"][-1] - band["low"][-1])
    np.testing.assert_allclose(
        (band["high"] - band["y"]) * np.sqrt(drawn.counts), (band["high"] - band["y"])[0], rtol=1e-5
    )


def test_the_table_names_the_tokens_as_code():
    text = said(views(preset="random", text="| `x` <b> $y$"))
    assert "| `¦` |" in text
    assert "| `<` |" in text
    assert "| `$` |" in text


def test_a_long_sentence_has_its_first_rows_in_the_table():
    assert say("dropping.first_rows", shown=16, rows=19) in said(
        views(preset="random", text=" ".join(map(str, range(19))))
    )


def test_rows_that_see_nothing_are_no_rows_that_lost_everything():
    at = views(preset="random", text="a b c d e\nf g", sentence=2, mask="window", width=1, dropout=0.5)
    assert "of 2 rows" in said(at)
    assert charts(at)["lost"]["series"][say("dropping.theory")]["y"].tolist() == [0.5, 0.5, 1, 1, 1]


WAITING = dropout.mean, dropout.converging, dropout.rows


def test_what_was_drawn_is_not_drawn_again(monkeypatch):
    drawn = []
    monkeypatch.setattr(
        many_draws.dropout_draws, "draw", lambda *given, **named: drawn.append(1) or draw(*given, **named)
    )
    for link in ({}, {"draw": 5}, {"mode": "inference"}, {"cell": "mean.3.1.mean"}):
        for view in WAITING:
            assert view.blocks(views(dropout=0.3, seed=4242, **link))
    assert len(drawn) == 1
    dropout.mean.blocks(views(dropout=0.3, seed=4242, draws=100))
    assert len(drawn) == 2


LONG = {"preset": "random", "text": " ".join(map(str, range(31)))}


def told(at) -> list[int]:
    """The numbers of the messages to the browser about results that views wait for."""
    return [payload["number"] for payload in payloads(at) if "computed" in payload]


def test_draws_that_take_long_are_drawn_by_the_page_and_the_views_wait_for_it():
    link = LONG | {"seed": 4244}
    for view in WAITING:
        with pytest.raises(NotYetError):
            view.blocks(views(**link))
    at = page(**link)
    assert own(views(**link), "mean").shape == (31, 31)
    (first,) = told(at)
    assert no_exception(widget(at, "draws").set_value("3000").run())
    (second,) = told(at)
    assert first != second


def test_of_many_draws_no_single_sum_is_kept():
    """A page keeps the statistics of many screens, so it must not keep each sum."""
    kept = many_draws.Experiment.of(computed(dropout=0.3), 101).made()
    assert kept.draws.sums.untyped_storage().nbytes() == 0
    assert len(kept.rows) == 11


def test_draws_that_are_quick_are_no_task():
    assert told(page(seed=4245)) == []


def test_what_takes_long_shows_a_bar_and_takes_it_away(monkeypatch):
    shares = []
    monkeypatch.setattr(computing, "PATIENCE", -1.0)
    monkeypatch.setattr(
        "streamlit.delta_generator.DeltaGenerator.progress", lambda _, share, text: shares.append(share)
    )
    page(**LONG, draws=10_000, seed=4243)
    assert len(shares) > 10
    assert shares == sorted(shares)


@pytest.mark.parametrize("cell", ["dropped.3.1.one_draw", "kept.3.1", "output.2.1.modes"])
def test_the_arithmetic_of_a_cell_is_told(cell):
    step = cell.split(".")[0]
    opened = [block for view in (dropout.draw, dropout.modes) for block in view.blocks(views(dropout=0.3, cell=cell))]
    (panel,) = [block for block in opened if block["kind"] == "panel"]
    assert say(f"step.{step}.title") in panel["title"]["line"]
    assert panel["latex"]
