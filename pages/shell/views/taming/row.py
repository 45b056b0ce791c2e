"""One row under each remedy at the chosen length of its query: its way there, and its weights."""

from collections.abc import Iterator, Sequence

from pages.shell.component.remedies import Remedies, Remedy
from pages.shell.component.remedies_lengths import Lengths, Line
from pages.shell.i18n import say
from pages.shell.i18n.numbers import fixed
from pages.shell.runs import learned
from pages.shell.runs.run import Run
from pages.shell.screen import Screen
from pages.shell.state.todays_controls import STRETCHES, Taming, stretches
from pages.shell.views import blocks, naming, steps
from pages.shell.views.blocks import Block
from pages.shell.views.taming import guessed, verdict
from pages.shell.views.taming.found import COLOURS, SINK, WAYS, Row, asks, found, name, tokens, why

# The factors written at the slider.
_TICKS = ("0.03", "0.1", "0.3", "1", "3", "10", "30", "100")


def row(screen: Screen) -> Iterator[Block]:
    """The largest weight of one row under each remedy at each length so far, and its weights at the chosen one."""
    run, chosen = screen.run, screen.own(Taming)
    at, words, rows = STRETCHES.index(chosen.taming_stretch), tokens(run), found(run, chosen)
    if len(words) == 1:
        yield _columns(run, chosen, rows, at, say("taming.row.alone", query=asks(run)))
        return
    yield blocks.figures(_lengths(screen, rows, at))
    yield _columns(run, chosen, rows, at, _whose(run, len(words)))


def _lengths(screen: Screen, rows: dict[str, Row], at: int) -> Lengths:
    run, chosen = screen.run, screen.own(Taming)
    factors = stretches(chosen.taming_stretch)
    states = {way: [verdict.state(each) for each in rows[way].weights[: at + 1]] for way in WAYS}
    said = verdict.said(factors, states, {way: rows[way].largest for way in WAYS})
    if verdict.is_norm_alone({way: states[way][at] for way in WAYS}) and _is_trained(run):
        # The price of QK-norm's blindness to the length, which it also pays at the length of training.
        sure, norm = (fixed(rows[way].largest[STRETCHES.index("1")]) for way in ("scaled", "norm"))
        said = say("taming.row.learned.price", sure=sure, norm=norm) if float(norm) < float(sure) else said
    if _is_as_trained(run, chosen) and states["raw"][at] == states["scaled"][at] == verdict.GIVES:
        first = max(zip(rows["scaled"].weights[at], tokens(run), strict=True))[1]
        raw = factors[verdict.since(states["raw"])]
        said = say("taming.row.as_trained", raw=raw, word=say("note.named", token=first))
    said = guessed.judged(screen, at, rows["cap"]) or said
    labels = {
        "length": say("taming.row.length"),
        "most": say("taming.row.most"),
        "over": say("taming.row.is.gives"),
        "under": say("taming.row.is.flat"),
        "trained": _one(run),
        "asks": say("taming.guess.asks"),
        "ends": say("taming.guess.ends"),
        "guessed": say("taming.guess.guessed"),
        "kind": say("taming.row.lines"),
        "keys": say("taming.row.keys"),
    }
    lines = [Line(say(f"taming.row.short.{way}"), COLOURS[way], rows[way].largest) for way in WAYS]
    ticks = [tick for tick in _TICKS if tick in factors]
    title = say("taming.row.lengths", query=asks(run))
    count = len(tokens(run))
    rings = list(guessed.rings(screen, at, count, rows["cap"]))
    return Lengths(
        "remedies-lengths",
        title,
        said,
        lines,
        labels,
        factors,
        ticks,
        at,
        verdict.bounds(count),
        rings,
        guessed.END,
        WAYS.index("cap"),
    )


def _one(run: Run) -> str:
    """The name of an unstretched query."""
    return say("taming.row.given" if learned.used(run.config) is None else "taming.row.trained")


def _is_as_trained(run: Run, chosen: Taming) -> bool:
    """Whether the row with the scale is that of the layer as it was trained."""
    return _is_trained(run) and float(chosen.taming_stretch) == 1


def _is_trained(run: Run) -> bool:
    """Whether the layer has the scale of its training."""
    layer = learned.used(run.config)
    return layer is not None and layer.scale == run.config.scale


def _columns(run: Run, chosen: Taming, rows: dict[str, Row], at: int, note: str) -> Block:
    is_judged = len(tokens(run)) > 1
    remedies = []
    for way in WAYS:
        weights, scores = rows[way].weights[at], rows[way].scores[at]
        reach = _reach(scores, chosen.taming_cap if way == "cap" else None) if is_judged else ""
        state = verdict.state(weights) if is_judged else ""
        told = verdict.word(state, weights) if is_judged else ""
        if way == "scaled" and state == verdict.GIVES and _is_as_trained(run, chosen):
            # The trained row is the reference of the others, and no failure.
            told = say("taming.row.is.trained")
        remedies.append(
            Remedy(
                name(way, run, chosen),
                why(way, run, chosen),
                COLOURS[way],
                weights,
                None,
                state,
                told,
                reach,
                rows[way].slopes[at],
                fixed(rows[way].slopes[at]) if is_judged else "",
            )
        )
    labels = _labels() | {
        "verdict": say("taming.row.verdict"),
        "scores": say("taming.row.scores_told"),
        "slope": say("taming.scores.slope"),
        "query": say("taming.row.query", query=asks(run)),
    }
    # A row with one word changes with no length.
    arrow = (float(chosen.taming_stretch), float(stretches(chosen.taming_stretch)[-1])) if is_judged else None
    title = say("taming.row.weights", query=asks(run))
    return blocks.figures(Remedies("remedies", title, note, tokens(run), remedies, labels, arrow))


def _reach(scores: Sequence[float], cap: float | None) -> str:
    """The range of the scores and, if several are as high as their cap, their number: these have equal weights."""
    ends = {"low": fixed(min(scores), 1), "high": fixed(max(scores), 1)}
    capped = [score for score in scores if cap is not None and fixed(score, 1) == fixed(cap, 1)]
    return (
        say("taming.row.reach_cap", **ends, count=len(capped)) if len(capped) > 1 else say("taming.row.reach", **ends)
    )


def sunk(screen: Screen) -> Iterator[Block]:
    """The same row without a sink and with one, and the weight that no word gets."""
    run, chosen = screen.run, screen.own(Taming)
    at, rows = STRETCHES.index(chosen.taming_stretch), found(run, chosen)
    nowhere = rows[SINK].nowhere(at)
    remedies = [
        Remedy(name(way, run, chosen), why(way, run, chosen), COLOURS[way], rows[way].weights[at], share)
        for way, share in (("scaled", None), (SINK, nowhere))
    ]
    note = say("taming.row.sunk", query=asks(run), nowhere=fixed(nowhere))
    title = say("taming.row.weights", query=asks(run))
    yield blocks.figures(Remedies("sunk", title, note, tokens(run), remedies, _labels()))


def _labels() -> dict[str, str]:
    return {
        "remedy": say("taming.row.remedy"),
        "nowhere": say("taming.row.nowhere"),
        "most": say("taming.row.most"),
        "kind": say("taming.row.kind"),
        "keys": say("taming.row.keys"),
    }


def _whose(run: Run, count: int) -> str:
    """The query of the row, and the number of words that it sees if the mask hides some."""
    query, words = naming.of_query(run, steps.focus_of(run)), len(run.labels["key"])
    if count == words:
        return say("taming.row.whose", query=query)
    return say("taming.row.sees", query=query, seen=count, words=words)
