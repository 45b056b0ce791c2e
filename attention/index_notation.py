"""The quantities of attention to keys that an index chooses, one row each, as in `attention.notation`.

DeepSeek-V3.2 (2025, arXiv 2512.02556, equations 1 and 2). The heads of the index are an axis of their own: they need
not be as many as those of attention. P is the mask, M the permitted pairs that the index chooses.
"""

from dataclasses import replace

from attention import notation as n
from attention.trace import Quantity

_OF_QUERIES = ("batch", "index_head", "query")
_PAIRS = ("batch", "query", "key")

INDEX_QUERIES = Quantity("index_queries", "Q_I", "", (*_OF_QUERIES, "index_feature"))
INDEX_KEYS = Quantity("index_keys", "K_I", "", ("batch", "key", "index_feature"))
INDEX_WEIGHTS = Quantity("index_weights", "w_I", "", _OF_QUERIES)
KEEP = Quantity("keep", "k", "", ())
PERMITTED = Quantity("permitted", "P", "", _PAIRS, "binary")
INDEX_PRODUCTS = Quantity(
    "index_products",
    r"R = \operatorname{ReLU}(Q_I K_I^\top)",
    "R = (Q_I @ K_I.unsqueeze(-3).mT).relu()",
    (*_OF_QUERIES, "key"),
)
INDEX_SCORES = Quantity(
    "index_scores",
    r"I = \textstyle\sum_h w_{I,h} R_h / \sqrt{h_I d_I}",
    "I = (w_I[..., None] * R).sum(-3) / math.sqrt(R.shape[-3] * Q_I.shape[-1])",
    _PAIRS,
)
# The sort is stable, so that among equal scores the first keys are chosen.
CHOICE = Quantity(
    "choice",
    r"C = \operatorname{top}_k(I \text{ where } P = 1)",
    "C = I.masked_fill(~P, -math.inf).argsort(dim=-1, descending=True, stable=True).argsort(-1) < k",
    _PAIRS,
    "binary",
)
# With fewer than k permitted keys, forbidden ones are among the k largest; P removes them.
MASK_CHOSEN = replace(n.MASK, formula=r"M = C \odot P", code="M = (C & P).unsqueeze(-3)")

QUANTITIES: tuple[Quantity, ...] = tuple(row for row in globals().values() if isinstance(row, Quantity))
# The chosen mask keeps the id of a mask, which `attention.notation` lists.
IDS: tuple[str, ...] = tuple(row.id for row in QUANTITIES if row.id != n.MASK.id)
