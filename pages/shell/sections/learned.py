"""The layer that learned a grammar: its score, what each head looks for, and its live training."""

from collections.abc import Collection, Sequence
from dataclasses import replace

import numpy as np
import streamlit as st

from attention.experiments.learning import Scores, State
from attention.inputs.grammar import ANSWERS, QUESTIONS, VOCABULARY
from attention.inputs.learned import Setting
from pages.shell import component
from pages.shell.component.chart import Axis, Chart, Series
from pages.shell.component.heatmap import Figure
from pages.shell.i18n import listed, say
from pages.shell.i18n.markdown import code
from pages.shell.layout import figure_rows, page, pipeline, training
from pages.shell.layout.rows import changes, row
from pages.shell.runs import learned
from pages.shell.runs.run import Run
from pages.shell.runs.sources import Source, shared
from pages.shell.state.config import LEARNED, Config
from pages.shell.state.pending import set_controls
from pages.shell.views import captions, steps

# The row of the heads' maps, and the id of one without its number.
_MAPS, _MAP = "plot-learned-heads", "learned-head-"
# A score below it is worth a word.
_GOOD = 0.9
_asked = Source(lambda: training.asked(shared()))
# The setting where it has something to show, so that a move between others draws nothing anew.
_shipped = Source(lambda: one if (one := _asked.read()) in learned.KNOWN else None)
_watched = Source(lambda: one if (one := _asked.read()) is not None and training.states(one) else None)


def section(run: Source[Run]) -> None:
    """Nothing of other presets."""
    # In a part of the page of its own: what comes and goes in it moves what follows there, and not on the whole page.
    with st.container(key="learned"):
        _scores(run)
        _training(_shipped)
        _trained(_watched)
        _heads(run)


@row
def _scores(run: Run) -> None:
    # Before anything is read that changes with other presets.
    found = learned.tested(run.config, run.module) if run.config.preset == LEARNED else None
    if found is None:
        return
    st.subheader(say("learned.title", score=_two(found.scores.mean)), anchor=False)
    said = say("learned.lead"), learned.trained_with(found.setting)
    st.markdown(listed("sentence", filter(None, said)))
    component.row("plot-learned", _bars(found.scores, _dropping(run)))
    _verb(run, found.setting)


def _dropping(run: Run) -> str:
    """What is to be known of scores that were measured while weights are dropped."""
    p = run.config.dropout
    return say("learned.dropping", p=f"{p:.2f}") if p and run.config.mode == "training" else ""


def _bars(scores: Scores, dropping: str) -> Chart:
    at = np.arange(1, len(QUESTIONS) + 1)
    series = (
        Series(say("learned.accuracy"), at, scores.accuracy, "bars"),
        Series(say("learned.look"), at, scores.look, "dots", colour=1),
    )
    x = Axis(say("learned.asked"), range=(0.5, len(QUESTIONS) + 0.5), ticks=at.tolist(), names=_questions())
    y = Axis(say("learned.share"), range=(0, 1.05))
    text = listed("sentence", filter(None, (say("learned.scores_text"), dropping)))
    return Chart("learned-scores", say("learned.scores"), series, x, y, _summary(scores), text)


def _summary(scores: Scores) -> str:
    """Which questions are not answered, and which are without a look at the right word."""
    asked = list(zip(_questions(), scores.accuracy, scores.look, strict=True))
    missed = [say("learned.at", question=question, share=_two(right)) for question, right, _ in asked if right < _GOOD]
    blurred = [
        say("learned.at", question=question, share=_two(look))
        for question, right, look in asked
        if right >= _GOOD > look
    ]
    said = [say("learned.all_right", score=_two(scores.mean))]
    if missed:
        guess = f"{1 / len(ANSWERS[0]):.3f}"
        said = [say("learned.missed", score=_two(scores.mean), parts=listed("comma", missed), guess=guess)]
    if blurred:
        said.append(say("learned.blurred", parts=listed("comma", blurred)))
    return listed("sentence", said)


def _verb(run: Run, setting: Setting) -> None:
    """What the verb of the sentence asks, the answers, and the head that looks at the right word."""
    sentence = learned.sentences((run.inputs.tokens[run.sentence][: run.inputs.lengths[run.sentence]],))[0]
    at = sentence.verb - (len(run.tokens) - run.trace.sizes["query"])
    if sentence.verb < 0 or at < 0:
        return
    output = run.trace["projected"].value[run.sentence, at].cpu().float()
    sure, answer = learned.layer(setting).logits(output).softmax(-1).max(-1)
    weights = run.trace["weights"].value[run.sentence, :, at].cpu()
    targets = {one.question: one.target for one in sentence.asked if one.place == sentence.verb}
    rows = []
    for question in range(3):
        told = code(ANSWERS[question][int(answer[question])]), _two(float(sure[question]))
        right = looked = "–"
        if question in targets:
            right = code(sentence.words[targets[question]])
            head = int(weights[:, targets[question]].argmax())
            looked = say("learned.head_looks", head=head + 1, weight=_two(float(weights[head, targets[question]])))
            if sentence.words[targets[question]] not in VOCABULARY:
                told = "?", "–"
        asks = say("learned.ask", verb=code(sentence.words[sentence.verb]), question=_questions()[question])
        rows.append((asks, right, looked, *told))
    header = [say(f"learned.column.{name}") for name in ("asks", "right", "head", "answer", "sure")]
    page.table(*header, rows=rows)


@row
def _heads(run: Run) -> None:
    """Each head with the question whose right words it weighs most, and a switch."""
    # Before anything is read that changes with other presets.
    found = learned.tested(run.config, run.module) if run.config.preset == LEARNED else None
    if found is None:
        return
    masses, off = found.scores.by_head, learned.off(run.config, run.module.heads)
    names = _questions()
    jobs = [
        listed("comma", (say("learned.at", question=names[one], share=_two(masses[one][head])) for one in job))
        for head, job in enumerate(found.scores.jobs)
    ]
    st.markdown(say("learned.heads"))
    with st.container(horizontal=True):
        for head, job in enumerate(jobs):
            st.button(
                say("learned.head_off" if head in off else "learned.head_on", head=head + 1, job=job),
                key=f"learned-head-{head}",
                on_click=_switch,
                args=(head, off),
                type="secondary" if head in off else "primary",
                icon=":material/toggle_off:" if head in off else ":material/toggle_on:",
            )
    maps = [_map(run, head, job) for head, job in enumerate(jobs)]
    component.row(_MAPS, *maps, on_cell=changes(_look), opens="pipeline")


def _look() -> None:
    """Look at the cell that was clicked in the map of a head, input from outside like any other."""
    click = component.clicked(_MAPS)
    if click is not None and click.figure.startswith(_MAP):
        set_controls({"head": Config.of({"head": click.figure.removeprefix(_MAP)}).head})
        pipeline.look_at(component.Click("weights", click.row, click.column, None), "learned")


def _map(run: Run, head: int, job: str) -> Figure:
    """The weights of a head (from 0), with the right words framed."""
    one = replace(run, config=replace(run.config, head=head + 1))
    step, title = run.trace["weights"], f"{captions.head(one)} · {job}" if run.module.heads > 1 else job
    said = captions.note(one, step, steps.focus_of(one))
    forbidden = steps.forbidden(one, step)
    caption = figure_rows.Caption(f"{_MAP}{head + 1}", title, said)
    made = figure_rows.explained_heatmap(one, one.trace, "weights", caption, forbidden=forbidden)
    # The title names the head, before what it looks for.
    return replace(made.figure, outlined=steps.right_words(one), part="")


def _switch(head: int, off: Collection[int]) -> None:
    """Switch a head off, or on again. off: the heads that were off."""
    set_controls({"heads_off": ",".join(str(one + 1) for one in sorted({*off} ^ {head}))})


@row
def _training(setting: Setting | None) -> None:
    """Any other setting than those that were shipped is trained beside the note about it."""
    if setting is not None:
        training.offer(setting)


@row
def _trained(setting: Setting | None) -> None:
    if setting is not None and (states := training.states(setting)):
        component.row("plot-learned-curve", _curve(setting, states))


def _curve(setting: Setting, states: Sequence[State]) -> Chart:
    measured = [(state.step, state.score) for state in states if state.score is not None]
    at, score = (np.array(column) for column in zip(*measured, strict=True))
    x = Axis(say("lab.axis.step"), range=(0, setting.steps))
    y = Axis(say("learned.score"), range=(0, 1.05))
    note = say("learned.curve_note", first=_two(score[0]), last=_two(score[-1]), step=at[-1])
    return Chart("learned-curve", say("learned.curve"), (Series(say("learned.score"), at, score),), x, y, note)


def _questions() -> list[str]:
    return [say(f"learned.question.{name}") for name in QUESTIONS]


def _two(share: float) -> str:
    return f"{share:.2f}"
