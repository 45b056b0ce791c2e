"""What a painted mask does to the word that is looked at: what it took or now takes, and which answers are others."""

from collections.abc import Iterator
from dataclasses import replace

import torch
from torch import Tensor

from attention.inputs.grammar import ANSWERS, Asked, answers, read
from pages.shell.i18n import listed, say
from pages.shell.i18n.markdown import plain, quoted
from pages.shell.runs import asking as of_words
from pages.shell.runs import learned
from pages.shell.runs.run import Run, earlier
from pages.shell.runs.run import run as compute
from pages.shell.screen import Screen
from pages.shell.state import painted_cells
from pages.shell.views import asking, blocks, head_arcs
from pages.shell.views.blocks import Block


def told(screen: Screen) -> Iterator[Block]:
    """Of what was painted, its effect; where nothing was, a word that one might hide. A button does or undoes it."""
    if screen.run.context is not None:
        return
    run = compute(screen.run.config, record_mask=True)
    query = min(head_arcs.asked_of(screen), run.trace.sizes["query"] - 1)
    if run.config.painted:
        yield blocks.text(listed("sentence", _effect(run, query)))
        count = len(painted_cells.cells(run.config.painted))
        yield blocks.buttons((say("mask.unpaint", count=count), None, {"painted": ""}))
    elif (key := _worth_hiding(run, query)) is not None:
        names = {"word": quoted(run.labels["query"][query]), "key": quoted(run.labels["key"][key])}
        yield blocks.text(say("paint.offer", share=f"{float(_weights(run, query)[key]):.0%}", **names))
        cell = query + earlier(run.trace.sizes["query"], run.trace.sizes["key"]), key
        yield blocks.buttons((say("paint.hide", **names), None, {"painted": painted_cells.text((cell,))}))


def _weights(run: Run, query: int) -> Tensor:
    """What a query takes from each key, the mean over the heads."""
    return run.trace["weights"].of_heads(run.module.heads, batch=run.sentence)[:, query].mean(0).cpu()


def _worth_hiding(run: Run, query: int) -> int | None:
    """The key that a query takes most from, of those that answer what it asks where one is in sight; never itself."""
    weights, sees = _weights(run, query), run.matrix("mask")[query].cpu()
    here = query + earlier(run.trace.sizes["query"], run.trace.sizes["key"])
    others = sees & (torch.arange(len(sees)) != here)
    right = torch.zeros_like(others)
    right[[one.target for one in _asks(run, query)]] = True
    found = others & right if bool((others & right).any()) else others
    key = int(weights.masked_fill(~found, -1).argmax())
    return key if bool(found.any()) and max(here, key) < painted_cells.SIZE else None


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
    setting, asks = learned.used(run.config), _asks(run, query)
    if setting is None or learned.used(before.config) is None or not asks:
        return
    one, other = (_answers(each, query) for each in (before, run))
    is_same = True
    for each in asks:
        said, before_it, now = asking.name_of(each.question), one[each.question], other[each.question]
        is_hidden = bool(saw[each.target] and not sees[each.target])
        if before_it != now:
            yield say("paint.answer", question=said, before=before_it, now=now)
        elif is_hidden:
            yield say("paint.guesses", question=said, now=now)
        is_same = is_same and before_it == now and not is_hidden
    if is_same:
        yield say("paint.same", word=word)


def _answers(run: Run, query: int) -> dict[int, str]:
    """What the layer answers to each question of a word, and whether that is right."""
    setting = learned.used(run.config)
    assert setting is not None
    known, found = answers(read(run.tokens[: run.inputs.lengths[run.sentence]])), asking.sure(run, setting, query)
    said = {}
    for one in _asks(run, query):
        most = int(found[one.question].argmax())
        case = "right" if most == int(known[one.place, one.question]) else "wrong"
        said[one.question] = say(f"mask.answer.{case}", word=plain(ANSWERS[one.question][most]))
    return said
