"""The sentence before and after: what one word takes in all heads, as it is and with one part of attention replaced."""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace

import torch
from torch import Tensor

from attention.analysis import interventions
from attention.analysis.importance import added
from attention.figures import LIMIT
from pages.shell.component.arcs import Ask
from pages.shell.component.head_arcs import HeadArcs
from pages.shell.i18n import listed, say
from pages.shell.i18n.markdown import quoted
from pages.shell.i18n.numbers import fixed
from pages.shell.runs import learned
from pages.shell.runs.run import Run
from pages.shell.runs.run import run as compute
from pages.shell.screen import Screen
from pages.shell.state.page_controls import WhatIf
from pages.shell.views import asking, blocks, head_arcs
from pages.shell.views.blocks import Block

# A head that keeps its name puts at least this on the word that answers; of how many heads a summary tells.
_EARNED, _MOST = 0.5, 8


def arcs(screen: Screen) -> Iterator[Block]:
    """Two sentences that differ in what the open question replaces. Nothing where it replaces no weight."""
    chosen = screen.own(WhatIf)
    made = _AFTER.get(chosen.what_if)
    if made is None:
        return
    run, after = made(screen, chosen)
    query = head_arcs.asked_of(screen)
    before = run.trace["weights"].value[run.sentence, :, query].cpu().float()
    shown = max(run.inputs.lengths[run.sentence], query + 1)
    named = asking.asks(run, query, shown, "weights")
    rows = after[run.sentence, :, query].cpu().float()
    word = run.labels["query"][query]
    for name, weights in (("before", before), ("after", rows)):
        yield blocks.text(say(f"what_if.after.{chosen.what_if}" if name == "after" else "what_if.before"))
        yield blocks.figures(_drawn(run, query, f"{name}-arcs", weights[:, :shown], named), click={})
    yield blocks.text(_told(chosen, word, before, rows, run.head))


def _told(chosen: WhatIf, word: str, before: Tensor, after: Tensor, head: int) -> str:
    """One number: how much of the weight goes elsewhere; where rows need not sum to one, what the row sums to."""
    if chosen.what_if == "mistakes":
        return say("what_if.arcs.sum", word=quoted(word), head=head + 1, sum=fixed(after[head].sum()))
    moved = float((after - before).abs().sum(-1).mean()) / 2
    return say("what_if.arcs.moved", word=quoted(word), share=f"{moved:.0%}")


def _drawn(run: Run, query: int, id: str, weights: Tensor, named: list[Ask]) -> HeadArcs:
    asks = []
    for one, row in zip(named, weights.tolist(), strict=True):
        keeps = one.answer >= 0 and row[one.answer] >= _EARNED
        asks.append(Ask(one.head, row, one.name if keeps else "", one.answer if keeps else -1))
    tokens = run.labels["key"]
    told = [
        say("all_heads.most", head=one.head, weight=fixed(max(one.weights)), key=tokens[_largest(one.weights)])
        for one in asks[:_MOST]
        if any(one.weights)
    ]
    word = run.labels["query"][query]
    return HeadArcs(
        id,
        say("all_heads.title", word=word),
        listed("sentence", told) if told else say("arcs.nothing", word=word),
        tokens[: weights.shape[-1]],
        query,
        run.head,
        asks,
        [head_arcs.named(one.head, one.name) for one in asks],
        [one.name or head_arcs.named(one.head, "") for one in asks],
        learned.off(run.config, run.module.heads),
        [{"cell": f"weights.{at}.0.arcs"} if at < LIMIT else {} for at in range(weights.shape[-1])],
    )


def _largest(weights: Sequence[float]) -> int:
    return max(range(len(weights)), key=weights.__getitem__)


def _tied(screen: Screen, _: WhatIf) -> tuple[Run, Tensor]:
    run = compute(replace(screen.run.config, mask="full", painted=""))
    return run, interventions.tied(run.trace)["weights"].value


def _biased(screen: Screen, chosen: WhatIf) -> tuple[Run, Tensor]:
    after = interventions.moved(screen.run.trace, chosen.shifted, chosen.shift, torch.float32)
    return screen.run, after["weights"].value


def _gauged(screen: Screen, chosen: WhatIf) -> tuple[Run, Tensor]:
    gauge = interventions.gauge(screen.run.trace, torch.Generator().manual_seed(chosen.basis))
    return screen.run, gauge.after["weights"].value


def _mistaken(screen: Screen, _: WhatIf) -> tuple[Run, Tensor]:
    return screen.run, interventions.over_queries(screen.run.trace)


def _added(screen: Screen, _: WhatIf) -> tuple[Run, Tensor]:
    """What each key adds, as a share of what all of them add, one after the other."""
    lengths = added(screen.run.trace)
    return screen.run, lengths / lengths.sum(-1, keepdim=True).clamp_min(torch.finfo(lengths.dtype).tiny)


_AFTER: dict[str, Callable[[Screen, WhatIf], tuple[Run, Tensor]]] = {
    "tied": _tied,
    "bias": _biased,
    "basis": _gauged,
    "mistakes": _mistaken,
    "importance": _added,
}
