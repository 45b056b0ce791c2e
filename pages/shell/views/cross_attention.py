"""Cross-attention: queries from one text, keys and values from another, rectangular weights, and context = x."""

from collections.abc import Iterator, Mapping
from random import Random

from attention.experiments.translation import KINDS
from attention.inputs.dictionary import BOTH, MEANINGS
from pages.shell.i18n import listed, say
from pages.shell.i18n.numbers import apart, share
from pages.shell.runs import translating
from pages.shell.runs.run import Run
from pages.shell.runs.run import run as compute
from pages.shell.runs.translating import context_of
from pages.shell.screen import Screen
from pages.shell.state.config import LEARNED
from pages.shell.state.page_controls import CROSS, CrossAttention
from pages.shell.views import blocks, head_arcs, steps, translation
from pages.shell.views import ledger as ledgers
from pages.shell.views.blocks import Block
from pages.shell.views.crossing import crossing, is_same, texts
from pages.shell.views.own_sentence import typed
from pages.shell.views.registry import View, view

# Words that the layer knows, as examples where a text is typed.
_EXAMPLES = ("fox", "owl", "hen", "cat", "dog", "old", "shy", "brings", "shows", "today")


@view
def warning(screen: Screen) -> Iterator[Block]:
    yield from head_arcs.warning(screen)


@view
def arcs(screen: Screen) -> Iterator[Block]:
    """The weights of one word of the text over the context, in all heads. A click chooses the word, and the words of
    the context can be moved or typed over."""
    yield from crossing(screen, _editing(screen.run))


def _editing(run: Run) -> Mapping[str, object] | None:
    """The browser's settings for typing the context; None with several texts, which are typed behind *Sentence*, a line
    each."""
    assert run.context is not None
    if len(run.inputs.tokens) > 1 or len(run.context.tokens) > 1:
        return None
    return typed(
        "context",
        CrossAttention.knobs()["context"],
        " ".join(texts(run)[1]),
        _known() if run.config.preset == LEARNED else say("own.random"),
    )


def _known() -> str:
    """The words that can be typed: some that the layer knows, each with its meaning."""
    words = (say("cross.means", word=word, there=MEANINGS[word][0]) for word in _EXAMPLES)
    return say("cross.own", count=len(BOTH), words=listed("comma", words))


@view
def again(screen: Screen) -> Iterator[Block]:
    """Buttons for other contexts: the words of this one in another order, and the first context."""
    run, config = screen.run, screen.run.config
    assert run.context is not None
    at_first = context_of(config, "")
    shown = "\n".join(
        map(" ".join, (words[:n] for words, n in zip(run.context.tokens, run.context.lengths, strict=True)))
    )
    offered = []
    if len(run.context.tokens) == 1 and len(set(shown.split())) > 1:
        offered.append((say("cross.shuffle"), False, {"context": _shuffled(shown)}))
    offered.append((say("cross.at_first"), shown == at_first, {"context": ""}))
    yield blocks.buttons(*offered, said=say("cross.second"))


def _shuffled(text: str) -> str:
    """The words of a text in another order, drawn with the text as the seed."""
    words, drawing = text.split(), Random(text)
    while (other := drawing.sample(words, len(words))) == words:
        pass
    return " ".join(other)


@view
def answers(screen: Screen) -> Iterator[Block]:
    """The share of right answers on newly drawn sentences, by the class of the word that asks."""
    setting = translating.used(screen.run.config)
    if setting is None:
        return
    measured = translating.scores(setting)
    worst = min(range(len(KINDS)), key=lambda at: measured.accuracy[at])
    yield blocks.text(say("cross.learned"))
    yield blocks.text(
        say(
            "cross.scores",
            heads=setting.heads,
            d_k=setting.d_k,
            words=f"{measured.words:,}",
            share=share(measured.mean),
            kind=say(f"cross.kind.{KINDS[worst]}"),
            least=share(measured.accuracy[worst]),
        )
    )
    rows = zip(KINDS, measured.accuracy, measured.found, strict=True)
    yield blocks.table(
        *(say(f"cross.column.{name}") for name in ("asked", "right", "found")),
        rows=[(say(f"cross.kind.{kind}"), share(right), share(seen)) for kind, right, seen in rows],
    )


@view
def ledger(screen: Screen) -> Iterator[Block]:
    yield from ledgers.ledger(screen)


def _row(chapter: str, *ids: str) -> View:
    return View(f"{CROSS}.{chapter}", lambda screen: steps.row(screen, *ids, chapter=chapter))


told = View(f"{CROSS}.told", translation.told)
crossed = _row("crossed", "weights", "output")
two_texts = _row("two_texts", "x", "context")
projections = _row("projections", "queries", "keys", "values")
scores = _row("scores", "scores", "scaled")
mask = _row("mask", "mask", "masked")
dropout = _row("dropout", "kept", "dropped")
joined = _row("joined", "concat", "projected")


@view
def sums(screen: Screen) -> Iterator[Block]:
    """The line that shows which side softmax sums over."""
    weights = screen.run.matrix("weights")
    columns, seeing = weights.sum(0), int(weights.any(-1).sum())
    n_q, n_k = weights.shape
    low, high, mean = (f"{float(number):.2f}" for number in (columns.min(), columns.max(), columns.mean()))
    yield blocks.text(say("cross.sums", seeing=seeing, n_q=n_q, n_k=n_k, low=low, high=high, mean=mean))


@view
def same(screen: Screen) -> Iterator[Block]:
    """Self-attention as the case context = x: computed both ways, with a button that shows it."""
    run = screen.run
    is_itself = is_same(run)
    crossed, alone = (
        run if is_itself else compute(run.config, context=run.config.text),
        compute(run.config, crossing=True),
    )
    off = max(
        float((crossed.trace[id].value - alone.trace[id].value).abs().max())
        for id in ("weights", "output", "projected")
    )
    yield blocks.text(say("cross.same", difference=apart(off) if off else "0"))
    if is_itself:
        yield blocks.text(say("cross.is_same", n=len(run.tokens)))
    else:
        yield blocks.buttons((say("cross.put"), False, {"context": run.config.text}))
