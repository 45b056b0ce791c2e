"""The sentence before and after: what one word takes in all heads, as it is and with one part of attention replaced."""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace

import torch
from torch import Tensor

from attention.analysis import interventions
from attention.analysis.columns import as_columns
from attention.analysis.importance import added
from attention.analysis.rerun import rerun
from pages.shell.component.arcs import Ask
from pages.shell.component.head_arcs import HeadArcs
from pages.shell.i18n import listed, say
from pages.shell.i18n.markdown import quoted
from pages.shell.i18n.numbers import fixed
from pages.shell.runs.run import Run
from pages.shell.runs.run import run as compute
from pages.shell.screen import Screen
from pages.shell.state.config import LEARNED, RANDOM
from pages.shell.state.page_controls import WhatIf
from pages.shell.views import blocks, guess, head_arcs
from pages.shell.views.blocks import Block
from pages.shell.views.experiments.what_if import with_random
from pages.shell.views.turned import turned

# A head that keeps its name puts at least this on the word that answers; of how many heads a summary tells; a weight
# that moves by less is drawn as one that stays.
_EARNED, _MOST, _STAYS = 0.5, 8, 0.1
# What no arc shows and no percentage says.
_NOTHING = 0.005
# What changes where no arc moves.
_WHY = ("basis", "columns")


def arcs(screen: Screen) -> Iterator[Block]:
    """One sentence with two sets of arcs, which differ in what the open question replaces: as it is above the words."""
    chosen = screen.own(WhatIf)
    made = _AFTER[chosen.what_if](screen, chosen)
    run, query = made.before, head_arcs.asked_of(screen)
    before = run.trace["weights"].value[run.sentence, :, query].cpu().float()
    after = made.weights[made.run.sentence, :, made.query(query)].cpu().float()
    above = _drawn(run, query, "before-arcs", before, say("what_if.before"))
    if _waits(screen, chosen):
        yield blocks.figures(above, click={})
        return
    stays = bool((made.in_place(after) - before).abs().max() < _NOTHING)
    side = say(f"what_if.same.{chosen.what_if}") if stays else say(f"what_if.after.{chosen.what_if}")
    below = _drawn(made.run, made.query(query), "after-arcs", after, side)
    if chosen.what_if == "mistakes":
        above, below = _alone(above), _alone(below)
    elif not made.turned:
        same = _same(before, after)
        above, below = replace(above, same=same), replace(below, same=same)
    yield from head_arcs.two(above, below)
    if stays and chosen.what_if in _WHY:
        yield blocks.text(say(f"what_if.why.{chosen.what_if}"))
    elif not stays:
        yield blocks.text(_told(chosen, run, query, before, made.in_place(after)))


def _waits(screen: Screen, chosen: WhatIf) -> bool:
    """Whether the arcs below would answer a question that is still open."""
    return (chosen.what_if, chosen.shifted) == ("bias", "keys") and not guess.is_answered(screen, "bias")


def _alone(arcs: HeadArcs) -> HeadArcs:
    """Only the head that is chosen: over the wrong axis each head takes from many words."""
    at = arcs.head
    return replace(
        arcs,
        head=0,
        asks=[arcs.asks[at]],
        names=[arcs.names[at]],
        short=[arcs.short[at]],
        off=[0] if at in arcs.off else [],
    )


def _same(before: Tensor, after: Tensor) -> list[list[int]]:
    """Of each head, the words whose arcs stay, where others do not."""
    stays = (before - after).abs() < _STAYS
    return [] if stays.all() else [torch.nonzero(row).flatten().tolist() for row in stays]


def _told(chosen: WhatIf, run: Run, query: int, before: Tensor, after: Tensor) -> str:
    """The head that changes most, or else how much of the weight goes elsewhere, or comes from the word itself; where
    rows need not sum to one, what the row sums to."""
    word = quoted(run.labels["query"][query])
    if chosen.what_if == "mistakes":
        return say("what_if.arcs.sum", word=word, head=run.head + 1, sum=fixed(after[run.head].sum()))
    if chosen.what_if == "tied":
        own = query + after.shape[1] - len(run.labels["query"])
        return say("what_if.arcs.itself", word=word, share=f"{float(after[:, own].mean()):.0%}")
    if chosen.what_if != "importance" and (found := turned(before, after, run.labels["key"], run.labels["key"])):
        return say("what_if.arcs.turned", word=word, **found)
    moved = float((after - before).abs().sum(-1).mean()) / 2
    return say("what_if.arcs.moved", word=word, share=f"{moved:.0%}")


def _drawn(run: Run, query: int, id: str, weights: Tensor, side: str) -> HeadArcs:
    made = head_arcs.drawn(run, query, id)
    asks = []
    for one, row in zip(made.asks, weights[:, : len(made.tokens)].tolist(), strict=True):
        keeps = one.answer >= 0 and row[one.answer] >= _EARNED
        asks.append(Ask(one.head, row, one.name if keeps else "", one.answer if keeps else -1))
    told = [
        say("all_heads.most", head=one.head, weight=fixed(max(one.weights)), key=made.tokens[_largest(one.weights)])
        for one in asks[:_MOST]
        if any(one.weights)
    ]
    return replace(
        made,
        note=listed("sentence", told) if told else say("arcs.nothing", word=run.labels["query"][query]),
        asks=asks,
        names=[head_arcs.named(one.head, one.name) for one in asks],
        short=[one.name or head_arcs.named(one.head, "") for one in asks],
        side=side,
    )


def _largest(weights: Sequence[float]) -> int:
    return max(range(len(weights)), key=weights.__getitem__)


@dataclass(frozen=True)
class _After:
    """What an intervention makes of the weights of a run (batch, head, query, key). turned: the run of its words in the
    opposite order, None where they stay."""

    before: Run
    weights: Tensor
    turned: Run | None = None

    @property
    def run(self) -> Run:
        """The words that the weights belong to."""
        return self.turned or self.before

    def query(self, query: int) -> int:
        """Where the word that asked before stands now."""
        return self.run.inputs.lengths[self.run.sentence] - 1 - query if self.turned else query

    def in_place(self, row: Tensor) -> Tensor:
        """What is taken from each word, in the order of before."""
        if not self.turned:
            return row
        length = self.run.inputs.lengths[self.run.sentence]
        return torch.cat((row[:, :length].flip(-1), row[:, length:]), dim=-1)


def _tied(screen: Screen, _: WhatIf) -> _After:
    return _After(screen.run, interventions.tied(screen.run.trace)["weights"].value)


def _biased(screen: Screen, chosen: WhatIf) -> _After:
    after = interventions.moved(screen.run.trace, chosen.shifted, chosen.shift, torch.float32)
    return _After(screen.run, after["weights"].value)


def _gauged(screen: Screen, chosen: WhatIf) -> _After:
    gauge = interventions.gauge(screen.run.trace, torch.Generator().manual_seed(chosen.basis))
    return _After(screen.run, gauge.after["weights"].value)


def _backwards(screen: Screen, _: WhatIf) -> _After:
    """The words in the opposite order, through the same layer; of a preset with words of its own, a random one."""
    before = screen.run if screen.config.preset in (LEARNED, RANDOM) else with_random(screen)
    turned = compute(replace(before.config, text=backwards(before)))
    return _After(before, turned.trace["weights"].value, turned)


def _columns(screen: Screen, _: WhatIf) -> _After:
    """With queries that were made as columns."""
    made = rerun(screen.run.trace, queries=as_columns(screen.run.trace).queries.value.mT)
    return _After(screen.run, made["weights"].value)


def _mistaken(screen: Screen, _: WhatIf) -> _After:
    return _After(screen.run, interventions.over_queries(screen.run.trace))


def _added(screen: Screen, _: WhatIf) -> _After:
    """What each key adds, as a share of what all of them add, one after the other."""
    lengths = added(screen.run.trace)
    shares = lengths / lengths.sum(-1, keepdim=True).clamp_min(torch.finfo(lengths.dtype).tiny)
    return _After(screen.run, shares)


def backwards(run: Run) -> str:
    """The text of a run with each sentence in the opposite order."""
    return "\n".join(" ".join(reversed(line.split())) for line in run.config.complete().text.splitlines())


_AFTER: dict[str, Callable[[Screen, WhatIf], _After]] = {
    "tied": _tied,
    "bias": _biased,
    "basis": _gauged,
    "sentence": _backwards,
    "columns": _columns,
    "mistakes": _mistaken,
    "importance": _added,
}
