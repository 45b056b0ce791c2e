"""All heads of a layer at once on one sentence: their arcs."""

from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import TypeVar

from attention.figures import LIMIT
from pages.shell.component.arcs import Ask
from pages.shell.component.head_arcs import HeadArcs
from pages.shell.i18n import listed, say
from pages.shell.i18n.numbers import fixed
from pages.shell.runs import learned
from pages.shell.runs.run import Run
from pages.shell.screen import Screen
from pages.shell.state.config import RANDOM
from pages.shell.views import asking, blocks, ghost, head_colours, naming
from pages.shell.views.blocks import Block
from pages.shell.views.crossing import crossing
from pages.shell.views.steps import focus_of

_Drawn = TypeVar("_Drawn", bound=HeadArcs)


def asked_of(screen: Screen) -> int:
    """The query whose arcs are drawn: the one that the address names, else the preset's."""
    named = screen.query()
    return focus_of(screen.run) if named is None else named


def warning(screen: Screen) -> Iterator[Block]:
    """The warning that the pattern of random weights means nothing; it stands first."""
    if screen.run.config.preset == RANDOM:
        yield blocks.note(say("random.warning"), "info")


def arcs(screen: Screen) -> Iterator[Block]:
    """A click on a word chooses it as the query."""
    if screen.run.context is not None:
        yield from crossing(screen)
        return
    query = asked_of(screen)
    made = drawn(screen.run, query)
    kept = ghost.ghost(screen, query, len(made.tokens))
    yield blocks.figures(replace(made, ghost=kept, pale=True, colours=head_colours.places(screen.run)), click={})


def drawn(run: Run, query: int, id: str = "head-arcs") -> HeadArcs:
    """The arcs of each head of a run for a query."""
    earlier = len(run.labels["key"]) - len(run.labels["query"])
    focus, tokens = query + earlier, run.labels["key"]
    shown = max(run.inputs.lengths[run.sentence], focus + 1)
    made = asking.asks(run, query, shown)
    return HeadArcs(
        id,
        say("all_heads.title", word=run.labels["query"][query]),
        _told(run, query),
        tokens[:shown],
        focus,
        run.head,
        made,
        [named(one.head, one.name) for one in made],
        [one.name or named(one.head, "") for one in made],
        learned.off(run.config, run.module.heads),
        [{"cell": f"weights.{at - earlier}.0.arcs"} if 0 <= at - earlier < LIMIT else {} for at in range(shown)],
    )


def named_after(arcs: _Drawn, others: Sequence[Ask]) -> _Drawn:
    """The same heads with the names that they have in another picture, if they answer those questions here too."""
    asks = [
        replace(one, name=other.name, answer=other.answer)
        if not one.name and other.answer >= 0 and one.weights[other.answer] >= asking.EARNED
        else one
        for one, other in zip(arcs.asks, others, strict=True)
    ]
    names = [named(one.head, one.name) for one in asks]
    return replace(arcs, asks=asks, names=names, short=[one.name or named(one.head, "") for one in asks])


def two(above: HeadArcs, below: HeadArcs) -> Iterator[Block]:
    """Two runs in one picture: the arcs of the second hang below the words of the first, if the words are the same."""
    same = list(above.tokens) == list(below.tokens) and above.focus == below.focus
    if same:
        # The answers of both stand in one place.
        above = replace(above, mirrored=True, other_side=below.side, other_scored=below.scored)
        below = replace(below, mirrored=True, hangs=True)
    yield blocks.figures(above, below, click={})


def named(head: int, question: str) -> str:
    """The name of a head beside its arcs, with the question that it answers, "" for none."""
    return say("all_heads.named", head=head, question=question) if question else say("asking.head", head=head)


def _told(run: Run, query: int) -> str:
    """The word with the largest weight of each head."""
    weights = run.trace["weights"].value[run.sentence, :, query].cpu()
    parts = [
        say("all_heads.most", head=head + 1, weight=fixed(row.max()), key=naming.of_key(run, int(row.argmax())))
        for head, row in enumerate(weights[:8])
        if row.any()
    ]
    return listed("sentence", parts) if parts else naming.opened(say("arcs.nothing", word=naming.of_query(run, query)))
