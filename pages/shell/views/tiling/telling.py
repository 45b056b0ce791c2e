"""The sentence about a tile: what it does to the maximum, the sum and the output of one query; what is not told yet."""

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
    # What was corrected stands below the figure: in one line what has come of it all.
    last = say("tiles.told.last")
    return listed("sentence", (done, last)) if tile.skipped else last


def waits(screen: Screen) -> bool:
    """Whether it is still open how far the outputs of both ways are apart: to be guessed, or to be played to the end; a
    quiz covers the whole figure."""
    is_first = screen.own(Guesses).guess_first and not screen.own(Reader).quiz
    return is_first and not is_settled("tiles", screen)


def keeps(screen: Screen) -> dict[str, str]:
    """What goes with another tile once both outputs are laid over each other for a guess: it stays told."""
    guesses = screen.own(Guesses)
    return guesses.answering(TILES_SEEN, "yes") if "tiles" in guesses.by_question and not waits(screen) else {}


def places(these: range) -> str:
    """Positions as people count them."""
    return interval(str(these.start + 1), str(these.stop))


def _done(run: Run, tile: Tile, at: int, row: int) -> str:
    if tile.skipped:
        return say("tiles.told.skipped")
    before, after = float(tile.maximum_before[at]), float(tile.maximum[at])
    query = say("note.named", token=naming.apart(run.labels["query"])[row])
    if after == float("-inf"):
        return say("tiles.told.nothing", query=query)
    if before == float("-inf"):
        # Below the first rows of tiles another query than before is followed, which says so where it comes.
        return say("tiles.told.other" if tile.queries.start else "tiles.told.first", query=query)
    case = "stays" if after == before else "jumps"
    return say(f"tiles.told.{case}", query=query)
