"""A score as data: a query and a key as strips, their products, and the sum."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from pages.shell.component.payload import sent


@dataclass(frozen=True)
class Product:
    """One feature: the number of the query, that of the key, their product; each with its written form."""

    query: float
    key: float
    product: float
    written: tuple[str, str, str]


@dataclass(frozen=True)
class Products:
    """The products of a query and a key. asking, answering: the two words; total: the sum of the products, score: the
    score made from it, each as a number and in words; lines: the names of the lines; note: the summary."""

    id: str
    title: str
    text: str
    note: str
    asking: str
    answering: str
    products: Sequence[Product]
    total: tuple[float, str]
    score: tuple[float, str]
    lines: dict[str, str]

    def sent(self) -> dict[str, Any]:
        """The data for the browser."""
        drawn = {
            "asking": self.asking,
            "answering": self.answering,
            "products": [
                [*(float(f"{number:.5g}") for number in (one.query, one.key, one.product)), *one.written]
                for one in self.products
            ],
            "total": [float(f"{self.total[0]:.5g}"), self.total[1]],
            "score": [float(f"{self.score[0]:.5g}"), self.score[1]],
        }
        return sent(self.id, self.title, self.text, self.note, "products", drawn) | {"labels": {"lines": self.lines}}
