"""Shuffled words: only the order changes, up to rounding, until a mask or positions tell places apart."""

import itertools

import pytest
import torch
from torch import nn

from attention import MultiHeadAttention
from attention.analysis.permutation import Shuffled, permutation, shuffle
from attention.masks import grid
from attention.positions import sinusoidal
from tests.support import drawn, refused, rounding, seeded, summed

N, D_MODEL, HEADS, D_K = 11, 21, 3, 7
ORDER = permutation(N, seeded(4))
POSITIONS = sinusoidal(N, D_MODEL)


def module(**options) -> MultiHeadAttention:
    return MultiHeadAttention(D_MODEL, HEADS, generator=seeded(1), **options)


def run(**options):
    (x,) = drawn((2, N, D_MODEL), dtype=torch.float32)
    return shuffle(module(), x, ORDER, **options)


def near(changed: Shuffled) -> float:
    """The most by which the order of terms may change four products: queries, scores, outputs, projected outputs."""
    q, k, v = (changed.plain[id].value for id in ("queries", "keys", "values"))
    sizes = max(
        summed(q, k.mT),
        summed(changed.plain["x"].value[..., None, :, :], changed.plain["w_q"].value),
        v.abs().max().item(),
    )
    return rounding(D_MODEL, D_K, N, D_MODEL, of=sizes)


@pytest.mark.parametrize("positions", [None, POSITIONS])
def test_the_first_run_is_the_layer_on_the_words_with_their_positions(positions):
    (x,) = drawn((2, N, D_MODEL), dtype=torch.float32)
    expected = x.double() if positions is None else x.double() + positions.double()
    torch.testing.assert_close(run(positions=positions).plain["x"].value, expected, rtol=0, atol=0)


@pytest.mark.parametrize("id", ["queries", "keys", "scores", "weights", "output", "projected"])
def test_only_the_order_changes(id):
    changed = run()
    assert changed.difference(id) <= near(changed) < 1e-9
    assert (changed.moved[id].value - changed.plain[id].value).abs().max() > 0.1


@pytest.mark.parametrize("scale", [1.0, 0.1])
@pytest.mark.parametrize("bias", [False, True])
def test_at_any_scale_and_with_biases(scale, bias):
    (x,) = drawn((N, D_MODEL))
    changed = shuffle(module(bias=bias), x, ORDER, scale=scale)
    assert max(changed.difference(id) for id in ("weights", "projected")) <= near(changed)


@pytest.mark.parametrize(
    "options", [{"mask": grid("causal", N, N)}, {"positions": POSITIONS}], ids=["mask", "positions"]
)
def test_a_causal_mask_and_positions_break_it(options):
    changed = run(**options)
    assert changed.difference("weights") > 0.1
    assert changed.difference("projected") > 0.1


def test_a_full_mask_and_one_position_for_all_do_not_break_it():
    same = POSITIONS[:1].expand(N, -1)
    changed = run(mask=grid("full", N, N), positions=same)
    assert changed.difference("projected") <= near(changed)


def test_torch_is_equivariant_by_the_same_measure():
    changed = run()
    twin = nn.MultiheadAttention(D_MODEL, HEADS, bias=False, batch_first=True, dtype=torch.float64)
    ours = module().double()
    with torch.no_grad():
        twin.in_proj_weight.copy_(torch.cat([ours.w_q.T, ours.w_k.T, ours.w_v.T]))
        twin.out_proj.weight.copy_(ours.w_o.T)
        x = changed.moved["x"].value
        output, _ = twin(x, x, x)
    torch.testing.assert_close(output[:, ORDER.argsort()], changed.plain["projected"].value, rtol=0, atol=1e-12)


def test_restored_rows_and_columns_stand_where_the_sentence_has_them():
    changed = run(mask=grid("causal", N, N))
    back = ORDER.argsort()
    weights = changed.moved["weights"].value
    torch.testing.assert_close(changed.restored("weights"), weights[..., back, :][..., back], rtol=0, atol=0)
    torch.testing.assert_close(changed.restored("x"), changed.plain["x"].value, rtol=0, atol=0)


def test_the_shuffled_sentence_has_the_token_that_the_order_names():
    changed = run()
    for place, token in enumerate(ORDER.tolist()):
        assert torch.equal(changed.moved["x"].value[:, place], changed.plain["x"].value[:, token])


def test_the_module_is_left_as_it_was():
    given, (x,) = module(dropout=0.5), drawn((N, D_MODEL), dtype=torch.float32)
    changed = shuffle(given, x, ORDER)
    assert changed.difference("projected") <= near(changed)
    assert given.w_q.dtype == torch.float32
    assert given.training


def test_two_or_more_never_stay_where_they_are():
    for n, seed in itertools.product((2, 3, 7), range(50)):
        order = permutation(n, seeded(seed)).tolist()
        assert sorted(order) == list(range(n)) != order
    assert permutation(1, seeded()).tolist() == [0]


def test_the_same_seed_is_the_same_order():
    assert torch.equal(permutation(11, seeded(3)), permutation(11, seeded(3)))
    assert len({tuple(permutation(11, seeded(seed)).tolist()) for seed in range(20)}) == 20


@pytest.mark.parametrize("order", [[0, 1], [0, 0, 1], [1, 2, 3]])
def test_an_order_that_leaves_a_token_out_is_refused(order):
    (x,) = drawn((3, D_MODEL))
    with refused(f"order must name each of the 3 tokens once, got {order}"):
        shuffle(module(), x, torch.tensor(order))


def test_no_things_have_no_order():
    with refused("n must be at least 1, got 0"):
        permutation(0, seeded())
