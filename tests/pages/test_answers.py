"""A question to a word: the probability of its right answer, and the pushes on the word's weights towards it."""

import pytest
import torch

from attention.inputs.grammar import QUESTIONS, read
from attention.inputs.learned import Setting, shipped
from pages.shell.i18n import say
from pages.shell.runs.backward import right_answers
from pages.shell.state.config import stops
from pages.shell.state.opens_with import OPENS_WITH
from pages.shell.views import backward, naming
from tests.support.app import computed, linked

WORDS = computed().tokens
VERB = WORDS.index("brings")
STOPS = stops("0")
# The parameters that another answer resets.
AT_REST = dict.fromkeys(("cell", "answer_steps", "learned_from", "pushed"), "")


def figure(**link) -> dict:
    cards, *_ = backward.flow.blocks(linked("backward", **{"goal": "answer", "updates": "80"} | link))
    return cards["cards"][0]


def line(**link) -> str:
    """The line above the figure, about the layer at rest."""
    (text,) = backward.asked.blocks(linked("backward", **{"goal": "answer", "updates": "80"} | link))
    return text["markdown"]


def told(**link) -> str:
    """The sentences below the figure."""
    _, *below = backward.flow.blocks(linked("backward", **{"goal": "answer", "updates": "80"} | link))
    return " ".join(block["markdown"] for block in below if block["kind"] == "text")


def offered(**link) -> list[dict]:
    screen = linked("backward", **{"goal": "answer", "updates": "80"} | link)
    return [one for block in backward.chosen.blocks(screen) if block["kind"] == "buttons" for one in block["buttons"]]


def surprise(question: int, more: tuple[int, int] | None = None, by: float = 0.0) -> float:
    """-ln of the probability of the verb's right answer after 80 updates, in plain torch. more: the head and key whose
    score is larger by `by`."""
    layer = shipped(Setting(taken=80))
    x = layer.prepared([read(tuple(WORDS))]).inputs.x[0].double()
    module = layer.module.double()
    q, k, v = ((x @ w.detach()).unflatten(-1, (4, -1)).transpose(0, 1) for w in (module.w_q, module.w_k, module.w_v))
    scores = q @ k.mT / 2
    if more:
        scores[more[0], VERB, more[1]] += by
    made = (scores.softmax(-1) @ v).transpose(0, 1).flatten(1) @ module.w_o.detach()
    module.float()
    right = int(right_answers(linked("backward").run)[0, VERB, question])
    return float(
        -(made[VERB] @ layer.read_out.double()).unflatten(-1, (len(QUESTIONS), -1))[question].log_softmax(-1)[right]
    )


@pytest.mark.parametrize(("question", "head", "key"), [(0, 3, "fox"), (0, 3, "owl"), (1, 1, "owl"), (2, 1, "hen")])
def test_a_push_is_how_much_likelier_the_answer_becomes_with_the_score(question, head, key):
    to, step = WORDS.index(key), 1e-4
    flows = figure(goal_at=f"answer.{VERB}.{question}")["arcs"]["flows"]
    slope = (surprise(question, (head, to), -step) - surprise(question, (head, to), step)) / (2 * step)
    assert flows[head][to] == pytest.approx(slope, rel=2e-3, abs=1e-3)


def test_each_question_of_the_word_stands_with_its_answer_and_how_likely_it_is():
    buttons = offered()
    for question, one in enumerate(buttons):
        assert one["sets"] == {"goal": "answer", "goal_at": f"answer.{VERB}.{question}"} | AT_REST
        likely = float(torch.tensor(-surprise(question)).exp())
        assert one["share"] == pytest.approx(likely, abs=0.0051)
        assert f"{one['share']:.2f}" in one["line"]
    assert [one["pressed"] for one in buttons] == [True, False, False]
    assert [one["pressed"] for one in offered(goal_at=f"answer.{VERB}.2")] == [False, False, True]
    assert not any(one["pressed"] for one in offered(goal="loss"))


def test_the_sentence_names_the_strongest_push_and_a_move_the_question_that_pushes_against_it():
    card = figure()
    assert card["arcs"]["fastest"] == (3, WORDS.index("fox"))
    assert "head 4 looks a little more at 'fox'" in card["note"]
    against = say("backward.answer.against_down", question="whom?", key="'fox'", head=4)
    assert against in told(pushed="3.3.70")
    # Another question is named only if the moved weight has an arrow; before a move, the sentence keeps to one topic.
    assert not any(
        "compete" in told(**link) for link in ({}, {"pushed": "2.0.50"}, {"updates": "400", "pushed": "3.3.70"})
    )


@pytest.mark.parametrize("updates", STOPS)
@pytest.mark.parametrize("at", ["answer.4.0", "answer.4.1", "answer.6.4", "answer.10.4"])
def test_a_wrong_answer_has_an_arrow_or_the_sentence_says_why_not(at, updates):
    """The title promises arrows. When all pushes were weak, arrows were once drawn ten times as large: thirty at the
    start of the training, none of which the next stop followed."""
    card = figure(goal_at=at, updates=updates)
    (share,) = (one["share"] for one in offered(goal_at=at, updates=updates) if one["pressed"])
    largest = abs(torch.tensor(card["arcs"]["flows"])).max()
    assert bool(abs(torch.tensor(card["arcs"]["pushes"])).any()) == (largest >= 0.05)
    assert ("No arrow: " in card["note"]) == (largest < 0.05 and share < 0.9)
    assert ("hardly any push is left" in card["note"]) == (largest < 0.05 and share >= 0.9)


def test_before_the_values_say_something_no_weight_matters():
    """So the first updates change the values, and the sentences say this."""
    start = {"goal_at": "answer.10.4", "updates": "0"}
    assert "even all weight of a head on one word would lift it to 0.13 at most" in figure(**start)["note"]
    assert "The values have more to learn first" in told(**start)
    assert "The values have more to learn first" not in told(goal_at="answer.10.4", updates="80")


def test_the_training_is_played_until_the_answer_is_right_for_good():
    """The film ends there, since later stops would show the same picture again. An answer that is lost again later is
    not yet learned."""
    ends = {
        at: [updates for updates in STOPS if player(goal_at=at, updates=updates).get("ends")]
        for at in ("answer.3.4", "answer.10.4", "answer.7.3", "answer.4.1")
    }
    assert ends["answer.3.4"] == ["140"]
    assert ends["answer.10.4"] == ["110", "120", "130", "140"]
    assert ends["answer.7.3"] == [updates for updates in STOPS if int(updates) >= 70]
    # This answer is right after 100 updates, and wrong again after 120.
    assert ends["answer.4.1"] == []


def player(**link) -> dict:
    (block,) = backward.played.blocks(linked("backward", goal="answer", **link))
    return block


@pytest.mark.parametrize("updates", [*STOPS, "200", "300", "400"])
def test_each_step_of_the_training_says_what_the_last_updates_did(updates):
    """The curve is flat for long, so each stop has a line of its own."""
    line = player(updates=updates, goal_at="answer.3.4")["text"]
    steps = [*STOPS] if updates in STOPS else [*STOPS, updates]
    before = steps[max(steps.index(updates) - 1, 0)]
    start = say("backward.since.start")
    assert line == start if updates == "0" else line.startswith(f"From {before} to {updates} updates 'old' ")
    assert not [*backward.played.blocks(linked("backward", goal="answer", heads=2))]


def test_a_play_of_few_stops_begins_at_the_first_one():
    """From one of the last stops, the film would be three fast steps."""
    anew = [updates for updates in STOPS if player(updates=updates).get("anew")]
    assert anew == ["100", "110", "120", "130", "140"]


@pytest.mark.parametrize(("at", "wrong"), [("answer.10.4", "90"), ("answer.3.4", "110")])
def test_an_answer_without_an_arrow_leads_to_the_last_stop_at_which_it_had_one(at, wrong):
    """The click that the page invites once led to an answer without arrows. Now it leads to a stop at which the same
    answer has some."""
    for updates in ("140", "400"):
        *_, way = offered(goal_at=at, updates=updates)
        assert way["line"] == say("backward.answer.when_wrong")
        assert way["sets"] == {"goal": "answer", "goal_at": at, "updates": wrong} | AT_REST
    there = figure(goal_at=at, updates=wrong)
    assert ", but " in line(goal_at=at, updates=wrong)
    assert torch.tensor(there["arcs"]["pushes"]).any()
    # At all later stops, the answer is right or has no arrow.
    later = STOPS[STOPS.index(wrong) + 1 :]
    assert not any(", but " in line(goal_at=at, updates=each) for each in later)
    assert len(offered(goal_at=at, updates=wrong)) == 1


def test_pushes_end_with_the_training():
    before, after = figure(), figure(updates="400")
    assert abs(torch.tensor(before["arcs"]["flows"])).max() > 1
    assert abs(torch.tensor(after["arcs"]["flows"])).max() < 0.05


def test_a_click_on_a_word_asks_its_first_wrong_question_or_the_first_and_one_that_asks_nothing_pushes_nothing():
    sets = figure()["arcs"]["sets"]
    assert sets[VERB] == {"goal_at": f"answer.{VERB}.0"} | AT_REST
    owl = WORDS.index("owl")
    assert sets[owl] == {"goal_at": f"answer.{owl}.4"} | AT_REST
    quiet = figure(goal_at="answer.0.0")
    assert not torch.tensor(quiet["arcs"]["flows"]).any()
    assert quiet["note"] == say("backward.answer.nothing", word=naming.named(WORDS, 0))
    (elsewhere,) = offered(goal_at="answer.0.0")
    assert elsewhere["sets"]["goal_at"] == f"answer.{VERB}.0"
    assert "share" not in elsewhere


@pytest.mark.parametrize("link", [{"preset": "random", "text": "one two three"}, {"preset": "story"}])
def test_where_nothing_is_asked_the_largest_number_of_the_output_flows_back(link):
    asked, one = figure(**link), figure(**link, goal="cell")
    assert asked["arcs"]["flows"] == one["arcs"]["flows"]
    assert asked["note"] == one["note"]
    assert offered(**link) == []


def test_a_word_that_stands_twice_is_named_as_on_other_pages():
    note = figure(updates="100")["note"]
    assert naming.named(WORDS, 1) == "the first 'the'"
    assert naming.named(WORDS, 1) in note


def test_the_page_opens_on_a_wrong_answer_with_strong_arrows():
    """The opening screen shows the pushes; tests/pages/test_alone.py checks that they come true."""
    opens = OPENS_WITH["backward"]
    assert ", but 'owl'" in line(**opens)
    # The arrows come with a guess (tests/pages/test_pushed.py).
    assert abs(torch.tensor(figure(**opens)["arcs"]["pushes"])).max() == 0
    assert abs(torch.tensor(figure(**opens | {"guess_first": ""})["arcs"]["pushes"])).max() == 3
    assert abs(torch.tensor(figure(**opens | {"updates": "400"})["arcs"]["pushes"])).max() == 0
