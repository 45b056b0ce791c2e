"""The pipeline above the figures: the same numbers in small, the chosen step, and the sentences about it."""

import ast
import base64
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import torch

from attention.notation import QUANTITIES
from pages.shell.i18n import say
from pages.shell.screen import Screen
from pages.shell.state.page_controls import STEPS
from pages.shell.views import captions, pipeline, telling
from pages.shell.views.line_breaks import broken, pieces
from pages.shell.views.tiles import _FLOW as FLOW
from tests.support.app import HOME, computed, figures, linked, markdown, payloads, recorded
from tests.support.covering import EXHAUSTIVE, some

RANDOM = {"preset": "random", "text": "one two three four five\nsix seven", "d_model": 17, "heads": 3, "head": 2}
SCREENS = {
    "learned": {},
    "story": {"preset": "story"},
    "heads": RANDOM,
    "all": RANDOM | {"dropout": 0.4, "mask": "window", "width": 1, "bias": True, "sentence": 2, "seed": 7},
    "unmasked": RANDOM | {"mask": "full", "scale": "none", "d_k": 5, "d_v": 2},
    "queries": RANDOM | {"last": 2},
    "empty rows": RANDOM | {"last": 3, "corner": "lower_right", "padding": False},
    "variants": RANDOM
    | {"positions": "rotary", "d_k": 6, "heads": 4, "kv_heads": "2", "qk_norm": True, "softcap": "1", "sink": "1"},
    "cached": RANDOM | {"positions": "rotary", "d_k": 6, "kv_heads": "1", "kv_cache": "2", "sentence": 1},
    "wide": {"preset": "random", "d_model": 128, "heads": 2, "mask": "full"},
}
ROW = "_row"
ROOT = Path(__file__).resolve().parents[2]
IN_FLOW = [id for part in FLOW for column in part for id in column]
# Angles are steps on the way to a rotation, and no matrices of the flow.
ANGLES = {"query_angles", "key_angles"}
# No control of a screen adds these steps: the page "Taming scores" shows them.
OF_TAMING = {"w_g", "gate", "gated", "lambda", "difference"}
each = pytest.mark.parametrize("name", SCREENS)


@cache
def opened(name: str) -> Screen:
    return linked(**SCREENS[name])


def test_every_step_that_a_screen_can_have_stands_on_the_walkthrough_and_in_the_flow():
    views = ast.parse((ROOT / "pages" / "shell" / "views" / f"{HOME}.py").read_text(encoding="utf-8"))
    calls = [node for node in ast.walk(views) if isinstance(node, ast.Call) and ast.unparse(node.func) == ROW]
    given = {argument.value for call in calls for argument in call.args[1:] if isinstance(argument, ast.Constant)}
    assert given == set(STEPS) - OF_TAMING
    steps = {row.id for row in QUANTITIES if row.axes and not row.given}
    assert steps - ANGLES - OF_TAMING <= set(IN_FLOW)


def with_part(at: Screen, part: str) -> list[dict[str, Any]]:
    return [sent for sent in payloads(at) if part in sent]


def strip(at: Screen) -> dict[str, Any]:
    [sent] = with_part(at, "strip")
    return sent["strip"]


def large(at: Screen) -> tuple[str, list[int]]:
    [sent] = with_part(at, "at")
    [card] = sent["cards"]
    return card["id"], sent["at"]


def decoded(text: str, shape: list[int]) -> np.ndarray:
    return np.frombuffer(base64.b64decode(text), np.uint8).reshape(shape)


@each
def test_every_tile_has_the_stamp_and_the_range_of_the_large_figure(name):
    tiles, drawn = strip(opened(name))["tiles"], figures(opened(name))
    there = {tile["id"]: tile for tile in tiles if "missing" not in tile}
    assert set(there) == {id for id in IN_FLOW if id in drawn}
    for id, tile in there.items():
        assert (tile["stamp"], tile["range"]) == (drawn[id].rest["stamp"], drawn[id].rest["range"]), id


@each
def test_the_flow_has_the_steps_of_the_run_and_arrows_from_each_to_what_becomes_of_it(name):
    trace, sent = computed(**SCREENS[name]).trace, strip(opened(name))
    there = [tile["id"] for tile in sent["tiles"]]
    assert there == [id for id in IN_FLOW if id in trace]
    assert len({tuple(tile["place"]) for tile in sent["tiles"]}) == len(there)
    # Every tile leads on and reaches the last one, except the weight matrices.
    leads = dict(sent["edges"])
    for id in there:
        if id.startswith("w_"):
            continue
        while id != "projected":
            assert there.index(id) < there.index(leads[id]), id
            id = leads[id]


@each
def test_a_shade_is_the_place_of_the_number_in_the_range(name):
    run = computed(**SCREENS[name])
    hides = ~recorded(run, "mask").astype(bool) if "mask" in run.trace else None
    for tile in strip(opened(name))["tiles"]:
        if "missing" in tile:
            continue
        z = recorded(run, tile["id"]).astype(np.float64)
        rows, columns = (np.array(_some(count, len_)) for count, len_ in zip(z.shape, tile["shape"], strict=True))
        z, shades = z[np.ix_(rows, columns)], decoded(tile["shades"], tile["shape"])
        low, high = tile["range"]
        is_hiding = hides is not None and tile["id"] in ("masked", "weights", "kept", "dropped")
        hidden = hides[np.ix_(rows, columns)] if is_hiding else np.zeros_like(z, dtype=bool)
        assert (shades[hidden] == 255).all()
        np.testing.assert_allclose(shades[~hidden], 254 * (z[~hidden] - low) / (high - low), atol=0.51)


def _some(count: int, most: int) -> list[int]:
    """The places of cells in a tile with fewer cells than the step: the middle of each of `most` equal parts."""
    return [int((at + 0.5) * count / most) for at in range(most)]


def test_each_head_of_a_tile_is_that_head_in_large():
    [shown] = pipeline.strip(opened("heads"))
    for head in range(3):
        [of_one] = pipeline.strip(linked(**RANDOM | {"head": head + 1}))
        alone = {tile["id"]: tile for tile in of_one["tiles"]}
        for tile in shown["tiles"]:
            if "heads" in tile:
                of_head = decoded(tile["shades_of_heads"], tile["heads"])[head]
                one = alone[tile["id"]]
                rows, columns = (_some(count, most) for count, most in zip(one["shape"], of_head.shape, strict=True))
                np.testing.assert_array_equal(of_head, decoded(one["shades"], one["shape"])[np.ix_(rows, columns)])
    assert shown["head"] == 1
    [of_one_head] = pipeline.strip(opened("story"))
    assert not any("heads" in tile for tile in of_one_head["tiles"])
    # The opening page shows its heads elsewhere.
    assert not any("heads" in tile for tile in strip(opened("heads"))["tiles"])


def test_a_figure_names_its_head_unless_all_heads_share_it():
    shown = linked(**RANDOM | {"mask": "causal"}).run
    named = {id: captions.part(shown, shown.trace[id]) for id in ("x", "scores", "mask", "masked", "weights")}
    of_head = say("heads.of", head=RANDOM["head"], heads=RANDOM["heads"])
    assert named == {"x": "", "scores": of_head, "mask": "", "masked": of_head, "weights": of_head}


def test_the_story_opens_on_the_weights_of_creature_on_the_key_with_most():
    at = opened("story")
    weights = computed(**SCREENS["story"]).matrix("weights")[3]
    assert large(at) == ("weights", [3, int(weights.argmax())])
    assert strip(at)["at"] == {"query": 3, "key": int(weights.argmax())}


@pytest.mark.parametrize("step", some(STEPS, 9))
def test_a_link_names_the_step_and_what_is_not_there_stands_back(step):
    at = linked(step=step, **SCREENS["unmasked"])
    trace = computed(**SCREENS["unmasked"]).trace
    instead = {"mask": "scaled", "masked": "scaled"}.get(step, "weights")
    id, (row, column) = large(at)
    assert id == strip(at)["step"] == (step if step in trace else instead)
    z = np.abs(recorded(computed(**SCREENS["unmasked"]), id))
    assert 0 <= row < z.shape[0]
    if trace[id].axes[-1] != "key":
        assert z[row, column] == z[row].max()


@pytest.mark.parametrize(
    ("link", "shown"),
    [
        ({"cell": "scores.2.1.scores"}, ("scores", [2, 1])),
        ({"cell": "scores.2.1"}, ("scores", [2, 1])),
        ({"cell": "scores.2.1", "step": "scaled"}, ("scaled", [2, 1])),
        ({"cell": "scores.2.1", "step": "keys"}, ("keys", [1, None])),
        ({"cell": "keys.4.1", "step": "values"}, ("values", [4, None])),
        ({"cell": "queries.3.1", "step": "output"}, ("output", [3, None])),
        ({"cell": "banana.3.1", "step": "output"}, ("output", [4, None])),
        ({"told": 3}, ("scores", None)),
    ],
    ids=str,
)
def test_a_link_names_the_cell_and_another_step_shows_the_same_pair(link, shown):
    id, at = large(linked(**RANDOM, **link))
    assert id == shown[0]
    for found, wanted in zip(at, shown[1] or at, strict=True):
        assert wanted in (None, found)


def test_the_chain_of_the_pair_stands_above_the_figure():
    [said] = [each.value for each in markdown(opened("story")) if "q \\cdot k" in each.value]
    score = broken(r"q \cdot k = 12 \cdot 1 + 12 \cdot 1 = 24")
    assert said.startswith(f"`creature` → `fluffy`: {score} ")
    assert broken(r"\rightarrow\; 24 / 3 = 8") in said
    assert said.endswith(r"\cdot$ value of `fluffy`")


def test_a_chain_that_leaves_products_out_says_how_many():
    random = {"preset": "random", "text": "a b c", "d_k": "11"}
    [said] = [each.value for each in markdown(linked(**random)) if "q \\cdot k" in each.value]
    assert said.endswith(say("why.left_out", count=4))


@pytest.mark.parametrize(
    ("link", "begins"),
    [
        ({"cell": "scores.4.3.pipeline"}, r"S(\text{brings}, \text{fox}) = Q(\text{brings}) \cdot K(\text{fox}) ="),
        ({"cell": "keys.3.1.pipeline"}, r"K(\text{fox}, 2) = X(\text{fox}) \cdot (W_K)_{:,2} ="),
        ({"cell": "w_q.3.1.pipeline"}, "(W_Q)_{42} ="),
        # A token that LaTeX would read as a command becomes a number.
        ({"preset": "random", "text": r"a{} b\c", "cell": "scores.1.0.pipeline"}, r"S_{21} = Q_{2} \cdot K_{1} ="),
    ],
    ids=lambda value: value.get("cell") if isinstance(value, dict) else "",
)
def test_the_arithmetic_of_a_cell_names_its_words(link, begins):
    *_, panel = [block for block in payloads(linked(**link)) if block.get("kind") == "panel"]
    assert panel["latex"].startswith(begins)


def test_no_product_of_a_small_head_is_left_out_of_its_score():
    """The last panel is that of the large figure."""
    at = linked(step="scores", d_k="8", preset="random", text="a b c")
    *_, panel = [block for block in payloads(at) if block.get("kind") == "panel"]
    shown = computed(d_k="8", preset="random", text="a b c")
    row, column = 2, int(shown.matrix("weights")[2].argmax())
    q, k = shown.matrix("queries")[row], shown.matrix("keys")[column]
    assert all(f"{abs(float(each)):.4g}" in panel["latex"] for each in (*q, *k))
    assert r"\cdots" not in panel["latex"]


@pytest.mark.parametrize(
    ("tex", "count"),
    [(r"a = \frac{b + c = d}{e} + f - (g + h) = -3", 5), ("x", 1), (r"S = -1.7 \cdot (-0.6) - 0.7 =", 3)],
)
def test_a_formula_breaks_where_no_group_is_open(tex, count):
    found = pieces(tex)
    assert " ".join(piece.removeprefix("{} ") for piece in found) == tex
    assert all(piece.count(left) == piece.count(right) for piece in found for left, right in ("{}", "()"))
    assert len(found) == count


@pytest.mark.parametrize("step", ["weights", "dropped"])
def test_rows_of_weights_bring_their_sums(step):
    at = linked(step=step, **SCREENS["all"])
    sums = computed(**SCREENS["all"]).matrix(step).sum(-1)
    assert figures(at)[step].rest["sums"] == [f"{float(each):.2f}" for each in sums]
    assert "sums" not in figures(at)["scores"].rest


def test_a_figure_of_several_heads_says_which_of_how_many():
    assert figures(opened("heads"))["weights"].rest["part"] == "head 2 of 3"
    assert "part" not in figures(opened("heads"))["projected"].rest
    assert "part" not in figures(opened("story"))["weights"].rest


def test_the_formula_stands_beside_its_text_to_copy():
    [panel] = [block for block in payloads(linked()) if block.get("kind") == "panel"]
    assert panel["formula"]["markdown"] == broken(panel["latex"], display=True)
    assert "close" not in panel


# Each sentence is tested on two screens, and each screen with two sentences.
@pytest.mark.parametrize(
    ("name", "told"),
    [
        (name, told)
        for place, name in enumerate(SCREENS)
        for told in range(len(telling.STEPS) + 1)
        if EXHAUSTIVE or (told - place) % 4 == 0
    ],
)
def test_every_sentence_can_be_told_of_every_screen(name, told):
    at = linked(told=told, **SCREENS[name])
    sent = strip(at)["told"]
    assert (sent["at"], sent["of"]) == (told, len(telling.STEPS))
    assert sent["text"]
    assert (told == 0) == (sent["text"] == say("told.none", count=len(telling.STEPS)))


def test_the_sentences_say_the_numbers_of_torch():
    run = computed(**SCREENS["story"])
    q, k = (run.matrix(id) for id in ("queries", "keys"))
    scores = (q @ k.T)[3]
    weights = (scores / 3).masked_fill(torch.arange(8) > 3, -torch.inf).softmax(-1)
    said = [telling.sentence(run, told, 3) for told in range(1, 8)]
    assert f"{float(scores.max()):.2f}" in said[2]
    assert f"{float(scores.max() / 3):.2f}" in said[3]
    assert "4 of 8" in said[4]
    assert all(f"{float(value):.2f}" in said[5] for value in weights.topk(2).values)


def test_the_sentence_that_is_told_is_the_last_one_before_the_step():
    run = computed(**SCREENS["story"])
    assert [telling.nearest(run, step) for step in telling.STEPS] == list(range(1, 8))
    assert telling.nearest(run, "w_q") == 1
    assert telling.nearest(run, "keys") == 2
    assert telling.nearest(run, "concat") == 6


def test_no_two_maps_of_the_flow_have_one_letter():
    for link in SCREENS.values():
        letters = [tile["letter"] for tile in strip(linked(**link))["tiles"]]
        given = [letter for letter in letters if letter]
        assert len(given) == len(set(given))


@pytest.mark.parametrize("heads", [1, 2, 3])
def test_a_figure_of_one_of_several_heads_says_which(heads):
    """A figure of a step that all heads share names no head."""
    drawn = figures(linked(preset="random", heads=heads, head=heads))
    assert drawn["weights"].rest.get("part", "") == (f"head {heads} of {heads}" if heads > 1 else "")
    assert "part" not in drawn["x"].rest
