"""Four ways to hide later keys from a query, on one row of scores of the screen."""

from collections.abc import Iterator

import torch
from torch import Tensor

from attention.comparisons.hiding import HIDING, dependence
from pages.shell.i18n import listed, say
from pages.shell.i18n.markdown import code, in_table
from pages.shell.i18n.numbers import apart, fixed
from pages.shell.screen import Screen
from pages.shell.views import blocks, guess
from pages.shell.views.blocks import Block

_MOST = 16


def four_ways(screen: Screen) -> Iterator[Block]:
    """One row of scores under each way: what is left, what leaks, and what follows when the last score changes."""
    run = screen.run
    yield blocks.heading(say("hidden.four_ways_title"))
    if run.trace.sizes["query"] < 2:
        yield blocks.text(say("hidden.too_short"))
        return
    scaled = run.matrix("scaled").cpu().double()
    after = torch.ones_like(scaled, dtype=torch.bool).triu(1 + scaled.shape[1] - scaled.shape[0])
    query = _query(screen, scaled, after)
    scores, allowed, keys = scaled[query], ~after[query], run.labels["key"]
    yield blocks.text(say("hidden.four_ways", query=code(run.labels["query"][query])))
    changed = scores.clone()
    changed[-1] += 1
    columns = range(min(len(scores), _MOST))
    names = [f"{in_table(keys[j])}{'' if allowed[j] else ' ▨'}" for j in columns]
    rows = [["S", *(fixed(scores[j]) for j in columns), "", "", ""]]
    for way, hide in HIDING.items():
        weights = hide(scores, allowed)
        numbers = [*(f"{weights[j]:.4f}" for j in columns), f"{weights.sum():.4f}", f"{weights[~allowed].sum():.1%}"]
        rows.append([say(f"hidden.way.{way}"), *numbers, apart(dependence(way, scores, allowed, changed))])
    if guess.waits(screen, "future"):
        yield blocks.table(say("table.way"), *names, rows=[rows[0][: 1 + len(names)]])
        return
    yield blocks.table(
        say("table.way"), *names, say("hidden.sum"), say("hidden.leak"), say("hidden.depends"), rows=rows
    )
    before, then = (f"{HIDING['zero_after'](z, allowed).sum():.4f}" for z in (scores, changed))
    told = [say("hidden.depends_on", key=code(keys[-1]))]
    if before != then:
        told.append(say("hidden.tells", sums=f"{before} → {then}"))
    yield blocks.text(listed("sentence", told))
    same = float((HIDING["renormalised"](scores, allowed) - HIDING["before"](scores, allowed)).abs().max())
    yield blocks.text(say("hidden.same", difference=apart(same)))


def _query(screen: Screen, scaled: Tensor, after: Tensor) -> int:
    """The query of the cell in the address, at most the last but one. Without one, the query with most weight on later
    keys if their scores are set to 0, among those that see at least two keys, if any."""
    asked, last = screen.query(), len(scaled) - 2
    if asked is not None:
        return min(asked, last)
    leaks = (HIDING["zero_before"](scaled, ~after) * after).sum(-1)[: last + 1]
    alone = (~after).sum(-1)[: last + 1] < 2
    return int(leaks.masked_fill(alone, -1).argmax())
