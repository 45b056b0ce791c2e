"""Whose arcs these are, and what becomes of an answer under the same cuts in a layer that learned otherwise."""

from collections.abc import Iterator
from dataclasses import replace
from math import isclose
from typing import NamedTuple

from attention.inputs.learned import Setting
from pages.shell.i18n import say
from pages.shell.runs import learned
from pages.shell.runs.run import Run
from pages.shell.runs.run import run as compute
from pages.shell.screen import Screen
from pages.shell.state.config import TRAINED_PS, Config
from pages.shell.views import asking, head_arcs
from pages.shell.views.dropout.series import rights, series

# The p at which the page asks how often an answer falls.
HALF = 0.5


def trained(p: float) -> str:
    """With which dropout a layer was trained."""
    return say("dropping.layer_with", p=f"{p:.1f}") if p else say("dropping.layer_without")


def of_which(run: Run) -> str:
    """Which layer this is, and with which p it is cut; "" of weights that nobody trained."""
    setting = learned.used(run.config)
    return say("dropping.arcs_of", layer=trained(setting.dropout), cut=_cut(run, setting)) if setting else ""


def compared(run: Run, query: int) -> Iterator[str]:
    """What becomes of an answer that several arcs are for, in this layer and in the one that learned without dropout,
    or with it; nothing where there is no other one, or no such answer."""
    if learned.used(run.config) and _has_both(run.config) and (held := survived(run, query)) and held.left:
        yield from _compared(run, query, held)


def _has_both(config: Config) -> bool:
    return all(replace(learned.sizes(config), dropout=float(p)) in learned.KNOWN for p in TRAINED_PS)


def _cut(run: Run, setting: Setting) -> str:
    """The p of the slider, beside that of the training."""
    p = run.config.dropout
    if run.config.mode != "training" or p == 0:
        return say("dropping.cut_none")
    if isclose(p, setting.dropout):
        return say("dropping.cut_same")
    return say("dropping.cut_other", p=f"{p:.2f}")


class Survived(NamedTuple):
    """A question with the arcs that are for its answer, as pairs of head and key: in how many of all draws one of them
    is left, and after how many of these it is answered rightly; after how many of all it is not."""

    question: int
    arcs: tuple[tuple[int, int], ...]
    draws: int
    left: int
    right: int
    fallen: int


def survived(run: Run, query: int) -> Survived | None:
    """Of the question that most arcs are for; None where it has one."""
    found = rights(run, query)
    made = asking.asks(run, query, len(run.labels["key"]), "weights")
    held = {at: tuple((one.head - 1, one.answer) for one in made if one.name == asking.name_of(at)) for at in found}
    question = max(held, key=lambda at: len(held[at]), default=None)
    if question is None or len(held[question]) < 2:
        return None
    arcs = held[question]
    heads, keys = map(list, zip(*arcs, strict=True))
    alone = (series(run, query)[:, heads, keys] > 0).sum(-1) == 1
    right = found[question]
    return Survived(question, arcs, len(alone), int(alone.sum()), int(right[alone].sum()), int((~right).sum()))


def falls(screen: Screen) -> Survived | None:
    """What becomes of an answer on two arcs if each is cut in half of the draws; None where no answer of the word that
    is looked at has two, or one of them is not enough."""
    half = compute(replace(screen.run.config, dropout=HALF, mode="training"))
    held = survived(half, head_arcs.asked_of(screen))
    return held if held and len(held.arcs) == 2 and held.left == held.right else None


def _compared(run: Run, query: int, held: Survived) -> Iterator[str]:
    """How often one arc is enough, in this layer and, if the same arcs are for the same answer there, in the other."""
    question, arcs = asking.name_of(held.question), len(held.arcs)
    told = {"arcs": arcs, "draws": held.draws, "left": held.left, "right": held.right}
    yield say("dropping.one_left", None, question=question, **told)
    setting = learned.used(run.config)
    assert setting is not None
    p = "0" if setting.dropout else TRAINED_PS[-1]
    other = survived(compute(replace(run.config, trained_p=p)), query)
    if other and (other.question, other.arcs) == (held.question, held.arcs):
        yield say("dropping.one_left_there", layer=trained(float(p)), right=other.right)
