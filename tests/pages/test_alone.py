"""The layer learns from one answer alone: pages draw and say what plain torch computes, and arrows come true."""

from itertools import pairwise

import pytest
import torch

from attention.inputs.grammar import ANSWERS, NOTHING
from pages.shell.i18n import say
from pages.shell.runs import alone as runs
from pages.shell.runs.backward import ANSWER
from pages.shell.screen import Screen
from pages.shell.state.config import stops
from pages.shell.state.opens_with import OPENS_WITH
from pages.shell.state.page_controls import ANSWER_STEPS
from pages.shell.views import backward
from pages.shell.views.backward import alone, answer
from pages.shell.views.backward.strength import sizes
from tests.support import alone as by_torch
from tests.support.app import app, held, linked, no_exception, widget

OPENS = {name: text for name, text in OPENS_WITH["backward"].items() if name != "guess_first"}
# A screen with many arrows, some of which do not come true.
MANY = OPENS | {"goal_at": "answer.3.4", "updates": "110"}


def figure(**link) -> dict:
    cards, *_ = backward.flow.blocks(linked("backward", **OPENS | link))
    return cards["cards"][0]


def below(**link) -> str:
    _, text, *_ = backward.flow.blocks(linked("backward", **OPENS | link))
    return text["markdown"]


@pytest.mark.parametrize(
    "link",
    [{}, {"goal_at": "answer.3.4", "updates": "110"}, {"mask": "causal", "goal_at": "answer.9.3", "updates": "400"}],
)
@pytest.mark.parametrize("steps", [1, 7])
def test_the_weights_and_the_answers_after_some_steps_are_those_of_torch(link, steps):
    screen = linked("backward", **OPENS | link | {"answer_steps": steps})
    _, row, question = (OPENS | link)["goal_at"].split(".")
    weights, answers = by_torch.after(screen.run, int(row), int(question), steps)
    drawn = figure(**link, answer_steps=steps)["arcs"]
    shown = torch.tensor([one["weights"] for one in drawn["asks"]], dtype=torch.float64)
    torch.testing.assert_close(shown, weights, atol=2e-3, rtol=0)
    rest = figure(**link)["arcs"]
    # The arrows of the layer at rest stay, and its weights are kept.
    assert drawn["pushes"] == rest["pushes"]
    torch.testing.assert_close(torch.tensor(drawn["before"]), torch.tensor([one["weights"] for one in rest["asks"]]))
    (pressed,) = (one for one in offered(**link, answer_steps=steps) if one["pressed"])
    right = int(by_torch.right_answers(screen.run)[0, int(row), int(question)])
    assert pressed["share"] == pytest.approx(float(answers[int(row), int(question), right]), abs=0.0051)
    assert pressed["share"] >= next(one["share"] for one in offered(**link) if one["pressed"])


def offered(**link) -> list[dict]:
    (block,) = backward.chosen.blocks(linked("backward", **OPENS | link))
    return block["buttons"]


def test_at_rest_nothing_has_come_true_and_nothing_was_before():
    drawn = figure()["arcs"]
    assert drawn["before"] == drawn["came"] == []
    assert "answer alone" not in figure()["note"]


def test_the_count_of_the_sentence_is_that_of_the_arrows_that_are_drawn_as_true():
    for steps in (1, 6, ANSWER_STEPS):
        card = figure(**MANY, answer_steps=steps)
        arrows, came = (torch.tensor(card["arcs"][name]) for name in ("pushes", "came"))
        assert not came[arrows == 0].any()
        moved = torch.tensor([one["weights"] for one in card["arcs"]["asks"]]) - torch.tensor(card["arcs"]["before"])
        assert torch.equal(came, moved * arrows > 0)
        assert f"Of the {int((arrows != 0).sum())} arrows, {int(came.sum())} came true" in below(
            **MANY, answer_steps=steps
        )


def test_the_opening_has_few_arrows_and_all_of_them_come_true_at_every_step():
    """Half of eleven arrows once became hollow on the opening screen, without a reason."""
    arrows = int((torch.tensor(figure()["arcs"]["pushes"]) != 0).sum())
    assert 3 <= arrows <= 6
    for steps in range(1, ANSWER_STEPS + 1):
        card = figure(answer_steps=steps)
        assert torch.equal(torch.tensor(card["arcs"]["came"]), torch.tensor(card["arcs"]["pushes"]) != 0)
        assert f"All {arrows} arrows came true" in below(answer_steps=steps)


def test_the_line_above_the_picture_is_short_at_each_step_and_the_one_above_it_tells_what_was():
    """The line changes with each step that is played, and once had two rows, which nobody could read. The line above it
    still said that the answer is wrong, right above 'It says 'owl' now, which is right'."""
    (rest,) = backward.asked.blocks(linked("backward", **OPENS))
    was = rest["markdown"].replace("still gets this answer", "still got this answer").replace("It says", "It said")
    assert was.count("still got") == was.count("It said") == 1
    for steps in range(1, ANSWER_STEPS + 1):
        note = figure(answer_steps=steps)["note"]
        assert note.count(". ") == 1
        assert len(note) < 125
        (above,) = backward.asked.blocks(linked("backward", **OPENS, answer_steps=steps))
        # The line above is as long as at rest, so nothing below it moves.
        assert above["markdown"] == was


@pytest.mark.parametrize(
    ("link", "is_so"), [({"answer_steps": 15}, True), ({"answer_steps": 15, "updates": "100"}, False)]
)
def test_a_hollow_arrow_has_a_reason_where_it_is_measured(link, is_so):
    told = below(**MANY | link)
    assert "hollow" in told
    assert (say("backward.arrows.gave_way") in told) == is_so


def test_the_first_line_says_where_the_training_was_left_and_which_answer_is_right():
    """A new visitor asks why the layer is wrong, and what it should have said."""
    (text,) = backward.asked.blocks(linked("backward", **OPENS))
    assert "stopped learning early, after 70 updates, and still gets this answer wrong" in text["markdown"]
    assert "It says 'fox' (0.23), but 'owl' (0.07) is right" in text["markdown"]
    # No text calls an answer wrong that is right, or that a fully trained layer gives.
    for link in ({"updates": "110"}, {"updates": "400"}, {"heads": 2}):
        (text,) = backward.asked.blocks(linked("backward", **OPENS | link))
        assert "answer wrong" not in text["markdown"]
    assert "learned from" not in text["markdown"]


def test_words_with_a_wrong_answer_are_marked_and_a_click_asks_about_it():
    """A click on another word mostly told that all answers are right."""
    run = linked("backward", **OPENS).run
    drawn = figure()
    _, answers = by_torch.after(run, 4, 1, 0)
    right = by_torch.right_answers(run)[0]
    wrong = {}
    for row, at in (right >= 0).nonzero().tolist():
        if int(answers[row, at].argmax()) != int(right[row, at]):
            wrong.setdefault(row, at)
    assert {row for row, said in enumerate(drawn["labels"]["mistakes"]) if said} == wrong.keys()
    assert len(wrong) > 1
    for row, at in wrong.items():
        assert drawn["arcs"]["sets"][row]["goal_at"] == f"{ANSWER}.{row}.{at}"
    # Mistakes are marked for the layer after its steps: the price of learning is seen at its word.
    ends = figure(goal_at="answer.10.4", answer_steps=15)["labels"]["mistakes"]
    assert drawn["labels"]["mistakes"][10]
    assert not ends[10]


def test_the_price_of_learning_is_seen_at_its_words_and_questions():
    """A lost answer only added one more thin line, and its button was only emptier."""
    link = {"goal_at": "answer.4.0", "updates": "80"}
    run = linked("backward", **OPENS | link).run
    right = by_torch.right_answers(run)[0]
    asked = (right >= 0).nonzero().tolist()
    rest, now = (
        {(row, at): int(answers[row, at].argmax()) == int(right[row, at]) for row, at in asked}
        for answers in (by_torch.after(run, 4, 0, steps)[1] for steps in (0, 15))
    )
    lost = {row for row, at in asked if rest[row, at] and not now[row, at]}
    still = {row for row, at in asked if not now[row, at]} - lost
    assert len(lost) > 1
    assert still
    labels = figure(**link, answer_steps=15)["labels"]
    assert {row for row, newly in enumerate(labels["newly"]) if newly} == lost
    assert {row for row, said in enumerate(labels["mistakes"]) if "newly wrong" in said} == lost
    assert not any(figure(**link)["labels"]["newly"])
    # The word has lost another answer than the one that was wrong at rest.
    assert "whom?" in labels["mistakes"][4]
    for steps, answers in ((0, rest), (15, now)):
        marks = ["✗" if "✗" in one["line"] else "✓" for one in offered(**link, answer_steps=steps)]
        assert marks == ["✓" if answers[4, question] else "✗" for question in range(3)]


def test_the_steps_are_played_one_by_one_from_none():
    (player,) = backward.learned.blocks(linked("backward", **OPENS, answer_steps=3))
    assert player["values"] == [str(steps) for steps in range(ANSWER_STEPS + 1)]
    assert player["values"][player["at"] - 1] == "3"
    assert player["sets"] == {"answer_steps": "{value}", "pushed": ""}
    assert not [*backward.learned.blocks(linked("backward", **OPENS | {"goal": "loss"}))]
    # An answer that is right already is not called a mistake to learn from.
    (right,) = backward.learned.blocks(linked("backward", **OPENS | {"updates": "140"}))
    assert [one["buttons"]["told_play"] for one in (player, right)] == ["Learn from it", "Learn more from it"]


def test_the_button_of_the_steps_is_a_quiet_one_until_the_guess():
    asked = {"guess_first": "true"}
    for link, is_later in (
        (asked, True),
        (asked | {"guess": "arrow_4_1.0-1"}, False),
        (asked | {"answer_steps": 1}, False),
        ({}, False),
    ):
        (player,) = backward.learned.blocks(linked("backward", **OPENS | link))
        assert player.get("later", False) == is_later


def answers_of_all_stops():
    for updates in (*stops("0"), "200", "300", "400"):
        run = Screen("backward", {"goal": "answer", "updates": updates}).run
        for row in range(len(run.tokens)):
            for one in answer.asked(run, row):
                yield updates, run, row, one


@pytest.mark.slow
def test_most_arrows_come_true_and_no_step_makes_an_answer_less_likely():
    """The first sentence of the page promises this; it holds at every stop for every answer of the sentence."""
    for updates, run, row, one in answers_of_all_stops():
        at = {"goal_at": f"{ANSWER}.{row}.{one.question}", "updates": updates}
        pushes = torch.tensor(figure(**at)["arcs"]["flows"])
        arrows = int(sizes(pushes).astype(bool).sum())
        shares = [answer.sure(run, row, one.question)]
        for steps in (1, 2, 7, ANSWER_STEPS):
            after = runs.after(run, row, one.question, steps)
            shares.append(answer.sure(after, row, one.question))
            assert not arrows or 2 * int(alone.came(run, after, row, pushes).sum()) > arrows, (at, steps)
        assert shares == sorted(shares), at


def test_what_did_not_move_is_not_said_to_have_gone_anywhere():
    """A note once said that 'hen' went from 0.92 to 0.92, and that no weight moved by more than 0.00."""
    sure = {"goal_at": "answer.10.4", "updates": "140", "answer_steps": 5}
    assert "'shy' has stayed at 1.00" in figure(**sure)["note"]
    assert say("backward.alone.no_arrow_at_rest") in below(**sure)
    assert "0.00" not in below(**sure)


def test_the_first_line_names_its_layer_at_any_setting():
    """With another number of heads, the line began with 'It', although nothing stood before it."""
    for link, named in (({"heads": 1}, "end"), ({"updates": "400"}, "end"), ({"heads_off": "1"}, "by_hand")):
        (text,) = backward.asked.blocks(linked("backward", **OPENS | link))
        assert text["markdown"].startswith(say(f"backward.taken_out.{named}"))


def test_the_opening_answer_is_sure_at_the_end_of_the_slider_and_moves_in_each_half():
    run = linked("backward", **OPENS).run
    shares = [answer.sure(runs.after(run, 4, 1, steps), 4, 1) for steps in range(ANSWER_STEPS + 1)]
    assert shares[0] < 0.2
    assert 0.5 < shares[ANSWER_STEPS // 2] < 0.85
    assert shares[-1] > 0.9
    assert max(after - before for before, after in pairwise(shares)) < 0.2


def test_other_answers_that_are_lost_are_counted():
    """Learning one answer alone may spoil others: after 100 updates it costs two."""
    link = MANY | {"updates": "100", "answer_steps": ANSWER_STEPS}
    run = linked("backward", **link).run
    _, answers = by_torch.after(run, 3, 4, ANSWER_STEPS)
    _, rest = by_torch.after(run, 3, 4, 0)
    right = by_torch.right_answers(run)[0]
    others = [(row, at) for row, at in (right >= 0).nonzero().tolist() if (row, at) != (3, 4)]
    were = [at for at in others if int(rest[at].argmax()) == int(right[at])]
    lost = [at for at in were if int(answers[at].argmax()) != int(right[at])]
    assert len(lost) == 2
    price = f"The price: {len(lost)} of the other right answers ({len(were)}) are lost."
    assert figure(**link)["note"].endswith(price)
    assert figure(**MANY, answer_steps=3)["note"].endswith("None of the other right answers (9) is lost.")


@pytest.mark.parametrize("link", [{}, {"answer_steps": 15}, {"pushed": "3.6.80"}], ids=str)
def test_all_answers_of_the_sentence_stand_in_one_line_with_what_they_were(link):
    """By torch, for each question of each word. A lost answer is marked, and told with the one that the layer gives
    instead. An answer that was wrong and became less likely was once seen nowhere."""
    run = linked("backward", **OPENS).run
    _, rest = by_torch.after(run, 4, 1, 0)
    _, now = by_torch.after(run, 4, 1, link.get("answer_steps", 0))
    if "pushed" in link:
        now[4] = by_torch.with_weights(run, 4, by_torch.moved(run, 4, 3, 6, 0.8))
    right = by_torch.right_answers(run)[0]
    card = figure(**link)
    for row, of_word in enumerate(right.tolist()):
        questions = [at for at, known in enumerate(of_word) if known >= 0]
        drawn, told = card["arcs"]["answers"][row], card["labels"]["answered"][row]
        assert len(drawn) == len(told) == len(questions)
        for at, one, said in zip(questions, drawn, told, strict=True):
            (was, given), known = ((int(each[row, at].argmax()) for each in (rest, now)), of_word[at])
            assert one["then"] == pytest.approx(float(rest[row, at, known]), abs=2e-3)
            assert one["now"] == pytest.approx(float(now[row, at, known]), abs=2e-3)
            assert one["isRight"] == (given == known)
            assert one["isLost"] == (was == known != given)
            assert one["isAsked"] == ((row, at) == (4, 1))
            named = say("all_heads.no_adjective") if ANSWERS[at][given] == NOTHING else ANSWERS[at][given]
            if ANSWERS[at][given] not in (NOTHING, *run.tokens):
                named = say("backward.unseen", word=named)
            assert one["isRight"] or said.endswith(say("backward.answer_says", given=named))


def test_other_answers_are_looked_at_after_the_same_steps_and_the_training_begins_at_rest():
    """A click on a newly wrong word once went back to the layer at rest, where the word was right."""
    link = {"answer_steps": 15, "goal_at": "answer.4.1"}
    newly = [row for row, is_new in enumerate(figure(**link)["labels"]["newly"]) if is_new]
    assert len(newly) > 1
    for row in newly:
        sets = figure(**link)["arcs"]["sets"][row]
        assert "answer_steps" not in sets
        seen = {"answer_steps": 15} | {name: text for name, text in sets.items() if text}
        screen = linked("backward", **OPENS | seen)
        _, place, question = seen["goal_at"].split(".")
        weights, answers = by_torch.after(screen.run, 4, 1, 15, of=int(place))
        drawn = figure(**seen)
        shown = torch.tensor([one["weights"] for one in drawn["arcs"]["asks"]], dtype=torch.float64)
        torch.testing.assert_close(shown, weights, atol=2e-3, rtol=0)
        right = int(by_torch.right_answers(screen.run)[0, int(place), int(question)])
        assert int(answers[int(place), int(question)].argmax()) != right
        assert "which is wrong" in drawn["note"]
        source = say("backward.alone.source", word="'brings'", question="whom?")
        assert f"Step 15 of learning from {source}" in drawn["note"]
        # The verb's buttons lead back to the answer from which the layer learns.
        if row == 4:
            (back,) = (one["sets"] for one in offered(**seen) if one["sets"]["goal_at"] == "answer.4.1")
            assert back["learned_from"] == ""
    (player,) = backward.played.blocks(linked("backward", **OPENS | link))
    assert player["sets"] == {"updates": "{value}", "answer_steps": "", "learned_from": "", "pushed": ""}


def test_a_word_that_asks_nothing_has_nothing_to_learn_from():
    at = app("backward", **OPENS | {"goal_at": "answer.0.0"})
    assert no_exception(at)
    assert not any(one.key.startswith("answer_steps") for one in at.slider)
    assert not [*backward.learned.blocks(linked("backward", **OPENS | {"goal_at": "answer.0.0"}))]


def test_what_the_weights_alone_bring_is_told_beside_what_was_learned():
    """By torch: the new weights with the old values and the old W_O."""
    screen = linked("backward", **OPENS, answer_steps=4)
    weights, _ = by_torch.after(screen.run, 4, 1, 4)
    answers = by_torch.with_weights(screen.run, 4, weights)
    right = int(by_torch.right_answers(screen.run)[0, 4, 1])
    gain = figure(answer_steps=4)["arcs"]["gain"]
    by_weights, by_all = gain["rows"]
    assert by_weights["written"] == f"{float(answers[1, right]):.2f}"
    _, learned = by_torch.after(screen.run, 4, 1, 4)
    assert by_all["written"] == f"{float(learned[4, 1, right]):.2f}"
    assert gain["then"] < by_weights["share"] < by_all["share"]
    part = (float(answers[1, right]) - gain["then"]) / (float(learned[4, 1, right]) - gain["then"])
    assert gain["said"] == say("backward.gained.values", share=round(100 * part))
    # Nothing was learned, or it was learned from another answer, or dropout draws among the weights.
    for link in ({}, {"answer_steps": 4, "goal_at": "answer.1.3", "learned_from": "answer.4.1"}):
        assert not figure(**link)["arcs"]["gain"]
    assert not figure(answer_steps=4, dropout=0.3)["arcs"]["gain"]


@pytest.mark.parametrize(
    ("link", "is_there"),
    [
        ({}, True),
        ({"heads": 2}, True),
        ({"goal": "loss"}, False),
        ({"heads_off": "1"}, False),
        ({"preset": "story"}, False),
    ],
)
def test_the_slider_stands_where_it_changes_something(link, is_there):
    """There is no slider with a head off: learning would bring the head back, since its part of W_O has a gradient."""
    link = OPENS | link
    at = app("backward", **link)
    assert no_exception(at)
    assert any(one.key.startswith("answer_steps") for one in at.slider) == is_there
    told = [backward.flow.blocks(linked("backward", **link | {"answer_steps": steps})) for steps in (0, 5)]
    assert (told[0] != told[1]) == is_there


def test_what_is_remembered_of_the_layer_at_rest_is_not_changed():
    run = linked("backward", **OPENS).run
    kept = {id: step.value.clone() for id, step in run.trace.items()}
    after = runs.after(run, 4, 1, 2)
    assert after is runs.after(run, 4, 1, 2)
    assert all(torch.equal(step.value, kept[id]) for id, step in run.trace.items())
    assert (after.config, after.tokens) == (run.config, run.tokens)


def test_the_slider_back_at_0_shows_the_layer_at_rest_and_no_weight_that_was_moved_before():
    at = app("backward", **OPENS, pushed="3.6.80")
    widget(at, "answer_steps").set_value(3).run()
    assert "pushed" not in held(at)
    widget(at, "answer_steps").set_value(0).run()
    assert no_exception(at)
    assert held(at).keys().isdisjoint(("pushed", "answer_steps"))
