"""The reader's turn at the end of the film: the word from which another one takes most, and the verdict on each
guess."""

from collections.abc import Iterator, Sequence
from dataclasses import replace

from pages.shell.i18n import listed, say
from pages.shell.runs import asking
from pages.shell.runs.run import Run
from pages.shell.views import learned, naming
from pages.shell.views.arcs import before, columns, written
from pages.shell.views.asking import marked
from pages.shell.views.taken import acting

# Weights within this distance look alike in two decimals; each counts as right.
_ALIKE = 0.005


def turn(run: Run, seen: Sequence[str]) -> dict[str, object] | None:
    """The question of the turn. seen: the words that the film has told of. None if no other word is left to guess
    about."""
    if run.context is not None:
        return None
    query = next(_left(run, seen), None)
    if query is None:
        return None
    word, head = naming.of_query(run, query), asking.look(run, query)
    asks = [marked(one.question) for one in asking.told_by(run, query) if one.head == head]
    return {
        "asked": say("film.turn_asks", word=word, question=asks[0]) if asks else say("film.turn", word=word),
        # The place of the asking word, and the settings of a guess: that word asks, in the head that answers it.
        "place": query + before(run),
        "gives": learned.look(run, query),
        "said": list(_said(run, query, head)),
    }


def _left(run: Run, seen: Sequence[str]) -> Iterator[int]:
    """The words that can be guessed about, the last one first: they occur once and find what they ask; with weights
    that were not taught to answer, they take something."""
    labels, is_taught = run.labels["query"], bool(asking.asked(run))
    for query in reversed(range(len(labels))):
        if labels[query] in seen or labels.count(labels[query]) > 1:
            continue
        if asking.told_by(run, query) if is_taught else bool(run.matrix(acting(run))[query].any()):
            yield query


def _said(run: Run, query: int, head: int) -> Iterator[str]:
    """The verdict on each word as a guess."""
    shown = replace(run, config=replace(run.config, head=head + 1))
    row, stands = shown.matrix(acting(run))[query].cpu(), columns(shown, query)
    most, asks, names = int(row.argmax()), naming.of_query(run, query), run.labels["key"]
    closing = say("film.seen")
    fits = max((one.score for one in stands if one.score is not None), default=None)
    for guess, one in enumerate(stands):
        best = guess if float(row[guess]) > float(row[most]) - _ALIKE else most
        if best == guess:
            judged = "film.right"
        elif one.score is None:
            judged = "film.wrong_hidden"
        else:
            # A word that dropout strikes out may fit better.
            judged = "film.wrong" if stands[best].score == fits else "film.wrong_less"
        said = say(
            judged,
            asking=asks,
            answering=naming.named(names, best),
            share=written(float(row[best])),
            guess=naming.named(names, guess),
            less=written(float(row[guess])),
        )
        yield listed("sentence", [naming.opened(said), closing])
