"""A sentence, and how much the chosen word takes from the others."""

from collections.abc import Iterator

from torch import Tensor

from pages.shell.component.arcs import Arcs
from pages.shell.i18n import listed, say
from pages.shell.i18n.numbers import fixed
from pages.shell.runs.run import Run
from pages.shell.screen import Screen
from pages.shell.views import blocks, captions, learned, taken
from pages.shell.views.blocks import Block
from pages.shell.views.steps import focus_of

# As in the summaries of figures: which weights are worth a word, and how many of them.
_WORTH, _MOST = 0.1, 3


def arcs(screen: Screen) -> Iterator[Block]:
    """A click on a word looks at it: at its largest weight."""
    run, asked = screen.run, screen.query()
    query = focus_of(run) if asked is None else asked
    took, tokens = taken.taken(run, query), run.labels["key"]
    weights = took.weights
    focus, length = query + _before(run), run.inputs.lengths[run.sentence]
    # Padding belongs to the sentence only where somebody attends to it, or it asks itself.
    shown = len(tokens) if (weights + took.struck)[length:].any() else max(length, focus + 1)
    word = run.labels["query"][query]
    said = filter(None, (learned.asks(run, query), _note(run, word, weights), taken.dropping(run, query)))
    title, note = say("arcs.title", word=word), listed("sentence", said)
    struck = took.struck[:shown].tolist() if took.count else ()
    looks = _looks(run, shown, query)
    drawn = Arcs("arcs", title, tokens[:shown], focus, weights[:shown].tolist(), note, looks, struck)
    yield blocks.figures(drawn, click={})


def _looks(run: Run, shown: int, focus: int) -> list[dict[str, str]]:
    """What a click on each word sets; nothing for a word that does not ask."""
    queries = [at - _before(run) for at in range(shown)]
    return [learned.look(run, query, again=query == focus) if query >= 0 else {} for query in queries]


def _before(run: Run) -> int:
    """How many tokens stand before the first one that asks."""
    return len(run.labels["key"]) - len(run.labels["query"])


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
