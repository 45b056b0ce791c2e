"""The verbs a page is made of."""

from collections.abc import Callable, Iterable
from dataclasses import replace
from functools import partial

import streamlit as st
from torch import Tensor

from attention.comparisons.parity import Comparison, against_torch
from attention.figures import heatmap, magnitude, matrix
from attention.masks import MASKS
from attention.trace import Step
from pages.shell import by_hand, plot
from pages.shell.cell import Cell
from pages.shell.controls import MODES, Config
from pages.shell.notes import note
from pages.shell.run import Run
from pages.shell.run import run as compute
from pages.shell.text import say
from pages.shell.words import ROWS

_HIDES = ("masked", "weights", "dropped")
_SHARE_RANGE = ("scores", "scaled", "masked")


def title(page: str) -> None:
    st.title(say(f"page.{page}.title"), anchor=False)
    st.markdown(say(f"page.{page}.lead"))


def ledger(run: Run) -> None:
    """Shapes, parameter count and the comparison with PyTorch, always in sight; then what was adjusted."""
    module = run.module
    lengths = {"n": len(run.tokens)} if run.context is None else {"n_q": len(run.tokens), "n_k": len(run.labels["key"])}
    sizes = lengths | {"d_model": module.d_model, "h": module.heads, "d_k": module.d_k, "d_v": module.d_v}
    if len(run.inputs.tokens) > 1:
        sizes = {say("ledger.batch"): len(run.inputs.tokens)} | sizes
    shapes = " · ".join(f"{name} **{size}**" for name, size in sizes.items())
    parameters = sum(parameter.numel() for parameter in module.parameters())
    with st.container(key="ledger"):
        badges = "  ".join(_badge(comparison) for comparison in against_torch(run.trace))
        st.markdown(f"{shapes} · {say('ledger.parameters', count=f'{parameters:,}')}  \n{badges}")
        by_hand.mark(run)
    plot.labels(run.labels)
    for adjusted in run.notes:
        st.warning(adjusted, icon=":material/info:")
    by_hand.homeless(run)


def _badge(comparison: Comparison) -> str:
    if comparison.difference is None:
        return f":gray-badge[{say('badge.none', name=comparison.name, reason=say(f'reason.{comparison.reason}'))}]"
    colour, words = ("green", "badge.agrees") if comparison.agrees else ("red", "badge.differs")
    return f":{colour}-badge[{say(words, name=comparison.name, difference=f'{comparison.difference:.1e}')}]"


def steps(run: Run, *ids: str, chapter: str, on_cell: Callable[[str], None] | None = None) -> None:
    """A headed row of figures, one a step; a step that this run does not have is not shown.

    on_cell: what a click on a cell does in place of opening its arithmetic; it gets the key of the row.
    """
    present = [run.trace[id] for id in ids if id in run.trace]
    if not present:
        return
    key = f"plot-{chapter}"
    cell = Cell.current(run)
    row = [_card(run, step, cell.query(run) if cell else None) for step in present]
    plot.cards(key, chapter, row, on_cell=partial(on_cell, key) if on_cell else partial(Cell.report, key, chapter))
    if cell and cell.stands(chapter, ids):
        cell.tell(run, chapter)


def every_head(run: Run, id: str, *, chapter: str) -> None:
    """A step once for each head, in one headed row; a click chooses the head as well."""
    runs = [replace(run, config=replace(run.config, head=head + 1)) for head in range(run.module.heads)]
    tags = [f"{say('axis.head')} {each.config.head}" for each in runs]
    _side_by_side(run, runs, tags, [("head", each.config.head) for each in runs], id, chapter)


def every_mask(run: Run, id: str, *, chapter: str) -> None:
    """A step once for each mask of the registry, in one headed row; a click chooses the mask as well."""
    runs = [compute(replace(run.config, mask=mask), record_mask=True) for mask in MASKS]
    # The mask of the screen as it is drawn here: where it hides nothing, the screen's own run has no such step.
    chosen = runs[list(MASKS).index(run.config.mask)]
    _side_by_side(chosen, runs, list(MASKS), [("mask", mask) for mask in MASKS], id, chapter)


def both_modes(run: Run, id: str, *, chapter: str) -> None:
    """A step in training and in inference, in one headed row; a click chooses the mode as well."""
    runs = [compute(replace(run.config, mode=mode), run.draw) for mode in MODES]
    _side_by_side(run, runs, list(MODES), [("mode", mode) for mode in MODES], id, chapter)


def _side_by_side(
    run: Run, runs: list[Run], tags: list[str], sets: list[tuple[str, str | int]], id: str, chapter: str
) -> None:
    key, cell = f"plot-{chapter}", Cell.current(run)
    query = cell.query(run) if cell else None
    bound = max((magnitude(_shown(each, id).float()) for each in runs if id in each.trace), default=0.0)
    row = [
        replace(_card(each, each.trace[id], query, bound), tag=tag, sets=chosen)
        for each, tag, chosen in zip(runs, tags, sets, strict=True)
        if id in each.trace
    ]
    plot.cards(key, chapter, row, on_cell=partial(Cell.report, key, chapter))
    if cell and cell.stands(chapter, (id,)):
        cell.tell(run, chapter)


def table(*header: str, rows: Iterable[Iterable[object]]) -> None:
    """A small table of text: Markdown, which needs no other component."""
    lines = [header, ["---"] * len(header), *rows]
    st.markdown("\n".join(f"| {' | '.join(map(str, line))} |" for line in lines))


def code(token: str) -> str:
    """A token as code, which Markdown does not read, fit for a cell of a table."""
    return f"`{token.replace('`', chr(39)).replace('|', '¦')}`"


def predict(question: str, *answers: str, of: str = "") -> None:
    """A question before the figures that answer it, to be answered or skipped; remembered for the visit.

    of: the only preset whose figures answer it, "" for any.
    """
    if of not in ("", Config.current().preset):
        return
    with st.container(border=True, key=f"predict-{question}"):
        right = say(f"predict.{question}.right")

        def shown(answer: str) -> str:
            return say(f"predict.{question}.{answer}") if answer else say("predict.show")

        chosen = st.radio(
            say(f"predict.{question}.question"),
            # Ids, which outlive a change of the language.
            (*answers, ""),
            index=None,
            horizontal=True,
            format_func=shown,
            key=f"predicted-{question}",
            persist_state="session",
        )
        if chosen is not None:
            verdict = say("predict.right" if chosen == right else "predict.wrong")
            st.markdown((f"**{verdict}** " if chosen else "") + say(f"predict.{question}.why"))


def _card(run: Run, step: Step, query: int | None, bound: float = 0.0) -> plot.Card:
    """bound: the end of a colour range that this figure shares with others."""
    where = {"batch": run.sentence, "head": run.head}
    drawn = heatmap(step, **where, forbidden=forbidden(run, step), bound=max(bound, _bound(run, step)))
    focus = query if query is not None else focus_of(run)
    also = "key" if step.id == "x" and "context" not in run.trace else ""
    labels = run.labels if run.asking else None
    return plot.Card(drawn, ROWS[step.quantity], note(run, step, focus), also, labels=labels)


def focus_of(run: Run) -> int:
    """The query that the summaries speak about: the preset's, else the last token before the padding."""
    missing = len(run.tokens) - run.trace.sizes["query"]
    wanted = run.focus if run.focus >= 0 else run.inputs.lengths[run.sentence] - 1
    return wanted - missing if wanted >= missing else run.trace.sizes["query"] - 1


def forbidden(run: Run, step: Step) -> Tensor | None:
    """Where the mask hides cells of a step, if it does."""
    if step.id not in _HIDES or "mask" not in run.trace:
        return None
    return ~_shown(run, "mask")


def _bound(run: Run, step: Step) -> float:
    """Raw and scaled scores share one colour range, or nobody sees what the division does."""
    return max(magnitude(_shown(run, id)) for id in _SHARE_RANGE[:2]) if step.id in _SHARE_RANGE else 0.0


def _shown(run: Run, id: str) -> Tensor:
    return matrix(run.trace[id], batch=run.sentence, head=run.head)
