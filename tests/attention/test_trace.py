"""The record observes: it keeps values with named axes and changes nothing."""

import math

import pytest
import torch
from torch.testing import assert_close

from attention import MultiHeadAttention, Quantity, Step, Trace, grid, scaled_dot_product_attention
from tests.support import BATCH, D_K, D_V, EXACT, HEADS, KEYS, QUERIES, drawn, qkv, refused, seeded, with_gradients

PAIRS = Quantity("pairs", "P", "", ("query", "key"))
ROWS = Quantity("rows", "R", "", ("query",))
NUMBER = Quantity("number", "c", "", ())


def test_recording_hands_the_live_tensor_back():
    value = torch.ones(2, 3, requires_grad=True) * 2
    assert Trace().record(PAIRS, value) is value


def test_recorded_values_are_detached():
    trace = Trace()
    x = drawn((QUERIES, 11))[0].requires_grad_()
    output = MultiHeadAttention(11, bias=True, generator=seeded()).double()(x, trace=trace)
    assert output.requires_grad
    assert not any(step.value.requires_grad for step in trace.values())


@pytest.mark.parametrize("dropout", [0.0, 0.5])
def test_gradients_with_and_without_a_trace_are_identical(dropout):
    def run(trace):
        def attend(q, k, v):
            mask = grid("causal", QUERIES, KEYS)
            return scaled_dot_product_attention(q, k, v, mask=mask, dropout=dropout, generator=seeded(), trace=trace)

        return with_gradients(attend, qkv())

    torch.testing.assert_close(run(Trace()), run(None), **EXACT)


def test_gradients_of_the_parameters_with_and_without_a_trace_are_identical():
    layer = MultiHeadAttention(6, 3, bias=True, generator=seeded())
    (x,) = drawn((2, 5, 6), dtype=torch.float32)
    gradients = [
        torch.autograd.grad(layer(x, trace=trace).square().sum(), tuple(layer.parameters()))
        for trace in (Trace(), None)
    ]
    torch.testing.assert_close(*gradients, **EXACT)


def test_a_recorded_value_stays_when_an_optimiser_moves_the_parameter():
    layer = MultiHeadAttention(6, bias=True, generator=seeded())
    trace = Trace()
    output = layer(drawn((5, 6), dtype=torch.float32)[0], trace=trace)
    before = {id: step.value.clone() for id, step in trace.items()}
    output.sum().backward()
    torch.optim.SGD(layer.parameters(), lr=1.0).step()
    torch.testing.assert_close({id: step.value for id, step in trace.items()}, before, **EXACT)


def test_an_empty_trace_is_truthy_and_gets_filled():
    trace = Trace()
    assert trace
    scaled_dot_product_attention(*qkv(), trace=trace)
    assert trace
    assert len(trace) == 7


def test_a_second_run_into_one_trace_is_refused():
    trace = Trace()
    scaled_dot_product_attention(*qkv(), trace=trace)
    with refused("step 'scores' is recorded already; give each run a Trace of its own"):
        scaled_dot_product_attention(*qkv(), trace=trace)


def test_the_same_id_twice_is_refused():
    trace = Trace()
    trace.record(PAIRS, torch.zeros(2, 3))
    with refused("step 'pairs' is recorded already; give each run a Trace of its own"):
        trace.record(PAIRS, torch.zeros(2, 3))


@pytest.mark.parametrize(
    ("quantity", "shape", "fact"),
    [
        (PAIRS, (2, 3, 5), "step 'pairs': the value has 3 axes, its quantity names 2 (query, key)"),
        (NUMBER, (1,), "step 'number': the value has 1 axes, its quantity names 0 (none)"),
    ],
)
def test_more_axes_than_the_quantity_names_are_refused(quantity, shape, fact):
    advice = "; run without a trace, or flatten the leading axes into one batch"
    with refused(fact + advice):
        Trace().record(quantity, torch.zeros(shape))


def test_an_axis_that_changes_its_size_is_refused():
    trace = Trace()
    trace.record(PAIRS, torch.zeros(5, 7))
    with refused("step 'rows': axis 'query' has size 3, earlier steps have 5"):
        trace.record(ROWS, torch.zeros(3))


def test_an_axis_that_broadcast_keeps_the_size_that_it_had():
    trace, of_sentences = Trace(), ("batch", "query")
    for id, batch in (("first", 3), ("shared", 1)):
        trace.record(Quantity(id, "F", "", of_sentences), torch.zeros(batch, 7))
    assert trace.sizes == {"batch": 3, "query": 7}
    with refused("step 'other': axis 'batch' has size 5, earlier steps have 3"):
        trace.record(Quantity("other", "O", "", of_sentences), torch.zeros(5, 7))


def test_a_refused_step_leaves_the_trace_as_it_was():
    trace = Trace()
    trace.record(Quantity("keys", "K", "", ("key",)), torch.zeros(7))
    with refused("step 'pairs': axis 'key' has size 3, earlier steps have 7"):
        trace.record(PAIRS, torch.zeros(5, 3))
    assert list(trace) == ["keys"]
    assert trace.sizes == {"key": 7}


def test_an_unknown_id_is_refused_with_the_ids_that_are_there():
    trace = Trace()
    with refused("no step 'weight' in this trace; it has none", KeyError):
        trace["weight"]
    trace.record(PAIRS, torch.zeros(2, 3))
    trace.record(ROWS, torch.zeros(2))
    with refused("no step 'weight' in this trace; it has pairs, rows", KeyError):
        trace["weight"]
    assert trace.get("weight") is None
    assert "weight" not in trace


def test_a_step_is_its_quantity_with_a_value():
    trace = Trace()
    value = torch.arange(6.0).reshape(2, 3)
    trace.record(PAIRS, value)
    step = trace["pairs"]
    assert isinstance(step, Step)
    assert step.quantity is PAIRS
    assert step.id == "pairs"
    torch.testing.assert_close(step.value, value, **EXACT)


def test_sizes_are_named():
    trace = Trace()
    scaled_dot_product_attention(*qkv(), trace=trace)
    assert trace["scores"].sizes == {"batch": BATCH, "head": HEADS, "query": QUERIES, "key": KEYS}
    assert trace["output"].sizes == {"batch": BATCH, "head": HEADS, "query": QUERIES, "value": D_V}
    assert trace.sizes == {
        "batch": BATCH,
        "head": HEADS,
        "query": QUERIES,
        "feature": D_K,
        "key": KEYS,
        "value": D_V,
    }


def test_unbatched_inputs_lose_the_outer_axis_names():
    trace = Trace()
    scaled_dot_product_attention(*drawn((QUERIES, D_K), (KEYS, D_K), (KEYS, D_V)), trace=trace)
    assert trace["queries"].axes == ("query", "feature")
    assert trace["weights"].axes == ("query", "key")
    assert trace["output"].sizes == {"query": QUERIES, "value": D_V}


def test_a_module_without_a_batch_keeps_its_heads():
    trace = Trace()
    MultiHeadAttention(6, 3, generator=seeded())(torch.zeros(5, 6), trace=trace)
    assert trace["x"].axes == ("query", "model")
    assert trace["weights"].sizes == {"head": 3, "query": 5, "key": 5}
    assert trace["concat"].sizes == {"query": 5, "concat": 6}


def test_a_number_has_no_axes():
    trace = Trace()
    scaled_dot_product_attention(*qkv(), scale=0.3, trace=trace)
    assert trace["scale"].axes == ()
    assert trace["scale"].sizes == {}


def test_the_order_of_the_ids_is_that_of_the_run():
    trace = Trace()
    layer = MultiHeadAttention(6, 3, d_context=11, bias=True, dropout=0.5, generator=seeded())
    mask = grid("full", 5, 7)
    layer(torch.zeros(2, 5, 6), torch.zeros(2, 7, 11), mask=mask, scale=0.3, generator=seeded(), trace=trace)
    assert " ".join(trace) == (
        "x context w_q w_k w_v b_q queries b_k keys b_v values scores scale scaled mask masked weights"
        " dropout kept dropped output concat w_o b_o projected"
    )


def test_a_bare_run_records_the_equation_and_nothing_else():
    trace = Trace()
    scaled_dot_product_attention(*qkv(), trace=trace)
    assert " ".join(trace) == "queries keys values scores scaled weights output"


def test_leading_axes_that_broadcast_can_be_traced():
    trace = Trace()
    q, k, v = drawn((2, 3, 5, 11), (2, 1, 7, 11), (2, 1, 7, 13))
    output = scaled_dot_product_attention(q, k, v, trace=trace)
    torch.testing.assert_close(output, scaled_dot_product_attention(q, k, v), **EXACT)


@pytest.mark.parametrize(
    ("axes", "shape", "group"),
    [
        (("batch", "head", "query", "key"), (2, 6, 5, 7), 1),
        # All sentences and heads share the first value, three heads each share the second, and none share the third.
        (("batch", "head", "query", "key"), (1, 1, 5, 7), 1),
        (("batch", "kv_head", "key", "d_k"), (2, 2, 7, 11), 3),
        (("batch", "key", "d_model"), (2, 7, 13), 1),
        (("head",), (6,), 1),
    ],
)
def test_all_heads_are_those_of_each_head(axes, shape, group):
    step = Step(Quantity("some", "S", "", axes), torch.arange(math.prod(shape)).view(shape), group)
    for batch in range(2):
        each = [step.of(batch=batch, head=head) for head in range(6)]
        assert_close(step.of_heads(6, batch=batch), torch.stack(each), rtol=0, atol=0)
        first = step.value[batch if shape[0] == 2 else 0] if "batch" in axes else step.value
        assert torch.equal(each[5], first[min(5 // group, len(first) - 1)] if "d_model" not in axes else first)
