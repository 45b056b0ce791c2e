"""The sentences about a link that had to be changed: values that became the nearest valid ones, and unknown names."""

from collections.abc import Iterable, Mapping
from difflib import get_close_matches

from pages.shell.i18n import listed, say
from pages.shell.i18n.markdown import code
from pages.shell.state.registry import ALL_FIELDS

# Characters of a value that are quoted, and how many of them precede the first difference.
_QUOTED, _BEFORE = 40, 12
# Comparing a thousand strange names takes a third of a second, and the toast about them would fill the page.
_STRANGE = 20


def misspelt(names: Iterable[str]) -> tuple[str, ...]:
    """The unknown names that resemble the name of a control. Other unknown names, as of trackers, are not mentioned."""
    strange = [name for name in names if name not in ALL_FIELDS]
    return tuple(
        name
        for name in strange[:_STRANGE]
        if get_close_matches(name.removeprefix("amp;").lower(), ALL_FIELDS, n=1, cutoff=0.8)
    )


def told(rewritten: Mapping[str, tuple[str, str]], unknown: Iterable[str]) -> str:
    """Sentences, in Markdown, about the changes to a link; empty if there are none. rewritten: name to (what came, the
    nearest valid value); unknown: names, as `misspelt` finds them."""
    said = []
    if rewritten:
        parts = (_part(name, came, nearest) for name, (came, nearest) in rewritten.items())
        said.append(say("link.changed", parts=listed("semicolon", parts)))
    if names := [_code(name[:_QUOTED]) for name in unknown]:
        said.append(say("link.unknown", names=listed("comma", names)))
    return listed("sentence", said) if said else ""


def _part(name: str, came: str, nearest: str) -> str:
    """The new value of a parameter, or that it was dropped because no valid value is near."""
    if not nearest and came.strip():
        return say("link.dropped", name=f"`{name}`")
    before, after = _quoted(came, nearest)
    return f"`{name}`: {before} → {after}"


def _quoted(came: str, nearest: str) -> tuple[str, str]:
    """Both values as code; a long one is quoted from shortly before the first difference."""
    alike = next(
        (i for i, (a, b) in enumerate(zip(came, nearest, strict=False)) if a != b), min(len(came), len(nearest))
    )
    start = alike - _BEFORE if alike + _BEFORE > _QUOTED else 0
    return tuple(_code(_cut(text, start)) for text in (came, nearest))  # type: ignore[return-value]


def _cut(text: str, start: int) -> str:
    return f"{'…' if start else ''}{text[start : start + _QUOTED]}{'…' if len(text) > start + _QUOTED else ''}"


def _code(text: str) -> str:
    return code(text) or say("link.nothing")
