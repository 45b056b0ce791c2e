"""A gate after attention, and one head taken off another: torch's own function, printed digits, the sink of a query."""

import math

import pytest
import torch
from torch.nn import functional as F

from attention import MultiHeadAttention, Trace, scaled_dot_product_attention
from attention.analysis.backward import Weighted, backward
from attention.analysis.rerun import rerun
from attention.comparisons.parity import against_torch
from attention.explain import gradient
from attention.explain.cell import cell
from attention.export.files import load, save
from attention.export.script import script
from attention.modules import GATES
from tests.support import BATCH, CLOSE, D_K, D_V, HEADS, KEYS, QUERIES, drawn, refused, seeded
from tests.support.backward import by_lines
from tests.support.runs import RUNS, traced

PRINTED = {"rtol": 0, "atol": 6e-7}
OURS = [run for run in RUNS if run.gate != "no" or run.difference != "no" or run.by_query]
FORMATS = (torch.float64, torch.float32)


def rnd(*shape: int, seed: int) -> torch.Tensor:
    return torch.randn(*shape, generator=torch.Generator().manual_seed(seed), dtype=torch.float64)


def number(*rows: str) -> torch.Tensor:
    return torch.tensor([[float(each) for each in row.split()] for row in rows], dtype=torch.float64)


Q, K, V = (rnd(3, 3, seed=seed) for seed in range(3))
G = rnd(3, 3, seed=3)


def recorded(*parts, **options) -> Trace:
    trace = Trace()
    scaled_dot_product_attention(*parts, trace=trace, **options)
    return trace


def test_the_digits_of_a_gate_of_each_feature():
    """Another program computed these digits, and those below, in float64."""
    found = recorded(Q, K, V, mask="causal", gate=G)["gated"].value
    wanted = number(".270950 -.121529 -.166853", "-.227110 .307536 -.106230", ".008045 .296723 -.083224")
    torch.testing.assert_close(found, wanted, **PRINTED)


def test_the_digits_of_a_gate_of_a_head_and_of_the_sinks_that_do_the_same():
    gated = recorded(Q, K, V, mask="causal", gate=G[:, 0])
    torch.testing.assert_close(gated["gated"].value[2:], number(".008045 .236161 -.252572"), **PRINTED)
    sinks = gated["masked"].value.logsumexp(-1) - G[:, 0]
    torch.testing.assert_close(sinks[None], number("-.337680 1.664862 .938304"), **PRINTED)
    sunk = recorded(Q, K, V, mask="causal", sink=sinks)
    torch.testing.assert_close(sunk["weights"].value[2:], number(".210804 .162132 .210645"), **PRINTED)
    sums = sunk["weights"].value.sum(-1)
    torch.testing.assert_close(sums[None], number(".690675 .351212 .583582"), **PRINTED)


@pytest.mark.parametrize("mask", [None, "causal"])
@pytest.mark.parametrize("dtype", FORMATS, ids=str)
def test_a_gate_of_a_head_is_a_sink_of_each_query(dtype, mask):
    q, k, v, g = drawn(
        (BATCH, HEADS, KEYS, D_K),
        (BATCH, HEADS, KEYS, D_K),
        (BATCH, HEADS, KEYS, D_V),
        (BATCH, HEADS, KEYS),
        dtype=dtype,
    )
    gated = recorded(q, k, v, mask=mask, gate=3 * g)
    scores = gated["masked" if mask else "scaled"].value
    sunk = recorded(q, k, v, mask=mask, sink=scores.logsumexp(-1) - 3 * g)
    # Numbers near one have the digits of their format, less those of a few sums.
    digits = {"rtol": 0, "atol": 32 * torch.finfo(dtype).eps}
    torch.testing.assert_close(sunk["output"].value, gated["gated"].value, **digits)
    opened = (3 * g).sigmoid()
    torch.testing.assert_close(sunk["weights"].value, opened[..., None] * gated["weights"].value, **digits)
    torch.testing.assert_close(sunk["weights"].value.sum(-1), opened, **digits)


def test_a_gate_that_is_shut_silences_a_head_for_one_word_alone():
    gate = torch.full((3,), math.inf, dtype=torch.float64)
    gate[1] = -math.inf
    found = recorded(Q, K, V, gate=gate)
    assert found["gated"].value[1].tolist() == [0, 0, 0]
    torch.testing.assert_close(found["gated"].value[::2], found["output"].value[::2], rtol=0, atol=0)


@pytest.mark.parametrize("of", GATES)
@pytest.mark.parametrize("dtype", FORMATS, ids=str)
def test_a_gate_multiplies_what_torchs_function_gives(dtype, of):
    q, k, v, g = drawn(
        (BATCH, HEADS, QUERIES, D_K),
        (BATCH, HEADS, KEYS, D_K),
        (BATCH, HEADS, KEYS, D_V),
        (BATCH, HEADS, QUERIES, D_V) if of == "features" else (BATCH, HEADS, QUERIES),
        dtype=dtype,
    )
    opened = g.sigmoid() if of == "features" else g.sigmoid()[..., None]
    wanted = F.scaled_dot_product_attention(q, k, v) * opened
    torch.testing.assert_close(scaled_dot_product_attention(q, k, v, gate=g), wanted, **CLOSE[dtype])


@pytest.mark.parametrize("of", GATES)
@pytest.mark.parametrize("dtype", FORMATS, ids=str)
def test_a_layer_makes_its_gate_of_what_its_queries_are_made_of(dtype, of):
    layer = MultiHeadAttention(11, HEADS, d_k=D_K, d_v=D_V, d_context=13, gate=of, generator=seeded(1)).to(dtype)
    x, context = drawn((BATCH, QUERIES, 11), (BATCH, KEYS, 13), dtype=dtype)
    q, k, v = (
        (source @ w).unflatten(-1, (HEADS, -1)).transpose(1, 2)
        for source, w in ((x, layer.w_q), (context, layer.w_k), (context, layer.w_v))
    )
    g = (x @ layer.w_g).unflatten(-1, (HEADS, -1)).transpose(1, 2)
    wanted = (F.scaled_dot_product_attention(q, k, v) * g.sigmoid()).transpose(1, 2).flatten(2) @ layer.w_o
    torch.testing.assert_close(layer(x, context), wanted, **CLOSE[dtype])
    trace = Trace()
    layer(x, context, trace=trace)
    assert against_torch(trace)[1].reason == "gate"
    torch.testing.assert_close(rerun(trace)["gated"].value, trace["gated"].value)


def test_the_gate_of_a_layer_of_transformers_is_that_of_each_feature():
    """One projection is twice as wide; of each head, the first half of its columns are queries, the second its gate."""
    qwen = pytest.importorskip("transformers.models.qwen3_next.modeling_qwen3_next")
    config = pytest.importorskip("transformers.models.qwen3_next.configuration_qwen3_next").Qwen3NextConfig(
        hidden_size=22, num_attention_heads=6, num_key_value_heads=2, head_dim=8, attn_implementation="eager"
    )
    with torch.random.fork_rng():
        torch.manual_seed(5)
        theirs = qwen.Qwen3NextAttention(config, 0).double().eval()
    (x,) = drawn((BATCH, QUERIES, 22))
    # Angles of 0: nothing turns.
    still = torch.ones(BATCH, QUERIES, 8, dtype=torch.float64), torch.zeros(BATCH, QUERIES, 8, dtype=torch.float64)
    with torch.no_grad():
        wanted = theirs(x, still, None)[0]
        ours = MultiHeadAttention(22, 6, kv_heads=2, d_k=8, d_out=22, qk_norm=True, gate="features").double()
        wide = theirs.q_proj.weight.view(6, 2, 8, 22)
        given = {
            "w_q": wide[:, 0].flatten(0, 1).T,
            "w_g": wide[:, 1].flatten(0, 1).T,
            "w_k": theirs.k_proj.weight.T,
            "w_v": theirs.v_proj.weight.T,
            "w_o": theirs.o_proj.weight.T,
            # transformers stores gains minus 1.
            "g_q": 1 + theirs.q_norm.weight,
            "g_k": 1 + theirs.k_norm.weight,
        }
        for name, value in given.items():
            ours.get_parameter(name).copy_(value)
        torch.testing.assert_close(ours(x), wanted, rtol=0, atol=1e-5)


Q_2, K_2 = rnd(3, 3, seed=4), rnd(3, 3, seed=5)


def test_the_digits_of_the_difference_of_two_heads():
    """Ye et al. 2024 (arXiv 2410.05258), equations 1 to 3, for the second layer."""
    first = 0.8 - 0.6 * math.exp(-0.3)
    one, two, three, four = (0.1 * rnd(3, seed=seed) for seed in range(7, 11))
    by = (one @ two).exp() - (three @ four).exp() + first
    assert by.item() == pytest.approx(0.368618, abs=6e-7)
    values = rnd(3, 6, seed=6)
    found = recorded(torch.stack((Q, Q_2)), torch.stack((K, K_2)), values[None], mask="causal", difference=by)
    taken = number(".189690 .441692 0", ".301410 .179471 .150501")
    torch.testing.assert_close(found["difference"].value[0, 1:], taken, **PRINTED)
    torch.testing.assert_close(found["difference"].value.sum(-1), (1 - by).expand(1, 3))
    read = number(".714194 1.172939 -.542322 -.016162 .552659 -.435384")
    torch.testing.assert_close(found["output"].value[0, :1], read, **PRINTED)
    normed = (1 - first) * F.rms_norm(found["output"].value[0, 2:], (6,), eps=1e-5)
    torch.testing.assert_close(normed, number(".709777 1.130929 -.582719 .322347 .104089 -.504996"), **PRINTED)


def test_the_digits_of_a_difference_that_each_query_sets_for_itself():
    """The version of 2026: both heads of a pair read one key and one value head."""
    logits = rnd(3, 1, seed=11)
    by = logits.sigmoid().mT
    found = recorded(torch.stack((Q, Q_2)), K[None], V[None], mask="causal", enable_gqa=True, difference=by)
    taken = number(".323523 0 0", "-.187863 .312861 0", ".299506 .238655 .129925")
    torch.testing.assert_close(found["difference"].value[0], taken, **PRINTED)
    torch.testing.assert_close(found["difference"].value.sum(-1), number(".323523 .124998 .668086"), **PRINTED)
    torch.testing.assert_close(found["output"].value[0, 2:], number("-.095632 .252590 -.297734"), **PRINTED)


@pytest.mark.parametrize("dtype", FORMATS, ids=str)
def test_a_difference_is_that_of_two_calls_of_torchs_function(dtype):
    q, k, v, by = drawn(
        (BATCH, 2 * HEADS, QUERIES, D_K),
        (BATCH, 2 * HEADS, KEYS, D_K),
        (BATCH, HEADS, KEYS, D_V),
        (HEADS,),
        dtype=dtype,
    )
    one, two = (F.scaled_dot_product_attention(q[:, at::2], k[:, at::2], v) for at in (0, 1))
    found = scaled_dot_product_attention(q, k, v, difference=by)
    torch.testing.assert_close(found, one - by[:, None, None] * two, **CLOSE[dtype])
    # Pairs of heads that share keys and values are in one group.
    shared, values = k[:, :HEADS], v
    q = torch.cat((q, q.flip(-1)), 1)
    one, two = (F.scaled_dot_product_attention(q[:, at::2], shared, values, enable_gqa=True) for at in (0, 1))
    found = scaled_dot_product_attention(q, shared, values, enable_gqa=True, difference=by.repeat_interleave(2))
    torch.testing.assert_close(found, one - by.repeat_interleave(2)[:, None, None] * two, **CLOSE[dtype])


def test_a_head_of_the_difference_is_found_by_either_of_its_two():
    trace = recorded(*drawn((6, 5, D_K), (6, KEYS, D_K), (3, KEYS, D_V)), difference=torch.tensor(0.5))
    assert trace["difference"].axes == ("head_pair", "query", "key")
    for head in range(6):
        torch.testing.assert_close(trace["output"].of(head=head), trace["output"].value[head // 2])
        torch.testing.assert_close(trace["values"].of(head=head), trace["values"].value[head // 2])


@pytest.mark.parametrize("run", OURS, ids=str)
def test_the_arithmetic_of_every_cell_gives_the_recorded_number(run):
    trace = traced(run)
    for id in {"difference", "gate", "gated", "weights", "output"} & trace.keys():
        shown = torch.atleast_2d(trace[id].of(batch=1, head=4))
        told = [cell(trace, id, i, j, batch=1, head=4) for i in range(len(shown)) for j in range(shown.shape[1])]
        computed = torch.tensor([each.computed for each in told], dtype=torch.float64)
        torch.testing.assert_close(computed, shown.flatten(), rtol=0, atol=1e-12, msg=lambda text, id=id: id + text)


@pytest.mark.parametrize("run", [run for run in OURS if run.kind == "function"], ids=str)
def test_the_gradients_by_their_formulas_are_those_of_autograd(run):
    trace = traced(run)
    last = list(trace)[-1]
    (upstream,) = drawn(trace[last].value.shape, seed=7)
    found = backward(trace, Weighted(upstream, last))
    assert {"gate", "lambda", "sink"} & trace.keys() <= set(found.gradients)
    assert [id for id, step in found.gradients.items() if step.quantity.given] == [last]
    for id, step in found.gradients.items():
        assert found.difference(id) <= 1e-11, id
        torch.testing.assert_close(step.value, by_lines(trace, id, upstream), rtol=0, atol=1e-11)
        if id in ("gate", "lambda", "sink", "weights", "output"):
            _every_cell_is_told(trace, found, id)


def _every_cell_is_told(trace, found, id):
    for head in (1, 4):
        shown = torch.atleast_2d(found.gradients[id].of(batch=1, head=head))
        where = {"by": found.read_by(id), "batch": 1, "head": head}
        every = [
            gradient.cell(trace, found.gradients, id, i, j, **where)
            for i in range(len(shown))
            for j in range(shown.shape[1])
        ]
        computed = torch.tensor([each.computed for each in every], dtype=torch.float64)
        torch.testing.assert_close(computed, shown.flatten(), rtol=0, atol=1e-11, msg=lambda text: id + text)
        assert "formula" not in {each.rule for each in every}, id


@pytest.mark.parametrize("run", OURS, ids=str)
def test_a_record_is_saved_and_read_again_and_its_script_computes_it(run, tmp_path):
    trace, namespace = traced(run), {}
    save(trace, tmp_path / "run.npz")
    assert [step.quantity for step in load(tmp_path / "run.npz", Trace()).values()] == [
        step.quantity for step in trace.values()
    ]
    exec(script(trace), namespace)
    last = list(trace)[-1]
    torch.testing.assert_close(namespace["steps"][last], trace[last].value, **CLOSE[torch.float64])
    assert ("scaled_dot_product_attention" in script(trace)) == (not {"difference", "sink", "kept"} & trace.keys())


def test_what_does_not_fit_is_refused():
    q, k, v, g = drawn((BATCH, 6, QUERIES, D_K), (BATCH, 6, KEYS, D_K), (BATCH, 6, KEYS, D_V), (BATCH, 6, QUERIES))
    shapes = f"({BATCH}, 6, {QUERIES}), or a feature, ({BATCH}, 6, {QUERIES}, {D_V})"
    with refused(f"gate needs a number a query, {shapes}, got (6,)"):
        scaled_dot_product_attention(q, k, v, gate=g[0, :, 0])
    with refused(f"gate needs a number a query, {shapes}, got ({BATCH}, 6, 3)"):
        scaled_dot_product_attention(q, k, v, gate=g[..., :3])
    with refused(f"gate needs a number a query, {shapes}, got ({BATCH}, 6, {QUERIES}, 1)"):
        scaled_dot_product_attention(q, k, v, gate=g[..., None])
    with refused("gate has dtype float32, query has float64"):
        scaled_dot_product_attention(q, k, v, gate=g.float())
    with refused("unknown gate 'heads'; one of features, head"):
        MultiHeadAttention(6, gate="heads")
    half, by = v[:, :3], torch.tensor(0.5)
    with refused("difference needs an even number of query heads, since they come in pairs, got 5"):
        scaled_dot_product_attention(q[:, :5], k[:, :5], half, difference=by)
    with refused("difference needs an even number of query heads, since they come in pairs, got no"):
        scaled_dot_product_attention(q[0, 0], k[0, 0], v[0, 0], difference=by)
    with refused("difference: 3 pairs of query heads need as many value heads, got 6"):
        scaled_dot_product_attention(q, k, v, difference=by)
    with refused("difference: 3 pairs of query heads are no multiple of 2 key heads"):
        scaled_dot_product_attention(q, k[:, :2], v[:, :2], difference=by, enable_gqa=True)
    with refused(
        f"difference needs a number, one for each of 3 pairs of heads, or one for each query, ({BATCH}, 3, {QUERIES}),"
        " got (6,)"
    ):
        scaled_dot_product_attention(q, k, half, difference=torch.ones(6))
    with refused(f"sink needs a number a query, ({BATCH}, 6, {QUERIES}), got ({BATCH}, 6, 3)"):
        scaled_dot_product_attention(q, k, v, sink=g[..., :3])
