"""The sentence before and after: the weights of one word in all heads, as they are and with one part replaced."""

from collections.abc import Iterator, Sequence
from dataclasses import replace

from torch import Tensor

from attention.analysis.interventions import PARTS
from pages.shell.component.arcs import Ask
from pages.shell.component.lane import Lane
from pages.shell.i18n import listed, say, with_and
from pages.shell.i18n.markdown import plain
from pages.shell.i18n.numbers import fixed
from pages.shell.runs.run import Run
from pages.shell.screen import Screen
from pages.shell.state.guesses import Guesses
from pages.shell.state.page_controls import WhatIf
from pages.shell.views import blocks, guess, head_arcs, naming
from pages.shell.views.blocks import Block
from pages.shell.views.experiments import answers, path, summary
from pages.shell.views.experiments.after import After, numbered
from pages.shell.views.experiments.made import made_of

# Questions whose answer is in other numbers, and which may have a control above the sentences: low arcs leave both
# sentences and the numbers below them on one screen.
_IN_NUMBERS = ("bias", "basis", "columns")
# A head keeps its name with at least this weight on the word that answers. A summary tells about at most so many heads.
# A weight that moves by less is drawn as one that stays.
_EARNED, _MOST, _STAYS = 0.5, 8, 0.1


def arcs(screen: Screen) -> Iterator[Block]:
    """The sentence as it is, the question about its arcs when one thing is changed, the sentence with that thing
    changed, and below both the verdict, the way on, and other changes. On a screen that asks first, the arcs after the
    change and everything below them come with a guess."""
    chosen = screen.own(WhatIf)
    asked = answers.question(chosen)
    made = made_of(screen)
    offered = answers.offered(asked)
    every = offered | {guess.SKIPPED: say("what_if.answer.shown")}
    guessed, is_nothing = guess.guess(screen, f"if_{asked}", every), chosen.what_if == "bias" and not chosen.shift
    right = answers.right(made, asked, guessed)
    is_asked = waits(screen) and not is_nothing
    by = "" if is_nothing else f"{'+' if chosen.shift > 0 else ''}{fixed(chosen.shift, 1)}"
    before, after = (
        replace(one, is_low=chosen.what_if in _IN_NUMBERS)
        for one in _two(
            made, say(f"what_if.after.{'nothing' if is_nothing else asked}", by=by), by, asked, is_asked=is_asked
        )
    )
    yield blocks.figures(before, click={})
    if is_nothing:
        yield from _nothing(screen, made, asked, after)
        return
    word = naming.quoted(made.run.labels["query"], made.query)
    said = say(f"what_if.asked.{asked}", word=word, by=by, **made.sizes)
    shown = every if is_asked or guessed == guess.SKIPPED else offered
    block = guess.ask(screen, f"if_{asked}", said, shown, right)
    is_judged = guessed in offered
    # The line asks for a guess first only if the answer waits for one.
    yield block if is_asked or guessed else block | {"line": said}
    yield blocks.figures(after, click={})
    if is_asked:
        return
    judged = ("right" if guessed == right else "wrong") if is_judged else "told"
    so = answers.so(made, asked, right)
    verdict = say(f"what_if.verdict.{judged}", told=so if is_judged else naming.opened(so))
    # With the same output, a head that takes less from a word has lost nothing.
    lost = "" if asked == "importance" else _lost(before, after)
    by_head = answers.by_head(made, asked, right)
    behind = [by_head, made.told, "" if by_head else lost or made.most]
    yield blocks.text(listed("sentence", [verdict, *filter(None, behind)]))
    yield from _below(screen, made)


def _nothing(screen: Screen, made: After, asked: str, after: Lane) -> Iterator[Block]:
    """The screen if nothing is added, about which nothing is asked. The content below stays in its place."""
    yield guess.unasked(f"if_{asked}", say("what_if.asked.nothing"))
    yield blocks.figures(after, click={})
    if waits(screen):
        return
    yield blocks.text(say("what_if.so.nothing"))
    yield from _below(screen, made)


def _below(screen: Screen, made: After) -> Iterator[Block]:
    """The way on; the conclusion, once all questions are answered; and other changes."""
    if screen.own(Guesses).guess_first:
        yield from path.onward(screen)
    yield from summary.closing(screen)
    if made.shown:
        yield blocks.figures(made.shown)


def waits(screen: Screen) -> bool:
    """Whether the screen still waits for a guess."""
    asked = answers.question(screen.own(WhatIf))
    guessed = guess.guess(screen, f"if_{asked}", (*answers.offered(asked), guess.SKIPPED))
    return screen.own(Guesses).guess_first and not guessed


def _two(made: After, side: str, by: str, asked: str, *, is_asked: bool) -> tuple[Lane, Lane]:
    """The sentence before and after. by: the addition, in words."""
    above = _drawn(made.run, made.query, "before-arcs", made.was, say("what_if.before"))
    other, order = made.other or made.run, made.order or range(len(made.run.labels["key"]))
    below = _drawn(other, made.place, "after-arcs", made.now, side)
    if made.order:
        # The answers are those of the first order, at their new places: the new order has no questions.
        answers = [made.order.index(one.answer) if one.answer >= 0 else -1 for one in above.asks]
        below = head_arcs.named_after(
            below, [replace(one, answer=at) for one, at in zip(above.asks, answers, strict=True)]
        )
        # Answers also name the places at which arcs end.
        above, below = (
            replace(one, added=numbered(len(one.tokens)), adds=say("what_if.place")) for one in (above, below)
        )
    # Clicks and earlier weights go with the words into the other order.
    shown = [place for place in order if place < len(above.tokens)]
    below = replace(below, sets=[above.sets[place] for place in shown])
    below = replace(below, was=[replace(one, weights=[one.weights[place] for place in shown]) for one in above.asks])
    if asked in PARTS:
        below = replace(below, added=[by if asked != "queries" or at == made.place else "" for at in range(len(shown))])
    if is_asked:
        below = replace(below, is_asked=True, note=say("what_if.open"), was=())
    if made.alone is not None:
        above, below = _alone(above, made.alone), _alone(below, made.alone)
        above = replace(above, side=say("what_if.one_head", side=above.side, head=made.alone + 1))
    if _leaves(below):
        ends = "words" if made.other else "arcs"
        below = replace(below, side=say(f"what_if.dashed.{ends}", side=below.side))
    if not (made.moves or made.other or is_asked):
        return above, replace(below, is_same=True)
    return above, below


def _leaves(below: Lane) -> bool:
    """Whether arcs have left a place, where browser/lane.js then draws a dashed line."""
    pairs = [
        pair
        for was, now in zip(below.was, below.asks, strict=False)
        for pair in zip(was.weights, now.weights, strict=True)
    ]
    return any(was >= _STAYS and abs(was - now) >= _STAYS for was, now in pairs)


def _lost(before: Lane, after: Lane) -> str:
    """The heads whose right word has half of their weight above and not below, as a sentence; "" without one."""
    lost = [was for was, now in zip(before.asks, after.asks, strict=True) if was.name and not now.name]
    if not lost:
        return ""
    words = with_and([*dict.fromkeys(plain(naming.named(before.tokens, one.answer)) for one in lost)])
    heads = with_and([str(one.head) for one in lost])
    return say(f"what_if.lost.{'one' if len(lost) == 1 else 'more'}", heads=heads, words=words)


def _alone(arcs: Lane, at: int) -> Lane:
    """The arcs of one head: over the wrong axis each head takes from many words."""
    return replace(
        arcs,
        head=0,
        asks=[arcs.asks[at]],
        was=arcs.was[at : at + 1],
        # The side of the sentence above says which head it is.
        names=[arcs.asks[at].name],
        short=[arcs.asks[at].name],
        off=[0] if at in arcs.off else [],
    )


def _drawn(run: Run, query: int, id: str, weights: Tensor, side: str) -> Lane:
    made = head_arcs.drawn(run, query, id)
    asks = []
    for one, row in zip(made.asks, weights[:, : len(made.tokens)].tolist(), strict=True):
        keeps = one.answer >= 0 and row[one.answer] >= _EARNED
        asks.append(Ask(one.head, row, one.name if keeps else "", one.answer if keeps else -1))
    told = [
        say(
            "all_heads.most",
            head=one.head,
            weight=fixed(max(one.weights)),
            key=naming.named(made.tokens, _largest(one.weights)),
        )
        for one in asks[:_MOST]
        if any(one.weights)
    ]
    return Lane(
        id,
        made.title,
        listed("sentence", told) if told else naming.opened(say("arcs.nothing", word=naming.of_query(run, query))),
        made.tokens,
        made.focus,
        made.head,
        asks,
        [head_arcs.named(one.head, one.name) for one in asks],
        [one.name or head_arcs.named(one.head, "") for one in asks],
        made.off,
        made.sets,
        side=side,
    )


def _largest(weights: Sequence[float]) -> int:
    return max(range(len(weights)), key=weights.__getitem__)
