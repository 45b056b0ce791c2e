"""A claim of a sentence of the catalogue, as a function of its screen; helpers for claims."""

import math
import re
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any

import torch

from attention.figures import matrix
from pages.shell.i18n import catalogue
from pages.shell.screen import Screen
from pages.shell.views import VIEWS, NotYetError
from tests.support.numbers import plain

Values = Mapping[str, str]


@dataclass(frozen=True)
class Claim:
    """view: the view with the sentence; screens: links on which the sentence appears, beside random ones."""

    view: str
    holds: Callable[[Screen, Values], bool]
    screens: tuple[dict[str, Any], ...] = ({},)


CLAIMS: dict[str, Claim] = {}


def claim(id: str, view: str, *screens: dict[str, Any]) -> Callable[[Callable[[Screen, Values], bool]], Any]:
    def keep(holds: Callable[[Screen, Values], bool]) -> Callable[[Screen, Values], bool]:
        CLAIMS[id] = Claim(view, holds, screens or ({},))
        return holds

    return keep


def spoken(screen: Screen, view: str) -> list[str]:
    """Every text that a view of a screen sends; none if the view waits for a task."""
    try:
        return list(_strings(VIEWS[view].blocks(screen)))
    except NotYetError:
        return []


def said(id: str, screen: Screen, texts: list[str]) -> list[dict[str, str]]:
    """The values in the places of a sentence, once for each time that a screen has it. A sentence about a step appears
    under the figure of the step, whenever the run has the step."""
    table, _, name = id.partition(".")
    if table == "step":
        return [{}] if name.partition(".")[0] in screen.run.trace else []
    return filled(id, screen.language, texts)


def filled(id: str, language: str, texts: list[str]) -> list[dict[str, str]]:
    """The values in the places of a sentence of the catalogue, once for each time that texts contain it."""
    parts = re.split(r"\{\{(\w+)\}\}", catalogue(language)[id])
    wanted, seen = "", set()
    for at, part in enumerate(parts):
        # A repeated place must have the same value, and the decimal point of a number does not end the number.
        plain = re.sub(r"^(\\\.|,)", r"\1(?!\\d)", re.escape(part))
        wanted += plain if at % 2 == 0 else f"(?P={part})" if part in seen else f"(?P<{part}>.+?)"
        seen |= {part} if at % 2 else set()
    pattern = re.compile(wanted + ("$" if parts[-1] == "" else ""))
    return [found.groupdict() for text in texts if (found := pattern.search(text))]


def _strings(part: Any) -> Iterator[str]:
    if isinstance(part, str):
        yield part
    elif isinstance(part, Mapping):
        for one in part.values():
            yield from _strings(one)
    elif isinstance(part, list | tuple):
        for one in part:
            yield from _strings(one)


def number(text: str) -> float:
    """The number of a text, with its sign; a percentage becomes hundredths."""
    return float(plain(text).replace(",", "").removesuffix("%"))


def near(text: str, value: float) -> bool:
    """Whether a text prints a number, to the last digit or to the third."""
    return math.isclose(number(text), value, rel_tol=6e-3, abs_tol=6e-3)


def visible(screen: Screen, trace: Any, id: str) -> torch.Tensor:
    """A step of the shown head over the pairs that the mask allows."""
    run = screen.run
    z = matrix(trace[id], **run.where).double()
    return z[matrix(run.trace["mask"], **run.where)] if "mask" in run.trace else z.flatten()


def whole_rows(screen: Screen, trace: Any) -> torch.Tensor:
    """The weights of the queries that see all keys."""
    run = screen.run
    weights = matrix(trace["weights"], **run.where).double()
    return weights[matrix(run.trace["mask"], **run.where).all(-1)]
