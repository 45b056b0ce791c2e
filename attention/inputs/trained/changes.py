"""Changes of a trained model while it runs: in all layers, or layer by layer."""

from collections.abc import Collection, Mapping
from dataclasses import dataclass, fields
from typing import Any

import torch
from torch import Generator, Tensor

from attention import checks
from attention.masks import MASKS, grid
from attention.scales import SCALES


@dataclass(frozen=True)
class Sizes:
    """The sizes that changes must fit. kv_heads: heads of keys and values, each read by heads / kv_heads query
    heads."""

    layers: int
    heads: int
    kv_heads: int
    d_model: int
    d_k: int
    causal: bool


@dataclass(frozen=True)
class AtLayer:
    """The changes of one layer. scale: None is 1/sqrt(d_k); mask: bool, None hides nothing; ranks: by head."""

    scale: float | None
    mask: Tensor | None
    dropout: float
    off: tuple[int, ...]
    ranks: Mapping[int, int]


@dataclass(frozen=True)
class Changes:
    """Each field is a value for all layers, or a dictionary from layer (from 0) to value; other layers are as trained.

    scale: the number that multiplies the scores, or a name in `attention.scales.SCALES`.
    mask: a name in `attention.masks.MASKS` that takes no parameter, (name, parameters) of one that takes some, as
    ("window", {"width": 4}), or bool (n, n) or (heads, n, n), True = may attend; None: that of the model, causal for a
    decoder.
    dropout: p of the weights, with keep-masks drawn from `generator`.
    off: heads (from 0) whose rows of W_O are zero.
    rank: how many directions of W_Q W_K^T every head keeps, or a dictionary from head to their number: queries are
    projected on the left singular vectors with the largest singular values. With biases, those of the matrix that maps
    (x, 1) to them. 0: no direction, all scores zero.
    hidden: tokens (from 0) that no query may attend to.
    """

    scale: Any = None
    mask: Any = None
    dropout: Any = 0.0
    off: Any = ()
    rank: Any = None
    hidden: Any = ()
    generator: Generator | None = None

    @classmethod
    def named(cls, changes: Mapping[str, Any]) -> "Changes":
        """Build from keywords. ValueError: an unknown keyword."""
        names = [field.name for field in fields(cls)]
        for name in changes:
            checks.choice("change", name, names)
        return cls(**changes)

    def drawn(self, layers: int) -> list[Generator | None]:
        """A generator for each layer, so that a single layer can be run again."""
        if self.generator is None:
            return [None] * layers
        seeds = torch.randint(2**31, (layers,), generator=self.generator)
        return [Generator().manual_seed(seed) for seed in seeds.tolist()]

    def check(self, sizes: Sizes, n: int) -> None:
        """Raise ValueError unless all changes fit a model and a text of n tokens."""
        for layer in range(sizes.layers):
            self.at(layer, sizes, n)
        for field in fields(self):
            value = getattr(self, field.name)
            if isinstance(value, Mapping):
                _inside(f"layers of {field.name}", value, sizes.layers)

    def at(self, layer: int, sizes: Sizes, n: int) -> AtLayer:
        """The changes of a layer for a text of n tokens. ValueError: a change that does not fit the model or the
        text."""
        off, hidden = self._of("off", layer, ()), self._of("hidden", layer, ())
        _inside("heads in off", off, sizes.heads)
        _inside("tokens in hidden", hidden, n)
        dropout = self._of("dropout", layer, 0.0)
        checks.probability("dropout", dropout)
        ranks = self._of("rank", layer, None)
        if ranks is None:
            ranks = {}
        elif not isinstance(ranks, Mapping):
            ranks = dict.fromkeys(range(sizes.heads), ranks)
        _inside("heads in rank", ranks, sizes.heads)
        for rank in ranks.values():
            checks.between("rank", rank, 0, sizes.d_k)
        scale = _scale(self._of("scale", layer, None), sizes)
        mask = _mask(self._of("mask", layer, None), hidden, sizes, n)
        return AtLayer(scale, mask, dropout, tuple(sorted(set(off))), ranks)

    def _of(self, name: str, layer: int, as_trained: Any) -> Any:
        value = getattr(self, name)
        return value.get(layer, as_trained) if isinstance(value, Mapping) else value


def _scale(scale: float | str | None, sizes: Sizes) -> float | None:
    if scale is None:
        return None
    if isinstance(scale, str):
        checks.choice("scale", scale, SCALES)
        return None if scale == "sqrt_d_k" else SCALES[scale](sizes.d_k, sizes.d_model, sizes.heads)
    checks.finite("scale", scale)
    return float(scale)


def _mask(
    mask: str | tuple[str, dict[str, Any]] | Tensor | None, hidden: Collection[int], sizes: Sizes, n: int
) -> Tensor | None:
    if mask is None:
        mask = "causal" if sizes.causal else "full"
    if isinstance(mask, str):
        free = [name for name, one in MASKS.items() if not one.parameters]
        checks.choice("mask", mask, free)
        seen = None if mask == "full" else grid(mask, n, n)
    elif isinstance(mask, tuple):
        name, parameters = mask
        seen = grid(name, n, n, **parameters)
    else:
        shapes = (n, n), (sizes.heads, n, n)
        if mask.dtype != torch.bool or tuple(mask.shape) not in shapes:
            raise ValueError(
                f"mask must be bool {shapes[0]} or {shapes[1]} for {n} tokens and {sizes.heads} heads,"
                f" got {str(mask.dtype).removeprefix('torch.')} {tuple(mask.shape)}"
            )
        seen = mask
    if not hidden:
        return seen
    keys = torch.ones(n, dtype=torch.bool)
    keys[sorted(set(hidden))] = False
    return keys.expand(n, n) if seen is None else seen & keys


def _inside(what: str, places: Collection[int], count: int) -> None:
    if strange := sorted(place for place in places if not 0 <= place < count):
        raise ValueError(f"{what} must lie between 0 and {count - 1}, got {', '.join(map(str, strange))}")
