"""Claims about costs."""

import math
from collections.abc import Callable

from attention.published_layers import PUBLISHED_LAYERS
from pages.shell.i18n.numbers import binary
from pages.shell.screen import Screen
from pages.shell.state.guesses import Guesses
from pages.shell.state.todays_controls import Costs
from tests.support.claims.claim import Values, claim, number

# For each model: multiplications of a pair, weights of the projections, and weights of the feed-forward part.
SIZES = {
    "gpt2": (12 * 128, 4 * 768 * 768, 8 * 768 * 768),
    "llama3": (32 * 256, 2 * 4096 * 5120, 3 * 4096 * 14336),
}


def is_written(written: str, part: float) -> bool:
    """Whether a text prints this part in whole per cent."""
    if written == "<1%":
        return 0 < part < 0.00501
    return part > 0.99499 if written == ">99%" else math.isclose(number(written), 100 * part, abs_tol=0.501)


def sizes(screen: Screen) -> tuple[int, int, int]:
    own = screen.run.module
    width = own.heads * (own.d_k + own.d_v)
    toy = width, 2 * own.d_model * width, 8 * own.d_model * own.d_model
    return {**SIZES, "own": toy}[screen.own(Costs).cost_model]


@claim("costs.wrong", "costs.shares", {}, {"cost_model": "llama3"}, {"cost_model": "own"})
def _(screen: Screen, values: Values) -> bool:
    """In the longest text, a token costs as many pairs as the text has tokens, and every weight once."""
    name = {"Llama-3-8B": "llama3"}.get(values["model"], "gpt2")
    pair, *weights = SIZES[name]
    n = {"gpt2": 1024, "llama3": 8192}[name]
    part = n * pair / (n * pair + sum(weights))
    return number(values["share"]) == round(100 * part) and number(values["from_n"]) == sum(weights) / pair


@claim(
    "costs.sheet.note",
    "costs.sheet",
    {},
    {"cost_model": "llama3", "cost_n": "65536"},
    {"cost_model": "own"},
)
def _(screen: Screen, values: Values) -> bool:
    """A token costs n pairs, and every weight once."""
    n, (pair, *weights) = int(screen.own(Costs).cost_n), sizes(screen)
    part = n * pair / (n * pair + sum(weights))
    return number(values["n"]) == n and is_written(values["share"], part)


@claim(
    "costs.sheet.half_at",
    "costs.sheet",
    {"cost_n": "8192"},
    {"cost_n": "2048", "guess": "costs.same"},
    {"cost_n": "512", "guess": "half_gpt2.512"},
    {"cost_model": "llama3", "cost_n": "131072"},
)
def _(screen: Screen, values: Values) -> bool:
    """In a text of the named length, pairs cost as much as the rest of the layer."""
    pair, *weights = sizes(screen)
    return math.isclose(number(values["half"]), sum(weights) / pair, abs_tol=0.51)


@claim("costs.sheet.half_of", "costs.guess_costs", {"guess": "costs.larger"}, {"guess": "costs.same"})
def _(screen: Screen, values: Values) -> bool:
    """Per token the rest has 12 d² weights in GPT-2 small, and in Llama-3-8B those of `half_at`; pairs have 2 d n."""
    d, n, times = (number(values[name]) for name in ("d", "n", "times"))
    weights = {768: 12 * 768 * 768, 4096: 2 * 4096 * 5120 + 3 * 4096 * 14336}[int(d)]
    return n == times * d == weights / (2 * d)


@claim("costs.sheet.beyond", "costs.sheet", {"cost_n": "2048"}, {"cost_model": "llama3", "cost_n": "131072"})
def _(screen: Screen, values: Values) -> bool:
    """The named context is the entry of the model's config.json: n_positions or max_position_embeddings."""
    chosen = screen.own(Costs)
    context = {"gpt2": 1024, "llama3": 8192}[chosen.cost_model]
    return number(values["context"]) == context < int(chosen.cost_n)


@claim("costs.counts.pairs", "costs.operations", {"cost_n": "2048"}, {"cost_model": "own"})
def _(screen: Screen, values: Values) -> bool:
    n = int(screen.own(Costs).cost_n)
    return number(values["count"]) == sum(n for _ in range(n)) and number(values["each"]) == sizes(screen)[0]


@claim("costs.counts.rest", "costs.operations", {"cost_n": "2048"}, {"cost_model": "llama3"})
def _(screen: Screen, values: Values) -> bool:
    return number(values["n"]) == int(screen.own(Costs).cost_n) and number(values["each"]) in sizes(screen)[1:]


@claim("costs.sheet.before", "costs.sheet", {"cost_n": "16384"}, {"cost_model": "llama3", "cost_n": "65536"})
def _(screen: Screen, values: Values) -> bool:
    """The frame is the picture before, up to the named length, which is below the chosen one. Zoomed out, the picture
    ends at 131,072 tokens, the longest text, or before."""
    before, times = number(values["before"]), number(values["times"])
    return before < int(screen.own(Costs).cost_n) <= before * times <= 131_072


def by_hand(screen: Screen) -> float:
    """The days that one layer takes at one multiplication a second."""
    n, (pair, *weights) = int(screen.own(Costs).cost_n), sizes(screen)
    return n * (n * pair + sum(weights)) / (24 * 60 * 60)


@claim("costs.sheet.years", "costs.operations", {}, {"cost_model": "llama3", "cost_n": "16"})
def _(screen: Screen, values: Values) -> bool:
    # From a million on, the number is written with a word.
    written, years = values["years"].split()[0].replace(",", ""), by_hand(screen) / 365.25
    return years >= 1e6 or math.isclose(float(written), years, rel_tol=0.06)


@claim("costs.sheet.days", "costs.operations", {"cost_model": "own", "cost_n": "256"})
def _(screen: Screen, values: Values) -> bool:
    return math.isclose(number(values["days"]), by_hand(screen), rel_tol=0.06)


def guessed(screen: Screen) -> tuple[int, float, Callable[[int], float]]:
    """The guess's shorter length, the length where pairs cost half, and a function for their share at a length."""
    pair, *weights = sizes(screen)
    length = int(screen.own(Guesses).by_question[f"half_{screen.own(Costs).cost_model}"])
    return length, sum(weights) / pair, lambda n: n * pair / (n * pair + sum(weights))


@claim(
    "costs.guessed.why",
    "costs.sheet",
    {"cost_model": "own", "preset": "random", "d_model": 48, "d_k": 32, "d_v": 8, "guess": "half_own.4096"},
)
def _(screen: Screen, values: Values) -> bool:
    """A token costs as many pairs as the text has tokens, and every weight once."""
    return abs(number(values["half"]) - guessed(screen)[1]) < 0.51


@claim(
    "costs.guessed.why_width",
    "costs.sheet",
    {"guess": "half_gpt2.4096"},
    {"guess": "half_gpt2.512"},
    {"cost_model": "llama3", "guess": "half_llama3.65536"},
    {"cost_model": "own", "cost_n": "16", "guess": "half_own.64"},
)
def _(screen: Screen, values: Values) -> bool:
    """The pairs that cost as much as all weights are the named multiple of the model's width."""
    width = {"gpt2": 768, "llama3": 4096}.get(screen.own(Costs).cost_model, screen.run.module.d_model)
    _, half, _ = guessed(screen)
    times, said, d = (number(values[name]) for name in ("times", "half", "d"))
    return said == half == times * d and d == width


@claim("costs.guessed.early", "costs.sheet", {"guess": "half_gpt2.2048"})
def _(screen: Screen, values: Values) -> bool:
    length, half, share = guessed(screen)
    return number(values["n"]) == 2 * length < half and is_written(values["share"], share(2 * length))


@claim("costs.guessed.late", "costs.sheet", {"guess": "half_gpt2.8192"}, {"guess": "half_gpt2.65536"})
def _(screen: Screen, values: Values) -> bool:
    length, half, share = guessed(screen)
    return number(values["n"]) == length > half and is_written(values["share"], share(length))


@claim("costs.strips.shares", "costs.strips", {}, {"cost_n": "65536"})
def _(screen: Screen, values: Values) -> bool:
    """The number comes from the configuration's entry for the last layers that read keys and values of other layers."""
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
    """The named models keep the most and the fewest numbers, summed layer by layer."""
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
