"""A word under a mask: the arcs that are left, and those that the mask removes."""

from collections.abc import Iterator

from attention.figures import LIMIT
from pages.shell.component.arcs import Ask
from pages.shell.component.head_arcs import HeadArcs
from pages.shell.i18n import say
from pages.shell.runs.run import Run
from pages.shell.runs.run import run as compute
from pages.shell.screen import Screen
from pages.shell.views import asking, blocks, head_arcs
from pages.shell.views.blocks import Block
from pages.shell.views.crossing import crossing

# The least weight whose arc is drawn (browser/head_arcs.js).
_DRAWN = 0.1
# The least share that is not written as 0%.
_TOLD = 0.005


def arcs(screen: Screen) -> Iterator[Block]:
    """The arcs of the selected word. A click on another word selects that."""
    if screen.run.context is not None:
        yield from crossing(screen)
        return
    run, query = screen.run, head_arcs.asked_of(screen)
    tokens = run.labels["key"]
    earlier = len(tokens) - len(run.labels["query"])
    focus, word = query + earlier, run.labels["query"][query]
    shown = max(run.inputs.lengths[run.sentence], focus + 1)
    made = asking.asks(run, query, shown, "weights")
    hidden = [at for at in _hidden(run, query) if at < shown]
    # The same layer without a mask: its weights on the words that are hidden.
    whole = (
        compute(run.config, unmasked=True)
        .trace["weights"]
        .of_heads(run.module.heads, batch=run.sentence)[:, query, :shown]
        .cpu()
    )
    lost = [[float(row[at]) if at in hidden else 0.0 for at in range(shown)] for row in whole]
    drawn = HeadArcs(
        "seen",
        say("mask.seen_title", word=word),
        _said(word, hidden, lost, made, focus),
        tokens[:shown],
        focus,
        run.head,
        made,
        [_named(one, head_arcs.named(one.head, one.name), focus) for one in made],
        [_named(one, one.name or head_arcs.named(one.head, ""), focus) for one in made],
        [],
        [{"cell": f"weights.{at - earlier}.0.seen"} if 0 <= at - earlier < LIMIT else {} for at in range(shown)],
        hidden=hidden,
        lost=lost,
        fills=True,
        ahead=say("mask.unwritten"),
    )
    yield blocks.figures(drawn, click={})


def _hidden(run: Run, query: int) -> list[int]:
    return (~run.matrix("mask")[query]).nonzero().flatten().tolist() if "mask" in run.trace else []


def _named(of: Ask, name: str, focus: int) -> str:
    """The name of a head beside its arc, marked as a loop if the word itself has the largest weight."""
    weights = list(of.weights)
    return say("mask.itself", name=name) if weights[focus] == max(weights) > 0 else name


def _said(word: str, hidden: list[int], lost: list[list[float]], made: list[Ask], focus: int) -> str:
    """Whether the word reads ahead, or else what the mask keeps from it. hidden: words, from 0; lost: by head, the
    weight that the mask removes at each word; made: each head's weights under it; focus: the word itself, from 0."""
    taken = [each for row in lost for each in row]
    ahead = sum(sum(one.weights[focus + 1 :]) for one in made) / len(made)
    # A picture with pale arcs needs the sentence that explains them.
    if ahead >= _TOLD and max(taken) < _DRAWN:
        return say("mask.seen_ahead", word=word, share=f"{ahead:.0%}")
    if not hidden:
        return say("mask.seen_all", word=word)
    if len(hidden) == len(lost[0]):
        return say("mask.seen_none", word=word)
    share = f"{sum(taken) / len(lost):.0%}"
    case = "pale" if max(taken) >= _DRAWN else "some"
    # Some painted masks hide only a part of the later words.
    later = "_later" if hidden == list(range(focus + 1, len(lost[0]))) else ""
    return say(f"mask.seen_{case}{later}", word=word, share=share)


def sees(run: Run) -> str:
    """The words that a word sees under the mask of a plain run."""
    config = run.config
    name, is_window = config.mask.replace(" & ", "_"), config.mask.endswith("window")
    # The width counts the word itself.
    beside = config.width - 1
    if is_window and not beside:
        return say("mask.sees.window_one")
    reach = say("mask.sees.reach.many", count=beside) if beside > 1 else say("mask.sees.reach.one")
    return say(f"mask.sees.{name}", reach=reach, length=config.length)


def is_plain(run: Run) -> bool:
    """Whether a mask hides what its name says: nothing is painted or padded, and each query stands at its own place."""
    lengths, keys = run.keys.lengths, run.trace.sizes["key"]
    pads = run.config.padding and min(lengths) < keys
    return not run.config.painted and not pads and run.trace.sizes["query"] == keys
