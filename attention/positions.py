"""Positions: vectors that are added to embeddings, and angles by which queries and keys are rotated."""

import math

import torch
from torch import Tensor

from attention import checks

SCALINGS = ("none", "linear", "ntk", "yarn")
# YaRN's bounds (Peng et al. 2023, section 3.2), in turns within the trained length: faster pairs than _FAST keep their
# frequency, slower ones than _SLOW are stretched by the whole factor.
_FAST, _SLOW = 32.0, 1.0


def sinusoidal(n: int, d_model: int) -> Tensor:
    """Position vectors (n, d_model): sin and cos of p / 10000^(2i / d_model) (Vaswani et al. 2017, section 3.5)."""
    position = torch.arange(n)[:, None]
    pair = torch.arange(d_model) // 2
    angle = position / torch.exp(2 * pair * math.log(10_000) / d_model)
    return torch.where(torch.arange(d_model) % 2 == 0, angle.sin(), angle.cos())


def frequencies(
    d_k: int, *, base: float = 10_000.0, scaling: str = "none", factor: float = 1.0, trained: int = 4096
) -> Tensor:
    """The angle (d_k / 2,) by which each pair of features turns from one position to the next, float64: base^(-2p /
    d_k) (Su et al. 2021, RoFormer, section 3.2.2). Where only d_r of d_k features turn, pass d_r as d_k.

    scaling: how a model trained on `trained` positions is extended to `factor` times as many: `linear` divides all
    angles by the factor (Chen et al. 2023); `ntk` multiplies the base by factor^(d_k / (d_k - 2)), which stretches the
    longest wavelength by the factor and keeps the shortest; `yarn` divides the angles of slow pairs, keeps those of
    fast pairs and interpolates in between (Peng et al. 2023, equations 17 to 20). ValueError: an odd d_k, a base not
    above 1, an unknown scaling, a factor below 1, `ntk` with a single pair.
    """
    checks.positive(d_k=d_k, trained=trained)
    if d_k % 2:
        raise ValueError(f"d_k must be even, since features turn in pairs, got {d_k}")
    if not 1 < base < math.inf:
        raise ValueError(f"base must be a finite number above 1, got {base}")
    checks.choice("scaling", scaling, SCALINGS)
    if not 1 <= factor < math.inf:
        raise ValueError(f"factor must be a finite number of at least 1, got {factor}")
    if scaling == "ntk":
        if d_k == 2:
            raise ValueError("scaling 'ntk' needs at least two pairs, got d_k = 2")
        base *= factor ** (d_k / (d_k - 2))
    theta = base ** (-torch.arange(0, d_k, 2, dtype=torch.float64) / d_k)
    if scaling == "linear":
        return theta / factor
    if scaling == "yarn":
        turns = trained * theta / (2 * math.pi)
        kept = ((turns - _SLOW) / (_FAST - _SLOW)).clamp(0, 1)
        return theta * (kept + (1 - kept) / factor)
    return theta


def rotate(x: Tensor, angles: Tensor, *, interleaved: bool = False) -> Tensor:
    """x (..., n, d) with each pair of the first d_r features turned by its angle (n, d_r / 2) (Su et al. 2021, equation
    34); d_r is twice the number of angles, and the other features stay as they are.

    A pair consists of features j and j + d_r / 2 (half-split, as in transformers) or, interleaved, 2j and 2j + 1 (the
    paper).
    """
    cos, sin = angles.cos().to(x.dtype), angles.sin().to(x.dtype)
    turning, rest = x.tensor_split([2 * angles.shape[-1]], -1)
    a, b = (turning[..., ::2], turning[..., 1::2]) if interleaved else turning.chunk(2, -1)
    turned = a * cos - b * sin, a * sin + b * cos
    joined = torch.stack(turned, -1).flatten(-2) if interleaved else torch.cat(turned, -1)
    return torch.cat((joined, rest), -1) if rest.shape[-1] else joined


def slopes(heads: int) -> Tensor:
    """The slope m of each head (heads,), float64, for linear biases -m |i - j| (Press et al. 2022, ALiBi, section 3).

    The slopes are 2^(-8n / heads) for a power of two; otherwise those of the next lower power of two, then every other
    slope of twice that power, as in the authors' code. ValueError: heads below 1.
    """
    checks.positive(heads=heads)
    power = 2 ** math.floor(math.log2(heads))
    exponents = [-8 * n / power for n in range(1, power + 1)]
    exponents += [-4 * n / power for n in range(1, 2 * (heads - power), 2)]
    return 2 ** torch.tensor(exponents, dtype=torch.float64)
