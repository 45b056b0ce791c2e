"""Claims about two texts."""

from attention.inputs.dictionary import found
from pages.shell.runs.run import run
from pages.shell.runs.translating import context_of
from pages.shell.screen import Screen
from tests.support.claims.claim import Values, claim, number


@claim("cross.sums", "cross_attention.sums", {})
def _(screen: Screen, values: Values) -> bool:
    sums = screen.run.matrix("weights").double().sum(-1)
    return int(((sums - 1).abs() < 1e-5).sum()) == number(values["seeing"]) and len(sums) == number(values["n_q"])


def _finds(screen: Screen, context: str) -> int:
    """Of how many words of the text a head puts more than half of its weight on the right one."""
    shown = run(screen.run.config, context=context)
    weights = shown.trace["weights"].value[0]
    targets = found(shown.labels["query"], context.split())
    return sum(to >= 0 and float(weights[:, row, to].max()) > 0.5 for row, to in enumerate(targets))


@claim(
    "cross.counted.ordered",
    "cross_attention.guess_place",
    {"context": "à coruja a a traz raposa hoje velha galinha tímida"},
    {"context": "raposa coruja traz galinha velha a hoje tímida à a", "heads": "2"},
)
def _(screen: Screen, values: Values) -> bool:
    now, first = screen.parameters.get("context", ""), context_of(screen.config, "")
    here = _finds(screen, now)
    return sorted(now.split()) == sorted(first.split()) and number(values["found"]) == here < _finds(screen, first)
