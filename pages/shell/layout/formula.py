"""Multi-head attention as one formula (Vaswani et al. 2017, equation 1, section 3.2.2), one part highlighted."""

from pages.shell.runs.run import Run

_PARTS = (("Q", "queries"), ("K", "keys"), ("V", "values"))
# What becomes of them before they meet.
_SINCE = {
    "queries": ("queries_normed", "queries_rotated"),
    "keys": ("keys_normed", "keys_rotated", "past_keys", "keys_joined"),
    "values": ("past_values", "values_joined"),
}
# Black on yellow can be read in light and dark.
_LIT = r"\colorbox{#ffd54f}{\(\textcolor{black}{%s}\)}"


def formula(run: Run, step: str) -> str:
    """The formula as this run has it, in Markdown: MultiHead, one head, and what a head is made from. step: the id of
    the step whose part is lit."""
    trace, heads = run.trace, run.module.heads
    i = "_i" if heads > 1 else ""

    def part(tex: str, *ids: str) -> str:
        return _LIT % tex if step in ids else tex

    def biased(tex: str, letter: str) -> str:
        bias = f"b_{letter.lower()}"
        return f"{tex} + {part(f'b_{letter}', bias)}" if bias in trace else tex

    def made(letter: str, id: str, source: str) -> str:
        weight = part(f"W_{letter}" + (f"^{{({i[1:]})}}" if i else ""), f"w_{letter.lower()}")
        return rf"{part(letter + i, id)} = {biased(f'{source} {weight}', letter)}"

    x = part("X", "x")
    source = part("C", "context") if "context" in trace else x
    q, k, v = (part(letter + i, id, *_SINCE.get(id, ())) for letter, id in _PARTS)
    products = part(rf"{q} {k}^{{\top}}", "scores")
    scaled = part(rf"c \, {products}" if "scale" in trace else rf"{products} / \sqrt{{d_k}}", "scaled")
    mask = part("M", "mask")
    masked = part(f"{scaled} + {mask}", "masked")
    weights = part(rf"\operatorname{{softmax}}({masked})", "weights")
    if "kept" in trace:
        weights = part(rf"\operatorname{{dropout}}({weights})", "kept", "dropped")
    one = part(f"{weights} {v}", "output")
    of = r"\mathrm{head}_1, \ldots, \mathrm{head}_h" if i else r"\mathrm{head}"
    joined, back = part(rf"\operatorname{{Concat}}({of})", "concat"), part("W_O", "w_o")
    multi = part(r"\mathrm{MultiHead}", "projected")
    lines = (
        f"{multi} = {biased(f'{joined} {back}', 'O')}",
        rf"\mathrm{{head}}{i} = {one}",
        r",\ ".join((made("Q", "queries", x), made("K", "keys", source), made("V", "values", source))),
    )
    return ",&emsp;".join(f"${line}$" for line in lines)
