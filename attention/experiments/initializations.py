"""The spread of the scaled scores of untrained layers, by initialisation."""

import math
from collections.abc import Callable
from dataclasses import dataclass

import pandas as pd
import torch
from torch import Generator, Tensor

from attention import checks
from attention.experiments.running_sums import CHUNK, Progress
from attention.functional import scaled_dot_product_attention
from attention.trace import Trace


@dataclass(frozen=True)
class Initialisation:
    """variance: of an entry of W_Q and W_K, from d_model and d_k; uniform about 0, or normal."""

    variance: Callable[[int, int], float]
    uniform: bool

    def draw(self, d_model: int, d_k: int, repeats: int, generator: Generator) -> Tensor:
        """Weights (repeats, d_model, d_k), applied as x @ w, on the generator's device."""
        out = torch.empty(repeats, d_model, d_k, device=generator.device)
        variance = self.variance(d_model, d_k)
        if self.uniform:
            bound = math.sqrt(3 * variance)
            return out.uniform_(-bound, bound, generator=generator)
        return out.normal_(0, math.sqrt(variance), generator=generator)


INITIALISATIONS: dict[str, Initialisation] = {
    # torch.nn.Linear: U(±1/sqrt(fan_in)), in the words of its source kaiming_uniform with a = sqrt(5).
    "nn_linear": Initialisation(lambda d_model, d_k: 1 / (3 * d_model), uniform=True),
    # torch.nn.MultiheadAttention: xavier_uniform (Glorot and Bengio 2010, equation 16) on W_Q, W_K and W_V in one
    # (3 d_model, d_model) matrix, whose fans add up to 4 d_model.
    "multihead": Initialisation(lambda d_model, d_k: 2 / (4 * d_model), uniform=True),
    # Xavier on a separate (d_model, d_model) matrix, as nn.MultiheadAttention has if kdim or vdim differ from d_model.
    "xavier": Initialisation(lambda d_model, d_k: 2 / (2 * d_model), uniform=True),
    # Xavier on the (d_k, d_model) matrix of each head.
    "xavier_per_head": Initialisation(lambda d_model, d_k: 2 / (d_model + d_k), uniform=True),
    "normal": Initialisation(lambda d_model, d_k: 1 / d_model, uniform=False),
    # Radford et al. 2019: N(0, 0.02^2), whatever the size.
    "gpt2": Initialisation(lambda d_model, d_k: 0.02**2, uniform=False),
}


def initialisations(
    d_model: int = 512,
    d_k: int = 64,
    tokens: int = 64,
    repeats: int = 64,
    *,
    generator: Generator,
    progress: Progress | None = None,
) -> pd.DataFrame:
    """One head of self-attention over x, N(0, 1), with fresh x and weights each time: a row for each initialisation.

    Columns: initialisation; q_variance and scores_variance, of the entries of Q and of Q K^T; scaled_std, of the scores
    divided by sqrt(d_k); each with its _theory: d_model v, d_k (d_model v)^2 and d_model v, where v is the variance of
    a weight; scaled_std_error, the standard error by the scatter over the repeats. All about the known mean 0.
    Memory: that of one repeat, or a few MB. progress: called with the share that is done; raise there to stop.
    ValueError: sizes below 1, repeats below 2.
    """
    checks.positive(d_model=d_model, d_k=d_k, tokens=tokens)
    checks.at_least(2, repeats=repeats)
    # As many repeats at once as make each tensor at most a chunk.
    together = max(1, CHUNK // (max(d_model, tokens) * max(d_k, tokens)))
    chunks = [min(together, repeats - done) for done in range(0, repeats, together)]
    rows = []
    for number, (name, initialisation) in enumerate(INITIALISATIONS.items()):
        parts = []
        for done, count in enumerate(chunks, start=1):
            parts.append(_measured(initialisation, d_model, d_k, tokens, count, generator))
            if progress is not None:
                progress((number + done / len(chunks)) / len(INITIALISATIONS))
        q, scores, scaled = (torch.cat(part) for part in zip(*parts, strict=True))
        theory = d_model * initialisation.variance(d_model, d_k)
        std = scaled.mean().sqrt().item()
        rows.append(
            {
                "initialisation": name,
                "q_variance": q.mean().item(),
                "q_variance_theory": theory,
                "scores_variance": scores.mean().item(),
                "scores_variance_theory": d_k * theory**2,
                "scaled_std": std,
                "scaled_std_theory": theory,
                # The error of a root is the error of the square divided by twice the root.
                "scaled_std_error": scaled.std().item() / math.sqrt(repeats) / (2 * std),
            }
        )
    return pd.DataFrame(rows)


def _measured(
    initialisation: Initialisation, d_model: int, d_k: int, tokens: int, repeats: int, generator: Generator
) -> list[Tensor]:
    """The mean squares (repeats,) of Q, of the scores and of the scaled scores."""
    trace = Trace()
    x = torch.empty(repeats, tokens, d_model, device=generator.device).normal_(generator=generator)
    w_q, w_k = (initialisation.draw(d_model, d_k, repeats, generator) for _ in range(2))
    scaled_dot_product_attention(x @ w_q, x @ w_k, x, trace=trace)
    return [_mean_squares(trace[id].value) for id in ("queries", "scores", "scaled")]


def _mean_squares(values: Tensor) -> Tensor:
    """(repeats, ..., ...) to (repeats,)."""
    return values.square().mean((1, 2))
