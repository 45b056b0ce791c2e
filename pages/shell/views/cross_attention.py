"""Cross-attention: queries from one text, keys and values from another, rectangular weights, and context = x."""

from collections.abc import Iterator

from torch import Tensor

from attention.experiments.translation import KINDS
from attention.figures import LIMIT
from attention.inputs.dictionary import BOTH, found
from pages.shell.component.arcs import Ask
from pages.shell.component.crossing import Crossing
from pages.shell.i18n import listed, say
from pages.shell.i18n.markdown import quoted
from pages.shell.i18n.numbers import apart, fixed, share
from pages.shell.runs import translating
from pages.shell.runs.run import Run
from pages.shell.runs.run import run as compute
from pages.shell.screen import Screen
from pages.shell.state.config import LEARNED
from pages.shell.state.page_controls import CROSS
from pages.shell.views import blocks, head_arcs, steps
from pages.shell.views import ledger as ledgers
from pages.shell.views.blocks import Block
from pages.shell.views.registry import View, view
from pages.shell.views.taken import acting

# A head that has found a word puts more than this on it; and of how many heads the summary tells.
_CLEAR, _MOST = 0.5, 8


@view
def warning(screen: Screen) -> Iterator[Block]:
    yield from head_arcs.warning(screen)


@view
def arcs(screen: Screen) -> Iterator[Block]:
    """What one word of the text takes from the context, in all heads; a click chooses the word."""
    run, query = screen.run, head_arcs.asked_of(screen)
    assert run.context is not None
    text, context = _texts(run)
    every = run.trace[acting(run)].value[run.sentence, :, :, : len(context)].cpu().float()
    word, target = run.labels["query"][query], _target(run, query)
    asks, told = [], []
    for head, row in enumerate(every[:, query]):
        key = int(row.argmax())
        name = say("cross.stands", word=word) if key == target and float(row[key]) > _CLEAR else ""
        asks.append(Ask(head + 1, row.tolist(), name, key if name else -1))
        if head < _MOST and float(row[key]):
            told.append(say("all_heads.most", head=head + 1, weight=fixed(row[key]), key=context[key]))
    drawn = Crossing(
        "crossing",
        say("cross.title", word=word),
        listed("sentence", told) if told else say("arcs.nothing", word=word),
        text,
        context,
        query,
        asks,
        _found(run, every),
        [
            say("all_heads.named", head=a.head, question=a.name) if a.name else say("asking.head", head=a.head)
            for a in asks
        ],
        [a.name or say("asking.head", head=a.head) for a in asks],
        [{"cell": f"weights.{at}.0.arcs"} if at < LIMIT else {} for at in range(len(text))],
        {"text": say("cross.text"), "context": say("cross.context"), "unclear": say("cross.unclear")},
    )
    yield blocks.figures(drawn, click={})


def _texts(run: Run) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """The words of the text and of the context, without padding."""
    assert run.context is not None
    first, second = run.labels["query"], run.labels["key"]
    return first[: run.inputs.lengths[run.sentence]], second[: run.context.lengths[run.sentence]]


def _found(run: Run, every: Tensor) -> list[int]:
    """Of each word of the text, the place of the word that means the same where a head has found it, else -1.

    every: the weights (head, query, key).
    """
    text, _ = _texts(run)
    targets = [_target(run, query) for query in range(len(text))]
    best = every.amax(0)
    return [at if at >= 0 and float(best[query, at]) > _CLEAR else -1 for query, at in enumerate(targets)]


def _target(run: Run, query: int) -> int:
    """The place in the context of the word that means the same as a word of the text; -1 where nobody knows."""
    text, context = _texts(run)
    if run.config.preset != LEARNED or query >= len(text):
        return -1
    return found(text, context)[query]


def _is_same(run: Run) -> bool:
    """Whether the text is its own context."""
    return run.context is not None and run.context.tokens == run.inputs.tokens


@view
def told(screen: Screen) -> Iterator[Block]:
    """Which word the layer says for the word that asks, and whether it is the right one; nothing of random weights.
    Where the text is its own context: what that is, and the way back."""
    run, query = screen.run, head_arcs.asked_of(screen)
    if _is_same(run):
        yield blocks.text(say("cross.said.same"))
        yield blocks.buttons((say("cross.back"), False, {"context": ""}))
        return
    translator, (text, context) = translating.layer(run.config), _texts(run)
    if translator is None or query >= len(text):
        return
    output = run.trace["projected"].value[run.sentence, query].cpu().float()
    sure, answer = translator.logits(output).softmax(-1).max(-1)
    target = _target(run, query)
    right = context[target] if target >= 0 else ""
    case = "unknown" if not right else "right" if BOTH[int(answer)] == right.lower() else "wrong"
    parts = {
        "word": quoted(text[query]),
        "said": quoted(BOTH[int(answer)]),
        "sure": fixed(sure),
        "right": quoted(right),
    }
    yield blocks.text(say(f"cross.said.{case}", **parts))


@view
def answers(screen: Screen) -> Iterator[Block]:
    """How often the layer is right on sentences drawn anew, by the class of the word that asks."""
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


crossed = _row("crossed", "weights", "output")
two_texts = _row("two_texts", "x", "context")
projections = _row("projections", "queries", "keys", "values")
scores = _row("scores", "scores", "scaled")
mask = _row("mask", "mask", "masked")
dropout = _row("dropout", "kept", "dropped")
joined = _row("joined", "concat", "projected")


@view
def sums(screen: Screen) -> Iterator[Block]:
    """Which side softmax sums over."""
    weights = screen.run.matrix("weights")
    columns, seeing = weights.sum(0), int(weights.any(-1).sum())
    n_q, n_k = weights.shape
    low, high, mean = (f"{float(number):.2f}" for number in (columns.min(), columns.max(), columns.mean()))
    yield blocks.text(say("cross.sums", seeing=seeing, n_q=n_q, n_k=n_k, low=low, high=high, mean=mean))


@view
def same(screen: Screen) -> Iterator[Block]:
    """Self-attention is the case context = x: computed both ways, and put into the screen by a button."""
    run = screen.run
    is_same = _is_same(run)
    crossed, alone = (
        run if is_same else compute(run.config, context=run.config.text),
        compute(run.config, crossing=True),
    )
    off = max(
        float((crossed.trace[id].value - alone.trace[id].value).abs().max())
        for id in ("weights", "output", "projected")
    )
    yield blocks.text(say("cross.same", difference=apart(off) if off else "0"))
    if is_same:
        yield blocks.text(say("cross.is_same", n=len(run.tokens)))
    else:
        yield blocks.buttons((say("cross.put"), False, {"context": run.config.text}))
