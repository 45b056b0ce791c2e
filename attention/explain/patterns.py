"""The arithmetic of a composed mask, and of its blocks in FlexAttention."""

from collections.abc import Mapping

from torch import Tensor

from attention.explain.explanation import Explanation
from attention.explain.latex import subscript


def composed(value: bool, parts: Mapping[str, bool], row: int, column: int) -> Explanation:
    """A cell of a mask. parts: by name, the verdict of each mask that it combines."""
    said = "".join(
        rf", \quad \text{{{name.replace('_', ' ')}}} = {int(allows)}"
        for name, allows in parts.items()
        if len(parts) > 1
    )
    return Explanation("composed", "", (), float(value), f"M_{{{subscript(row, column)}}} =", said)


def block_kind(cells: Tensor, row: int, column: int, side: int) -> Explanation:
    """The kind of a block: whether a pair is visible and whether all are, half each; cells: bool (queries, keys)."""
    visible = int(cells[row * side : (row + 1) * side, column * side : (column + 1) * side].sum())
    some, every = int(visible > 0), int(visible == side * side)
    at = subscript(row, column)
    general = rf"\tfrac{{1}}{{2}} ([n_{{{at}}} > 0] + [n_{{{at}}} = {side * side}])"
    equation = rf"B_{{{at}}} = {general} = \tfrac{{1}}{{2}} ({some} + {every}) ="
    return Explanation("block_kind", "", (), (some + every) / 2, equation, rf", \quad n_{{{at}}} = {visible}")
