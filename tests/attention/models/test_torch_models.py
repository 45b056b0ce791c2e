"""Models of plain torch: each call of torch's attention functions is recorded, and computes as before."""

import re

import pytest
import torch
from torch import nn
from torch.nn import functional as F
from torch.nn.attention.flex_attention import flex_attention

from attention import record
from attention.masks import padding
from attention.models.records import Records
from attention.models.unrecorded import unrecorded
from tests.support import CLOSE, EXACT, as_float, drawn, grid_of, refused, rounding, seeded

N, L, S, E, H = 2, 5, 7, 12, 3


def filled(module: nn.Module, dtype: torch.dtype = torch.float64) -> nn.Module:
    """The module with parameters drawn from a generator of its own."""
    generator = seeded(7)
    with torch.no_grad():
        for parameter in module.parameters():
            parameter.copy_(torch.randn(parameter.shape, generator=generator) * E**-0.5)
    return module.to(dtype).eval()


def close(dtype: torch.dtype = torch.float64) -> dict[str, float]:
    """The tolerance for projections, scores, weighted values and projections of numbers up to about 4."""
    return {"rtol": 0, "atol": rounding(E, E // H, S + 2, E, of=4**3, dtype=dtype)}


def both(model, *inputs, **given):
    """The results of a model without and with a record, and the record."""
    plain = model(*inputs, **given)
    with record(model) as records:
        recorded = model(*inputs, **given)
    return plain, recorded, records


class Own(nn.Module):
    """A layer as most people write it."""

    def __init__(self, **chosen):
        super().__init__()
        self.project, self.chosen = nn.Linear(E, 3 * E), chosen

    def forward(self, x):
        Q, K, V = self.project(x).unflatten(-1, (3, H, E // H)).movedim(-3, 0).transpose(-3, -2)
        return F.scaled_dot_product_attention(Q, K, V, **self.chosen).transpose(-3, -2).flatten(-2)


CHOSEN = [
    {},
    {"is_causal": True},
    {"attn_mask": grid_of("prefix", L, L)},
    {"attn_mask": as_float(grid_of("causal", L, L)), "scale": 0.3},
]


@pytest.mark.parametrize("chosen", CHOSEN, ids=str)
def test_a_layer_that_calls_torchs_function_is_recorded(chosen):
    model = filled(nn.Sequential(Own(**chosen), nn.ReLU(), Own(**chosen)))
    plain, recorded, records = both(model, *drawn((N, L, E)))
    torch.testing.assert_close(recorded, plain, **CLOSE[torch.float64])
    assert tuple(records) == records.layers == ("0", "2")
    torch.testing.assert_close(records["0"]["weights"].value, records[0]["weights"].value, **EXACT)
    assert records[-1]["queries"].sizes == {"batch": N, "head": H, "query": L, "feature": E // H}
    assert not records[0]["weights"].value.requires_grad


@pytest.mark.parametrize("lead", [None, (), (2, 3, 1)])
def test_leading_axes_are_sentences_of_one_record(lead):
    mask = None if lead is None else grid_of("prefix", L, L).expand(*lead, L, L)
    model = filled(Own(attn_mask=mask))
    plain, recorded, records = both(model, *drawn((2, 3, L, E)))
    torch.testing.assert_close(recorded, plain, **CLOSE[torch.float64])
    assert records[0]["weights"].sizes["batch"] == 6


MASKS = [
    {},
    {"attn_mask": ~grid_of("causal", L, S)},
    {"attn_mask": as_float(grid_of("causal", L, S)), "key_padding_mask": as_float(padding([S, 3], S)[:, 0, 0])},
    {"attn_mask": ~grid_of("prefix", L, S), "key_padding_mask": ~padding([S, 3], S)[:, 0, 0]},
    {"attn_mask": (~grid_of("causal", L, S)).expand(N * H, L, S)},
    {"key_padding_mask": as_float(padding([4, S], S)[:, 0, 0])},
]
LAYERS = [
    {},
    {"bias": False, "batch_first": True},
    {"kdim": 11, "vdim": 13},
    {"add_bias_kv": True},
    {"add_zero_attn": True, "batch_first": True},
]


@pytest.mark.parametrize("weights", [{}, {"average_attn_weights": False}, {"need_weights": False}], ids=str)
@pytest.mark.parametrize("chosen", LAYERS, ids=str)
@pytest.mark.parametrize("masks", range(len(MASKS)))
def test_torchs_own_layer_returns_what_it_returned(chosen, masks, weights):
    layer = filled(nn.MultiheadAttention(E, H, **chosen))
    x, keys, values = drawn((N, L, E), (N, S, chosen.get("kdim", E)), (N, S, chosen.get("vdim", E)))
    if not chosen.get("batch_first"):
        x, keys, values = (each.transpose(0, 1) for each in (x, keys, values))
    plain, recorded, records = both(layer, x, keys, values, **MASKS[masks], **weights)
    torch.testing.assert_close(recorded, plain, **close())
    assert tuple(records) == ("",)
    assert records[0]["weights"].sizes["head"] == H


def test_torchs_own_layer_without_a_batch():
    layer = filled(nn.MultiheadAttention(E, H))
    plain, recorded, _ = both(layer, *drawn((L, E), (S, E), (S, E)))
    torch.testing.assert_close(recorded, plain, **close())


@pytest.mark.parametrize("dtype", [torch.float64, torch.float32])
@pytest.mark.parametrize("training", [False, True])
def test_an_encoder_and_a_decoder_of_torch_with_gradients(training, dtype):
    """In inference, torch uses kernels of its own for such layers, but not while they are recorded."""
    parts = {
        "encoder": nn.TransformerEncoderLayer(E, H, 17, dropout=0.25, batch_first=True, norm_first=True),
        "decoder": nn.TransformerDecoderLayer(E, H, 17, dropout=0.25, batch_first=True, norm_first=True),
    }
    encoder = nn.TransformerEncoder(parts["encoder"], 2, enable_nested_tensor=False)
    decoder = nn.TransformerDecoder(parts["decoder"], 2)
    model = nn.Transformer(E, H, custom_encoder=encoder, custom_decoder=decoder, batch_first=True)
    model = filled(model, dtype).train(training)
    x, y = drawn((N, S, E), (N, L, E), dtype=dtype)
    mask = nn.Transformer.generate_square_subsequent_mask(L, dtype=dtype)
    found = []
    for recorded in (False, True):
        model.zero_grad()
        with torch.random.fork_rng():
            torch.manual_seed(3)
            if recorded:
                with record(model) as records:
                    output = model(x, y, tgt_mask=mask)
            else:
                output = model(x, y, tgt_mask=mask)
        output.square().sum().backward()
        found.append([output.detach(), *(parameter.grad.clone() for parameter in model.parameters())])
    largest = max(float(each.abs().max()) for each in found[0])
    # The bound is for six layers of attention and four with two products each, of up to 17 terms.
    bound = {"rtol": 0, "atol": rounding(*[17] * (6 * 4 + 4 * 2), of=max(1.0, largest), dtype=dtype)}
    torch.testing.assert_close(found[1], found[0], **bound)
    names = ["encoder.layers.{}.self_attn", "decoder.layers.{}.self_attn", "decoder.layers.{}.multihead_attn"]
    assert set(records) == {name.format(layer) for name in names for layer in range(2)}
    assert ("kept" in records[0]) == training


def test_an_encoder_in_inference_is_recorded_though_torch_has_a_kernel_for_it():
    model = filled(nn.TransformerEncoder(nn.TransformerEncoderLayer(E, 2, 17, batch_first=True), 2), torch.float32)
    (x,) = drawn((N, L, E), dtype=torch.float32)
    with torch.inference_mode():
        plain, recorded, records = both(model, x)
    torch.testing.assert_close(recorded, plain, rtol=0, atol=rounding(*[17] * 12, of=4, dtype=torch.float32))
    assert len(records) == 2


class Mixed(Own):
    """Queries and keys in float32, as rotary positions make them under autocast; values in the short format."""

    def forward(self, x):
        Q, K, V = self.project(x).unflatten(-1, (3, H, E // H)).movedim(-3, 0).transpose(-3, -2)
        return F.scaled_dot_product_attention(Q.float(), K.float(), V, **self.chosen)


@pytest.mark.parametrize("kind", [Own, Mixed])
def test_autocast_computes_as_without_a_record(kind):
    model = filled(kind(is_causal=True), torch.float32)
    (x,) = drawn((N, L, E), dtype=torch.float32)
    with torch.autocast("cpu", torch.bfloat16):
        plain, recorded, records = both(model, x)
    assert recorded.dtype == plain.dtype == torch.bfloat16
    torch.testing.assert_close(recorded, plain, **CLOSE[torch.bfloat16])
    assert records[0]["queries"].value.dtype == torch.bfloat16


def test_layers_and_steps_are_chosen():
    model = filled(nn.Sequential(Own(), Own(), Own()))
    (x,) = drawn((N, L, E))
    with record(model, layers=["0", 2], steps=[1]) as records:
        outputs = [model(x * factor) for factor in (1, 2, 3)]
    torch.testing.assert_close(outputs, [model(x * factor) for factor in (1, 2, 3)], **CLOSE[torch.float64])
    assert records.layers == ("0", "2")
    assert records.steps("2") == (1,)
    with record(model) as whole:
        model(x * 2)
    torch.testing.assert_close(records[2]["weights"].value, whole["2"]["weights"].value, **CLOSE[torch.float64])
    assert records.nbytes == sum(whole[layer][id].value.nbytes for layer in (0, 2) for id in whole[layer])


def test_a_record_is_asked_for_by_layer_and_step():
    model = filled(Own())
    with record(model) as records:
        model(*drawn((N, L, E)))
        model(*drawn((N, S, E)))
    assert (records[0, 0].sizes["query"], records["", 1].sizes["query"]) == (L, S)
    with refused("layer '' has 2 records: name the step, as in records[0, 0]", KeyError):
        records[0]
    with refused("layer '' has no record of step 2; it has 0, 1", KeyError):
        records[0, 2]
    with refused("no record of layer 'head'; there is 0 ()", KeyError):
        records["head"]
    with refused("no record of layer 1; there is 0 ()", KeyError):
        records.steps(1)
    assert repr(records).splitlines() == [
        f"Records of Own: 1 layer, {records.nbytes / 1e3:.1f} kB",
        f"0  (Own): batch {N} × head {H} × query {L} × key {L}; 2 steps",
    ]


@pytest.mark.parametrize(
    ("given", "text"),
    [
        ({"model": len}, "model must be a Module, got builtin_function_or_method"),
        ({"model": Own(), "layers": ["head"]}, "layers: the model has no module 'head'"),
        ({"model": Own(), "layers": "head"}, "layers must be a list of names of modules, or places, got str"),
        ({"model": Own(), "layers": 0}, "layers must be a list of names of modules, or places, got int"),
        ({"model": Own(), "layers": [-1]}, "a place in layers must be at least 0, got -1"),
        ({"model": Own(), "layers": [1.5]}, "a place in layers must be a whole number, got float"),
        ({"model": Own(), "steps": [-1]}, "a place in steps must be at least 0, got -1"),
        ({"model": Own(), "steps": 0}, "steps must be a list of places, got int"),
        ({"model": Own(), "steps": ["0"]}, "a place in steps must be a whole number, got str"),
    ],
)
def test_what_is_no_model_and_no_layer_is_refused(given, text):
    with refused(text), record(**given):
        pass


@pytest.mark.parametrize("layer", [2, "layers.1"])
def test_a_layer_that_was_chosen_and_computed_no_attention_is_named(layer):
    """`layers.1` is a module of the model, and its attention is `layers.1.self_attn`."""
    model = nn.TransformerEncoder(
        nn.TransformerEncoderLayer(H * 4, H, 7, batch_first=True), 2, enable_nested_tensor=False
    ).eval()
    there = "0 (layers.0.self_attn), 1 (layers.1.self_attn)"
    with (
        pytest.warns(UserWarning, match=re.escape(f"layers: no record of {layer!r}; there is {there}")) as warned,
        record(model, layers=[0, layer]) as records,
    ):
        model(torch.ones(1, L, H * 4))
    # The warning points at the line that asked for the record.
    assert warned[0].filename == __file__
    assert list(records) == ["layers.0.self_attn"]
    assert 0 in records
    assert 1 not in records


class Attention(nn.Module):
    def forward(self, x):
        return (x @ x.mT).softmax(-1) @ x


class State(nn.Module):
    def forward(self, x):
        return x.cumsum(-2)


class Layer(nn.Module):
    def __init__(self, **mixer):
        super().__init__()
        for name, module in mixer.items():
            self.add_module(name, module)

    def forward(self, x):
        for module in self.children():
            x = module(x)
        return x


class Stack(nn.Module):
    def __init__(self, *layers):
        super().__init__()
        self.layers = nn.ModuleList(layers)

    def forward(self, x):
        for layer in self.layers:
            x = layer(x)
        return x


def test_what_computes_by_itself_is_named():
    model = filled(Stack(Layer(state=State(), end=nn.ReLU()), Layer(own=Own(), end=nn.ReLU()), Attention(), nn.ReLU()))
    (x,) = drawn((N, L, E))
    said = "not recorded: layers.2 (Attention), layers.0.state (State)"
    with pytest.warns(UserWarning, match=f"^{re.escape(said)}$"), record(model) as records:
        model(x)
    assert records.unrecorded == {"layers.2": "Attention", "layers.0.state": "State"}
    assert "not recorded: layers.0.state (State)" in repr(records)


class FlexAttention(nn.Module):
    """A module that calls the kernel directly."""

    def forward(self, x):
        return flex_attention(*[x.expand(1, 2, *x.shape)] * 3)[0, 0]


class MambaRMSNorm(nn.RMSNorm):
    """A part of a layer, with the name of its model."""


@pytest.mark.slow
def test_a_kernel_that_is_called_directly_is_named_and_a_norm_beside_it_is_not():
    model = Stack(Layer(kernel=FlexAttention(), norm=MambaRMSNorm(E)))
    with pytest.warns(UserWarning, match="not recorded"), record(model) as records:
        model(torch.ones(L, E))
    assert records.unrecorded == {"layers.0.kernel": "FlexAttention"}


def test_a_model_without_attention_says_so():
    model = nn.ReLU()
    with pytest.warns(UserWarning, match="^not recorded: no layer computed attention$"), record(model):
        model(torch.zeros(2))


class Complex(nn.Module):
    def forward(self, x):
        return F.scaled_dot_product_attention(x, x[..., :1, :], x[..., :1, :], dropout_p=2.0)


def test_what_ours_refuses_is_torchs_own_business():
    """A call that our function refuses is made without a record, and fails as it did before."""
    model = Complex()
    with pytest.raises(RuntimeError, match="dropout"), record(model):
        model(*drawn((N, L, E)))


def test_a_call_outside_of_the_model_is_left_alone():
    q, k, v = drawn((N, L, E), (N, S, E), (N, S, E))
    with record(Own()) as records:
        output = F.scaled_dot_product_attention(q, k, v)
    torch.testing.assert_close(output, F.scaled_dot_product_attention(q, k, v), **EXACT)
    assert len(records) == 0


def test_afterwards_no_hook_is_left():
    model = filled(Own())
    (x,) = drawn((N, L, E))
    with pytest.raises(ZeroDivisionError), record(model) as records:
        _ = 1 / 0
    model(x)
    assert len(records) == 0


def test_of_modules_that_lie_in_each_other_one_is_named():
    """Beside a block that attends, another one does not: named is the part that looks like attention, or the block."""

    class Mamba(nn.Module):
        pass

    class Block(nn.Module):
        def __init__(self, **parts):
            super().__init__()
            for name, part in parts.items():
                setattr(self, name, part)

    class AttentionBlock(Block):
        pass

    for kind, expected in ((Block, {"1.mixer.inner": "Mamba"}), (AttentionBlock, {"1": "AttentionBlock"})):
        inner = Mamba() if kind is Block else nn.Linear(2, 2)
        model = nn.ModuleList([kind(attends=Own()), kind(mixer=Block(inner=inner))])
        ran = [name for name, _ in model.named_modules()]
        assert unrecorded(model, ran, ["0.attends"]) == expected


def test_records_say_how_many_layers_they_have():
    assert repr(Records("Sequential")) == "Records of Sequential: 0 layers, 0.0 kB"
    *_, records = both(filled(Own()), *drawn((N, L, E)))
    assert repr(records).startswith("Records of Own: 1 layer, ")
