"""The page on order: shuffled rows equal the rows of the sentence, until a mask or positions tell places apart."""

import numpy as np
import pytest
import torch
from torch import nn

from pages.shell.i18n import listed, say
from pages.shell.i18n.numbers import percent
from pages.shell.state.config import Config
from pages.shell.views import VIEWS, order
from pages.shell.views.naming import named
from tests.pages.test_masks import own_figures, table
from tests.support.app import app, computed, decoded, linked, order_of_terms, seen
from tests.support.numbers import plain

TEXT = {"preset": "random", "text": "one two three four five six seven\neight nine ten"}


def sides(at, id: str) -> list[np.ndarray]:
    figures = own_figures(at)
    return [np.nan_to_num(decoded(figures[f"{id}-{side}"])) for side in ("sentence", "shuffled", "back")]


def near(link: dict) -> float:
    """The most that the order of the words may change by the order of the terms in each sum alone."""
    return order_of_terms(computed(**{name: value for name, value in link.items() if name in Config.knobs()}))


def differences(at) -> np.ndarray:
    return np.array([[float(cell) for cell in row[1:]] for row in table(at, "Without positions")[2:]])


@pytest.mark.parametrize(
    "link",
    [
        {},
        {"preset": "random"},
        TEXT,
        TEXT | {"sentence": 2},
        {"preset": "random", "shuffle": 99, "head": 3, "scale": "d_k"},
    ],
    ids=str,
)
def test_only_the_order_changes(link):
    at = linked("order", **link)
    for id in ("weights", "projected"):
        sentence, shuffled, back = sides(at, id)
        # The picture is in float32: float64 numbers that differ in the last digit round to neighbours at most.
        np.testing.assert_allclose(back, sentence, rtol=torch.finfo(torch.float32).eps, atol=near(link))
        assert (shuffled != sentence).any()
        assert sorted(map(max, shuffled)) == sorted(map(max, sentence))
    assert float(plain(own_figures(at)["projected-back"]["note"]).rpartition(": ")[2].rstrip(".")) <= near(link) < 1e-9


@pytest.mark.parametrize("link", [{"order_mask": "causal"}, {"order_positions": "added"}], ids=str)
def test_a_mask_and_positions_break_it(link):
    at = linked("order", **link)
    for id in ("weights", "projected"):
        sentence, _, back = sides(at, id)
        shown = float(plain(own_figures(at)[f"{id}-back"]["note"]).rpartition(": ")[2].rstrip("."))
        assert shown == pytest.approx(np.abs(back - sentence).max(), rel=0.06)
        assert shown > 0.05


@pytest.mark.parametrize(
    "link", [{}, TEXT, {"preset": "random", "d_model": "33", "heads": 3, "d_k": "13", "bias": True}], ids=str
)
def test_the_table_has_one_cell_in_which_nothing_breaks(link):
    found = differences(linked("order", **link))
    assert found.shape == (2, 2)
    assert found[0, 0] <= near(link) < 1e-9
    assert (found.flatten()[1:] > 0.05).all()


def test_what_would_tell_places_apart_elsewhere_is_left_out_here():
    plain = own_figures(linked("order"))
    other = app("order", mask="window", positions="sinusoidal", last=3, dropout=0.5, painted="AA")
    assert own_figures(other) == plain
    assert not {"mask", "positions", "dropout", "width", "draw"} & seen(other)
    assert {"heads", "d_k", "scale", "text"} <= seen(other)


def test_a_single_word_has_one_order():
    at = linked("order", preset="random", text="alone", order_mask="causal", order_positions="added")
    assert (differences(at) == 0).all()


def test_torch_makes_the_drawn_output_of_the_shuffled_sentence():
    shown = computed(preset="random", mask="full")
    layer = nn.MultiheadAttention(16, 4, bias=False, batch_first=True).requires_grad_(False)
    flat = [shown.trace[id].value.transpose(-2, -1).flatten(0, 1) for id in ("w_q", "w_k", "w_v")]
    layer.in_proj_weight.copy_(torch.cat(flat))
    layer.out_proj.weight.copy_(shown.trace["w_o"].value.T)
    figures = own_figures(linked("order", preset="random"))
    moved = figures["projected-shuffled"]["labels"]["query"]
    assert sorted(moved) == sorted(shown.tokens) != moved
    x = torch.stack([shown.trace["x"].value[0, shown.tokens.index(token)].clone() for token in moved])
    expected, mean = layer(x[None], x[None], x[None])
    np.testing.assert_allclose(decoded(figures["projected-shuffled"]), expected[0].numpy(), rtol=0, atol=1e-5)
    # The chosen word's weight on each word, averaged over the heads.
    drawn = words(preset="random", cell="weights.2.0.words")["reordered"]
    places = [moved.index(token) for token in shown.tokens]
    for takes in drawn["takes"].values():
        np.testing.assert_allclose(takes, mean[0, moved.index(shown.tokens[2])][places].numpy(), rtol=0, atol=1e-4)


def words(**link) -> dict:
    return order.both.blocks(linked("order", **link))[0]["cards"][0]


def test_words_stand_where_they_were_dragged_and_their_outputs_with_them():
    written = words()["reordered"]["tokens"]
    places = [2, 1, *range(3, len(written) + 1)]
    drawn = words(word_order=",".join(map(str, places)))
    assert drawn["reordered"]["order"] == [place - 1 for place in places]
    assert set(drawn["labels"]["differences"]) == {"="}
    assert not any(drawn["reordered"]["isMoved"])
    assert drawn["reordered"]["moved"] == drawn["reordered"]["written"]


@pytest.mark.parametrize("text", ["1,2", "1,1,2", "a", "0,1", "9" * 300], ids=lambda text: text[:9])
def test_what_is_no_order_of_the_words_is_left_out(text):
    assert words(word_order=text) == words()
    assert words(word_order=text, shuffle=3) == words(shuffle=3)


@pytest.mark.parametrize(
    ("link", "pair"),
    [
        ({}, ("fox", "hen")),
        ({"preset": "random", "text": "the wise dog shows the cat to the bear"}, ("dog", "bear")),
        # Outside the grammar, the first and the last word are exchanged.
        ({"preset": "random", "text": "one two three five seven"}, ("one", "seven")),
    ],
    ids=lambda part: "-".join(part) or "learned",
)
def test_the_page_opens_with_two_words_exchanged(link, pair):
    opened = words(**link)
    drawn = opened["reordered"]
    moved = {
        drawn["tokens"][word]: drawn["tokens"][place] for place, word in enumerate(drawn["order"]) if word != place
    }
    assert moved == dict(zip(pair, reversed(pair), strict=True))
    assert not any(drawn["isMoved"])
    verb = {"fox": "brings", "dog": "shows"}.get(pair[0])
    # If the verb of the sentence is known, the text says who does what to whom.
    so = say("order.who.alike", one=pair[0], other=pair[1], verb=verb) if verb else say("order.so.alike")
    one, other = (named(drawn["tokens"], drawn["tokens"].index(word)) for word in pair)
    # The text is about the exchanged word from which the chosen word takes the most.
    parts = drawn["takes"]["moved"]
    looked = named(drawn["tokens"], drawn["looked"])
    exchanged = [word for place, word in enumerate(drawn["order"]) if word not in (place, drawn["looked"])]
    key = max(exchanged, key=parts.__getitem__)
    takes = say(
        "order.takes.same",
        word=looked,
        share=f"{parts[key]:.0%}",
        key=named(drawn["tokens"], key),
    )
    told = (say("order.exchanged", one=one, other=other), takes, say("order.reason.full"), so)
    assert plain(opened["note"]) == plain(listed("sentence", told))


def test_as_written_the_matrices_are_those_of_the_picture_and_the_table_says_that_its_order_is_drawn():
    """A panel in another order than the picture above it explains nothing, and nor do differences of 0."""
    written = order.again.blocks(linked("order"))[0]["buttons"][1]["sets"]
    assert words(**written)["note"] == say("order.unmoved")
    # With positions or a mask, the text does not ask as if nothing could change.
    for tells_places in ({"order_positions": "added"}, {"order_mask": "causal"}):
        assert words(**written, **tells_places)["note"] == say("order.unmoved_with")
    at = linked("order", **written)
    figures = own_figures(at)
    assert figures["weights-shuffled"]["labels"] == figures["weights-sentence"]["labels"]
    assert figures["weights-shuffled"]["note"] == say("order.note.unmoved")
    told = [block.get("markdown") for block in order.differences.blocks(at)]
    assert say("order.drawn") in told
    drawn = linked("order", shuffle=1)
    tables = [[block["rows"] for block in order.differences.blocks(one) if "rows" in block] for one in (at, drawn)]
    assert tables[0] == tables[1]
    assert say("order.drawn") not in [block.get("markdown") for block in order.differences.blocks(drawn)]


def test_positions_are_those_of_the_layer_and_change_each_output():
    """With positions, the output as written is that of the layer as it was trained."""
    shown = computed()
    places = ",".join(map(str, range(len(shown.tokens), 0, -1)))
    drawn = words(word_order=places, order_positions="added")
    assert all(drawn["reordered"]["isMoved"])
    shuffle = order.Shuffle(linked("order", word_order=places, order_positions="added"))
    plain, moved = shuffle.shown.plain["projected"].value, shuffle.shown.restored("projected")
    parts = ((moved - plain).norm(dim=-1) / plain.norm(dim=-1)).flatten().tolist()
    assert drawn["labels"]["differences"] == [say("order.by", part=percent(part)) for part in parts]
    # The longest bar is that of the largest change.
    np.testing.assert_allclose(drawn["reordered"]["changed"], np.array(parts) / max(parts), rtol=1e-3)
    # The weights of the chosen word are those of the layer; the named word has the largest change.
    query = drawn["reordered"]["looked"]
    before, after = (drawn["reordered"]["takes"][line] for line in ("written", "moved"))
    np.testing.assert_allclose(before, shown.trace["weights"].value[0, :, query].mean(0), rtol=0, atol=1e-4)
    changes = [
        abs(one - other) if word != query else 0 for word, (one, other) in enumerate(zip(before, after, strict=True))
    ]
    most = changes.index(max(changes))
    parts_of = {"before": f"{before[most]:.0%}", "after": f"{after[most]:.0%}"}
    names = {"word": named(shown.tokens, query), "key": named(shown.tokens, most)}
    assert drawn["note"].startswith(say("order.takes.other", **names, **parts_of))
    much = [say(f"order.much.{name}") for name in ("hardly", "little", "much")]
    assert drawn["labels"]["parts"] == [much[(part > 0.05) + (part > 0.25)] for part in parts]
    assert drawn["note"].endswith(say("order.so.differ"))
    np.testing.assert_allclose(plain, shown.trace["projected"].value[0], rtol=0, atol=1e-4)


@pytest.mark.parametrize(
    ("link", "reason"),
    [
        ({"order_mask": "causal"}, ("causal",)),
        ({"order_positions": "added"}, ("positions",)),
        ({"order_mask": "causal", "order_positions": "added"}, ("causal", "positions")),
        ({"shuffle": 5}, ("full",)),
        # All words are the same: nothing changes, so the mask is given as no reason.
        ({"preset": "random", "text": "one one one", "order_mask": "causal"}, ()),
    ],
    ids=str,
)
def test_it_says_why_outputs_travel_or_change(link, reason):
    said = {one: say(f"order.reason.{one}") in words(**link)["note"] for one in ("full", "causal", "positions")}
    assert said == {one: one in reason for one in said}


def test_with_positions_a_word_that_follows_the_place_is_said_to_do_so():
    """'fox' now has the most, about as much as 'hen' before; without positions, each word keeps its own weight."""
    drawn = words(order_positions="added")
    before, after = (drawn["reordered"]["takes"][line] for line in ("written", "moved"))
    fox, hen = (drawn["reordered"]["tokens"].index(word) for word in ("fox", "hen"))
    assert abs(after[fox] - before[hen]) < 0.1 < abs(after[hen] - before[hen])
    names = {"word": "'brings'", "left": "'hen'", "comer": "'fox'"}
    told = say("order.takes.place", before=f"{before[hen]:.0%}", after=f"{after[fox]:.0%}", **names)
    assert drawn["note"].startswith(told)
    assert "follows the place" not in words()["note"]
    # The text names no place for a word that has moved itself, or if more words have moved.
    for other in ({"cell": f"weights.{fox}.0.words"}, {"shuffle": 3}):
        assert "follows the place" not in words(order_positions="added", **other)["note"]


def test_under_a_causal_mask_a_word_changes_exactly_if_others_are_before_it():
    """The rule holds for words that have moved and for others."""
    for order_of in ("1,2,4,3,5,6,7,8,9,10,11", "3,2,1,4,5,6,7,8,9,10,11"):
        drawn = words(word_order=order_of, order_mask="causal")["reordered"]
        before = {word: set(drawn["order"][:place]) for place, word in enumerate(drawn["order"])}
        assert drawn["isMoved"] == [before[word] != set(range(word)) for word in range(len(before))]


def test_the_first_of_a_word_that_a_text_has_twice_is_told_apart():
    drawn = words(word_order="1,3,2,4,5,6,7,8,9,10,11")
    assert drawn["note"].startswith("The first 'the' and 'old' have changed places")


def guessed(**link) -> list[dict]:
    return VIEWS["order.guess_order"].blocks(linked("order", **link))


def test_a_guess_about_positions_waits_until_they_are_added():
    """The guess stands below words that have moved and kept their outputs. The next step adds positions, and its
    picture tells the answer."""
    (open_still,) = guessed()
    # Each answer adds positions.
    assert all(one["sets"]["order_positions"] == "added" for one in open_still["answers"])
    (asked,) = guessed(guess="order.two")
    assert asked["told"]["markdown"] == say("predict.order.try")
    assert {one["verdict"] for one in asked["answers"]} == {""}
    for answer, verdict in (("two", "wrong"), ("every", "right")):
        (told,) = guessed(guess=f"order.{answer}", order_positions="added")
        assert told["told"]["markdown"].startswith(f"**{say(f'predict.{verdict}')}**")
        marks = {"every": "right"} | ({answer: verdict} if verdict == "wrong" else {})
        assert {one["line"]: one["verdict"] for one in told["answers"]} == {
            say(f"predict.order.{one}"): marks.get(one, "") for one in ("nothing", "two", "every")
        }


def test_an_answered_guess_goes_with_the_order_that_it_was_about():
    """With a later order, the answer would come back as if it had been guessed again."""
    link = {"guess": "order.two,cached.spent"}
    for positions, kept in (("none", "order.two,cached.spent"), ("added", "cached.spent")):
        at = linked("order", **link, order_positions=positions)
        drags = order.both.blocks(at)[0]["drag"]
        buttons = [one["sets"] for one in order.again.blocks(at)[0]["buttons"]]
        assert {one.get("guess", link["guess"]) for one in (drags, *buttons)} == {kept}
        # While a word is held, the answers come without the guess, but name the same settings.
        assert order.both.blocks(linked("order", guess=kept, order_positions=positions))[0]["drag"] == drags


@pytest.mark.parametrize(
    "link",
    [
        {"order_mask": "causal"},
        {"word_order": "1,2,3,4,5,6,7,8,9,10,11"},
        # Every word has moved.
        {"word_order": "11,1,2,3,4,5,6,7,8,9,10"},
        # The text has one word three times: positions leave the outputs of the others unchanged.
        {"preset": "random", "text": "one one one"},
    ],
    ids=str,
)
def test_where_the_answer_would_be_another_one_it_is_not_asked(link):
    assert guessed()
    assert not guessed(**link)


def test_a_link_with_the_switch_that_there_was_has_positions_added():
    """Positions used to be a switch."""
    assert words(order_positions="true") == words(order_positions="added") != words(order_positions="false") == words()


def test_a_word_alone_is_not_exchanged_and_a_word_is_no_markdown():
    assert order.again.blocks(linked("order", preset="random", text="alone"))[0]["buttons"][1]["pressed"]
    link = {"preset": "random", "text": "* two $"}
    link |= order.again.blocks(linked("order", **link))[0]["buttons"][1]["sets"]
    assert order.again.blocks(linked("order", **link))[0]["buttons"][1]["line"] == r"Swap '\*' and '\$'"


def test_a_button_leads_back_to_the_sentence():
    (block,) = order.again.blocks(linked("order"))
    written = block["buttons"][1]["sets"]
    assert words(**written)["reordered"]["order"] == list(range(len(computed().tokens)))
    # From there, buttons lead to the exchanged words, which is also the page's opening order.
    exchange = order.again.blocks(linked("order", **written))[0]["buttons"][1]
    assert plain(exchange["line"]) == plain(say("order.exchange", one="fox", other="hen"))
    assert words(**written | exchange["sets"]) == words()
    assert words(**block["buttons"][0]["sets"]) == words(shuffle=1) != words()
