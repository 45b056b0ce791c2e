"""Steps of a run as figures: their colour ranges, what hides in them, and their summaries."""

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
# Of these, what a row sums to is worth a word; of more rows there is no room for it.
_SHARED_OUT, _MOST_SUMS = ("weights", "dropped"), 24
_SHARE_RANGE = ("scores", "scaled", "softcapped", "biased", "masked")


def cards(run: Run, ids: Iterable[str], query: int | None = None) -> list[Card]:
    """The figures of those steps that this run has. query: as in `card`."""
    return [card(run, run.trace[id], query) for id in ids if id in run.trace]


def card(run: Run, step: Step, query: int | None, bound: float = 0.0) -> Card:
    """The figure of a step. query: the one that its summary speaks about, None for the preset's; bound: the end of a
    colour range that this figure shares with others."""
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
    """Which other axis has the tokens of the rows of a step, in the same order."""
    if step.id == "x" and not {"context", "past_keys"} & run.trace.keys():
        return "key"
    return {"past": "key", "new": "query"}.get(next(iter(step.matrix_axes), ""), "")


def drawn(run: Run, step: Step, head: int, bound: float = 0.0) -> Heatmap:
    """A step of one head, from 0, of the sentence that is shown. bound: as in `card`."""
    bound = max(bound, _bound(run, step, head))
    return heatmap(step, batch=run.sentence, head=head, forbidden=forbidden(run, step), bound=bound)


def drawn_heads(run: Run, step: Step) -> Heads:
    """All heads of a step as `drawn` draws each, of the sentence that is shown."""
    heads = run.module.heads
    shared = [magnitudes(of_every_head(run.trace[id], heads, batch=run.sentence)) for id in _sharing(run, step)]
    bounds = torch.stack(shared).amax(dim=0) if shared else None
    return heads_of(step, heads, batch=run.sentence, forbidden=forbidden(run, step), bounds=bounds)


def right_words(run: Run) -> list[tuple[int, int]]:
    """The cells (query, key) where a word of the grammar finds its answer; none of a preset that has no answers."""
    earlier = len(run.tokens) - run.trace.sizes["query"]
    return sorted({(one.place - earlier, one.target) for one in asking.asked(run) if one.place >= earlier})


def _sums(run: Run, step: Step) -> list[str]:
    """What the rows of weights sum to: one, until dropout or an empty row."""
    if step.id not in _SHARED_OUT or len(z := run.matrix(step.id)) > _MOST_SUMS:
        return []
    return [fixed(each) for each in z.sum(-1).tolist()]


def focus_of(run: Run) -> int:
    """The query that the summaries speak about: the preset's, else the last token before the padding."""
    missing = len(run.tokens) - run.trace.sizes["query"]
    wanted = run.focus if run.focus >= 0 else run.inputs.lengths[run.sentence] - 1
    return wanted - missing if wanted >= missing else run.trace.sizes["query"] - 1


def forbidden(run: Run, step: Step) -> Tensor | None:
    """Where the mask hides cells of a step, if it does."""
    if step.id not in _HIDES or "mask" not in run.trace:
        return None
    return ~run.matrix("mask")


def _bound(run: Run, step: Step, head: int) -> float:
    shared = _sharing(run, step)
    return max((magnitude(matrix(run.trace[id], batch=run.sentence, head=head)) for id in shared), default=0.0)


def _sharing(run: Run, step: Step) -> tuple[str, ...]:
    """The steps with which a step shares its colour range: what a step makes of another is seen only then."""
    if step.id in ("weights", "dropped") and "dropped" in run.trace:
        return ("dropped",)
    return _SHARE_RANGE[:2] if step.id in _SHARE_RANGE else ()


def row(screen: Screen, *ids: str, chapter: str, run: Run | None = None) -> Iterator[Block]:
    """A headed row of figures, one a step, and the arithmetic of the cell that the address names in it; a step that the
    run does not have is not shown. run: None for that of the screen."""
    run = run or screen.run
    shown = cards(run, ids, screen.query(run))
    if not shown:
        return
    yield blocks.cards(chapter, shown, run.labels, click={"cell": f"{{figure}}.{{row}}.{{column}}.{chapter}"})
    yield from arithmetic(screen, run, ids, chapter)


def arithmetic(screen: Screen, run: Run, ids: Sequence[str], chapter: str) -> Iterator[Block]:
    """The arithmetic of the cell that the address names, where it stands in a row of figures."""
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
    """A step once for each of several runs, on one colour range; a click chooses the run as well.

    tags: what tells the figures apart; sets: the controls, and their values, that lead to each; chosen: the run whose
    cell is explained, None for that of the screen.
    """
    chosen = chosen or screen.run
    query = screen.query(chosen)
    bound = max((magnitude(each.matrix(id).float()) for each in runs if id in each.trace), default=0.0)
    shown = [
        replace(card(each, each.trace[id], query, bound), tag=tag, sets=leads)
        for each, tag, leads in zip(runs, tags, sets, strict=True)
        if id in each.trace
    ]
    # What several of them would say, the first one says.
    notes = [one.note for one in shown]
    shown = [replace(one, note="" if one.note in notes[:at] else one.note) for at, one in enumerate(shown)]
    yield blocks.cards(chapter, shown, chosen.labels, click={"cell": f"{{figure}}.{{row}}.{{column}}.{chapter}"})
    yield from arithmetic(screen, chosen, (id,), chapter)


def every_head(screen: Screen, id: str, *, chapter: str) -> Iterator[Block]:
    """A step once for each head; a click chooses the head as well."""
    run = screen.run
    runs = [replace(run, config=replace(run.config, head=head + 1)) for head in range(run.module.heads)]
    tags = [f"{say('axis.head')} {each.config.head}" for each in runs]
    yield from side_by_side(screen, runs, tags, [{"head": each.config.head} for each in runs], id, chapter)


def every_mask(screen: Screen, id: str, *, chapter: str) -> Iterator[Block]:
    """A step once for each mask of the registry, and where cells are painted for the mask that they make; a click
    chooses the mask as well."""
    config = screen.run.config
    configs = [replace(config, mask=mask, painted="") for mask in MASKS]
    own = [config] if config.painted else []
    runs = [compute(each, record_mask=True) for each in (*configs, *own)]
    # The mask of the screen as it is drawn here: where it hides nothing, the screen's own run has no such step.
    chosen = runs[-1] if own else runs[list(MASKS).index(config.mask)]
    tags = [mask_word(each.config.mask, is_painted=bool(each.config.painted)) for each in runs]
    # A click shows what the picture shows: the cells that are painted on the mask, or none.
    sets = [{"mask": each.config.mask, "painted": each.config.painted} for each in runs]
    yield from side_by_side(screen, runs, tags, sets, id, chapter, chosen)


def both_modes(screen: Screen, id: str, *, chapter: str) -> Iterator[Block]:
    """A step in training and in inference; a click chooses the mode as well."""
    runs = [compute(replace(screen.run.config, mode=mode)) for mode in MODES]
    tags = [word("mode", mode) for mode in MODES]
    yield from side_by_side(screen, runs, tags, [{"mode": mode} for mode in MODES], id, chapter)
