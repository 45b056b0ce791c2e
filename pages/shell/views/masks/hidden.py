"""A mask in its boolean and additive forms, and a query that may attend to nothing."""

from collections.abc import Iterator
from dataclasses import replace
from functools import partial

import torch

from attention.analysis.rerun import rerun
from attention.comparisons import mask_forms
from attention.comparisons.empty_rows import ANSWERS
from attention.explain.cell import cell
from attention.figures import heatmap_of, matrix
from attention.masks import grid
from attention.trace import Trace
from pages.shell.component.heatmap import Figure
from pages.shell.i18n import say
from pages.shell.i18n.numbers import apart
from pages.shell.runs.run import Run
from pages.shell.runs.run import run as compute
from pages.shell.screen import Screen
from pages.shell.views import blocks, explained
from pages.shell.views.blocks import Block

_ROWS = 8
_IMPORTS = "import math\nimport torch\nfrom torch.nn import functional as F\n\n"


def polarity(screen: Screen) -> Iterator[Block]:
    """The forms in which attention takes the mask, each with its difference from the boolean one and its leak."""
    run, trace = _hiding(screen)
    yield blocks.heading(say("hidden.polarity_title"))
    yield blocks.text(say("hidden.polarity"))
    if run is not screen.run:
        yield blocks.text(say("hidden.instead"))
    mask, first = trace["mask"].value, mask_forms.weights(trace, "boolean")
    rows = []
    for form in mask_forms.FORMS:
        weights = mask_forms.weights(trace, form)
        leak = float(weights.masked_fill(mask, 0).sum(-1).max())
        rows.append([say(f"hidden.form.{form}"), apart(float((weights - first).abs().max())), f"{leak:.1%}"])
    yield blocks.table(say("hidden.handed"), say("hidden.differs"), say("hidden.most_leak"), rows=rows)


def forms(screen: Screen) -> Iterator[Block]:
    """The same mask as code, as booleans and as terms added to the scores."""
    run, trace = _hiding(screen)
    yield blocks.code(_code_of(matrix(trace["mask"], **run.where)))
    yield from explained.row(screen, "forms", *_both_forms(run, trace))


def _hiding(screen: Screen) -> tuple[Run, Trace]:
    """The run and trace of the screen or, if its mask hides nothing and every form would do, with the causal mask."""
    run, config = screen.run, screen.run.config
    trace = compute(config, record_mask=True).trace
    if not bool(trace["mask"].value.all()):
        return run, trace
    sizes, device = trace.sizes, trace["queries"].value.device
    trace = rerun(trace, mask=grid("causal", sizes["query"], sizes["key"], corner=config.corner, device=device))
    return replace(run, config=replace(config, mask="causal", painted="", padding=False)), trace


def _both_forms(run: Run, trace: Trace) -> Iterator[explained.ExplainedHeatmap]:
    """The mask as booleans and as added terms, each cell with its rule."""
    may = matrix(trace["mask"], **run.where)
    drawn = {
        "boolean": heatmap_of("mask-boolean", may, "query", "key", "binary"),
        "added": heatmap_of("mask-added", torch.zeros(may.shape), "query", "key", forbidden=~may),
    }
    for form, each in drawn.items():
        handed = rerun(trace, mask=mask_forms.FORMS[form](trace["mask"].value))
        figure = Figure(each, say(f"hidden.figure.{form}"), run.labels["query"], run.labels["key"], "")
        explain = partial(cell, handed, "mask", **run.where)
        yield explained.ExplainedHeatmap(run, figure, explain, run.labels)


def _code_of(mask: torch.Tensor) -> str:
    """Lines that run: they expect Q, K, V, a layer of one head and its input x."""
    rows = "".join(f"    [{', '.join(str(int(cell)) for cell in row)}],\n" for row in mask)
    return (
        f"{_IMPORTS}may_attend = torch.tensor([\n{rows}]).bool()\n"
        "added = torch.zeros(may_attend.shape).masked_fill(~may_attend, -math.inf)\n"
        f"F.scaled_dot_product_attention(Q, K, V, attn_mask=may_attend)  # {say('hidden.code.may')}\n"
        f"F.scaled_dot_product_attention(Q, K, V, attn_mask=added)       # {say('hidden.code.added')}\n"
        f"layer(x, x, x, attn_mask=~may_attend)                          # {say('hidden.code.may_not')}"
    )


def empty_row(screen: Screen) -> Iterator[Block]:
    """The weights that five ways to compute attention give a query that may attend to nothing, computed now."""
    run = screen.run
    yield blocks.heading(say("hidden.empty_row_title"))
    q = run.matrix("queries")[-1:].cpu().float()
    k = run.matrix("keys").cpu().float()
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
    yield blocks.table(say("hidden.who"), say("hidden.weights"), say("hidden.that_is"), rows=rows)


def _kind(weights: torch.Tensor) -> str:
    if weights.isnan().any():
        return "nan"
    if not weights.any():
        return "zero"
    return "uniform" if float(weights.max() - weights.min()) < 1e-6 else "other"
