"""What is offered beside A and beside B: to keep B as A, to swap them, to change one thing in B, and to take back what
differs."""

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
    """At A: which screen that is, and what makes another one of it."""
    kept, b = screen.own(Compare), screen.config
    a = kept.beside(b)
    made = [
        (say("pin.here"), None, {"pinned": b.bundled()}),
        (say("pin.swap"), None, _set(b, a) | {"pinned": b.bundled()}),
        *([(say("pin.let_go"), None, {"pinned": ""})] if kept.is_kept else []),
    ]
    yield blocks.buttons(*made, said=_a_has(kept, b) if kept.is_kept else say("compare.a_opens"))


def _a_has(kept: Compare, b: Config) -> str:
    """What the screen that was kept has otherwise than the one that the app opens with."""
    own = kept.beside(b)
    first = Sides(compute(replace(Config(), text=own.text)), compute(own))
    has = [_valued(name, now) for name, (_, now) in chosen(first, differing(first.a, first.b)).items() if now]
    return say("compare.a_has", values=listed("comma", has)) if has else say("compare.a_kept")


def changing(screen: Screen) -> Iterator[Block]:
    """At B: A with one thing replaced, or put back; one excludes the others, and what else was changed."""
    b = screen.config
    a = screen.own(Compare).beside(b)
    now, is_same = changes.changed(a, b), a.complete() == b.complete()
    offers, made = dict(changes.others(a)), []
    for control, other in offers.items():
        name = changes.named(a, b if control == now else other, control)
        # All of them, also what this screen has already: two quick clicks are heard by one screen.
        sets = {one: written(getattr(other, one)) for one in offers} | _set(b, other)
        made.append((say(f"compare.offer.{name}"), control == now, {} if control == now else sets))
    yield blocks.buttons(*made, said=say("compare.b_changes" if now or is_same else "compare.b_back"))
    # What B is never moves the picture: without one change there is a line, too.
    found = relation(a, b) if now else ""
    yield blocks.text(say(f"compare.made.{found}") if found else "")


def instead(screen: Screen) -> Iterator[Block]:
    """What stands where the slider of B would: of a change without one, the guess; else each difference, to take it
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
    """The settings that make one screen of another."""
    return {name: written(value) for name, value in then.values().items() if value != getattr(now, name)}
