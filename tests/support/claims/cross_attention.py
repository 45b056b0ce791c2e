"""Claims about two texts."""

from attention.inputs.dictionary import found
from pages.shell.runs.run import run
from pages.shell.runs.translating import context_of
from pages.shell.screen import Screen
from pages.shell.views.crossing import texts
from pages.shell.views.head_arcs import asked_of
from pages.shell.views.taken import acting
from tests.support.claims.claim import Values, claim, near, number


@claim("cross.sums", "cross_attention.sums", {})
def _(screen: Screen, values: Values) -> bool:
    sums = screen.run.matrix("weights").double().sum(-1)
    return int(((sums - 1).abs() < 1e-5).sum()) == number(values["seeing"]) and len(sums) == number(values["n_q"])


def _finds(screen: Screen, context: str) -> int:
    """The number of words of the text with more than half of some head's weight on the right word."""
    shown = run(screen.run.config, context=context)
    weights = shown.trace["weights"].value[0]
    targets = found(shown.labels["query"], context.split())
    return sum(to >= 0 and float(weights[:, row, to].max()) > 0.5 for row, to in enumerate(targets))


@claim(
    "cross.counted.ordered",
    "cross_attention.guess_dropped",
    {"context": "à coruja a a traz raposa hoje velha galinha tímida"},
    {"context": "raposa coruja traz galinha velha a hoje tímida à a", "heads": "2"},
)
def _(screen: Screen, values: Values) -> bool:
    now, first = screen.parameters.get("context", ""), context_of(screen.config, "")
    here = _finds(screen, now)
    return sorted(now.split()) == sorted(first.split()) and number(values["found"]) == here < _finds(screen, first)


@claim(
    "cross.outputs", "cross_attention.guess_dropped", {"guess": "dropped.same"}, {"guess": "dropped.fewer", "heads": 2}
)
def _(screen: Screen, values: Values) -> bool:
    n_q, n_k = screen.run.trace["weights"].value.shape[-2:]
    outputs = screen.run.trace["projected"].value.shape[1]
    return (number(values["n_q"]), number(values["n_k"])) == (n_q, n_k) and outputs == n_q


def _taken(screen: Screen) -> list[float]:
    """The weight of each head on the word that means the same as the asking word."""
    shown, query = screen.run, asked_of(screen)
    text, context = texts(shown)
    taken: list[float] = (
        shown.trace[acting(shown)].value[shown.sentence, :, query, found(text, context)[query]].tolist()
    )
    return taken


@claim("cross.said.right_unfound", "cross_attention.told", {"heads": 2, "d_k": "1", "cell": "weights.7.0.arcs"})
def _(screen: Screen, values: Values) -> bool:
    return max(_taken(screen)) <= 0.5


@claim(
    "cross.said.wrong_taken",
    "cross_attention.told",
    {
        "heads": 2,
        "d_k": "4",
        "cell": "weights.0.0.arcs",
        "context": "tímida galinha à coruja a traz velha raposa a hoje",
    },
)
def _(screen: Screen, values: Values) -> bool:
    """The named head has this weight on the right word."""
    weight = _taken(screen)[int(values["head"]) - 1]
    return near(values["weight"], weight) and weight > 0.5
