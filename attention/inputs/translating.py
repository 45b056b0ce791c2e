"""Layers that learned the dictionary, whose words ask and attend to another sentence; and the weights that ship."""

import math
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path

import numpy as np
import torch
from torch import Generator, Tensor

from attention.inputs.dictionary import BOTH
from attention.inputs.learned import Setting, key
from attention.inputs.tokens import Inputs, pad
from attention.modules import MultiHeadAttention
from attention.positions import sinusoidal

FILE = Path(__file__).with_suffix(".npz")
_INDEX = {word: index for index, word in enumerate(BOTH)}


@dataclass(frozen=True)
class Translator:
    """Word vectors of both languages (words, d_model), the layer, and the read-out (d_model, words)."""

    setting: Setting
    words: Tensor
    module: MultiHeadAttention
    read_out: Tensor

    @classmethod
    def drawn(cls, setting: Setting, generator: Generator) -> "Translator":
        """The untrained layer, drawn like the one that learns the grammar."""
        words = 0.3 * torch.randn(len(BOTH), setting.d_model, generator=generator)
        module = MultiHeadAttention(
            setting.d_model,
            setting.heads,
            d_k=setting.d_k,
            d_v=setting.d_v,
            dropout=setting.dropout,
            generator=generator,
        )
        read_out = torch.randn(setting.d_model, len(BOTH), generator=generator) / math.sqrt(setting.d_model)
        return cls(setting, words, module, read_out)

    def tensors(self) -> list[Tensor]:
        """All learned tensors, always in the same order."""
        return [self.words, self.read_out, *self.module.parameters()]

    def logits(self, output: Tensor) -> Tensor:
        """The logits of an output (..., d_model): (..., words)."""
        return output @ self.read_out

    def inputs(self, sentences: Sequence[Sequence[str]], positions: bool = True) -> Inputs:
        """Sentences of either language as a batch for the layer; a word that it does not know has a vector of zeros."""
        tokens, lengths = pad(sentences)
        x = torch.zeros(len(tokens), len(tokens[0]), self.setting.d_model)
        for row, words in zip(x, sentences, strict=True):
            for place, word in enumerate(words):
                if (at := _INDEX.get(word.lower())) is not None:
                    row[place] = self.words[at]
        if positions:
            x = x + sinusoidal(*x.shape[-2:])
        return Inputs(tokens, lengths, x)

    def packed(self) -> np.ndarray:
        """All weights in a row, in float16."""
        return torch.cat([tensor.detach().flatten() for tensor in self.tensors()]).half().numpy()


def unpacked(setting: Setting, numbers: np.ndarray) -> Translator:
    """The layer of a setting from its packed weights. ValueError: the wrong count of numbers."""
    made = Translator.drawn(setting, Generator())
    if numbers.shape != (wanted := sum(tensor.numel() for tensor in made.tensors()),):
        raise ValueError(f"{setting} has {wanted} numbers, got {numbers.shape}")
    rest = torch.from_numpy(numbers.astype(np.float32))
    with torch.no_grad():
        for tensor in made.tensors():
            part, rest = rest[: tensor.numel()], rest[tensor.numel() :]
            tensor.copy_(part.view_as(tensor))
    made.module.requires_grad_(False).eval()
    return made


# The settings whose weights come with the package: heads × d_k, and one head as wide as four. Among six seeds, four
# heads find most words with this one.
SHIPPED = tuple(
    Setting(heads=heads, d_k=d, d_v=d, seed=4, steps=1000)
    for heads, d in (*((h, d) for h in (1, 2, 4, 8) for d in (1, 2, 4, 8)), (1, 16))
)


@cache
def shipped(setting: Setting) -> Translator:
    """The weights that ship with the package, shared by all callers. ValueError: a setting without weights."""
    if setting not in SHIPPED:
        raise ValueError(f"no weights are shipped for {setting}")
    with np.load(FILE) as file:
        return unpacked(setting, file[key(setting)])
