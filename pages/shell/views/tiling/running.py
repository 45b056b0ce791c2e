"""All scores, as the usual way keeps them, beside the one tile that is in memory, and the outputs of both ways."""

import math
from collections.abc import Iterator

import numpy as np
import torch

from attention.analysis.online_softmax import Tile, tiled
from attention.figures import matrix
from pages.shell.component.running import Box, Kept, Running
from pages.shell.i18n import listed, say
from pages.shell.i18n.numbers import apart, digits, fixed
from pages.shell.runs import learned
from pages.shell.screen import Screen
from pages.shell.state.todays_controls import Tiles
from pages.shell.views import blocks, naming
from pages.shell.views.blocks import Block
from pages.shell.views.tiling import telling
from pages.shell.views.tiling.followed import FEATURES, followed
from pages.shell.views.tiling.memory import SAME, compared, memories, of_long_text
from pages.shell.views.tiling.moves import Moves, moves

_LABELS = (
    "queries",
    "maximum",
    "factor",
    "sum",
    "output",
    "output_so_far",
    "largest",
    "gone",
    "to_come",
    "skipped_here",
    "by_tiles",
    "usual",
    "scores",
    "agrees",
    "differs",
    "signs",
    "none",
    "kind",
    "keys",
    "chain_before",
    "chain_kept",
    "chain_new",
    "chain_so_far",
    "chain_weights",
    "chain_sum",
)


def running(screen: Screen) -> Iterator[Block]:
    """The memory of the usual way and that of the shown tile; beside them both outputs."""
    run, made, chosen = screen.run, moves(screen), screen.own(Tiles)
    scores = made.scores.masked_fill(made.scores == -math.inf, math.nan).numpy()
    usual = matrix(run.trace["output"], **run.where).double().cpu().numpy()
    far = compared(run.config, learned.used(run.config), chosen.tile_queries, chosen.tile_keys)[-1]
    on_the_way = tiled(run.trace, queries=len(scores), keys=1, **run.where)
    held, long, is_told = _computed(made), of_long_text(), not telling.waits(screen)
    keys = min(chosen.tile_keys, scores.shape[-1])
    corrected = say("tiles.corrected", keys=keys, count=_corrections(made)) if is_told else ""
    laid = say("tiles.laid", far=apart(float(far.max()))) if is_told else ""
    said = [say("tiles.now.held", held=held, whole=scores.size), corrected, laid, long]
    described = listed("sentence", [one for one in said if one])
    yield blocks.figures(
        Running(
            "tiles-running",
            say("tiles.now.title"),
            _said(made),
            naming.apart(run.labels["query"]),
            naming.apart(run.labels["key"]),
            scores,
            _box(made.tile),
            (chosen.tile_queries, chosen.tile_keys),
            _skipped(made),
            usual,
            [_written(row) for row in usual],
            kept(made, [float(one) < SAME for one in far] if is_told else None),
            made.tiled.output.numpy() if is_told else None,
            followed(run, made, on_the_way, _size(made.values.numpy())),
            _size(scores),
            _size(made.values.numpy()),
            {name: say(f"tiles.label.{name}", scores=scores.size) for name in _LABELS}
            | ({"output_so_far": say("tiles.label.output")} if made.number == len(made.tiled.tiles) else {})
            | {"described": described, "long": long, "corrected": corrected, "laid": laid}
            | memories()
            | {"chain_output": _of_output(made)},
            # The last tile of a row may be smaller. The memory needs room for the largest one.
            (str(scores.size), str(max(one.scores.numel() for one in made.tiled.tiles))),
        ),
        drag={"tile_at": "scores.{row}.{column}", "tile_row": "{number}", "tile_step": "", **telling.keeps(screen)},
    )


def _computed(made: Moves) -> int:
    """How many scores are in memory."""
    return 0 if made.tile.skipped else made.tile.scores.numel()


def _corrections(made: Moves) -> int:
    """How often the kept numbers of a row shrink, over all rows and tiles."""
    factor, before = (
        torch.cat([getattr(one, name) for one in made.tiled.tiles]) for name in ("factor", "maximum_before")
    )
    return int(((factor < 1) & (before > -math.inf)).sum())


def _of_output(made: Moves) -> str:
    """The name of the output so far, with the number of its shown features."""
    count = made.values.shape[-1]
    return say("tiles.chain.output" if count <= FEATURES else "tiles.chain.output_part", shown=FEATURES, count=count)


def _said(made: Moves) -> str:
    """The note on the tiles that a mask hides. It is the same for each tile, so that nothing below jumps."""
    return say("tiles.hatched") if bool((made.scores == -math.inf).any()) else ""


def _skipped(made: Moves) -> list[Box]:
    """The tiles that the mask hides wholly. Neighbours in a row are joined into one."""
    found: list[Box] = []
    for one in made.tiled.tiles:
        if not one.skipped:
            continue
        first, last, start, end = _box(one)
        if found and found[-1][0] == first and found[-1][3] == start:
            start = found.pop()[2]
        found.append((first, last, start, end))
    return found


def _box(tile: Tile) -> Box:
    return tile.queries.start, tile.queries.stop, tile.keys.start, tile.keys.stop


def kept(made: Moves, same: list[bool] | None) -> list[Kept | None]:
    """For each query, the numbers of the last tile so far that has it. same: whether the tiles lead a query to the
    output of the record, None while that is asked."""
    last: dict[int, Tile] = {}
    for tile in made.tiled.tiles[: made.number]:
        last |= dict.fromkeys(tile.queries, tile)
    whole = made.scores.shape[-1]
    return [
        _of(last[row], row, last[row] is made.tile, same[row] if same and last[row].keys.stop == whole else None)
        if row in last
        else None
        for row in range(len(made.scores))
    ]


def _of(tile: Tile, row: int, is_shown: bool, agrees: bool | None) -> Kept | None:
    at = row - tile.queries.start
    maximum, total = float(tile.maximum[at]), float(tile.sum[at])
    if maximum == -math.inf:
        return None
    output = (tile.output[at] / (total or 1.0)).numpy()
    had = is_shown and float(tile.maximum_before[at]) > -math.inf and not tile.skipped
    factor = say("tiles.now.times", r=digits(float(tile.factor[at]), 2)) if had else ""
    return Kept(output, (fixed(maximum), fixed(total), _written(output)), factor, agrees)


def _written(output: np.ndarray) -> str:
    return ", ".join(fixed(one) for one in output)


def _size(z: np.ndarray) -> float:
    """The largest magnitude; 1 if that is 0."""
    return float(np.nan_to_num(np.abs(z)).max()) or 1.0
