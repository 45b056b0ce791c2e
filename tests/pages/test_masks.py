"""The page on masks: the hidden and the shown cells follow from the run of the screen, also under painted cells."""

import ast
from dataclasses import replace

import numpy as np
import pytest
import torch
from torch import nn
from torch.nn import functional as F

from attention.inputs.grammar import read
from attention.masks import MASKS
from attention.trace import Trace
from pages.shell.i18n import listed, say
from pages.shell.i18n.options import word
from pages.shell.runs.run import run as compute
from pages.shell.runs.run import scale_of
from pages.shell.state import painted_cells
from pages.shell.state.opens_with import OPENS_WITH
from pages.shell.views import guess, head_arcs, masks
from tests.support import rounding
from tests.support.app import (
    HOME,
    app,
    blocks,
    cards,
    computed,
    decoded,
    held,
    linked,
    markdown,
    no_exception,
    recorded,
    widget,
)
from tests.support.numbers import exponents
from tests.support.screens import payloads

RANDOM, STORY = {"preset": "random"}, {"preset": "story"}
TWO = RANDOM | {"text": "one two three four five six seven\neight nine ten"}


def table(at, heading: str) -> list[list[str]]:
    """The cells of the Markdown table whose header holds a text; powers of ten as Python reads them."""
    text = next(block.value for block in markdown(at) if block.value.startswith("|") and heading in block.value)
    return [[cell.strip() for cell in line.strip("|").split("|")] for line in exponents(text).splitlines()]


def code(at, of: str) -> str:
    """The lines of code for visitors in which a name occurs."""
    return next(block["text"] for block in blocks(at) if block["kind"] == "code" and of in block["text"])


def own_figures(at) -> dict[str, dict]:
    """The figures that stand under no chapter, by id."""
    return {card["id"]: card for sent in payloads(at) if sent.get("chapter") == "" for card in sent["cards"]}


@pytest.mark.parametrize(
    ("link", "seen"), [({}, 2), ({"last": 3}, 6), ({"cell": "weights.4.0"}, 5), ({"last": 3, "cell": "scores.2.7"}, 7)]
)
def test_the_future_begins_after_the_query(link, seen):
    header, _, _, before, zero_before, zero_after, renormalised = table(linked("masks", **STORY, **link), "Weight on")
    marked = [name.endswith("▨") for name in header[1:-3]]
    assert marked == [place >= seen for place in range(8)]
    assert before[-3:-1] == renormalised[-3:-1] == ["1.0000", "0.0%"]
    assert before[1:-3] == renormalised[1:-3]
    assert zero_before[-3] == "1.0000"
    assert zero_before[-2] != "0.0%"
    assert zero_after[-2] == "0.0%"


def test_weights_that_may_be_seen_move_with_a_hidden_score_only_where_they_are_set_to_zero_afterwards():
    at = linked("masks", **RANDOM, cell="weights.2.0")
    before, zero_before, zero_after, renormalised = (float(row[-1]) for row in table(at, "Weight on")[3:])
    assert max(before, renormalised) <= rounding(8, 8)
    assert zero_before == 0
    scores = recorded(computed(**RANDOM), "scaled").astype(float)[2]
    changed = scores + np.eye(8)[-1]
    weights = [np.exp(z) / np.exp(z).sum() for z in (scores, changed)]
    assert zero_after == pytest.approx(np.abs(weights[1] - weights[0])[:3].max(), rel=0.06)
    sums = " → ".join(f"{row[:3].sum():.4f}" for row in weights)
    assert any(sums in block.value for block in markdown(at))


def test_one_layer_stands_under_all_masks_and_where_each_has_its_own_that_is_said():
    said = say("mask.own_layers", masks="no mask, causal, window, prefix, causal window")
    for link, own in (({}, False), ({"trained": True}, True), ({"preset": "story", "trained": True}, False)):
        assert (said in [markdown.value for markdown in markdown(linked("masks", **link))]) == own, link
        pressed = [
            one["pressed"] for block in masks.layers.blocks(linked("masks", **link)) for one in block.get("buttons", ())
        ]
        # The button leads back to the one layer, so it is never pressed.
        assert pressed == [False] * own, link
        one, other = (computed(**link, mask=mask).trace["scores"].value for mask in ("full", "window"))
        assert torch.equal(one, other) != own, link


def test_of_masks_whose_layer_was_trained_without_them_none_is_named():
    """No layer of eight heads was trained with a mask, and none with a window of three."""
    texts = [markdown.value for markdown in markdown(linked("masks", trained=True, heads=8, width=3))]
    assert say("mask.own_layers", masks="no mask") in texts


def test_one_query_has_nothing_to_hide():
    at = linked("masks", last=1)
    assert any("nothing to hide" in block.value for block in markdown(at))


def test_the_page_opens():
    at = app("masks", **STORY, painted="AB", cell="mask.0.1.paint")
    assert no_exception(at)
    assert {"ledger", "cards", "code", "panel", "table"} <= {block["kind"] for block in blocks(at)}


def test_five_answers_to_a_query_that_may_attend_to_nothing():
    rows = table(linked("masks"), say("hidden.that_is"))[2:]
    assert [row[-1] for row in rows] == [
        "not a number (NaN)",
        "uniform over keys that are forbidden",
        "not a number (NaN)",
        "zeros: it attends to nothing",
        "zeros: it attends to nothing",
    ]


@pytest.mark.parametrize("every_mask", ["weights", "masked", "mask"])
def test_all_masks_stand_side_by_side_in_the_form_that_is_chosen(every_mask):
    row = next(sent for sent in payloads(linked("masks", every_mask=every_mask)) if sent.get("chapter") == "every_mask")
    assert [card["tag"] for card in row["cards"]] == [word("mask", mask, "en") for mask in MASKS]
    assert {card["id"] for card in row["cards"]} == {every_mask}


@pytest.mark.parametrize("link", [{}, STORY, {"mask": "causal"}], ids=str)
def test_two_forms_of_the_mask_agree_and_two_mistakes_do_not(link):
    """A screen whose mask hides nothing uses the causal one, and says so."""
    at = linked("masks", **link)
    assert (say("hidden.instead") in [block.value for block in markdown(at)]) == (not link)
    boolean, added, ones, inverted = table(at, "handed over")[2:]
    assert float(boolean[1]) == float(added[1]) == 0
    assert boolean[2] == added[2] == "0.0%"
    assert float(ones[1]) > 0.1
    assert ones[2] != "0.0%"
    assert inverted[2] == "100.0%"


@pytest.mark.parametrize("mask", MASKS)
def test_the_printed_code_is_what_the_screen_computes(mask):
    """The text that a visitor copies is run line by line."""
    link = RANDOM | {"heads": 1, "mask": mask, "text": " ".join(map(str, range(17))), "painted": "ACBAQA"}
    shown = computed(**link)
    layer = nn.MultiheadAttention(16, 1, bias=False, batch_first=True)
    with torch.no_grad():
        layer.in_proj_weight.copy_(torch.cat([shown.trace[id].value[0].T for id in ("w_q", "w_k", "w_v")]))
        layer.out_proj.weight.copy_(shown.trace["w_o"].value.T)
    layer.requires_grad_(False)
    names = {"layer": layer, "x": shown.trace["x"].value}
    names |= {letter: shown.trace[id].value for letter, id in zip("QKV", ("queries", "keys", "values"), strict=True)}
    lines = code(linked("masks", **link), "may_attend")
    answers = []
    for statement in ast.parse(lines).body:
        if isinstance(statement, ast.Expr):
            answers.append(eval(ast.unparse(statement), names))
        else:
            exec(ast.unparse(statement), names)
    boolean, added, (projected, _) = answers
    torch.testing.assert_close(boolean, shown.trace["output"].value)
    torch.testing.assert_close(added, shown.trace["output"].value)
    torch.testing.assert_close(projected, shown.trace["projected"].value)


@pytest.mark.parametrize("link", [{}, TWO, TWO | {"sentence": 1}, TWO | {"scale": "none", "dropout": 0.5}], ids=str)
def test_padding_hides_columns_and_its_rows_are_left_alone(link):
    """If the page's own sentence fills no batch alone, it is the longer sentence of the batch."""
    at = linked("masks", **link)
    columns, rows, plain, nothing = table(at, "Real rows")[2:]
    assert [row[1] for row in (columns, rows, plain, nothing)] == ["1.00", "0.00", "NaN", "1.00"]
    assert max(float(columns[2]), float(rows[2])) < 1e-5
    assert float(nothing[2]) > 0.01
    figures = own_figures(at)
    names = figures["columns"]["labels"]["key"]
    padding = [name == "[PAD]" for name in names]
    assert 0 < sum(padding) < len(names)
    words = [name for name in names if name != "[PAD]"]
    assert link or words == ["today", "the", "old", "fox", "brings"]
    assert "1.00" in figures["columns"]["note"]
    assert "0.00" in figures["rows"]["note"]
    names = {"Q": torch.randn(2, 3, len(padding), 5)}
    exec(code(at, "is_token"), names | {"K": names["Q"], "V": names["Q"]})


@pytest.mark.parametrize(
    ("view", "question", "hidden"),
    [
        (masks.columns, "padding", "'id': 'columns'"),
        (masks.four_ways, "future", "1.0000"),
        (masks.sums, "padding", "NaN"),
    ],
    ids=["columns", "future", "sums"],
)
def test_below_a_question_of_a_drawer_no_figure_gives_its_answer_before_the_guess(view, question, hidden):
    """Both drawers once gave the answer in a heading, a table and two pictures. A link shows them as before."""
    first = OPENS_WITH["masks"]
    assert hidden not in str(view.blocks(linked("masks", **first)))
    assert hidden in str(view.blocks(linked("masks", mask="causal")))
    (asked,) = guess.of(question).blocks(linked("masks", **first))
    assert asked["answers"][-1]["line"] == say("predict.show")
    for answer in asked["answers"]:
        assert hidden in str(view.blocks(linked("masks", **first | answer["sets"]))), answer["line"]


def test_the_mask_stands_in_both_forms():
    figures = own_figures(linked("masks", **STORY))
    may = decoded(figures["mask-boolean"])
    assert (may == np.tril(np.ones((8, 8)))).all()
    added = decoded(figures["mask-added"])
    assert np.isnan(added).tolist() == (may == 0).tolist()
    assert not np.nan_to_num(added).any()


def test_what_hides_a_key_depends_on_the_dtype():
    rows = {row[0]: row[1:] for row in table(linked("masks", **RANDOM), "bfloat16")[2:]}
    kinds = {name: say(f"large.kind.{name}") for name in ("nan", "raises", "uniform", "unmasked")}
    assert rows == {
        say("large.way.infinity"): [kinds["nan"]] * 4,
        say("large.way.added"): [kinds["nan"], kinds["uniform"], kinds["uniform"], kinds["unmasked"]],
        say("large.way.filled"): [kinds["raises"], *[kinds["uniform"]] * 3],
        say("large.way.smallest"): [kinds["uniform"]] * 4,
    }


@pytest.mark.parametrize(("last", "queries"), [(0, 3), (2, 2), (8, 8)])
def test_both_corners_are_those_of_torch(last, queries):
    figures = own_figures(linked("masks", **STORY, last=last))
    upper, lower = figures["upper_left"], figures["lower_right"]
    assert upper["shape"] == lower["shape"] == [queries, 8]
    assert ", ".join(map(str, range(1, queries + 1))) in upper["note"]
    assert ", ".join(map(str, range(9 - queries, 9))) in lower["note"]
    assert "is_causal=True" in upper["note"]
    assert "causal_upper_left" in upper["note"]
    assert "causal_lower_right" in lower["note"]


def figures(view, **link) -> list[dict]:
    return view.blocks(linked("masks", **link))[0]["cards"]


def test_the_large_pictures_are_one_layer_under_five_masks():
    drawn = figures(masks.every_mask, head=2)
    scores = recorded(computed(head=2), "scores")
    for mask, card in zip(MASKS, drawn, strict=True):
        shown = computed(head=2, mask=mask)
        np.testing.assert_array_equal(recorded(shown, "scores"), scores)
        np.testing.assert_allclose(np.nan_to_num(decoded(card)), recorded(shown, "weights"), rtol=1e-5, atol=1e-7)
        assert card["sets"] == {"mask": mask, "painted": ""}


def test_the_mask_that_painted_cells_make_stands_beside_the_others_which_stay_as_they_are():
    link = {"mask": "causal", "painted": "AHDADD__"}
    plain, drawn = figures(masks.every_mask, mask="causal"), figures(masks.every_mask, **link)
    assert [card["z"] for card in drawn[:-1]] == [card["z"] for card in plain]
    own = drawn[-1]
    # A click shows what the picture shows.
    assert {card["sets"]["painted"] for card in drawn[:-1]} == {""}
    assert own["sets"] == link
    np.testing.assert_allclose(np.nan_to_num(decoded(own)), recorded(computed(**link), "weights"), rtol=1e-5, atol=1e-7)
    assert own["tag"] == say("bar.own_on", mask=word("mask", "causal"))
    assert figures(masks.every_mask, mask="full", painted="AHDADD__")[-1]["tag"] == say("bar.own")


def test_where_another_mask_has_dropped_painted_cells_that_is_said_with_the_way_back():
    """Painted cells once vanished without a word, and a reader who had painted for a minute had to begin again."""
    was = {"mask": "causal", "painted": "EDEK"}

    def offered(**now) -> list[dict]:
        shown = replace(linked("masks", **now), earlier={"width": "3", **was})
        return [one for block in masks.unpainted.blocks(shown) for one in block["buttons"]]

    (button,) = offered(mask="window", width="3")
    back = {"width": "3", "length": "2", **was}
    assert button["sets"] == back
    assert button["line"] == say("paint.bring_back", mask=say("bar.own_on", mask=word("mask", "causal")))
    # A mask of another width is another mask. Without painted cells before, or with some now, there is no note.
    assert offered(mask="causal", width="5")
    assert not offered(mask="causal", width="3")
    assert not offered(**back)
    assert not masks.unpainted.blocks(linked("masks", mask="window"))


def test_the_board_says_who_asks_and_who_is_seen():
    (board,) = figures(masks.board, mask="causal")
    assert board["titles"] == ("asks", "seen")
    (other,) = (card for card in figures(masks.one_mask, mask="causal") if card["id"] == "mask")
    assert "titles" not in other


def test_the_button_of_a_mask_keeps_its_name_where_cells_are_painted():
    """A longer name would push the other buttons away from under the hand."""
    plain, painted = (app("masks", mask="causal", **link) for link in ({}, {"painted": "ECED"}))
    assert widget(plain, "mask").options == widget(painted, "mask").options


def rows_of(**link) -> list[list[str]]:
    (table,) = [block for block in masks.says.blocks(linked("masks", **link)) if block["kind"] == "table"]
    return [[cell["line"] for cell in row] for row in table["rows"]]


def told_of(**link) -> list[str]:
    return [block["markdown"] for block in masks.says.blocks(linked("masks", **link)) if block["kind"] == "text"]


@pytest.mark.parametrize(
    ("link", "rows", "told"),
    [
        (
            {"mask": "causal"},
            [
                ["who?", "✓ fox", "✓ fox"],
                ["whom?", "✓ owl", "**✓ owl, a lucky guess**"],
                ["to whom?", "✓ hen", "**✗ fox, a guess**"],
            ],
            None,
        ),
        (
            {"mask": "full"},
            [["who?", "✓ fox"], ["whom?", "✓ owl"], ["to whom?", "✓ hen"]],
            say("mask.read.ahead", words="'owl' and 'hen'"),
        ),
        (
            {"mask": "full", "painted": "ED"},
            [["who?", "✓ fox", "**✗ cat, a guess**"], ["whom?", "✓ owl", "✓ owl"], ["to whom?", "✓ hen", "✓ hen"]],
            None,
        ),
        # Another mask stands beside the causal one. Only a changed answer is bold.
        (
            {"mask": "window", "width": 2},
            [
                ["who?", "✓ fox", "✓ fox", "✓ fox"],
                ["whom?", "✓ owl", "✓ owl, a lucky guess", "✓ owl, a lucky guess"],
                ["to whom?", "✓ hen", "✗ fox, a guess", "✗ fox, a guess"],
            ],
            None,
        ),
        (
            {"mask": "window", "width": 3},
            [
                ["who?", "✓ fox", "✓ fox", "✓ fox"],
                ["whom?", "✓ owl", "✓ owl, a lucky guess", "**✓ owl**"],
                ["to whom?", "✓ hen", "✗ fox, a guess", "**✗ owl, a guess**"],
            ],
            None,
        ),
        # Painted cells stand beside the mask below them. Their button says, once, what they let the word read ahead.
        (
            {"mask": "causal", "painted": "EGEK"},
            [
                ["who?", "✓ fox", "✓ fox", "✓ fox"],
                ["whom?", "✓ owl", "✓ owl, a lucky guess", "**✓ owl**"],
                ["to whom?", "✓ hen", "✗ fox, a guess", "**✓ hen**"],
            ],
            None,
        ),
        (
            {"mask": "causal", "painted": "EK"},
            [
                ["who?", "✓ fox", "✓ fox", "✓ fox"],
                ["whom?", "✓ owl", "✓ owl, a lucky guess", "✓ owl, a lucky guess"],
                ["to whom?", "✓ hen", "✗ fox, a guess", "**✓ hen**"],
            ],
            None,
        ),
        (
            {"mask": "causal", "cell": "weights.10.0.seen"},
            [["what like?", "✓ shy", "✓ shy"]],
            None,
        ),
        # An owl without an adjective: the head reads this answer from the article.
        (
            {"mask": "causal", "cell": "weights.6.0.seen"},
            [["what like?", "✓ no adjective", "✓ no adjective"]],
            say("mask.next.hidden", next="'to'"),
        ),
    ],
    ids=str,
)
def test_what_a_mask_hides_is_guessed_and_what_it_leaves_is_read(link, rows, told):
    """The reason for a causal mask: without it, the layer reads its answers further on in the sentence."""
    assert rows_of(**link) == rows
    assert told_of(**link) == ([told] if told else [])


@pytest.mark.parametrize(
    ("link", "names"),
    [
        ({"mask": "full"}, ["without a mask"]),
        ({"mask": "causal"}, ["without a mask", "causal"]),
        ({"mask": "prefix"}, ["without a mask", "causal", "prefix"]),
        ({"mask": "full", "painted": "ED"}, ["without a mask", "your own"]),
        ({"mask": "window", "painted": "ED"}, ["without a mask", "window", "window + your own"]),
    ],
    ids=str,
)
def test_the_answers_under_a_mask_stand_beside_those_under_what_it_is_compared_with(link, names):
    """Readers who switched from one mask to another could not tell whether the table had changed."""
    (table,) = [block for block in masks.says.blocks(linked("masks", **link)) if block["kind"] == "table"]
    assert [one["line"] for one in table["header"]] == [say("mask.says.asked", word="brings"), *names]


@pytest.mark.parametrize("mask", ["window", "prefix"])
def test_under_a_mask_that_is_one_click_away_the_word_sees_an_answer_that_the_causal_mask_hides(mask):
    """The first click on another mask must change something at the selected word. A prefix of two words, both before
    it, taught nothing."""
    lent = OPENS_WITH["masks"]
    hidden, seen = ({row[0]: row[-1] for row in rows_of(**lent | {"mask": one})} for one in ("causal", mask))
    # No hidden answer is guessed right by luck, as the title says.
    assert [hidden[one] for one in ("whom?", "to whom?")] == ["**✗ fox, a guess**"] * 2
    assert seen["whom?"] == "**✓ owl**"


@pytest.mark.parametrize("mask", ["causal", "window", "prefix", "causal & window"])
def test_of_a_few_words_the_mask_hides_the_answer_of_one_alone_and_a_guess_looks_at_its_word(mask):
    """The grammar says which words ask. Before there was a guess, the page gave its end away; later its answers named
    words without their questions."""
    at = OPENS_WITH["masks"] | {"mask": mask}
    run = compute(linked("masks", **at).run.config, record_mask=True)
    needs, sees = {one.place: one.target for one in read(run.tokens).asked}, run.matrix("mask")
    (asked,) = masks.asked.blocks(linked("masks", **at))
    assert {one["verdict"] for one in asked["answers"]} == {""} == {asked["told"]["markdown"]}
    assert len(asked["answers"]) > 1
    for answer in asked["answers"]:
        place = int(answer["sets"]["cell"].split(".")[1])
        is_lost = place in needs and not sees[place, needs[place]]
        assert answer["line"].endswith("?") == (place in needs)
        after = linked("masks", **at | answer["sets"])
        assert head_arcs.asked_of(after) == place
        (told,) = masks.asked.blocks(after)
        assert told["told"]["markdown"].startswith(f"**{say('predict.right' if is_lost else 'predict.wrong')}**")
        right = [int(one["sets"]["cell"].split(".")[1]) for one in asked["answers"]]
        verdicts = dict(zip(right, (one["verdict"] for one in told["answers"]), strict=True))
        assert [one for one in right if verdicts[one] == "right"] == [
            one for one in right if one in needs and not sees[one, needs[one]]
        ]
        # Another mask has a new guess.
        (other,) = masks.asked.blocks(
            linked("masks", **at | answer["sets"] | {"mask": "causal" if mask != "causal" else "window"})
        )
        assert not any(one["pressed"] for one in other["answers"])


@pytest.mark.parametrize("link", [{"mask": "full"}, {"mask": "causal", "painted": "EK"}, {"preset": "random"}], ids=str)
def test_where_no_answer_is_hidden_or_none_is_known_nothing_is_asked(link):
    assert not [
        one for block in masks.asked.blocks(linked("masks", **OPENS_WITH["masks"] | link)) for one in block["answers"]
    ]


@pytest.mark.parametrize("preset", ["random", "story", "learned"])
def test_of_a_word_that_asks_nothing_it_is_told_whether_the_next_word_could_be_copied(preset):
    at = {"preset": preset, "cell": "weights.0.0.seen"}
    next_word = linked("masks", **at).run.tokens[1]
    for mask, painted, case in (
        ("causal", "", "hidden"),
        ("full", "", "seen"),
        ("causal", "AB", "seen"),
        ("full", "AB", "hidden"),
    ):
        *nothing, told = told_of(**at, mask=mask, painted=painted)
        assert [one.split(".")[0] for one in nothing] == (["'today' asks nothing"] if preset == "learned" else [])
        assert told == say(f"mask.next.{case}", next=say("note.named", token=next_word))
    last = len(linked("masks", **at).run.tokens) - 1
    assert not told_of(preset="random", mask="full", cell=f"weights.{last}.0.seen")


def test_the_row_of_the_word_that_is_looked_at_is_framed():
    """'brings' is the fifth word."""
    (board,) = figures(masks.board, mask="causal")
    assert board["brush"]["looked"] == 4
    (board,) = figures(masks.board, mask="causal", cell="mask.7.2.paint")
    assert board["brush"]["looked"] == 7


def test_a_head_that_takes_most_from_the_word_itself_is_named_at_its_loop():
    (drawn,) = figures(masks.arcs, mask="causal")
    weights = recorded(computed(mask="causal"), "weights")
    assert np.argmax(drawn["arcs"]["asks"][0]["weights"]) == np.argmax(weights[4]) == 3
    for ask, name in zip(drawn["arcs"]["asks"], drawn["labels"]["names"], strict=True):
        assert name.endswith("↺") == (int(np.argmax(ask["weights"])) == drawn["arcs"]["focus"])
    assert "↺" in say("mask.reading")
    # 'today' sees itself alone.
    (first,) = figures(masks.arcs, mask="causal", cell="weights.0.0.seen")
    assert all(name.endswith("↺") for name in first["labels"]["names"])


def test_the_board_names_its_mask_and_what_it_does():
    (board,) = figures(masks.board, mask="causal")
    assert board["part"] == word("mask", "causal")
    assert board["note"].startswith(say("mask.sees.causal"))
    (board,) = figures(masks.board, mask="causal", painted="AHDADD__")
    assert board["part"] == say("bar.own_on", mask=word("mask", "causal"))
    assert say("mask.sees.causal") not in board["note"]


def test_the_arcs_are_what_the_mask_leaves_and_what_it_takes_away():
    (card,) = figures(masks.arcs, mask="causal")
    drawn, whole, left = card["arcs"], computed().trace["weights"].value[0], computed(mask="causal")
    query = drawn["focus"]
    assert drawn["hidden"] == list(range(query + 1, 11))
    for head, one in enumerate(drawn["asks"]):
        np.testing.assert_allclose(one["weights"], left.trace["weights"].value[0, head, query], rtol=1e-3)
        np.testing.assert_allclose(drawn["lost"][head][query + 1 :], whole[head, query, query + 1 :], rtol=1e-3)
        assert not any(drawn["lost"][head][: query + 1])
    share = float(whole[:, query, query + 1 :].sum()) / 4
    assert card["note"] == say("mask.seen_pale_later", word="brings", share=f"{share:.0%}")
    # The note names words that a model has not yet written. Without a mask, it says how much the word reads ahead.
    assert card["labels"]["ahead"] == say("mask.unwritten")
    assert figures(masks.arcs)[0]["note"] == say("mask.seen_ahead", word="brings", share=f"{share:.0%}")
    assert figures(masks.arcs, cell="weights.10.0.seen")[0]["note"] == say("mask.seen_all", word="hen")
    # A later word that is painted visible is not written yet either, so the hidden words are only called hidden.
    painted = painted_cells.text([(query, 10)])
    (card,) = figures(masks.arcs, mask="causal", painted=painted, cell=f"weights.{query}.0.seen")
    share = float(whole[:, query, query + 1 : 10].sum()) / 4
    assert card["note"] == say("mask.seen_pale", word="brings", share=f"{share:.0%}")


def test_the_mask_can_be_painted_where_none_is_chosen():
    drawn = cards(linked("masks"))["paint"]
    assert drawn["mask"].z.tolist() == np.ones((11, 11)).tolist()


def test_a_hidden_cell_of_the_board_is_crossed_out():
    drawn = cards(linked("masks", mask="causal"))
    assert drawn["paint"]["mask"].rest["crossed"]
    assert "crossed" not in drawn["one_mask"]["mask"].rest


@pytest.mark.parametrize("link", [{}, {"scale": "none"}, {"trained": True}, {"padding": True, "sentence": 2}], ids=str)
def test_what_the_mask_takes_away_is_what_the_same_layer_takes_without_it(link):
    (block,) = masks.arcs.blocks(linked("masks", mask="causal", **link))
    (card,) = block["cards"]
    run, trace = linked("masks", mask="causal", **link).run, Trace()
    with torch.inference_mode():
        run.module(run.inputs.x, scale=scale_of(run.config, run.module), trace=trace)
    drawn, whole = card["arcs"], trace["weights"].value[run.sentence]
    query, hidden = drawn["focus"], drawn["hidden"]
    assert hidden == list(range(query + 1, len(drawn["tokens"])))
    np.testing.assert_allclose(np.array(drawn["lost"])[:, hidden], whole[:, query, hidden], atol=1e-3)


@pytest.mark.parametrize("mask", MASKS)
def test_painted_cells_are_the_other_way_round_on_top_of_every_mask(mask):
    plain, painted = (cards(linked("masks", mask=mask, **link)) for link in ({}, {"painted": "AHDADD__"}))
    changed = plain["paint"]["mask"].z != painted["paint"]["mask"].z
    assert np.argwhere(changed).tolist() == [[0, 7], [3, 0], [3, 3]]
    hidden = np.isnan(painted["one_mask"]["weights"].z)
    assert (hidden == (painted["paint"]["mask"].z == 0)).all()


def test_painted_cells_belong_to_tokens_and_not_to_rows():
    mask = cards(linked("masks", **STORY, mask="full", last=3, painted="AAFAHC"))["paint"]["mask"]
    assert np.argwhere(mask.z == 0).tolist() == [[0, 0], [2, 2]]
    # The data for painting in the browser: the cells that are painted already, and the first query's token.
    brush = mask.rest["brush"]
    assert (brush["sets"], brush["painted"], brush["earlier"]) == ("painted", "AAFAHC", 5)


def test_a_stroke_looks_at_the_word_of_the_row_in_which_it_begins():
    looks = cards(linked("masks", mask="full"))["paint"]["mask"].rest["brush"]["looks"]
    assert [linked("masks", mask="full", **look).query() for look in looks] == list(range(len(looks)))
    assert len(looks) == len(computed().tokens)


def test_of_what_stands_beside_the_board_nothing_is_painted():
    drawn = [sent for row in cards(linked("masks")).values() for sent in row.values() if "brush" in sent.rest]
    assert len(drawn) == 1


def test_padding_stays_hidden_under_the_brush():
    drawn = cards(linked("masks", **TWO, mask="full", sentence=2, painted="AGAA"))["paint"]["mask"].z
    assert drawn[0].tolist() == [0, 1, 1, 0, 0, 0, 0]


def test_a_query_that_was_left_with_nothing_gets_zeros():
    at = linked("masks", mask="causal", painted="AA")
    assert not np.nan_to_num(cards(at)["one_mask"]["weights"].z)[0].any()
    note = cards(at)["one_mask"]["weights"].rest["note"]
    assert "may attend to nothing" in note
    # The note is text, not Markdown.
    assert "`" not in note


def test_the_painted_cells_are_removed_from_any_page():
    at = app(HOME, painted="AABA")
    (button,) = [button for button in at.button if button.key == "unpaint"]
    assert "2" in button.label
    plain = cards(app(HOME))["weights"]["weights"].rest
    assert cards(at)["weights"]["weights"].rest["stamp"] != plain["stamp"]
    no_exception(button.click().run())
    assert cards(at)["weights"]["weights"].rest["stamp"] == plain["stamp"]
    assert not [button for button in at.button if button.key == "unpaint"]


@pytest.mark.parametrize(("cell", "rule"), [("masked.0.3", "painted_may"), ("masked.1.0", "painted_may_not")])
def test_a_painted_cell_says_that_it_is_one(cell, rule):
    at = app(HOME, mask="causal", painted="ADBA", cell=cell)
    row, column = cell.split(".")[1:]
    mask = say("rule.name.alone", mask="causal")
    expected = say(f"rule.mask.{rule}", mask=mask, query=int(row) + 1, key=int(column) + 1)
    assert any(f"\n\n{expected}\n\n" in block.value for block in markdown(at))


@pytest.mark.parametrize("page", ["masks", HOME])
def test_another_mask_begins_without_the_painted_cells(page):
    """Under another mask, a cell that was hidden by hand could be opened."""
    at = app(page, mask="causal", painted="EDEC")
    assert "painted" in held(at)
    pills = widget(at, "mask")
    assert no_exception(pills.set_value("causal & window" if page == "masks" else "full").run())
    assert "painted" not in held(at)


def test_a_link_shows_the_cells_that_it_names_on_its_own_mask():
    (board,) = figures(masks.board, mask="causal & window", painted="EDEAAA")
    (plain,) = figures(masks.board, mask="causal & window")
    assert np.argwhere(decoded(board) != decoded(plain)).tolist() == [[0, 0], [4, 0], [4, 3]]
    assert board["brush"]["under"] == {"mask": "causal & window", "width": "2", "length": "2"}


@pytest.mark.parametrize(
    ("link", "said"),
    [
        ({"mask": "causal", "painted": "EDEC"}, "You hide from 'brings': 'old', 'fox'."),
        (
            {"mask": "causal", "painted": "EDEF"},
            "You hide from 'brings': 'fox'. You show 'brings': 'the'.",
        ),
        ({"mask": "causal", "painted": "HAHB"}, "You painted 2 cells."),
        ({"mask": "causal", "painted": "HA"}, "You painted one cell."),
        (
            {"mask": "full", "painted": "EAEBECEDEE"},
            "You hide 5 words from 'brings'.",
        ),
        (
            {"mask": "causal", "painted": "EAEBECEDEE"},
            "You hide 5 words from 'brings'. No word is left for 'brings': the output there is 0.",
        ),
        (
            {"mask": "causal", "painted": "AA", "cell": "weights.0.0.seen"},
            "You hide from 'today': 'today'. No word is left for 'today': the output there is 0.",
        ),
        (
            {"mask": "window", "width": 1, "painted": "AABBCCDDEE", "cell": "weights.7.0.seen"},
            "You painted 5 cells. No word is left for 5 of the words: the output there is 0.",
        ),
    ],
    ids=str,
)
def test_the_note_of_the_board_speaks_of_the_mask_that_is_there(link, said):
    """The note is not about the mask below the painted cells, and uses no terms of a library."""
    (board,) = figures(masks.board, **link)
    assert board["note"] == said


def test_a_word_that_sees_none_has_the_output_that_is_said_and_the_drawer_of_numbers_has_pytorch():
    at = linked("masks", mask="causal", painted="EAEBECEDEE")
    assert not at.run.trace["output"].value[0, :, 4].any()
    told = [block["markdown"] for block in masks.ledger.blocks(at) if block["kind"] == "text"]
    assert told == [say("mask.reading"), say("mask.empty_rows", tokens="'brings'")]
    sdpa = F.scaled_dot_product_attention(
        *(at.run.trace[id].value for id in ("queries", "keys", "values")), attn_mask=at.run.trace["mask"].value
    )
    assert not sdpa[0, :, 4].any()
    told = [block for block in masks.ledger.blocks(linked("masks", mask="causal")) if block["kind"] == "text"]
    assert [block["markdown"] for block in told] == [say("mask.reading")]


@pytest.mark.parametrize(
    "link", [{"mask": "causal"}, {"mask": "full"}, {"mask": "window"}, {"mask": "window", "width": "5"}], ids=str
)
def test_what_is_pale_is_spoken_of_where_an_arc_is_pale_and_in_one_sentence(link):
    """Seven sentences and a table stood beside the picture. The drawer of numbers explains colours and loops."""
    (card,) = figures(masks.arcs, **link)
    pale = any(weight >= 0.1 for row in card["arcs"].get("lost", ()) for weight in row)
    assert card["note"].startswith("Pale:") == pale
    assert card["note"].count(". ") == 0


def consequence(**link) -> tuple[list[str], list[dict[str, str]]]:
    """The lines below the arcs, and the settings of the buttons beside them."""
    made = [block for block in masks.consequences.blocks(linked("masks", **link)) if block["kind"] == "buttons"]
    pressed = [one["sets"] for block in made for one in block["buttons"]]
    return [block["said"]["line"] for block in made if "said" in block], pressed


def share(cells: list[int], *, query: int = 4, **link) -> str:
    """The weight of a query on keys in the record of the page, as the mean over its heads."""
    weights = linked("masks", **link).run.trace["weights"].value[0, :, query]
    return f"{float(weights[:, cells].sum(-1).mean()):.0%}"


@pytest.mark.parametrize(
    ("mask", "painted", "hidden", "shown", "ahead"),
    [
        ("full", "ED", [3], [], ""),
        ("causal", "EAEB", [0, 1], [], ""),
        ("causal", "EK", [], [10], "`hen`"),
        # A key earlier in the sentence, or one that answers nothing, is not read ahead.
        ("window", "EA", [], [0], ""),
        ("causal", "EJ", [], [9], ""),
    ],
    ids=str,
)
def test_beside_the_painted_cells_stands_what_they_have_taken(mask, painted, hidden, shown, ahead):
    """Readers painted, and the page did not tell the effect."""
    at = {"mask": mask, "painted": painted}
    expected = [say("paint.weight.took", word="`brings`", share=share(hidden, mask=mask))] if hidden else []
    expected += [say("paint.weight.takes", word="`brings`", share=share(shown, **at))] if shown else []
    expected += [say("paint.ahead", words=ahead)] if ahead else []
    assert consequence(**at) == ([listed("sentence", expected)], [{"painted": ""}])


def test_what_is_painted_in_another_row_changes_nothing_for_a_word_and_the_page_says_so():
    at = {"mask": "causal", "painted": "KA"}
    rows = [linked("masks", **link).run.trace["projected"].value[0, 4] for link in (at, {"mask": "causal"})]
    assert torch.equal(*rows)
    assert consequence(**at)[0] == [say("paint.other_rows", word="`brings`")]
    (told,), _ = consequence(**at, cell="weights.10.0.seen")
    assert say("paint.other_rows", word="`hen`") not in told


def test_before_anything_is_painted_one_click_gives_back_an_answer_that_the_mask_has_taken():
    """The first offer must show an effect: without *fox*, the layer guesses *fox* all the same."""
    _, (sets,) = consequence(mask="causal")
    assert sets == {"painted": "EK"}
    row = {name: rows_of(mask="causal", **link)[2][2] for name, link in (("before", {}), ("after", sets))}
    assert row == {"before": "**✗ fox, a guess**", "after": "✗ fox, a guess"}
    assert rows_of(mask="causal", **sets)[2][3] == "**✓ hen**"


def test_where_no_answer_is_lost_one_click_hides_the_word_that_is_needed_most():
    """Dragging over cells is hard on a phone. A word that stands alone in its row has nothing to hide."""
    _, (sets,) = consequence(mask="full")
    assert sets == {"painted": "EK"}
    assert consequence(mask="causal", cell="weights.0.0.seen") == ([], [])
    _, (sets,) = consequence(**STORY, mask="full", last=3, cell="weights.0.0.seen")
    assert painted_cells.cells(sets["painted"])[0][0] == len(linked("masks", **STORY).run.tokens) - 3


def test_a_token_below_the_arcs_is_text():
    (told,), _ = consequence(preset="random", text="*a* *b*", mask="causal", painted="BA", cell="weights.1.0.seen")
    assert "*a*" not in told
