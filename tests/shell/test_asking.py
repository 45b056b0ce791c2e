"""The head that answers a word's question, against torch and the rules of the grammar, over all its templates."""

import random
import re
from itertools import product

import pytest
import torch

from attention.inputs.grammar import CLASSES
from pages.shell.i18n import say
from pages.shell.runs import asking
from pages.shell.runs.run import Run, run
from pages.shell.state import painted_cells
from pages.shell.state.config import Config
from pages.shell.views import learned, naming
from pages.shell.views.arcs import arcs
from pages.shell.views.asking import asks
from pages.shell.views.shown_head import shown_head
from tests.support.app import computed, linked

# Whether a sentence has an opener, and whether each of its nouns has an adjective.
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
    """The weights (head, query, key) of the shown sentence, by torch from its queries and keys."""
    q, k = (shown.trace[id].value[shown.sentence] for id in ("queries", "keys"))
    scores = q @ k.mT / k.shape[-1] ** 0.5
    if "mask" in shown.trace:
        scores = scores.masked_fill(~shown.matrix("mask"), -torch.inf)
    return scores.softmax(-1)


@pytest.mark.parametrize("layer", LAYERS, ids=str)
def test_the_head_of_a_word_is_the_one_with_the_largest_weight_on_the_right_word(layer):
    draw, said = random.Random(29), set()
    for shape in SHAPES:
        # Each line of a text is a sentence, and eight sentences are one batch.
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
    # Some heads are right. With a mask or a single head, some questions have no right head.
    assert (True, False) in said
    assert ((False, True) in said) == ("mask" in layer)
    assert (False, False) in said or layer not in ({"heads": 1}, {"mask": "causal"})


def test_the_line_tells_of_the_shown_head_alone():
    """A line that names one head with the weights of another contradicts the arcs below it."""
    for head in range(1, 5):
        opened = run(Config(head=head))
        rows = weights(opened)[head - 1]
        for query in range(len(opened.tokens)):
            said = shown_head(opened, query)
            if "Try " in said:
                # The number is that of the head's largest weight here, too.
                assert re.findall(r"\d\.\d\d", said) in ([], [f"{float(rows[query].max()):.2f}"])
                continue
            assert {int(one) for one in re.findall(r"[Hh]ead (\d)", said)} == {head}
            assert re.findall(r"0\.\d\d|1\.00", said) == [f"{float(rows[query].max()):.2f}"]
    brings = run(Config()).tokens.index("brings")
    weight = float(weights(run(Config()))[0, brings].max())
    said = f"'brings' asks: who? It takes {weight:.2f} from 'fox'. Of 4 heads, head 1 answers best."
    assert shown_head(run(Config()), brings) == said


@pytest.mark.parametrize("heads", [2, 4])
def test_the_line_says_which_head_answers_best_and_no_other_does(heads):
    """A click on a word may choose another head. If the line did not say which and why, a number would seem to change
    by itself."""
    opened = run(Config(heads=heads))
    targets, best = right(list(opened.tokens)), set()
    for query, head in product(range(len(opened.tokens)), range(heads)):
        shown = run(Config(heads=heads, head=head + 1))
        said = shown_head(shown, query)
        # For each question, the head that gives the right word the largest weight.
        most = {int(weights(shown)[:, query, key].argmax()): key for key in targets.get(query, [])}
        if "answers best" in said:
            assert f"Of {heads} heads, head {head + 1}" in said
            assert f" from {naming.of_key(shown, most[head])}. Of" in said or "no answer to" in said
            best.add(head)
        elif "Try " not in said and "takes" in said and "right here" not in said:
            assert head not in most or "wrong" in said
    assert len(best) > 1
    assert "answers best" not in shown_head(run(Config(heads=1)), opened.tokens.index("brings"))


def test_where_there_is_no_answer_the_line_says_why_attention_looks_somewhere():
    """The weights of a row add up to one even if the word asks nothing, so they show no answer then."""
    opened = run(Config(head=2))
    owl, hen = opened.tokens.index("owl"), opened.tokens.index("hen")
    assert "no question for 'owl' that we know" in shown_head(run(Config(head=4)), owl)
    assert "add up to 1" in shown_head(run(Config(head=4)), owl)
    assert "right here" in shown_head(run(Config(head=4)), hen)
    # After dropout, weights do not add up to one, so no line says that they do.
    dropped = run(Config(head=2, dropout=0.5, mode="training"))
    assert all(
        not re.search("add up|make 1", shown_head(dropped, query))
        for query in range(len(dropped.tokens))
        if abs(float(dropped.matrix("dropped")[query].sum()) - 1) > 0.01
    )


@pytest.mark.parametrize("link", [{}, {"heads": "1"}, {"heads": "8"}, {"mask": "causal"}], ids=str)
def test_a_word_without_a_question_leads_on_to_words_that_have_one(link):
    """The arcs of a word that asks nothing answer nothing; a visitor who clicks it would take attention for noise."""
    tokens = computed(**link).tokens
    for word, said in (
        ("today", "'today' asks too, but training taught it nothing to look for."),
        ("owl", "'owl' asks: what like? The sentence does not say."),
    ):
        [opened] = arcs(linked(**link))
        look = opened["cards"][0]["arcs"]["sets"][tokens.index(word)]
        [block] = arcs(linked(**link | look))
        card = block["cards"][0]
        offered = [tokens[at] for at in card["arcs"]["offered"]]
        assert 1 < len(offered) < 4 or link == {"heads": "1"}
        # If the sentence has no answer, the weights still go somewhere, and their arc is no answer.
        row = weights(linked(**link | look).run)[int(look.get("head") or 1) - 1, tokens.index(word)]
        if word == "owl":
            said += " Its shares still make 1"
            assert re.search(rf": {float(row.max()):.2f} goes to .*'{tokens[int(row.argmax())]}'\.", card["note"])
        assert card["note"].startswith(said)
        assert re.findall("'(.*?)'", card["note"].partition(" Try ")[2]) == offered
        for at in card["arcs"]["offered"]:
            # A click on an offered word shows a head that takes most from the word that answers it.
            after = linked(**link | card["arcs"]["sets"][at])
            assert int(weights(after.run)[after.run.head, at].argmax()) in right(list(tokens))[at]
            [block] = arcs(after)
            assert not block["cards"][0]["arcs"]["offered"]


def test_the_answer_follows_the_largest_weight_unless_a_reader_chose_one():
    """With other heads, the weight goes elsewhere: a word with a weight below 0.01 would stay marked as the answer."""
    for shown in (linked(cell="weights.6.5.word", heads="2"), linked(cell="weights.6.5.word", mask="causal", head="3")):
        [block] = arcs(shown)
        largest = int(weights(shown.run)[shown.run.head, 6].argmax())
        assert block["cards"][0]["arcs"]["answer"] == largest
    assert largest != 5
    [block] = arcs(linked(cell="weights.6.5.result", mask="causal", head="3"))
    assert block["cards"][0]["arcs"]["answer"] == 5


def test_the_line_says_what_a_head_gets_wrong_and_what_a_mask_hides():
    alone = run(Config(heads=1))
    brings = alone.tokens.index("brings")
    wrong = [one for one in asking.answers(alone, brings) if not one.is_right]
    assert wrong
    assert all(say(f"learned.question.{one.question}") in shown_head(alone, brings) for one in wrong)
    assert shown_head(alone, brings).endswith("from 'hen'. 'hen' is no answer to who? or whom?")
    said = shown_head(run(Config(mask="causal", head=2)), brings)
    assert said.endswith("The mask hides what would answer 'brings': 'owl', 'hen'.")


def test_a_word_that_asks_nothing_claims_nothing():
    opened = run(Config())
    idle = [word for at, word in enumerate(opened.tokens) if asking.is_idle(opened, at)]
    assert idle == ["today"]
    [block] = arcs(linked(cell="weights.0.10.result"))
    assert not any(block["cards"][0]["labels"]["names"])
    # Outside the grammar, the page does not know which words ask.
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
    # The settings of the words come first, then those of the numbers below them.
    for query, given in enumerate(sets[: len(shown.tokens)]):
        found = asking.answers(shown, query)
        # The verb is already chosen, so a click on it goes on to its second question.
        head = found[int(query == shown.focus)].head if found else 0
        # An address omits the first head, which is the default, and here the shown one.
        assert given.get("head", "1") == str(head + 1)
        largest = int(weights(shown)[head, query].argmax())
        assert given["cell"] == f"weights.{query}.{largest}.word"


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
        assert shown_head(shown, query) == ""
        assert "head" not in learned.look(shown, query)
    if "preset" not in link:
        [note] = shown.notes
        assert "wrong" not in note
        assert say("learned.fault.order") in note or "`" in note


def test_only_the_last_words_ask_where_there_are_fewer_queries():
    whole, last = run(Config()), run(Config(last=5))
    for query in range(5):
        assert asking.answers(last, query) == asking.answers(whole, query + 6)


def test_a_head_that_finds_its_word_in_a_painted_mask_has_its_question():
    """Under a causal mask, few test sentences show a head its word: with that word painted in, the arc had no name."""
    words = run(Config()).tokens
    brings, hen = words.index("brings"), words.index("hen")
    named = {}
    for painted in ((), ((brings, hen),)):
        shown = run(Config(mask="causal", painted=painted_cells.text(painted)))
        made = asks(shown, brings, len(words))
        named[bool(painted)] = [one.head for one in made if one.answer == hen]
        assert all(one.weights[hen] >= 0.5 for one in made if one.answer == hen)
    assert named[False] == []
    assert len(named[True]) > 1
