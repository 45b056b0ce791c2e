"""What the page about masks shows beside the steps: polarities, leaks, and a query that sees nothing."""

import streamlit as st
import torch

from attention.figures import matrix
from attention.policies import ANSWERS, HIDING
from pages.shell import show
from pages.shell.run import Run
from pages.shell.show import code as _code
from pages.shell.text import say

_ROWS = 8


def polarity(run: Run) -> None:
    """The mask of the screen as code: both polarities of PyTorch, and the additive form."""
    st.subheader(say("hidden.polarity_title"), anchor=False)
    st.markdown(say("hidden.polarity"))
    if "mask" not in run.trace:
        st.markdown(say("hidden.no_mask"))
        return
    mask = matrix(run.trace["mask"], batch=run.sentence, head=run.head)[:_ROWS, :_ROWS]
    rows = ",\n    ".join(str([bool(cell) for cell in row]) for row in mask)
    st.code(
        f"may_attend = torch.tensor([\n    {rows},\n])\n"
        "F.scaled_dot_product_attention(Q, K, V, attn_mask=may_attend)   # True: may attend\n"
        "nn.MultiheadAttention(...)(x, x, x, attn_mask=~may_attend)      # True: may not\n"
        "S + torch.zeros(S.shape).masked_fill(~may_attend, -math.inf)    # added to the scaled scores",
        language="python",
    )


def four_ways(run: Run) -> None:
    """One row of scores under four ways to hide what comes after the query, each with its sum."""
    st.subheader(say("hidden.four_ways_title"), anchor=False)
    missing = run.trace.sizes["key"] - run.trace.sizes["query"]
    focus = min(show.focus_of(run), run.trace.sizes["query"] - 2)
    if focus < 0:
        st.markdown(say("hidden.too_short"))
        return
    scores = matrix(run.trace["scaled"], batch=run.sentence, head=run.head)[focus].cpu().double()
    keys = run.labels["key"]
    allowed = torch.arange(len(scores)) <= focus + missing
    st.markdown(say("hidden.four_ways", query=_code(run.labels["query"][focus])))
    columns = range(min(len(scores), 2 * _ROWS))
    names = [f"{_code(keys[j])}{'' if allowed[j] else ' ▨'}" for j in columns]
    rows = [["S", *(f"{scores[j]:.2f}" for j in columns), "", ""]]
    for way, hide in HIDING.items():
        weights = hide(scores, allowed)
        leak = float(weights[~allowed].sum())
        rows.append(
            [say(f"hidden.way.{way}"), *(f"{weights[j]:.4f}" for j in columns), f"{weights.sum():.4f}", f"{leak:.1%}"]
        )
    show.table("", *names, say("hidden.sum"), say("hidden.leak"), rows=rows)
    same = float((HIDING["renormalised"](scores, allowed) - HIDING["before"](scores, allowed)).abs().max())
    st.markdown(say("hidden.same", difference=f"{same:.1e}"))


def empty_row(run: Run) -> None:
    """What five ways to compute attention answer a query that may attend to nothing, computed now."""
    st.subheader(say("hidden.empty_row_title"), anchor=False)
    q = matrix(run.trace["queries"], batch=run.sentence, head=run.head)[-1:].cpu().float()
    k = matrix(run.trace["keys"], batch=run.sentence, head=run.head).cpu().float()
    rows = []
    for name, answer in ANSWERS.items():
        weights = answer(q, k)[0]
        cells = " ".join("NaN" if weight.isnan() else f"{weight:.3f}" for weight in weights[:_ROWS])
        rows.append(
            [
                say(f"hidden.answer.{name}"),
                cells + (" …" if len(weights) > _ROWS else ""),
                say(f"hidden.kind.{_kind(weights)}"),
            ]
        )
    show.table(say("hidden.who"), say("hidden.weights"), say("hidden.that_is"), rows=rows)


def _kind(weights: torch.Tensor) -> str:
    if weights.isnan().any():
        return "nan"
    if not weights.any():
        return "zero"
    return "uniform" if float(weights.max() - weights.min()) < 1e-6 else "other"
