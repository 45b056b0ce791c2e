"""Several heads: one projection cut into bands, one pattern for each head, and the sum of their contributions."""

from collections.abc import Iterator
from dataclasses import replace
from functools import cache, partial

import torch

from attention.analysis import heads
from attention.experiments import head_counts
from attention.explain import derived
from attention.explain.cell import cell
from attention.explain.explanation import Explanation
from attention.figures import heatmap_of
from pages.shell.component.heatmap import Figure
from pages.shell.i18n import listed, say
from pages.shell.i18n.numbers import apart, interval
from pages.shell.runs import learned
from pages.shell.runs.run import Run
from pages.shell.runs.run import run as compute
from pages.shell.screen import Screen
from pages.shell.state.config import AUTO, LEARNED, RANDOM
from pages.shell.state.page_controls import Heads
from pages.shell.views import blocks, explained, head_arcs, head_switches, head_votes, moved, steps
from pages.shell.views import ledger as ledgers
from pages.shell.views.blocks import Block
from pages.shell.views.explained import ExplainedHeatmap
from pages.shell.views.registry import View, view

_COUNTS = (1, 2, 4, 8, 16)
_D_MODEL, _TOKENS, _CUTS = 64, 32, (1, 2, 4, 8, 16, 32, 64)


@view
def warning(screen: Screen) -> Iterator[Block]:
    yield from head_arcs.warning(screen)


@view
def arcs(screen: Screen) -> Iterator[Block]:
    yield from head_arcs.arcs(screen)


@view
def switches(screen: Screen) -> Iterator[Block]:
    yield from head_switches.switches(screen)


@view
def answers(screen: Screen) -> Iterator[Block]:
    yield from head_switches.answered(screen)


@view
def votes(screen: Screen) -> Iterator[Block]:
    yield from head_votes.votes(screen)


@view
def tests(screen: Screen) -> Iterator[Block]:
    yield from head_switches.tests(screen)


@view
def effect(screen: Screen) -> Iterator[Block]:
    run = screen.run
    # If heads are off, compare with the layer with all heads, not with the previous choice of heads.
    is_off = bool(learned.off(run.config, run.module.heads))
    whole = compute(replace(run.config, heads_off="")) if is_off else None
    yield from moved.summary(screen, list(head_switches.turned(screen)), invites=False, scored=whole)


@view
def ledger(screen: Screen) -> Iterator[Block]:
    yield from ledgers.sizes(screen)
    if screen.config.preset == LEARNED:
        yield from _notes(screen)


@view
def notes(screen: Screen) -> Iterator[Block]:
    """A trained layer shows its notes among its numbers, because dragging the number of heads is no request for a
    d_k."""
    if screen.config.preset != LEARNED:
        yield from _notes(screen)


def _notes(screen: Screen) -> Iterator[Block]:
    yield from (block | {"about": "info"} if block["kind"] == "note" else block for block in ledgers.notes(screen))


def _row(chapter: str, *ids: str) -> View:
    return View(f"heads.{chapter}", lambda screen: steps.row(screen, *ids, chapter=chapter))


every_head = View("heads.heads", lambda screen: steps.every_head(screen, "weights", chapter="heads"))
one_head = _row("one_head", "w_q", "queries", "scores", "dropped")
joined = _row("joined", "concat", "w_o", "projected")


@view
def split(screen: Screen) -> Iterator[Block]:
    """One matrix with the bands of the heads, one product with it, and one small product for each head."""
    run = screen.run
    if not run.has_layer:
        yield blocks.note(say("file.needs_layer"), "info")
        return
    made, count, d_k = heads.split(run.trace), run.module.heads, run.module.d_k
    yield blocks.heading(say("heads.split_title"))
    cut = say("heads.split", h=count, d_k=d_k) if count > 1 else say("heads.split_one")
    told = [cut, say("heads.split_apart", difference=apart(made.difference))]
    if rounding := heads.split_rounding(run.trace):
        told.append(say("heads.split_rounding", difference=apart(rounding)))
    yield blocks.text(listed("sentence", told))
    tokens, bands = run.labels["query"], say("heads.split_bands", h=count, d_k=d_k)
    whole, small = made.whole[run.sentence], made.small[run.sentence]
    same = say("heads.split_same", difference=apart((small - whole).abs().max()))
    shown = (
        ("whole-w_q", made.w_q, "model", (), bands, _of_matrix),
        ("whole", whole, "query", tokens, "", _of_product),
        ("small", small, "query", tokens, same, _of_product),
    )
    drawn = []
    for id, z, rows, labels, note, explain in shown:
        figure = Figure(heatmap_of(id, z, rows, "split"), say(f"heads.split_figure.{id}"), labels, (), note, band=d_k)
        drawn.append(ExplainedHeatmap(run, figure, partial(explain, run), run.labels))
    yield from explained.row(screen, "split", *drawn)


def _of_matrix(run: Run, row: int, column: int) -> Explanation:
    head, feature = divmod(column, run.module.d_k)
    return cell(run.trace, "w_q", row, feature, head=head)


def _of_product(run: Run, row: int, column: int) -> Explanation:
    head, feature = divmod(column, run.module.d_k)
    return cell(run.trace, "queries", row, feature, batch=run.sentence, head=head)


@view
def facts(screen: Screen) -> Iterator[Block]:
    """Rank, distance from the average and, for a whole layer, the share of the output, head by head."""
    run = screen.run
    distance = heads.distance_to_average(run.trace)[run.sentence]
    ranks = heads.rank(run.trace)[run.sentence]
    if not run.has_layer:
        header = [say(f"heads.column.{name}") for name in ("head", "rank", "distance")]
        pairs = enumerate(zip(ranks.tolist(), distance.tolist(), strict=True), 1)
        yield blocks.table(*header, rows=[(at, _rank(run, rank), f"{apart:.2f}") for at, (rank, apart) in pairs])
        return
    norms = heads.contributions(run.trace)[run.sentence].norm(dim=(-2, -1))
    reach = heads.reach(run.trace, 0)
    header = [say(f"heads.column.{name}") for name in ("head", "rank", "distance", "norm", "reach")]
    rows = [
        (
            head + 1,
            _rank(run, int(ranks[head])),
            f"{distance[head]:.2f}",
            f"{norms[head]:.2f}",
            f"{reach[head]:.2f}",
        )
        for head in range(run.module.heads)
    ]
    yield blocks.table(*header, rows=rows)
    if run.module.heads > 1:
        yield blocks.text(say("heads.reached", reached=int((reach > 0).sum()), heads=run.module.heads))


def _rank(run: Run, rank: int) -> str:
    return f"{rank} (≤ d_k = {run.module.d_k})"


@view
def average(screen: Screen) -> Iterator[Block]:
    """The mean over the heads, which torch's module returns unless it is asked otherwise."""
    run = screen.run
    z = heads.average(run.trace)[run.sentence].cpu().float()
    nearest = float(heads.distance_to_average(run.trace)[run.sentence].min())
    note = say("heads.average_note", nearest=f"{nearest:.2f}")
    if nearest < 0.005:
        note = say("heads.average_one")
    hides = ~run.matrix("mask") if "mask" in run.trace else None
    drawn = heatmap_of("average", z, "query", "key", "probability", forbidden=hides, hidden=0.0)
    figure = Figure(drawn, say("heads.average"), run.labels["query"], run.labels["key"], note)
    explain = partial(derived.average, run.trace, batch=run.sentence)
    numbers = {"head": tuple(str(head + 1) for head in range(run.module.heads))}
    yield from explained.row(screen, "average", ExplainedHeatmap(run, figure, explain, run.labels | numbers))


@view
def contributions(screen: Screen) -> Iterator[Block]:
    """The contribution of each head to the output of one query, and their sum; nothing if there is no W_O."""
    run = screen.run
    if not run.has_layer:
        return
    focus = steps.focus_of(run)
    z = heads.contributions(run.trace)[run.sentence, :, focus].cpu().float()
    rows = [f"{say('axis.head')} {head + 1}" for head in range(len(z))]
    if "b_o" in run.trace:
        z, rows = torch.cat((z, run.trace["b_o"].value[None].cpu().float())), [*rows, "b_O"]
    total = run.trace["projected"].value[run.sentence, focus].cpu().float()
    z, rows = torch.cat((z, total[None])), [*rows, "Y"]
    rest = float((z[:-1].sum(0) - z[-1]).abs().max())
    note = say("heads.contributions_note", query=run.labels["query"][focus], rest=apart(rest))
    figure = Figure(heatmap_of("contributions", z, "operand", "out"), say("heads.contributions"), rows, (), note)
    drawn = ExplainedHeatmap(run, figure, partial(_contributed, run, focus), run.labels)
    yield from explained.row(screen, "contributions", drawn)


def _contributed(run: Run, focus: int, row: int, column: int) -> Explanation:
    """The arithmetic of a row: first the heads, then b_O if there is one, then the sum."""
    trace, count = run.trace, run.module.heads
    if row < count:
        return derived.contribution(trace, row, focus, column, batch=run.sentence)
    if row == count and "b_o" in trace:
        return cell(trace, "b_o", 0, column)
    return cell(trace, "projected", focus, column, batch=run.sentence)


@view
def parameters(screen: Screen) -> Iterator[Block]:
    """The cost of more heads in parameters: none at fixed d_model, in proportion at fixed d_k."""
    run = screen.run
    if not run.has_layer:
        yield blocks.note(say("file.needs_layer"), "info")
        return
    d_model, d_k, bias = run.module.d_model, run.module.d_k, run.module.b_q is not None
    yield blocks.heading(say("heads.counts_title"))
    rows = [
        (
            h,
            f"{heads.parameters(d_model, h, bias=bias):,}" if d_model % h == 0 else "–",
            d_model // h or "–",
            f"{heads.parameters(d_model, h, d_k, bias=bias):,}",
        )
        for h in _COUNTS
    ]
    count = sum(parameter.numel() for parameter in run.module.parameters())
    told = [say("heads.now", heads=run.module.heads, d_k=d_k, d_model=d_model, count=f"{count:,}")]
    # The sizes of a trained layer are those of its training.
    if not screen.own(Heads).fixed_d_k and screen.config.d_k == AUTO and screen.config.preset == RANDOM:
        told.append(say("heads.try"))
    yield blocks.text(listed("sentence", told))
    names = say("heads.head_count"), say("heads.fixed_model", d_model=d_model), "d_k", say("heads.fixed_d_k", d_k=d_k)
    yield blocks.table(*names, rows=rows)


@view
def ranks(screen: Screen) -> Iterator[Block]:
    """One drawn layer, cut into more and more heads: the same on every screen."""
    yield blocks.heading(say("heads.ranks_title"))
    yield blocks.text(say("heads.ranks", d_model=_D_MODEL, tokens=_TOKENS))
    rows = [
        (
            c.heads,
            c.d_k,
            f"{c.parameters:,}",
            interval(*map(str, c.scores)),
            interval(*map(str, c.weights)),
            f"{c.effective:.1f}",
        )
        for c in _cut()
    ]
    header = [say(f"heads.cut.{name}") for name in ("parameters", "scores", "weights", "effective")]
    yield blocks.table(say("heads.head_count"), "d_k", *header, rows=rows)


@cache
def _cut() -> tuple[head_counts.Count, ...]:
    return head_counts.counts(_D_MODEL, _TOKENS, _CUTS, generator=torch.Generator().manual_seed(0))
