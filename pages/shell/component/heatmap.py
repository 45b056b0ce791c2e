"""Heatmaps as data, with a row in the table of words, or with words of their own."""

import base64
import zlib
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from typing import Any

import numpy as np

from attention.figures import Heatmap


@dataclass(frozen=True)
class Brush:
    """How a visitor paints the cells of a mask. sets: the control that holds the painted cells as a text; painted: its
    text when the mask was computed; under: the settings of the mask below the paint, as texts; earlier: the number of
    tokens before that of the first row; undo: the name of the action that takes back a stroke or the choice of another
    mask; looks: by row, further settings of a stroke that begins there, which select its word; looked: the row of the
    selected word, from 0."""

    sets: str
    painted: str
    under: Mapping[str, str]
    earlier: int
    undo: str
    looks: Sequence[Mapping[str, str]]
    looked: int = 0


@dataclass(frozen=True)
class Card:
    """A heatmap of a quantity. row: the place of the quantity in the table of `words`, which has title, formula, axes
    and kind; also: a second axis whose highlight the rows follow (in self-attention a row of X is a query and a key);
    tag: tells it from other figures of its step; sets: the controls, and their values, that a click chooses; labels:
    the names along its axes, if they are not those of the page; band: as in a `Figure`; outlined: cells with a frame,
    as row and column from 0; part: the shown part of the step, if it is not the expected one; sums: the sum of each row
    as text; crossed: whether zeros are crossed out, as missing; brush: how its cells are painted, if they are not read;
    titles: the titles of rows and columns, if they are not the names of the axes."""

    heatmap: Heatmap
    row: int
    note: str
    also: str = ""
    tag: str = ""
    sets: Mapping[str, str | int] | None = None
    labels: Mapping[str, Sequence[str]] | None = None
    band: int = 0
    outlined: Sequence[tuple[int, int]] = ()
    part: str = ""
    sums: Sequence[str] = ()
    crossed: bool = False
    brush: Brush | None = None
    titles: tuple[str, str] | None = None


@dataclass(frozen=True)
class Figure:
    """A heatmap without a row in the table: it brings its own title and the labels of its sides.

    called: the word for its rows, if it is not that of their axis; band: the number of columns before a line, 0 for
    none; outlined: as in a `Card`. block: the rows and columns, from 0, of a part with one frame; named: the name of
    that part; absent: the text for a cell that has no number for another reason than the mask; part, sets: as in a
    `Card`.
    """

    heatmap: Heatmap
    title: str
    rows: Sequence[str]
    columns: Sequence[str]
    note: str = ""
    text: str = ""
    called: str = ""
    band: int = 0
    outlined: Sequence[tuple[int, int]] = ()
    block: tuple[range, range] | None = None
    named: str = ""
    absent: str = ""
    part: str = ""
    sets: Mapping[str, str | int] | None = None

    def sent(self) -> dict[str, Any]:
        """The data for the browser."""
        drawn = self.heatmap
        sides = ((drawn.rows, self.rows), (drawn.columns, self.columns))
        framed: dict[str, Any] = {"absent": self.absent} if self.absent else {}
        if self.called:
            framed["called"] = self.called
        if self.block is not None:
            rows, columns = self.block
            ends = [rows.start, rows.stop - 1, columns.start, columns.stop - 1]
            framed |= {"block": {"ends": ends, "named": self.named}}
        return (
            framed
            | sent(Card(drawn, -1, self.note, band=self.band, outlined=self.outlined, part=self.part, sets=self.sets))
            | {
                "title": self.title,
                "text": [self.text] if self.text else [],
                "formula": "",
                "kind": drawn.kind,
                "rows": drawn.rows,
                "columns": drawn.columns,
                "labels": {axis: list(names) for axis, names in sides if names},
            }
        )


def sent(card: Card) -> dict[str, Any]:
    """The data of one figure; texts that are in `words` are not sent again."""
    drawn = card.heatmap
    z = np.ascontiguousarray(drawn.z, dtype="<f4")
    data = z.tobytes()
    ends = range_of(drawn)
    outlined = [cell for cell in card.outlined if cell[0] < z.shape[0] and cell[1] < z.shape[1]]
    sent = {
        "id": drawn.id,
        "of": card.row,
        "z": base64.b64encode(data).decode(),
        "shape": z.shape,
        "range": ends,
        "note": card.note,
        "stamp": _stamp(data, *ends, *([card.band] if card.band else [])),
    }
    if drawn.size != z.shape:
        sent["size"] = drawn.size
    if drawn.hidden is not None:
        sent["hidden"] = "–" if np.isnan(drawn.hidden) else "0" if drawn.hidden == 0 else "−∞"
    if card.tag:
        sent["tag"] = card.tag
    if card.sets:
        sent["sets"] = {name: str(value) for name, value in card.sets.items()}
    if card.part:
        sent["part"] = card.part
    if card.sums:
        sent["sums"] = list(card.sums)
    if card.brush:
        sent["brush"] = asdict(card.brush)
    if card.crossed:
        sent["crossed"] = True
    if card.titles:
        sent["titles"] = card.titles
    if card.also:
        sent["also"] = card.also
    if card.band:
        sent["band"] = card.band
    if outlined:
        sent["outlined"] = outlined
    if card.labels:
        sent["labels"] = {axis: list(names) for axis, names in card.labels.items()}
    return sent


def stamp(drawn: Heatmap) -> str:
    """A mark of the data, so that the browser and the tests see a change without comparing the numbers."""
    return _stamp(np.ascontiguousarray(drawn.z, dtype="<f4").tobytes(), *range_of(drawn))


def _stamp(data: bytes, *also: float) -> str:
    return f"{zlib.crc32(data + repr(also).encode()):08x}"


def range_of(drawn: Heatmap) -> tuple[float, float]:
    """The ends of the colour range as they are sent."""
    return _short(drawn.low), _short(drawn.high)


def _short(end: float) -> float:
    return float(f"{end:.6g}")
