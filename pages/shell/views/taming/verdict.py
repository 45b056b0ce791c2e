"""What has become of a row: it holds, one word has taken it, or no word stands out."""

from collections.abc import Mapping, Sequence

from pages.shell.i18n import listed, say
from pages.shell.i18n.numbers import fixed

HOLDS, GIVES, FLAT = "holds", "gives", "flat"
# The share over which one word has taken the row, and the least by which the first word stands out from the next one.
LIMIT, LEAD = 0.99, 0.1


def state(weights: Sequence[float]) -> str:
    """Of a row with several words."""
    second, first = sorted(weights)[-2:]
    if first > LIMIT:
        return GIVES
    return FLAT if first - second < LEAD else HOLDS


def told(weights: Sequence[float], tokens: Sequence[str]) -> str:
    """Which word takes most, and in a flat row by how little."""
    most = max(range(len(tokens)), key=weights.__getitem__)
    word, share = say("note.named", token=tokens[most]), weights[most]
    if state(weights) != FLAT:
        return say("taming.row.takes", word=word, share=fixed(share))
    return say("taming.row.leads", word=word, lead=fixed(share - sorted(weights)[-2]))


def said(factor: str, states: Mapping[str, str]) -> str:
    """What has become of the row at a length, by name."""
    parts = []
    for each in (GIVES, FLAT, HOLDS):
        names = [name for name, found in states.items() if found == each]
        if names:
            parts.append(say(f"taming.row.now.{each}", names=listed("comma", names)))
    return listed("sentence", (say("taming.row.at", factor=factor), *parts))
