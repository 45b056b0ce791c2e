"""All weights of a long text: as tiles, and a part of them with numbers and their arithmetic."""

import numpy as np
import pytest
import torch

from attention import Trace, scaled_dot_product_attention
from attention.export.given_checks import LONGEST
from attention.inputs.tokens import embed
from pages.shell.runs.brought import opened
from pages.shell.runs.long_text import whole
from pages.shell.runs.run import weigh
from pages.shell.state.config import TOKENS
from pages.shell.state.page_controls import TILES, Walkthrough
from pages.shell.views import VIEWS
from pages.shell.views.whole import part, tiles
from tests.pages.test_open_file import link
from tests.support import CLOSE, drawn
from tests.support.app import decoded, edited, linked

N, HEADS = 331, 3


@pytest.fixture(scope="module")
def trace() -> Trace:
    made, lead = Trace(), (2, HEADS, N)
    q, k, v = drawn((*lead, 5), (*lead, 5), (*lead, 3), dtype=torch.float32)
    scaled_dot_product_attention(2 * q, k, v, mask="causal", trace=made)
    return made


@pytest.fixture(scope="module")
def file(trace, tmp_path_factory):
    path = tmp_path_factory.mktemp("long") / "long.npz"
    trace.save(path, brief=True, tokens=[f"w{at}" for at in range(N)])
    return opened("long.npz", path.read_bytes())


def shown(**parameters):
    found = VIEWS["walkthrough.whole"].blocks(linked("walkthrough", **parameters))
    (cards,) = [block for block in found if block["kind"] == "cards"]
    return found, {card["id"]: card for card in cards["cards"]}, cards


@pytest.mark.parametrize(("row", "column", "size"), [(1, 1, 16), (37, 20, 32), (TILES, TILES, 64), (60, 110, 16)])
def test_what_is_shown_are_the_weights_of_all_words(file, trace, row, column, size):
    chosen = {"zoom_row": row, "zoom_column": column, "zoom": size, "sentence": 2, "head": 3}
    _, cards, _ = shown(**link(file, **chosen))
    weights = trace["weights"].value[1, 2]
    overview, zoomed = decoded(cards["tiles"]), decoded(cards["zoomed"])
    assert overview.shape == (111, 111)
    for at in ((0, 0), (50, 20), (110, 110)):
        expected = weights[3 * at[0] : 3 * at[0] + 3, 3 * at[1] : 3 * at[1] + 3].max()
        assert overview[at] == pytest.approx(float(expected), rel=1e-5)
    held = part(N, N, Walkthrough(zoom=str(size), zoom_row=row, zoom_column=column))
    assert zoomed.shape == (size, size)
    block = weights[held.rows.start : held.rows.stop, held.columns.start : held.columns.stop]
    visible = ~np.isnan(zoomed)
    torch.testing.assert_close(torch.tensor(zoomed[visible]), block[torch.tensor(visible)], **CLOSE[torch.float32])
    assert (block[torch.tensor(~visible)] == 0).all()
    assert cards["zoomed"]["labels"]["query"] == [f"w{at}" for at in held.rows]


@pytest.mark.parametrize("size", ["16", "32", "64"])
@pytest.mark.parametrize("counts", [(5, 5), (3, 71), (64, 64), (129, 331), (LONGEST, LONGEST)], ids=str)
def test_a_part_lies_within_the_weights_and_holds_the_chosen_tile(counts, size):
    tile = -(-max(counts) // TILES)
    for at in (1, 2, 7, 63, TILES):
        held = part(*counts, Walkthrough(zoom=size, zoom_row=at, zoom_column=TILES + 1 - at))
        asked = (at, TILES + 1 - at)
        for side, frame, count, chosen in zip((held.rows, held.columns), held.frame, counts, asked, strict=True):
            assert 0 <= side.start
            assert side.stop <= count
            assert len(side) == min(int(size), count)
            middle = (chosen - 1) * tile
            assert middle in side or middle >= count - int(size) or middle < int(size)
            assert frame.start * tile <= side.start < side.stop <= frame.stop * tile


def test_a_tile_is_the_largest_of_its_weights():
    (z,) = drawn((7, 11))
    found = tiles(z, 3)
    assert found.shape == (3, 4)
    for row in range(3):
        for column in range(4):
            assert found[row, column] == z[3 * row : 3 * row + 3, 3 * column : 3 * column + 3].float().max()


def test_a_click_on_a_tile_leads_to_it_and_on_a_weight_to_its_arithmetic(file, trace):
    _, _, cards = shown(**link(file))
    assert cards["clicks"]["tiles"] == {"zoom_row": "{row_number}", "zoom_column": "{column_number}", "cell": ""}
    found, _, _ = shown(**link(file, zoom_row=70, zoom_column=69, cell="zoomed.9.3.whole"))
    held = part(N, N, Walkthrough(zoom_row=70, zoom_column=69))
    (panel,) = [block for block in found if block["kind"] == "panel"]
    weight = float(trace["weights"].value[0, 0, held.rows[9], held.columns[3]])
    assert f"A_{{{held.rows[9] + 1}, {held.columns[3] + 1}}}" in panel["latex"].replace(",", ", ").replace(",  ", ", ")
    assert f"w{held.rows[9]}" in panel["title"]["line"]
    number = panel["latex"].rsplit("= ", 1)[1]
    assert float(number.replace(r" \cdot 10^{", "e").rstrip("}")) == pytest.approx(weight, rel=1e-3)
    outside, _, _ = shown(**link(file, cell="zoomed.16.3.whole"))
    assert not [block for block in outside if block["kind"] == "panel"]


def test_controls_act_on_all_words_and_dropout_does_not(file):
    def weights(**more):
        return whole(linked("walkthrough", **link(file, **more)).run).trace

    assert weights()["weights"].value.shape == (1, 1, N, N)
    full = weights(mask="full")
    assert "mask" not in full
    assert not torch.equal(full["weights"].value, weights()["weights"].value)
    assert "kept" not in weights(dropout=0.5)
    assert torch.equal(weights(dropout=0.5)["weights"].value, weights()["weights"].value)


def test_a_text_that_is_shown_as_it_is_has_its_own_weights():
    screen = linked("walkthrough", preset="random", text=words(TOKENS), head=2)
    assert whole(screen.run) is screen.run
    _, cards, _ = shown(preset="random", text=words(TOKENS), head=2)
    np.testing.assert_array_equal(decoded(cards["tiles"]), screen.run.matrix("weights").numpy())


def words(count: int) -> str:
    return " ".join(f"w{at}" for at in range(count))


TYPED = {"preset": "random", "mask": "causal", "d_model": 30, "heads": 6, "text": words(N)}
SETTINGS = {
    "head": {"head": 5},
    "learned": {"preset": "learned", "d_model": 16, "heads": 4, "head": 3},
    "learned, without positions": {"preset": "learned", "d_model": 16, "heads": 4, "positions": "none"},
    "learned positions, shared keys": {"positions": "learned", "kv_heads": 2, "head": 3, "bias": True},
    "rotary": {"positions": "rotary", "d_k": 8, "qk_norm": True, "head": 2},
    "alibi": {"positions": "alibi", "softcap": 5, "sink": 0, "head": 4},
    "sinusoidal": {"positions": "sinusoidal", "scale": "sqrt_d_model", "head": 6},
    "second sentence": {"text": f"one two\n{words(N)}\nthree", "sentence": 2, "head": 2},
    "prefix": {"mask": "prefix", "length": 7},
    "painted": {"painted": "BAABEC"},
    "typed over": {"edited": edited(x=((0, 2, 3, 9.5),), w_q=((1, 2, 1, 7.0),)), "head": 2},
    "a head off": {"preset": "learned", "d_model": 16, "heads": 4, "heads_off": "1"},
}


@pytest.mark.parametrize("setting", SETTINGS)
def test_under_a_causal_mask_the_first_words_of_a_text_have_the_weights_that_other_figures_show(setting):
    """No query sees a later word, so each setting acts on the long text as on its first words."""
    run = linked("walkthrough", **TYPED | SETTINGS[setting]).run
    long = whole(run)
    assert long.trace["weights"].value.shape == (1, 1, N, N)
    first = long.matrix("weights")[:TOKENS, :TOKENS]
    torch.testing.assert_close(first, run.matrix("weights"), **CLOSE[torch.float32])
    assert long.labels["key"] == tuple(words(N).split())


def test_all_words_of_a_text_attend_to_each_other():
    """The weights are compared with torch, on the words as the layer of the screen takes them."""
    run = linked("walkthrough", **TYPED | {"mask": "full", "head": 3}).run
    x = embed([words(N).split()], 30, 0).x[0]
    q, k = (x @ w.detach()[:, 10:15] for w in (run.module.w_q, run.module.w_k))
    expected = (q @ k.mT / 5**0.5).softmax(-1)
    torch.testing.assert_close(whole(run).matrix("weights"), expected, **CLOSE[torch.float32])
    dropped = linked("walkthrough", **TYPED | {"mask": "full", "head": 3, "dropout": 0.5}).run
    assert torch.equal(whole(dropped).matrix("weights"), whole(run).matrix("weights"))


@pytest.mark.parametrize("asked", [{"last": 5, "corner": "lower_right"}, {"kv_cache": 4}], ids=str)
@pytest.mark.parametrize("positions", ["none", "rotary", "alibi"])
def test_the_last_words_of_a_text_ask_as_they_do_among_all(asked, positions):
    setting = TYPED | {"positions": positions, "d_k": 4, "head": 2}
    some, everyone = (whole(linked("walkthrough", **setting | more).run) for more in (asked, {}))
    queries = asked.get("last", asked.get("kv_cache"))
    torch.testing.assert_close(some.matrix("weights"), everyone.matrix("weights")[-queries:], **CLOSE[torch.float32])
    assert some.labels["query"] == tuple(words(N).split())[-queries:]


@pytest.mark.parametrize("count", [TOKENS + 1, LONGEST, LONGEST + 7])
def test_a_text_has_so_many_words_at_most_and_one_head_is_computed(count):
    run = linked("walkthrough", **TYPED | {"text": words(count), "heads": 15}).run
    made = min(count, LONGEST)
    assert whole(run).trace["weights"].value.shape == (1, 1, made, made)
    assert weigh(whole(run)) < 6 * 4 * LONGEST**2
    assert whole(run) is whole(run)


@pytest.mark.parametrize(
    "text", ["! " * 100, f"{'. ' * 70}\n{words(70)}", f"{'one . ' * 40}"], ids=["none", "a line", "half"]
)
def test_the_layer_that_learned_counts_words(text):
    run = linked("walkthrough", text=text, sentence=2).run
    made = whole(run)
    assert all(word[0].isalnum() for word in made.tokens)
    assert (made is run) == (len(made.tokens) <= TOKENS)
    assert made.tokens[:TOKENS] == run.tokens


def test_words_of_a_preset_that_has_its_own_stay():
    run = linked("walkthrough", preset="story", text=words(N)).run
    assert whole(run) is run
