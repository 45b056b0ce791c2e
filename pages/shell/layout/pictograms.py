"""Pictures of masks on the buttons that choose among them."""

from collections.abc import Sequence
from functools import cache
from urllib.parse import quote

import streamlit as st
import torch

from attention.masks import MASKS
from attention.patterns import PATTERNS
from attention.predicates import Parameter

_PICTURED = ("mask", "cross_mask", "order_mask", "studio_mask", "studio_second_mask")
_SIDE = 5
# Parameters with which a mask of five tokens shows its pattern; every other parameter is 2.
_NUMBERS: dict[str, Parameter] = {
    "lengths": (2, 3),
    "parents": (-1, 0, 0),
    "reach": 5,
    "size": 5,
    "columns": 3,
}
_OFFERED = MASKS | PATTERNS


def beside(name: str, key: str, options: Sequence[str]) -> None:
    """Draw a mask on each button of a widget that offers masks; do nothing for other widgets."""
    if name in _PICTURED:
        # knobs.css sets the size of the pictures; they take the colour of the text.
        buttons = enumerate(options, 1)
        rules = (_rule(key, number, option) for number, option in buttons if option in _OFFERED)
        st.html(f"<style>{' '.join(rules)}</style>")


def _rule(key: str, number: int, mask: str) -> str:
    return (
        f'.st-key-{key} [role=radio]:nth-child({number})::before {{ content: "";'
        f' mask-image: url("data:image/svg+xml,{_picture(mask)}"); }}'
    )


@cache
def _picture(mask: str) -> str:
    """A mask of a few tokens: a square for each permitted pair, a dot for each hidden one."""
    place = torch.arange(_SIDE)
    chosen = _OFFERED[mask]
    numbers = {name: _NUMBERS.get(name, 2) for name in chosen.parameters}
    cells = chosen(place[:, None], place, **numbers).expand(_SIDE, _SIDE).tolist()
    drawn = "".join(
        f"<rect x='{column + (1 - side) / 2}' y='{row + (1 - side) / 2}' width='{side}' height='{side}'/>"
        for row, line in enumerate(cells)
        for column, is_seen in enumerate(line)
        for side in (0.86 if is_seen else 0.24,)
    )
    return quote(f"<svg xmlns='http://www.w3.org/2000/svg' viewBox='0 0 {_SIDE} {_SIDE}'>{drawn}</svg>")
