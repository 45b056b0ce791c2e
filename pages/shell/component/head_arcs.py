"""All heads of a layer at once as data: their arcs over a sentence, their switches, and the layer's answers."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from pages.shell.component.arcs import Ask
from pages.shell.component.asking import Asking
from pages.shell.component.payload import sent

_MARKS = {"wrong": "✗", "chance": "○", "open": "…"}


@dataclass(frozen=True)
class Scored:
    """A question with its answer, in words, and its state: `right`, `wrong`, right by `chance`, or `open`, with the
    question alone."""

    line: str
    state: str

    @property
    def said(self) -> str:
        """The line as it is read aloud."""
        return f"{_MARKS.get(self.state, '✓')} {self.line}"


@dataclass(frozen=True)
class Gone:
    """An arc of another figure that this one has lost: the word at its end (from 0), the question that it answered, and
    the state of the answer without it, as in `Scored`."""

    to: int
    asked: str
    state: str


@dataclass(frozen=True)
class HeadArcs:
    """A sentence, and the arcs of all heads from one of its words, the query.

    focus: the query (from 0); head: the one whose weights are read out for the words (from 0); names: for each head,
    the label at the ends of its arcs; short: the same where there is little room; off: the heads that are off; sets:
    for each token, the settings of a click; hidden: the words that a mask hides from the query (from 0); lost (heads,
    words): the weights without the mask, or without dropout; ghost: the weights of the heads of the kept screen; side:
    the name of these weights beside another figure of the same words; mirrored: whether that figure is beside it;
    hangs: whether the arcs hang below the words of the figure before it; fills: whether the words take the whole width,
    in a figure half as wide as others; scored: the answers of the layer, beside its side; other_side, other_scored: the
    same of the figure below, whose answers stand under these; gone: the arcs to right answers that only the other
    figure has; pale: whether heads without an answer are pale beside others that have one; near: the short name of the
    side at its arcs, if its answers stand beside the whole name; pays: the words (from 0) that lose an answer in the
    figure below; colours: for each head, the place of the head whose colour it has, empty if each has its own; ahead:
    the name of the words after the query, if they are set apart.

    A figure without asks waits: its arcs are a question still.
    """

    id: str
    title: str
    note: str
    tokens: Sequence[str]
    focus: int
    head: int
    asks: Sequence[Ask]
    names: Sequence[str]
    short: Sequence[str]
    off: Sequence[int]
    sets: Sequence[Mapping[str, str]]
    hidden: Sequence[int] = ()
    lost: Sequence[Sequence[float]] = ()
    ghost: Sequence[Ask] = ()
    side: str = ""
    mirrored: bool = False
    hangs: bool = False
    fills: bool = False
    scored: Sequence[Scored] = ()
    other_side: str = ""
    other_scored: Sequence[Scored] = ()
    gone: Sequence[Gone] = ()
    pale: bool = False
    near: str = ""
    pays: Sequence[int] = ()
    colours: Sequence[int] = ()
    ahead: str = ""

    def sent(self) -> dict[str, Any]:
        """The data for the browser."""
        asks = [one.sent() for one in self.asks]
        drawn: dict[str, Any] = {
            "tokens": list(self.tokens),
            "focus": self.focus,
            "head": self.head,
            "asks": asks,
            "weights": asks[self.head]["weights"] if asks else [],
            "answer": -1,
            "off": list(self.off),
            "sets": list(self.sets),
            "ghost": [one.sent() for one in self.ghost],
        }
        if self.hidden:
            drawn["hidden"] = list(self.hidden)
        if self.hidden or any(map(any, self.lost)):
            drawn["lost"] = [[float(f"{one:.4g}") for one in row] for row in self.lost]
        if self.mirrored:
            drawn["mirrored"] = True
        if self.hangs:
            drawn["hangs"] = True
        if self.fills:
            drawn["fills"] = True
        if self.colours:
            drawn["colours"] = list(self.colours)
        if self.pale:
            drawn["pale"] = True
        if self.pays:
            drawn["pays"] = list(self.pays)
        labels: dict[str, Any] = {"names": list(self.names), "short": list(self.short), "side": self.side}
        if self.near:
            labels["near"] = self.near
        if self.ahead:
            labels["ahead"] = self.ahead
        if self.scored:
            drawn["scored"] = [one.state for one in self.scored]
            labels["scored"] = [one.line for one in self.scored]
        if self.other_scored:
            drawn["other_scored"] = [one.state for one in self.other_scored]
            labels["other_scored"] = [one.line for one in self.other_scored]
            labels["other_side"] = self.other_side
        if self.gone:
            drawn["gone"] = [{"to": one.to, "state": one.state} for one in self.gone]
            labels["gone"] = [one.asked for one in self.gone]
        return sent(self.id, self.title, "", self.note, "arcs", drawn) | {"labels": labels}


@dataclass(frozen=True)
class Switches:
    """The heads of `asking`, each with a switch. off: the heads that are off (from 0); is_fixed: whether the switches
    are disabled; colours: as in `HeadArcs`."""

    asking: Asking
    off: Sequence[int]
    is_fixed: bool
    colours: Sequence[int] = ()

    def sent(self) -> dict[str, Any]:
        """The data for the browser."""
        made = self.asking.sent()
        drawn = made["asking"] | {"off": list(self.off), "fixed": self.is_fixed, "colours": list(self.colours)}
        one = self.asking
        return sent(one.id, one.title, one.text, one.note, "asking", drawn) | {"labels": made["labels"]}


@dataclass(frozen=True)
class Answered:
    """A layer's answer to a question. asked, said: question and answer in words; share: how sure the layer is; written:
    the same as text; elsewhere: another number beside it, as text, "" for none."""

    asked: str
    said: str
    is_right: bool
    share: float
    written: str
    elsewhere: str = ""


@dataclass(frozen=True)
class Answers:
    """A layer's answers to the questions of a word. header: the heads of its table twin; wide: the widest bar, in
    pixels; over: the text over the bars, which then have numbers; zero: where bars begin in their frame, from 0 to 1;
    bars of shares below 0 go to its left; colours: for each bar, the place of its colour, empty for grey bars; off: the
    lines that are switched off."""

    id: str
    title: str
    text: str
    note: str
    header: Sequence[str]
    lines: Sequence[Answered]
    wide: int = 90
    over: str = ""
    zero: float = 0.0
    colours: Sequence[int] = ()
    off: Sequence[int] = ()

    def sent(self) -> dict[str, Any]:
        """The data for the browser."""
        lines = [{"isRight": one.is_right, "share": float(f"{one.share:.4g}")} for one in self.lines]
        drawn: dict[str, Any] = {"lines": lines, "wide": self.wide}
        if self.colours:
            drawn |= {"zero": float(f"{self.zero:.4g}"), "colours": list(self.colours), "off": list(self.off)}
        labels = {
            "header": list(self.header),
            "asked": [one.asked for one in self.lines],
            "said": [one.said for one in self.lines],
            "sure": [one.written for one in self.lines],
            "elsewhere": [one.elsewhere for one in self.lines],
            "over": self.over,
        }
        return sent(self.id, self.title, self.text, self.note, "answers", drawn) | {"labels": labels}
