"""The worksheets of a screen: a page to print, first the sheets with blanks, then their answers."""

from typing import Any

from attention.export.worksheet import MOST_TOKENS, sheet
from pages.shell.exports.document import document
from pages.shell.exports.printer import Printer, numbers
from pages.shell.i18n import say
from pages.shell.runs.run import Run, run
from pages.shell.state.config import Config
from pages.shell.views.files import MOST_SHEETS


def made(config: Config, count: int, language: str, link: str, back: bool = False) -> str:
    """The page of `count` sheets; the number of the first one is the seed of the screen.

    The sheets use the first tokens of the shown sentence, and the mask and the scale of the screen. link: the address
    of the screen; back: whether each sheet has a page on the gradients of its scores.
    """
    shown = run(config.all_asking(), record_mask=True)
    tokens = shown.tokens[: min(MOST_TOKENS, shown.inputs.lengths[shown.sentence])]
    mask = shown.trace["mask"].of(**shown.where)[: len(tokens), : len(tokens)].cpu()
    seeds = range(config.seed, config.seed + min(max(count, 1), MOST_SHEETS))
    given = {"mask": None if mask.all() else mask, "scale": config.scale} | ({} if back else variant(shown))
    sheets = [sheet(seed, len(tokens), **given) for seed in seeds]
    printer = Printer(language, tokens, back)
    title = f"{say('worksheet.title', language)} {numbers(seeds.start, len(seeds))}"
    return document("worksheet", title, printer.everything(sheets, link), language)


def variant(run: Run) -> dict[str, Any]:
    """The later variants of a run that can be computed by hand, as keywords of `sheet`, for the shown head."""
    steps = {"softcap": "softcap", "slope": "slopes", "sink": "sink"}
    return {name: float(run.trace[id].of(head=run.head)) for name, id in steps.items() if id in run.trace}


def name(config: Config, count: int) -> str:
    """The name of the file."""
    return f"attention-worksheet-{numbers(config.seed, count).replace('–', '-')}.html"
