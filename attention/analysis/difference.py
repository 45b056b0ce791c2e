"""The difference of two records: how far each step differs, and the first step that does."""

from dataclasses import dataclass

import torch

from attention.analysis.movement import first_change
from attention.trace import Step, Trace


@dataclass(frozen=True, repr=False)
class Difference:
    """The difference between two records.

    first: the id of the first step with axes, in the order of the theory, that only one record has or that differs, or
    None. largest: by id, the largest absolute difference of the steps of equal sizes that both have. sizes: the ids of
    those whose sizes differ. only: the ids of steps that one record alone has, with which one, 0 or 1.
    """

    first: str | None
    largest: dict[str, float]
    sizes: tuple[str, ...]
    only: dict[str, int]

    def __repr__(self) -> str:
        lines = [f"first difference: {self.first or 'none'}"]
        lines += [f"{id}: {value:.3g}" for id, value in self.largest.items()]
        lines += [f"{id}: other sizes" for id in self.sizes]
        lines += [f"{id}: in the {('first', 'second')[which]} record alone" for id, which in self.only.items()]
        return "\n".join(lines)


def difference(a: Trace, b: Trace) -> Difference:
    """Compare two records step by step, numbers in float64; equal infinities and NaN in one place differ by 0."""
    both = [id for id in a if id in b]
    alike = [id for id in both if a[id].value.shape == b[id].value.shape]
    return Difference(
        first_change(a, b),
        {id: _largest(a[id], b[id]) for id in alike},
        tuple(id for id in both if id not in alike),
        {id: 0 for id in a if id not in b} | {id: 1 for id in b if id not in a},
    )


def _largest(a: Step, b: Step) -> float:
    x, y = (step.value.detach().cpu().to(torch.float64) for step in (a, b))
    same = (x == y) | (x.isnan() & y.isnan())
    apart = (x - y).abs().masked_fill(same, 0).flatten()
    return float(apart.max()) if apart.numel() else 0.0
