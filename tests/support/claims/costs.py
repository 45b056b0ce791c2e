"""Claims about costs."""

import math

from attention.published_layers import PUBLISHED_LAYERS
from pages.shell.i18n.numbers import binary
from pages.shell.screen import Screen
from pages.shell.state.todays_controls import Costs
from tests.support.claims.claim import Values, claim, number


@claim("costs.wrong", "costs.shares")
def _(screen: Screen, values: Values) -> bool:
    """Per token of a layer, products with matrices take 24 d² operations, scores and their sums 4 n d."""
    d, n = 768, 1024
    return (
        number(values["share"]) == round(100 * 4 * n * d / (24 * d * d + 4 * n * d))
        and number(values["from_n"]) == 6 * d
    )


@claim(
    "costs.sheet.note",
    "costs.sheet",
    {},
    {"cost_model": "llama3", "cost_n": "65536"},
    {"cost_model": "own"},
)
def _(screen: Screen, values: Values) -> bool:
    """Per token, pairs take 2 n h (d_k + d_v) operations; the rest is twice the number of weights."""
    chosen, own = screen.own(Costs), screen.run.module
    n = int(chosen.cost_n)
    width, rest = {
        "gpt2": (12 * 128, 4 * 768 * 768 + 8 * 768 * 768),
        "llama3": (32 * 256, 2 * 4096 * 4096 + 2 * 4096 * 1024 + 3 * 4096 * 14336),
        "own": (
            own.heads * (own.d_k + own.d_v),
            own.d_model * (2 * own.heads * (own.d_k + own.d_v) + 8 * own.d_model),
        ),
    }[chosen.cost_model]
    part = n * width / (n * width + rest)
    return number(values["n"]) == n and math.isclose(number(values["share"].rstrip("%")) / 100, part, abs_tol=0.006)


@claim(
    "costs.sheet.half_at",
    "costs.sheet",
    {"cost_n": "8192"},
    {"cost_n": "2048", "guess": "costs.same"},
    {"cost_model": "llama3", "cost_n": "131072"},
)
def _(screen: Screen, values: Values) -> bool:
    """A text of that length has pairs that cost as much as the rest of the layer."""
    chosen, own = screen.own(Costs), screen.run.module
    width = own.heads * (own.d_k + own.d_v)
    half = {
        "gpt2": 12 * 768 * 768 / (12 * 128),
        "llama3": (2 * 4096 * 5120 + 3 * 4096 * 14336) / (32 * 256),
        "own": own.d_model * (2 * width + 8 * own.d_model) / width,
    }
    return math.isclose(number(values["half"]), half[chosen.cost_model], abs_tol=0.51)


@claim("costs.sheet.half_of", "costs.guess_costs", {"guess": "costs.larger"}, {"guess": "costs.same"})
def _(screen: Screen, values: Values) -> bool:
    """Per token the rest has 12 d² weights in GPT-2 small, and in Llama-3-8B those of `half_at`; pairs have 2 d n."""
    d, n, times = (number(values[name]) for name in ("d", "n", "times"))
    weights = {768: 12 * 768 * 768, 4096: 2 * 4096 * 5120 + 3 * 4096 * 14336}[int(d)]
    return n == times * d == weights / (2 * d)


@claim("costs.sheet.beyond", "costs.sheet", {"cost_n": "2048"}, {"cost_model": "llama3", "cost_n": "131072"})
def _(screen: Screen, values: Values) -> bool:
    """The entries of both models' config.json: n_positions, and max_position_embeddings."""
    chosen = screen.own(Costs)
    context = {"gpt2": 1024, "llama3": 8192}[chosen.cost_model]
    return number(values["context"]) == context < int(chosen.cost_n)


@claim("costs.means.pairs", "costs.sheet", {"cost_n": "2048"})
def _(screen: Screen, values: Values) -> bool:
    n = int(screen.own(Costs).cost_n)
    return number(values["count"]) == sum(n for _ in range(n))


@claim("costs.sheet.one_scale", "costs.sheet", {"cost_n": "16"}, {"cost_model": "llama3", "cost_n": "32"})
def _(screen: Screen, values: Values) -> bool:
    return number(values["most"]) >= int(screen.own(Costs).cost_n)


@claim("costs.sheet.smaller", "costs.sheet", {"cost_n": "16384"}, {"cost_model": "llama3", "cost_n": "131072"})
def _(screen: Screen, values: Values) -> bool:
    """In the frame of this scale a text that is as many times as long has room."""
    n, before = int(screen.own(Costs).cost_n), number(values["before"])
    return before < n <= before * number(values["times"])


@claim("costs.strips.shares", "costs.strips", {}, {"cost_n": "65536"})
def _(screen: Screen, values: Values) -> bool:
    """The number comes from the entry of the configuration for the last layers that read others' keys and values."""
    found = [one.config for one in PUBLISHED_LAYERS if one.name == values["model"]]
    if not found:
        # The model is the visitor's own.
        return number(values["own"]) < number(values["layers"])
    layers = found[0]["num_hidden_layers"]
    own = layers - found[0]["num_kv_shared_layers"]
    wanted = number(values["own"]), number(values["layers"]), number(values["share"].rstrip("%"))
    return wanted == (own, layers, round(100 * own / layers))


@claim("costs.strips.note", "costs.strips", {}, {"cost_n": "65536"}, {"cost_n": "16"})
def _(screen: Screen, values: Values) -> bool:
    """The models that keep the most and the least, summed layer by layer."""
    tokens = int(screen.own(Costs).cost_n)
    kept = {
        one.name: sum(0 if layer.of is not None else layer.kept(tokens) for layer in one.strip.layers)
        for one in PUBLISHED_LAYERS
    }
    if screen.own(Costs).cost_config:
        return number(values["n"]) == tokens
    most, least = max(kept.values()), min(kept.values())
    return (
        number(values["n"]) == tokens
        and kept[values["large"]] == most
        and kept[values["small"]] == least
        and (values["most"], values["least"]) == (binary(2 * most), binary(2 * least))
    )
