"""Two texts as data: the weights of one word of the first over the second, drawn by browser/crossing.js."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from pages.shell.component.arcs import Ask
from pages.shell.component.payload import sent


@dataclass(frozen=True)
class Crossing:
    """The words of a text and of its context, and the arcs of all heads from one word of the text, the query.

    focus: the query (from 0); asks: the weights of each head over the context; around: for each word of the text, the
    place in the context (from 0) of the word that it has found, -1 for none; hidden: for each word of the context,
    whether the mask hides it from the query; names: the labels at the ends of its arcs; short: the same where there is
    little room; choices: for each word of the text, the settings of a click; is_moved: whether words of the context can
    be moved; labels: `text` and `context`, the names of the two lines, with `text_does` and `context_does`; `right`,
    `elsewhere` and `around`, the targets of full, pale and grey lines; `finds_right` and `clear`, the texts over the
    heads; `together`, the number of words whose right word any head finds, "" if nobody knows; `lost`, the mark of a
    right word that no head has found; `gloss_is`, the text below the words of the context; `says` and `says_short`, the
    texts beside the layer's answer; `keys` and `place`, with holes `place` and `of`, for moved words; own: the texts of
    the field that types over the context, None without it; gloss: for each word of the context, its meaning in the
    language of the text, "" if none is needed; meant: the place in the context (from 0) of the word that means the same
    as the query, -1 if nobody knows; finds: for each head, the number of words whose right word it finds, in words,
    none if nobody knows the right ones; lost: for each word of the text, whether its right word exists and no head has
    found it; said: for each word of the text, the layer's answer, empty without answers; wrong: whether another word
    would be right.
    """

    id: str
    title: str
    note: str
    tokens: Sequence[str]
    context: Sequence[str]
    focus: int
    asks: Sequence[Ask]
    around: Sequence[int]
    hidden: Sequence[bool]
    names: Sequence[str]
    short: Sequence[str]
    choices: Sequence[Mapping[str, str]]
    labels: Mapping[str, str]
    is_moved: bool = False
    own: Mapping[str, object] | None = None
    gloss: Sequence[str] = ()
    meant: int = -1
    finds: Sequence[str] = ()
    lost: Sequence[bool] = ()
    said: Sequence[str] = ()
    wrong: Sequence[bool] = ()

    def sent(self) -> dict[str, Any]:
        """The data for the browser."""
        drawn = {
            "tokens": list(self.tokens),
            "context": list(self.context),
            "focus": self.focus,
            "asks": [one.sent() for one in self.asks],
            "around": list(self.around),
            "hidden": list(self.hidden),
            "lost": list(self.lost),
            "said": list(self.said),
            "wrong": list(self.wrong),
            "meant": self.meant,
            "isMoved": self.is_moved,
            "sets": list(self.choices),
        }
        labels = dict(self.labels) | {"names": list(self.names), "short": list(self.short), "own": self.own}
        labels |= {"gloss": list(self.gloss), "finds": list(self.finds)}
        return sent(self.id, self.title, "", self.note, "crossing", drawn) | {"labels": labels}
