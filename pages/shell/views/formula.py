"""Multi-head attention as one formula (Vaswani et al. 2017, equation 1 and section 3.2.2), one part highlighted.

The modern variants stand at the place of their effect: RMSNorm and RoPE of queries and keys, key heads that query heads
share, the cap, the bias and the sink of the scores.
"""

from collections.abc import Callable

from pages.shell.runs.run import Run

# A mark that views/prose.py reads.
_LIT = r"\textcolor{lit}{%s}"
_ROTATED = {"Q": ("queries_rotated", "query_angles"), "K": ("keys_rotated", "key_angles")}
Part = Callable[..., str]


def formula(run: Run, step: str) -> str:
    """The formula of this run in Markdown: MultiHead, one head, and the origin of queries, keys and values. step: the
    id of the step whose part is lit."""
    trace, heads = run.trace, run.module.heads
    i = "_i" if heads > 1 else ""

    def part(tex: str, *ids: str) -> str:
        return _LIT % tex if step in ids else tex

    of = r"\mathrm{head}_1, \ldots, \mathrm{head}_h" if i else r"\mathrm{head}"
    joined, back = part(rf"\operatorname{{Concat}}({of})", "concat"), part("W_O", "w_o")
    output = rf"{joined} {back}" + (f" + {part('b_O', 'b_o')}" if "b_o" in trace else "")
    x = part("X", "x")
    source = part("C", "context") if "context" in trace else x
    if not run.has_layer:
        return rf"$\mathrm{{head}}{i} = {_head(run, part, i)}$"
    multi = part(r"\mathrm{MultiHead}", "projected")
    lines = (
        f"{multi} = {output}",
        rf"\mathrm{{head}}{i} = {_head(run, part, i)}",
        r",\ ".join(_made(run, part, letter, source if letter != "Q" else x) for letter in "QKV"),
    )
    return ",&emsp;".join(f"${line}$" for line in lines)


def _head(run: Run, part: Part, i: str) -> str:
    """The formula of one head from its queries, keys and values."""
    trace, heads, kv_heads = run.trace, run.module.heads, run.module.kv_heads
    # A single key head has no index.
    j = i if kv_heads == heads else rf"_{{\lceil i / {heads // kv_heads} \rceil}}" if kv_heads > 1 else ""
    q, k, v = part(f"Q{i}", "queries"), part(f"K{j}", "keys", "keys_joined"), part(f"V{j}", "values", "values_joined")
    scores = part(rf"{q} {k}^{{\top}}", "scores")
    scores = part(rf"c \, {scores}" if "scale" in trace else rf"{scores} / \sqrt{{d_k}}", "scaled")
    if "softcapped" in trace:
        scores = part(rf"\kappa \tanh({scores} / \kappa)", "softcapped")
    if "biased" in trace:
        scores = part(f"{scores} + {part('B', 'bias', 'slopes', 'query_positions', 'key_positions')}", "biased")
    scores = part(f"{scores} + {part('M', 'mask')}", "masked")
    summed = f"[{scores}, {part('z', 'sink')}]" if "sink" in trace else scores
    weights = part(rf"\operatorname{{softmax}}({summed})", "weights")
    if "kept" in trace:
        weights = part(rf"\operatorname{{dropout}}({weights})", "kept", "dropped")
    return part(f"{weights} {v}", "output")


def _made(run: Run, part: Part, letter: str, source: str) -> str:
    """The origin of queries, keys or values, and their changes before the scores."""
    trace, heads = run.trace, run.module.heads
    of_these = heads if letter == "Q" else run.module.kv_heads
    index = "" if of_these == 1 else "i" if of_these == heads else "j"
    id, small = {"Q": "queries", "K": "keys", "V": "values"}[letter], letter.lower()
    of, own = (f"_{index}", f"^{{({index})}}") if index else ("", "")
    made = f"{source} {part(f'W_{letter}{own}', f'w_{small}')}"
    if f"b_{small}" in trace:
        made = f"{made} + {part(f'b_{letter}', f'b_{small}')}"
    if f"{id}_normed" in trace:
        made = part(rf"\operatorname{{RMSNorm}}({made})", f"{id}_normed", f"g_{small}")
    if f"{id}_rotated" in trace:
        positions = {"Q": "query_positions", "K": "key_positions"}[letter]
        made = part(rf"\operatorname{{RoPE}}({made})", *_ROTATED[letter], positions, "frequencies")
    if f"{id}_joined" in trace:
        made = part(f"[{part(f'C_{letter}', f'past_{id}')}; {made}]", f"{id}_joined")
    return f"{part(letter + of, id)} = {made}"
