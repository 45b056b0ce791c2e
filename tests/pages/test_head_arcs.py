"""All heads at once on one sentence: the names of their arcs, their switches, the answers that fail without them."""

import pytest

from attention.inputs.grammar import ANSWERS
from attention.inputs.learned import Setting, shipped
from pages.shell.i18n import say
from pages.shell.state.config import Config
from pages.shell.views import heads
from tests.support.app import computed, linked

WORDS = Config().complete().text.split()


def figure(view, **link) -> dict:
    (block,) = view.blocks(linked("heads", **link))
    return block["cards"][0]


def test_the_arcs_are_the_recorded_weights_of_all_heads():
    drawn = figure(heads.arcs)["arcs"]
    recorded = computed().trace["weights"].value[0, :, WORDS.index("brings")]
    for head, one in enumerate(drawn["asks"]):
        assert one["weights"] == pytest.approx(recorded[head].tolist(), rel=1e-3)
    assert drawn["tokens"] == WORDS


def test_each_head_is_named_after_the_question_that_it_answers():
    names = figure(heads.arcs)["labels"]["names"]
    assert names == ["who? · head 1", "to whom? · head 2", "to whom? · head 3", "whom? · head 4"]
    assert figure(heads.arcs, preset="random")["labels"]["names"] == [f"head {head}" for head in (1, 2, 3, 4)]


@pytest.mark.parametrize(("off", "wrong"), [("", set()), ("4", {"whom?"})], ids=str)
def test_without_a_head_the_answer_that_it_knew_fails(off, wrong):
    """The oracle: the output without the head's block of W_O, read out by hand."""
    labels, lines = (
        figure(heads.answers, heads_off=off)["labels"],
        figure(heads.answers, heads_off=off)["answers"]["lines"],
    )
    assert {labels["asked"][at] for at, line in enumerate(lines) if not line["isRight"]} == wrong
    layer, shown = shipped(Setting()), computed()
    w_o = shown.module.w_o.clone()
    w_o[12:] *= off != "4"
    logits = layer.logits(shown.trace["concat"].value[0, WORDS.index("brings")] @ w_o)
    for question, (said, line) in enumerate(zip(labels["said"], lines, strict=True)):
        sure, answer = logits[question].softmax(-1).max(-1)
        assert ANSWERS[question][int(answer)] in said
        assert line["share"] == pytest.approx(float(sure), abs=1e-3)


def test_it_says_which_answer_fails_without_a_head():
    note = {off: figure(heads.answers, heads_off=off)["note"] for off in ("", "4", "2")}
    assert note[""] == say("all_heads.none_fails")
    assert note["4"].startswith(say("all_heads.lost", heads=say("asking.head", head=4), questions="whom?"))
    # Another head asks what this one asks.
    too = say("all_heads.asked_too", question="to whom?", heads=say("asking.head", head=3))
    assert note["2"] == say("all_heads.none_lost", heads=say("asking.head", head=2)) + " " + too
    assert figure(heads.answers, heads_off="2,3")["note"].find("asked by") < 0


def test_how_sure_and_how_often_are_two_columns_with_a_name_each():
    labels = figure(heads.answers)["labels"]
    assert labels["over"] == [say("all_heads.over.here"), say("all_heads.over.tests")]
    assert len(labels["sure"]) == len(labels["elsewhere"]) == 3


def test_an_answer_that_is_not_in_the_sentence_is_called_a_guess():
    said = figure(heads.answers, heads_off="1")["labels"]["said"]
    guess = next(word for word in ANSWERS[0] if word in said[0] and word not in WORDS)
    assert said[0] == say("all_heads.said.guessed", word=guess, right="fox")
    assert say("all_heads.said.right", word="owl") == said[1]
    unseen = say("all_heads.unseen", words=guess)
    assert figure(heads.answers, heads_off="1")["note"].endswith(unseen)


def test_the_share_on_the_test_sentences_falls_and_the_arcs_stay():
    elsewhere = figure(heads.answers, heads_off="1")["labels"]["elsewhere"]
    before, _, now = elsewhere[0].partition(" → ")
    assert float(before) > 0.95 > 0.5 > float(now)
    assert figure(heads.arcs, heads_off="1")["arcs"]["asks"] == figure(heads.arcs)["arcs"]["asks"]
    assert figure(heads.arcs, heads_off="1")["arcs"]["off"] == [0]


def test_a_switch_turns_its_head_off_and_on():
    assert [one["heads_off"] for one in figure(heads.switches)["asking"]["sets"]] == ["1", "2", "3", "4"]
    assert [one["heads_off"] for one in figure(heads.switches, heads_off="2")["asking"]["sets"]][:2] == ["1,2", ""]


def test_the_switches_say_how_many_questions_the_heads_have():
    """Two heads that ask the same are what switching off one of them shows; a title that denies it is contradicted by
    the first picture."""
    off = {"heads_off": "2"}
    assert figure(heads.switches)["title"] == "4 heads ask at once", "a switch answers, not the title before it"
    assert figure(heads.switches, **off)["title"] == "4 heads, 3 questions: heads 2 and 3 ask the same"
    one = figure(heads.switches, cell=f"weights.{WORDS.index('to')}.0.arcs", **off)["title"]
    assert one == "4 heads, 1 question: heads 1, 2 and 3 ask the same"
    for link in ({"heads": "1"} | off, {"heads": "2"} | off, {"preset": "random"} | off):
        asks = figure(heads.switches, **link)["labels"]["said"]
        doubled = len({one for one in asks if "→" in one}) < len([one for one in asks if "→" in one])
        assert ("ask the same" in figure(heads.switches, **link)["title"]) == doubled


@pytest.mark.parametrize("preset", ["random", "story"])
def test_where_nobody_knows_what_is_right_nothing_is_switched(preset):
    assert figure(heads.switches, preset=preset)["asking"]["fixed"]
    assert heads.answers.blocks(linked("heads", preset=preset)) == []


def test_random_weights_are_said_to_mean_nothing_before_all_else():
    (note,) = heads.warning.blocks(linked("heads", preset="random"))
    assert note["markdown"] == say("random.warning")
    assert heads.warning.blocks(linked("heads")) == []


def test_a_word_that_is_looked_at_asks_and_its_answer_is_read_out():
    at = WORDS.index("hen")
    shown = figure(heads.answers, cell=f"weights.{at}.0.arcs")["labels"]
    assert shown["asked"] == ["what like?"]
    assert "shy" in shown["said"][0]
    assert figure(heads.arcs, cell=f"weights.{at}.0.arcs")["arcs"]["focus"] == at
