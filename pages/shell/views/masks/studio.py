"""A composed mask: its cells, the blocks that FlexAttention makes of it, the weights under it, and its properties."""

from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import Any

from torch import Tensor

from attention.analysis.mask_facts import MaskFacts, mask_facts
from attention.analysis.rerun import rerun
from attention.block_masks import blocks_of
from attention.explain import patterns
from attention.explain.explanation import Explanation
from attention.figures import heatmap_of
from attention.masks import verdicts
from attention.patterns import PATTERNS
from pages.shell.component.heatmap import Figure
from pages.shell.i18n import listed, say
from pages.shell.i18n.options import word
from pages.shell.runs.composing import Composed, composed, is_combined
from pages.shell.runs.run import Run
from pages.shell.runs.run import run as compute
from pages.shell.screen import Screen
from pages.shell.state.page_controls import Masks
from pages.shell.views import blocks, explained
from pages.shell.views.blocks import Block
from pages.shell.views.explained import Caption, ExplainedHeatmap, explained_heatmap

# A mask is sparse only for the eye if the shares of computed blocks and of visible pairs have at least this ratio.
_FOR_THE_EYE = 1.5


def studio(screen: Screen) -> Iterator[Block]:
    """How much the mask lets through, by pairs and by blocks; its cells, its blocks, and the weights of a head."""
    asked, run = screen.own(Masks), _whole(screen.run)
    made = composed(asked, run.tokens)
    cells, side = made.cells, asked.studio_block
    facts, tiles = mask_facts(cells), blocks_of(cells, side)
    computed = 1 - tiles.sparsity
    told = [say("studio.share", pairs=f"{facts.density:.0%}", blocks=f"{computed:.0%}", side=side)]
    if facts.density and computed >= _FOR_THE_EYE * facts.density:
        told.append(say("studio.eye"))
    if made.is_doubled:
        told.append(say("studio.doubled"))
    yield blocks.text(listed("sentence", told))
    shown = [_cells(run, asked, made), _blocks(run, cells, side)]
    # A mask of twice the words has no weights here, nor has a file whose queries are not its keys.
    fits = tuple(cells.shape) == (run.trace.sizes["query"], run.trace.sizes["key"])
    yield from explained.row(screen, "studio", *shown, *([_weights(run, cells)] if fits else []))


def checks(screen: Screen) -> Iterator[Block]:
    """The properties of the mask, with the number of violations if it fails one; the mask as lines of Python."""
    asked = screen.own(Masks)
    made = composed(asked, _whole(screen.run).tokens)
    yield blocks.table(say("studio.check"), say("studio.verdict"), rows=_checked(mask_facts(made.cells)))
    yield blocks.code(_code(asked, made))


def _whole(run: Run) -> Run:
    """The run of the same sentence in which every word is a query, without dropout."""
    return compute(replace(run.config, last=0, dropout=0.0))


def _title(asked: Masks) -> str:
    one, other = (word("studio_mask", mask) for mask in (asked.studio_mask, asked.studio_second_mask))
    return say(f"studio.how.{asked.studio_how}", one=one, other=other)


def _cells(run: Run, asked: Masks, made: Composed) -> ExplainedHeatmap:
    cells, facts = made.cells, mask_facts(made.cells)
    drawn = heatmap_of("studio-cells", cells, "query", "key", "binary")
    count = say("studio.pairs", visible=facts.visible, cells=facts.cells)

    def explain(row: int, column: int) -> Explanation:
        parts = verdicts(made.mask, row, column, **dict[str, Any](made.parameters))
        return patterns.composed(bool(cells[row, column]), parts, row, column)

    return ExplainedHeatmap(run, Figure(drawn, _title(asked), made.names, made.names, count), explain, {})


def _blocks(run: Run, cells: Tensor, side: int) -> ExplainedHeatmap:
    """0 for a skipped block, a half for one that is masked cell by cell, 1 for a full one."""
    tiles = blocks_of(cells, side)
    drawn = heatmap_of("studio-blocks", tiles.kinds / 2, "query", "key", "probability")
    rows, columns = (_ends(size, side) for size, side in zip(tiles.size, tiles.block, strict=True))
    kinds = {kind: str(count) for kind, count in tiles.counts.items()}
    figure = Figure(drawn, say("studio.blocks", side=side), rows, columns, say("studio.kinds", **kinds))
    return ExplainedHeatmap(run, figure, lambda row, column: patterns.block_kind(cells, row, column, side), {})


def _ends(size: int, side: int) -> list[str]:
    """The first and the last position of each block, from 1."""
    starts = range(0, size, side)
    return [f"{at + 1}–{min(at + side, size)}" if min(at + side, size) > at + 1 else f"{at + 1}" for at in starts]


def _weights(run: Run, cells: Tensor) -> ExplainedHeatmap:
    trace = rerun(run.trace, mask=cells.to(run.trace["queries"].value.device))
    caption = Caption("studio-weights", say("studio.weights"), say("studio.of_layer"))
    return explained_heatmap(run, trace, "weights", caption, forbidden=~cells)


def _checked(facts: MaskFacts) -> Iterator[Sequence[str]]:
    for name, failing in (
        ("rows", facts.empty_rows),
        ("diagonal", facts.hidden_diagonal),
        ("causal", facts.ahead),
    ):
        yield say(f"studio.of.{name}"), say(f"studio.fails.{name}", count=failing) if failing else say("studio.yes")
    yield say("studio.of.symmetric"), say("studio.yes" if facts.symmetric else "studio.no")


def _code(asked: Masks, made: Composed) -> str:
    """Lines that run: the mask, its cells, and the block mask for FlexAttention."""
    one, other = (_looked_up(mask) for mask in (asked.studio_mask, asked.studio_second_mask))
    first, joined = asked.studio_how.partition("_")[::2]
    sign = {"and": "&", "or": "|"}.get(first)
    right = f"{one} {sign} {'~' if joined else ''}{other}" if sign else f"{'~' if first == 'not' else ''}{one}"
    used = {asked.studio_mask, *([asked.studio_second_mask] if is_combined(asked) else [])}
    given = "".join(f", {name}={value}" for name, value in made.parameters.items())
    n = len(made.names)
    lines = [
        "from attention.block_masks import block_mask",
        f"from attention.masks import {'' if used <= PATTERNS.keys() else 'MASKS, '}grid",
        *(["from attention.patterns import PATTERNS"] if used & PATTERNS.keys() else []),
        "",
        f"mask = {right}",
        f"cells = grid(mask, {n}, {n}{given})",
        f"for_flex_attention = block_mask(mask, {n}, {n}, block={asked.studio_block}{given})",
    ]
    return "\n".join(lines)


def _looked_up(mask: str) -> str:
    return f'{"PATTERNS" if mask in PATTERNS else "MASKS"}["{mask}"]'
