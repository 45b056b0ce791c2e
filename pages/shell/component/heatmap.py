"""Heatmaps as data: with a row in the table of words, or with words of their own."""

import base64
import zlib
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from typing import Any

import numpy as np

from attention.figures import Heatmap


@dataclass(frozen=True)
class Brush:
    """How the cells of a mask are painted. sets: the control that holds the painted cells, as a text; painted: the text
    that the mask was computed with, and under: the settings of the mask on which they are painted, as texts; earlier:
    how many tokens stand before that of the first row; undo: what takes back a stroke, or the choice of another mask,
    in words; looks: by row, what a stroke that begins there sets besides: its word is looked at; looked: the row whose
    word is looked at, from 0."""

    sets: str
    painted: str
    under: Mapping[str, str]
    earlier: int
    undo: str
    looks: Sequence[Mapping[str, str]]
    looked: int = 0


@dataclass(frozen=True)
class Card:
    """A figure with the words that belong to it. row: the place of its quantity in the table of `words`, which says
    title, formula, axes and kind; also: a second axis whose highlight the rows follow (in self-attention a row of X is
    a query and a key);
    tag: what tells it from other figures of its step; sets: the controls, and their values, that a click on it chooses;
    labels: the names along its axes, where they are not those of the page; band: as of a `Figure`;
    outlined: cells, row and column from 0, that have a frame around them; part: what of the step it shows, where that
    is not to be expected; sums: what each row sums to, as it is written; crossed: whether zeros are crossed out, as
    what is not there; brush: how its cells are painted, where they are not read; titles: what stands along its
    rows and its columns, where that is not the name of the axis."""

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
    """A heatmap that no table of quantities knows: it brings its own title and the labels of its sides.

    called: the word for its rows, where that is not the one of their axis; band: after how many columns a line stands,
    0 for none; outlined: as of a `Card`. block: the rows and the columns,
    from 0, of a part that has one frame around it, and named: what that part is called; absent: what a cell is that has
    no number, where it is not one that a mask hides; part, sets: as of a `Card`.
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
    """What one update of one figure carries: what is in `words` does not travel again."""
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
    """What tells the browser, which would have to compare the numbers, and the tests what is new."""
    return _stamp(np.ascontiguousarray(drawn.z, dtype="<f4").tobytes(), *range_of(drawn))


def _stamp(data: bytes, *also: float) -> str:
    return f"{zlib.crc32(data + repr(also).encode()):08x}"


def range_of(drawn: Heatmap) -> tuple[float, float]:
    """The ends of the colour range as they travel."""
    return _short(drawn.low), _short(drawn.high)


def _short(end: float) -> float:
    return float(f"{end:.6g}")
