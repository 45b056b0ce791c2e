"""Every quantity of the theory, one row each: id, formula, line of Python, named axes, colour kind.

Letters and equations follow Vaswani et al. 2017, "Attention Is All You Need", section 3.2. A letter is re-used as
a step refines it, so that optional steps can be inserted. Variants of a row share its id: they are the same quantity
computed another way (a float mask is added, a boolean one fills). A given has no line of Python. Steps
of later models stand where those models compute them.
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

G_Q = Quantity("g_q", "g_Q", "", ("feature",))
G_K = Quantity("g_k", "g_K", "", ("feature",))


def _normed(of: Quantity) -> Quantity:
    """Each query or key divided by the root of the mean square of its features."""
    letter = of.letter
    code = f"{letter} = torch.rms_norm({letter}, {letter}.shape[-1:])"
    formula = rf"{letter} \leftarrow {letter} / \operatorname{{rms}}({letter})"
    return replace(of, id=f"{of.id}_normed", formula=formula, code=code)


def gained(row: Quantity) -> Quantity:
    """The row of a normalisation that also multiplies each feature by a learned gain."""
    gain = f"g_{row.letter}"
    formula = row.formula.replace(r"\leftarrow ", rf"\leftarrow {gain} \odot ")
    return replace(row, formula=formula, code=f"{row.code[:-1]}, {gain})")


QUERIES_NORMED = _normed(QUERIES)
KEYS_NORMED = _normed(KEYS)

FREQUENCIES = Quantity("frequencies", r"\theta", "", ("pair",))
QUERY_POSITIONS = Quantity("query_positions", "p_Q", "", ("query",))
KEY_POSITIONS = Quantity("key_positions", "p_K", "", ("key",))
QUERY_ANGLES = Quantity("query_angles", r"\Phi_Q = p_Q \theta^\top", "Phi_Q = p_Q[:, None] * theta", ("query", "pair"))
KEY_ANGLES = Quantity("key_angles", r"\Phi_K = p_K \theta^\top", "Phi_K = p_K[:, None] * theta", ("key", "pair"))


def _rotation(of: Quantity, turn: str, pairs: str, joined: str) -> Quantity:
    letter = of.letter
    code = (
        f"cos, sin = Phi_{letter}.cos().to({letter}.dtype), Phi_{letter}.sin().to({letter}.dtype);"
        f" a, b = {pairs.format(letter)}; {letter} = {joined.format('(a * cos - b * sin, a * sin + b * cos)')}"
    )
    formula = rf"{letter} \leftarrow {turn}(\Phi_{letter}) \, {letter}"
    return replace(of, id=f"{of.id.removesuffix('_rotated')}_rotated", formula=formula, code=code)


def _half_split(of: Quantity) -> Quantity:
    """Features j and j + d_k / 2 are the coordinates of a point that turns by the angle of its pair."""
    return _rotation(of, "R", "{0}.chunk(2, -1)", "torch.cat({0}, -1)")


def interleaved(row: Quantity) -> Quantity:
    """The row of a rotation whose pairs are neighbours: features 2j and 2j + 1, as in the paper."""
    turn = r"R_{\text{interleaved}}"
    return _rotation(row, turn, "{0}[..., ::2], {0}[..., 1::2]", "torch.stack({0}, -1).flatten(-2)")


def partial(row: Quantity) -> Quantity:
    """The row of a rotation of the first features only, two for each angle; the other features stay as they are."""
    letter, turn = row.letter, row.formula.partition(r"\leftarrow ")[2].partition(r"(\Phi")[0]
    turned = rf"{turn}(\Phi_{letter}) \, {letter}_{{:r}}"
    lines, _, joined = row.code.replace(f"= {letter}", "= turning").rpartition(f"; {letter} = ")
    lines = lines.replace(f"{letter}[..., 1::2]", "turning[..., 1::2]")
    split = f"turning, rest = {letter}.tensor_split([2 * Phi_{letter}.shape[-1]], -1)"
    return replace(
        row,
        formula=rf"{letter} \leftarrow [{turned}; {letter}_{{r:}}]",
        code=f"{split}; {lines}; {letter} = torch.cat(({joined}, rest), -1)",
    )


QUERIES_ROTATED = _half_split(QUERIES)
KEYS_ROTATED = _half_split(KEYS)

PAST_KEYS = Quantity("past_keys", "C_K", "", ("batch", "head", "past", "feature"))
PAST_VALUES = Quantity("past_values", "C_V", "", ("batch", "head", "past", "value"))
KEYS_JOINED = replace(KEYS, id="keys_joined", formula=r"K \leftarrow [C_K; K]", code="K = torch.cat((C_K, K), -2)")
VALUES_JOINED = replace(
    VALUES, id="values_joined", formula=r"V \leftarrow [C_V; V]", code="V = torch.cat((C_V, V), -2)"
)

SCORES = Quantity("scores", r"S = Q K^\top", "S = Q @ K.mT", _PAIRS)
SCALED = Quantity("scaled", r"S \leftarrow S / \sqrt{d_k}", "S = S / math.sqrt(Q.shape[-1])", _PAIRS)
SCALE = Quantity("scale", "c", "", ())
SCALED_BY = replace(SCALED, formula=r"S \leftarrow c\, S", code="S = S * c")

SOFTCAP = Quantity("softcap", r"\kappa", "", ())
SOFTCAPPED = Quantity(
    "softcapped", r"S \leftarrow \kappa \tanh(S / \kappa)", "S = kappa * torch.tanh(S / kappa)", _PAIRS
)
SLOPES = Quantity("slopes", "m", "", ("head",))
BIAS = Quantity(
    "bias",
    r"B_{ij} = -m \, |p_{Q,i} - p_{K,j}|",
    "B = (-m[..., None, None] * (p_Q[:, None] - p_K).abs()).to(S.dtype)",
    _PAIRS,
)
BIASED = Quantity("biased", r"S \leftarrow S + B", "S = S + B", _PAIRS)

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

SINK = Quantity("sink", "z", "", ("head",))
SINK_OF_QUERIES = replace(SINK, formula="z_{i}", axes=("batch", "head", "query"))


def sunk(row: Quantity) -> Quantity:
    """The row of weights whose sum has one more term, e^z: a key that every query sees, and that has no value."""
    return _sunk(row, r"A = \operatorname{softmax}([S, z])", "z[..., None, None]")


def sunk_by_query(row: Quantity) -> Quantity:
    """The row of weights whose sum has one more term e^z, with a z for each query."""
    return _sunk(row, r"A_{ij} = \operatorname{softmax}([S_i, z_i])_j", "z[..., None]")


def _sunk(row: Quantity, formula: str, z: str) -> Quantity:
    scores = "S" if row == WEIGHTS else "S.masked_fill(E, 0)"
    sums = f"torch.cat(({scores}, {z}.expand(*S.shape[:-1], 1)), -1).softmax(-1)[..., :-1]"
    return replace(row, formula=formula, code=row.code.replace(f"{scores}.softmax(-1)", sums))


DROPOUT = Quantity("dropout", "p", "", ())
KEPT = Quantity("kept", r"D_{ij} \sim \operatorname{Bernoulli}(1 - p)", "", _PAIRS, "binary")
DROPPED = Quantity("dropped", r"A \leftarrow A \odot D / (1 - p)", "A = A * D / (1 - p or 1)", _PAIRS, "probability")

LAMBDA = Quantity("lambda", r"\lambda_D", "", ("head_pair",))
LAMBDA_OF_QUERIES = replace(LAMBDA, formula=r"\lambda_D \; (h / 2 \times n)", axes=("batch", "head_pair", "query"))
DIFFERENCE = Quantity(
    "difference",
    r"A_{p} \leftarrow A_{2p-1} - \lambda_D A_{2p}",
    "A = A[..., ::2, :, :] - lambda_D[..., None, None] * A[..., 1::2, :, :]",
    ("batch", "head_pair", "query", "key"),
)
DIFFERENCE_OF_QUERIES = replace(DIFFERENCE, code=DIFFERENCE.code.replace("[..., None, None]", "[..., None]"))

OUTPUT = Quantity("output", "O = A V", "O = A @ V", ("batch", "head", "query", "value"))
CONCAT = Quantity(
    "concat", r"O \leftarrow [O_1; \ldots; O_h]", "O = O.transpose(-3, -2).flatten(-2)", ("batch", "query", "concat")
)
W_G = Quantity("w_g", "W_G", "", ("head", "model", "value"))
W_G_OF_HEADS = replace(W_G, formula=r"W_G \; (h \times d_{\text{model}})", axes=("head", "model"))
GATE = Quantity("gate", "G = X W_G", "G = X.unsqueeze(-3) @ W_G", OUTPUT.axes)
GATE_OF_HEADS = replace(GATE, formula=r"G = W_G X^\top", code="G = W_G @ X.mT", axes=("batch", "head", "query"))
GIVEN_GATE = replace(GATE, formula="G", code="")
GIVEN_GATE_OF_HEADS = replace(GATE_OF_HEADS, formula=r"G \; (h \times n)", code="")
GATED = Quantity("gated", r"O \leftarrow O \odot \sigma(G)", "O = O * G.sigmoid()", OUTPUT.axes)
GATED_BY_HEAD = replace(GATED, code="O = O * G.sigmoid()[..., None]")
W_O = Quantity("w_o", "W_O", "", ("concat", "out"))
B_O = Quantity("b_o", "b_O", "", ("out",))
PROJECTED = Quantity("projected", "Y = O W_O", "Y = O @ W_O", ("batch", "query", "out"))


def as_it_is(row: Quantity) -> Quantity:
    return row


def grouped(row: Quantity) -> Quantity:
    """The row of a step where several query heads share a key and value head; key heads get an axis of their own."""
    if row.id == "scores":
        formula = r"S_{h} = Q_{h} K_{\lceil h / g \rceil}^\top"
        return replace(row, formula=formula, code=f"S = Q @ {_repeated('K')}.mT")
    if row.id == "output":
        return replace(row, formula=r"O_{h} = A_{h} V_{\lceil h / g \rceil}", code=f"O = A @ {_repeated('V')}")
    return replace(row, axes=tuple("kv_head" if axis == "head" else axis for axis in row.axes))


def _repeated(letter: str) -> str:
    heads = "Q" if letter == "K" else "A"
    return f"{letter}.repeat_interleave({heads}.shape[-3] // {letter}.shape[-3], -3)"


def paired(row: Quantity) -> Quantity:
    """The row of a step that successive query heads share in pairs, if the second one is subtracted from the first."""
    return replace(row, axes=tuple("head_pair" if axis == "head" else axis for axis in row.axes))


def fresh(row: Quantity) -> Quantity:
    """The row of a step of the new keys alone, if a cache holds earlier ones."""
    code = KEY_ANGLES.code.replace("[:, None]", "[-K.shape[-2]:, None]") if row.id == "key_angles" else row.code
    return replace(row, code=code, axes=tuple("new" if axis == "key" else axis for axis in row.axes))


def from_context(row: Quantity) -> Quantity:
    """The row of a projection that reads the context C in place of X (cross-attention)."""
    axes = tuple("context" if axis == "model" else axis for axis in row.axes)
    return replace(row, formula=row.formula.replace("X", "C"), code=row.code.replace("X", "C"), axes=axes)


def biased(row: Quantity) -> Quantity:
    """The row of a projection that adds its bias; per head, the bias is a row of features."""
    bias = {"queries": "b_Q", "keys": "b_K", "values": "b_V", "projected": "b_O"}[row.id]
    added = bias if row is PROJECTED else f"{bias}.unsqueeze(-2)"
    return replace(row, formula=f"{row.formula} + {bias}", code=f"{row.code} + {added}")


def _variants(row: Quantity) -> tuple[Quantity, ...]:
    """A row, and the variants that compute the same quantity."""
    rows: tuple[Quantity, ...] = (row,)
    if row.id in ("queries", "keys", "values", "projected") and not row.given:
        rows += (biased(row),)
    if row in (QUERIES_NORMED, KEYS_NORMED):
        rows += (gained(row),)
    if row in (QUERIES_ROTATED, KEYS_ROTATED):
        rows += (interleaved(row),)
        rows += tuple(map(partial, rows))
    if row.id == "weights":
        rows += (sunk(row), sunk_by_query(row))
    new = tuple(map(fresh, rows)) if row.id in _OF_NEW_KEYS else ()
    if row in (W_K, W_V, KEYS, VALUES):
        rows += tuple(map(from_context, rows))
    rows += new
    if row.id in _OF_KEY_HEADS:
        rows += tuple(map(grouped, rows))
    if row in _OF_PAIRS:
        rows += tuple(paired(each) for each in rows if "head" in each.axes)
    return rows


_OF_NEW_KEYS = ("keys", "values", "keys_normed", "key_angles", "keys_rotated")
_OF_KEY_HEADS = (
    *("w_k", "w_v", "b_k", "b_v", "keys", "values", "keys_normed", "keys_rotated", "past_keys", "past_values"),
    *("keys_joined", "values_joined", "scores", "output"),
)
_OF_PAIRS = (
    *(GIVEN_VALUES, PAST_VALUES, VALUES_JOINED, OUTPUT),
    *(GIVEN_GATE, GIVEN_GATE_OF_HEADS, GATED, GATED_BY_HEAD),
)
_ROWS = tuple(row for row in globals().values() if isinstance(row, Quantity))
QUANTITIES: tuple[Quantity, ...] = tuple(variant for row in _ROWS for variant in _variants(row))
IDS: tuple[str, ...] = tuple(dict.fromkeys(row.id for row in QUANTITIES))
