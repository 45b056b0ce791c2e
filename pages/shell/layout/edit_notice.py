"""Mark on every page which numbers were typed over by hand, with a button to reset them."""

from collections.abc import Sequence

import streamlit as st

from attention.inputs.edits import Typed
from pages.shell.i18n import listed, say
from pages.shell.runs.run import Run
from pages.shell.state.pending import set_controls


def reset_all() -> None:
    set_controls({"edited": ""})


def mark(run: Run) -> None:
    """Say what differs from the preset, with a button to reset it."""
    at_home = [one for one in run.typed if one not in run.homeless]
    if at_home:
        with st.container(horizontal=True, vertical_alignment="center", key="by-hand-mark"):
            st.markdown(say("by_hand.mark", parts=_counted(run, at_home)), width="content")
            st.button(
                say("by_hand.reset_all"), key="unedit", on_click=reset_all, type="tertiary", icon=":material/undo:"
            )


def homeless(run: Run) -> None:
    """Warn of typed numbers whose places do not exist at these sizes."""
    if run.homeless:
        st.warning(say("by_hand.homeless", parts=_counted(run, run.homeless)), icon=":material/info:")


def _counted(run: Run, typed: Sequence[Typed]) -> str:
    blocks = dict.fromkeys((one.matrix, one.block) for one in typed)
    counts = {at: sum((one.matrix, one.block) == at for one in typed) for at in blocks}
    return listed("comma", (say("by_hand.count", name=name(*at, run), count=count) for at, count in counts.items()))


def name(matrix: str, block: int, run: Run) -> str:
    """The letter of a matrix, with the sentence or the head that it belongs to where there are several."""
    if matrix == "x":
        several, axis = len(run.inputs.tokens) > 1 or block > 0, "batch"
    else:
        several, axis = matrix not in ("w_o", "b_o") and (run.module.heads > 1 or block > 0), "head"
    plain = letter(matrix)
    return say("by_hand.of", letter=plain, axis=say(f"axis.{axis}"), number=block + 1) if several else plain


def letter(matrix: str) -> str:
    return {"x": "X"}.get(matrix, f"{matrix[0].upper() if matrix[0] == 'w' else 'b'}_{matrix[-1].upper()}")
