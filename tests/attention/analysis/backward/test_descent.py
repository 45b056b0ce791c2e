"""One step of gradient descent equals that of torch.optim.SGD, and the record after it is of the same run."""

import copy

import pytest
import torch
from torch.nn import functional as F

from attention import Trace
from attention.analysis.backward import Cell, CrossEntropy, Weighted, descend, nudged
from tests.attention.analysis.backward.test_backward import recorded
from tests.attention.analysis.backward.test_gradients import BATCH, CASES, D_OUT, L
from tests.support import CLOSE, drawn, refused

RATE = 0.07


def by_torch(trace, module, number):
    """The module's copy after a step of SGD, and its output, computed with torch's attention alone, without dropout."""
    leaves = {name: one.detach().clone().requires_grad_() for name, one in module.named_parameters()}

    def output():
        x = trace["x"].value
        source = trace["context"].value if "context" in trace else x

        def heads(of, letter):
            bias = leaves.get(f"b_{letter}")
            made = of @ leaves[f"w_{letter}"] + (0 if bias is None else bias)
            return made.unflatten(-1, (module.heads, -1)).transpose(-3, -2)

        mask = trace["mask"].value if "mask" in trace else None
        scale = float(trace["scale"].value) if "scale" in trace else None
        O = F.scaled_dot_product_attention(
            heads(x, "q"), heads(source, "k"), heads(source, "v"), attn_mask=mask, scale=scale
        )
        joined = O.transpose(-3, -2).flatten(-2)
        return joined @ leaves["w_o"] + (0 if leaves.get("b_o") is None else leaves["b_o"])

    optimiser = torch.optim.SGD(leaves.values(), lr=RATE)
    before = number(output())
    before.backward()
    optimiser.step()
    return leaves, output().detach(), before.item()


@pytest.mark.parametrize(
    ("cross", "bias", "mask", "scale", "dropout", "batched"), [case for case in CASES if not case[4]], ids=str
)
def test_a_step_is_that_of_sgd(cross, bias, mask, scale, dropout, batched):
    trace, module = recorded(cross, bias, mask, scale, dropout, batched)
    (upstream,) = drawn(tuple(trace["projected"].value.shape))
    made = descend(trace, Weighted(upstream, "projected"), module, RATE)
    leaves, output, number = by_torch(trace, module, lambda Y: (Y * upstream).sum())
    for name, parameter in made.module.named_parameters():
        torch.testing.assert_close(parameter.detach(), leaves[name].detach(), **CLOSE[torch.float64])
        # The parameters must move: with a rate that is too small, a step that is not taken would agree, too.
        assert (parameter - module.get_parameter(name)).abs().max() > 1e-3 or name == "b_k"
    torch.testing.assert_close(made.trace["projected"].value, output, **CLOSE[torch.float64])
    assert made.number == pytest.approx(number)


def test_the_record_after_a_step_has_the_steps_and_the_keep_mask_of_the_one_before():
    trace, module = recorded(bias=True, mask="bool", dropout=0.3)
    made = descend(trace, Cell("projected", 3, 2, batch=1), module, RATE)
    assert type(made.trace) is Trace
    assert list(made.trace) == list(trace)
    assert torch.equal(made.trace["kept"].value, trace["kept"].value)
    assert float(made.trace["projected"].of(batch=1)[3, 2]) < float(trace["projected"].of(batch=1)[3, 2])


def test_neither_the_record_nor_the_module_is_changed_in_inference_mode_either():
    trace, module = recorded(bias=True)
    kept, values = copy.deepcopy(module.state_dict()), {id: step.value.clone() for id, step in trace.items()}
    with torch.inference_mode():
        descend(trace, Cell("projected", 3, 2, batch=1), module, RATE)
    assert all(torch.equal(one, kept[name]) for name, one in module.state_dict().items())
    assert all(torch.equal(step.value, values[id]) for id, step in trace.items())


def test_what_the_number_does_not_depend_on_stays():
    """The number is a score of a head, which is computed before W_V."""
    trace, module = recorded()
    made = descend(trace, Cell("scores", 3, 2, batch=1), module, RATE)
    moved = {name: not torch.equal(one, module.get_parameter(name)) for name, one in made.module.named_parameters()}
    assert moved == {"w_q": True, "w_k": True, "w_v": False, "w_o": False}


def test_a_small_step_lowers_a_loss():
    trace, module = recorded()
    (read_out,) = drawn((D_OUT, 2 * 3))
    answers = torch.arange(BATCH * L * 2).view(BATCH, L, 2) % 3
    loss = CrossEntropy(read_out, answers)
    first = descend(trace, loss, module, 1e-2)
    assert descend(first.trace, loss, first.module, 1e-2).number < first.number


def test_a_rate_that_is_none_is_refused():
    trace, module = recorded()
    for rate in (0.0, -0.1):
        with refused(f"rate must be a finite number above 0, got {rate}"):
            descend(trace, Cell("projected", 3, 2), module, rate)


@pytest.mark.parametrize("mask", ["none", "bool", "float"])
def test_what_is_added_to_a_score_is_added_before_the_softmax_and_what_is_hidden_stays_hidden(mask):
    """The oracle is torch's own float mask; the record and the module stay as they were."""
    trace, module = recorded(False, True, mask, None, 0.0, True)
    rest = {id: step.value.clone() for id, step in trace.items()}
    scaled = trace["scaled"].value
    added = torch.zeros_like(scaled)
    added[..., 3, 1], added[..., 1, 3] = 2.5, 7.0
    made = nudged(trace, module, added)
    mask_added = torch.zeros(()) if mask == "none" else trace["mask"].value
    if mask == "bool":
        mask_added = torch.zeros_like(scaled).masked_fill(~mask_added, -torch.inf)
    # The row of a query that may attend to nothing is zero.
    wanted = (scaled + added + mask_added).softmax(-1).nan_to_num()
    torch.testing.assert_close(made["weights"].value, wanted, **CLOSE[torch.float64])
    output = wanted @ trace["values"].value
    torch.testing.assert_close(made["output"].value, output, **CLOSE[torch.float64])
    assert not torch.allclose(made["projected"].value, trace["projected"].value)
    assert all(torch.equal(step.value, rest[id]) for id, step in trace.items())
