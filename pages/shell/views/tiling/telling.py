"""The sentence about a tile: its effect on the maximum, the sum and the output of one query; and the open question."""

from attention.analysis.online_softmax import Tile
from pages.shell.i18n import listed, say
from pages.shell.i18n.numbers import interval
from pages.shell.runs.run import Run
from pages.shell.screen import Screen
from pages.shell.state.guesses import Guesses
from pages.shell.state.reader import Reader
from pages.shell.views import naming
from pages.shell.views.asked import TILES_SEEN, is_settled


def sentence(run: Run, tile: Tile, row: int) -> str:
    """The sentence about a tile and a query of it."""
    done = _done(run, tile, row - tile.queries.start, row)
    if tile.keys.stop < len(run.labels["key"]):
        return done
    # The corrections stand below the figure. The last tile only says the result, in one line.
    last = say("tiles.told.last")
    return listed("sentence", (done, last)) if tile.skipped else last


def waits(screen: Screen) -> bool:
    """Whether the difference between both outputs is still open, to be guessed or to be reached by playing to the end;
    a quiz covers the whole figure."""
    is_first = screen.own(Guesses).guess_first and not screen.own(Reader).quiz
    return is_first and not is_settled("tiles", screen)


def keeps(screen: Screen) -> dict[str, str]:
    """Settings that keep the answer on other tiles once a guess has laid both outputs over each other."""
    guesses = screen.own(Guesses)
    return guesses.answering(TILES_SEEN, "yes") if "tiles" in guesses.by_question and not waits(screen) else {}


def places(these: range) -> str:
    """Positions, counted from 1."""
    return interval(str(these.start + 1), str(these.stop))


def _done(run: Run, tile: Tile, at: int, row: int) -> str:
    if tile.skipped:
        return say("tiles.told.skipped")
    before, after = float(tile.maximum_before[at]), float(tile.maximum[at])
    query = say("note.named", token=naming.apart(run.labels["query"])[row])
    if after == float("-inf"):
        return say("tiles.told.nothing", query=query)
    if before == float("-inf"):
        # From the second row of tiles on, another query is followed. Its first tile says so.
        return say("tiles.told.other" if tile.queries.start else "tiles.told.first", query=query)
    case = "stays" if after == before else "jumps"
    return say(f"tiles.told.{case}", query=query)
