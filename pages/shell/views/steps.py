"""Steps of a run as figures: their colour ranges, their hidden cells, and their summaries."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace

import torch
from torch import Tensor

from attention.figures import Heads, Heatmap, heads_of, heatmap, magnitude, magnitudes, matrix, of_every_head
from attention.masks import MASKS
from attention.trace import Step
from pages.shell.component.heatmap import Card
from pages.shell.i18n import say
from pages.shell.i18n.numbers import fixed
from pages.shell.i18n.options import mask_word, word
from pages.shell.i18n.vocabulary import ROWS
from pages.shell.runs import asking
from pages.shell.runs.run import Run
from pages.shell.runs.run import run as compute
from pages.shell.screen import Screen
from pages.shell.state.config import MODES
from pages.shell.views import blocks, cells
from pages.shell.views.blocks import Block
from pages.shell.views.captions import note, part

_HIDES = ("masked", "weights", "kept", "dropped")
# The steps whose row sums are written beside them, and the most rows that have room for it.
_SHARED_OUT, _MOST_SUMS = ("weights", "dropped"), 24
_SHARE_RANGE = ("scores", "scaled", "softcapped", "biased", "masked")


def cards(run: Run, ids: Iterable[str], query: int | None = None) -> list[Card]:
    """The figures of those steps that this run has. query: as in `card`."""
    return [card(run, run.trace[id], query) for id in ids if id in run.trace]


def card(run: Run, step: Step, query: int | None, bound: float = 0.0) -> Card:
    """The figure of a step. query: the one of its summary, None for the preset's; bound: the end of a colour range that
    this figure shares with others."""
    focus = query if query is not None else focus_of(run)
    also = _also(run, step)
    labels = run.labels if run.asking else None
    drawing = drawn(run, step, run.head, bound)
    outlined = right_words(run) if step.id in ("weights", "dropped") else ()
    return Card(
        drawing,
        ROWS[step.quantity],
        note(run, step, focus),
        also,
        labels=labels,
        outlined=outlined,
        part=part(run, step),
        sums=_sums(run, step),
        crossed=step.id == "dropped",
    )


def _also(run: Run, step: Step) -> str:
    """The other axis with the tokens of a step's rows, in the same order."""
    if step.id == "x" and not {"context", "past_keys"} & run.trace.keys():
        return "key"
    return {"past": "key", "new": "query"}.get(next(iter(step.matrix_axes), ""), "")


def drawn(run: Run, step: Step, head: int, bound: float = 0.0) -> Heatmap:
    """A step of one head, from 0, for the shown sentence. bound: as in `card`."""
    bound = max(bound, _bound(run, step, head))
    return heatmap(step, batch=run.sentence, head=head, forbidden=forbidden(run, step), bound=bound)


def drawn_heads(run: Run, step: Step) -> Heads:
    """A step of all heads, each drawn as by `drawn`, for the shown sentence."""
    heads = run.module.heads
    shared = [magnitudes(of_every_head(run.trace[id], heads, batch=run.sentence)) for id in _sharing(run, step)]
    bounds = torch.stack(shared).amax(dim=0) if shared else None
    return heads_of(step, heads, batch=run.sentence, forbidden=forbidden(run, step), bounds=bounds)


def right_words(run: Run) -> list[tuple[int, int]]:
    """The cells (query, key) in which a word of the grammar finds its answer; none if the preset has no answers."""
    earlier = len(run.tokens) - run.trace.sizes["query"]
    return sorted({(one.place - earlier, one.target) for one in asking.asked(run) if one.place >= earlier})


def _sums(run: Run, step: Step) -> list[str]:
    """The sums of the rows of weights: one, except after dropout or in an empty row."""
    if step.id not in _SHARED_OUT or len(z := run.matrix(step.id)) > _MOST_SUMS:
        return []
    return [fixed(each) for each in z.sum(-1).tolist()]


def focus_of(run: Run) -> int:
    """The query of the summaries: the preset's, else the last token before the padding."""
    missing = len(run.tokens) - run.trace.sizes["query"]
    wanted = run.focus if run.focus >= 0 else run.inputs.lengths[run.sentence] - 1
    return wanted - missing if wanted >= missing else run.trace.sizes["query"] - 1


def forbidden(run: Run, step: Step) -> Tensor | None:
    """The cells of a step that the mask hides, if it hides some."""
    if step.id not in _HIDES or "mask" not in run.trace:
        return None
    return ~run.matrix("mask")


def _bound(run: Run, step: Step, head: int) -> float:
    shared = _sharing(run, step)
    return max((magnitude(matrix(run.trace[id], batch=run.sentence, head=head)) for id in shared), default=0.0)


def _sharing(run: Run, step: Step) -> tuple[str, ...]:
    """The steps that share a step's colour range, because only then are their differences visible."""
    if step.id in ("weights", "dropped") and "dropped" in run.trace:
        return ("dropped",)
    return _SHARE_RANGE[:2] if step.id in _SHARE_RANGE else ()


def row(screen: Screen, *ids: str, chapter: str, run: Run | None = None) -> Iterator[Block]:
    """A headed row of figures, one for each step that the run has, and the arithmetic of the cell that the address
    names in it. run: None for that of the screen."""
    run = run or screen.run
    shown = cards(run, ids, screen.query(run))
    if not shown:
        return
    yield blocks.cards(chapter, shown, run.labels, click={"cell": f"{{figure}}.{{row}}.{{column}}.{chapter}"})
    yield from arithmetic(screen, run, ids, chapter)


def arithmetic(screen: Screen, run: Run, ids: Sequence[str], chapter: str) -> Iterator[Block]:
    """The arithmetic of the cell that the address names, if that is in the row of figures."""
    place = screen.step_at(run)
    if place is not None and place.figure in ids and place.part in ("", chapter):
        yield blocks.panel(cells.panel(run, place), closes=True)


def side_by_side(
    screen: Screen,
    runs: Sequence[Run],
    tags: Sequence[str],
    sets: Sequence[Mapping[str, str | int]],
    id: str,
    chapter: str,
    chosen: Run | None = None,
) -> Iterator[Block]:
    """A step once for each of several runs, on one colour range; a click also chooses the run.

    tags: the names that tell the figures apart; sets: the controls, and their values, that lead to each; chosen: the
    run whose cell is explained, None for that of the screen.
    """
    chosen = chosen or screen.run
    query = screen.query(chosen)
    bound = max((magnitude(each.matrix(id).float()) for each in runs if id in each.trace), default=0.0)
    shown = [
        replace(card(each, each.trace[id], query, bound), tag=tag, sets=leads)
        for each, tag, leads in zip(runs, tags, sets, strict=True)
        if id in each.trace
    ]
    # Only the first of several figures has a note that they share.
    notes = [one.note for one in shown]
    shown = [replace(one, note="" if one.note in notes[:at] else one.note) for at, one in enumerate(shown)]
    yield blocks.cards(chapter, shown, chosen.labels, click={"cell": f"{{figure}}.{{row}}.{{column}}.{chapter}"})
    yield from arithmetic(screen, chosen, (id,), chapter)


def every_head(screen: Screen, id: str, *, chapter: str) -> Iterator[Block]:
    """A step once for each head; a click also chooses the head."""
    run = screen.run
    runs = [replace(run, config=replace(run.config, head=head + 1)) for head in range(run.module.heads)]
    tags = [f"{say('axis.head')} {each.config.head}" for each in runs]
    yield from side_by_side(screen, runs, tags, [{"head": each.config.head} for each in runs], id, chapter)


def every_mask(screen: Screen, id: str, *, chapter: str) -> Iterator[Block]:
    """A step once for each mask of the registry and, if cells are painted, for the painted mask; a click also chooses
    the mask."""
    config = screen.run.config
    configs = [replace(config, mask=mask, painted="") for mask in MASKS]
    own = [config] if config.painted else []
    runs = [compute(each, record_mask=True) for each in (*configs, *own)]
    # The mask of the screen as it is drawn here: the screen's own run has no such step if the mask hides nothing.
    chosen = runs[-1] if own else runs[list(MASKS).index(config.mask)]
    tags = [mask_word(each.config.mask, is_painted=bool(each.config.painted)) for each in runs]
    # A click sets the shown state: the cells painted on the mask, or none.
    sets = [{"mask": each.config.mask, "painted": each.config.painted} for each in runs]
    yield from side_by_side(screen, runs, tags, sets, id, chapter, chosen)


def both_modes(screen: Screen, id: str, *, chapter: str) -> Iterator[Block]:
    """A step in training and in inference; a click also chooses the mode."""
    runs = [compute(replace(screen.run.config, mode=mode)) for mode in MODES]
    tags = [word("mode", mode) for mode in MODES]
    yield from side_by_side(screen, runs, tags, [{"mode": mode} for mode in MODES], id, chapter)
