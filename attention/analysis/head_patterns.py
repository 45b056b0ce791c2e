"""Patterns of heads on a text: six numbers between 0 and 1 per head, read from its weights.

Previous and next token: Clark et al. 2019, "What Does BERT Look At?", section 3; the first token as a sink: Xiao et al.
2024; induction: Olsson et al. 2022, "In-context Learning and Induction Heads".
"""

from collections.abc import Sequence
from dataclasses import dataclass

import torch
from torch import Tensor

from attention.analysis.sharpness import entropy

PATTERNS = ("previous", "next", "first", "same", "induction", "broad")
# The least mean weight of a pattern: a head below it in all patterns but the last has none of them.
WORTH = 1 / 3


@dataclass(frozen=True)
class Patterns:
    """Numbers of heads (...,) by name in PATTERNS, NaN where a pattern cannot be measured on the text.

    previous, next, first: the mean weight on the token before, the token after, and the first token, over the queries
    that have such a token, without the first query for `first`; same: on the token itself and its repetitions;
    induction: on the tokens after earlier copies of the query's token, over the queries that have one; broad:
    exp(entropy) of the weights as a share of the keys that may be attended to, over the queries that have a choice.
    """

    numbers: dict[str, Tensor]

    def kinds(self) -> Tensor:
        """The index in PATTERNS of the strongest pattern of each head, `broad` if no other one reaches WORTH."""
        stacked = torch.stack([self.numbers[name] for name in PATTERNS[:-1]]).nan_to_num(nan=-1.0)
        most, which = stacked.max(0)
        return torch.where(most >= WORTH, which, len(PATTERNS) - 1)

    def strongest(self, name: str) -> tuple[int, ...] | None:
        """The index of the head with the strongest pattern of one kind; None if it cannot be measured."""
        numbers = self.numbers[name]
        if bool(numbers.isnan().all()):
            return None
        flat = int(numbers.nan_to_num(nan=-1.0).argmax())
        return tuple(int(place) for place in torch.unravel_index(torch.tensor(flat), numbers.shape))


def patterns(weights: Tensor, tokens: Sequence[str], allowed: Tensor | None = None) -> Patterns:
    """Measure heads. weights (..., n, n); tokens: n of them; equal tokens are repetitions; allowed: bool (n, n), the
    mask, None where everything is visible. ValueError: tokens and keys differ in number, fewer queries than keys."""
    n = len(tokens)
    if tuple(weights.shape[-2:]) != (n, n):
        raise ValueError(f"weights must be (..., {n}, {n}) for {n} tokens, got {tuple(weights.shape)}")
    seen = torch.ones(n, n, dtype=torch.bool) if allowed is None else allowed
    equal = torch.tensor([[a == b for b in tokens] for a in tokens])
    i, j = torch.arange(n)[:, None], torch.arange(n)[None, :]
    repeated = equal & (j < i)
    # Induction looks at the key after an earlier copy of the query's token.
    followed = torch.zeros_like(repeated)
    followed[:, 1:] = repeated[:, :-1]
    places = {
        "previous": j == i - 1,
        "next": j == i + 1,
        "first": (j == 0) & (i > 0),
        "same": equal,
        "induction": followed,
    }
    numbers = {name: _mean_weight(weights, where & seen) for name, where in places.items()}
    choice = seen.sum(-1) > 1
    effective = entropy(weights[..., choice, :]).exp() / seen[choice].sum(-1)
    none = torch.full(weights.shape[:-2], torch.nan)
    return Patterns(numbers | {"broad": effective.mean(-1) if bool(choice.any()) else none})


def _mean_weight(weights: Tensor, where: Tensor) -> Tensor:
    """The weight on some cells of a row, as a mean over the rows that have such a cell."""
    rows = where.any(-1)
    if not bool(rows.any()):
        return torch.full(weights.shape[:-2], torch.nan)
    return (weights * where).sum(-1)[..., rows].mean(-1)
