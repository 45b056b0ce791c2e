"""SmolLM2-135M-Instruct (Ben Allal et al. 2025): a decoder of thirty Llama layers, in four bits per number.

RMS normalisation before each block: x = x + Attention(rms(x)), x = x + W_d (silu(W_g r) * W_u r) with r = rms(x); nine
query heads over three key heads, rotary positions, the embeddings reused as the output matrix.
"""

import threading
from collections import OrderedDict
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import torch
from torch import Tensor
from torch.nn import functional as F

from attention.inputs.trained.changes import Sizes
from attention.inputs.trained.gguf_file import GgufFile
from attention.inputs.trained.model import TrainedModel
from attention.inputs.trained.modules import filled
from attention.modules import MultiHeadAttention
from attention.positions import frequencies

_EPS = 1e-5
_BASE = 100_000.0
_SPECIAL = 3


@dataclass(frozen=True)
class _Layer:
    module: MultiHeadAttention
    tensors: dict[str, Tensor]


class SmolLM2(TrainedModel):
    """layers: the number of layers kept in memory; the others are read again when needed. All of them take 425 MB."""

    name = "smollm2"
    sizes = Sizes(layers=30, heads=9, kv_heads=3, d_model=576, d_k=64, causal=True)
    positions = 8192

    def __init__(self, weights: Path, layers: int = 30) -> None:
        self._file = GgufFile(weights)
        self._tokenizer = _tokenizer(self._file)
        self._bytes = _bytes_of_pieces()
        self._words = self._file.tensor("token_embd.weight")
        self._mean = self._words.mean(0)
        self._norm = self._file.tensor("output_norm.weight")
        # In the file, the rows of a pair are neighbours.
        self.turning = {"rotary": frequencies(self.sizes.d_k, base=_BASE), "interleaved": True}
        # The template's random parameters are replaced in every layer.
        self._template = MultiHeadAttention(
            self.sizes.d_model, self.sizes.heads, kv_heads=self.sizes.kv_heads, generator=torch.Generator()
        ).eval()
        self._most, self._kept, self._lock = layers, OrderedDict[int, _Layer](), threading.Lock()

    def ids(self, text: str) -> list[int]:
        ids: list[int] = self._tokenizer.encode(text).ids
        return ids

    def pieces(self, ids: list[int]) -> tuple[str, ...]:
        return tuple(self._file.tokens[id] for id in ids)

    def shown(self, ids: list[int]) -> tuple[str, ...]:
        return tuple(self._shown(piece) for piece in self.pieces(ids))

    def embed(self, ids: list[int]) -> Tensor:
        return self._words[ids][None]

    def attention(self, layer: int) -> MultiHeadAttention:
        return self._layer(layer).module

    def read(self, layer: int, x: Tensor) -> Tensor:
        return _normalized(x, self._layer(layer).tensors["attn_norm"])

    def finish(self, layer: int, x: Tensor, y: Tensor) -> Tensor:
        tensors = self._layer(layer).tensors
        x = x + y
        r = _normalized(x, tensors["ffn_norm"])
        inner = F.silu(F.linear(r, tensors["ffn_gate"])) * F.linear(r, tensors["ffn_up"])
        return x + F.linear(inner, tensors["ffn_down"])

    def say(self, x: Tensor) -> Tensor:
        return F.linear(_normalized(x[..., -1, :], self._norm), self._words).softmax(-1)

    def pushed(self, x: Tensor, parts: Tensor, word: int) -> Tensor:
        # Each part is divided by the norm of the whole state.
        scale = self._norm * torch.rsqrt(x.square().mean() + _EPS)
        return (parts * scale) @ (self._words[word] - self._mean)

    def warm(self, layer: int) -> None:
        self._layer(layer)

    def _layer(self, layer: int) -> _Layer:
        with self._lock:
            if layer in self._kept:
                self._kept.move_to_end(layer)
                return self._kept[layer]
        made = self._made(layer)
        with self._lock:
            self._kept[layer] = made
            while len(self._kept) > self._most:
                self._kept.popitem(last=False)
        return made

    def _made(self, layer: int) -> _Layer:
        def tensor(name: str) -> Tensor:
            return self._file.tensor(f"blk.{layer}.{name}.weight")

        names = {"w_q": "attn_q", "w_k": "attn_k", "w_v": "attn_v", "w_o": "attn_output"}
        module = filled(self._template, {name: tensor(place).T for name, place in names.items()})
        others = ("attn_norm", "ffn_norm", "ffn_gate", "ffn_up", "ffn_down")
        return _Layer(module, {name: tensor(name) for name in others})

    def _shown(self, piece: str) -> str:
        if any(character not in self._bytes for character in piece):
            return piece
        raw = bytes(self._bytes[character] for character in piece)
        try:
            text = raw.decode()
        except UnicodeDecodeError:
            # The bytes of an incomplete character.
            return "".join(f"<{byte:02X}>" for byte in raw)
        return text.replace(" ", "␣").replace("\n", "⏎").replace("\t", "⇥")


def _normalized(x: Tensor, weight: Tensor) -> Tensor:
    return F.rms_norm(x, weight.shape, weight, _EPS)


def _tokenizer(file: GgufFile) -> Any:
    """The tokenizer: byte pieces, joined by the merges; every digit is a token of its own."""
    from tokenizers import AddedToken, Tokenizer, models, pre_tokenizers

    vocabulary = {token: id for id, token in enumerate(file.tokens)}
    merges = [tuple(merge.split(" ")) for merge in file.merges]
    tokenizer = Tokenizer(models.BPE(vocab=vocabulary, merges=merges))
    tokenizer.pre_tokenizer = pre_tokenizers.Sequence(
        [pre_tokenizers.Digits(individual_digits=True), pre_tokenizers.ByteLevel(add_prefix_space=False)]
    )
    special = (token for token, kind in zip(file.tokens, file.kinds, strict=True) if kind == _SPECIAL)
    tokenizer.add_special_tokens([AddedToken(token, special=True, normalized=False) for token in special])
    return tokenizer


def _bytes_of_pieces() -> dict[str, int]:
    """The byte for each character of the vocabulary: printable characters stand for themselves, those from 256 on for
    the other bytes, in order (Radford et al. 2019, section 2.2, as in the code of GPT-2)."""
    printable = [*range(33, 127), *range(161, 173), *range(174, 256)]
    others = [byte for byte in range(256) if byte not in printable]
    return {chr(byte): byte for byte in printable} | {chr(256 + at): byte for at, byte in enumerate(others)}
