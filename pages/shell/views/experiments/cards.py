"""The questions that replace a part of one run: a tied matrix, a bias, another basis, columns, the wrong axis."""

from collections.abc import Sequence
from dataclasses import replace
from functools import partial
from typing import Any

import torch

from attention.analysis import interventions
from attention.analysis.columns import as_columns
from attention.analysis.rerun import rerun
from attention.trace import Trace
from pages.shell.component.laid import MOST, Laid
from pages.shell.component.pairs import Pairs
from pages.shell.i18n import listed, say
from pages.shell.i18n.markdown import MOST as MOST_LETTERS
from pages.shell.i18n.markdown import plain
from pages.shell.i18n.numbers import fixed
from pages.shell.runs.run import Run
from pages.shell.screen import Screen
from pages.shell.state.page_controls import NEAR, SHIFTS, WhatIf
from pages.shell.views import naming
from pages.shell.views.experiments import after
from pages.shell.views.experiments.after import After
from pages.shell.views.head_arcs import asked_of

# Products that differ by less are written alike.
_ALIKE = 0.005
# A word with at least this weight on itself is its own best match.
_ITSELF = 0.5
# The bars have room for all that the slider can add, in both directions, and so keep their scale while it is dragged.
# An addition beyond it, from a link, gets a larger scale.
_SCALES = (NEAR.high, 10.0, SHIFTS.high)


def tied(screen: Screen) -> After:
    """W_K = W_Q."""
    run, query = screen.run, asked_of(screen)
    trace = interventions.tied(run.trace)
    now = after.weights(run, trace, query)
    made = After(run, query, now)
    word, share = naming.quoted(run.labels["query"], query), float(now[:, made.own].mean())
    if share >= _ITSELF and bool((now.argmax(-1) == made.own).all()):
        return replace(made, told=say("what_if.arcs.itself", word=word, share=f"{share:.0%}"))
    return replace(made, told=_larger(made, trace), most=after.most(run, query, made.was, now))


def _larger(made: After, trace: Trace) -> str:
    """The sentence about the clearest win of a word with a longer key over the word itself; "" without one."""
    run, at = made.run, torch.arange(len(made.now))
    scores, keys = (trace[id].value[run.sentence].cpu().float() for id in ("scaled", "keys"))
    wins, lengths = made.now.argmax(-1), keys.norm(dim=-1)
    row = scores[:, made.query]
    more = (row[at, wins] - row[:, made.own]).where(lengths[at, wins] > lengths[:, made.own], torch.tensor(0.0))
    head = int(more.argmax())
    if more[head] < _ALIKE:
        return ""
    return say(
        "what_if.arcs.larger",
        word=naming.quoted(run.labels["query"], made.query),
        other=naming.quoted(run.labels["key"], int(wins[head])),
        head=head + 1,
        score=fixed(row[head, wins[head]]),
        own=fixed(row[head, made.own]),
    )


def biased(screen: Screen) -> After:
    """A number added to every key, query or value. Beside the arcs stand the numbers that it changes first."""
    run, query, chosen = screen.run, asked_of(screen), screen.own(WhatIf)
    moved = partial(interventions.moved, run.trace, chosen.shifted, dtype=torch.float32)
    trace = moved(chosen.shift)
    end = next(one for one in _SCALES if abs(chosen.shift) <= one)
    now, far = after.weights(run, trace, query), (moved(-end), moved(end))
    if chosen.shifted == "values":
        told, pairs = _outputs(run, trace, query, far)
        return After(run, query, now, told, shown=pairs, found=_nowhere(pairs))
    was = after.weights(run, run.trace, query)
    stays = after.is_kept(was, now)
    head = run.head if stays else int((now - was).abs().sum(-1).argmax())
    told, pairs = _scores(run, trace, query, head, far)
    if told and chosen.shifted == "keys":
        told = _key_shift(run, query, head, chosen.shift, pairs) or told
    if chosen.shifted == "keys" and chosen.shift and stays:
        told = listed("sentence", filter(None, [told, say("what_if.follows.keys")]))
    if not stays:
        told = say("what_if.because.queries")
    return After(run, query, now, told, after.most(run, query, was, now), pairs, found=_nowhere(pairs) if stays else "")


def _nowhere(pairs: Pairs) -> str:
    return "" if any(abs(one or 0) >= _ALIKE for one in pairs.far or ()) else "nowhere"


def _key_shift(run: Run, query: int, head: int, by: float, pairs: Pairs) -> str:
    """The origin of the number by which all scores move; "" under another scale, or if keys are rotated."""
    total = float(run.trace["queries"].value[run.sentence, head, query].sum())
    root = run.module.d_k**0.5
    moved = next((one for one in pairs.far or () if one is not None), 0.0)
    if abs(moved - by * total / root) >= _ALIKE:
        return ""
    return say(
        "what_if.told.key_shift",
        word=after.written(run, "query", query),
        by=f"{'+' if by >= 0 else ''}{fixed(by, 1)}",
        sum=f"({fixed(total)})" if total < 0 else fixed(total),
        root=fixed(root),
        moved=fixed(moved),
    )


def _scores(run: Run, trace: Trace, query: int, head: int, farther: Sequence[Trace]) -> tuple[str, Pairs]:
    """The sentence on the move of all scores, "" if they move by different amounts; and the pairs."""
    id = "masked" if "masked" in run.trace else "scaled"
    before, now, *far = (of[id].value[run.sentence, head, query].cpu().float() for of in (run.trace, trace, *farther))
    moved, told = (now - before)[before.isfinite()], ""
    if len(moved) and float(moved.max() - moved.min()) < _ALIKE:
        told = say("what_if.told.same_shift", word=after.written(run, "query", query), by=fixed(moved.mean()))
    title = say("what_if.pairs.scores", word=after.spoken(run, "query", query), head=head + 1)
    return told, after.pairs(title, run.labels["key"], (before, now), head, far=far)


def _outputs(run: Run, trace: Trace, query: int, farther: Sequence[Trace]) -> tuple[str, Pairs]:
    before, now, *far = (
        of["output"].value[run.sentence, run.head, query].cpu().float() for of in (run.trace, trace, *farther)
    )
    title = say("what_if.pairs.output", word=after.spoken(run, "query", query), head=run.head + 1)
    by = fixed((now - before).mean())
    told = say("what_if.told.value_shift", word=after.written(run, "query", query), by=by)
    return told, after.pairs(title, after.numbered(len(now)), (before, now), run.head, are_words=False, far=far)


def gauged(screen: Screen) -> After:
    """Queries and keys in another basis. Beside the arcs stand the products of the word and of the key with its largest
    weight."""
    run, query = screen.run, asked_of(screen)
    gauge = interventions.gauge(run.trace, torch.Generator().manual_seed(screen.own(WhatIf).basis))
    now = after.weights(run, gauge.after, query)
    key = int(now[run.head].argmax())
    before, products = (_products(run, trace, query, key) for trace in (gauge.before, gauge.after))
    titled = {"word": naming.of_query(run, query, MOST_LETTERS), "key": naming.of_key(run, key, MOST_LETTERS)}
    words = {name: plain(named) for name, named in titled.items()}
    sums = {"before": fixed(before.sum()), "after": fixed(products.sum())}
    changes = float((products - before).abs().max()) > _ALIKE
    told = say(f"what_if.products.{'change' if changes else 'stay'}", **words, **sums)
    is_kept = after.is_kept(after.weights(run, run.trace, query), now)
    if changes and is_kept:
        told = listed("sentence", (told, say("what_if.follows.basis")))
    shown = after.pairs(
        say("what_if.pairs.products", head=run.head + 1, **titled),
        [*after.numbered(len(before)), say("what_if.pairs.sum")],
        [torch.cat((of, of.sum(-1, keepdim=True))) for of in (before, products)],
        run.head,
        are_words=False,
    )
    scored = (gauge.before["scores"].value - gauge.after["scores"].value)[run.sentence, :, query].abs().nan_to_num()
    found = "scores" if float(scored.max()) > _ALIKE else "stays"
    return After(run, query, now, told, shown=shown, found=found if is_kept else "moves")


def _products(run: Run, trace: Trace, query: int, key: int) -> torch.Tensor:
    q, k = (trace[id].value[run.sentence] for id in ("queries", "keys"))
    return (q[run.head, query] * k[run.head, key]).cpu()


def columns(screen: Screen) -> After:
    """Queries that were made as columns. Beside the arcs stand those of a head, as rows and as columns."""
    run, query = screen.run, asked_of(screen)
    turned = as_columns(run.trace)
    made = rerun(run.trace, queries=turned.queries.value.mT)
    queries = run.trace["queries"].value[run.sentence, run.head]
    words, features = queries.shape
    sizes: dict[str, Any] = {"words": words, "features": features}
    labels = {side: say(f"what_if.laid.{side}", **sizes) for side in ("rows", "columns")}
    labels |= {"word": say("what_if.laid.word"), "kind": say("what_if.laid.kind"), "keys": ""}
    note = say("what_if.laid.part", **sizes) if words > MOST[0] or features > MOST[1] else ""
    title = say("what_if.laid.title", head=run.head + 1)
    laid = Laid("laid", title, note, run.labels["query"], queries, query, labels)
    was, now = (after.weights(run, of, query) for of in (run.trace, made))
    is_kept = after.is_kept(was, now)
    follows = [say("what_if.follows.columns")] if is_kept else []
    told = listed("sentence", (say("what_if.told.columns"), *follows))
    found = "moves" if not is_kept else "numbers" if turned.by > _ALIKE else "stays"
    return After(run, query, now, told, shown=laid, found=found)


def mistaken(screen: Screen) -> After:
    """Softmax over the queries, in one head. Beside its arcs stand the sums of the weights of each word."""
    run, query = screen.run, asked_of(screen)
    wrong = interventions.over_queries(run.trace)
    now = wrong[run.sentence, :, query].cpu().float()
    sums = [of[run.sentence, run.head].cpu().float().sum(-1) for of in (run.trace["weights"].value, wrong)]
    before, total = (fixed(of[query]) for of in sums)
    word, head = after.written(run, "query", query), run.head + 1
    told = say("what_if.told.sum", word=word, before=before, after=total, head=head)
    shown = after.pairs(say("what_if.pairs.sums", head=head), run.labels["query"], sums, run.head)
    told = listed("sentence", (say("what_if.told.axis"), told))
    more = sums[1] - sums[0]
    found = "stays" if bool((more.abs() < _ALIKE).all()) else "less" if bool((more < -_ALIKE).all()) else "moves"
    return After(run, query, now, told, shown=shown, alone=run.head, found=found)
