"""Order: a sentence, its words in another order, and the rows put back in order."""

from collections.abc import Iterator
from math import inf

from attention.figures import LIMIT, magnitude, matrix
from attention.trace import Step
from pages.shell.component.reordered import Reordered, Taken
from pages.shell.i18n import say
from pages.shell.i18n.markdown import cut, plain
from pages.shell.i18n.numbers import apart, percent
from pages.shell.screen import Screen
from pages.shell.state.guesses import Guesses
from pages.shell.state.page_controls import Order
from pages.shell.views import blocks, head_arcs
from pages.shell.views import ledger as ledgers
from pages.shell.views.blocks import Block
from pages.shell.views.order import steps
from pages.shell.views.order.looked import looked
from pages.shell.views.order.shuffle import Shuffle, pair
from pages.shell.views.order.told import told
from pages.shell.views.registry import View, view

_LABELS = ("written", "look", "moved", "drag", "of_written", "of_moved", "before", "apart", "changed")
_MORE_LABELS = ("same", "other", "kind", "keys")
# Letters of a word that fit beside the lines.
_BESIDE = 6
# The part of its length up to which a vector has changed that much.
_MUCH = {"hardly": 0.05, "little": 0.25, "much": inf}
_MASKS, _POSITIONS = ("full", "causal"), ("none", "added")


@view
def warning(screen: Screen) -> Iterator[Block]:
    yield from head_arcs.warning(screen)


@view
def both(screen: Screen) -> Iterator[Block]:
    """The words in both orders with their outputs, and the weights of one of them. A drag moves a word, and a click on
    it chooses it."""
    shuffle = Shuffle(screen)
    written = matrix(shuffle.shown.plain["projected"], batch=0)
    moved = matrix(Step(shuffle.shown.moved["projected"].quantity, shuffle.shown.restored("projected")), batch=0)
    is_moved = shuffle.changes(shuffle.shown)
    changed = shuffle.parts
    of = looked(screen, shuffle)
    labels = {name: say(f"order.label.{name}") for name in (*_LABELS, *_MORE_LABELS)}
    labels["takes"] = say("order.takes.row", word=cut(shuffle.tokens[of.query], _BESIDE))
    heads = shuffle.run.module.heads
    labels["mean"] = say("order.takes.mean", heads=heads) if heads > 1 else ""
    drawn = Reordered(
        "words",
        say("order.words"),
        told(shuffle, of, is_moved),
        shuffle.tokens,
        shuffle.order.tolist(),
        written.numpy(),
        moved.numpy(),
        max(magnitude(written), magnitude(moved)) or 1.0,
        [
            say("order.by", part=percent(one)) if is_other else say("order.label.same")
            for one, is_other in zip(changed, is_moved, strict=True)
        ],
        is_moved,
        [one / (max(changed) or 1.0) for one in changed],
        [say(f"order.much.{_much(one)}") for one in changed],
        Taken(of.query, {"written": of.before, "moved": of.after}, [_looks_at(word) for word in range(shuffle.n)]),
        # The browser fills these placeholders as a word moves.
        labels | {"place": say("order.place", place="{{place}}", of="{{of}}")},
    )
    yield blocks.figures(drawn, drag={"word_order": "{order}"} | _asked_no_more(screen))


def _asked_no_more(screen: Screen) -> dict[str, str]:
    """The further settings of another order, which withdraw an answered guess about the order before it. They are there
    without a guess too, because a drag sets the same names until it ends."""
    return screen.own(Guesses).answering("order", "") if screen.own(Order).order_positions == "added" else {}


def _looks_at(word: int) -> dict[str, str]:
    return {"cell": f"weights.{word}.0.words"} if word < LIMIT else {}


def _much(part: float) -> str:
    """How much a vector has changed, as a word for that part of its length."""
    return next(name for name, most in _MUCH.items() if part <= most)


@view
def again(screen: Screen) -> Iterator[Block]:
    """Buttons for another order, and for the written one; from that, to exchange two words."""
    shuffle = Shuffle(screen)
    one, other = pair(shuffle.tokens)
    asked = _asked_no_more(screen)
    drawn = {"shuffle": str(shuffle.chosen.shuffle % 99 + 1), "word_order": ""} | asked
    written = {"shuffle": "0", "word_order": ",".join(str(place + 1) for place in range(shuffle.n))} | asked
    back = (say("order.as_written"), shuffle.is_written, written)
    if shuffle.is_written and one != other:
        names = {"one": plain(cut(shuffle.tokens[one])), "other": plain(cut(shuffle.tokens[other]))}
        back = (say("order.exchange", **names), False, {"shuffle": "0", "word_order": ""} | asked)
    yield blocks.buttons((say("order.again"), False, drawn), back)


@view
def ledger(screen: Screen) -> Iterator[Block]:
    yield from ledgers.ledger(screen)


@view
def differences(screen: Screen) -> Iterator[Block]:
    """The largest difference after restoring the order, for each mask with positions and without."""
    shuffle = Shuffle(screen, drawn=True)
    yield blocks.heading(say("order.when"))
    rows = []
    for mask in _MASKS:
        both = [shuffle.under(mask, positions).difference("projected") for positions in _POSITIONS]
        rows.append([say(f"order.mask.{mask}"), *(apart(difference) for difference in both)])
    yield blocks.table(say("table.mask"), say("order.without"), say("order.with"), rows=rows)
    if Shuffle(screen).is_written:
        yield blocks.text(say("order.drawn"))
    yield blocks.text(say("order.why"))


weights = View("order.order-weights", lambda screen: steps.row(screen, "weights"))
projected = View("order.order-projected", lambda screen: steps.row(screen, "projected"))
