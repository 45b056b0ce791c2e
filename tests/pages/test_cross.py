"""The page about cross-attention: the sides of both texts, padding of keys, and the case in which context is x."""

from dataclasses import replace

import numpy as np
import pytest
import torch
from numpy.testing import assert_allclose, assert_array_equal
from torch.nn.functional import scaled_dot_product_attention

from attention.inputs.dictionary import BOTH, found, translated
from attention.inputs.grammar import EXAMPLE
from attention.inputs.tokens import PAD, embed, tokenize
from attention.masks import CORNERS, MASKS
from attention.trace import Trace
from pages.shell.i18n import say
from pages.shell.i18n.numbers import fixed, share
from pages.shell.runs import translating
from pages.shell.runs.run import Run, run
from pages.shell.screen import Screen
from pages.shell.state.config import Config
from pages.shell.state.page_controls import CROSS, CrossAttention
from pages.shell.views import cross_attention, guess
from pages.shell.views.naming import named
from tests.support.app import app, cards, held, linked, markdown, no_exception, screen
from tests.support.numbers import plain

# Sizes are pairwise distinct primes, so that no matrix can stand in for another.
SIZES = {"d_model": "33", "heads": 3, "d_k": "13", "d_v": "17"}
TWO = {"text": "one two three four five", "context": "un deux trois quatre cinq six sept"}
BATCH = {"text": "one two three\nfour five", "context": "un\ndeux trois quatre cinq six sept huit"}


def page(**link) -> Screen:
    return linked(CROSS, **({"preset": "random"} | link))


def crossed(**link) -> Run:
    own = CrossAttention(**{name: link.pop(name) for name in ("context", "cross_mask") if name in link})
    return run(
        replace(Config(**link).random(), mask=own.cross_mask),
        context=translating.context_of(Config(**link).random(), own.context),
    )


def drawn(at) -> dict[str, np.ndarray]:
    return {id: sent.z for chapter in cards(at).values() for id, sent in chapter.items()}


def labels(at: Screen) -> dict[str, list[str]]:
    (sent,) = [block["labels"] for block in cross_attention.crossed.blocks(at) if block["kind"] == "cards"]
    return sent


def notes(at: Screen) -> list[str]:
    """Notes on adjusted settings."""
    return [block["markdown"] for block in cross_attention.ledger.blocks(at) if block["kind"] == "note"]


def said(at) -> str:
    return "\n".join(element.value for element in markdown(at))


def note(at, id: str) -> str:
    return next(chapter[id].rest["note"] for chapter in cards(at).values() if id in chapter)


def test_rows_are_tokens_of_the_text_and_columns_tokens_of_the_context():
    at = page(**TWO, **SIZES)
    assert labels(at) == {"query": TWO["text"].split(), "key": TWO["context"].split()}
    shapes = {id: z.shape for id, z in drawn(at).items()}
    expected = {
        "x": (5, 33),
        "context": (7, 33),
        "queries": (5, 13),
        "keys": (7, 13),
        "values": (7, 17),
        "scores": (5, 7),
        "scaled": (5, 7),
        "weights": (5, 7),
        "output": (5, 17),
        "concat": (5, 51),
        "projected": (5, 33),
    }
    assert shapes == expected
    assert "n_q **5** · n_k **7**" in said(at)


def test_at_first_sight_the_weights_are_a_rectangle_without_a_mask():
    at = app(CROSS)
    rows, columns = drawn(at)["weights"].shape
    assert rows != columns
    assert "mask" not in drawn(at)
    assert no_exception(at)
    assert held(at) == {}


def test_x_is_the_text_and_the_context_is_the_other_text():
    found = drawn(page(**TWO, **SIZES))
    for id, text in (("x", TWO["text"]), ("context", TWO["context"])):
        assert_array_equal(found[id], embed(tokenize(text), 33, 0).x[0].numpy())
    found = drawn(page(**TWO, **SIZES, positions="sinusoidal"))
    assert (found["context"] != embed(tokenize(TWO["context"]), 33, 0).x[0].numpy()).any()


@pytest.mark.parametrize("corner", CORNERS)
@pytest.mark.parametrize("mask", MASKS)
@pytest.mark.parametrize("sentence", [1, 2])
def test_torch_makes_the_drawn_output_of_the_drawn_queries_keys_and_values(mask, corner, sentence):
    at = page(**BATCH, **SIZES, cross_mask=mask, corner=corner, sentence=sentence, head=2, bias=True)
    found = drawn(at)
    q, k, v = (torch.tensor(found[id])[None] for id in ("queries", "keys", "values"))
    seen = torch.tensor(found["mask"]) > 0
    expected = scaled_dot_product_attention(q, k, v, attn_mask=seen)[0]
    torch.testing.assert_close(torch.tensor(found["output"]), expected, rtol=1e-5, atol=1e-5)
    shift = 4 if corner == "lower_right" else 0
    if mask == "causal":
        tokens = 1 if sentence == 1 else 7
        allowed = (torch.arange(7) <= torch.arange(3)[:, None] + shift) & (torch.arange(7) < tokens)
        assert torch.equal(seen, allowed)
    assert said(at).count(say("badge.agrees", name="¤", difference="").split("¤")[1].split(":")[0]) >= 1


def test_padding_hides_keys_and_never_queries():
    at = page(**BATCH, sentence=1)
    assert labels(at) == {"query": ["one", "two", "three"], "key": ["un", *[PAD] * 6]}
    hidden = np.isnan(drawn(at)["weights"])
    assert_array_equal(hidden, np.tile([False, *[True] * 6], (3, 1)))
    at = page(**BATCH, sentence=2)
    assert labels(at) == {"query": ["four", "five", PAD], "key": BATCH["context"].split("\n")[1].split()}
    weights = drawn(at)["weights"]
    assert not np.isnan(weights).any()
    assert_allclose(weights.sum(1), np.ones(3), rtol=1e-6)
    assert "'five'" in note(at, "weights")


def test_padding_is_that_of_the_context_where_both_sides_are_equally_long():
    at = page(text="a b c\nd", context="e\nf g h", sentence=1)
    assert_array_equal(np.isnan(drawn(at)["weights"]), np.tile([False, True, True], (3, 1)))
    assert not np.isnan(drawn(page(text="a b c\nd", context="e\nf g h", sentence=2))["weights"]).any()


def test_padding_may_be_looked_at_when_the_visitor_wants_it():
    assert not np.isnan(drawn(page(**BATCH, padding=False))["weights"]).any()


@pytest.mark.parametrize(
    ("texts", "contexts", "pairs"),
    [
        (("a", "b"), ("c", "d"), ("a c", "b d")),
        (("a",), ("c", "d", "e"), ("a c", "a d", "a e")),
        (("a", "b", "f"), ("c",), ("a c", "b c", "f c")),
        (("a", "b"), ("c", "d", "e"), ("a c", "b d")),
        (("a", "b", "f"), ("c", "d"), ("a c", "b d")),
    ],
    ids=str,
)
def test_sentences_are_paired_in_their_order(texts, contexts, pairs):
    link = {"text": "\n".join(texts), "context": "\n".join(contexts)}
    shown = crossed(**link)
    found = [f"{q[0]} {k[0]}" for q, k in zip(shown.inputs.tokens, shown.context.tokens, strict=True)]
    assert tuple(found) == pairs
    for index, pair in enumerate(pairs):
        at = page(**link, sentence=index + 1)
        assert [*labels(at)["query"], *labels(at)["key"]] == pair.split()
    left_out = len(texts) != len(contexts) and 1 not in (len(texts), len(contexts))
    told = say("note.pairs", texts=len(texts), contexts=len(contexts), used=2)
    assert (told in notes(at)) == left_out


def test_a_sentence_without_a_word_has_no_partner_where_a_grammar_reads_the_text():
    """The middle line is no sentence of the grammar. The other two belong to the text."""
    shown = run(Config(), context="the fox\n? = .\nthe owl")
    assert shown.context.tokens == (("the", "fox"), ("the", "owl"))
    assert len(shown.inputs.tokens) == 2


def test_a_sentence_that_is_not_there_becomes_the_last_pair():
    at = app(CROSS, text="a", context="b\nc", sentence=7)
    assert at.toast
    assert held(at)["sentence"] == "2"
    assert labels(screen(at)) == {"query": ["a"], "key": ["c"]}


@pytest.mark.parametrize("mask", MASKS)
@pytest.mark.parametrize("dropout", [0.0, 0.4])
def test_with_the_text_as_context_it_is_self_attention(mask, dropout):
    text = "one two three four five six\nseven eight nine"
    config = Config(text=text, bias=True, dropout=dropout, mask=mask, **SIZES).random()
    alone, other = run(config), run(config, context=text)
    for id in ("queries", "keys", "values", "scores", "weights", "output", "projected"):
        torch.testing.assert_close(other.trace[id].value, alone.trace[id].value, rtol=1e-5, atol=1e-6)
    assert other.labels == alone.labels
    assert "context" not in alone.trace
    assert "context" in other.trace


def test_the_button_makes_the_context_the_text_and_the_page_says_what_that_is():
    at = page(**TWO, **SIZES)
    assert say("cross.is_same", n=5) not in said(at)
    (buttons,) = [block["buttons"] for block in cross_attention.same.blocks(at) if block["kind"] == "buttons"]
    assert [button["sets"] for button in buttons] == [{"context": TWO["text"]}]
    at = page(**TWO | buttons[0]["sets"], **SIZES)
    assert drawn(at)["weights"].shape == (5, 5)
    assert say("cross.is_same", n=5) in said(at)
    assert labels(at)["key"] == labels(at)["query"]
    assert_allclose(
        drawn(at)["weights"],
        run(Config(text=TWO["text"], mask="full", **SIZES).random()).trace["weights"].value[0, 0],
        rtol=1e-5,
    )


@pytest.mark.parametrize("link", [TWO, BATCH | {"dropout": 0.3}, TWO | {"context": TWO["text"]}])
def test_the_difference_from_self_attention_is_measured(link, monkeypatch):
    def told(at) -> str:
        return next(line for line in said(at).split("\n") if line.startswith(say("cross.same", difference="")[:20]))

    assert told(page(**link)) in (
        say("cross.same", difference=size)
        for size in ("0", *(f"{n} · 10⁻{e}" for n in np.arange(1, 10, 0.1).round(1) for e in "⁷⁸"))
    )
    compute = cross_attention.compute
    monkeypatch.setattr(
        cross_attention,
        "compute",
        lambda config, context=None, **named: compute(config if context else replace(config, seed=1), context, **named),
    )
    assert told(page(**link)) not in (say("cross.same", difference="0"), "")
    assert float(plain(told(page(**link))).rstrip(".").rpartition(" ")[2]) > 0.1


def test_the_sums_of_both_sides_are_those_of_the_figure():
    at = page(**TWO, cross_mask="window", width=1)
    weights = np.nan_to_num(drawn(at)["weights"])
    columns = weights.sum(0)
    low, high, mean = (f"{number:.2f}" for number in (columns.min(), columns.max(), columns.mean()))
    assert say("cross.sums", seeing=5, n_q=5, n_k=7, low=low, high=high, mean=mean) in said(at)
    upside_down = page(text=TWO["context"], context=TWO["text"], cross_mask="window", width=1)
    assert said(upside_down).count("5 of 7 rows sum to one") == 1
    assert "∅" in note(upside_down, "weights")


def test_the_cell_names_the_tokens_of_both_texts():
    at = page(**TWO, cell="weights.4.6")
    title = next(line for line in said(at).split("\n") if "`five`" in line)
    assert "`sept`" in title
    assert say("cell.title", title=say("step.keys.title"), place="key `six`, feature 2") in said(
        page(**TWO, cell="keys.5.1")
    )


def test_the_cell_of_a_padded_key_says_so_and_that_of_a_longer_text_does_not():
    at = page(**BATCH, sentence=1, cell="mask.0.1")
    assert say("rule.place.padding", key=2) in said(at)
    long = page(text="a\nb c d", context="e f\ng h i", sentence=1, cross_mask="causal", cell="mask.0.1")
    assert say("rule.mask.may_not", mask=say("rule.name.alone", mask="causal"), query=1, key=2) in said(long)


LEARNED = "learned"


def sentence(screen: Screen) -> str:
    return cross_attention.told.blocks(screen)[0]["markdown"]


def test_the_layer_that_learned_the_dictionary_attends_to_the_translation():
    """The oracle is the same layer, called by hand on both sentences."""
    at = page(preset=LEARNED)
    layer, both = translating.layer(at.config), translated(EXAMPLE.split())
    x, c = (layer.inputs([words]).x for words in (EXAMPLE.split(), both.words))
    trace = Trace()
    layer.module(x, c, trace=trace)
    (block,) = cross_attention.arcs.blocks(at)
    sent = block["cards"][0]
    fox = EXAMPLE.split().index("fox")
    assert (sent["crossing"]["focus"], sent["crossing"]["context"]) == (fox, list(both.words))
    for head, one in enumerate(sent["crossing"]["asks"]):
        expected = trace["weights"].value[0, head, fox].tolist()
        assert one["weights"] == pytest.approx(expected, rel=1e-3, abs=1e-6)
    for head, row in enumerate(trace["weights"].value[0, :, fox], 1):
        told = say("all_heads.most", head=head, weight=fixed(row.max()), key=named(both.words, int(row.argmax())))
        assert told in sent["note"]
    best = trace["weights"].value[0].amax(0)
    for query, there in enumerate(sent["crossing"]["around"]):
        target = both.targets[query]
        assert there == (target if best[query, target] > 0.5 else -1)
    assert sent["labels"]["names"][2] == "found · head 3"
    # The layer's answer stands above each word, and none is wrong.
    likely = layer.logits(trace["projected"].value[0]).softmax(-1)
    assert sent["crossing"]["said"] == [BOTH[int(word)] for word in likely.argmax(-1)]
    assert sent["crossing"]["said"] == [both.words[target] for target in both.targets]
    assert not any(sent["crossing"]["wrong"])
    # The meanings of the foreign words stand with them.
    assert sent["labels"]["gloss"] == ["today", "the", "fox", "old", "brings", "the", "owl", "to the", "hen", "shy"]


def test_a_word_gets_a_line_only_where_a_head_has_found_what_it_means():
    """With one head of one feature, no head finds *fox*."""
    (block,) = cross_attention.arcs.blocks(page(preset=LEARNED, heads=1, d_k="1"))
    sent = block["cards"][0]
    assert sent["crossing"]["around"][EXAMPLE.split().index("fox")] == -1
    assert not any("found" in name for name in sent["labels"]["names"])
    targets = translated(EXAMPLE.split())
    right = [targets.words[target] for target in targets.targets]
    assert sent["crossing"]["wrong"] == [a != b for a, b in zip(sent["crossing"]["said"], right, strict=True)]
    assert any(sent["crossing"]["wrong"])
    # Random weights say nothing.
    assert not figure(page(**TWO))["cards"][0]["crossing"]["said"]


@pytest.mark.parametrize(
    ("link", "case"),
    [
        ({}, "right"),
        ({"heads": 1, "d_k": "1"}, "wrong"),
        ({"context": "hoje o gato traz"}, "nothing"),
        ({"context": "raposa traz raposa"}, "unknown"),
        ({"context": "the cat eats fish"}, "strange"),
        ({"text": "the whale brings the owl", "context": "hoje o gato", "cell": "weights.1.0.arcs"}, "strange"),
    ],
    ids=str,
)
def test_it_is_said_which_word_the_layer_says_and_whether_it_is_right(link, case):
    """An answer with a high probability must not look right if the layer has not learned the words."""
    said = sentence(page(preset=LEARNED, **link))
    cases = {
        "right": "of the value of 'raposa', and the layer answers 'raposa'",
        "wrong": "'raposa' would be right",
        "nothing": "still has to say one of its words",
        "unknown": "is not known here",
        "strange": "so its answer means nothing",
    }
    assert [name for name, words in cases.items() if words in said] == [case]
    if case == "strange":
        assert ("'eats' and 'fish'" in said) != ("does not know 'whale'" in said)


@pytest.mark.parametrize(("mask", "word"), [("causal", 2), ("causal", 10), ("full", 2)])
def test_words_that_the_mask_hides_from_the_one_that_asks_are_struck_out(mask, word):
    """Under the causal mask, the third word sees three words of the context."""
    at = page(preset=LEARNED, cross_mask=mask, cell=f"weights.{word}.0.arcs")
    (block,) = cross_attention.arcs.blocks(at)
    drawn = block["cards"][0]["crossing"]
    assert drawn["hidden"] == [mask == "causal" and place > word for place in range(len(drawn["context"]))]
    assert all(
        not one["weights"][place] for one in drawn["asks"] for place, is_in in enumerate(drawn["hidden"]) if is_in
    )


def test_that_the_mask_hides_the_right_word_is_said():
    """The mask hides *velha*, the fourth word of the context, from *old*, the third of the sentence."""
    link = {"preset": LEARNED, "cell": "weights.2.0.arcs"}
    said = sentence(page(cross_mask="causal", **link))
    assert said.startswith(say("cross.said.hidden", word="'old'", right="'velha'", said="¤", sure="").split("¤")[0])
    assert "'coruja'" in said
    right = {"word": "'old'", "right": "'velha'", "head": 2, "weight": "1.00", "said": "'velha'", "sure": ""}
    assert sentence(page(**link)).startswith(say("cross.said.right_taken", **right).removesuffix("."))


@pytest.mark.parametrize("dropout", [0.0, 0.3])
@pytest.mark.parametrize("query", range(11))
def test_which_head_takes_how_much_of_a_value_is_said_with_the_answer(query, dropout):
    """The page never said that an arc carries the value of a word. The weights are those that dropout has left."""
    at = page(preset=LEARNED, cell=f"weights.{query}.0.arcs", dropout=dropout, draw=17)
    trace = at.run.trace
    weights = trace["dropped" if dropout else "weights"].value[0, :, query]
    most, head = weights[:, translated(EXAMPLE.split()).targets[query]].max(0)
    told = sentence(at)
    value = f"head {int(head) + 1} takes {fixed(most)} of the value of"
    assert (value in told) == (float(most) > 0.5 and "the layer answers" in told and "would be right" not in told)


@pytest.mark.parametrize("heads", [1, 2, 4, 8])
def test_of_how_many_words_a_head_finds_the_right_one_is_counted_by_head(heads):
    """Colours had no names, so nobody could tell the work of one head from that of another."""
    at = page(preset=LEARNED, heads=heads)
    weights, targets = at.run.trace["weights"].value[0], translated(EXAMPLE.split()).targets
    counted = [sum(float(head[row, to]) > 0.5 for row, to in enumerate(targets)) for head in weights]
    labels = figure(at)["cards"][0]["labels"]
    assert labels["finds"] == [
        say("cross.finds", head=place + 1, found=found, n=len(targets)) for place, found in enumerate(counted)
    ]
    together = sum(float(weights[:, row, to].max()) > 0.5 for row, to in enumerate(targets))
    assert labels["together"] == say("cross.together", found=together, n=len(targets))
    nobody_knows = figure(page(**TWO))["cards"][0]["labels"]
    assert (nobody_knows["finds"], nobody_knows["together"]) == ([], "")


@pytest.mark.parametrize(
    ("context", "loses"),
    [("", False), ("a raposa velha traz a coruja à galinha tímida hoje", True), ("a raposa galinha", False)],
)
def test_words_whose_answer_no_head_finds_are_marked(context, loses):
    """A missing line goes unnoticed. A word without an answer in the context has lost nothing."""
    at = page(preset=LEARNED, context=context)
    drawn = figure(at)["cards"][0]["crossing"]
    weights, targets = at.run.trace["weights"].value[0], found(EXAMPLE.split(), drawn["context"])
    told = drawn["lost"]
    assert told == [to >= 0 and float(weights[:, row, to].max()) <= 0.5 for row, to in enumerate(targets)]
    assert any(told) == loses
    assert not any(figure(page(**TWO))["cards"][0]["crossing"]["lost"])


def test_a_copy_of_the_sentence_is_understood_although_its_words_stay_english():
    at = page(preset=LEARNED, context=EXAMPLE)
    (block,) = cross_attention.arcs.blocks(at)
    names = block["cards"][0]["labels"]["names"]
    assert any(name.startswith("found") for name in names)
    # Without a move, there is no question about one.
    for link, kinds in (({}, ["guess"]), ({"context": EXAMPLE}, [])):
        assert [block["kind"] for block in guess.of("dropped").blocks(page(preset=LEARNED, **link))] == kinds
    # English words need no gloss.
    assert not any(block["cards"][0]["labels"]["gloss"])
    # The picture has the form of self-attention, and a button leads back.
    assert sentence(at) == say("cross.said.same")
    back = offered(at)[say("cross.at_first")]["sets"]
    assert sentence(page(preset=LEARNED, **back)) == sentence(page(preset=LEARNED))


def offered(at: Screen) -> dict[str, dict]:
    (block,) = cross_attention.again.blocks(at)
    return {one["line"]: one for one in block["buttons"]}


def figure(at: Screen) -> dict:
    (block,) = cross_attention.arcs.blocks(at)
    return block


def test_a_word_of_the_context_that_is_moved_is_found_where_it_stands_then():
    words = figure(page(preset=LEARNED))["cards"][0]["crossing"]["context"]
    moved = [*words[:2], *words[3:], words[2]]
    at = page(preset=LEARNED, context=" ".join(moved))
    drawn = figure(at)["cards"][0]["crossing"]
    assert [ask["answer"] for ask in drawn["asks"] if ask["answer"] >= 0] == [moved.index("raposa")]
    told, placeless = (say(f"cross.said.{name}", right="'raposa'") for name in ("moved", "moved_placeless"))
    assert told in sentence(at)
    assert told not in sentence(page(preset=LEARNED))
    # Keys contain their places. Without positions, the sentence about a place is another one.
    without = {"preset": LEARNED, "positions": "none", "context": " ".join(moved)}
    assert placeless in sentence(page(**without))
    # With a layer that finds hardly any word, and keys without places, no place is blamed.
    poor = without | {"heads": 1, "d_k": "1"}
    assert "place" not in sentence(page(**poor))


@pytest.mark.parametrize("word", ["fox", "shy", "to"])
def test_the_browser_is_told_which_word_is_right_wherever_it_stands(word):
    """The arcs to the right word are full, the others pale. Thin and thick arcs changed their meaning during a drag."""
    query, both = EXAMPLE.split().index(word), translated(EXAMPLE.split())
    right = both.words[both.targets[query]]
    for context in (list(both.words), [*both.words[1:], both.words[0]], [*both.words[:-3], *both.words[-1:-4:-1]]):
        at = page(preset=LEARNED, context=" ".join(context), cell=f"weights.{query}.0.arcs")
        sent = figure(at)["cards"][0]
        assert sent["crossing"]["meant"] == context.index(right)
        assert {"right", "elsewhere", "around", "lost"} <= {*sent["labels"]}
    assert figure(page(**TWO))["cards"][0]["crossing"]["meant"] == -1


def test_a_guess_takes_the_last_word_away_and_as_many_words_are_said():
    """The earlier question, about a dragged word, did not need the roles of both texts as queries and as keys."""
    words = figure(page(preset=LEARNED))["cards"][0]["crossing"]["context"]
    (asked,) = guess.of("dropped").blocks(page(preset=LEARNED))
    assert asked["answers"][-1]["line"] == say("predict.show")
    right = say("predict.dropped.same")
    for offered in asked["answers"]:
        at = page(preset=LEARNED, **offered["sets"])
        drawn = figure(at)["cards"][0]["crossing"]
        assert drawn["context"] == words[:-1]
        assert drawn["tokens"][drawn["focus"]] == "shy"
        assert len(drawn["said"]) == len(drawn["tokens"]) == 11
        (told,) = guess.of("dropped").blocks(at)
        outputs = say("cross.outputs", n_q=11, n_k=9)
        if offered is asked["answers"][-1]:
            assert right in told["markdown"]
            assert told["markdown"].endswith(outputs)
            # A reader who has seen the answer is not asked again once all words are back.
            assert (
                guess.of("dropped").blocks(page(preset=LEARNED, **offered["sets"] | {"context": ""}))[0]["kind"]
                == "text"
            )
        else:
            # The answers stay in place with their marks, and the button that shows the answer is gone.
            marks = {one["line"]: one["verdict"] for one in told["answers"]}
            assert marks[right] == "right"
            assert sum(mark == "wrong" for mark in marks.values()) == (offered["line"] != right)
            assert say("predict.show") not in marks
            assert told["told"]["markdown"].endswith(outputs)
    # Another order has no question: the text tells the words that are found there.
    (told,) = guess.of("dropped").blocks(page(preset=LEARNED, context=" ".join(words[::-1])))
    assert told["kind"] == "text"


@pytest.mark.parametrize(("heads", "d_k"), [(4, "auto"), (2, "4"), (1, "2")])
def test_to_be_found_and_to_be_said_are_told_apart(heads, d_k):
    """A word was not found but its answer right, another was found but its answer wrong, without an explanation."""
    words, cases = figure(page(preset=LEARNED))["cards"][0]["crossing"]["context"], set()
    for context in (words, words[::-1], [*words[1:3], *words[4:9], words[3], words[9], words[0]]):
        for query in range(11):
            at = page(preset=LEARNED, heads=heads, d_k=d_k, context=" ".join(context), cell=f"weights.{query}.0.arcs")
            drawn = figure(at)["cards"][0]["crossing"]
            right, said = drawn["meant"], drawn["said"][query]
            weight = float(at.run.trace["weights"].value[0, :, query, right].max())
            told = sentence(at)
            taken, unfound = "but the layer makes" in told, "and yet the layer makes" in told
            assert taken == (weight > 0.5 and said not in (context[right], drawn["tokens"][query])), told
            assert not unfound or (said == context[right] == words[right] and weight <= 0.5), told
            cases |= {taken, unfound and "unfound"}
    assert (True in cases) == (heads < 4)


def test_words_that_another_order_loses_are_laid_to_the_place():
    """*The meaning counts for more than the place* stood beside fewer found words."""
    words = figure(page(preset=LEARNED))["cards"][0]["crossing"]["context"]
    other = " ".join([*words[7:], *words[3:7], *words[:3]])

    def told(**link) -> str:
        at = page(preset=LEARNED, **{"context": other} | link)
        (block,) = guess.of("dropped").blocks(at)
        ordered, right = (
            say(f"cross.counted.{kind}", found="¤", n=11, words="").split("¤")[0] for kind in ("ordered", "right")
        )
        found_words = sum(to >= 0 for to in figure(at)["cards"][0]["crossing"]["around"])
        assert f"{found_words} of 11" in block["markdown"]
        return {ordered: "ordered", right: "right"}[block["markdown"].split(str(found_words))[0]]

    assert told() == "ordered"
    # A word that a mask hides, that dropout cuts, or that is not in the context is not lost by its place.
    for link in (
        {"cross_mask": "causal"},
        {"dropout": 0.3},
        {"context": other.replace("coruja", "gato")},
        {"positions": "none"},
    ):
        assert told(**link) == "right", link


@pytest.mark.parametrize(
    ("query", "right", "context", "now"),
    [
        # The first word is moved to the end, so the words after it come one place earlier.
        ("fox", "raposa", "a raposa velha traz a coruja à galinha tímida hoje", 2),
        ("owl", "coruja", "hoje a velha traz a coruja à galinha tímida raposa", 6),
        ("today", "hoje", "tímida hoje a raposa velha traz a coruja à galinha", 2),
    ],
)
def test_a_word_that_only_makes_room_is_not_said_to_have_a_new_place(query, right, context, now):
    """Another word moved, not this one."""
    at = page(preset=LEARNED, context=context, cell=f"weights.{EXAMPLE.split().index(query)}.0.arcs")
    cases = {name: say(f"cross.said.{name}", right=f"'{right}'") for name in CASES}
    found = float(at.run.trace["weights"].value[0, :, EXAMPLE.split().index(query), now - 1].max()) > 0.5
    told = [name for name, said in cases.items() if said in sentence(at)]
    assert told == ["shifted" if found else "shifted_lost"]


CASES = ("moved", "lost", "shifted", "shifted_lost")


def test_a_quiz_covers_nothing_where_the_question_has_no_sense():
    """The layer has not learned the text as its own context."""
    for link, covers in (({}, True), ({"context": EXAMPLE}, False)):
        keys = {radio.key for radio in app(CROSS, quiz=True, **link).radio}
        assert ("predicted-dropped" in keys) == covers, link


def test_a_word_that_goes_by_its_place_is_lost_where_it_is_moved():
    """A page on which every word is found everywhere would give a false idea of attention."""
    words = figure(page(preset=LEARNED))["cards"][0]["crossing"]["context"]
    at = page(preset=LEARNED, context=" ".join([*words[1:], words[0]]), cell="weights.0.0.arcs")
    assert float(at.run.trace["weights"].value[0, :, 0, -1].max()) < 0.5
    assert say("cross.said.lost", right="'hoje'") in sentence(at)


@pytest.mark.parametrize(
    ("context", "guesses"),
    [
        ("hoje a raposa velha traz a coruja à galinha tímida", False),
        ("a hoje raposa velha traz a coruja à galinha tímida", True),
        ("a raposa velha traz a coruja à galinha tímida hoje", True),
        ("a today raposa velha traz a coruja à galinha tímida", False),
    ],
)
def test_a_layer_that_has_not_found_the_word_guesses_between_two_that_mean_the_same(context, guesses):
    """An answer was right although no head had found the word, and nobody could understand why. An English word was
    called repeated, although it was one of two words that the layer could not tell apart."""
    at = page(preset=LEARNED, context=context, cell="weights.0.0.arcs")
    layer = translating.layer(at.config)
    trace = Trace()
    layer.module(*(layer.inputs([words.split()]).x for words in (EXAMPLE, context)), trace=trace)
    likely = layer.logits(trace["projected"].value[0, 0]).softmax(-1)
    words = ("hoje", "today")
    first, second = sorted(((float(likely[BOTH.index(word)]), word) for word in words), reverse=True)
    told = say(
        "cross.said.guesses",
        word="'today'",
        said=f"'{first[1]}'",
        sure=fixed(first[0]),
        other=f"'{second[1]}'",
        rest=fixed(second[0]),
    )
    assert sentence(at).startswith(told) == guesses
    assert (second[0] > 0.25) == guesses


def test_two_sentences_say_what_is_seen_of_a_word_that_asks():
    """Nobody read four sentences while a word was moved."""
    words = figure(page(preset=LEARNED))["cards"][0]["crossing"]["context"]
    for query in range(len(EXAMPLE.split())):
        for context in (words, [*words[1:], words[0]], [words[-1], *words[:-1]], words[::-1]):
            said = sentence(page(preset=LEARNED, context=" ".join(context), cell=f"weights.{query}.0.arcs"))
            assert said.count(". ") <= 1, said
            assert not said[0].islower()


def test_in_another_order_it_is_told_which_words_no_head_finds():
    """The place of the question was empty, and nothing told about words that the move of another word had lost."""
    words = figure(page(preset=LEARNED))["cards"][0]["crossing"]["context"]
    at = page(preset=LEARNED, context=" ".join([*words[:2], *words[3:], words[2]]))
    (told,) = guess.of("dropped").blocks(at)
    drawn = figure(at)["cards"][0]["crossing"]
    assert [place >= 0 for place in drawn["around"]] == [place != 5 for place in range(11)]
    assert told["markdown"] == say("cross.counted.ordered", found=10, n=11, words="the second 'the'")


def test_the_context_is_moved_shuffled_and_typed_over_where_it_is_one_text():
    at = page(preset=LEARNED)
    block = figure(at)
    # The selected word is set, too: a word that has found the moved one asks.
    assert block["drag"] == {"context": "{context}", "cell": "{cell}"}
    assert block["cards"][0]["labels"]["own"]["sets"] == "context"
    words = block["cards"][0]["crossing"]["context"]
    there = offered(at)
    assert there[say("cross.at_first")]["pressed"]
    shuffled = there[say("cross.shuffle")]["sets"]["context"].split()
    assert sorted(shuffled) == sorted(words) != shuffled != words
    # Several texts are typed in lines of their own.
    several = page(**BATCH)
    assert "drag" not in figure(several)
    assert not figure(several)["cards"][0]["crossing"]["isMoved"]
    assert say("cross.shuffle") not in offered(several)


def test_the_scores_are_those_of_the_layer_on_screen_and_its_worst_words_are_named():
    at = page(preset=LEARNED, heads=1)
    setting = translating.used(at.config)
    assert (setting.heads, setting.d_k) == (1, 16)
    measured = translating.scores(setting)
    _, told, table = cross_attention.answers.blocks(at)
    assert share(measured.mean) in told["markdown"]
    assert share(min(measured.accuracy)) in told["markdown"]
    assert [row[1]["line"] for row in table["rows"]] == [share(one) for one in measured.accuracy]


def test_words_that_the_dictionary_does_not_have_are_named():
    at = page(preset=LEARNED, text="today the old whale brings the owl to the shy hen")
    assert say("cross.strange", words="`whale`") in notes(at)


def test_where_nobody_knows_what_is_right_nothing_is_said_of_it():
    at = page(preset="random")
    assert cross_attention.told.blocks(at) == cross_attention.answers.blocks(at) == []


def test_self_attention_is_the_case_of_the_text_as_context_with_the_layer_that_learned_too():
    block = next(block for block in cross_attention.same.blocks(page(preset=LEARNED)) if block["kind"] == "text")
    off = plain(block["markdown"]).rstrip(".").rpartition(" ")[2]
    # Float32 on numbers of the order of one.
    assert float(off) < 1e-5
