"""A vision transformer as timm builds them, in plain torch: patches, a class token, a switch between the fused function
and attention by hand. timm itself would bring torchvision."""

import warnings

import pytest
import torch
from torch import nn
from torch.nn import functional as F

from attention import record
from attention.export.arrays import read
from attention.export.given_file import given
from tests.support import CLOSE, drawn, seeded

IMAGE, PATCH, E, H, DEPTH = 15, 5, 21, 3, 2
# Patches and the class token.
N = (IMAGE // PATCH) ** 2 + 1


class Attention(nn.Module):
    """One product for queries, keys and values, a norm of queries and keys, and either way to attend."""

    def __init__(self, is_fused: bool, qk_norm: bool, drop: float) -> None:
        super().__init__()
        self.is_fused, self.scale = is_fused, (E // H) ** -0.5
        self.qkv, self.proj = nn.Linear(E, 3 * E), nn.Linear(E, E)
        self.q_norm, self.k_norm = (nn.LayerNorm(E // H) if qk_norm else nn.Identity() for _ in range(2))
        self.drop = nn.Dropout(drop)

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        batch, n, _ = x.shape
        q, k, v = self.qkv(x).reshape(batch, n, 3, H, E // H).permute(2, 0, 3, 1, 4).unbind(0)
        q, k = self.q_norm(q), self.k_norm(k)
        if self.is_fused:
            out = F.scaled_dot_product_attention(q, k, v, dropout_p=self.drop.p if self.training else 0.0)
        else:
            out = self.drop((q * self.scale @ k.transpose(-2, -1)).softmax(-1)) @ v
        return self.proj(out.transpose(1, 2).reshape(batch, n, E))


class Block(nn.Module):
    def __init__(self, *how) -> None:
        super().__init__()
        self.norm1, self.attn, self.norm2 = nn.LayerNorm(E), Attention(*how), nn.LayerNorm(E)
        self.mlp = nn.Sequential(nn.Linear(E, 2 * E), nn.GELU(), nn.Linear(2 * E, E))

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        x = x + self.attn(self.norm1(x))
        return x + self.mlp(self.norm2(x))


class Vision(nn.Module):
    def __init__(self, *, is_fused: bool = True, qk_norm: bool = False, drop: float = 0.0) -> None:
        super().__init__()
        self.patch_embed = nn.Conv2d(3, E, PATCH, PATCH)
        self.cls_token, self.pos_embed = nn.Parameter(torch.zeros(1, 1, E)), nn.Parameter(torch.zeros(1, N, E))
        self.blocks = nn.Sequential(*(Block(is_fused, qk_norm, drop) for _ in range(DEPTH)))
        self.head = nn.Linear(E, 7)

    def forward(self, images: torch.Tensor) -> torch.Tensor:
        x = self.patch_embed(images).flatten(2).transpose(1, 2)
        x = torch.cat((self.cls_token.expand(len(x), -1, -1), x), 1) + self.pos_embed
        return self.head(self.blocks(x)[:, 0])


def made(**how) -> tuple[Vision, torch.Tensor]:
    model, generator = Vision(**how), seeded(3)
    with torch.no_grad():
        for parameter in model.parameters():
            parameter.copy_(0.5 * torch.randn(parameter.shape, generator=generator))
    return model.eval(), drawn((2, 3, IMAGE, IMAGE))[0].float()


@pytest.mark.parametrize("qk_norm", [False, True])
def test_each_block_is_recorded_and_the_answer_stays(qk_norm):
    model, images = made(qk_norm=qk_norm)
    plain = model(images)
    with record(model) as records:
        recorded = model(images)
    torch.testing.assert_close(recorded, plain, **CLOSE[torch.float32])
    assert len(records) == DEPTH
    assert records.unrecorded == {}
    for layer in range(DEPTH):
        trace = records[f"blocks.{layer}.attn"]
        assert trace.sizes == {"batch": 2, "head": H, "query": N, "key": N, "feature": E // H, "value": E // H}
    # The other branch computes the same weights by hand.
    x = model.patch_embed(images).flatten(2).transpose(1, 2)
    x = torch.cat((model.cls_token.expand(2, -1, -1), x), 1) + model.pos_embed
    attn = model.blocks[0].attn
    q, k, _ = attn.qkv(model.blocks[0].norm1(x)).reshape(2, N, 3, H, E // H).permute(2, 0, 3, 1, 4).unbind(0)
    weights = (attn.q_norm(q) * attn.scale @ attn.k_norm(k).mT).softmax(-1)
    torch.testing.assert_close(records[0]["weights"].value, weights, **CLOSE[torch.float32])


def test_gradients_and_dropout_are_those_of_the_model():
    model, images = made(drop=0.3)
    model.train()
    found = []
    for is_recorded in (False, True):
        model.zero_grad()
        torch.manual_seed(5)
        if is_recorded:
            with record(model) as records:
                model(images).sum().backward()
        else:
            model(images).sum().backward()
        found.append(model.patch_embed.weight.grad.clone())
    torch.testing.assert_close(*found, rtol=1e-3, atol=1e-3)
    assert "dropped" in records[0]


def test_attention_by_hand_is_named_with_its_class():
    model, images = made(is_fused=False)
    with warnings.catch_warnings(record=True) as said, record(model) as records:
        warnings.simplefilter("always")
        model(images)
    assert records.unrecorded == {f"blocks.{layer}.attn": "Attention" for layer in range(DEPTH)}
    assert len(records) == 0
    assert any("Attention" in str(one.message) for one in said)


def test_a_block_goes_into_a_file_and_comes_back(tmp_path):
    model, images = made()
    with record(model) as records:
        model(images)
    patches = [f"patch {at}" for at in range(N - 1)]
    records[1].save(tmp_path / "block.safetensors", tokens=["class", *patches], brief=True)
    found = given(read((tmp_path / "block.safetensors").read_bytes()))
    assert found.sizes == (2, H, N, N)
    assert found.tokens[0][:2] == ("class", "patch 0")
