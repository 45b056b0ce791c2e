"""Differential attention: the weights of one head, less a share of those of the next."""

from collections.abc import Iterator

from attention.analysis.head_pair import head_pair
from attention.figures import matrix
from pages.shell.i18n import say
from pages.shell.i18n.numbers import fixed
from pages.shell.screen import Screen
from pages.shell.state.todays_controls import Taming
from pages.shell.views import blocks, explained
from pages.shell.views.blocks import Block
from pages.shell.views.explained import Caption, explained_heatmap, span


def pair(screen: Screen) -> Iterator[Block]:
    """The weights of the followed head, those of the next one, and their difference under lambda."""
    run, share = screen.run, screen.own(Taming).taming_lambda
    heads = run.module.heads
    if heads == 1:
        yield blocks.note(say("taming.pair.alone"))
        return
    first, second = run.head, (run.head + 1) % heads
    record = head_pair(run.trace, first, second, share, batch=run.where["batch"])
    difference = record["difference"].of()
    seen = matrix(run.trace["mask"], **run.where)
    row, column = divmod(int(difference.argmin()), difference.shape[-1])
    words = {"query": run.labels["query"][row], "key": run.labels["key"][column]}
    least = float(difference[row, column])
    told = {"share": fixed(share), "sums": span(difference[seen.any(-1)].sum(-1))}
    note = say("taming.pair.sums", **told)
    if least < 0:
        note = say(
            "taming.pair.negative",
            **told,
            least=fixed(least),
            **{name: say("note.named", token=word) for name, word in words.items()},
        )
    captions = (
        ("weights", 0, Caption("pair-first", say("taming.pair.first", head=first + 1))),
        ("weights", 1, Caption("pair-second", say("taming.pair.second", head=second + 1))),
        ("difference", 0, Caption("pair-difference", say("taming.pair.difference", share=fixed(share)), note)),
    )
    drawn = (
        explained_heatmap(
            run,
            record,
            id,
            caption,
            forbidden=~seen,
            bound=1.0 if id == "difference" else None,
            where={"batch": 0, "head": head},
        )
        for id, head, caption in captions
    )
    yield from explained.row(screen, "taming-pair", *drawn)
