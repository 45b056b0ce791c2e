"""Five attributions of one number side by side, and how far they agree; each cell can be asked how it came about."""

from torch import Tensor

from attention.analysis.attribution import METHODS, Attribution
from attention.explain import attributed
from attention.explain.explanation import Explanation
from attention.figures import LIMIT, heatmap_of
from pages.shell.component.heatmap import Figure
from pages.shell.i18n import listed, say
from pages.shell.i18n.numbers import apart, digits, fixed
from pages.shell.layout import figure_rows
from pages.shell.runs.run import Run

# Midpoints of the integral: on the screens of the presets the sum is right to three digits.
STEPS = 64


def names() -> list[str]:
    """What the methods are called, in their order."""
    return [say(f"backward.method.{name}") for name in METHODS]


def figures(run: Run, found: Attribution, what: str, key: str) -> None:
    """The shares of the keys and the agreement of the methods. what: the sentence on the number that is attributed."""
    methods, keys = names(), run.labels["key"][:LIMIT]
    largest = found.values.abs().amax(1)
    # Each on its own scale: what is compared is which word has how much of it.
    shares = found.values / largest[:, None].clamp_min(1e-30)
    labels = {"key": run.labels["key"]}

    def of_share(row: int, column: int) -> Explanation:
        operands = [each[column] for each in found.operands[row]]
        return attributed.share(METHODS[row], operands, float(largest[row]))

    def of_agreement(row: int, column: int) -> Explanation:
        return attributed.rank_correlation(found.ranks[row], found.ranks[column], (methods[row], methods[column]))

    shown = heatmap_of("attribution", shares, "operand", "key")
    agree = heatmap_of("agreement", found.agreement, "operand", "operand")
    figure_rows.row(
        key,
        figure_rows.ExplainedHeatmap(
            run,
            Figure(shown, say("backward.attribution.figure"), methods, keys, _said(run, found, what)),
            of_share,
            labels,
        ),
        figure_rows.ExplainedHeatmap(
            run,
            Figure(agree, say("backward.attribution.agreement"), methods, methods, _least(found.agreement, methods)),
            of_agreement,
            labels,
        ),
    )


def _said(run: Run, found: Attribution, what: str) -> str:
    """The number, whether the integrated gradients are complete, and who is given most."""
    keys = run.labels["key"]
    largest = [keys[int(values.abs().argmax())] for values in found.values]
    told = say(
        "backward.attribution.complete",
        sum=digits(float(found.of("integrated").sum()), 4),
        change=digits(found.change, 4),
        gap=apart(found.gap),
        largest=listed("comma", dict.fromkeys(largest)),
    )
    return listed("sentence", (what, told))


def _least(agreement: Tensor, methods: list[str]) -> str:
    """The two methods that agree least."""
    first, second = divmod(int(agreement.argmin()), len(methods))
    value = fixed(float(agreement[first, second]))
    return say("backward.attribution.least", first=methods[first], second=methods[second], value=value)
