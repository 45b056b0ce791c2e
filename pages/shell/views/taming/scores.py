"""The scores of the row under each remedy, and the remaining gradient."""

from collections.abc import Iterator

from pages.shell.component.remedies import STEEPEST
from pages.shell.component.remedies_scores import Scored, Scores
from pages.shell.i18n import listed, say
from pages.shell.i18n.numbers import fixed
from pages.shell.screen import Screen
from pages.shell.state.todays_controls import STRETCHES, Taming, stretches
from pages.shell.views import blocks
from pages.shell.views.blocks import Block
from pages.shell.views.taming import verdict
from pages.shell.views.taming.found import COLOURS, WAYS, Row, asks, found, name, of_cap, tokens, why


def scores(screen: Screen) -> Iterator[Block]:
    """The scores on one scale, whatever the length."""
    run, chosen = screen.run, screen.own(Taming)
    at, words, rows = STRETCHES.index(chosen.taming_stretch), tokens(run), found(run, chosen)
    is_judged = len(words) > 1
    columns = [
        Scored(
            name(way, run, chosen),
            why(way, run, chosen),
            COLOURS[way],
            rows[way].scores[at],
            [_score(one) for one in rows[way].scores[at]],
            chosen.taming_cap if way == "cap" else None,
            rows[way].slopes[at],
            fixed(rows[way].slopes[at]) if is_judged else "",
        )
        for way in WAYS
    ]
    labels = {
        "remedy": say("taming.row.remedy"),
        "scores": say("taming.scores.scale"),
        "scores_told": say("taming.row.scores_told"),
        "slope": say("taming.scores.slope") if is_judged else "",
        "cap": say("taming.scores.at_cap", cap=f"{chosen.taming_cap:g}"),
        "kind": say("taming.row.kind"),
        "keys": say("taming.row.keys"),
    }
    reached = len(stretches(chosen.taming_stretch))
    most = max(abs(score) for way in WAYS for each in rows[way].scores[:reached] for score in each)
    note = _told(rows["cap"], at, chosen.taming_cap, words) if is_judged else say("taming.row.alone", query=asks(run))
    title = say("taming.scores.figure", query=asks(run))
    yield blocks.figures(Scores("remedies-scores", title, note, words, columns, labels, most or 1.0))


def _told(capped: Row, at: int, cap: float, words: list[str]) -> str:
    """The meaning of the gradient and, if the cap has bent the largest score by half, the reason why it is small
    although others keep a share."""
    said = [say("taming.scores.slope_told", most=fixed(STEEPEST))]
    first, word = max(zip(capped.scores[at], words, strict=True))
    passed = of_cap(first, cap)
    if passed < 0.5 and verdict.state(capped.weights[at]) != verdict.GIVES:
        said.append(say("taming.scores.bent", word=say("note.named", token=word), passed=fixed(passed)))
    return listed("sentence", said)


def _score(score: float) -> str:
    """A score as wide as a word: the larger it is, the fewer its decimals."""
    return fixed(score, 1 if abs(score) < 10 else 0)
