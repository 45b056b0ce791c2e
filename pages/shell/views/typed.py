"""The numbers that were typed over by hand, in words."""

from collections.abc import Sequence

from attention.inputs.edits import Typed
from pages.shell.i18n import listed, say
from pages.shell.runs.run import Run


def counted(run: Run, typed: Sequence[Typed]) -> str:
    blocks = dict.fromkeys((one.matrix, one.block) for one in typed)
    counts = {at: sum((one.matrix, one.block) == at for one in typed) for at in blocks}
    return listed("comma", (say("by_hand.count", name=name(*at, run), count=count) for at, count in counts.items()))


def name(matrix: str, block: int, run: Run) -> str:
    """The letter of a matrix, with its sentence or its head if there are several."""
    if matrix == "x":
        several, axis = len(run.inputs.tokens) > 1 or block > 0, "batch"
    else:
        several, axis = matrix not in ("w_o", "b_o") and (run.module.heads > 1 or block > 0), "head"
    plain = letter(matrix)
    return say("by_hand.of", letter=plain, axis=say(f"axis.{axis}"), number=block + 1) if several else plain


def letter(matrix: str) -> str:
    return {"x": "X"}.get(matrix, f"{matrix[0].upper() if matrix[0] == 'w' else 'b'}_{matrix[-1].upper()}")
