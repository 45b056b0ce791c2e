"""Every quantity of the theory, one row each: id, formula, line of Python, named axes, colour kind.

Letters and equations follow Vaswani et al. 2017, "Attention Is All You Need", section 3.2. A letter is re-used as
a step refines it, so that optional steps slot in. Variants of a row share its id: they are the same quantity
computed another way (a float mask is added, a boolean one fills). A given has no line of Python.
"""

from dataclasses import replace

from attention.trace import Quantity

_TOKENS = ("batch", "query", "model")
_PAIRS = ("batch", "head", "query", "key")

X = Quantity("x", "X", "", _TOKENS)
CONTEXT = Quantity("context", "C", "", ("batch", "key", "context"))

W_Q = Quantity("w_q", "W_Q", "", ("head", "model", "feature"))
W_K = Quantity("w_k", "W_K", "", ("head", "model", "feature"))
W_V = Quantity("w_v", "W_V", "", ("head", "model", "value"))
B_Q = Quantity("b_q", "b_Q", "", ("head", "feature"))
B_K = Quantity("b_k", "b_K", "", ("head", "feature"))
B_V = Quantity("b_v", "b_V", "", ("head", "value"))

QUERIES = Quantity("queries", "Q = X W_Q", "Q = X.unsqueeze(-3) @ W_Q", ("batch", "head", "query", "feature"))
KEYS = Quantity("keys", "K = X W_K", "K = X.unsqueeze(-3) @ W_K", ("batch", "head", "key", "feature"))
VALUES = Quantity("values", "V = X W_V", "V = X.unsqueeze(-3) @ W_V", ("batch", "head", "key", "value"))
GIVEN_QUERIES = replace(QUERIES, formula="Q", code="")
GIVEN_KEYS = replace(KEYS, formula="K", code="")
GIVEN_VALUES = replace(VALUES, formula="V", code="")

SCORES = Quantity("scores", r"S = Q K^\top", "S = Q @ K.mT", _PAIRS)
SCALED = Quantity("scaled", r"S \leftarrow S / \sqrt{d_k}", "S = S / math.sqrt(Q.shape[-1])", _PAIRS)
SCALE = Quantity("scale", "c", "", ())
SCALED_BY = replace(SCALED, formula=r"S \leftarrow c\, S", code="S = S * c")

MASK = Quantity("mask", "M", "", _PAIRS, "binary")
MASKED = Quantity(
    "masked",
    r"S_{ij} \leftarrow -\infty \text{ where } M_{ij} = 0",
    "S = S.masked_fill(~M, -math.inf)",
    _PAIRS,
)
ADDED_MASK = replace(MASK, kind="signed")
ADDED = replace(MASKED, formula=r"S \leftarrow S + M", code="S = S + M")

WEIGHTS = Quantity("weights", r"A = \operatorname{softmax}(S)", "A = S.softmax(-1)", _PAIRS, "probability")
_EMPTY_ROWS = "A = S.masked_fill(E, 0).softmax(-1).masked_fill(E, 0)"
WEIGHTS_MASKED = replace(WEIGHTS, code=f"E = ~M.any(-1, keepdim=True); {_EMPTY_ROWS}")
WEIGHTS_ADDED = replace(WEIGHTS, code=f"E = (M == -math.inf).all(-1, keepdim=True); {_EMPTY_ROWS}")

DROPOUT = Quantity("dropout", "p", "", ())
KEPT = Quantity("kept", r"D_{ij} \sim \operatorname{Bernoulli}(1 - p)", "", _PAIRS, "binary")
DROPPED = Quantity("dropped", r"A \leftarrow A \odot D / (1 - p)", "A = A * D / (1 - p or 1)", _PAIRS, "probability")

OUTPUT = Quantity("output", "O = A V", "O = A @ V", ("batch", "head", "query", "value"))
CONCAT = Quantity(
    "concat", r"O \leftarrow [O_1; \ldots; O_h]", "O = O.transpose(-3, -2).flatten(-2)", ("batch", "query", "concat")
)
W_O = Quantity("w_o", "W_O", "", ("concat", "out"))
B_O = Quantity("b_o", "b_O", "", ("out",))
PROJECTED = Quantity("projected", "Y = O W_O", "Y = O @ W_O", ("batch", "query", "out"))


def from_context(row: Quantity) -> Quantity:
    """The row of a projection that reads the context C in place of X (cross-attention)."""
    axes = tuple("context" if axis == "model" else axis for axis in row.axes)
    return replace(row, formula=row.formula.replace("X", "C"), code=row.code.replace("X", "C"), axes=axes)


def biased(row: Quantity) -> Quantity:
    """The row of a projection that adds its bias; per head, the bias is a row of features."""
    bias = {"queries": "b_Q", "keys": "b_K", "values": "b_V", "projected": "b_O"}[row.id]
    added = bias if row is PROJECTED else f"{bias}.unsqueeze(-2)"
    return replace(row, formula=f"{row.formula} + {bias}", code=f"{row.code} + {added}")


_ROWS = tuple(row for row in globals().values() if isinstance(row, Quantity))
_SOURCES = (*_ROWS, *(from_context(row) for row in (W_K, W_V, KEYS, VALUES)))
QUANTITIES: tuple[Quantity, ...] = (
    *_SOURCES,
    *(biased(row) for row in _SOURCES if row.id in ("queries", "keys", "values", "projected") and not row.given),
)
IDS: tuple[str, ...] = tuple(dict.fromkeys(row.id for row in QUANTITIES))
