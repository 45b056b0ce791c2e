"""The words in the opposite order through the same layer."""

from dataclasses import replace

from pages.shell.i18n import listed, say
from pages.shell.runs.run import Run
from pages.shell.runs.run import run as compute
from pages.shell.screen import Screen
from pages.shell.state.config import LEARNED, RANDOM
from pages.shell.views.experiments import after
from pages.shell.views.experiments.after import After
from pages.shell.views.experiments.what_if import with_random
from pages.shell.views.head_arcs import asked_of


def reordered(screen: Screen) -> After:
    """Of a preset with words of its own, in a random layer."""
    query = asked_of(screen)
    run = screen.run if screen.config.preset in (LEARNED, RANDOM) else with_random(screen)
    other = in_other_order(run)
    length = run.inputs.lengths[run.sentence]
    order = [*reversed(range(length)), *range(length, len(run.tokens))]
    now = after.weights(other, other.trace, order.index(query))
    told = after.told(run, query, after.weights(run, run.trace, query), after.in_order(now, order))
    told = listed("sentence", [*([told] if told else []), say("what_if.told.same_layer")])
    return After(run, query, now, told, other=other, order=order)


def in_other_order(run: Run) -> Run:
    """Its sentences in the opposite order, through the same layer."""
    sentences = zip(run.inputs.tokens, run.inputs.lengths, strict=True)
    lines = (" ".join(reversed(words[:length])) for words, length in sentences)
    return compute(replace(run.config, text="\n".join(lines)))
