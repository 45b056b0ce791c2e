"""A word's weights under another order, the change of its output, and the consequence, in words."""

from collections.abc import Sequence

from attention.inputs.grammar import read
from pages.shell.i18n import listed, say
from pages.shell.i18n.markdown import MOST, cut
from pages.shell.views.naming import named, opened
from pages.shell.views.order.looked import Looked, at_place, taken
from pages.shell.views.order.shuffle import Shuffle, exchanged, pair


def told(shuffle: Shuffle, of: Looked, is_moved: Sequence[bool]) -> str:
    """The change of the outputs, and its reason: the chosen word's weight on another one in both orders."""
    if shuffle.is_written:
        return say("order.unmoved_with" if _reasons(shuffle) else "order.unmoved")
    is_changed = any(is_moved)
    first = [] if is_changed else [_kept(shuffle)]
    why = (at_place(of, shuffle) or taken(of, shuffle.tokens), *_reason(shuffle, is_changed))
    return listed("sentence", (*first, *why, _so(shuffle, is_changed)))


def _reasons(shuffle: Shuffle) -> list[str]:
    """The settings that make places matter."""
    chosen = shuffle.chosen
    matters = {"positions": chosen.order_positions == "added", "causal": chosen.order_mask == "causal"}
    return [reason for reason, is_there in matters.items() if is_there]


def _reason(shuffle: Shuffle, is_changed: bool) -> list[str]:
    """The settings that make places matter, if outputs have changed; that there is none, if no output has."""
    reasons = _reasons(shuffle)
    if is_changed != bool(reasons):
        return []
    return [*(say(f"order.reason.{reason}") for reason in reasons or ["full"]), *_stays(shuffle)]


def _stays(shuffle: Shuffle) -> list[str]:
    """Under a causal mask, the words before the first one that has moved, whose outputs stay."""
    first = min(shuffle.elsewhere)
    if shuffle.chosen.order_mask != "causal" or not first:
        return []
    return [say("order.stays", word=named(shuffle.tokens, first - 1, MOST))]


def _so(shuffle: Shuffle, is_changed: bool) -> str:
    """The consequence for a sentence: for the pair that is exchanged at first, who does something to whom."""
    case = "differ" if is_changed else "alike"
    sentence = read(shuffle.tokens)
    if sentence.fault or shuffle.order.tolist() != exchanged(shuffle.tokens).tolist():
        return say(f"order.so.{case}")
    one, other = (cut(shuffle.tokens[at]) for at in pair(shuffle.tokens))
    return say(f"order.who.{case}", one=one, other=other, verb=cut(shuffle.tokens[sentence.verb]))


def _kept(shuffle: Shuffle) -> str:
    """The words that have changed places without a change of the outputs."""
    if len(shuffle.elsewhere) != 2:
        return say("order.travels")
    one, other = (named(shuffle.tokens, word, MOST) for word in sorted(shuffle.elsewhere))
    return opened(say("order.exchanged", one=one, other=other))
