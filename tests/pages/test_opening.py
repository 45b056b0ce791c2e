"""The opening page: the numbers below the words, why one word answers, each head's question, and the film's texts."""

import re
from decimal import ROUND_HALF_UP, Decimal
from itertools import product
from math import sqrt

import pytest
import torch

from attention.inputs.grammar import CLASSES
from pages.shell.i18n import say
from pages.shell.runs import learned_scores
from pages.shell.views import VIEWS, why
from tests.support.app import HOME, app, computed, linked, seen
from tests.support.covering import some

RANDOM = {"preset": "random", "text": "one two three four five six", "d_model": 24, "heads": 3, "seed": 4}
LINKS = {
    "as it opens": {},
    "a word, a head": {"cell": "weights.6.9.result", "head": 3},
    "causal": {"mask": "causal", "cell": "weights.4.3.result"},
    "dropout": {"dropout": 0.4, "afterwards": True},
    "random": RANDOM,
    "not scaled": RANDOM | {"scale": "none", "cell": "weights.2.4.result"},
    "many features": RANDOM | {"d_k": "11", "d_v": "7"},
    "variants": RANDOM
    | {"positions": "rotary", "heads": 4, "kv_heads": "2", "qk_norm": True, "softcap": "1", "sink": "1"},
    "cached": RANDOM | {"heads": 4, "kv_cache": "2", "kv_heads": "1"},
    "biased": RANDOM | {"positions": "alibi", "heads": 4},
}
each_link = pytest.mark.parametrize("name", LINKS)


def card(view, link):
    [block] = VIEWS[f"walkthrough.{view}"].blocks(linked(**link))
    [found] = block["cards"]
    return found


def number(text):
    return Decimal(text.replace("−", "-"))


def rounded(value, text):
    """A number rounded as a reader does, to as many decimals as a text has."""
    return value.quantize(Decimal(1).scaleb(-len(text.partition(".")[2])), ROUND_HALF_UP)


def recomputes(shown, products, total, score):
    """A reader who multiplies and adds the written numbers gets the written results."""
    written = [[number(text) for text in one] for one in products]
    assert len(written) == shown.module.d_k
    for q, k, of_both in written:
        assert rounded(q * k, str(of_both)) == of_both
    assert rounded(sum(of_both for *_, of_both in written), total) == number(total)
    factor = shown.trace["scale"].value.item() if "scale" in shown.trace else 1 / sqrt(shown.module.d_k)
    assert rounded(number(total) * Decimal(factor), score) == number(score)


@each_link
def test_who_multiplies_and_adds_what_is_written_comes_to_what_is_written(name):
    drawn = card("why", LINKS[name])["products"]
    recomputes(linked(**LINKS[name]).run, [one[3:] for one in drawn["products"]], drawn["total"][1], drawn["score"][1])


@pytest.mark.parametrize("head", [1, 2, 3, 4])
@pytest.mark.parametrize("preset", ["learned", "random"])
def test_so_it_is_for_every_pair_that_can_be_chosen(preset, head):
    shown = linked(preset=preset, head=head).run
    assert shown.head == head - 1
    for query, key in product(range(len(shown.labels["query"])), range(len(shown.labels["key"]))):
        recomputes(shown, *why.written(shown, query, key))


@each_link
def test_below_each_word_stand_its_score_and_the_share_with_which_it_is_taken(name):
    shown, drawn = linked(**LINKS[name]).run, card("arcs", LINKS[name])["arcs"]
    query = drawn["focus"] - (len(shown.labels["key"]) - len(shown.labels["query"]))
    read = next(id for id in ("biased", "softcapped", "scaled") if id in shown.trace)
    seen = shown.matrix("mask")[query] if "mask" in shown.trace else torch.ones(len(drawn["tokens"]), dtype=torch.bool)
    scores, weights = (shown.matrix(id)[query] for id in (read, "weights"))
    taken = shown.matrix("dropped")[query] if "dropped" in shown.trace else weights
    added = torch.zeros(shown.module.d_v)
    values = shown.matrix("values_joined" if "values_joined" in shown.trace else "values")
    for at, (score, share, written, is_dropped) in enumerate(drawn["columns"]):
        if not seen[at]:
            assert (score, share, written) == (None, None, "")
            continue
        assert score == pytest.approx(float(scores[at]), rel=1e-3, abs=1e-6)
        assert is_dropped == bool(taken[at] == 0 and weights[at] > 0)
        assert share == pytest.approx(float(weights[at] if is_dropped else taken[at]), rel=1e-3, abs=1e-6)
        exact = float(weights[at] if is_dropped else taken[at])
        assert written == ("<0.01" if 0 < exact < 0.005 else f"{exact:.2f}")
        added += (0.0 if is_dropped else share) * values[at]
    torch.testing.assert_close(added, shown.matrix("output")[query], rtol=2e-3, atol=2e-3)


def test_a_click_below_a_word_looks_at_its_answer_to_the_word_that_asks():
    drawn = card("arcs", LINKS["a word, a head"])["arcs"]
    below = drawn["sets"][len(drawn["tokens"]) :]
    assert drawn["answer"] == 9
    assert [each["cell"] for each in below] == [f"weights.6.{key}.result" for key in range(len(drawn["tokens"]))]
    for at, sets in enumerate(below):
        assert card("arcs", LINKS["a word, a head"] | sets)["arcs"]["answer"] == at


@pytest.mark.parametrize("words", some(list(product(CLASSES["noun"][:3], CLASSES["adjective"][:3])), 4))
def test_a_head_has_the_name_of_a_question_only_where_its_scores_and_its_weight_here_earn_it(words):
    """The names are compared with a grammarian's reading of the sentence, for every word."""
    noun, adjective = words
    text = f"then the {adjective} {noun} leads the bear to the dog".split()
    # For each word: its questions by number, and the place of the right word.
    right = {
        4: {(0, "who"): 3, (1, "whom"): 6, (2, "to whom"): 9},
        **{at: {(3, "whose"): noun} for at, noun in ((1, 3), (2, 3), (5, 6), (7, 9), (8, 9))},
        **{at: {(4, "what like"): at - 1} for at in (3, 6, 9)},
    }
    shown = computed(preset="learned", text=" ".join(text))
    by_head = learned_scores.tested(shown.config, shown.module).scores.by_head
    for place in range(len(text)):
        asking = card("heads", {"preset": "learned", "text": " ".join(text), "cell": f"weights.{place}.0.result"})
        assert asking["asking"]["tokens"] == text
        above = ""
        for one, said in zip(asking["asking"]["asks"], asking["labels"]["said"], strict=True):
            head = one["head"] - 1
            row = shown.trace["weights"].value[0, head, place]
            earned = [
                (question, target)
                for (number_of, question), target in right.get(place, {}).items()
                if by_head[number_of][head] >= 0.5 and row[target] >= 0.5
            ]
            if earned:
                [(question, target)] = earned
                # An article directly before a noun means that there is no adjective.
                answer = "no adjective" if (question, text[target]) == ("what like", "the") else text[target]
                assert (said, one["answer"]) == (f"{question}? → {answer}", target)
            else:
                # If several heads in a row have no known question, only the first line says so in full.
                is_said = above in ("no question we know", "nor here")
                assert (said, one["answer"]) == ("nor here" if is_said else "no question we know", -1)
            above = said
        if place == 4:
            assert sum(one["answer"] >= 0 for one in asking["asking"]["asks"]) >= 3


@pytest.mark.parametrize(
    "link", [{"text": "owl the brings fox"}, {"text": "the old fox brings the fox to the hen"}, RANDOM], ids=str
)
def test_outside_the_grammar_no_head_has_a_name(link):
    asking = card("heads", link)
    assert all(one["answer"] == -1 for one in asking["asking"]["asks"])
    assert not any("?" in said for said in asking["labels"]["said"])
    assert not asking["text"] or not asking["text"][0]


@each_link
def test_the_film_says_the_numbers_of_the_record(name):
    shown, link = linked(**LINKS[name]).run, LINKS[name]
    [film] = VIEWS["walkthrough.film"].blocks(linked(**link))
    drawn, why = card("arcs", link), card("why", link)
    assert len(film["steps"]) == len(film["names"]) == 7
    assert str(shown.module.d_model) in film["steps"][0]
    assert ("where it stands" in film["steps"][0]) == (shown.config.preset == "learned")
    assert f" {why['products']['total'][1]}." in film["steps"][2]
    assert film["undivided"] * float(shown.matrix("scaled")[0, 0]) == pytest.approx(
        float(shown.matrix("scores")[0, 0]), rel=1e-4
    )
    query = drawn["arcs"]["focus"] - (len(shown.labels["key"]) - len(shown.labels["query"]))
    assert f"make {shown.matrix('weights')[query].sum():.2f} together" in film["steps"][4]
    taken = shown.matrix("dropped" if "dropped" in shown.trace else "weights")[query, drawn["arcs"]["answer"]]
    assert f"takes {taken:.2f} of" in film["steps"][5]
    assert ("queries, keys and values of its own" in film["steps"][6]) == (
        1 < shown.module.heads == shown.module.kv_heads
    )
    kept, p = shown.trace.get("kept"), shown.config.dropout
    if kept is not None:
        lost = int((~shown.matrix("kept")[query] & (shown.matrix("weights")[query] > 0)).sum())
        counts = {"struck": lost, "count": int((shown.matrix("weights")[query] > 0).sum())}
        assert say("arcs.dropping", **counts, factor=f"{1 / (1 - p):.3g}") in str(drawn)
        assert say("film.dropped", dropped=lost, rest=f"{1 / (1 - p):.3g}") in film["steps"][4]
    assert ("mask hides" in film["steps"][3]) == ("mask" in shown.trace)


def test_a_word_that_sees_nothing_has_no_film_and_no_reason():
    link = RANDOM | {"text": "one", "mask": "full", "painted": "AA"}
    assert not linked(**link).run.matrix("weights")[0].any()
    assert not VIEWS["walkthrough.film"].blocks(linked(**link))
    [said] = VIEWS["walkthrough.why"].blocks(linked(**link))
    assert said["markdown"] == say("why.nothing", word="one")


def test_no_sentence_of_the_film_has_a_number_of_another_screen():
    """The texts change with the head and the word."""
    said = {
        tuple(VIEWS["walkthrough.film"].blocks(linked(cell=cell, head=head))[0]["steps"][2:6])
        for cell, head in product(("weights.4.3.result", "weights.6.9.result"), (1, 4))
    }
    assert len(said) == 4
    assert all(re.search(r"\d", sentence) for of_one in said for sentence in of_one)


@pytest.mark.parametrize(
    ("page", "link", "is_idle"),
    [
        (HOME, {}, True),
        (HOME, {"dropout": 0.3}, False),
        (HOME, {"dropout": 0.3, "mode": "inference"}, True),
    ],
    ids=str,
)
def test_the_die_is_there_where_it_draws_something(page, link, is_idle):
    assert app(page, **link).button(key="die").disabled == is_idle


def test_what_is_typed_and_which_weights_stand_behind_more_where_the_sentence_has_a_pencil():
    """The sentence has the only visible pencil; on a page without one, the bar has it."""
    here, there = app(HOME), app("cross_attention")
    for at, label in ((here, say("bar.more")), (there, say("bar.words"))):
        [found] = [popover for popover in at.get("popover") if popover.proto.popover.label == label]
        assert "preset" in {one.key for one in found.get("button_group")} or "text" in {
            one.key for one in found.text_area
        }
    assert say("bar.words") not in {popover.proto.popover.label for popover in here.get("popover")}


def test_what_stands_behind_more_is_drawn_once_it_is_open():
    closed, open_ = app(HOME, more=False), app(HOME)
    assert {"preset", "text", "scale", "positions"} <= seen(open_) - seen(closed)
    assert seen(closed) <= seen(open_)


@pytest.mark.parametrize(
    "link",
    [{}, {"mask": "causal"}, {"cell": "weights.10.9.word"}, RANDOM, RANDOM | {"kv_cache": "2", "mask": "causal"}],
)
def test_at_the_end_of_the_film_each_guess_is_judged_by_the_shares_of_the_head_that_then_shows_them(link):
    [film] = VIEWS["walkthrough.film"].blocks(linked(**link))
    turn, before = film["turn"], linked(**link).run
    after = linked(**link | turn["gives"]).run
    query, keys = int(turn["gives"]["cell"].split(".")[1]), before.labels["key"]
    word = before.labels["query"][query]
    assert keys[turn["place"]] == word not in film["steps"][2]
    assert f"'{word}'" in turn["asked"]
    row = after.matrix("weights")[query]
    seen = after.matrix("mask")[query] if "mask" in after.trace else row >= 0
    assert len(turn["said"]) == len(keys)
    for said, share, sees in zip(turn["said"], row.tolist(), seen.tolist(), strict=True):
        assert said.startswith("Right: ") == (share > row.max() - 0.005)
        assert ("the mask hides" in said) == (not sees)
        # After a wrong guess, the text also tells the right answer.
        assert f"{row.max():.2f}" in said


def test_a_turn_is_that_of_a_word_that_finds_what_it_asks():
    """The turn is that of the last such word: 'owl' has no adjective here, and 'today' was not taught to ask."""
    asked = linked(text="today the old fox brings the shy hen to the owl", cell="weights.4.3.word")
    [film] = VIEWS["walkthrough.film"].blocks(asked)
    assert film["turn"]["asked"].startswith("Your turn: 'hen' asks: what like?")
    # In a text of one word, there is nothing to guess.
    assert VIEWS["walkthrough.film"].blocks(linked(preset="random", text="one"))[0]["turn"] is None
