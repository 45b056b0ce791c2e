"""The words of choices, as styles over their ids.

A bound widget writes what it displays into the address, and a link must not depend on the language. So a choice
displays ids, and the words of the reader's language are drawn over them (docs/decisions/choices.md).
"""

from collections.abc import Collection, Sequence
from functools import cache
from typing import Any
from urllib.parse import quote

import streamlit as st
import torch

from attention.masks import MASKS
from pages.shell.i18n import spoken
from pages.shell.i18n.options import word
from pages.shell.state.fields import Choice
from pages.shell.state.registry import ALL_FIELDS

_PICTURED = ("mask", "cross_mask", "order_mask")
_SIDE = 5


def write() -> None:
    """Write the words of all choices into the page."""
    st.html(_styles(spoken()))


def offer(name: str, options: Sequence[Any], offered: Collection[Any]) -> str:
    """Styles that leave, of the buttons of a control, those that are offered, and the one that is pressed.

    All are there: a widget whose options change forgets a value that was set meanwhile.
    """
    numbers = [number for number, option in enumerate(options, 1) if option in offered]
    places = ", ".join(f":nth-child({number})" for number in numbers)
    button = f".st-key-{name} [role=radio]"
    # The last of a row of buttons has the border that the next one has for the others.
    looks = "border-right: 1px solid var(--st-border-color, #8888); margin-right: 0; border-radius: 0 0.5rem 0.5rem 0;"
    end = f"{button}:nth-child({numbers[-1]}) {{ {looks} }}"
    return f'<style>{button}:not({places}, [aria-checked="true"]) {{ display: none; }} {end}</style>'


def stand_in(name: str, options: Sequence[str], option: str, other: str, chosen: str) -> str:
    """Styles that give an option the looks and the place of another, which it stands for. chosen: the one pressed.

    Of the two, only one is seen: the other one where it is pressed itself, as by a link.
    """
    own, hidden = options.index(option) + 1, options.index(option if chosen == other else other) + 1
    # Twice, to outweigh what is said of all options.
    button = f".st-key-{name}.st-key-{name} [role=radio]"
    places = " ".join(f"{button}:nth-child({number}) {{ order: {number}; }}" for number in range(1, len(options) + 1))
    looks = " ".join(_looks(name, f"{button}:nth-child({own})", other, word(name, other)))
    place = f"{button}:nth-child({own}) {{ order: {options.index(other) + 1}; }}"
    return f"<style>{places} {looks} {place} {button}:nth-child({hidden}) {{ display: none; }}</style>"


@cache
def _styles(language: str) -> str:
    rules = [
        rule for name, knob in ALL_FIELDS.items() if isinstance(knob, Choice) for rule in _rules(name, knob, language)
    ]
    return f"<style>{' '.join(rules)}</style>"


def _rules(name: str, knob: Choice, language: str) -> list[str]:
    rules = []
    for number, option in enumerate(knob.options, 1):
        button = f".st-key-{name} [role=radio]:nth-child({number})"
        shown = word(name, option, language)
        if not knob.ordered or shown != option:
            rules += _looks(name, button, option, shown)
    return rules


def _looks(name: str, button: str, option: str, shown: str) -> list[str]:
    """Styles that write the word of an option over its id, and draw its picture where it has one."""
    rules = [f'{button} p {{ display: none; }} {button}::after {{ content: "{_escaped(shown)}"; }}']
    if name in _PICTURED and option in MASKS:
        rules.append(f'{button}::before {{ mask-image: url("data:image/svg+xml,{quote(_pictogram(option))}"); }}')
    return rules


def _escaped(text: str) -> str:
    return text.replace("\\", "\\\\").replace('"', '\\"').replace("<", "\\3c ")


def _pictogram(mask: str) -> str:
    """A mask of a few tokens: a square for each pair that it leaves, a dot for the others."""
    place = torch.arange(_SIDE)
    cells = MASKS[mask](place[:, None], place, **dict.fromkeys(MASKS[mask].parameters, 2)).tolist()
    drawn = "".join(
        f"<rect x='{column + (1 - side) / 2}' y='{row + (1 - side) / 2}' width='{side}' height='{side}'/>"
        for row, line in enumerate(cells)
        for column, is_seen in enumerate(line)
        for side in (0.86 if is_seen else 0.24,)
    )
    return f"<svg xmlns='http://www.w3.org/2000/svg' viewBox='0 0 {_SIDE} {_SIDE}'>{drawn}</svg>"
