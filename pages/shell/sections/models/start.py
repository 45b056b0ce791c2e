"""The model, its text and its changes; and the task that loads the model and asks it, once for all visitors."""

from collections.abc import Callable, Sequence
from functools import partial

import streamlit as st

from attention.inputs.trained import COMMAND, FOLDER, SIZES
from attention.masks import MASKS
from pages.shell import component
from pages.shell.i18n import listed, say, spoken
from pages.shell.i18n.markdown import code
from pages.shell.layout.drawer import drawer
from pages.shell.layout.part import dependent, depends_on, part
from pages.shell.layout.widgets import widget
from pages.shell.runs.results import computed
from pages.shell.runs.trained.loaded import is_lacking, load, loaded, refused
from pages.shell.runs.trained.outputs import outputs
from pages.shell.runs.trained.recorded import Outputs
from pages.shell.runs.trained.request import (
    EXAMPLES,
    OTHER,
    TEXTS,
    Request,
    as_trained,
    chosen,
    example,
    first_head,
    not_heads,
    own_mask,
    requested,
)
from pages.shell.screen import Screen
from pages.shell.sections.models.common import is_ready, request
from pages.shell.state.changes import set_controls
from pages.shell.state.config import OF_PRESET, TOKENS
from pages.shell.state.guesses import Guesses
from pages.shell.state.page_controls import Models
from pages.shell.state.registry import default
from pages.shell.state.settings import texts
from pages.shell.views.models import common, induction, output, sinks, switched
from pages.shell.views.models.offered import unmeasured

# Pairs of controls that stand side by side.
_KNOBS = (("model_width", "hide_first"), ("model_dropout", "model_draw"))
_MOST = default("rank")
# The example that changes the model, and the one with an edited sentence, which only a loaded model can answer.
_EXPERIMENT, _EDITED = "unscaled", "japan"


def section() -> None:
    _controls()
    _ready()
    # This comes last, because the arcs need not wait for it.
    _measured()


@part
def _controls() -> None:
    depends_on(_chosen)
    is_chosen = _chosen()
    with st.container(key="models-first", horizontal=True, vertical_alignment="bottom"):
        widget("model", on_change=_open_other)
        for name in EXAMPLES:
            if name != _EXPERIMENT and not (name == _EDITED and is_lacking(EXAMPLES[name]["model"])):
                _example(name, is_chosen)


@part
def experiment() -> None:
    """The example that changes the model, beside the controls that change it."""
    depends_on(_chosen)
    _example(_EXPERIMENT, _chosen())


def _example(name: str, chosen: str) -> None:
    st.button(
        say(f"models.example.{name}"),
        key=f"example-{name}",
        type="primary" if name == chosen else "secondary",
        on_click=partial(open_example, name),
    )


def _chosen() -> str:
    return chosen(Models.current())


@part
def sentences() -> None:
    """Fields for texts of any length; a short text can also be typed in the picture."""
    screen = Models.current()
    is_there = not is_lacking(screen.model)
    fields = st.columns(2)
    with fields[0]:
        widget("model_text", placeholder=TEXTS[screen.model], disabled=not is_there)
    with fields[1]:
        widget("other_text", placeholder=OTHER, disabled=not is_there or SIZES[screen.model].causal)


@part
def knobs() -> None:
    """The controls that change the model, beside its output."""
    screen = Models.current()
    is_there = not is_lacking(screen.model)
    # Controls that have no effect now.
    idle = {"model_draw": not screen.model_dropout, "model_width": not MASKS[_mask(screen)].parameters}
    st.subheader(say("models.knobs"), anchor=False)
    for name in ("model_scale", "model_mask"):
        widget(name, disabled=not is_there)
    for names in _KNOBS:
        for column, name in zip(st.columns(2, vertical_alignment="bottom"), names, strict=True):
            with column:
                widget(name, disabled=not is_there or idle.get(name, False))
    d_k = SIZES[screen.model].d_k
    widget("rank", most=d_k, shows=min(screen.rank, d_k), disabled=not is_there, on_change=_keep_all)
    for name in ("everywhere", "model_off"):
        widget(name, disabled=not is_there)
    if wrong := not_heads(Models.current()):
        sizes = SIZES[screen.model]
        words = listed("comma", map(code, wrong))
        st.warning(say("models.not_heads", words=words, layers=sizes.layers, heads=sizes.heads), icon=":material/info:")
    if screen.model == "smollm2":
        st.caption(say("models.four_bits"))
    st.button(
        say("models.as_trained"),
        key="as-trained",
        on_click=_reset,
        icon=":material/undo:",
        disabled=not is_there,
    )


def _keep_all() -> None:
    """Store "all directions" as the largest value, since a head of another model may have more directions."""
    screen = Models.current()
    if screen.rank == SIZES[screen.model].d_k:
        set_controls({"rank": _MOST})


def _mask(screen: Models) -> str:
    return own_mask(screen.model) if screen.model_mask == OF_PRESET else screen.model_mask


def open_example(name: str) -> None:
    """Open an example, and forget the clicked cell, which belongs to another text."""
    set_controls(example(name) | {"cell": ""})


def _open_other() -> None:
    """Open another model without changes, since those of the model before name other layers, at its own first head. The
    run of the whole page that follows loads it. A missing model gets its own text, for which there is a record."""
    model = Models.current().model
    own = {"model_text": ""} if is_lacking(model) else {}
    set_controls(as_trained() | own | first_head(model) | {"cell": ""})


def _reset() -> None:
    set_controls(as_trained())


@dependent
def _ready() -> None:
    """Load the model and compute its outputs for the text before the rows below ask for them."""
    depends_on(Models)
    depends_on(Guesses)
    now = request()
    place = st.empty()

    def progress(done: float) -> None:
        place.progress(min(done, 1.0), say("models.loading", percent=f"{done:.0%}"))

    def waiting() -> None:
        place.progress(0.0, say("lab.waiting"))

    model = loaded(now.model) if is_lacking(now.model) else load(now.model, progress, waiting)
    place.empty()
    if model is None:
        return
    screen = _screen()
    for one in (now.plain(), now):
        outputs(one, waiting)
    _ask(switched.asked(screen, _found(now)), waiting)
    place.empty()
    if (count := len(model.ids(now.text))) > TOKENS:
        st.warning(say("note.tokens", most=TOKENS, count=count), icon=":material/info:")


@dependent
def _measured() -> None:
    """Switch every head off once, alone, which takes seconds for a short sentence."""
    depends_on(Models)
    experiment = unmeasured(request())
    if experiment is None:
        return
    make, place = experiment.make, st.empty()

    def progress(done: float) -> None:
        place.progress(min(done, 1.0), say("models.measuring", percent=f"{done:.0%}"))

    computed(experiment.key, lambda _: make(progress))
    place.empty()
    component.computed()


def others() -> None:
    """Compute the outputs for comparisons in figures further down."""
    if is_ready():
        _beside()


@dependent
def _beside() -> None:
    depends_on(Models)
    # Other texts to compare with, for an encoder.
    wanted, beside = request(), common.others(Models.current())
    place, plain = st.empty(), wanted.plain()

    def waiting() -> None:
        place.progress(0.0, say("lab.waiting"))

    trained = outputs(plain, waiting)
    assert trained is not None
    alone = switched.asked(_screen(), _found(wanted), later=True)
    asked = (*alone, *output.asked(wanted, beside), *sinks.asked(wanted), *induction.asked(trained, plain))
    _ask(asked, waiting)
    place.empty()


def _screen() -> Screen:
    return Screen("models", dict(texts()), spoken())


def _found(asked: Request) -> Outputs:
    found = outputs(asked)
    assert found is not None
    return found


def _ask(requests: Sequence[Request], waiting: Callable[[], None]) -> None:
    """Ask a loaded model, then have the browser ask again for views that waited for the answers."""
    for one in requests:
        outputs(one, waiting)
    component.computed()


@dependent
def lacking() -> None:
    """A drawer about a missing model: what the page can show of it, and how to get it."""
    depends_on(Models)
    model = request().model
    if not is_lacking(model):
        return
    why = refused(model)
    if why:
        st.error(say("models.refused", why=code(why)), icon=":material/error:")
    if requested(Models.current()) == request():
        st.caption(say("models.kept"))
    if not why:
        with drawer("model_missing"):
            st.markdown(say("models.missing", command=code(COMMAND), folder=code(FOLDER)))


@dependent
def elsewhere() -> None:
    """A warning above all else if the page shows another request than the visitor's."""
    depends_on(Models)
    if is_lacking(request().model) and requested(Models.current()) != request():
        st.warning(say("models.kept_other", text=code(request().text)), icon=":material/info:")
