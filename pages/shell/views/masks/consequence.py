"""The effect of a painted mask on the looked-at word: its weights before and now. Its answers stand in the table above
(says.py)."""

from collections.abc import Iterator
from dataclasses import replace

import torch
from torch import Tensor

from attention.inputs.grammar import Asked, answers, read
from pages.shell.i18n import listed, say, with_and
from pages.shell.i18n.markdown import quoted
from pages.shell.runs import asking as of_words
from pages.shell.runs import learned
from pages.shell.runs.run import Run, earlier
from pages.shell.runs.run import run as compute
from pages.shell.screen import Screen
from pages.shell.state import painted_cells
from pages.shell.views import asking, blocks, head_arcs, naming
from pages.shell.views.blocks import Block


def told(screen: Screen) -> Iterator[Block]:
    """The effect of painted cells, with a button that undoes them; without any, a button that shows or hides a word."""
    if screen.run.context is not None:
        return
    run = compute(screen.run.config, record_mask=True)
    query = min(head_arcs.asked_of(screen), run.trace.sizes["query"] - 1)
    if run.config.painted:
        count = len(painted_cells.cells(run.config.painted))
        unpaint = say("mask.unpaint", count=count), None, {"painted": ""}
        yield blocks.buttons(unpaint, said=listed("sentence", _effect(run, query)))
        return
    shown, sees = _worth_showing(run, query), run.matrix("mask")[query]
    key = _worth_hiding(run, query) if shown is None else shown.target
    if key is None:
        return
    names = {"word": naming.quoted(run.labels["query"], query), "key": naming.quoted(run.labels["key"], key)}
    turned = say(f"paint.{'hide' if sees[key] else 'show'}", **names)
    yield blocks.buttons((turned, None, {"painted": _turned(run, query, key)}))


def _weights(run: Run, query: int) -> Tensor:
    """The weights of a query, as the mean over the heads."""
    return run.trace["weights"].of_heads(run.module.heads, batch=run.sentence)[:, query].mean(0).cpu()


def _worth_hiding(run: Run, query: int) -> int | None:
    """A query's key with most weight, among its visible answers or else all visible keys; never the query's own
    word."""
    weights, sees = _weights(run, query), run.matrix("mask")[query].cpu()
    here = query + earlier(run.trace.sizes["query"], run.trace.sizes["key"])
    others = sees & (torch.arange(len(sees)) != here)
    right = torch.zeros_like(others)
    right[[one.target for one in _asks(run, query)]] = True
    found = others & right if bool((others & right).any()) else others
    key = int(weights.masked_fill(~found, -1).argmax())
    return key if bool(found.any()) and max(here, key) < painted_cells.SIZE else None


def _worth_showing(run: Run, query: int) -> Asked | None:
    """A question of a query, answered wrongly because its answer is hidden, and rightly once that cell is shown."""
    sees, setting = run.matrix("mask")[query], learned.used(run.config)
    if setting is None:
        return None
    here = query + earlier(run.trace.sizes["query"], run.trace.sizes["key"])
    known = answers(read(run.tokens[: run.inputs.lengths[run.sentence]]))

    def is_right(of: Run, one: Asked) -> bool:
        return int(asking.sure(of, setting, query)[one.question].argmax()) == int(known[one.place, one.question])

    for one in _asks(run, query):
        if sees[one.target] or max(here, one.target) >= painted_cells.SIZE or is_right(run, one):
            continue
        other = compute(replace(run.config, painted=_turned(run, query, one.target)), record_mask=True)
        if learned.used(other.config) == setting and is_right(other, one):
            return one
    return None


def _turned(run: Run, query: int, key: int) -> str:
    """The painted cells, as text, that invert one cell of a mask on which nothing is painted."""
    return painted_cells.text(((query + earlier(run.trace.sizes["query"], run.trace.sizes["key"]), key),))


def _asks(run: Run, query: int) -> list[Asked]:
    return [one for one in asking.questions(run, query) if not of_words.is_nothing(run, one)]


def _effect(run: Run, query: int) -> Iterator[str]:
    before = compute(replace(run.config, painted=""), record_mask=True)
    word = quoted(run.labels["query"][query])
    saw, sees = (each.matrix("mask")[query] for each in (before, run))
    if bool((saw == sees).all()):
        yield say("paint.other_rows", word=word)
        return
    for name, of, cells in (("took", before, saw & ~sees), ("takes", run, sees & ~saw)):
        if bool(cells.any()):
            yield say(f"paint.weight.{name}", word=word, share=f"{float(_weights(of, query)[cells.cpu()].sum()):.0%}")
    here = query + earlier(run.trace.sizes["query"], run.trace.sizes["key"])
    shown = {one.target for one in _asks(run, query) if sees[one.target] and not saw[one.target]}
    if ahead := [quoted(run.labels["key"][at]) for at in sorted(shown) if at > here]:
        yield say("paint.ahead", words=with_and(ahead))
