"""Five attributions of one number side by side, where a row of a page draws them."""

from attention.analysis.attribution import Attribution
from pages.shell.layout import figure_rows
from pages.shell.runs.attribution import STEPS
from pages.shell.runs.run import Run
from pages.shell.views import attribution

__all__ = ["STEPS", "figures"]


def figures(run: Run, found: Attribution, what: str, key: str) -> None:
    """As of `views.attribution`. key: what the address calls this part of the page."""
    figure_rows.row(key, *attribution.figures(run, found, what))
