"""How far the weights of each query moved from A to B."""

import math
from collections.abc import Iterator

from torch import Tensor

from pages.shell.i18n import listed, say
from pages.shell.i18n.markdown import in_table
from pages.shell.i18n.numbers import digits
from pages.shell.screen import Screen
from pages.shell.views import blocks
from pages.shell.views.blocks import Block
from pages.shell.views.compare.compared import Sides, sides

# The most rows of the table.
_ROWS = 16
# Rounding differences of float32 weights between two runs of one screen.
_ROUNDING = 1e-6


def rows(screen: Screen) -> Iterator[Block]:
    """For each query, the share of its weight that moved, the divergence of B from A in nats, and the keys that
    gained."""
    both = sides(screen)
    if both.rows is None:
        return
    yield blocks.heading(say("compare.rows"))
    moved, entropy = both.rows.total_variation, both.rows.relative_entropy
    if (at := both.farthest) is not None:
        yield blocks.text(_most(both, at, moved, entropy))
    shown = sorted(moved.nan_to_num(2).argsort(descending=True, stable=True)[:_ROWS].tolist())
    names = both.labels("query")
    table = [
        (in_table(names[row]), _short(float(moved[row])), _short(float(entropy[row])), _moved(both, row))
        for row in shown
    ]
    header = [say(f"compare.column.{name}") for name in ("query", "variation", "entropy", "moved")]
    yield blocks.table(*header, rows=table)
    told = [say("compare.first_rows", shown=len(shown), rows=len(moved))] if len(shown) < len(moved) else []
    beyond = both.rows.beyond
    if beyond.any():
        query, key = divmod(int(beyond.int().argmax()), beyond.shape[1])
        pair = {"query": in_table(names[query]), "key": _key(both, key)}
        told.append(say("compare.infinite", count=int(beyond.any(-1).sum()), rows=len(moved), **pair))
    if any("kept" in run.trace for run in (both.a, both.b)):
        told.append(say("compare.dropout"))
    yield blocks.text(listed("sentence", (*told, say("compare.measures"))))


def _most(both: Sides, at: int, moved: Tensor, entropy: Tensor) -> str:
    if moved[at] <= _ROUNDING:
        return say("compare.unmoved", count=len(moved))
    values = {"moved": moved[at], "nats": entropy[at], "mean": moved.nanmean()}
    numbers = {name: _short(float(value)) for name, value in values.items()}
    return say("compare.most", query=in_table(both.labels("query")[at]), **numbers)


def _moved(both: Sides, row: int) -> str:
    """The keys that gained and lost most; if a row is no distribution, the side that it belongs to."""
    found = both.rows
    assert found is not None
    empty = [not found.a[row].any(), not found.b[row].any()]
    if any(empty):
        return say(f"compare.empty.{'both' if all(empty) else 'a' if empty[0] else 'b'}")
    change = found.b[row] - found.a[row]
    ends = [index for index in (int(change.argmax()), int(change.argmin())) if change[index].abs() > _ROUNDING]
    if not ends:
        return say("compare.nothing")
    return listed("comma", (f"{_key(both, index)} {signed(float(change[index]))}" for index in ends))


def _key(both: Sides, key: int) -> str:
    """The name of a key, or of the sink after the last one."""
    names = both.labels("key")
    return in_table(names[key]) if key < len(names) else say("compare.sink")


def signed(change: float) -> str:
    return f"{'−' if change < 0 else '+' if change else ''}{_short(abs(change))}"


def _short(value: float) -> str:
    """Three decimals, so that a column can be read down; two digits if the decimals would show 0."""
    return f"{value:.3f}" if math.isfinite(value) and value >= 0.001 else digits(value, 2)
