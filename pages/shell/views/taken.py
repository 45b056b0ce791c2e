"""What a query takes: the weights that act, which are those after dropout where there is some, and those that it struck
out."""

from dataclasses import dataclass

from torch import Tensor

from pages.shell.i18n import say
from pages.shell.runs.run import Run


@dataclass(frozen=True)
class Taken:
    """Of one query. weights (key,): what it takes; struck (key,): what dropout took away, 0 where it left a weight."""

    weights: Tensor
    struck: Tensor

    @property
    def count(self) -> int:
        """How many weights dropout struck out."""
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
    """What dropout does to the weights of a query, as a sentence; "" where there is none."""
    if "kept" not in run.trace:
        return ""
    p = float(run.trace["dropout"].value)
    count = int((run.matrix("weights")[query] > 0).sum())
    return say("arcs.dropping", struck=taken(run, query).count, count=count, factor=f"{1 / (1 - p):.3g}")
