"""The opening of the walkthrough: the sentence, and how much the chosen word takes from the others."""

from torch import Tensor

from pages.shell import component
from pages.shell.component.arcs import Arcs
from pages.shell.i18n import listed, say
from pages.shell.i18n.numbers import fixed
from pages.shell.layout.cell import Cell, point_at
from pages.shell.layout.rows import changes, row
from pages.shell.runs.run import Run
from pages.shell.runs.sources import screen
from pages.shell.views import captions
from pages.shell.views.steps import focus_of

_KEY, _CHAPTER = "introduction", "result"
# As in the summaries of figures: which weights are worth a word, and how many of them.
_WORTH, _MOST = 0.1, 3


@row
def arcs(run: Run) -> None:
    cell = Cell.current(run)
    asked = cell.query(run) if cell else None
    query = focus_of(run) if asked is None else asked
    weights, tokens = run.matrix("weights")[query].cpu(), run.labels["key"]
    focus, length = query + _before(run), run.inputs.lengths[run.sentence]
    # Padding belongs to the sentence only where somebody attends to it, or it asks itself.
    shown = len(tokens) if weights[length:].any() else max(length, focus + 1)
    word = run.labels["query"][query]
    drawn = Arcs(
        "arcs",
        say("arcs.title", word=word),
        tokens[:shown],
        focus,
        weights[:shown].tolist(),
        _note(run, word, weights),
    )
    component.row(_KEY, drawn, on_cell=changes(_choose))


def _before(run: Run) -> int:
    """How many tokens stand before the first one that asks."""
    return len(run.labels["key"]) - len(run.labels["query"])


def _choose() -> None:
    """Look at the word that the browser reports, input from outside like any other: at its largest weight."""
    click, run = component.clicked(_KEY), screen()
    if click is None:
        return
    query = click.row - _before(run)
    if 0 <= query < len(run.labels["query"]):
        largest = int(run.matrix("weights")[query].argmax())
        point_at(component.Click("weights", query, largest, None), _CHAPTER)


def _note(run: Run, word: str, weights: Tensor) -> str:
    """What the word takes, its largest parts first, and in which head."""
    keys = [key for key in weights.argsort(descending=True, stable=True).tolist() if weights[key] >= _WORTH][:_MOST]
    if not weights.any():
        said = say("arcs.nothing", word=word)
    elif keys:
        parts = (say("arcs.part", weight=fixed(weights[key]), key=run.labels["key"][key]) for key in keys)
        said = say("arcs.takes", word=word, parts=listed("comma", parts))
    else:
        said = say("arcs.little", word=word, most=fixed(weights.max()))
    return say("arcs.in_head", said=said, head=captions.head(run)) if run.module.heads > 1 else said
