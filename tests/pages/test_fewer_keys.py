"""The page on fewer keys: the weights of each head before and after keys are shared, and the content of the cache."""

import re
from itertools import pairwise

import numpy as np
import pytest
import torch
from torch.nn import functional as F

from attention import Trace
from attention.experiments import learning
from attention.experiments.shared_keys import averaged
from attention.inputs import shared_keys
from attention.inputs.grammar import ANSWERS, EXAMPLE, QUESTIONS, read
from attention.inputs.learned import Setting, shipped
from attention.inputs.shared_keys import SENTENCES
from pages.shell.i18n import LANGUAGES, say
from pages.shell.i18n.options import word
from pages.shell.state.opens_with import OPENS_WITH
from pages.shell.state.todays_controls import TRAINED_FOR
from pages.shell.views import fewer_keys, guess
from pages.shell.views.fewer_keys import layers
from tests.support.app import app, charts, decoded, figures, linked, no_exception
from tests.support.screens import payloads


def test_what_tiling_changes_is_what_it_changes_in_torch():
    trace = layers.measured(2, read(EXAMPLE.split())).trace
    q, k, v = (trace[id].value for id in ("queries", "keys", "values"))
    one, other = (
        F.scaled_dot_product_attention(q, spread(k), spread(v))
        for spread in (lambda heads: heads.repeat_interleave(4, 1), lambda heads: heads.repeat(1, 4, 1, 1))
    )
    far = (one - other).abs().amax((0, 2, 3)).tolist()
    _, table = fewer_keys.tiled.blocks(linked("fewer_keys", kv_of_8="2"))
    ((_, *cells),) = table["rows"]
    assert [float(cell["line"]) for cell in cells] == pytest.approx(far, rel=0.05, abs=1e-5)


@pytest.mark.parametrize(("kv", "asks", "d_c"), [("4", 7, 1), ("1", 8, 16)])
def test_a_query_head_has_its_key_head_and_a_latent_its_rank(kv, asks, d_c):
    at = app("fewer_keys", kv_of_8=kv, asks=asks, d_c=d_c)
    assert no_exception(at)
    (heads,) = [card for sent in payloads(at) for card in sent.get("cards", ()) if "sharing" in card]
    assert heads["sharing"]["keys"] == int(kv)
    assert np.shape(figures(at)["head-takes"].z) == (3, 11)
    key = (asks - 1) // (8 // int(kv)) + 1
    assert heads["labels"]["reads"][asks - 1] == f"query head {asks} reads key head {key}"
    kept, joined = (figures(at)[id] for id in ("latent", "latent-joined"))
    assert np.linalg.matrix_rank(joined.z, tol=1e-4) == d_c == kept.z.shape[1]
    assert joined.rest["note"].startswith(f"Rank {d_c} of at most 16.")
    lost = charts(at)["latent-lost"]["series"]["largest difference of an output"]["y"]
    assert lost[-1] == 0 < lost[:-1].min()


def card(view, **link) -> dict:
    (block,) = view.blocks(linked("fewer_keys", **link))
    (drawn,) = block["cards"]
    return drawn


def sharing(**link) -> dict:
    return card(fewer_keys.shared, **link)


def repair(**link) -> dict:
    return card(fewer_keys.repaired, **link)


def heatmap(id: str, **link) -> np.ndarray:
    (block,) = fewer_keys.one.blocks(linked("fewer_keys", **link))
    (drawn,) = [card for card in block["cards"] if card["id"] == id]
    return decoded(drawn)


@pytest.mark.parametrize(("kv", "said"), [("2", "176 of 704 numbers"), ("8", "704 of 704 numbers")])
def test_the_cache_is_counted_in_numbers(kv, said):
    """Further training keeps the number of keys and values."""
    for trained in ("0", "35", "100"):
        drawn = sharing(kv_of_8=kv, kv_trained=trained)
        assert drawn["labels"]["bars"][0].endswith(said)
        assert drawn["labels"]["written"][0] == f"{int(kv) / 8:.1%}"
        assert drawn["sharing"]["bars"][0] == int(kv) / 8


def by_torch(layer, sentence: str = EXAMPLE) -> tuple[torch.Tensor, list[str], list[bool]]:
    """Each head's weights for the verb; the layer's answers to the verb's questions, and whether these are right."""
    of = read(sentence.split())
    x = layer.prepared((of,)).inputs.x
    trace = Trace()
    layer.module(x, trace=trace)
    q, k, v = (trace[id].value[0] for id in ("queries", "keys", "values"))
    k, v = (one.repeat_interleave(8 // len(one), 0) for one in (k, v))
    weights = torch.softmax(q @ k.mT / q.shape[-1] ** 0.5, -1)[:, of.verb]
    outputs = F.scaled_dot_product_attention(q, k, v).transpose(0, 1).flatten(1) @ layer.module.w_o
    logits = (outputs[of.verb] @ layer.read_out).unflatten(-1, (len(QUESTIONS), -1)).detach()
    said = [ANSWERS[at][int(row.argmax())] for at, row in enumerate(logits[:3])]
    nouns = [word for word in of.words if word in ANSWERS[0]]
    return weights.detach(), said, [one == word for one, word in zip(said, nouns, strict=True)]


def after(kv: int, updates: int):
    """The averaged layer, or the layer after so many further updates."""
    return shared_keys.shipped(kv, updates) if updates else averaged(kv)


def three(kv: int):
    """The layers of the three stages."""
    return shipped(Setting(heads=8)), averaged(kv), shared_keys.shipped(kv)


@pytest.mark.parametrize("kv", [1, 2, 4])
def test_each_head_has_its_shares_before_and_after_averaging_and_trained_on(kv):
    """Torch computes the weights of the three layers."""
    drawn = heatmap("head-takes", kv_of_8=str(kv), asks="5")
    expected = torch.stack([by_torch(layer)[0][4] for layer in three(kv)])
    np.testing.assert_allclose(drawn, expected, rtol=0, atol=1e-3)


@pytest.mark.parametrize("trained", [0, 35, 100])
def test_the_numbers_of_a_head_are_those_of_the_layer_that_is_chosen(trained):
    """The picture shows the further trained layer, and the numbers below it were those of another one."""
    trace = Trace()
    layer = after(2, trained)
    layer.module(layer.prepared((read(EXAMPLE.split()),)).inputs.x, trace=trace)
    drawn = heatmap("head-scores", kv_of_8="2", asks="5", kv_trained=str(trained))
    expected = trace["scores"].value[0, 4].detach()
    np.testing.assert_allclose(drawn, expected, rtol=0, atol=1e-2 * float(expected.abs().max()))


@pytest.mark.parametrize("name", SENTENCES)
@pytest.mark.parametrize("kv", [1, 2, 4])
def test_the_answers_to_the_verb_are_those_of_the_whole_layer(kv, name):
    """One head's weight is not the answer: with one key head, head 7 looks at the fox, and the layer says the hen."""
    made = [by_torch(layer, SENTENCES[name])[1:] for layer in three(kv)]
    drawn = repair(kv_of_8=str(kv), kv_sentence=name)
    assert drawn["labels"]["answers"] == [said for said, _ in made]
    assert drawn["repair"]["right"] == [right for _, right in made]
    assert drawn["labels"]["counts"] == [f"{sum(right)} of 3" for _, right in made]
    assert [all(right) for _, right in made] == [True, False, True]
    assert f"{sum(made[1][1])} of 3 in this one" in drawn["note"]
    for trained, (said, right) in zip(("0", "100"), made[1:], strict=True):
        shown = sharing(kv_of_8=str(kv), kv_sentence=name, kv_trained=trained)
        assert (shown["labels"]["answers"], shown["sharing"]["right"]) == (said, right)
        assert f"{sum(right)} of 3 here" in shown["note"]


@pytest.mark.parametrize(("kv", "until"), [(1, 65), (2, 45), (4, 20)])
def test_fewer_key_heads_take_more_updates_to_repair(kv, until):
    """The price in updates: the curve starts at the averaged layer and ends at the further trained one."""
    drawn = repair(kv_of_8=str(kv))
    way, rights, at = drawn["repair"]["way"], drawn["repair"]["rights"], drawn["repair"]["repaired"]
    assert [way[0], way[-1]] == pytest.approx(rights[1:], abs=2e-3)
    assert way[at - 1] < 0.9 <= way[at]
    assert until == at * 5
    assert f"90% right after {until} more steps" in drawn["labels"]["stages"][2]
    # The ring on the curve stands at the step of the slider.
    assert [repair(kv_of_8=str(kv), kv_trained=one)["repair"]["shown"] for one in ("0", "35", "100")] == [0, 7, 20]


@pytest.mark.parametrize("name", SENTENCES)
def test_a_head_is_named_after_the_question_that_it_answers_with_keys_of_its_own(name):
    """The right word has at least half of the head's weight in its layer. A question without a head would have no place
    for its answer."""
    drawn = sharing(kv_of_8="2", kv_sentence=name)
    weights, *_ = by_torch(shipped(Setting(heads=8)), SENTENCES[name])
    words = SENTENCES[name].split()
    targets = [at for at, word in enumerate(words) if word in ANSWERS[0]]
    asked, names = drawn["sharing"]["asked"], drawn["labels"]["names"]
    assert {name for at, name in zip(asked, names, strict=True) if at >= 0} == {"who?", "whom?", "to whom?"}
    assert drawn["labels"]["questions"] == ["who?", "whom?", "to whom?"]
    for head, (at, name) in enumerate(zip(asked, names, strict=True)):
        assert name == (drawn["labels"]["questions"][at] if at >= 0 else "none")
        if at >= 0:
            assert weights[head, targets[at]] > 0.5


@pytest.mark.parametrize("name", SENTENCES)
@pytest.mark.parametrize(("kv", "trained"), [(8, 0), (4, 0), (2, 0), (2, 70), (1, 70), (1, 100)])
def test_a_head_is_pale_where_its_question_has_less_than_half_of_its_weight(name, kv, trained):
    """A head that is named after a question and looks elsewhere must not seem to serve it. Picture, caption and
    sentence are of the chosen layer."""
    drawn = sharing(kv_of_8=str(kv), kv_trained=str(trained), kv_sentence=name)
    weights, *_ = by_torch(after(kv, trained) if kv < 8 else shipped(Setting(heads=8)), SENTENCES[name])
    words = SENTENCES[name].split()
    targets = [at for at, word in enumerate(words) if word in ANSWERS[0]]
    asked = drawn["sharing"]["asked"]
    serve = [at >= 0 and bool(weights[head, targets[at]] >= 0.5) for head, at in enumerate(asked)]
    assert drawn["sharing"]["serves"] == serve
    right = drawn["sharing"]["right"]
    # At a head's number stands the question that it lost by sharing; nothing if it never had one, or if the layer
    # answers it without the head.
    lost = [
        f"lost {drawn['labels']['questions'][at]}" if at >= 0 and not serves and not right[at] else ""
        for at, serves in zip(asked, serve, strict=True)
    ]
    assert drawn["labels"]["lost"] == lost
    for told, at, serves in zip(drawn["labels"]["takes_of"], asked, serve, strict=True):
        assert ("is pale" in told, "Before sharing" in told) == (at < 0, at >= 0 and not serves)


def test_after_seventy_steps_a_head_no_longer_serves_its_question():
    """The head looks at “to”, and was drawn as one that answers."""
    drawn = sharing(kv_of_8="2", kv_trained="70", kv_sentence="dog")
    assert not drawn["sharing"]["serves"][4]
    assert "Before sharing, query head 5 asked: to whom?" in drawn["labels"]["takes_of"][4]
    assert "on “to”" in drawn["labels"]["takes_of"][4]


@pytest.mark.parametrize(
    ("name", "kv", "words"), [("dog", "4", ["bear"]), ("dog", "1", ["bear", "cat"]), ("hen", "4", [])]
)
def test_an_answer_that_is_not_in_the_sentence_is_explained(name, kv, words):
    """The answer comes from no word that a head looks at."""
    drawn = sharing(kv_of_8=kv, kv_sentence=name)
    assert [word for word in dict.fromkeys(drawn["labels"]["answers"]) if word not in SENTENCES[name].split()] == words
    named = ", ".join(f"“{word}”" for word in words)
    assert (f"No {named} in the sentence" in drawn["note"]) == bool(words)
    assert ("in the sentence" in drawn["note"]) == bool(words)


@pytest.mark.parametrize("kv", [1, 2, 4])
def test_bars_say_how_much_is_answered_rightly_at_each_stage(kv):
    """The test measures the three layers."""
    drawn = repair(kv_of_8=str(kv))
    rights = [learning.measure(layer).mean for layer in three(kv)]
    assert drawn["repair"]["rights"] == pytest.approx(rights, rel=1e-3)
    assert drawn["labels"]["written"] == [f"{share:.1%}" for share in rights]
    assert rights[0] > rights[2] > rights[1]


def test_the_trade_has_the_share_of_the_cache_and_the_measured_answers_of_each_number_of_key_heads():
    drawn = charts(app("fewer_keys", kv_of_8="2"))["trade"]
    cache, averages, trained = (
        drawn["series"][say(f"fewer.trade_{name}")]["y"] for name in ("cache", "averaged", "trained")
    )
    assert cache.tolist() == [1 / 8, 2 / 8, 4 / 8, 1]
    for at, kv in enumerate((1, 2, 4)):
        _, *rights = (learning.measure(layer).mean for layer in three(kv))
        assert [averages[at], trained[at]] == pytest.approx(rights, rel=1e-3)
    assert averages[3] == trained[3] == pytest.approx(learning.measure(shipped(Setting())).mean, rel=1e-3)


def test_where_nothing_is_shared_all_stages_are_alike():
    drawn = repair(kv_of_8="8")
    assert len({*drawn["labels"]["written"]}) == 1
    first, *others = drawn["labels"]["answers"]
    assert others == [first, first]
    assert (drawn["repair"]["way"], drawn["repair"]["repaired"]) == ([], -1)
    plain, trained = (sharing(kv_of_8="8", kv_trained=one) for one in ("0", "100"))
    assert plain["labels"]["answers"] == trained["labels"]["answers"]
    assert not fewer_keys.played.blocks(linked("fewer_keys", kv_of_8="8"))
    (line,) = fewer_keys.played.blocks(linked("fewer_keys", kv_of_8="8", kv_trained="100"))
    assert "nothing to train" in str(line)


def test_a_guess_is_judged_by_the_drag_that_it_is_about():
    """The guess stands beside the sliders while nothing is shared. A verdict at once would tell what the drag shows."""
    asked = guess.of("shared")

    def told(kv: str, trained: str = "0", **link) -> str:
        return str(asked.blocks(linked("fewer_keys", kv_of_8=kv, kv_trained=trained, **link)))

    for choice, verdict in (("two", say("predict.right")), ("three", say("predict.wrong"))):
        (waiting,) = asked.blocks(linked("fewer_keys", kv_of_8="8", guess=f"shared.{choice}"))
        assert waiting["told"]["markdown"] == say("predict.shared.try")
        assert [(one["pressed"], one["verdict"]) for one in waiting["answers"]] == [
            (one == choice, "") for one in ("none", "one", "two", "three")
        ]
        assert f"**{verdict}** {say('predict.shared.why')}" in told("4", guess=f"shared.{choice}")
        # A drag further than to 4, or after steps of training, gets the same verdict.
        assert {told(*at, guess=f"shared.{choice}") for at in (("2",), ("1",), ("4", "50"))} == {
            told("4", guess=f"shared.{choice}")
        }
    # Without a guess there is no verdict.
    assert [told("4"), told("2"), told("1"), told("4", "5")] == ["[]"] * 4
    # Without sharing, steps of training tell nothing, so the question stays.
    assert told("8", "5") == told("8") != "[]"


def test_it_opens_where_all_is_right_and_each_halving_loses_one_more_answer():
    """A page that opens on broken answers beside repaired ones tells three things at once. The chosen head is the one
    whose answer is lost first. Further training brings all answers back."""
    opens = OPENS_WITH["fewer_keys"]
    rights = [sharing(**{**opens, "kv_of_8": kv})["sharing"]["right"] for kv in (opens["kv_of_8"], "4", "2", "1")]
    assert [sum(right) for right in rights] == [3, 2, 1, 0]
    for before, after in pairwise(rights):
        assert all(had or not has for had, has in zip(before, after, strict=True))
    drawn = sharing(**opens)
    lost = drawn["sharing"]["asked"][drawn["sharing"]["asks"]]
    assert [right[lost] for right in rights] == [True, False, False, False]
    for kv in ("4", "2", "1"):
        assert all(sharing(**{**opens, "kv_of_8": kv, "kv_trained": "100"})["sharing"]["right"])


def test_a_link_that_names_no_sentence_asks_the_one_that_it_always_asked():
    """Links of earlier versions set the key heads alone."""
    assert EXAMPLE in sharing(kv_of_8="2")["labels"]["answered"]
    assert sharing(kv_of_8="2")["labels"]["answers"] == by_torch(averaged(2))[1]


def test_the_buttons_name_the_sentences_that_are_asked():
    """The catalogues have the texts of the buttons, the module of the weights has the sentences."""
    for name, sentence in SENTENCES.items():
        assert {word("kv_sentence", name, language) for language in LANGUAGES} == {sentence}


@pytest.mark.parametrize("kv", [1, 2, 4])
@pytest.mark.slow
def test_each_step_of_the_training_shows_the_layer_as_it_was_then(kv):
    """Answers come back one by one: each step is drawn from a layer of its own, and none is blended from two others."""
    opens = OPENS_WITH["fewer_keys"]
    seen = set()
    for updates in TRAINED_FOR:
        layer = after(kv, int(updates))
        weights, said, right = by_torch(layer, SENTENCES["dog"])
        drawn = sharing(**{**opens, "kv_of_8": str(kv), "kv_trained": updates})
        assert (drawn["labels"]["answers"], drawn["sharing"]["right"]) == (said, right)
        np.testing.assert_allclose(drawn["sharing"]["weights"], weights, rtol=0, atol=2e-3)
        assert drawn["sharing"]["bars"][1] == pytest.approx(learning.measure(layer).mean, abs=1e-4)
        seen.add(sum(right))
    assert seen >= {sum(by_torch(averaged(kv), SENTENCES["dog"])[2]), 2, 3}


@pytest.mark.parametrize("kv", [1, 2, 4, 8])
def test_an_averaged_key_head_has_the_mean_of_the_keys_and_values_that_are_drawn_below_it(kv):
    """The numbers of the picture are enough, since it also says what each part brought."""
    drawn = sharing(kv_of_8=str(kv), kv_sentence="dog")["sharing"]
    made, own = np.array(drawn["made"]), np.array(drawn["own"])
    assert made.shape == (kv, 10, 8)
    np.testing.assert_allclose(made, own.reshape(kv, 8 // kv, 10, 8).mean(1), rtol=0, atol=2e-3)
    assert drawn["most"] == pytest.approx(np.abs(own).max())


def test_training_changes_what_a_key_head_holds_but_not_what_it_was_made_of():
    drawn = [sharing(kv_of_8="2", kv_trained=one) for one in ("0", "20")]
    assert [one["labels"]["key_heads_show"] for one in drawn] == ["average of 4", "average of 4, then trained"]
    before, later = (one["sharing"] for one in drawn)
    assert before["own"] == later["own"]
    assert np.abs(np.array(before["made"]) - np.array(later["made"])).max() > 0.1


def test_a_link_with_the_switch_that_there_was_opens_the_trained_layer():
    """The training was once a switch, without steps."""
    trained, averaged_only = (sharing(kv_of_8="2", kv_trained=one) for one in ("true", "false"))
    assert trained == sharing(kv_of_8="2", kv_trained="100")
    assert averaged_only == sharing(kv_of_8="2", kv_trained="0") != trained


@pytest.mark.parametrize(("updates", "at"), [("0", 1), ("35", 8), ("100", 21)])
def test_the_player_stands_where_the_slider_does_and_sets_it(updates, at):
    player, told = fewer_keys.played.blocks(linked("fewer_keys", kv_of_8="2", kv_trained=updates))
    # Beside the player stands the effect of the training.
    assert (f"{updates} steps later" in str(told)) == (updates != "0")
    assert (player["at"], player["of"]) == (at, 21)
    # One click shows averaging alone, because the step stays when key heads are dragged.
    assert [one["sets"] for one in told.get("buttons", ())] == [{"kv_trained": ""}] * (updates != "0")
    assert (player["sets"], tuple(player["values"])) == ({"kv_trained": "{value}"}, TRAINED_FOR)


def test_the_stops_of_both_sliders_are_written_under_them():
    """A slider over 1, 2, 4 and 8 itself writes only its present value."""
    at = app("fewer_keys")
    written = [re.findall(r"<span>(\d+)</span>", one.value) for one in at.get("html") if "att-stops" in one.value]
    assert written == [["1", "2", "4", "8"], ["0", "20", "40", "60", "80", "100"]]


@pytest.mark.parametrize(
    ("kv", "trained", "told"),
    [
        ("8", "0", ""),
        ("4", "0", "less well"),
        ("2", "70", "less well"),
        ("2", "75", "almost as well"),
        ("1", "100", "almost as well"),
    ],
)
def test_the_question_of_the_headline_is_answered_with_the_number_of_the_bar(kv, trained, told):
    """The bar said 99.6%, the sentence 100%, and neither said whether the layer still answers."""
    drawn = sharing(kv_of_8=kv, kv_trained=trained)
    assert f"{drawn['labels']['written'][1]} on 500 test sentences" in drawn["note"]
    assert [one for one in ("almost as well", "less well") if one in drawn["note"]] == ([told] if told else [])
    before = learning.measure(shipped(Setting(heads=8))).mean
    assert (f"before sharing ({before:.1%})" in drawn["note"]) == bool(told)


@pytest.mark.parametrize(("kv", "trained", "head"), [("8", "0", 7), ("4", "0", 7), ("2", "0", 3), ("1", "50", 8)])
def test_the_key_and_the_value_of_a_word_stand_beside_those_that_the_head_reads(kv, trained, head):
    """Without training, a shared vector is the mean of the head's own and the others'; scores are products of
    vectors."""
    link = OPENS_WITH["fewer_keys"] | {"kv_of_8": kv, "kv_trained": trained, "asks": str(head)}
    (block,) = fewer_keys.blurred.blocks(linked("fewer_keys", **link))
    (query, own, others, is_read), values = (torch.tensor(decoded(card)) for card in block["cards"])
    before, after = (float(one.replace("−", "-")) for one in re.findall(r"[−\d]+\.\d+", block["cards"][0]["note"]))
    assert float(query @ is_read) == pytest.approx(after, abs=0.03)
    if trained == "0":
        assert float(query @ own) == pytest.approx(before, abs=0.03)
        group = 8 // int(kv)
        for mine, theirs, read_of in ((own, others, is_read), values):
            torch.testing.assert_close((mine + (group - 1) * theirs) / group, read_of, atol=1e-3, rtol=0)
