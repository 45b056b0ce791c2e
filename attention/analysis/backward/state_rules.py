"""The rules of the steps of a state (`attention.state_notation`), as those of attention in `rules`.

A decay has no rule if all tokens are computed at once, nor have the products that it fades feature by feature: autograd
alone knows the gradient of a product of many factors.
"""

from attention import state_notation as s
from attention.analysis.backward.rule import BEFORE, Rule
from attention.trace import Quantity


def _unit(row: Quantity) -> tuple[Rule, ...]:
    """The part of the gradient along the row is removed, because its length does not count."""
    z = row.letter
    length = f"{z}{BEFORE}.norm(dim=-1, keepdim=True).clamp_min(1e-12)"
    formula = rf"(d{z} - {z} \odot \operatorname{{rowsum}}(d{z} \odot {z})) / \lVert {z} \rVert"
    return (Rule(z, formula, f"(d{z} - {z} * (d{z} * {z}).sum(-1, keepdim=True)) / {length}"),)


def _decayed(row: Quantity) -> tuple[Rule, ...]:
    """Products of a later row with an earlier key, times the share kept in between."""
    if row.letter == "H":
        both = r"(\Gamma \odot dH + (\Gamma \odot dH)^\top) K"
        return (
            Rule("K", both, "(Gamma * dH + (Gamma * dH).mT) @ K"),
            Rule("Gamma", r"dH \odot K K^\top", "dH * (K @ K.mT)"),
        )
    return (
        Rule("Q", r"(\Gamma \odot dR) K", "(Gamma * dR) @ K"),
        Rule("K", r"(\Gamma \odot dR)^\top Q", "(Gamma * dR).mT @ Q"),
        Rule("Gamma", r"dR \odot Q K^\top", "dR * (Q @ K.mT)"),
    )


# With N = tril(diag(beta) H, -1), so that T = (I + N)^-1 diag(beta): E = (I + N)^-T dT, and dN = -E T^T.
_E = (
    "torch.linalg.solve_triangular((beta[..., None] * H).tril(-1).mT, dT, upper=True, unitriangular=True)",
    r"(I + N)^{-\top} dT",
)
_TRANSFORM = (
    Rule("H", rf"-\operatorname{{diag}}(\beta) ({_E[1]}\, T^\top)", f"-(beta[..., None] * ({_E[0]} @ T.mT)).tril(-1)"),
    Rule(
        "beta",
        rf"\operatorname{{diagonal}}({_E[1]} (I - T^\top H^\top))",
        f"{_E[0]}.diagonal(dim1=-2, dim2=-1) - (({_E[0]} @ T.mT).tril(-1) * H).sum(-1)",
    ),
)
_OF_FEATURES = (
    Rule("S", r"\operatorname{diag}(\alpha) dS", "alpha.transpose(-2, -1) * dS"),
    Rule("alpha", r"\operatorname{rowsum}(dS \odot S)", f"(dS * S{BEFORE}).sum(-1)[..., None, :]"),
)
RULES: dict[str, tuple[Rule, ...]] = {
    s.QUERIES_UNIT.code: _unit(s.QUERIES_UNIT),
    s.KEYS_UNIT.code: _unit(s.KEYS_UNIT),
    s.QUERIES_SCALED.code: (Rule("Q", r"dQ / \sqrt{d_k}", "dQ / math.sqrt(Q.shape[-1])"),),
    s.QUERIES_SCALED_BY.code: (Rule("Q", r"c\, dQ", "dQ * c"),),
    s.OVERLAPS.code: (Rule("K", r"(dH + dH^\top) K", "(dH.tril() + dH.tril().mT) @ K"),),
    s.READINGS.code: (
        Rule("Q", r"\operatorname{tril}(dR) K", "dR.tril() @ K"),
        Rule("K", r"\operatorname{tril}(dR)^\top Q", "dR.tril().mT @ Q"),
    ),
    s.decayed(s.OVERLAPS).code: _decayed(s.OVERLAPS),
    s.decayed(s.READINGS).code: _decayed(s.READINGS),
    s.TRANSFORM.code: _TRANSFORM,
    s.TRANSFORM_ADDS.code: (
        Rule("beta", r"\operatorname{diagonal}(dT)", "dT.diagonal(dim1=-2, dim2=-1).sum_to_size(beta.shape)"),
    ),
    s.WRITES.code: (Rule("T", r"dU\, V^\top", "dU @ V.mT"), Rule("V", r"T^\top dU", "T.mT @ dU")),
    s.MIXING.code: (Rule("R", r"dM\, T^\top", "dM @ T.mT"), Rule("T", r"R^\top dM", "R.mT @ dM")),
    s.MIXED.code: (Rule("M", r"dO\, V^\top", "dO @ V.mT"), Rule("V", r"M^\top dO", "M.mT @ dO")),
    s.FADED.code: (
        Rule("S", r"\alpha\, dS", "alpha[..., None] * dS"),
        Rule("alpha", r"\textstyle\sum dS \odot S", f"(dS * S{BEFORE}).sum((-2, -1))[..., None]"),
    ),
    s.FADED_BY_FEATURE.code: _OF_FEATURES,
    s.LOOKED_UP.code: (Rule("K", r"dP\, S^\top", "dP @ S.mT"), Rule("S", r"K^\top dP", "K.mT @ dP")),
    s.WRITES_DIFFERENCE.code: (
        Rule("V", r"\beta\, dU", "beta[..., None] * dU"),
        Rule("P", r"-\beta\, dU", "-beta[..., None] * dU"),
        Rule("beta", r"\operatorname{rowsum}(dU \odot (V - P))", "(dU * (V - P)).sum(-1)"),
    ),
    s.WRITES_VALUE.code: (
        Rule("V", r"\beta\, dU", "beta[..., None] * dU"),
        Rule("beta", r"\operatorname{rowsum}(dU \odot V)", "(dU * V).sum(-1)"),
    ),
    s.WRITTEN.code: (
        Rule("S", "dS", "dS"),
        Rule("K", r"U dS^\top", "U @ dS.mT"),
        Rule("U", "K dS", "K @ dS"),
    ),
    s.READ.code: (Rule("Q", r"dO\, S^\top", "dO @ S.mT"), Rule("S", r"Q^\top dO", "Q.mT @ dO")),
}
