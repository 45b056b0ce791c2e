"""Two texts and the arcs between them: the weights of a word of the first over the second, in all heads."""

from collections.abc import Iterator, Mapping, Sequence

from torch import Tensor

from attention.figures import LIMIT
from attention.inputs.dictionary import found, gloss
from pages.shell.component.arcs import Ask
from pages.shell.component.crossing import Crossing
from pages.shell.i18n import listed, say, with_and
from pages.shell.i18n.numbers import fixed
from pages.shell.runs.run import Run
from pages.shell.runs.run import run as compute
from pages.shell.runs.translating import context_of
from pages.shell.screen import Screen
from pages.shell.state.config import LEARNED
from pages.shell.views import blocks, naming
from pages.shell.views.blocks import Block
from pages.shell.views.steps import focus_of
from pages.shell.views.taken import acting
from pages.shell.views.translated import answers

# A head has found a word with more than this weight on it. The summary tells about at most so many heads.
CLEAR, _MOST = 0.5, 8
_LABELS = (
    *("text", "text_does", "context", "context_does"),
    *("right", "elsewhere", "around", "finds_right", "lost", "gloss_is", "says", "says_short"),
)


def crossing(screen: Screen, own: Mapping[str, object] | None = None) -> Iterator[Block]:
    """The arcs of the chosen word of the first text. A click chooses another one. own: the texts around the second text
    while it is typed over; with them, its words can be moved, too."""
    run, named = screen.run, screen.query()
    query = focus_of(run) if named is None else named
    text, context = texts(run)
    every = run.trace[acting(run)].value[run.sentence, :, :, : len(context)].cpu().float()
    word, meant = run.labels["query"][query], target(run, query)
    asks, told = [], []
    for head, row in enumerate(every[:, query]):
        key = int(row.argmax())
        name = say("cross.stands") if key == meant and float(row[key]) > CLEAR else ""
        asks.append(Ask(head + 1, row.tolist(), name, key if name else -1))
        if head < _MOST and float(row[key]):
            told.append(say("all_heads.most", head=head + 1, weight=fixed(row[key]), key=naming.named(context, key)))
    around, known = _found(run, every), _known(run)
    said = [first for (first, _), _ in answers(run)]
    labels = {name: say(f"cross.label.{name}") for name in _LABELS}
    labels |= {"together": _together(around, known), "clear": say("cross.clear", clear=fixed(CLEAR, 1))}
    drawn = Crossing(
        "crossing",
        say("cross.title", word=word),
        listed("sentence", told) if told else naming.opened(say("arcs.nothing", word=naming.of_query(run, query))),
        text,
        context,
        query,
        asks,
        around,
        hidden(run, query, len(context)),
        [
            say("all_heads.named", head=a.head, question=a.name) if a.name else say("asking.head", head=a.head)
            for a in asks
        ],
        [a.name or say("asking.head", head=a.head) for a in asks],
        [{"cell": f"weights.{at}.0.arcs"} if at < LIMIT else {} for at in range(len(text))],
        labels
        # The browser fills these as a word moves.
        | {"place": say("order.place", place="{{place}}", of="{{of}}"), "keys": say("cross.keys") if own else ""},
        own is not None,
        own,
        [gloss(word) if run.config.preset == LEARNED else "" for word in context],
        meant,
        list(_finds(every, known)),
        [query in known and at < 0 for query, at in enumerate(around)],
        said,
        [query in known and one != context[known[query]].lower() for query, one in enumerate(said)],
    )
    yield blocks.figures(drawn, click={}, drag={"context": "{context}", "cell": "{cell}"} if own else None)


def counted(run: Run) -> str:
    """The number of words of the text whose right word a head finds and, if another order of the context has lost some,
    the lost ones. Empty if the text is its own context, which the layer did not learn."""
    if is_same(run):
        return ""
    lost, text = _lost(run), texts(run)[0]
    found, is_ordered = len(text) - len(lost), len(lost) > len(text) - _first_count(run)
    words = {"words": with_and([naming.quoted(text, query) for query in lost])} if is_ordered else {}
    return say(f"cross.counted.{'ordered' if is_ordered else 'right'}", found=found, n=len(text), **words)


def _lost(run: Run) -> list[int]:
    """The words of the text, from 0, whose right word no head finds."""
    _, context = texts(run)
    found = _found(run, run.trace[acting(run)].value[run.sentence, :, :, : len(context)].cpu())
    return [query for query, at in enumerate(found) if at < 0]


def _first_count(run: Run) -> int:
    """The number of found words if the same words stand in their first order; 0 for other words, or if more than their
    places decides: a mask hides places, and dropout sets them to zero."""
    first = context_of(run.config, "")
    if "mask" in run.trace or run.config.dropout or sorted(first.split()) != sorted(texts(run)[1]):
        return 0
    return len(texts(run)[0]) - len(_lost(compute(run.config, context=first)))


def is_same(run: Run) -> bool:
    """Whether the text is its own context."""
    return run.context is not None and run.context.tokens == run.inputs.tokens


def texts(run: Run) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """The words of the text and of the context, without padding."""
    assert run.context is not None
    first, second = run.labels["query"], run.labels["key"]
    return first[: run.inputs.lengths[run.sentence]], second[: run.context.lengths[run.sentence]]


def hidden(run: Run, query: int, count: int) -> list[bool]:
    """Whether the mask hides each of the first words of the context from a query."""
    if "mask" not in run.trace:
        return [False] * count
    seen: list[bool] = run.matrix("mask")[query, :count].tolist()
    return [not one for one in seen]


def _found(run: Run, every: Tensor) -> list[int]:
    """For each word of the text, the place of the word that means the same if a head has found it, else -1.

    every: the weights (head, query, key).
    """
    text, _ = texts(run)
    targets = [target(run, query) for query in range(len(text))]
    best = every.amax(0)
    return [at if at >= 0 and float(best[query, at]) > CLEAR else -1 for query, at in enumerate(targets)]


def _known(run: Run) -> dict[int, int]:
    """The place of the word that means the same, for each word of the text that has one."""
    return {query: at for query in range(len(texts(run)[0])) if (at := target(run, query)) >= 0}


def _finds(every: Tensor, known: Mapping[int, int]) -> Iterator[str]:
    """For each head, the number of words of the text whose word of the same meaning it has found; nothing if no word
    has one. every: the weights (head, query, key)."""
    for head, weights in enumerate(every) if known else ():
        found = sum(float(weights[query, at]) > CLEAR for query, at in known.items())
        yield say("cross.finds", head=head + 1, found=found, n=len(known))


def _together(around: Sequence[int], known: Mapping[int, int]) -> str:
    """The number of words whose word of the same meaning any head has found. Heads share the work, so the counts of
    each alone look poor."""
    return say("cross.together", found=sum(at >= 0 for at in around), n=len(known)) if known else ""


def target(run: Run, query: int) -> int:
    """The place in the context of the word that means the same as a word of the text; -1 if unknown."""
    text, context = texts(run)
    if run.config.preset != LEARNED or query >= len(text):
        return -1
    return found(text, context)[query]
