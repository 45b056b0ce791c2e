"""Four ways to hide what comes after a query, on one row of scores of the screen."""

import streamlit as st
import torch
from torch import Tensor

from attention.comparisons.hiding import HIDING, dependence
from pages.shell.i18n import listed, say
from pages.shell.i18n.markdown import code, in_table
from pages.shell.i18n.numbers import apart, fixed
from pages.shell.layout import page
from pages.shell.layout.cell import Cell
from pages.shell.layout.rows import row
from pages.shell.runs.run import Run

_MOST = 16


@row
def four_ways(run: Run) -> None:
    """One row of scores under each way: what is left, what leaks, and what follows when the last score changes."""
    st.subheader(say("hidden.four_ways_title"), anchor=False)
    if run.trace.sizes["query"] < 2:
        st.markdown(say("hidden.too_short"))
        return
    scaled = run.matrix("scaled").cpu().double()
    after = torch.ones_like(scaled, dtype=torch.bool).triu(1 + scaled.shape[1] - scaled.shape[0])
    query = _query(run, scaled, after)
    scores, allowed, keys = scaled[query], ~after[query], run.labels["key"]
    st.markdown(say("hidden.four_ways", query=code(run.labels["query"][query])))
    changed = scores.clone()
    changed[-1] += 1
    columns = range(min(len(scores), _MOST))
    names = [f"{in_table(keys[j])}{'' if allowed[j] else ' ▨'}" for j in columns]
    rows = [["S", *(fixed(scores[j]) for j in columns), "", "", ""]]
    for way, hide in HIDING.items():
        weights = hide(scores, allowed)
        numbers = [*(f"{weights[j]:.4f}" for j in columns), f"{weights.sum():.4f}", f"{weights[~allowed].sum():.1%}"]
        rows.append([say(f"hidden.way.{way}"), *numbers, apart(dependence(way, scores, allowed, changed))])
    page.table(say("table.way"), *names, say("hidden.sum"), say("hidden.leak"), say("hidden.depends"), rows=rows)
    before, then = (f"{HIDING['zero_after'](z, allowed).sum():.4f}" for z in (scores, changed))
    told = [say("hidden.depends_on", key=code(keys[-1]))]
    if before != then:
        told.append(say("hidden.tells", sums=f"{before} → {then}"))
    st.markdown(listed("sentence", told))
    same = float((HIDING["renormalised"](scores, allowed) - HIDING["before"](scores, allowed)).abs().max())
    st.markdown(say("hidden.same", difference=apart(same)))


def _query(run: Run, scaled: Tensor, after: Tensor) -> int:
    """The query of the cell that was clicked; else, of those that see at least two keys where there is one, the query
    from which a score of 0 takes most."""
    cell, last = Cell.current(run), len(scaled) - 2
    if cell and (chosen := cell.query(run)) is not None:
        return min(chosen, last)
    leaks = (HIDING["zero_before"](scaled, ~after) * after).sum(-1)[: last + 1]
    alone = (~after).sum(-1)[: last + 1] < 2
    return int(leaks.masked_fill(alone, -1).argmax())
