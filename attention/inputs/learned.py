"""Layers that learned the grammar: their settings, their weights, and those that ship with the package."""

import math
from collections.abc import Iterable
from dataclasses import dataclass, fields, replace
from functools import cache
from pathlib import Path

import numpy as np
import torch
from torch import Generator, Tensor

from attention import checks
from attention.inputs import grammar
from attention.inputs.grammar import ANSWERS, QUESTIONS, VOCABULARY, Sentence
from attention.inputs.presets import Prepared
from attention.inputs.tokens import PAD, Inputs
from attention.masks import MASKS, grid
from attention.modules import MultiHeadAttention
from attention.positions import sinusoidal
from attention.scales import SCALES

FILE = Path(__file__).with_suffix(".npz")
_READ_OUT = len(QUESTIONS) * len(ANSWERS[0])
_SIZES = ("d_model", "heads", "d_k", "d_v")


@dataclass(frozen=True)
class Setting:
    """The settings of a training; the seed determines initial weights, batches and dropout.

    width, length: parameters of the mask, if it has them. taken: the number of updates after which the layer is taken,
    None for all steps.
    ValueError: an unknown mask or scale, a size or steps below 1, dropout outside [0, 1], more taken than steps.
    """

    d_model: int = 16
    heads: int = 4
    d_k: int = 4
    d_v: int = 4
    bias: bool = False
    scale: str = "sqrt_d_k"
    mask: str = "full"
    width: int = 2
    length: int = 2
    dropout: float = 0.0
    positions: bool = True
    seed: int = 0
    steps: int = 400
    taken: int | None = None

    def __post_init__(self) -> None:
        checks.choice("mask", self.mask, MASKS)
        checks.choice("scale", self.scale, SCALES)
        checks.positive(d_model=self.d_model, heads=self.heads, d_k=self.d_k, d_v=self.d_v, steps=self.steps)
        checks.probability("dropout", self.dropout)
        if self.taken is not None and not 0 <= self.taken <= self.steps:
            raise ValueError(f"taken must be from 0 to {self.steps}, got {self.taken}")

    @property
    def updates(self) -> int:
        """The number of updates that the layer has had."""
        return self.steps if self.taken is None else self.taken

    def grid(self, n: int) -> Tensor | None:
        """The mask over a sentence of n words."""
        if self.mask == "full":
            return None
        return grid(self.mask, n, n, **{name: getattr(self, name) for name in MASKS[self.mask].parameters})

    @property
    def factor(self) -> float | None:
        """The factor of the scores; None leaves it to the implementation."""
        return None if self.scale == "sqrt_d_k" else SCALES[self.scale](self.d_k, self.d_model, self.heads)

    @property
    def numbers(self) -> int:
        """The count of learned numbers: word vectors, the layer, the read-out."""
        around = self.d_model * (len(VOCABULARY) + _READ_OUT)
        biases = self.heads * (2 * self.d_k + self.d_v) + self.d_model if self.bias else 0
        return around + 2 * self.d_model * self.heads * (self.d_k + self.d_v) + biases


@dataclass(frozen=True)
class Learned:
    """Word vectors (vocabulary, d_model), the layer, and the read-out (d_model, questions · answers)."""

    setting: Setting
    words: Tensor
    module: MultiHeadAttention
    read_out: Tensor

    @classmethod
    def drawn(cls, setting: Setting, generator: Generator) -> "Learned":
        """The untrained layer. Word vectors are small: with N(0, 1) a wide layer does not learn the task."""
        words = 0.3 * torch.randn(len(VOCABULARY), setting.d_model, generator=generator)
        module = MultiHeadAttention(
            setting.d_model,
            setting.heads,
            d_k=setting.d_k,
            d_v=setting.d_v,
            bias=setting.bias,
            dropout=setting.dropout,
            generator=generator,
        )
        read_out = torch.randn(setting.d_model, _READ_OUT, generator=generator) / math.sqrt(setting.d_model)
        return cls(setting, words, module, read_out)

    def tensors(self) -> list[Tensor]:
        """All learned tensors, always in the same order."""
        return [self.words, self.read_out, *self.module.parameters()]

    def logits(self, output: Tensor) -> Tensor:
        """The logits of an output (..., d_model): (..., questions, answers)."""
        answers: Tensor = (output @ self.read_out).unflatten(-1, (len(QUESTIONS), -1))
        return answers

    def prepared(self, sentences: Iterable[Sentence], positions: bool = True) -> Prepared:
        """Sentences as a batch for the layer, with the first verb as the query to show."""
        read = tuple(sentences)
        lengths = tuple(len(sentence.words) for sentence in read)
        x = torch.zeros(len(read), max(lengths), self.setting.d_model)
        for row, sentence, length in zip(x, read, lengths, strict=True):
            row[:length] = grammar.vectors(sentence, self.words)
        if positions:
            x += sinusoidal(*x.shape[-2:])
        tokens = tuple((*sentence.words, *[PAD] * (x.shape[1] - len(sentence.words))) for sentence in read)
        return Prepared(Inputs(tokens, lengths, x), self.module, read[0].verb)

    def packed(self) -> np.ndarray:
        """All weights in a row, in float16."""
        return torch.cat([tensor.detach().flatten() for tensor in self.tensors()]).half().numpy()


def unpacked(setting: Setting, numbers: np.ndarray) -> Learned:
    """The layer of a setting from its packed weights. ValueError: the wrong count of numbers."""
    return filled(Learned.drawn(setting, Generator()), numbers)


def filled(learned: Learned, numbers: np.ndarray) -> Learned:
    """A layer with its packed weights put in, frozen. ValueError: the wrong count of numbers."""
    count = sum(tensor.numel() for tensor in learned.tensors())
    if numbers.shape != (count,):
        raise ValueError(f"the layer of {learned.setting} has {count} numbers, got {numbers.shape}")
    rest = torch.from_numpy(numbers.astype(np.float32))
    with torch.no_grad():
        for tensor in learned.tensors():
            part, rest = rest[: tensor.numel()], rest[tensor.numel() :]
            tensor.copy_(part.view_as(tensor))
    learned.module.requires_grad_(False).eval()
    return learned


def _shipped() -> tuple[Setting, ...]:
    base = Setting()
    sizes = [Setting(heads=h, d_k=d, d_v=d) for h in (1, 2, 3, 4, 8) for d in (1, 2, 4, 8, 16, 32)]
    masks = [replace(base, mask=mask) for mask in MASKS] + [replace(base, mask="window", width=4)]
    positions = [replace(base, positions=False, mask=mask) for mask in ("full", "causal")]
    scales = [replace(base, d_k=d, d_v=d, scale=scale) for d in (4, 32) for scale in ("none", "d_k")]
    wide = [replace(base, d_k=32, d_v=32, scale="sqrt_d_model"), *(replace(base, d_model=d) for d in (2, 4, 8, 32, 64))]
    dropouts = [replace(base, dropout=p) for p in (0.1, 0.3, 0.5, 0.7)]
    on_the_way = [replace(base, taken=taken) for taken in TAKEN]
    return tuple(dict.fromkeys((*sizes, *masks, *positions, *scales, *wide, *dropouts, *on_the_way)))


# Updates after which the layer with the default sizes was kept during training: evenly apart while its answers emerge,
# and two later ones that links name.
ON_THE_WAY = tuple(range(0, 141, 10))
TAKEN = (*ON_THE_WAY, 200, 300)
# The settings whose weights come with the package: heads × d_k, one of them with other masks, positions, scales, sizes
# of the model and dropout, and one during its training.
SHIPPED = _shipped()


@cache
def shipped(setting: Setting) -> Learned:
    """The weights that ship with the package, shared by all callers. ValueError: a setting without weights."""
    if setting not in SHIPPED:
        raise ValueError(f"no weights are shipped for {setting}")
    with np.load(FILE) as file:
        return unpacked(setting, file[key(setting)])


def key(setting: Setting) -> str:
    """The name of a setting in the file: its differences from the default."""
    base = Setting()
    differing = (f.name for f in fields(Setting) if getattr(setting, f.name) != getattr(base, f.name))
    return ",".join(f"{name}={getattr(setting, name)}" for name in differing) or "default"


def nearest(wanted: Setting, among: tuple[Setting, ...] = SHIPPED) -> Setting:
    """The nearest of some settings, by default of those that ship: by the ratios of its sizes, then by the number of
    other fields that agree, then by dropout."""

    def distance(one: Setting) -> tuple[float, int, float]:
        apart = sum(abs(math.log(getattr(one, size) / getattr(wanted, size))) for size in _SIZES)
        others = (f.name for f in fields(Setting) if f.name not in _SIZES)
        differing = sum(getattr(one, name) != getattr(wanted, name) for name in others)
        return round(apart, 9), differing, round(abs(one.dropout - wanted.dropout), 9)

    return min(among, key=distance)
