"""The head that answers what a word asks, against torch and the rules of the grammar, over all of its templates."""

import random
from itertools import product

import pytest
import torch

from attention.inputs.grammar import CLASSES
from pages.shell.i18n import say
from pages.shell.runs import asking
from pages.shell.runs.run import Run, run
from pages.shell.state.config import Config
from pages.shell.views import learned
from pages.shell.views.arcs import arcs
from tests.support.app import computed, linked

# Whether there are an opener and an adjective of each noun.
SHAPES = tuple(product((False, True), repeat=4))
EACH = 16
LAYERS = ({}, {"heads": 1}, {"heads": 8}, {"mask": "causal"}, {"mask": "causal", "trained": True}, {"dropout": 0.5})


def sentence(shape: tuple[bool, ...], draw: random.Random) -> str:
    opener, *adjectives = shape
    nouns = draw.sample(CLASSES["noun"], 3)
    groups = [
        f"the {draw.choice(CLASSES['adjective']) + ' ' if has else ''}{noun}"
        for has, noun in zip(adjectives, nouns, strict=True)
    ]
    first = f"{draw.choice(CLASSES['opener'])} " if opener else ""
    return f"{first}{groups[0]} {draw.choice(CLASSES['verb'])} {groups[1]} to {groups[2]}"


def right(words: list[str]) -> dict[int, list[int]]:
    """The places that answer each word, by the three rules of the grammar."""
    nouns = [at for at, word in enumerate(words) if word in CLASSES["noun"]]
    found = {}
    for at, word in enumerate(words):
        if word in CLASSES["verb"]:
            found[at] = nouns
        elif word in CLASSES["noun"]:
            found[at] = [at - 1]
        elif word not in CLASSES["opener"]:
            found[at] = [min(noun for noun in nouns if noun > at)]
    return found


def weights(shown: Run) -> torch.Tensor:
    """(head, query, key) of the sentence that is shown, by torch from queries and keys."""
    q, k = (shown.trace[id].value[shown.sentence] for id in ("queries", "keys"))
    scores = q @ k.mT / k.shape[-1] ** 0.5
    if "mask" in shown.trace:
        scores = scores.masked_fill(~shown.matrix("mask"), -torch.inf)
    return scores.softmax(-1)


@pytest.mark.parametrize("layer", LAYERS, ids=str)
def test_the_head_of_a_word_is_the_one_with_the_largest_weight_on_the_right_word(layer):
    draw, said = random.Random(29), set()
    for shape in SHAPES:
        # Each line of a text is a sentence, and eight of them are one batch.
        for _ in range(EACH // 8):
            text = "\n".join(sentence(shape, draw) for _ in range(8))
            for number in range(1, 9):
                shown = run(Config(text=text, sentence=number, **layer))
                expected, words = weights(shown), list(shown.tokens)
                targets = right(words)
                assert {one.place for one in asking.asked(shown)} == set(targets)
                for query, keys in targets.items():
                    found = asking.answers(shown, query)
                    assert [one.target for one in found] == keys
                    for one in found:
                        given = expected[:, query, one.target]
                        assert given[one.head] >= given.max() - 1e-6
                        is_right = bool(expected[one.head, query].argmax() == one.target)
                        assert one.is_right == is_right
                        assert one.is_hidden == bool((given == 0).all())
                    said |= {(one.is_right, one.is_hidden) for one in found}
    # A head that is right, and where a mask or a single head leaves questions without an answer, one that is not.
    assert (True, False) in said
    assert ((False, True) in said) == ("mask" in layer)
    assert (False, False) in said or layer not in ({"heads": 1}, {"mask": "causal"})


def test_the_sentence_says_which_head_answers_and_when_it_is_not_right():
    opened = run(Config())
    owl, brings = opened.tokens.index("owl"), opened.tokens.index("brings")
    [one] = asking.answers(opened, owl)
    assert one.is_nothing
    assert learned.asks(opened, owl) == (
        f"'owl' asks what like? → head {one.head + 1}: no adjective, 'the' stands before it."
    )
    hen = opened.tokens.index("hen")
    assert learned.asks(opened, hen) == f"'hen' asks what like? → head {asking.answers(opened, hen)[0].head + 1}."
    # Of the three questions of the verb, the one that the shown head answers.
    assert learned.asks(opened, brings) == "'brings' asks who? → head 1."
    assert learned.asks(run(Config(head=4)), brings) == "'brings' asks whom? → head 4."
    alone = run(Config(heads=1))
    wrong = [one for one in asking.answers(alone, brings) if not one.is_right]
    assert wrong
    for one in wrong:
        assert f"not right here: {one.weight:.2f} for '{alone.tokens[one.target]}'" in learned.asks(alone, brings)
    causal = run(Config(mask="causal"))
    assert "The mask hides 'hen' from it." in learned.asks(run(Config(mask="causal", head=2)), brings)
    assert learned.asks(causal, brings) == "'brings' asks who? → head 1."


def test_the_shown_head_says_its_answer_in_one_sentence_where_it_is_right():
    brings = run(Config()).tokens.index("brings")
    said = [learned.answered(run(Config(**link)), brings) for link in ({}, {"head": 4}, {"dropout": 0.5}, {"heads": 1})]
    weight = float(weights(run(Config()))[0, brings].max())
    assert said[0] == f"'brings' asks who? → head 1: {weight:.2f} from 'fox'."
    assert "whom" in said[1]
    assert said[1] != said[0]
    # What dropout leaves of it is said at length, and so is a head that is wrong.
    assert said[2] == ""
    assert learned.answered(run(Config(mask="causal", head=2)), brings) == ""


def test_a_word_that_asks_nothing_claims_nothing():
    opened = run(Config())
    idle = [word for at, word in enumerate(opened.tokens) if asking.is_idle(opened, at)]
    assert idle == ["today"]
    assert learned.asks(opened, 0) == say("learned.asks.idle", word="today")
    [block] = arcs(linked(cell="weights.0.10.result"))
    assert block["cards"][0]["arcs"]["isIdle"]
    assert not any(block["cards"][0]["labels"]["names"])
    # Outside the grammar nobody knows what asks.
    assert not asking.is_idle(run(Config(text="today robots sing")), 0)


def test_a_noun_without_an_adjective_is_answered_by_none():
    opened = run(Config())
    owl = opened.tokens.index("owl")
    [block] = arcs(linked(cell=f"weights.{owl}.{owl - 1}.result", head="2"))
    assert "what like? → no adjective" in block["cards"][0]["labels"]["names"]


def test_random_weights_say_before_all_else_that_they_mean_nothing():
    for link, is_said in (({"preset": "random"}, True), ({}, False), ({"preset": "story"}, False)):
        [block] = arcs(linked(**link))
        assert block["cards"][0]["note"].startswith(say("arcs.random")) == is_said


def test_one_click_on_a_word_brings_its_head_and_its_largest_weight():
    [block] = arcs(linked())
    shown, sets = computed(), block["cards"][0]["arcs"]["sets"]
    # Those of the words come before those of what stands below them.
    for query, given in enumerate(sets[: len(shown.tokens)]):
        found = asking.answers(shown, query)
        # The verb is looked at already: a click on it goes on to its second question.
        head = found[int(query == shown.focus)].head if found else 0
        # An address leaves out the first head, which is the default, and here the one that is shown.
        assert given.get("head", "1") == str(head + 1)
        largest = int(weights(shown)[head, query].argmax())
        assert given["cell"] == f"weights.{query}.{largest}.result"


def test_a_verb_that_is_clicked_again_goes_through_its_questions():
    head, heads = "1", []
    for _ in range(4):
        shown = run(Config(head=int(head)))
        head = learned.look(shown, shown.focus, again=True)["head"] or "1"
        heads.append(head)
    verb = [str(one.head + 1) for one in asking.answers(run(Config()), run(Config()).focus)]
    assert heads == [*verb[1:], *verb[:2]]


@pytest.mark.parametrize(
    "link",
    [
        {"text": "the fox brings the owl the hen"},
        {"text": "the fox brings the fox to the hen"},
        {"text": "hello there"},
        {"preset": "story"},
        {"preset": "random", "text": "the fox brings the owl to the hen"},
    ],
    ids=str,
)
def test_outside_the_grammar_nothing_is_claimed(link):
    shown = run(Config(**link))
    for query in range(shown.trace.sizes["query"]):
        assert learned.asks(shown, query) == ""
        assert "head" not in learned.look(shown, query)
    if "preset" not in link:
        [note] = shown.notes
        assert "wrong" not in note
        assert say("learned.fault.order") in note or "`" in note


def test_only_the_last_words_ask_where_there_are_fewer_queries():
    whole, last = run(Config()), run(Config(last=5))
    for query in range(5):
        assert asking.answers(last, query) == asking.answers(whole, query + 6)
