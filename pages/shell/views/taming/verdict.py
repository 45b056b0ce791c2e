"""What has become of a row: one word has it all, others keep a share, or it is spread evenly."""

from collections.abc import Mapping, Sequence

from pages.shell.i18n import listed, say
from pages.shell.i18n.numbers import fixed

HOLDS, GIVES, FLAT = "holds", "gives", "flat"
# The largest weight over which one word has it all, and how far over an even share it may be where the row is even.
LIMIT, OVER = 0.95, 0.1
# Two weights that are written alike.
_ALIKE = 0.005


def bounds(count: int) -> tuple[float, float]:
    """Between which of the largest weights others keep a share, of a row with so many words."""
    return 1 / count + OVER, LIMIT


def state(weights: Sequence[float]) -> str:
    """Of a row with several words, read off its largest weight alone: the lines of a lane show where it changes."""
    low, high = bounds(len(weights))
    first = max(weights)
    return GIVES if first > high else FLAT if first < low else HOLDS


def told(weights: Sequence[float], tokens: Sequence[str]) -> str:
    """Which word takes most, where one does."""
    second, first = sorted(weights)[-2:]
    if first - second < _ALIKE:
        return say("taming.row.none_leads")
    word = say("note.named", token=tokens[max(range(len(tokens)), key=weights.__getitem__)])
    return say("taming.row.takes", word=word, share=fixed(first))


def said(factor: str, states: Mapping[str, str]) -> str:
    """What has become of the row at a length, by name."""
    parts = []
    for each in (GIVES, FLAT, HOLDS):
        names = [name for name, found in states.items() if found == each]
        if names:
            parts.append(say(f"taming.row.now.{each}", names=listed("comma", names)))
    return listed("sentence", (say("taming.row.at", factor=factor), *parts))
