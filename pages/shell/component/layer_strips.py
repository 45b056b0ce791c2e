"""Layers of models as rows of cells, and what a text takes in their caches, as data: drawn by
browser/layer_strips.js."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from pages.shell.component.payload import sent


@dataclass(frozen=True)
class Row:
    """A model. cells: for each layer the place of its words among `says`; kinds: the place of each of `says` among the
    kinds; says: what is said of a layer; reads: the places among `says` of layers that read the keys and values of
    others; own: how many layers have their own, as words; keeps: what all layers keep, in bytes, and as words."""

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
    """A figure: a row for each model, a cell for each layer, and a bar for what its cache takes.

    kinds: the words of the kinds; labels: `model`, `layers`, `own` and `cache`, the head of the table twin; `kind` and
    `keys`, as of every figure.
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
