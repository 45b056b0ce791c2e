"""Layers of models as rows of cells, and the size of a text in their caches, as data: drawn by
browser/layer_strips.js."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from pages.shell.component.payload import sent


@dataclass(frozen=True)
class Row:
    """A model. cells: for each layer the place of its words in `says`; kinds: for each of `says` its place among the
    kinds; says: descriptions of layers; reads: the places in `says` of layers that read other layers' keys and values;
    own: how many layers have their own, in words; keeps, kept: the bytes in all caches, and the same in words."""

    name: str
    cells: Sequence[int]
    kinds: Sequence[int]
    says: Sequence[str]
    reads: Sequence[int]
    own: str
    keeps: int
    kept: str


@dataclass(frozen=True)
class LayerStrips:
    """A row for each model: a cell for each layer, and a bar for the size of its cache.

    kinds: the words of the kinds; labels: `model`, `layers`, `own` and `cache`, the head of the table twin; `kind` and
    `keys`, as in every figure.
    """

    id: str
    title: str
    note: str
    kinds: Sequence[str]
    rows: Sequence[Row]
    labels: Mapping[str, str]

    def sent(self) -> dict[str, Any]:
        """The data for the browser."""
        drawn = [
            {"cells": list(row.cells), "kinds": list(row.kinds), "reads": list(row.reads), "keeps": row.keeps}
            for row in self.rows
        ]
        words = {"kinds": list(self.kinds), "says": [list(row.says) for row in self.rows]}
        words |= {"names": [row.name for row in self.rows], "kept": [row.kept for row in self.rows]}
        words |= {"owns": [row.own for row in self.rows]}
        return sent(self.id, self.title, "", self.note, "strips", drawn) | {"labels": dict(self.labels) | words}
