"""The state of a row: one word has everything, others keep a share, or no word stands out."""

from collections.abc import Mapping, Sequence

from pages.shell.i18n import say
from pages.shell.i18n.numbers import fixed

HOLDS, GIVES, FLAT = "holds", "gives", "flat"
# The largest weight above which one word has everything; its distance from an even share up to which no word stands
# out; and the fall of a line that counts as turning back.
LIMIT, OVER, BACK = 0.95, 0.1, 0.02


def bounds(count: int) -> tuple[float, float]:
    """The ends of the largest weight between which others keep a share, in a row with so many words."""
    return 1 / count + OVER, LIMIT


def state(weights: Sequence[float]) -> str:
    """The state of a row with several words. It depends on the largest weight alone, so that the line shows where it
    changes."""
    low, high = bounds(len(weights))
    first = max(weights)
    return GIVES if first > high else FLAT if first < low else HOLDS


def word(state: str, weights: Sequence[float]) -> str:
    """A state in words, with the rest of the others if they keep a share."""
    return say(f"taming.row.is.{state}", rest=fixed(1 - max(weights)))


def said(factors: Sequence[str], states: Mapping[str, Sequence[str]], largest: Mapping[str, Sequence[float]]) -> str:
    """The lesson at the last of the lengths so far. states, largest: states and largest weights at each of them, by
    way."""
    at = len(states["raw"]) - 1
    raw, scaled, cap = (states[way] for way in ("raw", "scaled", "cap"))
    if raw[at] != GIVES:
        return say(f"taming.row.still.{raw[at]}", rest=fixed(1 - largest["raw"][at]))
    first, then = since(raw), since(scaled)
    if scaled[at] != GIVES:
        return _when("helps", first == at, raw=factors[first], rest=fixed(1 - largest["scaled"][at]))
    if cap[at] == FLAT:
        is_alone = is_norm_alone({way: states[way][at] for way in states})
        return say("taming.row.learned.both_but_norm" if is_alone else "taming.row.learned.both")
    if at > then > first and (peak := _turned(largest["cap"], at)) is not None:
        most, now = (fixed(largest["cap"][one]) for one in (peak, at))
        return say("taming.row.learned.turned", scaled=factors[then], peak=factors[peak], most=most, now=now)
    if then > first:
        return _when("later", then == at, raw=factors[first], scaled=factors[then])
    return _when("alike", then == at, scaled=factors[then])


def is_norm_alone(now: Mapping[str, str]) -> bool:
    """Whether others keep a share with QK-norm alone. now: a state by way."""
    return (now["raw"], now["scaled"], now["cap"], now["norm"]) == (GIVES, GIVES, FLAT, HOLDS)


def _when(lesson: str, is_now: bool, **since: str) -> str:
    """A lesson with the length since which it holds, or that it holds from here on."""
    return say(f"taming.row.learned.{lesson}{'_now' if is_now else ''}", **since)


def _turned(largest: Sequence[float], at: int) -> int | None:
    """The place of a line's peak, if it has fallen since."""
    peak = max(range(at + 1), key=lambda one: largest[one])
    return peak if largest[at] < largest[peak] - BACK else None


def since(states: Sequence[str]) -> int:
    """The place from which on a row has its last state."""
    at = len(states) - 1
    while at and states[at - 1] == states[at]:
        at -= 1
    return at
