"""All heads at once on one sentence: the names of their arcs, their switches, the answers that fail without them."""

from dataclasses import replace

import pytest
import torch

from attention.inputs.grammar import ANSWERS, QUESTIONS
from attention.inputs.learned import Setting, shipped
from pages.shell.exports.embedded.picture import rows
from pages.shell.i18n import say, with_and, with_or
from pages.shell.runs import learned, learned_scores
from pages.shell.state.config import Config
from pages.shell.views import heads
from pages.shell.views.naming import opened
from tests.support.app import computed, linked

WORDS = Config().complete().text.split()


def figure(view, **link) -> dict:
    (block,) = [block for block in view.blocks(linked("heads", **link)) if block["kind"] == "cards"]
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
    """The oracle is the output without the head's block of W_O, read out by hand."""
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


def test_whether_a_head_can_go_is_asked_and_its_switch_answers():
    """A guess without an answer teaches nothing, so the verdict stands where the guess was made."""
    text = {off: "".join(figure(heads.switches, heads_off=off)["text"]) for off in ("", "2", "4", "1,4")}
    assert text[""] == say("all_heads.guess", word="'brings'")
    assert text["2"] == "Correct. " + say("all_heads.none_lost", heads="head 2")
    # After a wrong guess, the text also tells the right answer.
    can_go = say("all_heads.can_go", heads="Head 2")
    assert text["4"] == f"No. {say('all_heads.lost', heads='head 4', questions='whom?')} {can_go}"
    # Two heads that are off are no guess.
    assert text["1,4"].startswith("Without head 1 and head 4, ")
    assert "can go" not in text["1,4"]


@pytest.mark.parametrize("link", [{}, {"heads": 8}, {"heads": 3}, {"heads": 2}, {"cell": "weights.3.0.arcs"}], ids=str)
def test_the_heads_that_can_go_are_those_whose_switch_loses_no_answer(link):
    """With head 3 off, an answer is wrong, and a visitor who had guessed head 3 was not told which head can go."""
    count = int(link.get("heads", 4))

    def right(off: str) -> list[bool]:
        return [line["isRight"] for line in figure(heads.answers, heads_off=off, **link)["answers"]["lines"]]

    every = right("")
    keeps = [
        at for at in range(1, count + 1) if not [1 for was, now in zip(every, right(str(at)), strict=True) if was > now]
    ]
    # The text names all heads that can go, since a reader would think that unnamed ones cannot.
    named = with_or([f"head {at}" for at in keeps]) if keeps else ""
    answer = opened(say("all_heads.can_go", heads=named)) if keeps else say("all_heads.none_can_go")
    for at in {*range(1, count + 1)} - {*keeps}:
        told = "".join(figure(heads.switches, heads_off=str(at), **link)["text"])
        assert told.endswith(answer)
        # The question is whether a head can go. If none can, no switch was a wrong guess.
        assert told.startswith(say("predict.wrong")) == bool(keeps)


def test_a_head_that_is_off_looks_on_and_that_is_said():
    """The arcs of the head stay: a visitor who is not told why would take the switch to be broken."""
    assert figure(heads.switches, heads_off="2")["note"] == say("all_heads.switch")
    assert figure(heads.switches)["note"] == say("asking.names")
    assert figure(heads.switches, preset="random")["text"] == figure(heads.switches, heads="1")["text"] == []


def test_beside_the_answers_it_is_said_why_they_stay_or_fail():
    note = {off: figure(heads.answers, heads_off=off)["note"] for off in ("", "2")}
    assert note[""] == say("all_heads.none_fails")
    # This head takes much from the right word, but its part of the lead, which is gone without it, is nearly nothing.
    query = WORDS.index("brings")
    taken = computed().trace["weights"].value[0, 1, query, WORDS.index("hen")]
    setting = learned.used(computed().config)
    asked = QUESTIONS.index("to_whom")
    with_it, without = (
        learned.layer(setting).logits(one.trace["projected"].value[0, query].float())[asked]
        for one in (computed(), computed(heads_off="2"))
    )
    right, following = with_it.topk(2).indices
    gave = float((with_it - without)[right] - (with_it - without)[following])
    assert with_it[right] - with_it[following] > 10 * gave
    points = f"{gave:+.1f}".replace("-", "−")
    too = say("votes.wide", head=2, word="'hen'", share=f"{float(taken):.2f}", points=points)
    # All answers are right here, yet the score beside the bar falls, so the note speaks of other sentences.
    assert note["2"].startswith(f"{too} Other questions need it: ")
    # Where an answer is lost, the note does not say that another head asks the same: it would promise the right answer.
    assert figure(heads.answers, heads_off="3")["note"] == ""
    assert figure(heads.answers, heads_off="2,3")["note"].find("to whom?") < 0
    # If several other heads ask the same, the note names them without their weights, which would be a list.
    two = say("all_heads.asked_too", question="whom?", heads="head 4 and head 8")
    assert figure(heads.answers, heads_off="7", heads=8)["note"].startswith(two)


@pytest.mark.parametrize(("earlier", "now"), [("4", "2"), ("4", "1"), ("1", "8"), ("2", "2")])
def test_what_a_change_has_made_wrong_or_right_is_said_first(earlier, now):
    """A visitor who lowers the number of heads first wants to know the cost, and then the effect on arcs."""

    def is_right(count: str) -> list[bool]:
        return [line["isRight"] for line in figure(heads.answers, heads=count)["answers"]["lines"]]

    asked = figure(heads.answers)["labels"]["asked"]
    screen = replace(linked("heads", heads=now), earlier=linked("heads", heads=earlier).parameters)
    effect, *_ = (*heads.effect.blocks(screen), {"said": []})
    was, is_now = is_right(earlier), is_right(now)
    told = [
        say(f"all_heads.now_{name}", questions=with_and(changed))
        for name, right in (("wrong", False), ("right", True))
        if (changed := [one for one, a, b in zip(asked, was, is_now, strict=True) if a != b == right])
    ]
    assert bool(told) == (earlier != now)
    assert effect["said"][: len(told)] == told
    assert not any(say("all_heads.now_wrong", questions="") in one for one in effect["said"][len(told) :])


def test_one_accuracy_stands_in_the_picture_and_the_other_in_the_drawer():
    """Two columns of numbers between 0 and 1 were mistaken for each other."""
    shown = figure(heads.answers)["labels"]
    assert shown["over"] == say("all_heads.sure")
    assert shown["elsewhere"] == [""] * 3
    assert len(shown["header"]) == 3


@pytest.mark.parametrize(("off", "columns"), [("", 1), ("1", 2)])
def test_the_drawer_has_the_shares_of_the_test_sentences(off, columns):
    heading, table = heads.tests.blocks(linked("heads", heads_off=off))
    assert heading["line"] == say("all_heads.tests")
    shown = [[one["line"] for one in row] for row in table["rows"]]
    assert [row[0] for row in shown] == ["who?", "whom?", "to whom?", "whose?", "what like?"]
    made = [learned_scores.tested(computed(heads_off=one).config, computed(heads_off=one).module) for one in ("", off)]
    for at, (_, *shares) in enumerate(shown):
        assert shares == [f"{one.scores.accuracy[at]:.2f}" for one in made[:columns]]


def test_there_are_no_test_sentences_of_other_presets():
    assert heads.tests.blocks(linked("heads", preset="random")) == []


def test_an_answer_that_is_not_in_the_sentence_is_called_a_guess():
    said = figure(heads.answers, heads_off="1")["labels"]["said"]
    guess = next(word for word in ANSWERS[0] if word in said[0] and word not in WORDS)
    assert said[0] == say("all_heads.said.guessed", word=guess, right="fox")
    assert say("all_heads.said.right", word="owl") == said[1]
    unseen = say("all_heads.unseen", words=guess)
    assert figure(heads.answers, heads_off="1")["note"].endswith(unseen)


def test_the_arcs_of_a_head_that_is_off_stay():
    assert figure(heads.arcs, heads_off="1")["arcs"]["asks"] == figure(heads.arcs)["arcs"]["asks"]
    assert figure(heads.arcs, heads_off="1")["arcs"]["off"] == [0]


def test_a_switch_turns_its_head_off_and_on():
    assert [one["heads_off"] for one in figure(heads.switches)["asking"]["sets"]] == ["1", "2", "3", "4"]
    assert [one["heads_off"] for one in figure(heads.switches, heads_off="2")["asking"]["sets"]][:2] == ["1,2", ""]


@pytest.mark.parametrize("word", ["brings", "today"])
def test_whichever_word_is_looked_at_one_sees_which_heads_are_off_and_switches_them_on_at_once(word):
    """At a word that asks nothing, a head stayed off without anyone noticing."""
    cell = f"weights.{WORDS.index(word)}.0.arcs"
    *_, row = heads.switches.blocks(linked("heads", cell=cell, heads_off="2,3"))
    assert row["said"]["line"] == say("all_heads.are_off", heads="head 2 and head 3")
    assert [one["sets"] for one in row["buttons"]] == [{"heads_off": ""}]
    for link in ({}, {"heads_off": "2", "preset": "random"}):
        assert len(heads.switches.blocks(linked("heads", cell=cell, **link))) == 1


def test_at_the_answers_it_is_said_why_there_are_several_heads():
    """The page showed several heads, but not their purpose."""
    at = WORDS.index("brings")
    answers = [WORDS.index(word) for word in ("fox", "owl", "hen")]
    taken = computed().trace["weights"].value[0, :, at, answers]
    told = {
        "words": "'fox', 'owl' and 'hen'",
        "share": f"{1 / 3:.2f}",
        "least": f"{taken.max(0).values.min():.2f}",
    }
    which = say("all_heads.with.all", heads=4)
    assert figure(heads.answers)["text"] == [say("all_heads.why", **told, which=which)]
    # If an answer is lost, another text explains it by the part of each head.
    assert figure(heads.answers, heads_off="1")["text"] == figure(heads.answers, heads_off="1,2,3,4")["text"] == []
    alone = computed(heads=1).trace["weights"].value[0, 0, at, answers]
    spent = {"share": f"{alone.max():.2f}", "rest": f"{1 - alone.max():.2f}", "word": "'hen'"}
    assert alone.argmax() == 2
    assert figure(heads.answers, heads=1)["text"] == [say("all_heads.one_look", **spent)]
    # Two heads cannot look at three words.
    two = computed(heads=2).trace["weights"].value[0, :, at, answers].max(0).values
    given = with_and([f"{share:.2f} to '{word}'" for word, share in zip(("fox", "owl", "hen"), two, strict=True)])
    told = say("all_heads.several_share", which=say("all_heads.with.all", heads=2), given=given)
    assert figure(heads.answers, heads=2)["text"] == [told]
    assert two.min() < 1 / 3
    # A word with one question needs one answer, so no text is about several heads.
    assert figure(heads.answers, cell=f"weights.{WORDS.index('fox')}.0.arcs")["text"] == []


def test_the_switches_say_what_the_word_asks():
    """For a word with one question, most lines know no question, so the title first says what it asks."""
    titles = {
        word: figure(heads.switches, cell=f"weights.{WORDS.index(word)}.0.arcs")["title"]
        for word in ("brings", "fox", "today")
    }
    assert titles == {
        "brings": "'brings' asks: who? whom? to whom?",
        "fox": "'fox' asks: what like?",
        "today": "'today' asks too, but training taught it nothing to look for.",
    }
    # The title does not tell that two heads ask the same: a switch shows it.
    assert figure(heads.switches, heads_off="2")["title"] == titles["brings"]
    assert figure(heads.switches, preset="random")["title"] == say("asking.title", heads=4)


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


def test_the_picture_of_the_answers_has_a_name_over_each_column(monkeypatch):
    """A server can draw the figure without the page, and a column more than names would have no heading."""
    drawn = []
    monkeypatch.setattr(rows, "table", lambda header, lines, *_: drawn.append((header, lines)))
    rows.answers(figure(heads.answers), None, 700.0)
    [(header, lines)] = drawn
    assert [len(line) for line in lines] == [len(header)] * 3


@pytest.mark.parametrize(("count", "off"), [(4, "3"), (4, "1"), (8, "5"), (4, "2,3")], ids=str)
def test_what_each_head_adds_explains_the_answer_that_is_lost(count, off):
    """A wide arc to the right word stayed, but the answer was wrong, and no text said why. The oracle is the head's
    rows of W_O, read out by hand."""
    shown, at = figure(heads.votes, heads=count, heads_off=off), WORDS.index("brings")
    run = computed(heads=count)
    layer = shipped(learned.used(run.config))
    off_here = [int(one) - 1 for one in off.split(",")]
    judged = figure(heads.answers, heads=count, heads_off=off)
    lost = next(question for question, line in enumerate(judged["answers"]["lines"]) if not line["isRight"])
    parts = torch.stack(
        [
            run.trace["output"].value[0, head, at] @ run.module.w_o.unflatten(0, (count, -1))[head]
            for head in range(count)
        ]
    )
    logits = layer.logits(parts)[:, lost]
    right = ANSWERS[lost].index(("fox", "owl", "hen")[lost])
    given = int(logits[[head for head in range(count) if head not in off_here]].sum(0).argmax())
    added = (logits[:, right] - logits[:, given]).tolist()
    told = [float(one.replace("−", "-")) for one in shown["labels"]["sure"]]
    assert told == pytest.approx(added, abs=0.051)
    # Without the heads that are off, the other answer leads.
    left = sum(one for head, one in enumerate(added) if head not in off_here)
    assert sum(added) > 0 > left
    assert f"ahead by {-left:.1f}" in shown["note"]
    # Bars keep their sign: positive and negative ones lie on opposite sides of 0.
    assert [line["share"] > 0 for line in shown["answers"]["lines"]] == [one > 0 for one in added]
    assert shown["answers"]["off"] == off_here


def test_where_no_answer_is_lost_there_is_nothing_to_explain():
    for link in ({}, {"heads_off": "2"}, {"heads": 1}, {"preset": "random"}):
        assert heads.votes.blocks(linked("heads", **link)) == []


def test_a_head_that_earned_no_question_and_looks_at_a_right_word_is_said_to():
    """Beside a full bar on 'hen' stood that the head has no clear answer."""
    said = figure(heads.switches, heads=8)["labels"]["said"]
    taken = computed(heads=8).trace["weights"].value[0, 0, WORDS.index("brings"), WORDS.index("hen")]
    assert taken > 0.5
    assert said[0] == say("all_heads.looks", word="'hen'")


def test_without_a_clue_is_said_where_no_head_that_is_on_looks_at_the_right_word():
    of_eight = figure(heads.answers, heads=8, heads_off="5")
    assert "right: hen" in of_eight["labels"]["said"][2]
    assert of_eight["note"] == ""


def test_without_any_head_what_is_right_is_so_by_a_guess():
    labels = figure(heads.answers, heads_off="1,2,3,4")["labels"]
    assert labels["said"][0] == say("all_heads.said.chance", word="fox")
    assert {one.split()[1].strip(",") for one in labels["said"]} == {"fox"}


def test_of_a_word_that_asks_nothing_it_is_said_which_one_does():
    cell = f"weights.{WORDS.index('today')}.0.arcs"
    (block,) = heads.answers.blocks(linked("heads", cell=cell))
    assert block["markdown"] == say("all_heads.nothing_asked", word="'today'", other="'brings'")
    # No head is off, so no text is about one.
    assert figure(heads.switches, cell=cell)["text"] == []


def test_the_score_without_a_head_is_compared_with_that_of_all_heads():
    """When another head was off before, a score seemed to rise, while the text beside it told of a fall."""
    screen = linked("heads", heads_off="2")
    effect, *_ = heads.effect.blocks(replace(screen, earlier=linked("heads", heads_off="3").parameters))
    ((_, now, before, *_),) = effect["meters"]
    assert now < before == "1.00"


@pytest.mark.parametrize("count", [1, 2, 3, 4, 8])
def test_a_question_keeps_its_colour_whatever_the_number_of_heads(count):
    """A visitor who drags the heads follows a question by its colour: that of the head that answers it best."""
    drawn, switched = (figure(view, heads=count) for view in (heads.arcs, heads.switches))
    colours = drawn["arcs"]["colours"]
    assert colours == switched["asking"]["colours"]
    assert len({*colours}) == len(colours) == count
    # In each layer with at least three heads, who, whom and to whom have a head each.
    asked = {"who?": 0, "whom?": 3, "to whom?": 2}
    if count >= len(asked):
        assert {*asked.items()} <= {*zip(drawn["labels"]["short"], colours, strict=True)}
    assert "colours" not in figure(heads.arcs, preset="random")["arcs"]
