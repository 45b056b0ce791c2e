"""The texts of the film that computes one pair of words: seven steps, and what to try next."""

from collections.abc import Iterator
from typing import Any

from pages.shell.i18n import listed, say
from pages.shell.i18n.numbers import digits, fixed
from pages.shell.runs.run import Run
from pages.shell.screen import Screen
from pages.shell.state.config import LEARNED
from pages.shell.views import naming, why
from pages.shell.views.arcs import written
from pages.shell.views.blocks import Block
from pages.shell.views.chosen import chosen
from pages.shell.views.film_turn import turn
from pages.shell.views.taken import acting

# The next page.
_ON = "heads"


def film(screen: Screen) -> Iterator[Block]:
    """Nothing if the asking word sees no word, or if there is no X that queries are made from."""
    run = screen.run
    if not run.has_layer:
        return
    at = chosen(screen, run)
    if at.key is None:
        return
    words = {"asking": naming.of_query(run, at.query), "answering": naming.of_key(run, at.key)}
    pair = run.labels["query"][at.query], run.labels["key"][at.key]
    taken = written(float(run.matrix(acting(run))[at.query, at.key]))
    said = [
        _rows(run),
        say("film.roles"),
        say("film.ask", total=why.written(run, at.query, at.key).total, **words),
        _divide(run, at.query),
        _share(run, at.query, at.key, words),
        say("film.take", share=taken, **words),
        _heads(run, words),
    ]
    scale = float(run.trace["scale"].value) if "scale" in run.trace else run.module.d_k**-0.5
    yield {
        "kind": "film",
        "steps": [naming.opened(one) for one in said],
        "names": [say(f"film.name_{number}") for number in range(1, len(said) + 1)],
        # The reader's turn comes last.
        "over": say("film.over"),
        "turn": turn(run, pair),
        "on": say("film.on", page=say(f"page.{_ON}.title")),
        "leads": f"./{_ON}" + (f"?lang={screen.parameters['lang']}" if "lang" in screen.parameters else ""),
        "score": say("film.score"),
        # The factor from a score to the sum of products that it was made from.
        "undivided": 1 / scale if scale else 1.0,
    }


def _rows(run: Run) -> str:
    places = run.config.preset == LEARNED and run.config.positions != "none"
    return say("film.rows_places" if places else "film.rows", features=run.module.d_model)


def _divide(run: Run, query: int) -> str:
    if "scale" not in run.trace:
        d_k = run.module.d_k
        said = [say("film.divide", d_k=d_k, root=digits(d_k**0.5, 4))]
    elif float(run.trace["scale"].value) == 1:
        said = [say("film.undivided")]
    else:
        said = [say("film.times", factor=digits(float(run.trace["scale"].value), 4))]
    if "mask" in run.trace:
        hidden = int((~run.matrix("mask")[query]).sum())
        said.append(say("film.hidden", hidden=hidden, keys=run.trace.sizes["key"]))
    return listed("sentence", said)


def _share(run: Run, query: int, key: int, words: dict[str, str]) -> str:
    weights = run.matrix("weights")[query]
    said = [say("film.share", sum=fixed(weights.sum()), share=written(float(weights[key])), **words)]
    if "kept" in run.trace:
        dropped = int((~run.matrix("kept")[query] & (weights > 0)).sum())
        said.append(say("film.dropped", dropped=dropped, rest=digits(1 / (1 - run.config.dropout), 3)))
    return listed("sentence", said)


def _heads(run: Run, words: dict[str, Any]) -> str:
    heads = run.module.heads
    if heads == 1:
        return say("film.one_head", **words)
    own = run.module.kv_heads == heads
    return say("film.heads" if own else "film.heads_shared", heads=heads, **words)
