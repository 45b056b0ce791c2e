"""Cross-attention: queries from one text, keys and values from another, rectangular weights, and context = x."""

from collections.abc import Iterator

from attention.figures import LIMIT
from attention.inputs.grammar import QUESTIONS, read
from pages.shell.component.arcs import Ask
from pages.shell.component.crossing import Crossing
from pages.shell.i18n import listed, say
from pages.shell.i18n.markdown import quoted
from pages.shell.i18n.numbers import apart, fixed
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

# The weight of a head that has found a word, at least, and of how many heads the summary tells.
_CLEAR, _MOST = 0.5, 8


@view
def warning(screen: Screen) -> Iterator[Block]:
    yield from head_arcs.warning(screen)


@view
def arcs(screen: Screen) -> Iterator[Block]:
    """What one word of the text takes from the context, in all heads; a click chooses the word."""
    run, query = screen.run, head_arcs.asked_of(screen)
    assert run.context is not None
    word, words = run.labels["query"][query], run.context.lengths[run.sentence]
    rows = run.trace[acting(run)].value[run.sentence, :, query].cpu().float()
    named = questions(run, query)
    asks, told = [], []
    for head, row in enumerate(rows):
        name, key = "", int(row.argmax())
        for question, target in named:
            if key == target and float(row[key]) >= _CLEAR:
                name = say(f"learned.question.{question}") + say("asking.mark")
        asks.append(Ask(head + 1, row[:words].tolist(), name, key if name else -1))
        if head < _MOST and float(row[key]):
            said = say("all_heads.most", head=head + 1, weight=fixed(row[key]), key=run.labels["key"][key])
            told.append(said)
    drawn = Crossing(
        "crossing",
        say("cross.title", word=word),
        listed("sentence", told) if told else say("arcs.nothing", word=word),
        run.labels["query"][: run.inputs.lengths[run.sentence]],
        run.labels["key"][:words],
        query,
        asks,
        [
            say("all_heads.named", head=a.head, question=a.name) if a.name else say("asking.head", head=a.head)
            for a in asks
        ],
        [a.name or say("asking.head", head=a.head) for a in asks],
        [{"cell": f"weights.{at}.0.arcs"} if at < LIMIT else {} for at in range(run.inputs.lengths[run.sentence])],
        {"text": say("cross.text"), "context": say("cross.context")},
    )
    yield blocks.figures(drawn, click={})


def questions(run: Run, query: int) -> list[tuple[str, int]]:
    """What a verb of the text asks, and the word of the context that answers it there: those that the verb of the
    context asks. Nothing of other words, and outside the grammar."""
    if run.config.preset != LEARNED or run.context is None:
        return []
    text, context = (
        read(made.tokens[run.sentence][: made.lengths[run.sentence]]) for made in (run.inputs, run.context)
    )
    if text.fault or context.fault or text.verb != query:
        return []
    return [(QUESTIONS[one.question], one.target) for one in context.asked if one.place == context.verb]


@view
def told(screen: Screen) -> Iterator[Block]:
    """What the verb asks of the other text, and how many of its questions a head answers there."""
    run, query = screen.run, head_arcs.asked_of(screen)
    asked = questions(run, query)
    if not asked:
        return
    rows = run.trace[acting(run)].value[run.sentence, :, query].cpu().float()
    right = [target for _, target in asked if bool((rows[:, target] >= _CLEAR).any())]
    words = listed("comma", (run.labels["key"][target] for target in right)) if right else "–"
    word = run.labels["query"][query]
    yield blocks.text(say("cross.asks", word=quoted(word), right=len(right), of=len(asked), words=quoted(words)))


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
    yield blocks.heading(say("cross.same_title"))
    is_same = run.context is not None and run.context.tokens == run.inputs.tokens
    crossed, alone = run if is_same else compute(run.config, context=run.config.text), compute(run.config)
    off = max(
        float((crossed.trace[id].value - alone.trace[id].value).abs().max())
        for id in ("weights", "output", "projected")
    )
    yield blocks.text(say("cross.same", difference=apart(off) if off else "0"))
    if is_same:
        yield blocks.text(say("cross.is_same", n=len(run.tokens)))
    else:
        yield blocks.buttons((say("cross.put"), False, {"context": run.config.text}))
