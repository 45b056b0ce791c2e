"""The weights of a query that act, after dropout if there is some, and those that dropout struck out."""

from dataclasses import dataclass

from torch import Tensor

from pages.shell.i18n import say
from pages.shell.runs.run import Run


@dataclass(frozen=True)
class Taken:
    """The weights of one query. weights (key,): those that act; struck (key,): those that dropout took away, 0 if it
    left a weight."""

    weights: Tensor
    struck: Tensor

    @property
    def count(self) -> int:
        """The number of weights that dropout struck out."""
        return int((self.struck > 0).sum())


def acting(run: Run) -> str:
    """The id of the step whose weights are multiplied with the values."""
    return "dropped" if "dropped" in run.trace else "weights"


def taken(run: Run, query: int) -> Taken:
    before = run.matrix("weights")[query].cpu()
    if "kept" not in run.trace:
        return Taken(before, before.new_zeros(before.shape))
    return Taken(run.matrix("dropped")[query].cpu(), before.masked_fill(run.matrix("kept")[query].cpu(), 0))


def dropping(run: Run, query: int) -> str:
    """The effect of dropout on the weights of a query, as a sentence; "" if there is none."""
    if "kept" not in run.trace:
        return ""
    p = float(run.trace["dropout"].value)
    count = int((run.matrix("weights")[query] > 0).sum())
    return say("arcs.dropping", struck=taken(run, query).count, count=count, factor=f"{1 / (1 - p):.3g}")
