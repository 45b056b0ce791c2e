"""The reason for the score of one pair: its query and its key, product by product, with digits that recompute."""

import math
from collections.abc import Iterator, Sequence
from functools import cache
from itertools import product
from typing import NamedTuple

from pages.shell.component.products import Product, Products
from pages.shell.i18n import say
from pages.shell.i18n.markdown import cut
from pages.shell.i18n.numbers import digits, fixed
from pages.shell.runs.run import Run
from pages.shell.screen import Screen
from pages.shell.views import blocks, naming
from pages.shell.views.blocks import Block
from pages.shell.views.chosen import chosen

# Letters of a word in a line of the figure.
_SHORT = 16
# Decimals of the sum, of the products, of the score and of the numbers: the first combination that recomputes is taken.
# Rounded products seldom miss a sum with fewer decimals than theirs.
_DECIMALS = (
    *((of_all, of_all, score, numbers) for of_all, score, numbers in product((2, 3, 4), (2, 3), (2, 3, 4, 5))),
    *(
        (total, products, score, numbers)
        for numbers, products, score, total in product(range(2, 8), (3, 4, 5), (2, 3), (2, 3))
        if total < products
    ),
)


def why(screen: Screen) -> Iterator[Block]:
    """The chosen pair; nothing if the query sees no key."""
    run = screen.run
    at = chosen(screen, run)
    if at.key is None:
        yield blocks.text(say("why.nothing", word=run.labels["query"][at.query]))
        return
    yield blocks.figures(_products(run, at.query, at.key))


def met(run: Run, id: str) -> str:
    """The step of the queries or keys that enter the scores: normed, rotated and joined, as far as they are."""
    return next(step for step in (f"{id}_joined", f"{id}_rotated", f"{id}_normed", id) if step in run.trace)


def _vectors(run: Run, query: int, key: int) -> tuple[list[float], list[float]]:
    pairs = (("queries", query), ("keys", key))
    q, k = (run.matrix(met(run, id))[at].double().cpu().tolist() for id, at in pairs)
    return q, k


def _sums(run: Run, query: int, key: int) -> tuple[float, float]:
    total, score = (float(run.matrix(id)[query, key]) for id in ("scores", "scaled"))
    return total, score


def written(run: Run, query: int, key: int) -> "Written":
    """The numbers of a pair as they are written."""
    return recomputed(*_vectors(run, query, key), *_sums(run, query, key), _factor(run))


def _factor(run: Run) -> float:
    """The factor from a sum of products to the score."""
    return float(run.trace["scale"].value) if "scale" in run.trace else float(run.module.d_k) ** -0.5


def _products(run: Run, query: int, key: int) -> Products:
    asking, answering = run.labels["query"][query], run.labels["key"][key]
    q, k = _vectors(run, query, key)
    total, score = _sums(run, query, key)
    numbers = written(run, query, key)
    pairs = zip(q, k, numbers.products, strict=True)
    by = f"√{run.module.d_k}" if "scale" not in run.trace else ""
    lines = {
        "query": say("why.query"),
        "key": say("why.key"),
        "products": say("why.products"),
        "score": say("why.divided", by=by) if by else say("why.times", factor=digits(_factor(run), 4)),
        "total": say("why.total", total=numbers.total),
        "reads": say("why.score", score=numbers.score, word=cut(answering, _SHORT)),
    }
    words = {"asking": naming.of_query(run, query), "answering": naming.of_key(run, key)}
    said = say("why.said", **words, total=numbers.total, score=numbers.score)
    return Products(
        "why",
        say("why.title", word=cut(answering, _SHORT)),
        say("why.text"),
        said,
        asking,
        answering,
        [Product(a, b, a * b, each) for a, b, each in pairs],
        (total, numbers.total),
        (score, numbers.score),
        lines,
    )


class Written(NamedTuple):
    """Written numbers: the query, the key and their product for each feature; the sum, and the score."""

    products: list[tuple[str, str, str]]
    total: str
    score: str


def recomputed(q: Sequence[float], k: Sequence[float], total: float, score: float, factor: float) -> Written:
    """The fewest decimals with which a reader who multiplies and adds the written numbers gets the written result.

    factor: from the sum to the score.
    """
    # Many decimals are tried, so that each rounding is cached and the longest condition comes last.
    rounded = cache(lambda decimals: [[round(number, decimals) for number in of] for of in (q, k)])
    multiplied = cache(lambda decimals: [round(x * y, decimals) for x, y in zip(q, k, strict=True)])

    @cache
    def multiplies(of_numbers: int, of_products: int) -> bool:
        made = zip(*rounded(of_numbers), multiplied(of_products), strict=True)
        return all(_rounded(x * y, of_products) == product for x, y, product in made)

    @cache
    def adds(of_total: int, of_products: int) -> bool:
        return _rounded(sum(multiplied(of_products)), of_total) == round(total, of_total)

    def scales(of_total: int, of_score: int) -> bool:
        return _rounded(round(total, of_total) * factor, of_score) == round(score, of_score)

    for of_total, of_products, of_score, of_numbers in _DECIMALS:
        if adds(of_total, of_products) and scales(of_total, of_score) and multiplies(of_numbers, of_products):
            break
    triples = [
        (fixed(x, of_numbers), fixed(y, of_numbers), fixed(p, of_products))
        for x, y, p in zip(*rounded(of_numbers), multiplied(of_products), strict=True)
    ]
    return Written(triples, fixed(round(total, of_total), of_total), fixed(score, of_score))


def _rounded(number: float, decimals: int) -> float:
    """A number as a reader rounds it, a final five upwards: sums and products of written numbers often end in one."""
    return round(round(number, 9) + math.copysign(1e-9, number), decimals)
