"""The rules of the backward pass: the contribution of each line of the forward pass to the gradient of each operand.

dZ is the gradient of the target with respect to Z. The derivatives of a product and of softmax are those of reverse
accumulation (Griewank and Walther 2008, section 3.2); rowsum(dA * A) is the D of Dao et al. 2022, algorithm 4. As in
`attention.notation`, a letter is used again by the step that refines it, and so is its gradient.
"""

from attention import notation as n
from attention.analysis.backward import state_rules
from attention.analysis.backward.rule import BEFORE, Rule
from attention.trace import Quantity


def _projection(row: Quantity) -> tuple[Rule, ...]:
    """Q = X W_Q + b_Q, one matrix a head; the sentences, the heads and the tokens that share an operand add up."""
    letter, source = row.letter, "C" if "C." in row.code else "X"
    w, b, d = f"W_{letter}", f"b_{letter}", f"d{row.letter}"
    rules = [
        Rule(source, rf"\textstyle\sum_h {d}\, {w}^\top", f"({d} @ {w}.mT).sum(-3)"),
        Rule(w, rf"\textstyle\sum_b {source}^\top {d}", f"({source}.unsqueeze(-3).mT @ {d}).sum_to_size({w}.shape)"),
    ]
    if b in row.code:
        rules.append(Rule(b, rf"\textstyle\sum_{{b,i}} {d}_i", f"{d}.sum(-2).sum_to_size({b}.shape)"))
    return tuple(rules)


def _projected(row: Quantity) -> tuple[Rule, ...]:
    rules = [
        Rule("O", r"dY\, W_O^\top", "dY @ W_O.mT"),
        Rule("W_O", r"\textstyle\sum_b O^\top dY", "(O.mT @ dY).sum_to_size(W_O.shape)"),
    ]
    if "b_O" in row.code:
        rules.append(Rule("b_O", r"\textstyle\sum_{b,i} dY_i", "dY.sum_to_size(b_O.shape)"))
    return tuple(rules)


def _rotated(row: Quantity) -> tuple[Rule, ...]:
    """The gradient of a rotation is the rotation by the opposite angle; other features pass the gradient on."""
    letter = row.letter
    d, turn = f"d{letter}", f"Phi_{letter}"
    is_partial = "rest" in row.code
    end = f"2 * {turn}.shape[-1]"
    rest, d = f"{d}[..., {end} :]", f"{d}[..., : {end}]" if is_partial else d
    cos, sin = f"{turn}.cos().to({d}.dtype)", f"{turn}.sin().to({d}.dtype)"
    pairs = (
        (f"{d}[..., ::2]", f"{d}[..., 1::2]")
        if "..., ::2" in row.code
        else (f"{d}.chunk(2, -1)[0]", f"{d}.chunk(2, -1)[1]")
    )
    a, b = pairs
    turned = f"({a} * {cos} - -{b} * {sin}, {b} * {cos} - {a} * {sin})"
    code = f"torch.stack({turned}, -1).flatten(-2)" if "::2" in row.code else f"torch.cat({turned}, -1)"
    code = code.replace("- -", "+ ")
    if not is_partial:
        return (Rule(letter, rf"R(-\Phi_{letter})\, {d}", code),)
    formula = rf"[R(-\Phi_{letter})\, d{letter}_{{:r}}; d{letter}_{{r:}}]"
    return (Rule(letter, formula, f"torch.cat(({code}, {rest}), -1)"),)


def _normed(row: Quantity) -> tuple[Rule, ...]:
    """The part of the gradient along the normalised row is removed, because its length does not count (Zhang and
    Sennrich 2019, section 4.2). All rows of all heads share a gain."""
    letter = row.letter
    d, before, gain = f"d{letter}", f"{letter}{BEFORE}", f"g_{letter}"
    unit = f"torch.rms_norm({before}, {before}.shape[-1:])"
    root = f"{before}.square().mean(-1, keepdim=True).add(torch.finfo({letter}.dtype).eps).sqrt()"
    if row.code.endswith(f", {gain})"):
        come, told = f"({d} * {gain})", rf"{gain} \odot {d}"
        gained = Rule(gain, rf"\textstyle\sum {d} \odot \hat {letter}", f"({d} * {unit}).sum_to_size({gain}.shape)")
    else:
        come, told, gained = d, d, None
    code = f"({come} - {unit} * ({come} * {unit}).mean(-1, keepdim=True)) / {root}"
    mean = rf"\operatorname{{mean}}({told} \odot \hat {letter})"
    formula = rf"({told} - \hat {letter} \odot {mean}) / \operatorname{{rms}}({letter})"
    return (Rule(letter, formula, code), *((gained,) if gained else ()))


def _sunk(row: Quantity) -> tuple[Rule, ...]:
    """The rules of a sink, whose share is 1 minus the sum of the row; no gradient of that share reaches a score."""
    product = "(A.sum(-1) - 1) * (dA * A).sum(-1)"
    formula = r"(\operatorname{rowsum}(A)_i - 1) \operatorname{rowsum}(dA \odot A)_i"
    if "z[..., None, None]" not in row.code:
        return (*_SOFTMAX, Rule("z", formula, f"({product}).sum_to_size(z.shape)"))
    return (*_SOFTMAX, Rule("z", rf"\textstyle\sum_i {formula}", f"({product}).sum(-1).sum_to_size(z.shape)"))


def _differs(row: Quantity) -> tuple[Rule, ...]:
    """The rules of a pair of heads: its gradient goes to the first head, and times -lambda to the second."""
    by = "lambda_D[..., None, None]" if "None, None" in row.code else "lambda_D[..., None]"
    product = f"(-dA * A{BEFORE}[..., 1::2, :, :]).sum({'(-2, -1)' if 'None, None' in row.code else '-1'})"
    return (
        Rule("A", r"(dA_p, -\lambda_D\, dA_p)", f"torch.stack((dA, -{by} * dA), -3).flatten(-4, -3)"),
        Rule("lambda_D", r"-\textstyle\sum dA_p \odot A_{2p}", f"{product}.sum_to_size(lambda_D.shape)"),
    )


def _gated(row: Quantity) -> tuple[Rule, ...]:
    by_query = "None" in row.code
    opened = "G.sigmoid()[..., None]" if by_query else "G.sigmoid()"
    product = f"(dO * O{BEFORE}).sum(-1)" if by_query else f"dO * O{BEFORE}"
    shown = r"\operatorname{rowsum}(dO \odot O)" if by_query else r"dO \odot O"
    return (
        Rule("O", r"dO \odot \sigma(G)", f"dO * {opened}"),
        Rule("G", rf"{shown} \odot \sigma(G) (1 - \sigma(G))", f"{product} * G.sigmoid() * (1 - G.sigmoid())"),
    )


def _shared(letter: str, product: str, formula: str) -> Rule:
    """The gradients from the query heads that share a key or value head add up."""
    return Rule(
        letter, rf"\textstyle\sum_{{g}} {formula}", f"({product}).unflatten(-3, ({letter}.shape[-3], -1)).sum(-3)"
    )


_K_REPEATED = "K.repeat_interleave(Q.shape[-3] // K.shape[-3], -3)"
_V_REPEATED = "V.repeat_interleave(A.shape[-3] // V.shape[-3], -3)"
_SOFTMAX = (
    Rule("S", r"A \odot (dA - \operatorname{rowsum}(dA \odot A))", "A * (dA - (dA * A).sum(-1, keepdim=True))"),
)
_OF_SLOPES = "(dB * -(p_Q[:, None] - p_K).abs()).sum((-2, -1)).sum_to_size(m.shape)"
_SUNK = (n.sunk, n.sunk_by_query)
_ROTATIONS = (
    *(n.QUERIES_ROTATED, n.KEYS_ROTATED),
    *(n.interleaved(n.QUERIES_ROTATED), n.interleaved(n.KEYS_ROTATED)),
)
_NORMS = (n.QUERIES_NORMED, n.KEYS_NORMED)
_PROJECTIONS = (n.QUERIES, n.KEYS, n.VALUES, n.from_context(n.KEYS), n.from_context(n.VALUES))
# Line of Python of a step to its rules. Autograd alone knows the gradients of other steps.
RULES: dict[str, tuple[Rule, ...]] = {
    **{each.code: _projection(each) for row in _PROJECTIONS for each in (row, n.biased(row))},
    n.SCORES.code: (Rule("Q", "dS K", "dS @ K"), Rule("K", r"dS^\top Q", "dS.mT @ Q")),
    n.grouped(n.SCORES).code: (
        Rule("Q", r"dS K_{\lceil h / g \rceil}", f"dS @ {_K_REPEATED}"),
        _shared("K", "dS.mT @ Q", r"dS^\top Q"),
    ),
    n.grouped(n.OUTPUT).code: (
        Rule("A", r"dO\, V_{\lceil h / g \rceil}^\top", f"dO @ {_V_REPEATED}.mT"),
        _shared("V", "A.mT @ dO", r"A^\top dO"),
    ),
    **{row.code: _rotated(row) for row in _ROTATIONS},
    **{n.partial(row).code: _rotated(n.partial(row)) for row in _ROTATIONS},
    **{row.code: _normed(row) for each in _NORMS for row in (each, n.gained(each))},
    n.SCALED.code: (Rule("S", r"dS / \sqrt{d_k}", "dS / math.sqrt(Q.shape[-1])"),),
    n.SCALED_BY.code: (Rule("S", r"c\, dS", "dS * c"),),
    n.MASKED.code: (Rule("S", r"dS \odot M", "dS.masked_fill(~M, 0)"),),
    n.ADDED.code: (Rule("S", "dS", "dS"), Rule("M", "dS", "dS")),
    n.BIASED.code: (Rule("S", "dS", "dS"), Rule("B", r"\textstyle\sum_b dS", "dS.sum_to_size(B.shape)")),
    n.SOFTCAPPED.code: (Rule("S", r"dS \odot (1 - (S / \kappa)^2)", "dS * (1 - (S / kappa) ** 2)"),),
    n.BIAS.code: (Rule("m", r"-\textstyle\sum_{b,i,j} dB_{ij} |p_{Q,i} - p_{K,j}|", _OF_SLOPES),),
    **{sunk(row).code: _sunk(sunk(row)) for row in (n.WEIGHTS, n.WEIGHTS_MASKED) for sunk in _SUNK},
    **{sunk(n.WEIGHTS_ADDED).code: (*_sunk(sunk(n.WEIGHTS_ADDED)), Rule("M", "", "")) for sunk in _SUNK},
    **{row.code: _differs(row) for row in (n.DIFFERENCE, n.DIFFERENCE_OF_QUERIES)},
    **{row.code: _gated(row) for row in (n.GATED, n.GATED_BY_HEAD)},
    n.GATE.code: (
        Rule("X", r"\textstyle\sum_h dG\, W_G^\top", "(dG @ W_G.mT).sum(-3)"),
        Rule("W_G", r"\textstyle\sum_b X^\top dG", "(X.unsqueeze(-3).mT @ dG).sum_to_size(W_G.shape)"),
    ),
    n.GATE_OF_HEADS.code: (
        Rule("X", r"dG^\top W_G", "dG.mT @ W_G"),
        Rule("W_G", r"\textstyle\sum_b dG\, X", "(dG @ X).sum_to_size(W_G.shape)"),
    ),
    n.KEYS_JOINED.code: (Rule("K", r"dK_{\text{new}}", "dK[..., C_K.shape[-2] :, :]"),),
    n.VALUES_JOINED.code: (Rule("V", r"dV_{\text{new}}", "dV[..., C_V.shape[-2] :, :]"),),
    n.WEIGHTS.code: _SOFTMAX,
    n.WEIGHTS_MASKED.code: _SOFTMAX,
    n.WEIGHTS_ADDED.code: (*_SOFTMAX, Rule("M", "", "")),
    n.DROPPED.code: (Rule("A", r"dA \odot D / (1 - p)", "dA * D / (1 - p or 1)"),),
    n.OUTPUT.code: (Rule("A", r"dO\, V^\top", "dO @ V.mT"), Rule("V", r"A^\top dO", "A.mT @ dO")),
    n.CONCAT.code: (Rule("O", r"(dO_1, \ldots, dO_h)", "dO.unflatten(-1, (Q.shape[-3], -1)).transpose(-3, -2)"),),
    **{row.code: _projected(row) for row in (n.PROJECTED, n.biased(n.PROJECTED))},
    **state_rules.RULES,
}
