"""The delta rule: the loop that defines it, the form for all tokens, printed digits, functions of transformers."""

import json

import pytest
import torch

from attention import Trace, state
from attention.analysis.backward import Cell, Weighted, backward
from attention.analysis.backward.rules import RULES
from attention.explain.cell import cell
from attention.export.files import load, save
from attention.export.script import notebook, script
from attention.state_notation import IDS, QUANTITIES
from tests.support import BATCH, D_K, D_V, HEADS, KEYS, drawn, refused, with_gradients
from tests.support.backward import by_lines
from tests.support.states import DECAYS, STATE_RUNS, givens, traced_state

NEAR = {torch.float64: {"rtol": 0, "atol": 1e-12}, torch.float32: {"rtol": 0, "atol": 1e-5}}
PRINTED = {"rtol": 0, "atol": 6e-7}


def loop(q, k, v, beta, decay=None, rule="delta"):
    """The definition for one head, number by number: forget, look up, write, read. Returns all reads and all states."""
    S, read, states = torch.zeros(k.shape[-1], v.shape[-1], dtype=v.dtype), [], []
    for i in range(len(k)):
        if decay is not None:
            S = torch.stack([row * (decay[i] if decay.ndim == 1 else decay[i, d]) for d, row in enumerate(S)])
        found = sum(S[d] * k[i, d] for d in range(len(S))) if rule == "delta" else 0
        write = beta[i] * (v[i] - found)
        S = torch.stack([S[d] + k[i, d] * write for d in range(len(S))])
        states.append(S)
        read.append(sum(S[d] * q[i, d] for d in range(len(S))))
    return torch.stack(read), torch.stack(states)


def units(q, k):
    return q / q.square().sum(-1, keepdim=True).sqrt() / D_K**0.5, k / k.square().sum(-1, keepdim=True).sqrt()


def by_steps(given, **chosen):
    """The read vectors of all tokens, one step after the other, and the states between them."""
    q, k, v, beta, decay = given
    read, states, held = [], [], None
    for i in range(k.shape[-2]):
        token = (each[..., i : i + 1, :] for each in (q, k, v))
        fades = None if decay is None else decay[..., i : i + 1, :] if decay.ndim == k.ndim else decay[..., i : i + 1]
        out, held = state.step(*token, beta[..., i : i + 1], fades, state=held, **chosen)
        read.append(out)
        states.append(held)
    return torch.cat(read, -2), torch.stack(states, -3)


@pytest.mark.parametrize("rule", state.RULES)
@pytest.mark.parametrize("decay", DECAYS)
@pytest.mark.parametrize("dtype", NEAR, ids=str)
def test_both_forms_are_the_loop(dtype, decay, rule):
    given = givens(decay, KEYS, dtype)
    q, k = units(*given[:2])
    read, states = by_steps(given, rule=rule)
    whole = state.all_at_once(*given, rule=rule)
    for batch in range(BATCH):
        for head in range(HEADS):
            own = [None if each is None else each[batch, head] for each in (q, k, *given[2:])]
            wanted, held = loop(*own, rule=rule)
            torch.testing.assert_close(read[batch, head], wanted, **NEAR[dtype])
            torch.testing.assert_close(states[batch, head], held, **NEAR[dtype])
            torch.testing.assert_close(whole[batch, head], wanted, **NEAR[dtype])


@pytest.mark.parametrize("rule", state.RULES)
@pytest.mark.parametrize("decay", DECAYS)
def test_both_forms_have_the_gradients_of_the_loop(decay, rule):
    given = givens(decay, KEYS, lead=())
    inputs = [each for each in given if each is not None]
    wanted = with_gradients(lambda q, k, *rest: loop(*units(q, k), *rest, rule=rule)[0], inputs)
    for form in (
        lambda *given: state.all_at_once(*given, rule=rule),
        lambda *given: by_steps([*given, *[None] * (5 - len(given))], rule=rule)[0],
    ):
        for found, each in zip(with_gradients(form, inputs), wanted, strict=True):
            torch.testing.assert_close(found, each, **NEAR[torch.float64])


def test_a_decay_of_zero_forgets_everything_and_keeps_finite_gradients():
    q, k, v, beta, decay = givens("of heads", KEYS, lead=())
    decay[3] = 0
    read, *gradients = with_gradients(state.all_at_once, [q, k, v, beta, decay])
    torch.testing.assert_close(read[3:], state.all_at_once(*(each[3:] for each in (q, k, v, beta, decay))))
    assert all(each.isfinite().all() for each in gradients)


# A key that comes twice, by hand: the states after each of three tokens, and what (1, 0) reads from the last.
ONE, TWO = [1.0, 0.0], [0.0, 1.0]
BY_HAND = {
    "add": ({"rule": "add"}, 1, None, [[1, 0], [0, 0]], [[1, 0], [0, 1]], [[1, 2], [0, 1]]),
    "delta": ({}, 1, None, [[1, 0], [0, 0]], [[1, 0], [0, 1]], [[0, 2], [0, 1]]),
    "half": ({}, 0.5, None, [[0.5, 0], [0, 0]], [[0.5, 0], [0, 0.5]], [[0.25, 1], [0, 0.5]]),
    "gated": ({}, 1, 0.5, [[1, 0], [0, 0]], [[0.5, 0], [0, 1]], [[0, 2], [0, 0.5]]),
    "one row": ({}, 1, [0.5, 1], [[1, 0], [0, 0]], [[0.5, 0], [0, 1]], [[0, 2], [0, 1]]),
    "reflects": ({}, 2, None, [[2, 0], [0, 0]], [[2, 0], [0, 2]], [[-2, 4], [0, 2]]),
}


@pytest.mark.parametrize("name", BY_HAND)
def test_a_key_that_comes_again_by_hand(name):
    chosen, beta, decay, *states = BY_HAND[name]
    k, v = torch.tensor([ONE, TWO, ONE]), torch.tensor([ONE, TWO, [0.0, 2.0]])
    q = torch.tensor([ONE] * 3)
    fades = None if decay is None else torch.tensor(decay).expand(3, *([2] if isinstance(decay, list) else []))
    given = q, k, v, torch.full((3,), float(beta)), fades
    read, held = by_steps(given, scale=1.0, **chosen)
    torch.testing.assert_close(held, torch.tensor(states, dtype=torch.float32), rtol=0, atol=0)
    torch.testing.assert_close(read[-1], torch.tensor(states[-1][0], dtype=torch.float32), rtol=0, atol=0)
    torch.testing.assert_close(state.all_at_once(*given, scale=1.0, **chosen), read, rtol=0, atol=1e-6)


def seeded_numbers(*shape: int, seed: int) -> torch.Tensor:
    return torch.randn(*shape, generator=torch.Generator().manual_seed(seed), dtype=torch.float64)


# Computed elsewhere in float64 (torch 2.13, another program): S after three tokens, rows 2 and 3 of M, row 3 of O.
DIGITS = {
    "no": (
        [[-0.253835, -0.159117, 0.002693], [0.267592, -0.103493, -0.044303], [-0.071688, -0.217783, 0.162809]],
        [[-0.018990, 0.085572, 0], [0.153559, 0.006243, 0.056614]],
        [0.085164, 0.002815, -0.075202],
    ),
    "of heads": (
        [[-0.236488, -0.200078, 0.128826], [0.093963, 0.025058, -0.036510], [-0.136210, -0.158866, 0.115394]],
        [[-0.014408, 0.085572, 0], [0.022857, 0.001225, 0.056614]],
        [0.039937, 0.026794, -0.030265],
    ),
    "of features": (
        [[-0.234200, -0.201402, 0.127055], [0.204333, -0.063018, -0.012758], [-0.113433, -0.177816, 0.123794]],
        [[-0.002205, 0.085572, 0], [0.048390, -0.021855, 0.056614]],
        [0.077765, -0.003020, -0.023809],
    ),
}


@pytest.mark.parametrize("decay", DECAYS)
def test_the_digits_of_another_program(decay):
    q, k, v = (seeded_numbers(3, 3, seed=seed) for seed in range(3))
    beta = seeded_numbers(3, seed=12).sigmoid()
    fades = {"no": None, "of heads": seeded_numbers(3, seed=13), "of features": seeded_numbers(3, 3, seed=14)}[decay]
    alpha = None if fades is None else (-torch.nn.functional.softplus(fades)).exp()
    given, trace = (q, k, v, beta, alpha), Trace()
    state.all_at_once(*given, trace=trace)
    _, states = by_steps(given)
    last, mixing, read = (torch.tensor(each, dtype=torch.float64) for each in DIGITS[decay])
    torch.testing.assert_close(states[-1], last, **PRINTED)
    torch.testing.assert_close(trace["mixing"].value[1:], mixing, **PRINTED)
    torch.testing.assert_close(trace["mixed"].value[-1], read, **PRINTED)
    assert trace["mixing"].value[0, 0].item() == pytest.approx(0.108230, abs=6e-7)


def test_the_function_of_transformers_reads_the_same():
    theirs = pytest.importorskip("transformers.models.qwen3_next.modeling_qwen3_next")
    q, k, v, beta, decay = givens("of heads", KEYS, torch.float32)
    # The functions of transformers have tokens before heads, take the logarithm of the decay, and divide by a length
    # that is a little larger.
    turned = [each.transpose(1, 2) for each in (q, k, v, decay.log(), beta)]
    for function in (theirs.torch_recurrent_gated_delta_rule, theirs.torch_chunk_gated_delta_rule):
        options = {"initial_state": None, "output_final_state": True, "use_qk_l2norm_in_kernel": True}
        read, last = function(*turned, **options)
        torch.testing.assert_close(state.all_at_once(q, k, v, beta, decay), read.transpose(1, 2), rtol=0, atol=1e-5)
        torch.testing.assert_close(by_steps((q, k, v, beta, decay))[1][..., -1, :, :], last, rtol=0, atol=1e-5)


def test_the_function_of_transformers_for_a_decay_of_each_feature_reads_the_same():
    theirs = pytest.importorskip("transformers.models.kimi_linear.modeling_kimi_linear")
    q, k, v, beta, decay = givens("of features", KEYS, torch.float32)
    turned = [each.transpose(1, 2) for each in (q, k, v, decay.log(), beta)]
    options = {"initial_state": None, "output_final_state": True, "use_qk_l2norm_in_kernel": True}
    read, _ = theirs.recurrent_kimi_delta_attention(*turned, **options)
    torch.testing.assert_close(state.all_at_once(q, k, v, beta, decay), read.transpose(1, 2), rtol=0, atol=1e-5)


def test_orthogonal_keys_find_nothing_of_each_other():
    q, v = drawn((D_K, D_K), (D_K, D_V))
    trace, beta = Trace(), torch.full((D_K,), 0.7, dtype=torch.float64)
    state.all_at_once(q, torch.eye(D_K, dtype=torch.float64), v, beta, trace=trace)
    torch.testing.assert_close(trace["transform"].value, torch.diag(beta))


def test_a_step_does_not_change_the_state_that_it_is_given():
    q, k, v, beta, decay = givens("of heads", 1)
    (held,) = drawn((BATCH, HEADS, D_K, D_V), seed=3)
    before = held.clone()
    state.step(q, k, v, beta, decay, state=held)
    torch.testing.assert_close(held, before, rtol=0, atol=0)


def test_bad_arguments_are_refused():
    q, k, v, beta, decay = givens("of heads", KEYS)
    lead = f"({BATCH}, {HEADS}, {KEYS})"
    with refused("unknown rule 'sum'; one of delta, add"):
        state.all_at_once(q, k, v, beta, rule="sum")
    with refused("query has dtype bfloat16; one of float64, float32"):
        state.all_at_once(q.bfloat16(), k.bfloat16(), v.bfloat16(), beta.bfloat16())
    with refused("beta has dtype float32, query has float64"):
        state.all_at_once(q, k, v, beta.float())
    with refused("a state needs as many queries as keys, got 6 and 7"):
        state.all_at_once(q[..., :6, :], k, v, beta)
    with refused(f"beta needs a number a token, {lead}, got ({BATCH}, {HEADS}, 5)"):
        state.all_at_once(q, k, v, beta[..., :5])
    with refused(
        f"decay needs a number a token, {lead}, or a feature, {lead[:-1]}, {D_K}), got ({BATCH}, {HEADS}, {KEYS}, 5)"
    ):
        state.all_at_once(q, k, v, beta, decay[..., None].expand(-1, -1, -1, 5))
    with refused("decay must lie between 0 and 1, got 0.5 to 1.5"):
        state.all_at_once(q, k, v, beta, torch.linspace(0.5, 1.5, KEYS).double().expand_as(beta))
    with refused("beta must be a Tensor, got float"):
        state.all_at_once(q, k, v, 0.5)
    with refused("a step is one token, got 7; all_at_once takes several"):
        state.step(q, k, v, beta)
    with refused("a step is one token, got 7; all_at_once takes several"):
        state.step(q[0], k[0], v[0], beta[0])
    with refused(f"state needs shape ({BATCH}, {HEADS}, {D_K}, {D_V}), got ({D_K}, {D_V})"):
        one = [each[..., :1, :] for each in (q, k, v)]
        state.step(*one, beta[..., :1], state=torch.zeros(D_K, D_V, dtype=torch.float64))


@pytest.mark.parametrize("run", STATE_RUNS, ids=str)
def test_the_arithmetic_of_every_cell_gives_the_recorded_number(run):
    trace = traced_state(run)
    for id, step in trace.items():
        if step.axes:
            shown = torch.atleast_2d(step.of(batch=1, head=2))
            told = [cell(trace, id, i, j, batch=1, head=2) for i in range(len(shown)) for j in range(shown.shape[1])]
            computed = torch.tensor([each.computed for each in told], dtype=torch.float64)
            torch.testing.assert_close(computed, shown.flatten(), rtol=0, atol=1e-12, msg=lambda text, id=id: id + text)


@pytest.mark.parametrize("run", STATE_RUNS, ids=str)
def test_the_gradients_by_their_formulas_are_those_of_autograd(run):
    trace = traced_state(run)
    for id in ("mixed", "writes") if run.form == "all at once" else ("read", "written"):
        (upstream,) = drawn(trace[id].value.shape, seed=7)
        found = backward(trace, Weighted(upstream, id))
        assert max(map(found.difference, found.gradients)) <= 1e-11
        without = {step for step, each in found.gradients.items() if each.quantity.given} - {id}
        # The gradient of a product of many decays comes from autograd alone (`state_rules`).
        several = run.form == "all at once"
        assert without <= ({"decay", "keys_unit", "keys", "queries_scaled"} if several else set())
        if id in ("mixed", "read"):
            for step in found.gradients:
                wanted = by_lines(trace, step, upstream)
                torch.testing.assert_close(found.gradients[step].value, wanted, rtol=0, atol=1e-11)


def test_one_number_is_differentiated():
    trace = traced_state(STATE_RUNS[-1])
    found = backward(trace, Cell("read", 0, 3, batch=1, head=2))
    wanted = torch.zeros_like(trace["past_state"].value)
    key, query = (trace[id].value[1, 2, 0] for id in ("keys_unit", "queries_scaled"))
    beta, decay = (trace[id].value[1, 2, 0] for id in ("beta", "decay"))
    # o = q (I - beta k k^T) diag(alpha) S + ..., so the gradient of S is the factor before it.
    wanted[1, 2, :, 3] = (query - beta * (query @ key) * key) * decay
    torch.testing.assert_close(found.gradients["past_state"].value, wanted)


def test_every_computed_step_of_a_state_has_arithmetic_and_rules():
    # Autograd alone differentiates the rows of a decay that differs by feature, and those of many decays.
    alone = {row.code for row in QUANTITIES if row.given or row.id == "retained" or "kept" in row.code}
    assert {row.code for row in QUANTITIES} - alone <= set(RULES)


@pytest.mark.parametrize("run", [run for run in STATE_RUNS if run.form == "all at once"], ids=str)
def test_the_script_computes_the_steps_and_ends_with_the_loop(run, capsys):
    trace, namespace = traced_state(run), {}
    exec(script(trace), namespace)
    for id, step in trace.items():
        made = torch.as_tensor(namespace["steps"][id], dtype=torch.float64)
        torch.testing.assert_close(made, step.value, **NEAR[torch.float64])
    said = capsys.readouterr().out.splitlines()[-1]
    assert said.startswith("max |O - token by token| = ")
    assert float(said.rpartition(" ")[2]) <= 1e-12
    assert json.loads(notebook(trace))["cells"][-1]["id"] == "loop"


@pytest.mark.parametrize("run", STATE_RUNS[-2:] + STATE_RUNS[:2], ids=str)
def test_a_record_of_a_state_is_saved_and_read_again(run, tmp_path):
    trace = traced_state(run)
    save(trace, tmp_path / "state.npz")
    read = load(tmp_path / "state.npz", Trace())
    assert [step.quantity for step in read.values()] == [step.quantity for step in trace.values()]
    assert set(trace) - {"scale"} <= {*IDS, "queries", "keys", "values"}
