"""all-MiniLM-L6-v2 (Wang et al. 2020, Reimers and Gurevych 2019): an encoder of six layers that makes sentence vectors.

Layer normalisation after each block: x = LN(x + Attention(x)), x = LN(x + W_2 gelu(W_1 x)); positions are learned and
added.
"""

from pathlib import Path
from typing import Any

import torch
from torch import Tensor
from torch.nn import functional as F

from attention.inputs.trained.changes import Sizes
from attention.inputs.trained.model import TrainedModel
from attention.inputs.trained.modules import filled
from attention.modules import MultiHeadAttention

_NAMES = {"q": "attention.self.query", "k": "attention.self.key", "v": "attention.self.value"}
_EPS = 1e-12


class MiniLM(TrainedModel):
    name = "minilm"
    sizes = Sizes(layers=6, heads=12, kv_heads=12, d_model=384, d_k=32, causal=False)
    positions = 512

    def __init__(self, weights: Path, tokenizer: Path) -> None:
        from safetensors import safe_open
        from tokenizers import Tokenizer

        self.turning = {}
        self._tokenizer: Any = Tokenizer.from_file(str(tokenizer))
        self._tokenizer.no_padding()
        self._tokenizer.no_truncation()
        with safe_open(str(weights), framework="pt") as file:
            self._tensors: dict[str, Tensor] = {name: file.get_tensor(name) for name in file.keys()}  # noqa: SIM118
        # The template's random parameters are replaced in every layer.
        self._template = MultiHeadAttention(
            self.sizes.d_model, self.sizes.heads, bias=True, generator=torch.Generator()
        ).eval()
        self._modules = [self._module(layer) for layer in range(self.sizes.layers)]

    def ids(self, text: str) -> list[int]:
        ids: list[int] = self._tokenizer.encode(text).ids
        return ids

    def pieces(self, ids: list[int]) -> tuple[str, ...]:
        return tuple(self._tokenizer.id_to_token(id) for id in ids)

    def shown(self, ids: list[int]) -> tuple[str, ...]:
        return self.pieces(ids)

    def embed(self, ids: list[int]) -> Tensor:
        words, places, types = (
            self._tensors[f"embeddings.{kind}_embeddings.weight"] for kind in ("word", "position", "token_type")
        )
        return self._normalized("embeddings", words[ids] + places[: len(ids)] + types[0])[None]

    def attention(self, layer: int) -> MultiHeadAttention:
        return self._modules[layer]

    def read(self, layer: int, x: Tensor) -> Tensor:
        return x

    def finish(self, layer: int, x: Tensor, y: Tensor) -> Tensor:
        at = f"encoder.layer.{layer}"
        x = self._normalized(f"{at}.attention.output", x + y)
        inner = F.gelu(self._linear(f"{at}.intermediate.dense", x))
        return self._normalized(f"{at}.output", x + self._linear(f"{at}.output.dense", inner))

    def say(self, x: Tensor) -> Tensor:
        return F.normalize(x.mean(-2), dim=-1)

    def warm(self, layer: int) -> None:
        self.attention(layer)

    def _module(self, layer: int) -> MultiHeadAttention:
        at = f"encoder.layer.{layer}"
        places = {letter: f"{at}.{name}" for letter, name in _NAMES.items()} | {"o": f"{at}.attention.output.dense"}
        weights = {f"w_{letter}": self._tensors[f"{place}.weight"].T for letter, place in places.items()}
        biases = {f"b_{letter}": self._tensors[f"{place}.bias"] for letter, place in places.items()}
        return filled(self._template, weights | biases)

    def _linear(self, name: str, x: Tensor) -> Tensor:
        return F.linear(x, self._tensors[f"{name}.weight"], self._tensors[f"{name}.bias"])

    def _normalized(self, name: str, x: Tensor) -> Tensor:
        weight, bias = (self._tensors[f"{name}.LayerNorm.{part}"] for part in ("weight", "bias"))
        return F.layer_norm(x, weight.shape, weight, bias, _EPS)
