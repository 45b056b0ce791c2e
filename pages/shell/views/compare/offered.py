"""What is offered beside A and beside B: to keep B as A, to swap them, and to change one thing in B."""

from collections.abc import Iterator, Mapping
from dataclasses import replace
from typing import Any

from pages.shell.i18n import listed, say, with_and
from pages.shell.runs.differences import differing
from pages.shell.screen import Screen
from pages.shell.state.config import ALL_UPDATES, LEARNED, Config
from pages.shell.state.page_controls import Compare
from pages.shell.state.url import written
from pages.shell.views import blocks
from pages.shell.views.blocks import Block
from pages.shell.views.compare.compared import Sides, chosen, sides

# What B has otherwise than A, by the names in the catalogue, and what it has where A has that already.
_CHANGES: Mapping[str, tuple[Mapping[str, Any], Mapping[str, Any]]] = {
    "mask": ({"mask": "causal"}, {"mask": "full"}),
    "positions": ({"positions": "none"}, {"positions": "sinusoidal"}),
    "heads": ({"heads": 1}, {"heads": Config.heads}),
    "updates": ({"updates": "40"}, {"updates": ALL_UPDATES}),
}
# How many controls are named where several differ.
_NAMED = 3


def keeping(screen: Screen) -> Iterator[Block]:
    """At A: which screen that is, and what makes another one of it."""
    kept, b = screen.own(Compare), screen.config
    a = kept.beside(b)
    made = [
        (say("pin.here"), None, {"pinned": b.bundled()}),
        (say("pin.swap"), None, _set(b, a) | {"pinned": b.bundled()}),
        *([(say("pin.let_go"), None, {"pinned": ""})] if kept.is_kept else []),
    ]
    yield blocks.buttons(*made, said=say("compare.a_kept" if kept.is_kept else "compare.a_opens"))


def changing(screen: Screen) -> Iterator[Block]:
    """At B: A with one thing replaced, or put back. Where other controls were moved, too, which ones these are: a
    button leaves one of them."""
    b = screen.config
    a = screen.own(Compare).beside(b)
    others = list(_others(a))
    yield blocks.buttons(
        *((say(f"compare.offer.{id}"), _has(b, a, other), _set(b, other)) for id, other in others),
        said=say("compare.b_changes") if any(_is_same(b, one) for one in (a, *dict(others).values())) else _all(screen),
    )


def change(both: Sides) -> str:
    """Which of the changes makes B of A, "" for none of them."""
    a, b = both.a.config, both.b.config
    return next((id for id, other in _others(a) if _is_same(b, other)), "")


def _all(screen: Screen) -> str:
    """The controls that differ, where these are several."""
    both = sides(screen)
    names = [say(f"control.{name}.label") for name in chosen(both, differing(both.a, both.b))]
    if len(names) < 2:
        return say("compare.b_changes")
    few = with_and(names) if len(names) <= _NAMED else listed("comma", (*names[:_NAMED], "…"))
    return say("compare.b_several", count=len(names), names=few)


def _is_same(a: Config, b: Config) -> bool:
    return a.complete() == b.complete()


def _has(b: Config, a: Config, other: Config) -> bool:
    """Whether B has what one change of A makes, whatever else it has."""
    own, made, now = (one.complete().values() for one in (a, other, b))
    return all(now[name] == value for name, value in made.items() if value != own[name])


def _others(a: Config) -> Iterator[tuple[str, Config]]:
    """As many of A as there are changes, whichever of them A has; training is that of the layer that learned."""
    for id, (change, back) in _CHANGES.items():
        if id == "updates" and a.preset != LEARNED:
            continue
        has = not a.has_positions if id == "positions" else replace(a, **change).complete() == a.complete()
        yield (f"not_{id}", replace(a, **back)) if has else (id, replace(a, **change))


def _set(now: Config, then: Config) -> dict[str, str]:
    """The settings that make one screen of another."""
    return {name: written(value) for name, value in then.values().items() if value != getattr(now, name)}
