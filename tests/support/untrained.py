"""Models with the sizes of the trained ones and random weights, for tests of the code around a model."""

import torch
from torch import Generator, Tensor

from attention.inputs.trained import SIZES, TrainedModel
from attention.modules import MultiHeadAttention

_VOCABULARY = 97


class Untrained(TrainedModel):
    """A model of attention alone, which passes hidden states on unchanged; a word is one token."""

    def __init__(self, name: str) -> None:
        self.name, self.sizes, self.positions, self.turning = name, SIZES[name], 512, {}
        generator, sizes = Generator().manual_seed(7), self.sizes
        self._layers_of = [
            MultiHeadAttention(
                sizes.d_model, sizes.heads, kv_heads=sizes.kv_heads, d_k=sizes.d_k, generator=generator
            ).requires_grad_(False)
            for _ in range(sizes.layers)
        ]
        self._table = torch.randn(_VOCABULARY, sizes.d_model, generator=generator)

    def ids(self, text: str) -> list[int]:
        return [sum(map(ord, word)) % _VOCABULARY for word in text.split()]

    def pieces(self, ids: list[int]) -> tuple[str, ...]:
        return tuple(f"w{id}" for id in ids)

    shown = pieces

    def embed(self, ids: list[int]) -> Tensor:
        return self._table[ids][None]

    def attention(self, layer: int) -> MultiHeadAttention:
        return self._layers_of[layer]

    def read(self, layer: int, x: Tensor) -> Tensor:
        return x

    def finish(self, layer: int, x: Tensor, y: Tensor) -> Tensor:
        return x + y

    def say(self, x: Tensor) -> Tensor:
        if self.sizes.causal:
            return (x[..., -1, :] @ self._table.T).softmax(-1)
        mean = x.mean(-2)
        return mean / mean.norm(dim=-1, keepdim=True)

    def pushed(self, x: Tensor, parts: Tensor, word: int) -> Tensor:
        if not self.sizes.causal:
            return super().pushed(x, parts, word)
        return parts @ (self._table[word] - self._table.mean(0))

    def warm(self, layer: int) -> None:
        pass
