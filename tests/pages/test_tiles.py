"""The page on tiles: the numbers of each tile of a sentence are those that torch computes from the keys so far."""

import base64
from importlib import import_module

import numpy as np
import pytest
import torch

from pages.shell.i18n import say
from pages.shell.state.opens_with import OPENS_WITH
from pages.shell.views import guess, naming, tiling
from pages.shell.views.tiling import telling
from pages.shell.views.tiling.moves import moves
from tests.pages.test_masks import own_figures, table
from tests.support.app import app, charts, computed, decoded, linked, markdown, no_exception, payloads, screen, widget
from tests.support.numbers import exponents, numbers

TEXT = {"preset": "random", "text": "one two three four five six seven eight nine ten eleven"}


def figure(**link) -> dict:
    (block,) = tiling.running.blocks(linked("tiles", **link))
    return block["cards"][0]


def told(at) -> dict:
    (found,) = [payload["player"] for payload in payloads(at) if "player" in payload]
    return found


@pytest.mark.parametrize(
    ("link", "rows", "columns"),
    [
        (TEXT | {"tile_queries": 3, "tile_keys": 5, "tile_step": 5, "mask": "full"}, (3, 6), (5, 10)),
        (TEXT | {"tile_queries": 7, "tile_keys": 3, "tile_step": 8, "head": 3}, (7, 11), (9, 11)),
        # A step beyond the last tile shows the last tile.
        (TEXT | {"tile_queries": 4, "tile_keys": 4, "tile_step": 4096, "mask": "window"}, (8, 11), (8, 11)),
    ],
    ids=["full", "causal", "window"],
)
def test_a_tile_is_drawn_as_torch_computes_it(link, rows, columns):
    at, run = app("tiles", **link), computed(**_shared(link))
    assert no_exception(at)
    figures = own_figures(at)
    scores = run.matrix("masked" if "masked" in run.trace else "scaled").double()
    assert figures["masked" if "masked" in run.trace else "scaled"]["block"]["ends"] == [
        rows[0],
        rows[1] - 1,
        columns[0],
        columns[1] - 1,
    ]
    seen = scores[slice(*rows), : columns[1]]
    m = seen.amax(-1, keepdim=True)
    powers = decoded(figures["tile-powers"])
    inside = np.zeros(powers.shape, bool)
    inside[slice(*rows), slice(*columns)] = True
    assert (np.isnan(powers) == ~inside).all()
    np.testing.assert_allclose(powers[slice(*rows), slice(*columns)], (seen - m).exp()[:, columns[0] :], atol=1e-6)
    running = decoded(figures["tile-running"])[slice(*rows)]
    np.testing.assert_allclose(running[:, 1], m[:, 0], atol=1e-5)
    np.testing.assert_allclose(running[:, 4], (seen - m).exp().sum(-1), rtol=1e-5)
    np.testing.assert_allclose(
        running[:, 3] * running[:, 2] + np.nansum(powers[slice(*rows)], -1), running[:, 4], rtol=1e-5
    )
    so_far = seen.softmax(-1) @ run.matrix("values").double()[: columns[1]]
    np.testing.assert_allclose(decoded(figures["tile-output"])[slice(*rows)], so_far, atol=1e-5)
    assert told(at)["at"] == min(link["tile_step"], told(at)["of"])


def _shared(link: dict) -> dict:
    return {name: value for name, value in link.items() if not name.startswith("tile_")}


def test_a_link_without_a_number_shows_the_first_tile_and_playing_leads_to_one_in_which_a_sum_shrinks():
    at = app("tiles", tile_queries=4)
    assert (told(at)["at"], told(at)["first"]) == (1, 1)
    opened = moves(screen(at))
    assert opened.number == 1
    assert opened.tile is opened.tiled.tiles[0]
    strongest = min(range(len(opened.tiled.tiles)), key=lambda at: _least(opened.tiled.tiles[at]))
    shown = moves(screen(app("tiles", tile_step=strongest + 1)))
    r = numbers(figure(tile_step=strongest + 1)["labels"]["why"])[-1]
    within = shown.told_row - shown.tile.queries.start
    before, after = (float(one[within]) for one in (shown.tile.maximum_before, shown.tile.maximum))
    assert np.exp(before - after) == pytest.approx(r, abs=0.001)
    assert r < 0.1


# The screen that the page opens with. The kept numbers are corrected there for the first time.
CORRECTS = OPENS_WITH["tiles"]


def test_the_page_opens_where_a_sum_shrinks_for_the_first_time_and_every_further_tile_makes_it_shrink_again():
    """A first tile has nothing kept yet. The row's largest score comes late, so more than one correction is seen."""
    first = figure(**CORRECTS | {"tile_step": "1"})
    assert first["running"]["tile"] == [0, 11, 0, 3]
    assert not first["running"]["followed"]["corrects"]
    assert told(linked("tiles", **CORRECTS | {"tile_step": "1"}))["text"] == say("tiles.told.first", query="'hen'")
    steps = [figure(**CORRECTS | {"tile_step": str(step)})["running"]["followed"]["corrects"] for step in (2, 3, 4)]
    assert steps == [True] * 3
    drawn = figure(**CORRECTS)
    assert drawn["running"]["tile"] == [0, 11, 3, 6]
    assert drawn["running"]["followed"]["corrects"]
    assert drawn["running"]["agrees"] == [None] * 11
    assert all(drawn["labels"]["factors"])
    assert drawn["labels"]["held"] == ["121", "33"]
    (player,) = tiling.player.blocks(linked("tiles", **CORRECTS))
    assert "meets a larger score than before" in player["text"]


def test_words_that_stand_more_than_once_are_told_apart_in_the_picture():
    """Nobody can tell apart three blocks that are called "the"."""
    drawn = figure(**OPENS_WITH["tiles"] | {"tile_step": "4"})
    assert [word for word in drawn["running"]["columns"] if word.startswith("the")] == ["the₁", "the₂", "the₃"]
    assert drawn["labels"]["chain"]["tokens"] == drawn["running"]["columns"]
    assert len({*drawn["running"]["columns"]}) == 11


@pytest.mark.parametrize("mask", ["full", "causal"])
def test_the_followed_row_stays_while_tiles_are_played_and_is_the_one_whose_largest_score_rises_most(mask):
    """A row that changes by itself with each tile has no running numbers: nobody sees its sum shrink and grow."""
    link = TEXT | {"tile_queries": 5, "tile_keys": 3, "mask": mask}
    scores = computed(**_shared(link)).matrix("scaled").double()
    rises = scores.amax(-1) - scores[:, 0]
    for start in (0, 5, 10):
        steps = range(4 * (start // 5) + 1, 4 * (start // 5) + 5)
        rows = {figure(**link, tile_step=step)["running"]["followed"]["row"] for step in steps}
        assert rows == {start + int(rises[start : start + 5].argmax())}
    # The row that a reader chose stays, too, and replaces no other.
    chosen = [figure(**link, tile_step=step, tile_row=7) for step in (5, 6, 7, 8)]
    assert [each["running"]["followed"]["row"] for each in chosen] == [6] * 4
    assert [each["labels"]["instead"] for each in chosen] == [""] * 4


def test_no_slider_changes_which_row_is_followed():
    """Nobody expects the followed word to jump while the sides of a tile are dragged."""
    opened = OPENS_WITH["tiles"]
    for queries, keys in ((3, 3), (6, 3), (7, 2), (11, 5)):
        sides = {"tile_queries": str(queries), "tile_keys": str(keys), "tile_at": "scores.9.2"}
        assert figure(**opened | sides)["running"]["followed"]["row"] == 10
    # Without a chosen row, tiles of another width follow the same one.
    rows = {
        figure(tile_queries=5, tile_keys=keys, tile_at="scores.5.2")["running"]["followed"]["row"] for keys in (1, 3, 7)
    }
    assert len(rows) == 1


def test_where_another_row_must_be_followed_it_is_said_in_place():
    """Tiles of other queries have no score of the followed word, so a reader who plays on sees another word."""
    opened = OPENS_WITH["tiles"] | {"tile_queries": "4", "tile_row": "3"}
    first, other = (figure(**opened | {"tile_step": step}) for step in ("4", "5"))
    words = naming.apart(linked("tiles", **opened).run.labels["query"])
    assert first["labels"]["instead"] == ""
    assert f"'{words[2]}'" in first["labels"]["said"]
    assert other["labels"]["instead"] == say("tiles.row.finished", chosen=f"'{words[2]}'")
    # A row that was chosen further down is not finished.
    assert figure(**opened | {"tile_row": "11"})["labels"]["instead"] == say("tiles.row.later", chosen=f"'{words[10]}'")
    now = words[other["running"]["followed"]["row"]]
    assert f"'{now}'" in other["labels"]["said"]
    assert told(linked("tiles", **opened | {"tile_step": "5"}))["text"] == say("tiles.told.other", query=f"'{now}'")
    # A row that the text does not have was never followed.
    assert figure(tile_row=64, tile_step=5)["labels"]["instead"] == ""


def _least(tile) -> float:
    """The smallest factor of a query that already had a largest score."""
    return float(tile.factor.where(tile.maximum_before > -torch.inf, 1.0).min())


def test_every_size_of_a_tile_gives_the_same_output_and_a_mask_leaves_tiles_out():
    for mask, fewer in (("full", False), ("causal", True)):
        rows = table(app("tiles", **TEXT, mask=mask), say("tiles.same.column.far"))[2:]
        assert len(rows) == 5
        assert all(float(far) < 1e-12 for *_, far in rows)
        counts = [(int(count), int(kept)) for _, count, kept, *_ in rows]
        assert all(kept <= count for count, kept in counts)
        # Tiles of a single row and the single tile leave nothing out.
        assert any(kept < count for count, kept in counts) == fewer


def test_a_skipped_tile_says_so_and_changes_nothing():
    at = app("tiles", **TEXT, mask="causal", tile_step=2)
    assert say("tiles.told.skipped") in told(at)["text"]
    running = decoded(own_figures(at)["tile-running"])[:4]
    np.testing.assert_array_equal(running[:, 0], running[:, 1])
    np.testing.assert_array_equal(running[:, 3], running[:, 4])
    assert np.isnan(decoded(own_figures(at)["tile-powers"])).all()


def test_the_course_ends_with_the_sum_of_the_softmax():
    at, run = app("tiles", **TEXT, tile_step=3, mask="full"), computed(**TEXT, mask="full")
    series = charts(at)["tiles-course"]["series"]
    ends = [float(series[say(f"tiles.line.{name}")]["y"][-1]) for name in ("maximum", "sum")]
    scores = run.matrix("scaled").double()
    sums = (scores - scores.amax(-1, keepdim=True)).exp().sum(-1)
    assert min(abs(scores.amax(-1) - ends[0]) + abs(sums - ends[1])) < 1e-5


@pytest.mark.parametrize(
    ("link", "reached"),
    [({"field_width": 4, "field_layers": 2}, [4, 7]), ({"field_global": True, "field_position": 9}, [3, 9, 9])],
    ids=["windows", "one sees all"],
)
def test_the_field_is_as_wide_as_the_gradient_says(link, reached):
    card = own_figures(app("tiles", **TEXT, **link))["receptive-field"]
    drawn, position = decoded(card), link.get("field_position", 11)
    assert drawn.sum(-1).tolist() == reached
    assert torch.tensor(drawn)[-1].nonzero().max() == position - 1
    assert f" at position {position} " in card["note"]


def test_a_cell_that_is_named_is_worked_out_even_where_its_tile_is_not_in_memory():
    at = app("tiles", **TEXT, tile_step=1, cell="tile-powers.9.9.tiles")
    assert no_exception(at)
    assert any(say("rule.running_power") in markdown.value for markdown in markdown(at))
    other = app("tiles", **TEXT, tile_step=4, cell="tile-running.5.4.tiles")
    assert no_exception(other)
    assert any(say("rule.running_sum") in markdown.value for markdown in markdown(other))


def test_few_queries_in_a_tile_move_more_than_stored_scores_and_many_move_less():
    """With d_k = d_v = 64 and n a multiple of the tile: 4 n² and n² · 128 / queries numbers, and some that grow with
    n."""
    traffic = charts(app("tiles", **TEXT))["tiles-traffic"]
    squares = [float(series["y"][-1] / 2 / series["x"][-1] ** 2) for series in traffic["series"].values()]
    np.testing.assert_allclose(squares, [4, 128 / 16, 128 / 64, 128 / 128], rtol=2e-3)


@pytest.mark.parametrize("step", [2, 6])
def test_what_is_kept_of_a_query_is_what_torch_makes_of_its_keys_so_far(step):
    """Tiles of 4 queries and 5 keys of eleven words: three tiles a block of queries. Later queries keep nothing."""
    link = TEXT | {"tile_queries": 4, "tile_keys": 5, "tile_step": step, "mask": "full"}
    drawn = figure(**link)
    run = computed(**_shared(link))
    scores = run.matrix("scaled").double()
    first, seen = 4 * ((step - 1) // 3), min(5 * ((step - 1) % 3 + 1), 11)
    assert drawn["running"]["tile"] == [first, first + 4, 5 * ((step - 1) % 3), seen]
    for row, written in enumerate(drawn["labels"]["written"]):
        if row >= first + 4:
            assert written == [say("tiles.label.none")] * 3
            continue
        keys = scores[row, : 11 if row < first else seen]
        maximum, total, *output = (float(one.replace("−", "-")) for one in ", ".join(written).split(", "))
        assert maximum == pytest.approx(float(keys.max()), abs=0.006)
        assert total == pytest.approx(float((keys - keys.max()).exp().sum()), abs=0.006)
        so_far = keys.softmax(-1) @ run.matrix("values").double()[: len(keys)]
        assert output == pytest.approx(so_far.tolist(), abs=0.006)


@pytest.mark.parametrize("step", [2, 7, 4])
def test_what_is_left_of_a_sum_is_the_old_one_times_the_factor_which_is_worked_out_for_the_followed_row(step):
    """Tiles of 5 queries and 3 keys of eleven words, four a block. The second tile has something to correct."""
    link = TEXT | {"tile_queries": 5, "tile_keys": 3, "tile_step": step, "mask": "full"}
    run = computed(**_shared(link))
    scores = run.matrix("scaled").double()
    # The row of the tile whose sum shrinks most.
    first, before = 5 * ((step - 1) // 4), 3 * ((step - 1) % 4)
    rises = scores[first : first + 5, : before + 3].amax(-1) - scores[first : first + 5, :before].amax(-1)
    drawn = figure(**link, tile_row=1 + first + int(rises.argmax()))
    running, labels = drawn["running"], drawn["labels"]
    (first, last, start, seen), row = running["tile"], running["followed"]["row"]
    kept, maxima = [], []
    for keys in (slice(0, start), slice(0, seen)):
        maximum = scores[:, keys].amax(-1, keepdim=True)
        powers = (scores[:, keys] - maximum).exp()
        kept.append(powers.sum(-1))
        maxima.append(maximum[:, 0])
    r = (maxima[0] - maxima[1]).exp()
    assert running["followed"]["corrects"] == bool(r[row] < 1)
    # Each word has its block, which shrinks with the others. In the end, its share is its weight.
    (before, left, new, total, *at_end), high = _stacks(running, float(kept[1][row]))
    was, powers = (scores[row, :start] - maxima[0][row]).exp(), (scores[row, :seen] - maxima[1][row]).exp()
    for drawn_blocks, blocks in ((before, was), (left, powers[:start]), (new, powers[start:]), (total, powers)):
        np.testing.assert_allclose(drawn_blocks, blocks, atol=1e-3 * high)
    # The division by the sum is shown once no keys are to come.
    assert len(at_end) == (seen == scores.shape[-1])
    for shares in at_end:
        np.testing.assert_allclose(shares, scores[row, :seen].softmax(-1), atol=1e-3 * high)
    assert left == pytest.approx([float(r[row]) * one for one in before], abs=1e-3 * high)
    # The output before the division by the sum shrinks by the same factor.
    values = run.matrix("values").double()
    outputs = [(scores[row, :end] - m[row]).exp() @ values[:end] for end, m in zip((start, seen), maxima, strict=True)]
    was_kept = r[row] * outputs[0]
    steps = (outputs[0], was_kept, outputs[1] - was_kept, outputs[1], scores[row, :seen].softmax(-1) @ values[:seen])
    chain = labels["chain"]
    for said, numbers_of in zip(chain["cells"][: 4 + len(at_end)], steps, strict=False):
        assert [_read(one) for one in said] == pytest.approx(numbers_of[:4].tolist(), abs=0.006)
    sums = (kept[0][row], r[row] * kept[0][row], kept[1][row] - r[row] * kept[0][row], kept[1][row], 1)
    said = [_read(one) for one in chain["numbers"] if one]
    assert said == pytest.approx([float(one) for one in sums[: 4 + len(at_end)]], abs=0.006)
    _, left, new, both = said[:4]
    assert (chain["equals"] == "=") == (round(100 * (left + new)) == round(100 * both))
    assert numbers(chain["times"]) == [pytest.approx(float(r[row]), rel=0.06)]
    assert numbers(chain["divided"]) == [pytest.approx(float(kept[1][row]), abs=0.006)] * len(at_end)
    for at in range(first, last):
        assert numbers(labels["factors"][at])[0] == pytest.approx(float(r[at]), rel=0.06)
    assert [labels["factors"][at] for at in range(11) if not first <= at < last] == [""] * (11 - last + first)
    if r[row] < 1:
        assert numbers(labels["why"])[-1] == pytest.approx(float(r[row]), rel=0.06)


def _read(number: str) -> float:
    return float(number.replace("−", "-"))


def _stacks(running: dict, total: float) -> tuple[list[list[float]], float]:
    """The blocks of the sum before the tile, what is left of them, the new ones, all after the tile, and their shares;
    and the scale, which follows from total, the sum after the tile."""
    stacks = running["followed"]["stacks"]
    high = total / sum(stacks[3])
    return [[high * one for one in stack] for stack in stacks], high


@pytest.mark.parametrize(("step", "mask"), [(2, "full"), (7, "causal"), (3, "full")])
def test_the_row_that_is_followed_has_its_scores_of_the_tile_in_hand(step, mask):
    """The tile's scores of the row have their numbers, and a new largest score is marked."""
    link = TEXT | {"tile_queries": 5, "tile_keys": 3, "tile_step": step, "mask": mask, "tile_row": 4 if step < 5 else 8}
    drawn, run = figure(**link), computed(**_shared(link))
    scores = run.matrix("masked" if mask == "causal" else "scaled").double()
    (_, _, start, end), row = drawn["running"]["tile"], link["tile_row"] - 1
    assert drawn["running"]["followed"]["row"] == row
    here = scores[row, start:end]
    assert len(drawn["labels"]["hand"]) == len(here)
    for said, score in zip(drawn["labels"]["hand"], here.tolist(), strict=True):
        assert (_read(said) == pytest.approx(score, abs=0.006)) if score > -np.inf else said == ""
    is_new = start == 0 or here.max() > scores[row, :start].max()
    assert drawn["running"]["followed"]["new"] == (int(here.argmax()) if is_new else -1)
    assert numbers(drawn["labels"]["said"])[-2:] == [end - start, 11]


@pytest.mark.parametrize("step", [1, 3, 8])
def test_what_no_tile_is_computed_of_is_what_the_mask_hides_wholly(step):
    """Tiles of 3 queries and 2 keys: each row has six."""
    drawn = figure(**TEXT, mask="causal", tile_queries=3, tile_keys=2, tile_step=step)
    skipped = np.zeros((11, 11), bool)
    for top, bottom, left, right in drawn["running"]["skipped"]:
        assert not skipped[top:bottom, left:right].any()
        skipped[top:bottom, left:right] = True
    for top in range(0, 11, 3):
        for left in range(0, 11, 2):
            is_hidden = left > min(top + 2, 10)
            assert (skipped[top : top + 3, left : left + 2] == is_hidden).all()
    assert drawn["note"] == say("tiles.hatched")
    assert drawn["labels"]["held"] == ["121", "6"]


def test_of_a_first_tile_nothing_is_corrected_and_a_skipped_one_changes_nothing():
    first = figure(**TEXT, mask="causal", tile_step=1)
    before, left, new, total = first["running"]["followed"]["stacks"]
    assert before == left == []
    assert new == total
    assert not first["running"]["followed"]["corrects"]
    chain = first["labels"]["chain"]
    assert (chain["times"], chain["numbers"][:2], chain["cells"][:2]) == ("", ["", ""], [[], []])
    assert chain["numbers"][2] == chain["numbers"][3]
    skipped = figure(**TEXT, mask="causal", tile_step=2)
    before, left, new, total = skipped["running"]["followed"]["stacks"]
    assert before == left == total[: len(before)] != []
    assert sum(new) == 0
    chain = skipped["labels"]["chain"]
    assert chain["numbers"][0] == chain["numbers"][1] == chain["numbers"][3]
    assert chain["cells"][0] == chain["cells"][1] == chain["cells"][3]
    assert numbers(chain["times"]) == [1]
    assert skipped["labels"]["hand"] == [""] * 4
    assert numbers(skipped["labels"]["said"])[-2:] == [0, 11]


@pytest.mark.parametrize(("row", "column"), [(2, 5), (4, 0), (8, 10)])
def test_a_place_that_is_dragged_to_has_its_tile_and_follows_its_row(row, column):
    """Tiles of 3 queries and 5 keys of eleven words. The browser fills in the cell under the finger."""
    link = TEXT | {"tile_queries": 3, "tile_keys": 5, "mask": "full", "tile_step": 2}
    (block,) = tiling.running.blocks(linked("tiles", **link))
    at = {"row": row, "column": column, "number": row + 1}
    sets = {name: text.format(**at) for name, text in block["drag"].items() if text}
    followed = figure(**link | sets)
    assert followed["running"]["followed"]["row"] == row
    first, start = 3 * (row // 3), 5 * (column // 5)
    assert followed["running"]["tile"] == [first, min(first + 3, 11), start, min(start + 5, 11)]
    assert linked("tiles", **link).run.labels["query"][row] in followed["labels"]["said"]


@pytest.mark.parametrize(("queries", "keys"), [(2, 5), (7, 3), (11, 11), (1, 1)])
def test_tiles_of_another_size_keep_the_place(queries, keys):
    """The same number means another place in tiles of another size, so a reader who drags a side would be lost."""
    at = linked("tiles", **TEXT, mask="full", tile_queries=4, tile_keys=2, tile_step=9)
    player = told(at)
    place = player["values"][8]
    assert player["sets"] == {"tile_at": "{value}", "tile_step": ""}
    assert player["counts"]
    row, column = 4, 4
    assert place == f"scores.{row}.{column}"
    first, last, start, end = figure(**TEXT, mask="full", tile_queries=queries, tile_keys=keys, tile_at=place)[
        "running"
    ]["tile"]
    assert first <= row < last
    assert start <= column < end
    # A place outside the text leads to the tile of the step.
    beyond = figure(**TEXT, mask="full", tile_at="scores.40.40", tile_step=2)["running"]
    assert beyond["tile"] == [0, 4, 4, 8]


@pytest.mark.parametrize(("queries", "keys"), [(1, 3), (5, 7), (11, 1)])
def test_the_end_stays_the_end_in_tiles_of_another_size(queries, keys):
    """A reader who has played to the end and then drags a side would see finished rows unfinished."""
    link = {**TEXT, "mask": "full"}
    end = told(linked("tiles", **link, tile_queries=4, tile_keys=3))["values"][-1]
    sized = {"tile_queries": queries, "tile_keys": keys, "tile_at": end}
    player = told(linked("tiles", **link, **sized))
    assert player["at"] == player["of"] != 12
    assert figure(**link, **sized)["running"]["agrees"] == [True] * 11


def test_at_the_end_the_question_that_is_open_is_asked_and_once_guessed_no_more():
    """A reader who has played to the end wants the answer, and would leave without noticing the question."""
    opened = OPENS_WITH["tiles"]
    of = told(linked("tiles", **opened))["of"]
    said = {
        (step, guessed): told(linked("tiles", **opened | {"tile_step": step}, guess=guessed))["text"]
        for step in (of - 1, of)
        for guessed in ("", "tiles.same")
    }
    assert [at for at, text in said.items() if text == say("tiles.told.asks")] == [(of, "")]
    assert said[of, "tiles.same"] == say("tiles.told.last")


def test_the_correction_is_one_step_in_words_with_its_numbers():
    """The blocks play a larger score, then the shrinking, then the addition."""
    at = linked("tiles", **CORRECTS)
    made = moves(at)
    within = made.told_row - made.tile.queries.start
    before, after = (float(one[within]) for one in (made.tile.maximum_before, made.tile.maximum))
    assert before < after
    assert "meets a larger score than before" in told(at)["text"]
    labels = figure(**CORRECTS)["labels"]
    assert numbers(labels["so_far"]) == [pytest.approx(before, abs=0.006), pytest.approx(after, abs=0.006)]
    assert numbers(labels["why"])[-1] == pytest.approx(np.exp(before - after), rel=0.06)
    # Each number stands once: the sentence has none.
    assert numbers(told(at)["text"]) == []


@pytest.mark.parametrize("guessed", ["same", "depends"])
def test_how_far_both_outputs_are_apart_is_told_nowhere_before_it_is_guessed(guessed):
    """With "the same" beside the question, there is nothing to guess. The difference is measured against the record."""
    opened = OPENS_WITH["tiles"] | {"tile_step": "4096"}
    asked, drawn = figure(**opened), figure(**opened, guess=f"tiles.{guessed}")
    (player,) = tiling.player.blocks(linked("tiles", **opened))
    assert asked["labels"]["laid"] == asked["labels"]["corrected"] == ""
    assert not any("same" in one or "rounding" in one for one in (player["text"], asked["note"]))
    assert asked["running"]["laid"] is None
    # A reader could compare both outputs side by side.
    assert asked["running"]["usual"] is None
    assert {*asked["labels"]["usually"]} == {say("tiles.label.none")}
    assert drawn["running"]["usual"] is not None
    assert asked["running"]["agrees"] == [None] * 11
    assert drawn["running"]["agrees"] == [True] * 11
    assert drawn["running"]["laid"] == drawn["running"]["output"] == asked["running"]["output"]
    # A quiz covers the whole figure until there is an answer, which is in no address.
    assert figure(**opened, quiz=True)["running"]["laid"] == drawn["running"]["laid"]
    at = linked("tiles", **opened)
    record, softmax = at.run.matrix("output").double(), moves(at).scores.softmax(-1) @ moves(at).values
    assert float((record - softmax).abs().max()) < 1e-4
    (question,) = guess.of("tiles").blocks(at)
    assert question["kind"] == "guess"


def test_a_guess_stays_at_its_tile_and_is_answered_when_the_tiles_have_been_played():
    """An output so far differs, and contradicted "the same" beside it. A leap to the end would play nothing."""
    opened = OPENS_WITH["tiles"]
    (question,) = guess.of("tiles").blocks(linked("tiles", **opened))
    for answer in question["answers"]:
        guessed = opened | answer["sets"]
        at = linked("tiles", **guessed)
        player = told(at)
        assert player["at"] == 2
        (waits,) = guess.of("tiles").blocks(at)
        assert waits["told"]["markdown"] == say("predict.tiles.try")
        assert {one["verdict"] for one in waits["answers"]} == {""}
        for name in player["values"]:
            at = linked("tiles", **guessed | {"tile_at": name, "tile_step": ""})
            (card,) = next(iter(tiling.running.blocks(at)))["cards"]
            assert (card["running"]["usual"] is None) == (name != player["values"][-1])
        (judged,) = guess.of("tiles").blocks(at)
        assert say("predict.tiles.why") in judged["told"]["markdown"]
        assert card["running"]["agrees"] == [True] * 11
        assert card["running"]["laid"] == card["running"]["output"]
    # The verdict stays on all other tiles.
    back = {**told(at)["sets"], "tile_at": told(at)["values"][0]}
    other = linked("tiles", **guessed | back)
    (card,) = next(iter(tiling.running.blocks(other)))["cards"]
    assert card["running"]["usual"] is not None
    assert next(iter(guess.of("tiles").blocks(other)))["told"] == judged["told"]
    # A second click takes the guess back, and leads to no other tile.
    (again,) = guess.of("tiles").blocks(linked("tiles", **opened, guess="tiles.same"))
    assert [one["sets"] for one in again["answers"] if one["pressed"]] == [{"guess": ""}]


def test_what_a_tile_leaves_is_an_output_so_far_but_for_the_last():
    opened = OPENS_WITH["tiles"]
    heads = [figure(**opened | {"tile_step": str(step)})["labels"]["output_so_far"] for step in (2, 3, 4)]
    assert heads == [say("tiles.label.output_so_far")] * 2 + [say("tiles.label.output")]


def test_the_largest_difference_of_an_output_is_that_of_the_measurement_below():
    """Over all rows and features, in tiles of 3 queries and 5 keys, as in the table of sizes."""
    link = TEXT | {"mask": "causal", "tile_queries": 3, "tile_keys": 5}
    rows = table(app("tiles", **link), say("tiles.same.column.far"))[2:]
    (far,) = (far for size, *_, far in rows if size.replace("\u00a0", " ") == "3 × 5")
    assert exponents(figure(**link)["labels"]["laid"]) == say("tiles.laid", far=far)


def test_a_screen_that_waits_for_no_guess_tells_the_answer_and_asks_nothing():
    """A link that names settings shows both outputs over each other, which would answer a question beside them."""
    at = linked("tiles", tile_step="4")
    assert figure(tile_step="4")["running"]["laid"] is not None
    (block,) = guess.of("tiles").blocks(at)
    assert say("predict.tiles.same") in block["markdown"]


def test_the_same_row_is_followed_under_every_mask():
    """The row on the first keys, and a chosen row in each tile: setting a mask shows its effect on the same word."""
    for link in ({}, {"tile_row": 2}, {"tile_row": 2, "tile_step": 2}):
        rows = {figure(mask=mask, **link, tile_keys=3)["running"]["followed"]["row"] for mask in ("full", "causal")}
        assert len(rows) == 1
    assert rows == {1}


def test_the_table_has_both_outputs_of_each_row():
    at = linked("tiles", tile_queries=11, tile_keys=3, tile_step=4)
    (block,) = tiling.running.blocks(at)
    labels = block["cards"][0]["labels"]
    for row, (usual, (*_, by_tiles)) in enumerate(zip(labels["usually"], labels["written"], strict=True)):
        wanted = at.run.matrix("output")[row].double().tolist()
        assert [float(one.replace("−", "-")) for one in usual.split(", ")] == pytest.approx(wanted, abs=0.006)
        assert by_tiles == usual


def test_a_query_that_may_attend_to_nothing_keeps_nothing():
    """The first query of the causal mask has only one pair, which is hidden by hand."""
    drawn = figure(**TEXT, mask="causal", painted="AA", tile_queries=1, tile_keys=11, tile_step=1)
    none = say("tiles.label.none")
    assert drawn["labels"]["written"][0] == [none] * 3
    assert [drawn["labels"]["chain"][name] for name in ("times", "divided")] == [""] * 2
    assert sum(drawn["running"]["followed"]["stacks"][3]) == 0
    assert drawn["running"]["agrees"][0] is None


@pytest.mark.parametrize("keys", [3, 7])
def test_finished_outputs_have_the_same_colours_in_tiles_of_every_size_and_are_those_of_softmax(keys):
    link = {"tile_queries": 11, "tile_step": 4096}
    drawn, whole = (figure(**link, tile_keys=size)["running"]["output"] for size in (keys, 11))
    assert drawn == whole
    at = linked("tiles", **link, tile_keys=keys)
    made = moves(at)
    assert telling.sentence(at.run, made.tile, made.told_row) == say("tiles.told.last")


@pytest.mark.parametrize("link", [{}, {"mask": "causal"}, {"preset": "random", "text": "a b c d e f g"}], ids=str)
def test_the_result_comes_to_that_of_the_usual_way_tile_by_tile(link):
    """Beside it stands the record's output of softmax over the whole row. In the end both have the same colours."""
    at = linked("tiles", **link, tile_queries=3, tile_keys=2)
    bound, count = float(moves(at).values.abs().max()), len(at.run.labels["key"])
    wanted = at.run.matrix("output").double().numpy() / bound
    last = -(-count // 2)
    for step in (1, last, 2 * last):
        running = figure(**link, tile_queries=3, tile_keys=2, tile_step=step)["running"]
        by_tiles, usual = (
            np.frombuffer(base64.b64decode(running[name]), np.uint8).astype(int).reshape(wanted.shape)
            for name in ("output", "usual")
        )
        np.testing.assert_allclose(usual, 127 + 127 * wanted, atol=1)
        finished, begun = 3 * (step // last), max(3, 3 * (step // last))
        assert running["agrees"] == [True] * finished + [None] * (count - finished)
        np.testing.assert_allclose(by_tiles[:finished], usual[:finished], atol=1)
        # A row that has not begun has no colour.
        assert (by_tiles[begun:] == 255).all()
        assert (by_tiles[:begun] < 255).all()


@pytest.mark.parametrize("link", [{}, {"mask": "causal"}], ids=str)
def test_blocks_have_one_scale_in_tiles_of_every_size(link):
    """The sum of a finished row has the same height in all of them, and no stack is higher than its room."""
    ends = []
    for queries, keys in ((4, 3), (11, 1), (1, 11), (5, 6)):
        tiles = {"tile_queries": queries, "tile_keys": keys, "tile_row": 11}
        for step in (1, 2, 4096):
            stacks = figure(**link, **tiles, tile_step=step)["running"]["followed"]["stacks"]
            assert all(sum(stack) <= 1.001 for stack in stacks)
        ends.append(stacks[3])
    np.testing.assert_allclose(ends, [ends[0]] * 4, atol=1e-3)


@pytest.mark.parametrize(("queries", "keys"), [(4, 3), (11, 1), (5, 4), (11, 11)])
def test_corrections_are_counted_over_all_rows_whatever_their_tiles(queries, keys):
    """The count is how often the largest score of a row rises from tile to tile; never in a tile of all keys."""
    scores = computed(**TEXT, mask="full").matrix("scaled").double()
    largest = scores.cummax(-1).values[:, [*range(keys - 1, 10, keys), 10]]
    labels = figure(**TEXT, mask="full", tile_queries=queries, tile_keys=keys)["labels"]
    assert numbers(labels["corrected"]) == [keys, int((largest.diff(dim=-1) > 0).sum())]


def test_an_output_that_is_not_that_of_the_usual_way_is_not_called_the_same(monkeypatch):
    """The sign beside a finished row comes from a measurement against the record, not from the row being finished."""
    monkeypatch.setattr(import_module("pages.shell.views.tiling.running"), "SAME", 0.0)
    assert figure(tile_step=4096)["running"]["agrees"] == [False] * 11


def test_the_sides_of_a_tile_end_with_the_text():
    for text, most in (("a b c d e", 5), (TEXT["text"], 11), ("a", 2), (" ".join("abcdefghijklmnopqrst"), 16)):
        at = app("tiles", preset="random", text=text, tile_keys=16)
        assert no_exception(at)
        assert [widget(at, name).max for name in ("tile_queries", "tile_keys")] == [most] * 2
