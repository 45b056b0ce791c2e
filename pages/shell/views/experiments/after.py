"""The sentence after the open question's intervention: one word's weights, and the numbers that change beside them."""

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

from torch import Tensor

from attention.trace import Trace
from pages.shell.component.laid import Laid
from pages.shell.component.pairs import Pairs
from pages.shell.i18n import say
from pages.shell.i18n.markdown import cut, plain, quoted
from pages.shell.runs.run import Run
from pages.shell.views.turned import turned

# A smaller change shows in no arc and in no percentage.
_NOTHING = 0.005
# Weights that differ by less are tied, such as those of equal words, which come from two sums.
_TIED = 1e-5
# The most letters of a word in a sentence.
_SHORT = 24


@dataclass(frozen=True)
class After:
    """One word before and after an intervention.

    run, query: the word, before; now (heads, keys): its weights afterwards; told: the reason, in Markdown; most: the
    largest change, told if no head loses the word that answers it; shown: other numbers that change, None for none;
    sizes: values for the placeholders of the question; alone: the one head that is drawn, None for all; found: the id
    of the right answer if arcs alone do not tell it. other: the run with the words in another order, None if they stay;
    place: the place of the word there; order: for each word there the place (from 0) that it had.
    """

    run: Run
    query: int
    now: Tensor
    told: str = ""
    most: str = ""
    shown: Pairs | Laid | None = None
    sizes: Mapping[str, Any] = field(default_factory=dict)
    alone: int | None = None
    found: str = ""
    other: Run | None = None
    order: Sequence[int] = ()

    @property
    def was(self) -> Tensor:
        return weights(self.run, self.run.trace, self.query)

    @property
    def place(self) -> int:
        return list(self.order).index(self.query) if self.other else self.query

    @property
    def in_place(self) -> Tensor:
        """The weights afterwards, in the order of the words before."""
        return in_order(self.now, self.order) if self.other else self.now

    @property
    def moves(self) -> bool:
        """Whether any arc changes."""
        return not is_kept(self.was, self.in_place)

    @property
    def own(self) -> int:
        """The place of the word itself among the keys."""
        return self.query + self.was.shape[1] - len(self.run.labels["query"])


def is_kept(was: Tensor, now: Tensor) -> bool:
    return bool((now - was).abs().max() < _NOTHING)


def ends_at(now: Tensor, places: Tensor) -> list[bool]:
    """For each head, whether its largest weight lies at its place, or is tied with the one there."""
    return (now.amax(-1) - now.gather(-1, places[:, None])[:, 0] < _TIED).tolist()


def in_order(now: Tensor, order: Sequence[int]) -> Tensor:
    made = now.clone()
    made[..., list(order)] = now
    return made


def weights(run: Run, trace: Trace, query: int) -> Tensor:
    """The weights of a query in all heads (heads, keys), from a trace of a run's sentences."""
    return trace["weights"].value[run.sentence, :, query].cpu().float()


def spoken(run: Run, axis: str, place: int) -> str:
    """A word for a title, which is no Markdown."""
    return cut(run.labels[axis][place], _SHORT)


def written(run: Run, axis: str, place: int) -> str:
    """A word for a sentence, which is Markdown."""
    return plain(spoken(run, axis, place))


def most(run: Run, query: int, was: Tensor, now: Tensor) -> str:
    """The head that changes most or, if none turns, the share of the weight that moves. now: in the order of before."""
    word, keys = quoted(run.labels["query"][query]), run.labels["key"]
    if is_kept(was, now):
        return ""
    if found := turned(was, now, keys, keys):
        return say("what_if.arcs.turned", word=word, **found)
    share = float((now - was).abs().sum(-1).mean()) / 2
    return say("what_if.arcs.moved", word=word, share=f"{share:.0%}")


def pairs(
    title: str,
    names: Sequence[str],
    sides: Sequence[Tensor],
    head: int,
    *,
    are_words: bool = True,
    far: Sequence[Tensor] = (),
) -> Pairs:
    """Numbers of a head before and after; those that a mask hides are infinite. far: the numbers at both ends of a
    slider, for which the bars have room, and with which they tell how far each has moved; empty without a slider."""
    labels = {name: say(f"what_if.pair.{name}") for name in ("name", "before", "after", "far", "kind")} | {"keys": ""}
    before, after = (_finite(side) for side in sides)
    made = Pairs("pairs", title, names, before, after, labels, are_words, head=head)
    if not far:
        return made
    seen = [each for one in (sides[0], *far) for each in one[one.isfinite()].tolist()]
    return replace(made, ends=(min(seen, default=0.0), max(seen, default=0.0)), far=_finite(sides[1] - sides[0]))


def _finite(side: Tensor) -> list[float | None]:
    return [one if abs(one) < math.inf else None for one in side.tolist()]


def numbered(count: int) -> list[str]:
    return [str(place + 1) for place in range(count)]
