"""The actions beside A and beside B: keep B as A, swap them, change one thing in B, and take back a difference."""

from collections.abc import Iterator
from dataclasses import replace

from pages.shell.i18n import listed, say
from pages.shell.i18n.markdown import quoted
from pages.shell.i18n.options import word
from pages.shell.runs.differences import differing
from pages.shell.runs.run import run as compute
from pages.shell.screen import Screen
from pages.shell.state.config import KNOBS, Config
from pages.shell.state.fields import Text
from pages.shell.state.page_controls import Compare
from pages.shell.state.url import written
from pages.shell.views import blocks
from pages.shell.views.blocks import Block
from pages.shell.views.compare import changes, guessed
from pages.shell.views.compare.compared import Sides, chosen, relation, sides
from pages.shell.views.head_arcs import asked_of

# Letters of a value on a button.
_LETTERS = 24


def keeping(screen: Screen) -> Iterator[Block]:
    """Beside A: its name, and the buttons that put another screen in its place."""
    kept, b = screen.own(Compare), screen.config
    a = kept.beside(b)
    made = [
        (say("pin.here"), None, {"pinned": b.bundled()}),
        (say("pin.swap"), None, _set(b, a) | {"pinned": b.bundled()}),
        *([(say("pin.let_go"), None, {"pinned": ""})] if kept.is_kept else []),
    ]
    yield blocks.buttons(*made, said=_a_has(kept, b) if kept.is_kept else say("compare.a_opens"))


def _a_has(kept: Compare, b: Config) -> str:
    """The values in which the kept screen differs from the opening one."""
    own = kept.beside(b)
    first = Sides(compute(replace(Config(), text=own.text)), compute(own))
    has = [_valued(name, now) for name, (_, now) in chosen(first, differing(first.a, first.b)).items() if now]
    return say("compare.a_has", values=listed("comma", has)) if has else say("compare.a_kept")


def changing(screen: Screen) -> Iterator[Block]:
    """Beside B: A with one thing replaced, or put back; each choice undoes the others, and all other changes."""
    b = screen.config
    a = screen.own(Compare).beside(b)
    now, is_same = changes.changed(a, b), a.complete() == b.complete()
    offers, made = dict(changes.others(a)), []
    for control, other in offers.items():
        name = changes.named(a, b if control == now else other, control)
        # Each button sets all of them, even those that agree already: one screen may handle two quick clicks.
        sets = {one: written(getattr(other, one)) for one in offers} | _set(b, other)
        made.append((say(f"compare.offer.{name}"), control == now, {} if control == now else sets))
    yield blocks.buttons(*made, said=say("compare.b_changes" if now or is_same else "compare.b_back"))
    # The line is there even without a relation, so that the picture does not move.
    found = relation(a, b) if now else ""
    yield blocks.text(say(f"compare.made.{found}") if found else "")


def instead(screen: Screen) -> Iterator[Block]:
    """The controls in place of B's slider: the guess, for a change without one; else each difference, to be taken
    back."""
    both, b = sides(screen), screen.config
    a = screen.own(Compare).beside(b)
    asked = list(guessed.asked(screen, both, asked_of(screen)))
    if changes.changed(a, b) in changes.SCALED:
        yield from asked
        return
    own = a.values()
    differs = {
        name: now for name, (_, now) in chosen(both, differing(both.a, both.b)).items() if own[name] != b.values()[name]
    }
    if asked or not differs:
        yield from asked
        return
    made = [(_valued(name, now), None, {name: written(own[name])}) for name, now in differs.items()]
    said = say("compare.b_one") if len(made) == 1 else say("compare.b_several", count=len(made))
    yield blocks.buttons(*made, said=said)


def _valued(name: str, value: str | None) -> str:
    """A control with its value in B, if it acts there."""
    control = say(f"control.{name}.label")
    shown = "" if value is None else word(name, value)[:_LETTERS]
    if shown and isinstance(KNOBS[name], Text):
        shown = quoted(shown)
    return say("compare.control_value", control=control, value=shown) if shown else control


def _set(now: Config, then: Config) -> dict[str, str]:
    """The settings that turn one screen into another."""
    return {name: written(value) for name, value in then.values().items() if value != getattr(now, name)}
