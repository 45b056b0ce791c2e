"""A mask that the data chooses: the scores of an index, the keys that a query keeps, and the rest of A."""

from collections.abc import Iterator
from dataclasses import dataclass, replace

from torch import Tensor

from attention.analysis.compressed_index import compressed_index, kept_by_size
from attention.indexed import indexed_attention
from attention.masks import grid
from attention.trace import Trace
from pages.shell.component.chart import Axis, Chart, Series
from pages.shell.i18n import listed, say
from pages.shell.runs.run import Run
from pages.shell.runs.run import run as compute
from pages.shell.screen import Screen
from pages.shell.state.page_controls import Masks
from pages.shell.views import blocks, explained
from pages.shell.views.blocks import Block
from pages.shell.views.explained import Caption, ExplainedHeatmap, explained_heatmap
from pages.shell.views.steps import focus_of

# Features of the index, of the opening layer's 16: the index is cheap, and its choice near that of the weights.
_FEATURES = 3
# Words that a caption has room for.
_NAMED = 8


@dataclass(frozen=True)
class Chosen:
    """One sentence with a choice of keys. whole: the trace with all permitted keys kept; by_index, at_best: the share
    of the weights that k keys keep, for each k, a mean over heads and the queries that see a key; empty if no query
    sees one."""

    trace: Trace
    whole: Trace
    permitted: Tensor
    by_index: list[float]
    at_best: list[float]


def chosen(screen: Screen) -> Iterator[Block]:
    """Index scores, the choice with the mask, and the weights that are left; below them the share that is kept."""
    if not screen.run.has_layer:
        yield blocks.note(say("file.needs_index"), "info")
        return
    run, keep = compute(screen.run.config, record_mask=True), screen.own(Masks).index_keep
    mask = run.matrix("mask")
    instead = bool(mask.all())
    if instead:
        mask = grid("causal", *mask.shape, corner=run.config.corner, device=mask.device)
    features = min(_FEATURES, run.trace["x"].value.shape[-1])
    lead = say("index.lead", features=features)
    yield blocks.text(listed("sentence", (lead, say("index.instead"))) if instead else lead)
    found = choose(run, mask, features, keep)
    if not found.by_index:
        yield blocks.text(say("index.nothing"))
        yield from explained.row(screen, "chosen", *_figures(screen, run, found))
        return
    at = min(keep, len(found.by_index)) - 1
    shares = {"share": f"{found.by_index[at]:.0%}", "best": f"{found.at_best[at]:.0%}"}
    yield blocks.text(say("index.kept", keep=at + 1, **shares))
    yield from explained.row(screen, "chosen", *_figures(screen, run, found))
    yield blocks.figures(_curve(found, at + 1))


def choose(run: Run, mask: Tensor, features: int, keep: int) -> Chosen:
    """The choice of `keep` keys in a run's sentence under a mask (L, S), by an index of so many features."""
    index = compressed_index(run.trace, features, batch=run.sentence)
    q, k, v = (run.trace[id].of_heads(run.module.heads, batch=run.sentence) for id in ("queries", "keys", "values"))
    scale = run.trace["scale"].value.item() if "scale" in run.trace else None

    def kept(size: int) -> Trace:
        made = Trace()
        indexed_attention(q, k, v, *index, size, mask=mask, scale=scale, trace=made)
        return made

    trace, whole, sees = kept(keep), kept(mask.shape[-1]), mask.any(-1)
    if not bool(sees.any()):
        return Chosen(trace, whole, mask, [], [])
    weights = whole["weights"].value
    by_index, at_best = (
        kept_by_size(weights, scores, mask)[sees].mean(0).tolist()
        for scores in (trace["index_scores"].value, weights.mean(0))
    )
    return Chosen(trace, whole, mask, by_index, at_best)


def _figures(screen: Screen, run: Run, found: Chosen) -> list[ExplainedHeatmap]:
    query = screen.query(run)
    query = focus_of(run) if query is None else query
    word, trace = run.labels["query"][query], found.trace
    left = trace["mask"].of()
    names = [run.labels["key"][at] for at in left[query].nonzero().flatten().tolist()]
    scores = Caption("index-scores", say("index.scores"))
    pairs = say("index.pairs", left=int(left.sum()), permitted=int(found.permitted.sum()))
    choice = Caption("index-mask", say("index.mask"), pairs)
    own = found.whole["weights"].of(head=run.head)[query]
    share = f"{float((own * left[query]).sum()):.0%}"
    said = say("index.word_none", word=word)
    if names:
        kept = listed("comma", names[:_NAMED]) + (" …" if len(names) > _NAMED else "")
        said = say("index.word", word=word, kept=kept, share=share)
    of_weights = Caption("index-weights", say("index.weights"), said)
    shown = explained_heatmap(run, trace, "mask", choice)
    return [
        explained_heatmap(run, trace, "index_scores", scores, forbidden=~found.permitted),
        # All heads look at the same keys.
        replace(shown, figure=replace(shown.figure, part="")),
        explained_heatmap(run, trace, "weights", of_weights, forbidden=~left),
    ]


def _curve(found: Chosen, keep: int) -> Chart:
    sizes = range(1, len(found.by_index) + 1)
    names = [say("index.by_index"), say("index.at_best")]
    # Both lines end at 1: their names stand below that end.
    series = [
        Series(names[0], sizes, found.by_index, said=(sizes[-1], 0.75, names[0])),
        Series(names[1], sizes, found.at_best, style="theory", colour=1, said=(sizes[-1], 0.87, names[1])),
    ]
    axes = Axis(say("index.keys")), Axis(say("index.share"), range=(0, 1))
    return Chart("index-share", say("index.curve"), series, *axes, say("index.most"), marks=[(keep, f"k = {keep}")])
