"""The opening of the walkthrough: words before symbols, and arcs whose widths are the weights of the record."""

import re

import pytest

from pages.shell.i18n import say
from pages.shell.views.naming import named
from tests.support.app import computed, linked, payloads

# The sentence with which a page of random weights begins.
RANDOM = "The weights are random: the pattern of the arcs means nothing."
SENTENCES = {"preset": "random", "text": "the owl brings the shy fox a hen\nit runs now", "heads": 3, "seed": 5}


def opened(**link):
    at = linked(**link)
    (card,) = [card for payload in payloads(at) for card in payload.get("cards", ()) if "arcs" in card]
    return card


def test_it_says_at_most_forty_words_and_no_symbol_before_the_figure():
    said = f"{say('page.walkthrough.lead')} {opened()['note']}"
    assert len(said.split()) <= 40
    # A and I can begin a sentence as words.
    assert not re.search(r"[$_=√·]|\b[B-HJ-Z]\b|\w A\b", said)
    chinese = say("page.walkthrough.lead", "zh")
    assert len(chinese) <= 60


def test_the_story_opens_on_its_creature():
    card = opened(preset="story")
    assert card["arcs"]["tokens"] == list(computed(preset="story").tokens)
    assert card["arcs"]["tokens"][card["arcs"]["focus"]] == "creature"
    assert card["note"] == "'creature' takes 0.50 from 'fluffy', 0.50 from 'blue'."


def test_the_layer_that_learned_opens_on_its_verb():
    card = opened()
    assert card["arcs"]["tokens"] == list(computed().tokens)
    assert card["arcs"]["tokens"][card["arcs"]["focus"]] == "brings"
    weights = computed().matrix("weights")[4]
    share = f"{weights.max():.2f}"
    assert card["note"] == f"'brings' asks: who? It takes {share} from 'fox'. Of 4 heads, head 1 answers best."


@pytest.mark.parametrize(
    ("link", "query", "focus"),
    [
        (SENTENCES | {"head": 2}, 7, 7),
        (SENTENCES | {"cell": "weights.3.1.result", "mask": "full"}, 3, 3),
        # The cell is of a key, which asks nothing.
        (SENTENCES | {"cell": "keys.3.1.projections"}, 7, 7),
        # Only the last words ask, the first of which is the fourth of the sentence.
        (SENTENCES | {"last": 5, "cell": "weights.0.1.result"}, 0, 3),
    ],
    ids=["head", "cell", "key", "last"],
)
def test_the_widths_are_the_weights_of_the_word_that_is_looked_at(link, query, focus):
    arcs = opened(**link)["arcs"]
    row = computed(**{name: value for name, value in link.items() if name != "cell"}).matrix("weights")[query]
    assert arcs["weights"] == pytest.approx(row.tolist(), rel=1e-3, abs=1e-4)
    assert (arcs["focus"], arcs["tokens"]) == (focus, SENTENCES["text"].splitlines()[0].split())


@pytest.mark.parametrize(
    ("link", "shown"), [({"padding": True}, 3), ({"padding": False}, 8), ({"padding": True, "last": 5}, 8)], ids=str
)
def test_padding_belongs_to_the_sentence_where_somebody_attends_to_it_or_it_asks(link, shown):
    card = opened(**SENTENCES, **link, sentence=2, mask="full")
    assert card["arcs"]["focus"] < shown
    assert len(card["arcs"]["tokens"]) == len(card["arcs"]["weights"]) == shown
    assert sum(card["arcs"]["weights"]) == pytest.approx(1, abs=1e-3)


def test_the_note_names_the_head_and_the_largest_parts():
    row = computed(**SENTENCES, head=3).matrix("weights")[7]
    keys = [key for key in row.argsort(descending=True).tolist() if row[key] >= 0.1][:3]
    words = SENTENCES["text"].split()
    parts = ", ".join(f"{row[key]:.2f} from {named(words, key)}" for key in keys)
    assert opened(**SENTENCES, head=3)["note"].endswith(f"In head 3 of 3, 'hen' takes {parts}.")


def test_nothing_and_little_are_said():
    assert (
        opened(preset="random", text="owl", painted="AA")["note"]
        == f"{RANDOM} In head 1 of 4, 'owl' takes nothing from any word."
    )
    many = opened(preset="random", text=" ".join(f"w{index}" for index in range(31)), scale="d_k", d_k=512, mask="full")
    assert re.fullmatch(rf"{RANDOM} In head 1 of 4, 'w30' takes at most 0\.0\d from any word\.", many["note"])
