"""The sentence before and after: what one word takes in all heads, as it is and with one part of attention replaced."""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace

import torch
from torch import Tensor

from pages.shell.component.arcs import Ask
from pages.shell.component.head_arcs import HeadArcs
from pages.shell.i18n import listed, say
from pages.shell.i18n.numbers import fixed
from pages.shell.runs.run import Run
from pages.shell.screen import Screen
from pages.shell.state.page_controls import WhatIf
from pages.shell.views import blocks, guess, head_arcs
from pages.shell.views.blocks import Block
from pages.shell.views.experiments import cards, other_weights, other_words
from pages.shell.views.experiments.after import After

# A head that keeps its name puts at least this on the word that answers; of how many heads a summary tells; a weight
# that moves by less is drawn as one that stays.
_EARNED, _MOST, _STAYS = 0.5, 8, 0.1

_CARDS: dict[str, Callable[[Screen], After]] = {
    "tied": cards.tied,
    "bias": cards.biased,
    "basis": cards.gauged,
    "sentence": other_words.reordered,
    "importance": other_weights.otherwise,
    "mistakes": cards.mistaken,
    "columns": cards.columns,
}


def arcs(screen: Screen) -> Iterator[Block]:
    """What is changed, and the question whether the arcs move; then one sentence with two sets of arcs, which differ in
    what the open question replaces: as it is above the words. Where no arc moves there is one set. Below stand the
    verdict on the guess and what else changes."""
    chosen = screen.own(WhatIf)
    made = _CARDS[chosen.what_if](screen)
    asked = chosen.shifted if chosen.what_if == "bias" else chosen.what_if
    question, answers = f"if_{asked}", {answer: say(f"what_if.answer.{answer}") for answer in ("stays", "moves")}
    guessed, right = guess.guess(screen, question, answers), "moves" if made.moves else "stays"
    yield guess.ask(screen, question, say(f"what_if.asked.{asked}"), answers, right)
    above = _drawn(made.run, made.query, "before-arcs", made.was, say("what_if.before"))
    if made.alone is not None:
        above = _alone(above, made.alone)
    if made.stays:
        yield blocks.figures(replace(above, side=say("what_if.same")), click={})
    else:
        yield from head_arcs.two(*_two(chosen, made, above))
    judged = "" if not guessed else "_right" if guessed == right else "_wrong"
    verdict = say(f"what_if.verdict.{right}{judged}")
    yield blocks.text(listed("sentence", (verdict, made.told)) if made.told else verdict)
    if made.pairs:
        yield blocks.figures(made.pairs)


def _two(chosen: WhatIf, made: After, above: HeadArcs) -> tuple[HeadArcs, HeadArcs]:
    side = made.named or say(f"what_if.after.{chosen.what_if}")
    below = _drawn(made.other or made.run, made.place, "after-arcs", made.now, side)
    if made.alone is not None:
        return above, _alone(below, made.alone)
    if made.other:
        return above, below
    same = _same(made.was, made.now)
    return replace(above, same=same), replace(below, same=same)


def _alone(arcs: HeadArcs, at: int) -> HeadArcs:
    """One head: over the wrong axis each head takes from many words."""
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
