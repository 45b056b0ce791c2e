"""Other weights with the same output: a large weight alone does not make a word important."""

from typing import Any, NamedTuple

import torch
from torch import Tensor

from attention.analysis.importance import same_output
from pages.shell.i18n import listed, say, with_and
from pages.shell.i18n.markdown import MOST, plain
from pages.shell.i18n.numbers import fixed
from pages.shell.runs.run import Run
from pages.shell.screen import Screen
from pages.shell.views import naming
from pages.shell.views.experiments import after
from pages.shell.views.experiments.after import After
from pages.shell.views.head_arcs import asked_of

# The number of heads that are tried for the largest move of a weight. A smaller move than the second number is none.
_TRIED, _MOVES = 24, 0.005
# The most words that are named for getting more: those that get so much more, or else the first one.
_TOLD, _MORE = 3, 0.05


class Row(NamedTuple):
    """The weights of a query in a head (keys,), and others with the same output, float64."""

    query: int
    head: int
    was: Tensor
    now: Tensor

    @property
    def top(self) -> int:
        return int(self.was.argmax())

    @property
    def instead(self) -> list[int]:
        """The keys that get much more, those with the largest weight first."""
        more = self.now - self.was
        most = more.argsort(descending=True)[:_TOLD].tolist()
        told = [key for key in most if more[key] >= _MORE] or most[:1]
        return sorted(told, key=lambda key: -float(self.now[key]))

    @property
    def moved(self) -> float:
        return float(self.was[self.top] - self.now[self.top])


def shown(screen: Screen) -> Row:
    """The head of the asking word whose largest weight can move most."""
    run, query = screen.run, asked_of(screen)
    most = run.trace["weights"].value[run.sentence, :, query].cpu().amax(-1)
    # A weight near 1 or near 0 can hardly move.
    heads = (most * (1 - most)).argsort(descending=True)[:_TRIED].tolist()
    return max((_row(run, head, query) for head in heads), key=lambda row: row.moved)


def _row(run: Run, head: int, query: int) -> Row:
    was = run.trace["weights"].value[run.sentence, head, query].cpu().double()
    values = run.trace["values"].value[run.sentence]
    # A mask may hide a key without weight, which therefore stays without.
    seen = was > 0
    now = was.clone()
    if seen.any():
        now[seen] = same_output(was[seen], values[min(head, len(values) - 1)][seen.to(values.device)])
    return Row(query, head, was, now)


def otherwise(screen: Screen) -> After:
    """One head of one word. Beside its arcs stand both outputs."""
    run, row = screen.run, shown(screen)
    values = run.trace["values"].value[run.sentence]
    of_head = values[min(row.head, len(values) - 1)].cpu().double()
    key = plain(naming.of_key(run, row.top, MOST))
    told = "moves" if row.moved >= _MOVES else "stays"
    sentence = say(
        f"what_if.largest.{told}",
        word=plain(naming.of_query(run, row.query, MOST)),
        key=key,
        head=row.head + 1,
        was=fixed(row.was[row.top]),
        now=fixed(row.now[row.top]),
        others=with_and(
            [
                say("what_if.instead", key=plain(naming.of_key(run, at, MOST)), weight=fixed(row.now[at]))
                for at in row.instead
            ]
        ),
    )
    found = "stays" if told == "stays" else "less" if row.now[row.top] >= _MOVES else "moves"
    # The free numbers are the weights of the visible words. The conditions are the output, and a sum of one.
    given, wanted = int((row.was > 0).sum()), of_head.shape[-1] + 1
    sizes: dict[str, Any] = {"weights": given, "numbers": wanted - 1}
    if told == "moves" and given > wanted:
        free = say(f"what_if.free.{found}", **sizes, key=key)
        sentence = listed("sentence", (sentence, free, say("what_if.follows.importance")))
    pairs = after.pairs(
        say("what_if.pairs.output", word=after.spoken(run, "query", row.query), head=row.head + 1),
        after.numbered(of_head.shape[-1]),
        [weights @ of_head for weights in (row.was, row.now)],
        row.head,
        are_words=False,
    )
    weights = after.weights(run, run.trace, row.query).clone()
    weights[row.head] = row.now.to(torch.float32)
    return After(run, row.query, weights, sentence, shown=pairs, sizes=sizes, alone=row.head, found=found)
