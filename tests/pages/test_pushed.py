"""One weight is moved by hand, and the one that matters is guessed before its arrow is drawn: against plain torch."""

import math

import pytest
import torch

from pages.shell.i18n import say
from pages.shell.runs import by_hand
from pages.shell.state.opens_with import OPENS_WITH
from pages.shell.views import backward
from pages.shell.views.backward import answer, strength, target
from tests.support import alone as by_torch
from tests.support.app import linked

WAITS = OPENS_WITH["backward"]
OPENS = {name: text for name, text in WAITS.items() if name != "guess_first"}
# The verb, and the question about its object.
ROW, WHOM = 4, 1
HEADS, WORDS = 4, 11
CAUSAL = {"mask": "causal", "updates": "400", "goal_at": "answer.9.3"}


def blocks(**link) -> list[dict]:
    return [*backward.flow.blocks(linked("backward", **OPENS | link))]


def figure(**link) -> dict:
    return blocks(**link)[0]["cards"][0]


@pytest.mark.parametrize("link", [{}, CAUSAL, {"dropout": 0.3}])
def test_a_weight_that_is_moved_has_its_share_and_the_answers_are_those_of_torch(link):
    run = linked("backward", **OPENS | link).run
    row, question = (int(one) for one in (OPENS | link)["goal_at"].split(".")[1:])
    rest = run.trace["weights"].value.clone()
    for head, key, share in ((3, 6, 0.75), (3, 3, 0.01), (0, 1, 0.5)):
        after = by_hand.after(run, row, head, key, share)
        wanted = by_torch.moved(run, row, head, key, share)
        weights = after.trace["weights"].of_heads(HEADS, batch=0).double()
        torch.testing.assert_close(weights[:, row], wanted, atol=1e-5, rtol=1e-4)
        # The weights of the other words stay.
        others = [place for place in range(WORDS) if place != row]
        assert torch.equal(weights[:, others].float(), rest[0][:, others])
        right = int(by_torch.right_answers(run)[0, row, question])
        expected = float(by_torch.with_weights(run, row, wanted)[question, right])
        assert answer.sure(after, row, question) == pytest.approx(expected, abs=1e-5)
    assert torch.equal(run.trace["weights"].value, rest)


def test_an_arrow_is_what_a_small_move_of_its_weight_does():
    """The push is the slope of ln p(answer) along the score; a score moves its weight by w (1 - w)."""
    screen = linked("backward", **OPENS)
    run, pushes = screen.run, strength.pushes(screen.run, target.found(screen), ROW)
    arrows = torch.tensor(strength.sizes(pushes)).nonzero().tolist()
    assert len(arrows) > 2
    for head, key in arrows:
        weight = float(run.trace["weights"].of_heads(HEADS, batch=0)[head, ROW, key])
        step = 0.002
        up, down = (
            math.log(answer.sure(by_hand.after(run, ROW, head, key, weight + each), ROW, WHOM))
            for each in (step, -step)
        )
        assert (up - down) / (2 * step) * weight * (1 - weight) == pytest.approx(float(pushes[head, key]), rel=0.02)


def test_what_is_moved_along_its_arrow_helps_and_against_it_does_not():
    for pushed, way, helps in (("3.6.80", "along", True), ("3.6.10", "against", False), ("3.3.20", "along", True)):
        card, price, _ = blocks(pushed=pushed)
        drawn = card["cards"][0]
        assert f"moved {way} its arrow" in drawn["note"]
        then, now = (float(one) for one in drawn["note"].split("goes from ")[1].split(". ")[0].split(" to "))
        assert (now > then) == helps
        head, key, share = map(int, pushed.split("."))
        assert drawn["arcs"]["held"] == (head, key)
        assert drawn["arcs"]["asks"][head]["weights"][key] == pytest.approx(share / 100, abs=1e-3)
        assert "other right answers (8)" in price["markdown"]
    assert "where no arrow is" in figure(pushed="0.1.30")["note"]


@pytest.mark.parametrize("pushed", ["9.0.50", "0.40.50", "a.b.c", "1.2", "3.9.50"])
def test_a_weight_that_is_not_there_is_not_moved(pushed):
    link = {"mask": "causal"} if pushed == "3.9.50" else {}
    assert figure(pushed=pushed, **link)["arcs"]["asks"] == figure(**link)["arcs"]["asks"]
    assert figure(pushed=pushed, **link)["arcs"]["held"] == (-1, -1)


def test_steps_of_learning_come_before_what_a_hand_has_moved():
    assert figure(pushed="3.6.80", answer_steps=3) == figure(answer_steps=3)


def test_a_click_looks_at_a_bar_and_moves_it_nowhere():
    """A click on a bar at 0.00 once moved it to 0.01."""
    for sets in figure()["arcs"]["sets"][WORDS:]:
        drawn = figure(**sets)
        assert drawn["arcs"]["asks"] == figure()["arcs"]["asks"]
        assert drawn["note"].startswith("Drag the bar of")


def test_pushes_that_are_alike_are_named_together():
    ways = "head 4 looks a little less at 'fox' or head 4 looks a little more at 'owl'"
    assert figure()["note"] == f"It helps most, about alike, if {ways}."
    assert figure(updates="60")["note"].startswith("It helps most if head ")


def test_where_no_arrow_is_and_a_move_does_much_it_is_said_why():
    why = say("backward.hand.near_none")
    for pushed, is_told in (("2.0.99", True), ("0.6.86", True), ("0.1.30", False), ("3.6.80", False)):
        assert (why in blocks(pushed=pushed)[1]["markdown"]) == is_told


def test_the_way_back_from_steps_leads_to_where_it_was_before_a_hand_moved_it():
    *_, back = blocks(pushed="0.6.86", answer_steps=8)
    (button,) = back["buttons"]
    assert button["line"] == say("backward.hand.back")
    seen = {"pushed": "0.6.86", "answer_steps": "8"} | button["sets"]
    assert figure(**{name: text for name, text in seen.items() if text}) == figure()


def test_before_the_guess_nothing_tells_the_arrows():
    card, _, skip = blocks(**WAITS)
    drawn = card["cards"][0]
    assert drawn["note"] == say("backward.guess.asked", answer="'owl'")
    told = [*drawn["arcs"]["pushes"], *drawn["arcs"]["flows"], *drawn["labels"]["written"]]
    assert not torch.tensor(told).any()
    assert not any(why for of_head in drawn["labels"]["whys"] for why in of_head)
    assert drawn["arcs"]["fastest"] == (-1, -1)
    assert "changes by" not in drawn["labels"]["told"]
    assert not drawn["arcs"]["drags"]
    (shown,) = skip["buttons"]
    assert torch.tensor(figure(**WAITS, **shown["sets"])["arcs"]["pushes"]).any()
    # The guess is not asked for after learning, or after a guess about another answer.
    for link in ({"answer_steps": 1}, {"guess": "arrow_3_4.0-0"}):
        assert torch.tensor(figure(**WAITS, **link)["arcs"]["pushes"]).any()


def test_each_bar_is_a_guess_and_its_verdict_is_that_of_the_gradient():
    asked = figure(**WAITS)["arcs"]
    bars = asked["sets"][WORDS:]
    assert len(bars) == HEADS * WORDS
    run = linked("backward", **OPENS).run
    pushes = torch.tensor(figure()["arcs"]["flows"])
    owl = int(by_torch.right_answers(run)[0, ROW, WHOM])
    right = []
    for at, sets in enumerate(bars):
        head, key = divmod(at, WORDS)
        drawn = figure(**WAITS, **sets)
        mark = drawn["arcs"]["marked"][2]
        assert tuple(drawn["arcs"]["marked"][:2]) == (head, key)
        assert drawn["note"].startswith("✓" if mark == "right" else "✗")
        assert (mark == "right") == (float(pushes[head, key].abs()) > 0.8 * float(pushes.abs().max()))
        right += [(head, key)] if mark == "right" else []
        if mark == "wrong":
            ends = (by_torch.moved(run, ROW, head, key, end) for end in (0.01, 0.99))
            best = max(float(by_torch.with_weights(run, ROW, end)[WHOM, owl]) for end in ends)
            assert f"{best:.2f}" in drawn["note"]
    # The right guesses are a lower weight on the wrong noun, or a higher one on the right noun.
    assert right == [(3, 3), (3, 6)]
