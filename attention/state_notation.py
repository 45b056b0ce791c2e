"""The quantities of a state that stands in place of a cache, one row each, as in `attention.notation`.

Letters follow Yang et al. 2024 (arXiv 2412.06464), with the state S as (d_k, d_v): its rows are features of keys. T, U
and M are those of the form for all tokens at once (Yang et al. 2024, arXiv 2406.06484, section 3). Row i of a matrix of
pairs is the later token.
"""

from dataclasses import replace

from attention import notation as n
from attention.trace import Quantity

_PAIRS = n.SCORES.axes
_WRITTEN = n.VALUES.axes
_STATE = ("batch", "head", "feature", "value")

BETA = Quantity("beta", r"\beta", "", ("batch", "head", "key"))
DECAY = Quantity("decay", r"\alpha", "", ("batch", "head", "key"), "probability")
DECAY_OF_FEATURES = replace(DECAY, formula=r"\alpha_{id}", axes=n.KEYS.axes)


def _unit(of: Quantity) -> Quantity:
    """Each query or key divided by its length."""
    letter = of.letter
    code = f"{letter} = torch.nn.functional.normalize({letter}, dim=-1)"
    formula = rf"{letter} \leftarrow {letter} / \lVert {letter} \rVert"
    return replace(of, id=f"{of.id}_unit", formula=formula, code=code)


QUERIES_UNIT = _unit(n.QUERIES)
KEYS_UNIT = _unit(n.KEYS)
QUERIES_SCALED = replace(
    n.QUERIES, id="queries_scaled", formula=r"Q \leftarrow Q / \sqrt{d_k}", code="Q = Q / math.sqrt(Q.shape[-1])"
)
QUERIES_SCALED_BY = replace(QUERIES_SCALED, formula=r"Q \leftarrow c\, Q", code="Q = Q * c")

# Steps of all tokens at once.
RETAINED = Quantity(
    "retained",
    r"\Gamma_{ij} = \textstyle\prod_{j < s \le i} \alpha_s",
    "later = torch.ones(alpha.shape[-1], alpha.shape[-1], dtype=torch.bool, device=alpha.device).tril(-1);"
    " Gamma = torch.where(later, alpha[..., None], 1).cumprod(-2).tril()",
    _PAIRS,
    "probability",
)
OVERLAPS = Quantity("overlaps", r"H = \operatorname{tril}(K K^\top)", "H = (K @ K.mT).tril()", _PAIRS)
READINGS = Quantity("readings", r"R = \operatorname{tril}(Q K^\top)", "R = (Q @ K.mT).tril()", _PAIRS)


def decayed(row: Quantity) -> Quantity:
    """The row of products with keys, each multiplied by the remaining share of that key when its token comes."""
    if row.id == "overlaps":
        return replace(row, formula=r"H = \Gamma \odot K K^\top", code="H = Gamma * (K @ K.mT)")
    return replace(row, formula=r"R = \Gamma \odot Q K^\top", code="R = Gamma * (Q @ K.mT)")


_OF_FEATURES = (
    "later = torch.ones(alpha.shape[-2], alpha.shape[-2], dtype=torch.bool, device=alpha.device).tril(-1)[..., None];"
    " kept = torch.where(later, alpha[..., :, None, :], 1).cumprod(-3);"
    " {0} = ({1}[..., :, None, :] * K[..., None, :, :] * kept).sum(-1).tril()"
)


def decayed_by_feature(row: Quantity) -> Quantity:
    """The row of products with keys if each feature of a key decays by itself."""
    letter, left = row.letter, "K" if row.id == "overlaps" else "Q"
    kept = r"\textstyle\prod_{j < s \le i} \alpha_{sd}"
    formula = rf"{letter}_{{ij}} = \textstyle\sum_d {left}_{{id}} K_{{jd}} {kept}"
    return replace(row, formula=formula, code=_OF_FEATURES.format(letter, left))


TRANSFORM = Quantity(
    "transform",
    r"T = (I + \operatorname{tril}_{-1}(\operatorname{diag}(\beta) H))^{-1} \operatorname{diag}(\beta)",
    "T = torch.linalg.solve_triangular("
    "(beta[..., None] * H).tril(-1), torch.diag_embed(beta), upper=False, unitriangular=True)",
    _PAIRS,
)
# The rule "add", without a read before the write.
TRANSFORM_ADDS = replace(TRANSFORM, formula=r"T = \operatorname{diag}(\beta)", code="T = torch.diag_embed(beta)")
WRITES = Quantity("writes", "U = T V", "U = T @ V", _WRITTEN)
MIXING = Quantity("mixing", "M = R T", "M = R @ T", _PAIRS)
MIXED = Quantity("mixed", "O = M V", "O = M @ V", n.OUTPUT.axes)

# Steps of one token.
PAST_STATE = Quantity("past_state", "S", "", _STATE)
FADED = Quantity("faded", r"S \leftarrow \alpha S", "S = alpha[..., None] * S", _STATE)
FADED_BY_FEATURE = replace(
    FADED, formula=r"S \leftarrow \operatorname{diag}(\alpha) S", code="S = alpha.transpose(-2, -1) * S"
)
LOOKED_UP = Quantity("looked_up", "P = K S", "P = K @ S", _WRITTEN)
WRITES_DIFFERENCE = replace(WRITES, formula=r"U = \beta (V - P)", code="U = beta[..., None] * (V - P)")
WRITES_VALUE = replace(WRITES, formula=r"U = \beta V", code="U = beta[..., None] * V")
WRITTEN = Quantity("written", r"S \leftarrow S + K^\top U", "S = S + K.mT @ U", _STATE)
READ = Quantity("read", "O = Q S", "O = Q @ S", n.OUTPUT.axes)

_ROWS = tuple(row for row in globals().values() if isinstance(row, Quantity))
_DECAYED = tuple(made(row) for row in (OVERLAPS, READINGS) for made in (decayed, decayed_by_feature))
QUANTITIES: tuple[Quantity, ...] = (*_ROWS, *_DECAYED)
IDS: tuple[str, ...] = tuple(dict.fromkeys(row.id for row in QUANTITIES))
