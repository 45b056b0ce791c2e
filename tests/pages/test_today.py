"""The pages on positions and decoding: their texts agree with the package's measurements."""

import base64
import math
from decimal import Decimal

import numpy as np
import pytest
import torch

from attention.analysis.moved_positions import KINDS, scores
from pages.shell.i18n import say
from pages.shell.runs import decoding
from pages.shell.state.opens_with import OPENS_WITH
from pages.shell.views import one_token, positions
from tests.support import seeded
from tests.support.app import app, charts, computed, figures, linked, markdown, no_exception
from tests.support.numbers import plain
from tests.support.screens import payloads


def said(at) -> str:
    return "\n".join(block.value for block in markdown(at))


def test_positions_say_which_scores_stay_and_what_mixing_does():
    at = app("positions", pos_query=20, pos_base="500000")
    assert no_exception(at)
    text = said(at)
    assert "| 1 | 0.970 |" in text
    rows = {
        line.split(" | ")[0].strip("| "): line.split(" | ")[1:] for line in text.splitlines() if line.startswith("|")
    }
    assert len(set(rows["both half-split"])) == 1 or len({cell.strip("| ") for cell in rows["both half-split"]}) == 1
    assert len({cell.strip("| ") for cell in rows["query half-split, key interleaved"]}) == 3


@pytest.mark.parametrize(("query", "key"), [(23, 7), (5, 41), (63, 2)])
def test_five_kinds_of_positions_stand_side_by_side_with_the_scores_of_a_layer(query, key):
    card = figure(positions.kinds, pos_query=query, pos_key=key, pos_base="1000")
    drawn, places = card["kinds"], torch.arange(64)
    other = places - query + key
    on = (other >= 0) & (other < 64)
    # All kinds have one scale; otherwise a small change of one would look like a large one of another.
    low, high = drawn["ends"]
    for at, kind in enumerate(KINDS):
        both = np.array(drawn["scores"][at], dtype=float)
        wanted = scores(kind, places[on], other[on], seeded(7), base=1000.0)
        np.testing.assert_allclose(both[on], wanted, rtol=1e-3, atol=1e-4)
        assert np.isnan(both[~on]).all()
        here = float(scores(kind, torch.tensor([query]), torch.tensor([key]), seeded(7), base=1000.0))
        assert plain(card["labels"]["scores"][at]) == plain(f"score {here:.2f}".replace("-", "−"))
        assert low <= np.nanmin(both) <= np.nanmax(both) <= high


def test_one_kind_shows_what_is_asked_and_nothing_is_said_of_the_others_before_both_words_have_come_to_the_right_end():
    """The page makes its point before any drag: one score changes. A drag finds out about the others, so neither
    sentence nor colour tells the answer."""
    opened = figure(positions.kinds, **OPENS_WITH["positions"])
    shown = [kind == "sinusoidal" for kind in KINDS]
    assert opened["kinds"]["at"] == 7
    assert opened["kinds"]["whole"] == shown
    assert [one is None for one in opened["kinds"]["ticked"]] == shown
    # Each kind has a single point, and no line yet.
    assert all(np.isfinite(np.array(one[:8], dtype=float)).sum() == 1 for one in opened["kinds"]["scores"])
    for link in OPENS_WITH["positions"], {"pos_query": 58, "pos_key": 51}, {"pos_query": 51, "pos_key": 58}:
        card = figure(positions.kinds, **link)
        assert card["kinds"]["verdicts"] == ["changes" if one else "open" for one in shown]
        assert [bool(reason) for reason in card["labels"]["reasons"]] == shown
        assert card["note"] == say("positions.to_the_end")
    over = figure(positions.kinds, pos_query=63, pos_key=56)
    assert over["kinds"]["whole"] == [False] * 5
    # The reason comes with the verdict.
    assert over["labels"]["reasons"] == [say(f"positions.reason.{kind}.both") for kind in KINDS]
    assert over["kinds"]["verdicts"] == ["stays", "changes", "changes", "stays", "stays"]
    # A drag that ends a little before the end counts as one to the end.
    assert figure(positions.kinds, pos_query=60, pos_key=53)["kinds"]["verdicts"] == over["kinds"]["verdicts"]
    note = plain(over["note"])
    assert "With no positions, rotary and ALiBi, the score stays." in note
    # Words at both ends have not moved together, and the bar between them cannot be dragged.
    for query, key in ((63, 0), (0, 63)):
        card = figure(positions.kinds, pos_query=query, pos_key=key)
        assert card["kinds"]["verdicts"] == ["open"] * 5
        assert card["note"] == say("positions.too_far")


def test_a_guess_is_ticked_beside_others_and_taken_back():
    card = figure(positions.kinds, guess="factor.four,keeps.rotary-learned")
    assert card["kinds"]["guessed"] == [kind in ("rotary", "learned") for kind in KINDS]
    sets = [one.get("guess") for one in card["kinds"]["sets"]]
    assert sets[KINDS.index("alibi")] == "factor.four,keeps.learned-rotary-alibi"
    assert sets[KINDS.index("rotary")] == "factor.four,keeps.learned"
    alone = figure(positions.kinds, guess="factor.four,keeps.rotary")["kinds"]["sets"]
    assert alone[KINDS.index("rotary")]["guess"] == "factor.four"


@pytest.mark.parametrize(
    ("query", "key", "alone"), [(61, 7, "key"), (19, 43, "query"), (41, 59, "key"), (63, 0, "key")]
)
def test_a_word_that_moves_alone_draws_its_scores_from_the_other_word_and_says_what_that_did(query, key, alone):
    """The second experiment looks like the first: a trace over each changing score, and a verdict on this move."""
    card = figure(positions.kinds, pos_query=query, pos_key=key, pos_alone=alone)
    drawn, places = card["kinds"], torch.arange(64)
    fixed, moved = (key, query) if alone == "query" else (query, key)
    assert (drawn["start"], drawn["at"]) == (fixed, moved)
    still = torch.full_like(places, fixed)
    for kind, shown in zip(KINDS, drawn["scores"], strict=True):
        wanted = scores(kind, *((places, still) if alone == "query" else (still, places)), seeded(7))
        np.testing.assert_allclose(shown, wanted, rtol=1e-3, atol=1e-4)
    assert drawn["verdicts"] == ["blind", "restless", "restless", "moves", "moves"]
    assert card["labels"]["reasons"] == [say(f"positions.reason.{kind}.alone") for kind in KINDS]
    note = plain(card["note"])
    assert (
        note == "The score goes by distance with rotary and ALiBi. With rotary, it also counts which word comes first."
    )
    assert card["labels"]["place"] == say("positions.place_of", word="brings" if alone == "query" else "fox")
    # The guess was about both words, so its marks would contradict these verdicts.
    one = figure(positions.kinds, pos_query=63, pos_key=11, pos_alone="key", guess="keeps.none-learned")["kinds"]
    assert one["judged"] == [""] * 5


@pytest.mark.parametrize(
    "link", [{"pos_query": 63, "pos_key": 0, "pos_alone": "query"}, {"pos_query": 7, "pos_key": 2, "pos_alone": "key"}]
)
def test_a_word_that_moves_alone_before_both_have_moved_answers_nothing(link):
    """Otherwise, a first drag of the wrong handle would tell the answer."""
    card = figure(positions.kinds, **link, guess="keeps.none")["kinds"]
    assert card["verdicts"] == ["open"] * 5
    assert card["judged"] == [""] * 5


@pytest.mark.parametrize(("query", "key"), [(23, 7), (5, 41)])
def test_what_a_kind_does_is_drawn_with_the_words_where_they_stand(query, key):
    """The picture shows waves of one feature (Vaswani et al. 2017), a deduction that grows with each step (ALiBi), and
    an angle that two words keep when they move together (rotary)."""
    here, there = (figure(positions.kinds, pos_query=query + by, pos_key=key + by)["kinds"] for by in (0, 9))
    assert here["words"] == [query, key]
    heights = dict(zip(KINDS, map(np.array, here["heights"]), strict=True))
    np.testing.assert_allclose(heights["none"], np.zeros(64))
    np.testing.assert_allclose(heights["sinusoidal"], np.sin(np.arange(64) / 10_000 ** (4 / 32)), atol=1e-3)
    np.testing.assert_allclose(heights["alibi"], 1 - 2 * np.abs(np.arange(64) - query) / 63, atol=1e-3)
    assert heights["learned"].std() > 0.1
    rotary = KINDS.index("rotary")
    assert not here["heights"][rotary]
    asking, answering = (np.array([one["arrows"][rotary][word][0] for one in (here, there)]) for word in (0, 1))
    for turned in asking, answering:
        assert np.diff(turned)[0] == pytest.approx(math.degrees(9 / 10_000 ** (4 / 32)), abs=1)
    assert np.diff(asking - answering)[0] == pytest.approx(0, abs=1)


def test_each_kind_of_a_guess_is_marked_and_the_marks_are_counted():
    """A missed kind is a mistake like a wrongly ticked one."""
    card = figure(positions.kinds, pos_query=63, pos_key=56, guess="keeps.none-learned")
    # No positions: found. Sinusoidal: shown before. Learned: wrongly ticked. Rotary, ALiBi: missed.
    assert card["kinds"]["judged"] == ["right", "", "wrong", "wrong", "wrong"]
    assert plain(card["note"]).startswith(plain(say("positions.total_right", right=1, of=4)))
    assert figure(positions.kinds, pos_query=63, pos_key=56)["kinds"]["judged"] == [""] * 5


def test_once_both_have_moved_it_is_ticked_which_change_as_one_moves_alone_and_then_judged():
    """The page asked about half of the experiment only: the second drag just told its result."""
    both = {"pos_query": 63, "pos_key": 56}
    asked = figure(positions.kinds, **both, guess="keeps.none,varies.sinusoidal")
    assert asked["kinds"]["ticked"] == [kind == "sinusoidal" for kind in KINDS]
    assert asked["labels"]["guess"] == say("positions.does.changes")
    # The marks of the first guess stay, and it cannot be taken back any more.
    assert asked["kinds"]["judged"] == ["right", "", "right", "wrong", "wrong"]
    assert {one["guess"].partition(",")[0] for one in asked["kinds"]["sets"]} == {"keeps.none"}
    alone = figure(positions.kinds, pos_query=63, pos_key=40, pos_alone="key", guess=asked["kinds"]["sets"][0]["guess"])
    curves = np.array(alone["kinds"]["scores"])
    changes = np.ptp(curves, axis=1) > 1e-9
    ticked = np.array([kind in ("none", "sinusoidal") for kind in KINDS])
    assert alone["kinds"]["judged"] == ["right" if one else "wrong" for one in changes == ticked]
    assert alone["kinds"]["ticked"] == [None] * 5
    assert plain(alone["note"]).startswith(
        plain(say("positions.total_right", right=int((changes == ticked).sum()), of=5))
    )


def test_where_nothing_turns_rotary_positions_are_none():
    card = figure(positions.kinds, pos_turning="0", pos_query=63, pos_key=52, pos_alone="key")
    drawn = card["kinds"]
    note = plain(card["note"])
    assert note == "The score goes by distance with ALiBi."
    assert drawn["scores"][KINDS.index("rotary")] == drawn["scores"][KINDS.index("none")]
    assert drawn["verdicts"][KINDS.index("rotary")] == "blind"
    assert card["labels"]["reasons"][KINDS.index("rotary")] == say("positions.reason.still")


def test_the_scale_of_the_scores_stays_while_a_control_moves():
    links = {}, {"pos_query": 60, "pos_key": 2}, {"pos_base": "100"}, {"pos_turning": "6"}
    assert len({str(figure(positions.kinds, **link)["kinds"]["ends"]) for link in links}) == 1


@pytest.mark.parametrize(
    "link", [{}, {"pos_query": 2, "pos_key": 59, "pos_base": "100"}, {"pos_turning": "6"}], ids=str
)
def test_the_parts_of_a_score_can_be_added_up_as_they_are_written(link):
    card = figure(positions.turning, **link)
    drawn, labels = card["turning"], card["labels"]
    parts = [exactly(drawn["adds"][pair]) for pair in drawn["shown"]]
    assert sum(parts) + exactly(labels["rest_adds"]) == exactly(labels["score"])
    others = [exactly(adds) for pair, adds in enumerate(drawn["adds"]) if pair not in drawn["shown"]]
    assert abs(sum(others) - exactly(labels["rest_adds"])) <= Decimal("0.1")
    assert plain(labels["rest"]).startswith(f"{len(others)} ")


@pytest.mark.parametrize(("scaling", "unseen"), [("none", 18), ("linear", 0), ("ntk", 17), ("yarn", 0)])
def test_beyond_the_trained_length_slow_pairs_stand_at_angles_that_are_new(scaling, unseen):
    """18 of 64 pairs do not finish a turn in 4,096 places. A larger base keeps the longest of them in its place."""
    at = app("positions", pos_scaling=scaling, pos_query=0, pos_key=0)
    assert no_exception(at)
    beyond = charts(at)["beyond"]
    assert f" {unseen} of 64 pairs" in beyond["note"]
    known, reached, _ = (series["y"] for series in beyond["series"].values())
    assert ((known < 1) & (reached > 1.001 * known)).sum() == unseen


@pytest.mark.parametrize(("kv", "right"), [("8", 8), ("2", 4), ("1", 8)])
def test_tiled_key_heads_leave_some_heads_right(kv, right):
    at = app("fewer_keys", kv_of_8=kv)
    assert no_exception(at)
    (line,) = [line for line in said(at).splitlines() if line.startswith("| largest difference")]
    assert [cell.strip() for cell in line.split("|")].count("0") == right
    assert "| Falcon-7B | 32\u00a0·\u00a071\u00a0·\u00a01\u00a0·\u00a064 | 8 | 568 | 1 GiB |" in said(at)


def test_every_pair_of_features_is_told_how_fast_it_turns():
    (block,) = positions.turning.blocks(linked("positions"))
    (card,) = block["cards"]
    assert len(card["labels"]["below"]) == len(card["turning"]["adds"]) == len(card["turning"]["query"])


def growing(**link) -> dict:
    (block,) = one_token.arcs.blocks(linked("one_token", **link))
    return block["cards"][0]


def test_the_arcs_of_the_newest_word_are_a_row_of_one_pass():
    drawn, whole = growing(token_at=5)["arcs"], computed(mask="causal").trace["weights"].value[0]
    assert drawn["tokens"][drawn["focus"]] == "brings"
    for head, one in enumerate(drawn["asks"]):
        np.testing.assert_allclose(one["weights"], whole[head, 4], atol=1e-3)


def test_the_price_of_the_cache_grows_by_the_same_with_each_word_and_its_gain_by_more():
    """Price and gain move with the slider, and every word has its mark on a scale that stays."""
    cards = [one_token.balance.blocks(linked("one_token", token_at=at))[0]["cards"][0] for at in (1, 7, 11)]
    assert [card["balance"]["at"] for card in cards] == [0, 6, 10]
    assert len({str(card["balance"]["amounts"]) for card in cards}) == 1
    price, gain = map(np.array, cards[0]["balance"]["amounts"])
    assert price[0] > 0 == gain[0]
    assert set(np.diff(price)) == {price[0]}
    assert set(np.diff(gain, 2)) == {np.diff(gain)[0]}
    for card, at in zip(cards, (0, 6, 10), strict=True):
        assert f" {gain[at]:,} multiplications saved" in card["labels"]["said"][1]


def test_a_word_is_computed_once_with_a_cache_and_once_more_with_each_word_without():
    drawn = growing(token_at=7)
    cached, again = (drawn["arcs"]["totals"][way] for way in ("cached", "again"))
    assert cached == [*range(1, 11 + 1)]
    assert again == [sum(range(1, words + 1)) for words in cached]
    assert "this step would compute 7 keys and values, not 1" in plain(drawn["note"])
    assert drawn["labels"]["total"] == say("one_token.label.total")


def unpacked(shades: str, size: int) -> np.ndarray:
    return np.frombuffer(base64.b64decode(shades), np.uint8).reshape(-1, size).astype(int)


def test_the_strips_are_the_keys_and_values_of_the_layer_and_those_computed_again_are_the_same():
    """The oracle is torch: X times the weights of the first head. Strips of counts alone would not show why a cache is
    allowed."""
    run, drawn = computed(mask="causal"), growing(token_at=5)["arcs"]
    made = [(run.inputs.x[0] @ weights)[:, :4].detach().numpy() for weights in (run.module.w_k, run.module.w_v)]
    bound = max(float(np.abs(one).max()) for one in made)
    assert [len(step) for step in drawn["again"]] == [2] * 5
    for which, (numbers, size) in enumerate(zip(made, drawn["sizes"], strict=True)):
        wanted = (numbers + bound) / (2 * bound) * 254
        kept = unpacked(drawn["cached"][which], size)
        # The tolerance is half a shade, and the rounding of float32.
        np.testing.assert_allclose(kept, wanted[:5], atol=0.501)
        for step, both in enumerate(drawn["again"]):
            np.testing.assert_array_equal(unpacked(both[which], size), kept[: step + 1])
        assert drawn["numbers"][which][1] == ", ".join(f"{one:.2f}".replace("-", "−") for one in numbers[1])


def test_without_a_cache_each_step_computes_all_words_so_far_and_none_looks_ahead():
    for at, trace in enumerate(decoding.again()):
        keys, values = decoding.keys_and_values(trace)
        assert len(keys[0]) == len(values[0]) == at + 1
        assert not trace["weights"].value.triu(1).any()


def test_the_first_word_needs_nothing_of_others_and_the_second_of_one():
    """There is no word before the first, so its sentence speaks of none."""
    first, second = (plain(growing(token_at=at)["note"]) for at in (1, 2))
    assert "'today' is the first word" in first
    assert "would compute" not in first
    assert "this step would compute 2 keys and values, not 1" in second


def test_it_opens_before_the_middle_and_a_link_without_a_word_where_it_always_did():
    """When it opened later, the film was over after four words. At the first word, both ways are the same."""
    assert 1 < growing(**OPENS_WITH["one_token"])["arcs"]["focus"] < 5
    assert growing(lang="en")["arcs"]["focus"] == 6
    # A click on a word names its place in the link, even the default one.
    assert [one["token_at"] for one in growing()["arcs"]["sets"]] == [str(at + 1) for at in range(11)]


def test_a_link_with_more_words_than_there_are_shows_all_of_them():
    assert growing(token_at=12)["arcs"]["focus"] == 10


def test_decoding_is_one_pass_up_to_rounding_and_the_flag_sees_the_first_key():
    at = app("one_token", token_at=11)
    assert no_exception(at)
    assert "| from the first value alone | 0 |" in said(at)
    np.testing.assert_array_equal(figures(at)["trap"].z[0], np.eye(11)[0])
    counted = figures(at)["corner-upper_left"].z.sum(-1), figures(at)["corner-lower_right"].z.sum(-1)
    assert [list(counts) for counts in counted] == [[1, 2], [4, 5]]
    (told,) = [sent["player"] for sent in payloads(at) if "player" in sent]
    assert told["text"] == say("one_token.told", word="hen")


def test_pairs_turn_by_their_speed_and_their_products_make_the_score_of_the_curve():
    """The speed of pair p is base^(-p / 16), in degrees; the contributions of pairs are rounded to two decimals."""
    here, moved = (figure(positions.turning, pos_query=12, pos_key=key, pos_base="1000") for key in (5, 9))
    angles = [[angle for angle, _ in one["turning"]["key"]] for one in (here, moved)]
    expected = [4 * math.degrees(1000 ** (-pair / 16)) for pair in range(16)]
    assert np.subtract(*angles[::-1]) == pytest.approx(expected, abs=0.02)
    assert here["turning"]["query"] == moved["turning"]["query"]
    adds = [float(number.replace("−", "-")) for number in here["turning"]["adds"]]
    score = here["turning"]["curve"][63 + 7]
    assert sum(adds) == pytest.approx(score, abs=16 * 0.005)
    assert here["labels"]["score"] == f"{score:.2f}".replace("-", "−")
    # All bases share one axis.
    axes = {figure(positions.turning, pos_base=base)["turning"]["most"] for base in ("100", "10000", "500000")}
    assert len(axes) == 1


def test_a_few_pairs_stand_large_with_their_speed_and_all_of_them_with_what_they_add():
    few, every = (figure(view, pos_base="1000", pos_turning="8") for view in (positions.turning, positions.pairs))
    # With 4 turning pairs, pair p turns by base^(-p / 4), in degrees.
    assert [few["labels"]["below"][pair] for pair in few["turning"]["shown"]] == [
        "57° for each place",
        "1.8° for each place",
        "stays",
        "stays",
    ]
    assert (few["turning"]["shown"], every["turning"]["shown"]) == ([0, 2, 4, 6], list(range(16)))
    assert every["labels"]["below"] == every["turning"]["adds"] == few["turning"]["adds"]
    assert (len(few["turning"]["curve"]), every["turning"]["curve"]) == (127, [])


def exactly(text: str) -> Decimal:
    return Decimal(text.replace("−", "-"))


def figure(view, **link) -> dict:
    (block,) = view.blocks(linked("positions", **link))
    return block["cards"][0]
