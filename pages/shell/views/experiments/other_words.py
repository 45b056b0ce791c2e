"""The words in the opposite order through the same layer."""

from dataclasses import replace

from pages.shell.i18n import say
from pages.shell.runs.run import Run
from pages.shell.runs.run import run as compute
from pages.shell.screen import Screen
from pages.shell.state.config import LEARNED, RANDOM, TURNED
from pages.shell.views.experiments import after
from pages.shell.views.experiments.after import After
from pages.shell.views.experiments.what_if import with_random
from pages.shell.views.head_arcs import asked_of


def reordered(screen: Screen) -> After:
    """The words in the opposite order; those of a preset with words of its own go through a random layer."""
    query = asked_of(screen)
    run = screen.run if screen.config.preset in (LEARNED, RANDOM) else with_random(screen)
    other = in_other_order(run)
    length = run.inputs.lengths[run.sentence]
    order = [*reversed(range(length)), *range(length, len(run.tokens))]
    now = after.weights(other, other.trace, order.index(query))
    was, then = after.weights(run, run.trace, query), after.in_order(now, order)
    because = _because(run, after.is_kept(was, then))
    return After(run, query, now, because, after.most(run, query, was, then), other=other, order=order)


def _because(run: Run, is_kept: bool) -> str:
    """The source of the words' places if arcs have moved; if they have not, that the layer has none."""
    if run.config.has_positions:
        added = run.config.preset == LEARNED and run.config.positions not in TURNED
        of = "" if is_kept else "learned" if added else "positions"
    elif "mask" in run.trace:
        of = "" if is_kept else "mask"
    else:
        of = "nowhere" if is_kept else ""
    return say(f"what_if.because.{of}") if of else ""


def in_other_order(run: Run) -> Run:
    """The sentences of a run in the opposite order, through the same layer."""
    sentences = zip(run.inputs.tokens, run.inputs.lengths, strict=True)
    lines = (" ".join(reversed(words[:length])) for words, length in sentences)
    return compute(replace(run.config, text="\n".join(lines)))
