"""A question of a word, how likely its right answer is, and what pushes the weights of the word towards it."""

from itertools import pairwise

import pytest
import torch

from attention.inputs.grammar import QUESTIONS, read
from attention.inputs.learned import Setting, shipped
from pages.shell.i18n import say
from pages.shell.runs.backward import right_answers
from pages.shell.state.opens_with import OPENS_WITH
from pages.shell.state.registry import ALL_FIELDS
from pages.shell.views import backward, naming
from tests.support.app import computed, linked

WORDS = computed().tokens
VERB = WORDS.index("brings")


def figure(**link) -> dict:
    cards, *_ = backward.flow.blocks(linked("backward", **{"goal": "answer", "updates": "80"} | link))
    return cards["cards"][0]


def told(**link) -> str:
    """The sentences below the figure."""
    _, *below = backward.flow.blocks(linked("backward", **{"goal": "answer", "updates": "80"} | link))
    return " ".join(block["markdown"] for block in below if block["kind"] == "text")


def offered(**link) -> list[dict]:
    screen = linked("backward", **{"goal": "answer", "updates": "80"} | link)
    return [one for block in backward.chosen.blocks(screen) if block["kind"] == "buttons" for one in block["buttons"]]


def surprise(question: int, more: tuple[int, int] | None = None, by: float = 0.0) -> float:
    """-ln of the probability of the right answer of the verb after 80 updates, in plain torch. more: the head and the
    key whose score is larger."""
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
        assert one["sets"] == {"goal": "answer", "goal_at": f"answer.{VERB}.{question}", "cell": ""}
        likely = float(torch.tensor(-surprise(question)).exp())
        assert one["share"] == pytest.approx(likely, abs=0.0051)
        assert f"{one['share']:.2f}" in one["line"]
    assert [one["pressed"] for one in buttons] == [True, False, False]
    assert [one["pressed"] for one in offered(goal_at=f"answer.{VERB}.2")] == [False, False, True]
    assert not any(one["pressed"] for one in offered(goal="loss"))


def test_the_sentence_names_the_strongest_push_and_the_question_that_pushes_against_it():
    card = figure()
    assert card["arcs"]["fastest"] == (3, WORDS.index("fox"))
    assert "more weight on 'fox' in head 4" in card["note"]
    assert say("backward.answer.against_down", question="whom?", key="'fox'", head=4) in told()
    assert "compete" not in told(updates="400")


@pytest.mark.parametrize("updates", ALL_FIELDS["updates"].options)
@pytest.mark.parametrize("at", ["answer.4.0", "answer.4.1", "answer.6.4", "answer.10.3"])
def test_a_wrong_answer_always_has_an_arrow(at, updates):
    """The title promises it. Before the first updates pushes are too small for an arrow: there they are drawn larger,
    by a factor that stands beside the sizes and in the sentence."""
    card = figure(goal_at=at, updates=updates)
    (share,) = (one["share"] for one in offered(goal_at=at, updates=updates) if one["pressed"])
    largest = abs(torch.tensor(card["arcs"]["flows"])).max()
    assert bool(abs(torch.tensor(card["arcs"]["pushes"])).any()) == (share < 0.9 or largest >= 0.05)
    is_larger = share < 0.9 and largest < 0.1
    assert ("times" in card["labels"]) == ("times" in card["labels"]["short_key"]) == is_larger
    assert (say("backward.small.drawn", times=10) in told(goal_at=at, updates=updates)) == is_larger


@pytest.mark.parametrize("updates", ALL_FIELDS["updates"].options)
def test_each_step_of_the_training_says_what_the_last_updates_did(updates):
    """An arrow alone does not say what comes, so the line stands at each step, whatever else is said."""
    start = say("backward.since.start")
    line = told(updates=updates).split("\n\n")[0]
    steps = [*ALL_FIELDS["updates"].options]
    before = steps[max(steps.index(updates) - 1, 0)]
    assert line == start if updates == "0" else line.startswith(f"From {before} to {updates} updates 'fox' ")
    assert told(heads=2).count("updates") == 0


def test_where_no_arrow_is_left_the_way_leads_to_an_answer_that_has_some():
    """The training ended on screens that led to others without an arrow."""
    for updates, count in (("400", 2), ("200", 1), ("80", 0)):
        _, *rest = backward.flow.blocks(linked("backward", goal="answer", updates=updates))
        buttons = [one for block in rest if block["kind"] == "buttons" for one in block["buttons"]]
        assert len(buttons) == count
        for one in buttons:
            assert torch.tensor(figure(**{"updates": updates} | one["sets"])["arcs"]["pushes"]).any()
    wrong = figure(**buttons_at_end()[-1]["sets"])
    assert say("backward.answer.after", updates=100) in wrong["note"]


def buttons_at_end() -> list[dict]:
    *_, block = backward.flow.blocks(linked("backward", goal="answer"))
    return block["buttons"]


def test_pushes_end_with_the_training():
    before, after = figure(), figure(updates="400")
    assert abs(torch.tensor(before["arcs"]["flows"])).max() > 1
    assert abs(torch.tensor(after["arcs"]["flows"])).max() < 0.05


def test_a_click_on_a_word_asks_its_first_question_and_one_that_asks_nothing_pushes_nothing():
    sets = figure()["arcs"]["sets"]
    assert sets[VERB] == {"goal_at": f"answer.{VERB}.0", "cell": ""}
    owl = WORDS.index("owl")
    assert sets[owl] == {"goal_at": f"answer.{owl}.4", "cell": ""}
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
    note = figure(updates="120")["note"]
    assert naming.named(WORDS, 1) == "the first 'the'"
    assert naming.named(WORDS, 1) in note


def test_the_page_opens_on_arrows_that_the_next_updates_follow():
    """Whoever opens the page sees an arrow up on the right word, and one step later its weight has grown: the first
    sentence said once that the strongest arrow had gone the other way."""
    lent = OPENS_WITH["backward"]
    every = ALL_FIELDS["updates"].options
    steps = every[every.index(lent["updates"]) :][:3]
    drawn = [figure(**lent | {"updates": step}) for step in steps]
    for then, now in pairwise(drawn):
        head, key = then["arcs"]["fastest"]
        assert WORDS[key] == "shy"
        assert then["arcs"]["pushes"][head][key] > 0
        assert now["arcs"]["asks"][head]["weights"][key] > then["arcs"]["asks"][head]["weights"][key] + 0.3
    for step in steps:
        assert "and it came" in told(**lent | {"updates": step})
