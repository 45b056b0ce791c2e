"""A reader's questions to a record: words, numbers, a picture, the arithmetic, gradients, differences, a file."""

import math
import re
import subprocess
import sys

import numpy as np
import pytest
import torch

from attention import MultiHeadAttention, Quantity, Step, Trace, grid, record, scaled_dot_product_attention
from attention.analysis.backward import Cell, backward
from attention.analysis.rerun import rerun
from attention.cache import Cache
from attention.explain.cell import cell
from attention.export.files import ENDINGS
from attention.figures import heatmap
from attention.notation import QUANTITIES
from tests.attention.test_figures import TRACE
from tests.support import BATCH, CLOSE, D_K, EXACT, HEADS, KEYS, QUERIES, drawn, qkv, refused
from tests.support.runs import RUNS, traced

SOME = [*RUNS[:: len(RUNS) // 7]]


def of_function(**given) -> Trace:
    trace = Trace()
    scaled_dot_product_attention(*qkv(), trace=trace, **given)
    return trace


def test_repr_says_what_a_step_is_and_never_its_numbers():
    weights = TRACE["weights"]
    assert repr(weights).startswith(f"weights: {weights.quantity.formula}   (batch {BATCH} × head {HEADS} × query")
    assert repr(weights).endswith("; float32)")
    assert repr(TRACE).splitlines() == [repr(step) for step in TRACE.values()]
    assert "tensor" not in repr(TRACE)
    assert repr(Trace()) == "Trace: no step is recorded"
    assert repr(TRACE["scale"]) == "scale: c   (0.3; float64)"


def test_a_cache_is_truthy_and_an_empty_one_changes_nothing():
    assert Cache()
    q, k, v = qkv()
    plain, cached = Trace(), Trace()
    scaled_dot_product_attention(q, k, v, trace=plain)
    scaled_dot_product_attention(q, k, v, past=Cache(), trace=cached)
    assert [step.quantity for step in plain.values()] == [step.quantity for step in cached.values()]


@pytest.mark.parametrize("dtype", [torch.float64, torch.float32, torch.bfloat16, torch.float16])
def test_a_step_is_an_array(dtype):
    trace = Trace()
    scaled_dot_product_attention(*qkv(dtype), mask="causal", trace=trace)
    for id in ("weights", "mask"):
        array, value = np.asarray(trace[id]), trace[id].value
        assert array.dtype == (np.float32 if value.dtype == torch.bfloat16 else value.numpy().dtype)
        np.testing.assert_array_equal(array, value.double().numpy())
    assert np.asarray(trace["weights"], dtype=np.float32).dtype == np.float32
    if dtype == torch.bfloat16:
        with refused("step 'weights' cannot be an array without a copy"):
            np.array(trace["weights"], copy=False)


def test_a_step_and_a_record_draw_themselves():
    drawing = TRACE.plot(batch=1, head=2, labels={"key": [f"<{n}>" for n in range(KEYS)]})
    np.testing.assert_array_equal(drawing.data[0].z, heatmap(TRACE["weights"], batch=1, head=2).z)
    assert drawing.layout.xaxis.ticktext[3] == "&lt;3&gt;"
    np.testing.assert_array_equal(TRACE["scores"].plot(head=1).data[0].z, heatmap(TRACE["scores"], head=1).z)
    np.testing.assert_array_equal(TRACE.plot("w_o").data[0].z, heatmap(TRACE["w_o"]).z)
    with refused(f"head {HEADS} is not in step 'scores'; 0 to {HEADS - 1}"):
        TRACE["scores"].plot(head=HEADS)
    with refused(f"batch -1 is not in step 'scores'; 0 to {BATCH - 1}"):
        TRACE["scores"].plot(batch=-1)


def test_a_record_explains_a_number():
    told = TRACE.explain("weights", 3, 2, batch=1, head=2)
    assert told.latex == cell(TRACE, "weights", 3, 2, batch=1, head=2).latex
    assert told.result == pytest.approx(float(TRACE["weights"].value[1, 2, 3, 2]))
    assert told._repr_latex_() == rf"$\displaystyle {told.latex}$"


@pytest.mark.parametrize("of", ["output", Cell("weights", 3, 2, batch=1, head=2)], ids=str)
def test_a_record_has_gradients(of):
    trace = of_function(mask="causal")
    found = trace.gradients(of)
    q, k, v = (each.requires_grad_() for each in qkv())
    weights = (q @ k.mT / math.sqrt(D_K)).masked_fill(~grid("causal", QUERIES, KEYS), -torch.inf).softmax(-1)
    number = (weights @ v).sum() if of == "output" else weights[1, 2, 3, 2]
    expected = torch.autograd.grad(number, (q, k))
    for id, gradient in zip(("queries", "keys"), expected, strict=True):
        torch.testing.assert_close(found[id].value, gradient, **CLOSE[torch.float64])
    assert isinstance(found["queries"], Step)


def test_a_module_is_needed_for_the_gradients_of_its_record():
    trace, layer = Trace(), MultiHeadAttention(12, 3, generator=torch.Generator().manual_seed(0)).double()
    layer(*drawn((5, 12)), trace=trace)
    expected = backward(trace, Cell("projected", 1, 2), layer).gradients["w_q"].value
    torch.testing.assert_close(trace.gradients(Cell("projected", 1, 2), layer)["w_q"].value, expected, **EXACT)
    with refused("the record of a module needs the module, that of the function alone has none"):
        trace.gradients("projected")


def test_a_record_says_what_differs_from_another():
    a, b = of_function(mask="causal"), of_function(mask="causal", scale=0.25)
    found = a.diff(b)
    assert found.first == "scaled"
    assert found.only == {"scale": 1}
    assert found.largest["scores"] == 0
    expected = float((a["weights"].value - b["weights"].value).abs().max())
    assert found.largest["weights"] == pytest.approx(expected, abs=0, rel=1e-15)
    assert found.largest["masked"] == float((a["scaled"].value - b["scaled"].value).abs().tril().max())
    assert repr(found).splitlines()[0] == "first difference: scaled"
    assert "scale: in the second record alone" in repr(found)
    assert b.diff(a).only == {"scale": 0}
    assert "scale: in the first record alone" in repr(b.diff(a))
    same = a.diff(of_function(mask="causal"))
    assert (same.first, set(same.largest.values()), same.only, same.sizes) == (None, {0.0}, {}, ())
    other = Trace()
    scaled_dot_product_attention(*drawn((3, D_K), (KEYS, D_K), (KEYS, 2)), trace=other)
    assert "weights" in other.diff(a).sizes
    assert "weights: other sizes" in repr(other.diff(a))


def test_a_record_moves_to_a_dtype_and_a_device():
    short = TRACE.to(torch.bfloat16)
    assert list(short) == list(TRACE)
    assert short["weights"].value.dtype == torch.bfloat16
    assert short["mask"].value.dtype == torch.bool
    assert TRACE.to("meta")["weights"].value.device.type == "meta"
    assert TRACE["weights"].value.device.type == "cpu"
    assert TRACE["weights"].value.dtype == torch.float32


@pytest.mark.parametrize("run", SOME, ids=str)
@pytest.mark.parametrize("dtype", [torch.float64, torch.bfloat16])
@pytest.mark.parametrize("ending", ENDINGS)
def test_a_file_holds_a_record_bit_by_bit(tmp_path, run, dtype, ending):
    trace = Trace()
    for step in traced(run).to(dtype).values():
        trace.record(step.quantity, step.value)
    trace.save(tmp_path / f"record{ending}")
    loaded = Trace.load(tmp_path / f"record{ending}")
    assert list(loaded) == list(trace)
    for id, step in trace.items():
        assert (loaded[id].quantity, loaded[id].group) == (step.quantity, step.group)
        assert loaded[id].value.dtype == step.value.dtype
        torch.testing.assert_close(loaded[id].value, step.value, equal_nan=True, **EXACT)


def written(path, **arrays):
    np.savez(path, **arrays)
    return path


def about(*steps):
    return np.array(re.sub("'", '"', str({"steps": list(steps)})))


def test_a_file_that_is_no_record_is_refused(tmp_path):
    path = tmp_path / "record.npz"
    none = "record.npz is no record that was saved by Trace.save with its steps"
    with refused("a record is a file that ends in .npz or .safetensors, got record.pt"):
        Trace.load(tmp_path / "record.pt")
    with refused("a record is a file that ends in .npz or .safetensors, got record.pt"):
        TRACE.save(tmp_path / "record.pt")
    path.write_bytes(b"PK\x03\x04 and no more")
    with refused(none):
        Trace.load(path)
    for arrays in ({"weights": np.zeros(2)}, {"about": np.array("{")}, {"about": np.array("[]")}):
        with refused(none):
            Trace.load(written(path, **arrays))
    row = {"id": "queries", "row": 10**6, "formula": "Q"}
    with refused(none):
        Trace.load(written(path, about=about(row)))
    with refused("step 'queries' with the formula 'X' is unknown to this version"):
        Trace.load(written(path, about=about(row | {"formula": "X"}), queries=np.zeros((2, 3))))
    with pytest.raises(ValueError, match="the value has 5 axes, its quantity names 4"):
        Trace.load(written(path, about=about(row), queries=np.zeros((1, 1, 1, 2, 3))))
    with pytest.raises(ValueError, match="allow_pickle"):
        Trace.load(written(path, about=about(row), queries=np.array([{}])))
    assert Trace.load(written(path, about=about(row), queries=np.zeros((2, 3))))["queries"].sizes["query"] == 2


def test_words_of_another_number_than_keys_are_refused(tmp_path):
    with refused(f"there are 2 tokens and {KEYS} keys"):
        TRACE.save(tmp_path / "record.npz", tokens=["a", "b"])


def test_a_step_of_ones_own_is_not_saved(tmp_path):
    trace = Trace()
    trace.record(Quantity("own", "X", "", ("query",)), torch.zeros(2))
    with refused("step 'own' is no row of attention.notation, and could not be read again"):
        trace.save(tmp_path / "own.npz")
    assert not any(row.id == "own" for row in QUANTITIES)


def test_the_record_of_a_model_is_read_like_any_other(tmp_path):
    model = torch.nn.TransformerEncoderLayer(12, 3, 17, batch_first=True).eval()
    with record(model) as records:
        model(torch.ones(1, 5, 12))
    trace = records[0]
    trace.save(tmp_path / "layer.npz")
    assert trace.diff(Trace.load(tmp_path / "layer.npz")).first is None
    assert rerun(trace, scale=0.3).diff(trace).first == "scaled"
    assert "scores" in trace.gradients(Cell("weights", 1, 2))
    assert trace.plot(head=1).data[0].z.shape == (5, 5)


@pytest.mark.slow
def test_to_read_a_record_loads_what_it_needs_and_no_more():
    later = ["attention.notebook", "attention.explain", "attention.analysis", "attention.export"]
    code = f"import attention, sys; print(*[name for name in {later} if name in sys.modules])"
    assert subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True).stdout.split() == []


@pytest.mark.parametrize(
    ("asked", "text"),
    [
        ({"head": HEADS}, f"head {HEADS} is not in this trace; 0 to {HEADS - 1}"),
        ({"head": -1}, f"head -1 is not in this trace; 0 to {HEADS - 1}"),
        ({"batch": BATCH}, f"batch {BATCH} is not in this trace; 0 to {BATCH - 1}"),
        ({"head": 1.0}, "head must be a whole number, got float"),
        ({"row": 1.5}, "row must be a whole number, got float"),
    ],
)
def test_no_other_number_is_explained_than_the_one_that_was_asked_for(asked, text):
    with refused(text):
        of_function().explain(**{"id": "weights", "row": 1, "column": 2} | asked)


@pytest.mark.parametrize("act", [Trace.plot, Trace.show])
def test_labels_are_those_of_an_axis(act):
    trace = of_function()
    with refused(f"labels: axis 'key' of this trace has {KEYS} positions, got 2 words"):
        act(trace, labels={"key": ["a", "b"]})
    with refused("labels: this trace has no axis 'keys'; it has batch, head, query, feature, key, value"):
        act(trace, labels={"keys": ["a"] * KEYS})
    with refused("labels must map the name of an axis to its words, got str"):
        act(trace, labels="abcdefg")
    act(trace, labels={"key": ["a"] * KEYS})
    with refused(f"labels: axis 'query' of step 'weights' has {QUERIES} positions, got 1 words"):
        trace["weights"].plot(labels={"query": ["a"], "value": ["b"]})


def test_what_is_no_target_no_record_and_no_place_is_refused():
    trace = of_function()
    with pytest.raises(ValueError, match=r"of must be the id of a step or a target .*; got tuple"):
        trace.gradients(of=("weights", 2, 1))
    with refused("other must be a Trace, got NoneType"):
        trace.diff(None)
    with refused("'nowhere' is no device"):
        trace.to("nowhere")
    with refused("a record goes to a torch.device, its name or a torch.dtype, got int"):
        trace.to(3)


def test_repr_of_the_arithmetic_says_the_formula_and_a_few_numbers():
    """The repr is for a notebook that shows no formulas."""
    explained = of_function().explain("weights", 1, 2)
    first, *lines = repr(explained).splitlines()
    assert first == explained.latex
    assert [line.partition(":")[0] for line in lines] == ["S", "exp S", "A"]
    assert lines[0] == "S: " + ", ".join(f"{value:.4g}" for value in explained.lines[0].values.tolist())
    trace, (q, k, v) = Trace(), drawn((2, 3), (11, 3), (11, 5))
    scaled_dot_product_attention(q, k, v, trace=trace)
    assert all(line.endswith(", … (11 numbers)") for line in repr(trace.explain("weights", 1, 2)).splitlines()[1:])
