"""A sentence, the weights that the chosen word takes from each word, and below the words how they came about."""

from collections.abc import Iterator

from torch import Tensor

from attention.figures import LIMIT
from pages.shell.component.arcs import Arcs, Column
from pages.shell.i18n import listed, say
from pages.shell.i18n.markdown import MOST, cut
from pages.shell.i18n.numbers import digits, fixed
from pages.shell.runs import asking as of_words
from pages.shell.runs.run import Run
from pages.shell.screen import Screen
from pages.shell.state.config import RANDOM
from pages.shell.views import asking, blocks, captions, learned, naming
from pages.shell.views.blocks import Block
from pages.shell.views.chosen import chosen
from pages.shell.views.crossing import crossing
from pages.shell.views.ghost import ghost
from pages.shell.views.own_sentence import editing
from pages.shell.views.shown_head import leads_on, shown_head
from pages.shell.views.steps import focus_of
from pages.shell.views.taken import acting, dropping, taken

# The least weight that a sentence names, and the most of them, as in the summaries of figures.
_WORTH, _MOST = 0.1, 3
# A share that two decimals would round to nothing is written as less than this.
_LEAST = 0.01


def arcs(screen: Screen) -> Iterator[Block]:
    """A click on a word looks at its largest weight, a click below it at that word's answer."""
    run, asked = screen.run, screen.query()
    if run.context is not None:
        yield from crossing(screen)
        return
    query = focus_of(run) if asked is None else asked
    took, tokens = taken(run, query), run.labels["key"]
    weights = took.weights
    focus, length = query + before(run), run.inputs.lengths[run.sentence]
    # Padding is shown only if a word attends to it, or if it asks itself.
    shown = len(tokens) if (weights + took.struck)[length:].any() else max(length, focus + 1)
    word, key = run.labels["query"][query], chosen(screen, run).key
    values = run.matrix(_values(run))[:shown].float().cpu()
    mixed = run.matrix("output")[query : query + 1].float().cpu()
    bound = max(float(each.abs().max()) for each in (values, mixed)) or 1.0
    said = [shown_head(run, query) or _note(run, query, weights), dropping(run, query)]
    if run.config.preset == RANDOM:
        said = [say("arcs.random"), *said]
    drawn = Arcs(
        "arcs",
        say("arcs.title", word=cut(word)),
        tokens[:shown],
        focus,
        asking.asks(run, query, shown),
        run.head,
        -1 if key is None or key >= shown else key,
        columns(run, query)[:shown],
        values.numpy(),
        mixed.numpy(),
        bound,
        listed("sentence", filter(None, said)),
        _lines(run, query, word),
        looks(run, shown, query),
        [{"cell": f"weights.{query}.{key}.result"} if key < LIMIT else {} for key in range(shown)],
        own=editing(run),
        ghost=[one for one in ghost(screen, query, shown) if one.head == run.head + 1],
        offered=[at + before(run) for at in of_words.offered(run)] if leads_on(run, query) else [],
    )
    yield blocks.figures(drawn, click={})


def columns(run: Run, query: int) -> list[Column]:
    """The numbers below each word: the score that softmax reads, and the share with which the value is taken."""
    scores, weights = (run.matrix(id)[query].float().cpu() for id in (_scores(run), "weights"))
    seen = run.matrix("mask")[query].cpu() if "mask" in run.trace else None
    kept = run.matrix("kept")[query].cpu() if "kept" in run.trace else None
    acts = run.matrix(acting(run))[query].float().cpu()
    made = []
    for at, (score, weight) in enumerate(zip(scores.tolist(), weights.tolist(), strict=True)):
        if seen is not None and not bool(seen[at]):
            made.append(Column(None, None, ""))
        elif kept is not None and weight > 0 and not bool(kept[at]):
            made.append(Column(score, weight, written(weight), is_dropped=True))
        else:
            share = float(acts[at])
            made.append(Column(score, share, written(share)))
    return made


def written(share: float) -> str:
    """A share under a word, in two decimals."""
    return f"<{_LEAST}" if 0 < share < _LEAST / 2 else fixed(share)


def _scores(run: Run) -> str:
    """The step of the scores as softmax reads them, before the mask."""
    return next(id for id in ("biased", "softcapped", "scaled") if id in run.trace)


def _values(run: Run) -> str:
    return "values_joined" if "values_joined" in run.trace else "values"


def _lines(run: Run, query: int, word: str) -> dict[str, str]:
    """The names of the lines below the words, and the texts at their ends."""
    acts = run.matrix(acting(run))[query]
    by = f"√{run.module.d_k}"
    if (last := _scores(run)) != "scaled":
        score = say("arcs.biased" if last == "biased" else "arcs.softcapped")
    elif "scale" in run.trace:
        score = say("arcs.score_times", factor=digits(float(run.trace["scale"].value), 3))
    else:
        score = say("arcs.score", by=by)
    return {
        "score": score,
        "share": say("arcs.share"),
        "value": say("arcs.value"),
        "sum": say("arcs.sum", sum=fixed(acts.sum())),
        "added": say("arcs.added"),
        "taken": say("arcs.what", word=cut(word)),
        "others": say("arcs.others"),
    }


def looks(run: Run, shown: int, focus: int) -> list[dict[str, str]]:
    """The settings of a click on each word; none for a word that does not ask."""
    queries = [at - before(run) for at in range(shown)]
    return [learned.look(run, query, again=query == focus) if query >= 0 else {} for query in queries]


def before(run: Run) -> int:
    """The number of tokens before the first one that asks."""
    return len(run.labels["key"]) - len(run.labels["query"])


def _note(run: Run, query: int, weights: Tensor) -> str:
    """The largest weights of the word, largest first, and the head that they are in."""
    keys = [key for key in weights.argsort(descending=True, stable=True).tolist() if weights[key] >= _WORTH][:_MOST]
    word = naming.of_query(run, query, MOST)
    if not weights.any():
        said = say("arcs.nothing", word=word)
    elif keys:
        parts = (say("arcs.part", weight=fixed(weights[key]), key=naming.of_key(run, key, MOST)) for key in keys)
        said = say("arcs.takes", word=word, parts=listed("comma", parts))
    else:
        said = say("arcs.little", word=word, most=fixed(weights.max()))
    return say("arcs.in_head", said=said, head=captions.head(run)) if run.module.heads > 1 else naming.opened(said)
