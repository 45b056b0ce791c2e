"""Training by hand, step by step: the loss before and after, the changes by a step, and the pipeline after it."""

from collections.abc import Hashable
from dataclasses import replace
from functools import partial

import numpy as np
import streamlit as st
import torch

from attention.experiments.learning import measure
from attention.experiments.sgd_by_hand import Taken, descend, start
from attention.figures import heatmap_of
from attention.inputs.learned import Setting
from attention.modules import MultiHeadAttention
from attention.trace import Trace
from pages.shell import component
from pages.shell.component.chart import Axis, Chart, Series
from pages.shell.component.heatmap import Figure
from pages.shell.i18n import listed, say
from pages.shell.i18n.numbers import digits
from pages.shell.layout.drawer import drawer
from pages.shell.layout.drawn import drawn
from pages.shell.layout.part import depends_on, part
from pages.shell.layout.widgets import widget
from pages.shell.runs import learned
from pages.shell.runs.results import computed, results
from pages.shell.runs.run import Run
from pages.shell.sections.backward import target
from pages.shell.state.changes import set_controls
from pages.shell.state.config import LEARNED, Config
from pages.shell.state.page_controls import Backward as Asked
from pages.shell.views import tiles
from pages.shell.views.steps import focus_of

# The state is kept after each multiple of this many steps, so that going on does not begin from the start.
_KEPT = 50
_MOST = 1000


def asked() -> Setting:
    config = Config.current()
    return learned.wanted(config) if config.preset == LEARNED else Setting()


@part
def section() -> None:
    with drawer("training", "sgd_rate", "sgd_steps", waits=True) as is_open:
        if is_open:
            _controls()
            _taken()


def _controls() -> None:
    st.subheader(say("backward.training.title"), anchor=False)
    st.markdown(say("backward.training.lead"))
    for column, name in zip(st.columns(2), ("sgd_rate", "sgd_steps"), strict=True):
        with column:
            widget(name)
    with st.container(horizontal=True):
        for count in (1, 10, 100):
            label = say("backward.training.one") if count == 1 else say("backward.training.more", count=count)
            st.button(label, key=f"sgd-{count}", on_click=partial(_go, count))
        st.button(say("backward.training.again"), key="sgd-start", on_click=partial(_go, -_MOST))


def _go(count: int) -> None:
    steps = Asked.current().sgd_steps + count
    set_controls({"sgd_steps": min(max(steps, 0), _MOST)})


def at_step(setting: Setting, rate: float, steps: int) -> Taken:
    """The state after `steps` steps, computed from the last state that was kept."""
    taken = start(setting, rate)
    points = [*range(_KEPT, steps, _KEPT), steps] if steps else []
    kept = [(point, results("tables").get(_key(setting, rate, point))) for point in points]
    for point, found in reversed(kept):
        if found is not None:
            taken, points = found, [later for later in points if later > point]
            break
    for point in points:
        # A loop, since a recursion would hold a place while it waits for another one, forever.
        taken = computed(_key(setting, rate, point), partial(_gone_on, taken, point))
    return taken


def _key(setting: Setting, rate: float, steps: int) -> Hashable:
    return "sgd", setting, rate, steps


def _gone_on(taken: Taken, steps: int, _: object) -> Taken:
    return descend(taken, steps - taken.step)


def _taken() -> None:
    depends_on(Config)
    run, setting = target.shown(), asked()
    if setting.numbers > learned.LARGEST:
        st.caption(say("learned.large", numbers=f"{setting.numbers:,}", most=f"{learned.LARGEST:,}"))
        return
    rate, steps = float(Asked.current().sgd_rate), Asked.current().sgd_steps
    taken = at_step(setting, rate, steps)
    st.markdown(_said(taken))
    if taken.diverged:
        return
    if taken.step:
        drawn("plot-sgd", *_figures(run, taken))
        drawn("plot-sgd-curve", _curve(taken))
    _pipeline(run, taken)


def _said(taken: Taken) -> str:
    score = computed(
        ("sgd score", taken.setting, taken.rate, taken.step), lambda progress: f"{measure(taken.learned).mean:.2f}"
    )
    if not taken.step:
        return say("backward.training.none", score=score, numbers=f"{taken.setting.numbers:,}")
    if taken.diverged:
        return say("backward.training.diverged", step=taken.step, rate=f"{taken.rate:g}")
    before, after, promised = taken.before[-1], taken.after[-1], taken.promised[-1]
    numbers = {"before": digits(before, 4), "after": digits(after, 4), "promised": digits(promised)}
    told = say(
        "backward.training.said",
        step=taken.step,
        change=digits(after - before),
        score=score,
        first=digits(taken.before[0], 4),
        **numbers,
    )
    verdict = "up" if after > before else "far" if after - before > 0.5 * promised else "near"
    return listed("sentence", (told, say(f"backward.training.verdict.{verdict}")))


def _figures(run: Run, taken: Taken) -> list[Figure]:
    """W_Q of the shown head: before the last step, its gradient, and the change by the step."""
    assert taken.previous is not None
    assert taken.gradients is not None
    d_k, head = taken.setting.d_k, min(run.head, taken.setting.heads - 1)
    band = slice(head * d_k, (head + 1) * d_k)
    of = next(
        gradient
        for weight, gradient in zip(taken.learned.tensors(), taken.gradients, strict=True)
        if weight is taken.learned.module.w_q
    )
    before, after = (each.module.w_q.detach()[:, band] for each in (taken.previous, taken.learned))
    shown = {"before": before, "gradient": of[:, band], "change": after - before}
    return [
        Figure(
            heatmap_of(f"sgd-{name}", z, "model", "feature"),
            say(f"backward.training.figure.{name}", head=head + 1),
            (),
            (),
            say("backward.training.largest", value=digits(float(z.abs().max()))),
        )
        for name, z in shown.items()
    ]


def _curve(taken: Taken) -> Chart:
    at = np.arange(1, taken.step + 1)
    series = (
        Series(say("backward.training.before"), at, taken.before),
        Series(say("backward.training.after"), at, taken.after, colour=1, dash=1),
    )
    x, y = Axis(say("lab.axis.step"), range=(0, taken.step + 1)), Axis(say("backward.training.loss"))
    note = say("backward.training.curve_note", first=digits(taken.before[0], 4), last=digits(taken.after[-1], 4))
    return Chart("sgd-curve", say("backward.training.curve"), series, x, y, note)


def _pipeline(run: Run, taken: Taken) -> None:
    """The pipeline of the sentence of the screen, through the layer as it is after the last step."""
    after = _run(run, taken)
    focus = focus_of(after)
    whose = "screen" if run.config.preset == LEARNED else "example"
    told = {"at": 0, "of": 1, "text": say(f"backward.training.strip.{whose}", step=taken.step), "sets": []}
    shown = {"kind": "strip", "tiles": tiles.sent(after), "step": "weights", "head": after.head, "backward": False}
    shown["edges"] = tiles.edges(after)
    component.blocks("sgd-strip", [shown | {"at": {"query": focus}, "told": told}])


def _run(run: Run, taken: Taken) -> Run:
    words = tuple(tuple(sentence) for sentence in run.inputs.tokens) if run.config.preset == LEARNED else ()
    ready = taken.learned.prepared(learned.sentences(words), taken.setting.positions)
    module: MultiHeadAttention = ready.module
    trace = Trace()
    with torch.inference_mode():
        module.eval()
        module(
            ready.inputs.x, mask=taken.setting.grid(ready.inputs.x.shape[-2]), scale=taken.setting.factor, trace=trace
        )
    config = replace(run.config, preset=LEARNED, last=0, sentence=min(run.config.sentence, len(ready.inputs.tokens)))
    return Run(config, ready.inputs, module, trace, ready.focus)
