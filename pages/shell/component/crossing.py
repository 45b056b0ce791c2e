"""Two texts as data: what one word of the first takes from the second, drawn by browser/crossing.js."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from pages.shell.component.arcs import Ask
from pages.shell.component.payload import sent


@dataclass(frozen=True)
class Crossing:
    """A figure: the words of a text and of its context, and the arcs of all heads from one word of the text.

    focus: that word (from 0); asks: of each head, its weights over the context; around: for each word of the text,
    the place in the context (from 0) of the word that it has found, -1 for none; hidden: of each word of the context,
    whether the mask hides it from the focus; names: what stands at the ends of its arcs, and short: where there is
    little room; choices: for each word of the text, the settings that a click on it gives; is_moved: whether a word
    of the context can be moved; labels: `text` and `context`, what the two lines are, with `text_does` and
    `context_does`, `right`, `elsewhere` and `around`, where full, pale and grey lines lead, `finds_right` and
    `clear`, what stands over the heads, `together`, of how many words any of them finds the right one, "" where
    nobody knows, `lost`, what stands at the right word where no head has found it, `gloss_is`, what stands below the
    words of the context, `says` and `says_short`, what stands beside what the layer says, and of words that are moved
    `keys` and `place`, with holes `place` and `of`; own: the words around the context while it is typed over, None if
    not; gloss: of each word of the context, what it means in the language of the text, "" where that needs no words;
    meant: the place in the context (from 0) of the word that means the same as the focus, -1 where nobody knows;
    finds: of each head, of how many words of the text it finds the right one, in words, none where nobody knows which
    are right; lost: of each word of the text, whether its right word is there and no head has found it; said: of each
    word of the text, what the layer says for it, none where it says nothing, and wrong: whether another word would be
    right.
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
