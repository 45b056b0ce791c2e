"""What the outputs have done under another order, in words."""

from collections.abc import Sequence

from attention.inputs.grammar import read
from pages.shell.i18n import listed, say
from pages.shell.i18n.markdown import MOST, cut
from pages.shell.views.naming import named, opened
from pages.shell.views.order.shuffle import Shuffle, exchanged, pair


def told(shuffle: Shuffle, changed: Sequence[float], is_moved: Sequence[bool]) -> str:
    """What the outputs have done, and why. changed: by which part of its size each of them is another one."""
    if shuffle.is_written:
        return say("order.unmoved_with" if _reasons(shuffle) else "order.unmoved")
    counted = _counted(shuffle, changed, is_moved)
    return listed("sentence", (counted, *_reason(shuffle, any(is_moved)), _so(shuffle, any(is_moved))))


def _reasons(shuffle: Shuffle) -> list[str]:
    """What makes places matter."""
    chosen = shuffle.chosen
    matters = {"positions": chosen.order_positions == "added", "causal": chosen.order_mask == "causal"}
    return [reason for reason, is_there in matters.items() if is_there]


def _reason(shuffle: Shuffle, is_changed: bool) -> list[str]:
    """What makes places matter, where outputs have changed; that nothing does, where none has."""
    reasons = _reasons(shuffle)
    if is_changed != bool(reasons):
        return []
    return [say(f"order.reason.{reason}") for reason in reasons or ["full"]]


def _so(shuffle: Shuffle, is_changed: bool) -> str:
    """What follows for a sentence: of the pair that is exchanged at first, who does something to whom."""
    case = "differ" if is_changed else "alike"
    sentence = read(shuffle.tokens)
    if sentence.fault or shuffle.order.tolist() != exchanged(shuffle.tokens).tolist():
        return say(f"order.so.{case}")
    one, other = (cut(shuffle.tokens[at]) for at in pair(shuffle.tokens))
    return say(f"order.who.{case}", one=one, other=other, verb=cut(shuffle.tokens[sentence.verb]))


def _counted(shuffle: Shuffle, changed: Sequence[float], is_moved: Sequence[bool]) -> str:
    """How many outputs are others than before, and which one most."""
    count = sum(is_moved)
    if not count:
        elsewhere = [word for place, word in enumerate(shuffle.order.tolist()) if word != place]
        if len(elsewhere) == 2:
            one, other = (named(shuffle.tokens, word, MOST) for word in sorted(elsewhere))
            return opened(say("order.exchanged", one=one, other=other))
        return say("order.travels")
    most = max(range(len(changed)), key=changed.__getitem__)
    return say("order.changed", count=count, of=len(is_moved), word=named(shuffle.tokens, most, MOST))
