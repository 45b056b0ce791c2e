"""Queries, keys and values from a file: a record goes through a file to the same weights, and a misfit is refused."""

import io
import json

import numpy as np
import pytest
import torch
from torch.nn import functional as F

from attention import MultiHeadAttention, Trace, grid, record, scaled_dot_product_attention
from attention.cache import Cache
from attention.export.arrays import read
from attention.export.files import ENDINGS
from attention.export.given_checks import HIDES, LONGEST, MOST_HEADS
from attention.export.given_file import given
from attention.export.unreadable import UnreadableError
from attention.positions import slopes
from tests.support import BATCH, CLOSE, D_K, EXACT, HEADS, KEYS, QUERIES, drawn, qkv

DTYPE = torch.float32


def npz(**arrays) -> bytes:
    file = io.BytesIO()
    np.savez(file, **{name: np.asarray(array) for name, array in arrays.items()})
    return file.getvalue()


def brought(**arrays):
    return given(read(npz(**arrays)))


def weights(found) -> torch.Tensor:
    trace = Trace()
    found.attend(trace)
    return trace["weights"].value


def reason(**arrays) -> tuple[str, dict]:
    with pytest.raises(UnreadableError) as refused:
        brought(**arrays)
    return refused.value.reason, refused.value.numbers


VARIANTS = {
    "plain": {},
    "causal": {"mask": grid("causal", QUERIES, KEYS)},
    "scale": {"scale": 0.3},
    "cap and sink": {"softcap": 2.0, "sink": torch.tensor([0.5, -1.0, 2.0])},
    "slopes": {"slopes": slopes(HEADS)},
    "added": {"mask": torch.zeros(QUERIES, KEYS).masked_fill(~grid("causal", QUERIES, KEYS), torch.finfo(DTYPE).min)},
    "normed": {"qk_norm": True},
    "dropout": {"dropout": 0.3},
}


@pytest.mark.parametrize("ending", ENDINGS)
@pytest.mark.parametrize("variant", VARIANTS)
def test_a_record_comes_back_with_the_same_weights(tmp_path, variant, ending):
    q, k, v = qkv(DTYPE)
    # The queries of a file belong to the last of its words.
    trace, words = Trace(), [f"word {n}" for n in range(KEYS)]
    scaled_dot_product_attention(q, k, v, **VARIANTS[variant], trace=trace)
    path = tmp_path / f"record{ending}"
    trace.save(path, tokens=words)
    found = given(read(path.read_bytes()))
    torch.testing.assert_close(weights(found), trace["weights"].value, **CLOSE[DTYPE])
    assert found.difference() < 1e-5
    assert found.tokens == (tuple(words),) * BATCH
    torch.testing.assert_close(found.values, v, **EXACT)


def test_what_the_record_of_a_layer_had_before_its_queries_is_named(tmp_path):
    trace, layer = Trace(), MultiHeadAttention(12, 3, kv_heads=1, generator=torch.Generator().manual_seed(0))
    (x,) = drawn((2, 5, 12))
    layer(x.float(), mask="causal", rotary=torch.ones(2), trace=trace)
    trace.save(tmp_path / "layer.npz")
    found = given(read((tmp_path / "layer.npz").read_bytes()))
    assert found.before == (
        *("x", "w_q", "w_k", "w_v", "query_positions", "key_positions", "frequencies", "query_angles", "key_angles"),
        *("queries_rotated", "keys_rotated"),
    )
    assert found.sizes == (2, 3, 5, 5)
    assert found.keys.shape[1] == 1
    torch.testing.assert_close(weights(found), trace["weights"].value, **CLOSE[DTYPE])


def test_a_step_of_generation_has_the_keys_of_its_cache(tmp_path):
    q, k, v = (each[..., :5, :] for each in qkv(DTYPE))
    cache, trace = Cache(), Trace()
    scaled_dot_product_attention(q[..., :3, :], k[..., :3, :], v[..., :3, :], past=cache)
    scaled_dot_product_attention(q[..., 3:4, :], k[..., 3:4, :], v[..., 3:4, :], past=cache, trace=trace)
    trace.save(tmp_path / "step.npz")
    found = given(read((tmp_path / "step.npz").read_bytes()))
    assert found.sizes == (BATCH, HEADS, 1, 4)
    torch.testing.assert_close(weights(found), trace["weights"].value, **CLOSE[DTYPE])


@pytest.mark.slow
def test_the_record_of_a_model_comes_back(tmp_path):
    model = torch.nn.TransformerEncoderLayer(12, 3, 17, batch_first=True).eval()
    with record(model) as records:
        model(torch.ones(1, 5, 12))
    records[0].save(tmp_path / "layer.safetensors")
    found = given(read((tmp_path / "layer.safetensors").read_bytes()))
    assert found.difference() < 1e-6
    assert found.sizes == (1, 3, 5, 5)


@pytest.mark.parametrize("axes", [2, 3, 4])
@pytest.mark.parametrize("dtype", [np.float16, np.float32, np.float64])
def test_arrays_are_attended_as_torch_does(axes, dtype):
    q, k, v = (each.numpy()[(0,) * (4 - axes)].astype(dtype) for each in qkv(torch.float64))
    found = brought(q=q[..., :KEYS, :], k=k, v=v, scale=0.3, mask=grid("causal", min(QUERIES, KEYS), KEYS))
    asked = (torch.tensor(each).float() for each in (q[..., :KEYS, :], k, v))
    trace = Trace()
    out = found.attend(trace)
    mask = grid("causal", min(QUERIES, KEYS), KEYS)
    expected = F.scaled_dot_product_attention(*asked, attn_mask=mask, scale=0.3)
    torch.testing.assert_close(out[(0,) * (4 - axes)], expected, **CLOSE[DTYPE])
    assert found.tokens == ()


def test_a_part_of_it_has_the_same_scores():
    q, k, v = qkv(DTYPE)
    part = brought(q=q, k=k, v=v, tokens=[f"w{n}" for n in range(KEYS)], sink=[1.0, 2.0, 3.0]).first(KEYS - 2, 2, 1)
    whole, trace = Trace(), Trace()
    scaled_dot_product_attention(q, k, v, trace=whole)
    part.attend(trace)
    assert part.sizes == (1, 2, QUERIES - 2, KEYS - 2)
    assert part.tokens == (tuple(f"w{n}" for n in range(KEYS - 2)),)
    assert part.sink.tolist() == [1, 2]
    torch.testing.assert_close(trace["scaled"].value, whole["scaled"].value[:1, :2, :-2, :-2], **CLOSE[DTYPE])


def test_what_does_not_fit_is_refused_with_both_numbers():
    q, k, v = (each.numpy() for each in qkv(DTYPE))
    assert reason(q=q, v=v) == ("missing", {"names": "k"})
    assert reason(q=q, k=k[..., 1:], v=v)[1] == {
        "axis": "feature",
        "one": "q",
        "size": D_K,
        "other": "k",
        "others": D_K - 1,
    }
    assert reason(q=q, k=k, v=v[:, :, 1:])[1]["axis"] == "key"
    assert reason(q=q, k=k[:1], v=v[:1])[1]["axis"] == "batch"
    assert reason(q=q, k=k, v=v[:, 1:])[1]["axis"] == "head"
    assert reason(q=q, k=k[:, :2], v=v[:, :2]) == ("heads", {"heads": HEADS, "kv_heads": 2})
    assert reason(q=q[0, 0, 0], k=k, v=v) == ("axes", {"name": "q", "axes": 1})
    assert reason(q=q[..., :0], k=k, v=v) == ("empty", {"name": "q"})
    assert reason(q=q.astype(int), k=k, v=v) == ("floats", {"name": "q", "dtype": "int64"})
    long = np.zeros((LONGEST + 1, 1), np.float32)
    assert reason(q=long, k=long, v=long)[1] == {"name": "q", "axis": "token", "size": LONGEST + 1, "most": LONGEST}
    many = np.zeros((MOST_HEADS + 1, 1, 1), np.float32)
    assert reason(q=many, k=many, v=many)[1]["axis"] == "head"
    assert reason(q=q, k=k, v=v, weights=np.zeros((2, 2)))[0] == "fits"
    assert reason(q=q, k=k, v=v, sink=[1.0, 2.0])[1] == {"name": "sink", "sizes": [2], "wanted": [HEADS]}


def test_a_number_that_is_none_is_refused_with_its_place():
    q, k, v = (each.numpy() for each in qkv(DTYPE))
    for number in (np.nan, np.inf):
        wrong = v.copy()
        wrong[1, 2, 3, 0] = number
        found, numbers = reason(q=q, k=k, v=wrong)
        assert (found, numbers["name"], numbers["place"]) == ("number", "v", [1, 2, 3, 0])
    assert reason(q=q.astype(np.float64) * 1e60, k=k, v=v)[0] == "number"
    for name in ("scale", "softcap"):
        for number in (np.nan, [1.0, 2.0]):
            assert reason(q=q, k=k, v=v, **{name: number}) == ("scalar", {"name": name})
    assert reason(q=q, k=k, v=v, softcap=-1.0) == ("scalar", {"name": "softcap"})


def test_masks_that_hide_are_taken_and_others_are_refused():
    q, k, v = (each.numpy() for each in qkv(DTYPE))
    may = grid("causal", QUERIES, KEYS)
    for hidden in (-np.inf, HIDES, np.finfo(np.float32).min):
        added = np.where(may, 0, hidden).astype(np.float32)
        assert torch.equal(brought(q=q, k=k, v=v, mask=added).mask[0, 0], may)
    found, numbers = reason(q=q, k=k, v=v, mask=np.where(may, 0, -0.5))
    assert (found, numbers["value"], numbers["place"]) == ("adds", "-0.5", [0, 1])
    assert reason(q=q, k=k, v=v, mask=np.full((QUERIES, KEYS), np.nan))[0] == "adds"
    assert reason(q=q, k=k, v=v, mask=may.long()) == ("mask", {"dtype": "int64"})
    assert reason(q=q, k=k, v=v, mask=may[:-1])[0] == "fits"
    assert reason(q=q, k=k, v=v, mask=may[0])[0] == "fits"
    padded = np.ones((BATCH, 1, 1, KEYS), bool)
    padded[1, ..., -2:] = False
    found = brought(q=q, k=k, v=v, mask=padded)
    assert weights(found)[1, :, :, -2:].abs().max() == 0
    assert found.first(KEYS - 2, HEADS, BATCH).mask.shape == (BATCH, 1, QUERIES - 2, KEYS - 2)


def test_words_are_strings_or_lists_of_them_and_draw_as_something():
    q, k, v = (each.numpy() for each in qkv(DTYPE))
    words = [f"w{n}" for n in range(KEYS)]
    for tokens in (words, json.dumps(words), json.dumps([words] * BATCH)):
        assert brought(q=q, k=k, v=v, tokens=tokens).tokens == (tuple(words),) * BATCH
    strange = [" ", "\n", "a" * 99, *words[3:]]
    assert brought(q=q, k=k, v=v, tokens=strange).tokens[0][:3] == ("␣", "?", "a" * 40)
    for tokens in (words[1:], "[", json.dumps(words[1:]), json.dumps({"a": 1})):
        assert reason(q=q, k=k, v=v, tokens=tokens)[0] == "tokens"
    assert reason(q=q, k=k, v=v, tokens=json.dumps([words] * (BATCH + 1)))[0] == "fits"


@pytest.mark.parametrize(
    "about",
    ["{", "[]", '{"steps": 3}', '{"steps": [3]}', '{"steps": [{"id": []}]}', '{"steps": []}', "[" * 50_000]
    + [json.dumps({"steps": [{"id": "queries", "row": 0, "formula": formula}]}) for formula in ("Q", "__import__")],
)
def test_a_record_that_says_other_things_is_refused(about):
    q, k, v = (each.numpy() for each in qkv(DTYPE))
    assert reason(about=about, queries=q, keys=k, values=v)[0] == "record"


@pytest.mark.parametrize("ending", ENDINGS)
@pytest.mark.parametrize("variant", VARIANTS)
def test_a_brief_file_gives_the_same_weights_and_is_small(tmp_path, variant, ending):
    trace, words = Trace(), [f"word {n}" for n in range(KEYS)]
    scaled_dot_product_attention(*qkv(DTYPE), **VARIANTS[variant], trace=trace)
    path = tmp_path / f"brief{ending}"
    trace.save(path, tokens=words, brief=True)
    contents = read(path.read_bytes())
    assert not {"weights", "scores"} & contents.tensors.keys()
    assert "mask" not in contents.tensors or contents.tensors["mask"].shape == (QUERIES, KEYS)
    found = given(contents)
    torch.testing.assert_close(weights(found), trace["weights"].value, **CLOSE[DTYPE])
    assert found.tokens == (tuple(words),) * BATCH


def test_a_brief_file_of_512_tokens_and_12_heads_can_be_opened(tmp_path):
    trace, lead = Trace(), (1, 12, LONGEST)
    scaled_dot_product_attention(*drawn((*lead, 64), (*lead, 64), (*lead, 64), dtype=DTYPE), mask="causal", trace=trace)
    trace.save(tmp_path / "long.safetensors", brief=True)
    found = given(read((tmp_path / "long.safetensors").read_bytes()))
    one = Trace()
    found.alone(0, 7).attend(one)
    torch.testing.assert_close(one["weights"].value[0, 0], trace["weights"].value[0, 7], **CLOSE[DTYPE])


def test_a_record_without_scores_has_no_brief_file(tmp_path):
    with pytest.raises(ValueError, match="no step 'scores'"):
        Trace().save(tmp_path / "empty.npz", brief=True)


@pytest.mark.parametrize("ending", ENDINGS)
def test_more_queries_than_keys_are_opened_as_two_texts(tmp_path, ending):
    """The file has cross-attention from a long text to a short one, with a mask of its own and tokens for its keys."""
    k, q, v = drawn((BATCH, HEADS, QUERIES, D_K), (BATCH, HEADS, KEYS, D_K), (BATCH, HEADS, QUERIES, 13), dtype=DTYPE)
    trace, mask = Trace(), grid("causal", KEYS, QUERIES)
    scaled_dot_product_attention(q, k, v, mask=mask, trace=trace)
    words = [f"word {n}" for n in range(QUERIES)]
    trace.save(tmp_path / f"crossing{ending}", tokens=words)
    found = given(read((tmp_path / f"crossing{ending}").read_bytes()))
    assert (found.crosses, found.sizes) == (True, (BATCH, HEADS, KEYS, QUERIES))
    torch.testing.assert_close(weights(found), trace["weights"].value, **CLOSE[DTYPE])
    assert found.tokens == (tuple(words),) * BATCH
    first = found.first(3, 2, 1)
    assert first.sizes == (1, 2, 3, 3)
    torch.testing.assert_close(first.queries, q[:1, :2, :3], **EXACT)
    torch.testing.assert_close(first.mask[0, 0], mask[:3, :3], **EXACT)
    last = found.last(2)
    torch.testing.assert_close(last.queries, q[:, :, -2:], **EXACT)
    assert not brought(q=q.mT, k=q.mT, v=q.mT).crosses
