"""The arithmetic of a mask that is composed, and of the blocks that FlexAttention makes of it."""

from collections.abc import Mapping

from torch import Tensor

from attention.explain.explanation import Explanation
from attention.explain.latex import subscript


def composed(value: bool, parts: Mapping[str, bool], row: int, column: int) -> Explanation:
    """A cell of a mask. parts: what each of the masks says that it combines, by name."""
    said = "".join(
        rf", \quad \text{{{name.replace('_', ' ')}}} = {int(allows)}"
        for name, allows in parts.items()
        if len(parts) > 1
    )
    return Explanation("composed", "", (), float(value), f"M_{{{subscript(row, column)}}} =", said)


def block_kind(cells: Tensor, row: int, column: int, side: int) -> Explanation:
    """Half of whether a pair of a block is visible, and half of whether all are; cells: bool (queries, keys)."""
    visible = int(cells[row * side : (row + 1) * side, column * side : (column + 1) * side].sum())
    some, every = int(visible > 0), int(visible == side * side)
    at = subscript(row, column)
    general = rf"\tfrac{{1}}{{2}} ([n_{{{at}}} > 0] + [n_{{{at}}} = {side * side}])"
    equation = rf"B_{{{at}}} = {general} = \tfrac{{1}}{{2}} ({some} + {every}) ="
    return Explanation("block_kind", "", (), (some + every) / 2, equation, rf", \quad n_{{{at}}} = {visible}")
