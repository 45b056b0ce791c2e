"""Keys that an index chooses: the loop that defines the choice, torch's attention, printed digits."""

import math

import pytest
import torch
from torch.nn.functional import scaled_dot_product_attention as sdpa

from attention import Trace, grid
from attention.analysis.backward import Weighted, backward
from attention.explain.cell import cell
from attention.export.files import load, save
from attention.export.script import script
from attention.index_notation import IDS
from attention.indexed import indexed_attention
from tests.support import BATCH, CLOSE, D_K, EXACT, HEADS, KEYS, QUERIES, drawn, refused
from tests.support.indexes import INDEX_FEATURES, INDEX_HEADS, INDEX_RUNS, index_givens, mask_of, traced_index

PRINTED = {"rtol": 0, "atol": 6e-7}


def chosen_by_hand(scores, permitted, keep):
    """The mask of the keys with the largest permitted scores in each row, one by one; of equal scores, the first."""
    mask = torch.zeros_like(permitted)
    for i, row in enumerate(scores.tolist()):
        free = [j for j in range(len(row)) if permitted[i, j]]
        for _ in range(min(keep, len(free))):
            best = max(free, key=lambda j: (row[j], -j))
            mask[i, best] = True
            free.remove(best)
    return mask


def score_by_hand(q, k, w):
    """One number of the index, term by term; q (heads, features), k (features), w (heads)."""
    total = sum(float(w[h]) * max(0.0, sum(float(a * b) for a, b in zip(q[h], k, strict=True))) for h in range(len(q)))
    return total / (len(q) * len(k)) ** 0.5


@pytest.mark.parametrize("dtype", [torch.float64, torch.float32], ids=str)
@pytest.mark.parametrize("run", INDEX_RUNS, ids=str)
def test_a_query_attends_to_the_keys_that_a_loop_chooses(run, dtype):
    trace = traced_index(run, dtype)
    q, k, v, q_i, k_i, w_i = index_givens(run.batched, dtype)
    asked = mask_of(run)
    permitted = (
        torch.ones(QUERIES, KEYS) > 0
        if asked is None
        else grid(asked, QUERIES, KEYS)
        if isinstance(asked, str)
        else asked
    )
    for batch in range(BATCH if run.batched else 1):
        queries, keys, weights = (each[batch] if run.batched else each for each in (q_i, k_i, w_i))
        scores = trace["index_scores"].of(batch=batch)
        for i, j in ((0, 0), (2, 5), (4, 6)):
            wanted = score_by_hand(queries[:, i], keys[j], weights[:, i])
            assert scores[i, j].item() == pytest.approx(wanted, abs=1e-10 if dtype == torch.float64 else 1e-3)
        mask = chosen_by_hand(scores, permitted, run.keep)
        torch.testing.assert_close(trace["mask"].of(batch=batch), mask, **EXACT)
    wanted = sdpa(q, k, v, attn_mask=trace["mask"].value, scale=run.scale)
    seen = trace["mask"].value.any(-1, keepdim=True)
    # For a query that may attend to nothing, torch gives NaN, or zeros in a later version; ours gives zeros.
    torch.testing.assert_close(trace["output"].value, wanted.masked_fill(~seen, 0), **CLOSE[dtype])


@pytest.mark.parametrize("run", INDEX_RUNS, ids=str)
def test_a_query_never_looks_at_what_is_not_permitted(run):
    trace = traced_index(run)
    assert not (trace["mask"].value & ~trace["permitted"].value.unsqueeze(-3)).any()
    permitted = trace["permitted"].value.sum(-1)
    torch.testing.assert_close(trace["mask"].value.sum(-1).squeeze(-2), permitted.clamp(max=run.keep), **EXACT)


def test_of_equal_scores_the_first_keys_are_kept():
    """ReLU makes the scores equal by setting them to 0."""
    q, k, v, q_i, k_i, w_i = index_givens(batched=False)
    trace = Trace()
    indexed_attention(q, k, v, q_i.abs(), -k_i.abs(), w_i, 3, mask=None, trace=trace)
    assert not trace["index_scores"].value.any()
    wanted = (torch.arange(KEYS) < 3).expand(1, QUERIES, KEYS)
    torch.testing.assert_close(trace["mask"].value, wanted, **EXACT)


def test_all_keys_kept_is_attention_itself():
    q, k, v, *index = index_givens(batched=True)
    whole = indexed_attention(q, k, v, *index, KEYS, mask="causal")
    torch.testing.assert_close(whole, sdpa(q, k, v, is_causal=True), **CLOSE[torch.float64])


def rnd(*shape: int, seed: int) -> torch.Tensor:
    return torch.randn(*shape, generator=torch.Generator().manual_seed(seed), dtype=torch.float64)


def test_the_digits_of_another_program():
    """Four tokens, two heads of the index with two features, two keys kept (float64, torch 2.13, another program)."""
    q, k, v = (rnd(4, 3, seed=seed)[None] for seed in range(3))
    trace, whole = Trace(), Trace()
    index = rnd(4, 2, 2, seed=15).transpose(0, 1), rnd(4, 2, seed=16), rnd(4, 2, seed=17).T
    output = indexed_attention(q, k, v, *index, 2, trace=trace)
    indexed_attention(q, k, v, *index, 4, trace=whole)
    scores = [0.078537, 0.021150, 0.037708, 0, -0.184578, -0.197153, -1.119071, -0.053594, -0.124970, -0.417091]
    wanted = torch.tensor(scores, dtype=torch.float64)
    torch.testing.assert_close(trace["index_scores"].value[trace["permitted"].value], wanted, **PRINTED)
    weights = [[1, 0, 0, 0], [0.349575, 0.650425, 0, 0], [0.565255, 0.434745, 0, 0], [0, 0.469635, 0.530365, 0]]
    torch.testing.assert_close(trace["weights"].value[0], torch.tensor(weights, dtype=torch.float64), **PRINTED)
    read = [[-0.302136, 0.327704, -0.455892], [-0.261972, 0.777416, -0.505239]]
    torch.testing.assert_close(output[0, 2:], torch.tensor(read, dtype=torch.float64), **PRINTED)
    full = torch.tensor([0.177122, 0.223595, 0.252508, 0.346775], dtype=torch.float64)
    torch.testing.assert_close(whole["weights"].value[0, 3], full, **PRINTED)
    kept = (whole["weights"].value * trace["mask"].value).sum(-1)
    wanted = torch.tensor([[1, 1, 0.639048, 0.476103]], dtype=torch.float64)
    torch.testing.assert_close(kept, wanted, **PRINTED)


def test_the_weights_of_the_heads_change_the_choice():
    """Without ReLU and weights, that program makes another choice."""
    q_i, k_i = rnd(4, 2, 2, seed=15), rnd(4, 2, seed=16)
    plain = torch.einsum("thd,sd->ts", q_i, k_i)
    rows = [{j + 1 for j in plain[t, : t + 1].topk(min(2, t + 1)).indices.tolist()} for t in range(1, 4)]
    assert rows == [{1, 2}, {2, 3}, {1, 4}]


@pytest.mark.parametrize("run", INDEX_RUNS, ids=str)
def test_the_arithmetic_of_every_cell_gives_the_recorded_number(run):
    trace = traced_index(run)
    for id, step in trace.items():
        if step.axes:
            shown = torch.atleast_2d(step.of(batch=1, head=2))
            told = [cell(trace, id, i, j, batch=1, head=2) for i in range(len(shown)) for j in range(shown.shape[1])]
            computed = torch.tensor([each.computed for each in told], dtype=torch.float64)
            torch.testing.assert_close(computed, shown.double().flatten(), rtol=0, atol=1e-12, msg=id)


def test_the_reason_of_a_cell_of_the_mask_is_told():
    trace = traced_index(INDEX_RUNS[0]._replace(mask="causal", keep=1))
    left, permitted = trace["mask"].of(), trace["permitted"].of()
    for i in range(QUERIES):
        for j in range(KEYS):
            wanted = "both" if left[i, j] else "not_chosen" if permitted[i, j] else "not_permitted"
            assert cell(trace, "mask", i, j).rule == wanted
            # The choice is among the permitted scores.
            (scores,) = cell(trace, "choice", i, j).lines
            permits = trace["index_scores"].of()[i].where(permitted[i], torch.tensor(-math.inf))
            torch.testing.assert_close(scores.values, permits)


@pytest.mark.parametrize("run", INDEX_RUNS, ids=str)
def test_the_script_computes_the_steps_and_agrees_with_torch(run, capsys):
    trace, namespace = traced_index(run), {}
    exec(script(trace), namespace)
    for id, step in trace.items():
        made = torch.as_tensor(namespace["steps"][id], dtype=torch.float64)
        torch.testing.assert_close(made, step.value.double(), rtol=0, atol=1e-12)
    said = capsys.readouterr().out.splitlines()[-1]
    assert said.startswith("max |O - F.scaled_dot_product_attention| = ")
    # Versions of torch differ for a row that sees nothing.
    assert run.mask == "drawn" or float(said.rpartition(" ")[2]) <= 1e-12


def test_no_gradient_reaches_the_index():
    trace = traced_index(INDEX_RUNS[0])
    (upstream,) = drawn(trace["output"].value.shape, seed=7)
    found = backward(trace, Weighted(upstream, "output")).gradients
    assert {"queries", "keys", "values"} <= set(found)
    assert not (set(IDS) - {"mask"}) & set(found)


def test_a_record_with_an_index_is_saved_and_read_again(tmp_path):
    trace = traced_index(INDEX_RUNS[0])
    save(trace, tmp_path / "index.npz")
    read = load(tmp_path / "index.npz", Trace())
    assert [step.quantity for step in read.values()] == [step.quantity for step in trace.values()]


def test_bad_arguments_are_refused():
    q, k, v, q_i, k_i, w_i = index_givens(batched=True)
    with refused("keep must be at least 1, got 0"):
        indexed_attention(q, k, v, q_i, k_i, w_i, 0)
    with refused("keep must be a whole number, got float"):
        indexed_attention(q, k, v, q_i, k_i, w_i, 2.5)
    with refused("index_key has dtype float32, query has float64"):
        indexed_attention(q, k, v, q_i, k_i.float(), w_i, 2)
    with refused("index_weight must be a Tensor, got float"):
        indexed_attention(q, k, v, q_i, k_i, 1.0, 2)
    with refused(f"query needs at least 3 axes, got shape ({QUERIES}, {D_K})"):
        indexed_attention(q[0, 0], k[0, 0], v[0, 0], q_i[0], k_i[0], w_i[0], 2)
    with refused("index_query needs queries 5, got 4"):
        indexed_attention(q, k, v, q_i[..., :4, :], k_i, w_i, 2)
    with refused(f"index_key needs (keys, index features) ({KEYS}, {INDEX_FEATURES}), got (6, {INDEX_FEATURES})"):
        indexed_attention(q, k, v, q_i, k_i[..., :6, :], w_i, 2)
    with refused(f"index_weight needs (index heads, queries) ({INDEX_HEADS}, {QUERIES}), got ({INDEX_HEADS}, 3)"):
        indexed_attention(q, k, v, q_i, k_i, w_i[..., :3], 2)
    with refused("the leading axes of the index are (), those of query (2,)"):
        indexed_attention(q, k, v, q_i[0], k_i[0], w_i[0], 2)
    with refused("mask has dtype float64; bool (True = may attend)"):
        indexed_attention(q, k, v, q_i, k_i, w_i, 2, mask=torch.zeros(QUERIES, KEYS, dtype=torch.float64))
    scores = f"({BATCH}, {QUERIES}, {KEYS}); it is the same for all heads"
    with refused(f"mask ({BATCH}, {HEADS}, {QUERIES}, {KEYS}) does not expand to the index scores {scores}"):
        indexed_attention(q, k, v, q_i, k_i, w_i, 2, mask=torch.ones(BATCH, HEADS, QUERIES, KEYS).bool())
