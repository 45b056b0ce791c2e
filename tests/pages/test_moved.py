"""The effect of a move, as the walkthrough tells it, compared with torch on both records."""

from dataclasses import replace

import pytest
import torch

from attention.notation import IDS
from pages.shell.i18n import say
from pages.shell.i18n.options import word
from pages.shell.views import VIEWS
from pages.shell.views.naming import named
from tests.support.app import computed, linked

TEXT = "the owl brings the shy fox a hen here today now"
LINK = {"preset": "random", "text": TEXT, "heads": 3, "seed": 5, "d_model": "23"}


def moved(link, earlier=None):
    """The texts about a screen, and about its state before the last change."""
    before = None if earlier is None else linked(**earlier).parameters
    screen = replace(linked(**link), earlier=before)
    told, *buttons = VIEWS["walkthrough.effect"].blocks(screen)
    assert all(block["kind"] == "buttons" for block in buttons)
    [measured] = VIEWS["walkthrough.measured"].blocks(screen)
    assert not measured["said"]
    return told | {"meters": [*told["meters"], *measured["meters"]]}


def after(link, **changes):
    """The texts before controls are moved, and after."""
    return moved(link), moved(link | changes, link)


def spread(shown):
    seen = shown.matrix("mask") if "mask" in shown.trace else torch.ones_like(shown.matrix("weights"), dtype=torch.bool)
    return torch.std(shown.matrix("scores")[seen], correction=0)


def test_before_anything_is_moved_the_meters_stand_alone():
    first = moved(LINK)
    # The invitation stands in the place for the effect of a change.
    assert first["said"] == [say("moved.invite")]
    assert [before for _, _, before in first["meters"]] == [""] * 5
    # The first query is left out, since it sees one key only.
    weights = computed(**LINK).matrix("weights")[1:]
    numbers = [now for _, now, _ in first["meters"]]
    assert numbers[0] == f"{spread(computed(**LINK)):.2f}"
    assert numbers[2:] == [
        f"{weights.max():.2f}",
        f"{torch.distributions.Categorical(weights).entropy().exp().mean():.2f}",
        "1.00",
    ]


# A link without a cell, which follows the last word; one with a cell; and one to a cell whose weight cannot move.
@pytest.mark.parametrize(
    ("cell", "query"), [({}, 10), ({"cell": "weights.8.1.result"}, 8), ({"cell": "weights.0.0"}, None)]
)
def test_the_weight_that_moved_is_that_of_the_two_records(cell, query):
    _, told = after(LINK | cell, scale="none")
    a, b = (computed(**LINK | link).matrix("weights") for link in ({}, {"scale": "none"}))
    change = b - a
    query = int((change.abs().sum(-1) / 2).argmax()) if query is None else query
    tokens = TEXT.split()
    # The chosen word comes first; without a choice, it is the last one.
    looked = int(cell["cell"].split(".")[1]) if cell else len(tokens) - 1
    key, was = int(b[looked].argmax()), int(a[looked].argmax())
    takes = {"word": named(tokens, looked), "key": named(tokens, key)} | {"now": f"{b[looked, key]:.2f}"}
    before = f"{a[looked, was]:.2f}"
    if torch.allclose(a[looked], b[looked], atol=0.005):
        follows = say("moved.same", word=takes["word"])
    elif key == was:
        follows = say("moved.takes", before=before, **takes)
    else:
        follows = say("moved.turns", before=before, old=named(tokens, was), **takes)
    # The text already tells the chosen word's weights, so it tells of another word how much weight moved.
    share = change[query].abs().sum() / 2
    source, target = (named(tokens, int(at)) for at in (change[query].argmin(), change[query].argmax()))
    most = f"{share:.2f} of the weight of {named(tokens, query)} moved, most of it from {source} to {target}."
    assert told["said"] == [
        f"Changed: {say('control.scale.label')} from {word('scale', 'sqrt_d_k')} to {word('scale', 'none')}.",
        follows,
        *([] if query == looked else [most]),
        f"The first step that comes out different is “{say('step.scaled.title')}”.",
    ]
    # Raw scores are unchanged, and only a meter that moved gives its number before.
    assert [bool(before) for _, _, before in told["meters"]] == [False, True, True, True, False]


@pytest.mark.parametrize(
    ("changes", "begins", "said"),
    [
        ({"d_v": "5"}, "w_v", "What 'now' takes stays as it was."),
        ({"text": "one owl"}, "x", "The weights were 11 × 11 and are 2 × 2: numbers cannot be compared one by one."),
        ({"text": TEXT.replace("owl", "cat")}, "x", "The words have changed: numbers cannot be compared one by one."),
    ],
    ids=lambda given: "-".join(given) if isinstance(given, dict) else None,
)
def test_what_cannot_move_is_said(changes, begins, said):
    _, told = after(LINK, **changes)
    assert said in told["said"]
    assert told["said"][-1] == f"The first step that comes out different is “{say(f'step.{begins}.title')}”."
    # The text about this word is enough; it does not add that no other word moved either.
    assert say("moved.still") not in told["said"]
    assert begins in IDS


@pytest.mark.parametrize("cell", ["weights.4.0.result", "weights.10.3.result"])
def test_the_word_that_is_looked_at_is_told_of_first(cell):
    """The test compares the text with both records, after dropout if there is some."""
    query = int(cell.split(".")[1])
    for changes in ({"mask": "full"}, {"dropout": 0.6}, {"mask": "window", "width": 1}):
        a, b = computed(**LINK), computed(**LINK | changes)
        old, new = (run.matrix("dropped" if "dropped" in run.trace else "weights")[query] for run in (a, b))
        first = moved(LINK | changes | {"cell": cell}, LINK)["said"][1]
        assert first.startswith(f"'{TEXT.split()[query]}' takes") or torch.allclose(old, new, atol=0.005)
        if not torch.allclose(old, new, atol=0.005):
            assert f"{new.max():.2f}" in first or not new.any()


def test_of_a_word_that_takes_hardly_anything_no_word_is_named_as_the_most():
    """With undivided scores, dropout may leave a word only weights below what two decimals show."""
    before = {"scale": "none"}
    for draw in range(40):
        now = before | {"dropout": 0.9, "draw": draw, "cell": "weights.4.3.result"}
        new = computed(**before, dropout=0.9, draw=draw).matrix("dropped")[4]
        if bool(new.any()) and float(new.max()) < 0.005:
            assert any(said.startswith("'brings' takes hardly anything now") for said in moved(now, before)["said"])
            break
    else:
        pytest.fail("no draw keeps small weights alone")


def test_the_score_stands_beside_sentences_of_the_grammar_alone():
    names = [meter[0] for meter in moved({"dropout": 0.3}, {})["meters"]]
    assert say("meter.score") in names
    outside = {"text": "the robot sings"}
    assert say("meter.score") not in [meter[0] for meter in moved(outside | {"dropout": 0.3}, outside)["meters"]]


def test_before_a_change_no_score_stands_below_the_controls():
    """On the opening screen, a score that nothing has changed means nothing to a visitor."""
    assert say("meter.score") not in [meter[0] for meter in moved({}, {})["meters"]]


def test_dropout_says_how_many_weights_it_drops():
    _, told = after(LINK, dropout=0.3)
    shown = computed(**LINK, dropout=0.3)
    dropped = int((shown.matrix("mask") & ~shown.matrix("kept")).sum())
    assert f"Dropout sets {dropped} of 66 weights to zero, 0 before." in told["said"]
    assert "In this head hardly any weight moved." not in told["said"]
    sums = shown.matrix("dropped").sum(-1)
    assert told["meters"][-1][1:] == [f"{sums.min():.2f}–{sums.max():.2f}", "1.00"]


def test_rows_that_attend_to_nothing_are_counted():
    # The first token sees only itself; with that cell painted, it sees nothing.
    _, told = after(LINK, painted="AA")
    assert say("moved.emptied", count=1) in told["said"]
    assert "–" not in told["meters"][3]


def test_to_look_at_another_head_goes_on_speaking_of_the_last_change():
    now = LINK | {"scale": "none"}
    before, told = moved(now, LINK)["said"], moved(now | {"head": 2}, LINK)["said"]
    assert told[0] == before[0]
    assert told[1] != before[1]
    # Choosing another head is no change either.
    assert moved(LINK | {"head": 2}, LINK)["said"] == [say("moved.invite")]


def test_a_head_that_is_new_has_nothing_to_be_compared_with():
    told = moved(LINK | {"heads": 5, "head": 4}, LINK)["said"]
    assert told[1:] == [
        "This is head 4 now; before, it was another one, with weights of its own.",
        f"The first step that comes out different is “{say('step.w_q.title')}”.",
    ]


def test_a_control_without_effect_changes_nothing():
    _, told = after(LINK, width=7)
    assert told["said"] == [say("moved.nothing")]


@pytest.mark.parametrize(
    ("before", "changes", "parts"),
    [
        ({}, {"heads": 1}, "with 1 head, with d_k = 16"),
        ({}, {"heads": 8}, "with 8 heads, with d_k = 2"),
        ({"heads": 1}, {"d_k": "4"}, "with d_k = 4"),
        ({"mask": "causal"}, {"trained": True}, "with the mask “causal”"),
        ({"mask": "causal", "trained": True}, {"mask": "window"}, "with the mask “window”"),
        ({"mask": "causal", "trained": True}, {"mask": "full"}, "without a mask"),
        ({"scale": "none", "d_k": "32"}, {"trained": True}, "with “no scaling”"),
        ({"positions": "none", "trained": True}, {"positions": "preset"}, "with positions"),
        ({"dropout": 0.5, "trained": True}, {"dropout": 0.3}, "with dropout 0.3"),
    ],
)
def test_the_first_words_name_the_layer_that_takes_the_place_of_another(before, changes, parts):
    said = after(before, **changes)[1]["said"]
    assert said[0] == say("moved.layer", parts=parts), said
    # The text repeats neither the sizes of another layer, nor that its numbers differ from the first step on.
    assert not any("d_k" in one or one.startswith("The numbers change from") for one in said[1:])


@pytest.mark.parametrize(
    "changes",
    [{"mask": "causal"}, {"scale": "none"}, {"dropout": 0.5}, {"positions": "none"}, {"width": 3, "mask": "window"}],
)
def test_what_acts_on_the_layer_brings_no_other_one(changes):
    assert say("moved.layer", parts="") not in after({}, **changes)[1]["said"]
    assert after({}, **changes)[1]["said"][0].startswith("Changed: ")


@pytest.mark.parametrize(
    ("link", "label", "sets"),
    [
        ({}, None, None),
        ({"preset": "random", "mask": "causal"}, None, None),
        ({"trained": True}, None, None),
        ({"mask": "causal"}, "Train it with this mask", {"trained": "true"}),
        ({"mask": "causal", "dropout": 0.5}, "Train it with this mask, this dropout", {"trained": "true"}),
        ({"positions": "none"}, "Train it with these positions", {"trained": "true"}),
        ({"mask": "causal", "trained": True}, say("learned.one_layer"), {"trained": ""}),
    ],
)
def test_training_with_what_acts_is_asked_for_beside_the_effect(link, label, sets):
    _, *offered = VIEWS["walkthrough.effect"].blocks(linked(**link))
    found = [(one["line"], one["sets"]) for block in offered for one in block["buttons"]]
    assert found == ([] if label is None else [(label, sets)])


def test_another_preset_begins_anew():
    assert moved(LINK | {"scale": "none"}, LINK)["said"] != []
    assert moved({"preset": "story"}, LINK)["said"] == [say("moved.invite")]


def test_a_head_of_another_layer_is_not_said_to_have_turned():
    """Head 1 of a layer with three heads shares only its number with head 1 of the layer with four, so a turned arc
    would be no effect of the slider."""
    told = moved({"heads": 3}, {})["said"]
    rows = [computed(**link).matrix("weights")[4] for link in ({}, {"heads": 3})]
    (before, old), (now, new) = ((f"{row.max():.2f}", computed().labels["key"][int(row.argmax())]) for row in rows)
    assert told == [
        "This is another layer now, trained with 3 heads.",
        f"Its head 1 takes {now} from '{new}'; head 1 of the layer before took {before} from '{old}'.",
    ]


def test_numbers_are_written_as_numbers_and_words_as_quotations():
    """The text is what a lecturer would say, so it is not set in typewriter letters."""
    assert after({}, dropout=0.45)[1]["said"][0] == "Changed: Dropout p from 0.0 to 0.45."
    assert "`" in after({}, text="the old owl brings the hen to the shy fox")[1]["said"][0]


def test_heads_that_are_switched_are_named_by_their_numbers():
    """A list of settings such as "→ 1" would be read as the number of heads."""
    assert after({}, heads_off="1")[1]["said"][0] == "Head 1 is off."
    assert after({"heads_off": "1"}, heads_off="1,3")[1]["said"][0] == "Heads 1 and 3 are off."
    assert after({"heads_off": "1"}, heads_off="")[1]["said"][0] == "No head is off any more."


@pytest.mark.parametrize("link", [LINK, {"heads": 4}], ids=["random", "learned"])
def test_a_head_that_is_gone_with_its_number_is_not_told_as_a_change_of_the_head(link):
    """A visitor who moves *Heads* and reads "Head from 3 to 1" takes it for an error."""
    _, told = after(link | {"head": 3}, heads=1)
    assert not any("Head from" in said for said in told["said"])
    assert any("Heads from 3 to 1" in said or "1 head" in said for said in told["said"])
