"""Five attributions of one number side by side, and how far they agree; each cell can be asked how it came about."""

import torch

from attention.analysis.attribution import METHODS, Attribution
from attention.explain import attributed
from attention.explain.explanation import Explanation
from attention.figures import LIMIT, heatmap_of
from pages.shell.component.heatmap import Figure
from pages.shell.i18n import listed, say
from pages.shell.i18n.numbers import apart, digits, fixed
from pages.shell.runs.run import Run
from pages.shell.views.explained import ExplainedHeatmap


def names() -> list[str]:
    """The names of the methods, in their order."""
    return [say(f"backward.method.{name}") for name in METHODS]


def figures(run: Run, found: Attribution, what: str) -> tuple[ExplainedHeatmap, ExplainedHeatmap]:
    """The shares of the keys and the agreement of the methods. what: the sentence on the number that is attributed."""
    methods, keys = names(), run.labels["key"][:LIMIT]
    largest = found.values.abs().amax(1)
    # Each row has its own scale, because the shares of the words are compared.
    shares = found.values / largest[:, None].clamp_min(1e-30)
    labels = {"key": run.labels["key"]}

    def of_share(row: int, column: int) -> Explanation:
        operands = [each[column] for each in found.operands[row]]
        return attributed.share(METHODS[row], operands, float(largest[row]))

    def of_agreement(row: int, column: int) -> Explanation:
        return attributed.rank_correlation(found.ranks[row], found.ranks[column], (methods[row], methods[column]))

    shown = heatmap_of("attribution", shares, "method", "key")
    agree = heatmap_of("agreement", found.agreement, "method", "method")
    shares_of = Figure(shown, say("backward.attribution.figure"), methods, keys, summary(run, found, what))
    agreement = Figure(agree, say("backward.attribution.agreement"), methods, methods, least(found, methods))
    return (
        ExplainedHeatmap(run, shares_of, of_share, labels),
        ExplainedHeatmap(run, agreement, of_agreement, labels),
    )


def summary(run: Run, found: Attribution, what: str) -> str:
    """The number, whether the integrated gradients are complete, and the word that is given most, if any is."""
    keys = run.labels["key"]
    largest = [keys[int(values.abs().argmax())] for values in found.values if values.any()]
    told = say(
        "backward.attribution.complete",
        sum=digits(float(found.of("integrated").sum()), 4),
        change=digits(found.change, 4),
        gap=apart(found.gap),
    )
    most = say("backward.attribution.most", largest=listed("comma", dict.fromkeys(largest))) if largest else ""
    return listed("sentence", filter(None, (what, told, most)))


def least(found: Attribution, methods: list[str]) -> str:
    """The two methods that agree least, among those that rank the keys."""
    ranks = (found.ranks != found.ranks[:, :1]).any(-1)
    if int(ranks.sum()) < 2:
        return say("backward.attribution.unranked")
    agreement = found.agreement.masked_fill(~(ranks[:, None] & ranks), torch.inf)
    first, second = divmod(int(agreement.argmin()), len(methods))
    value = fixed(float(agreement[first, second]))
    return say("backward.attribution.least", first=methods[first], second=methods[second], value=value)
