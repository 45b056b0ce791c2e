"""The reasons why the weights of B differ from those of A, as far as the two records show them."""

from collections.abc import Iterator
from dataclasses import replace
from typing import Any

import torch
from torch import Tensor

from attention.inputs.learned import Setting
from pages.shell.i18n import listed, say
from pages.shell.i18n.markdown import cut, plain, quoted
from pages.shell.i18n.numbers import fixed
from pages.shell.runs import learned
from pages.shell.runs.run import Run
from pages.shell.views import asking
from pages.shell.views.compare import strayed
from pages.shell.views.compare.compared import Sides

# Hidden words that are named, and letters of one; scores in one ratio differ by at most this share of the largest.
_NAMED, _SHORT, _ALIKE = 8, 24, 1e-4


def said(both: Sides, query: int) -> Iterator[str]:
    """A sentence or two for each cause: another layer, or another moment of its training; the words that a mask hides,
    the size of the scores, positions, and dropout. For two moments of one layer, a head that has not learned yet is
    told first; the line at B already says that it is one layer."""
    if is_one_training := both.relation in ("earlier", "later"):
        yield from _elsewhere(both, query)
    layers = [learned.used(run.config) for run in (both.a, both.b)]
    if layers[0] != layers[1]:
        yield from _layers(both, query, *layers)
    if both.a.labels == both.b.labels:
        yield from _hidden(both, query)
    yield from _larger(both)
    if both.a.config.has_positions and not both.b.config.has_positions:
        word = quoted(both.b.labels["query"][query])
        yield say("compare.why.order" if "mask" in both.b.trace else "compare.why.any_order", word=word)
    if not is_one_training:
        yield from _elsewhere(both, query)
    if "kept" in both.b.trace and "kept" not in both.a.trace:
        yield from _dropped(both.b, query)


def _layers(both: Sides, query: int, a: Setting | None, b: Setting | None) -> Iterator[str]:
    """One layer at two moments of its training; or another layer, in which a word may ask more questions than there are
    heads, or as many as have an answer."""
    if a and b and replace(a, taken=b.taken) == b:
        yield say("compare.why.updates", a=a.updates, b=b.updates)
        first, second = (fixed(_weights(run, query).amax(-1).mean()) for run in (both.a, both.b))
        yield say("compare.why.spread", word=quoted(both.b.labels["query"][query]), first=first, second=second)
        return
    if a is not None and b is not None and a.heads != b.heads:
        (side, run) = ("B", both.b) if b.heads < a.heads else ("A", both.a)
        asked, heads = len(asking.questions(run, query)), run.module.heads
        if asked > heads:
            said: dict[str, Any] = {"word": quoted(run.labels["query"][query]), "asked": asked, "side": side}
            if heads > 1:
                yield say("compare.why.few_heads", heads=heads, **said)
                return
            (row,) = _weights(run, query)
            most = int(row.argmax())
            yield say("compare.why.one_head", key=quoted(run.labels["key"][most]), weight=fixed(row[most]), **said)
            return
        answering = {one.name for one in asking.asks(run, query, len(run.labels["key"]))} - {""}
        if asked == len(answering) > 1:
            yield say("compare.why.each_head", word=quoted(run.labels["query"][query]), asked=asked, side=side)
            return
    yield say("compare.why.layers")


def _elsewhere(both: Sides, query: int) -> Iterator[str]:
    """The first head that finds another word than in A."""
    for head, asked, was, now in strayed.found(both, query)[:1]:
        keys = both.b.labels["key"]
        yield say(
            "compare.why.not_yet" if both.is_earlier else "compare.why.strayed",
            head=head,
            asked=asked,
            was=quoted(keys[was]),
            now=quoted(keys[now]),
        )


def _weights(run: Run, query: int) -> Tensor:
    """The weights of a query in each head."""
    return run.trace["weights"].value[run.sentence, :, query].cpu().float()


def lost(both: Sides, query: int) -> list[list[float]]:
    """The weights that the heads of B lose to dropout, if each is enough for a named arc; empty if B has no dropout, or
    A has it too."""
    if "kept" not in both.b.trace or "kept" in both.a.trace:
        return []
    weights = _weights(both.b, query)
    return (weights * (_struck(both.b, query) & (weights >= strayed.NAMED))).tolist()


def _struck(run: Run, query: int) -> Tensor:
    return ~run.trace["kept"].value[run.sentence, :, query].cpu().bool()


def _dropped(run: Run, query: int) -> Iterator[str]:
    weights, out = _weights(run, query), _struck(run, query)
    kept, given = ~out, weights > 0
    large = int((out & (weights >= strayed.NAMED)).sum())
    struck, p = int((given & ~kept).sum()), float(run.trace["dropout"].value)
    word, factor = quoted(run.labels["query"][query]), f"{1 / (1 - p):.3g}"
    counted: dict[str, Any] = {
        "struck": struck,
        "count": int(given.sum()),
        "large": large,
    }
    yield say("compare.why.dropped", word=word, factor=factor, **counted)


def _hidden(both: Sides, query: int) -> Iterator[str]:
    keys = torch.nonzero(seen(both.a, query) & ~seen(both.b, query)).flatten().tolist()
    if keys:
        words = [plain(cut(both.b.labels["key"][key], _SHORT)) for key in keys[:_NAMED]]
        more = "…" if len(keys) > _NAMED else ""
        word = quoted(both.b.labels["query"][query])
        yield say("compare.why.hidden", word=word, words=listed("comma", words) + more)


def seen(run: Run, query: int) -> Tensor:
    """The keys that a mask leaves to a query."""
    if "mask" not in run.trace:
        return torch.ones(run.trace.sizes["key"], dtype=torch.bool)
    return run.matrix("mask")[query].bool().cpu()


def _larger(both: Sides) -> Iterator[str]:
    """The one factor between the scores of A and of B, if there is one."""
    a, b = (run.trace["scaled"].value.cpu().double() for run in (both.a, both.b))
    if a.shape != b.shape or not a.any():
        return
    ratio = float((a * b).sum() / (a * a).sum())
    is_one = bool((b - ratio * a).abs().max() <= _ALIKE * b.abs().max())
    if is_one and fixed(ratio) != fixed(1.0):
        yield say("compare.why.larger" if ratio > 1 else "compare.why.smaller", ratio=fixed(ratio))
