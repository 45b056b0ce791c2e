"""The backward pass of a record as a script and as a notebook: the lines of its gradients after those of its steps."""

import re
from collections.abc import Iterator, Mapping, Sequence

from attention.export.literals import literal
from attention.export.script import Part, as_notebook, as_script, forward
from attention.trace import Trace

_KEEP = """\
gradients = {}


def gradient(name, value):
    gradients[name] = value
    print(f"d {name:<10}", tuple(value.shape))
"""
# Suffix of a letter, in the line of a gradient, for its value before the step that refines it.
_BEFORE = "_in"
_NAME = re.compile(r"(?<![\w.])[A-Za-z]\w*")
# Prefix that makes the id of a gradient from the id of its step.
_OF = "d_"


def backward_script(
    trace: Trace,
    gradients: Trace,
    read_by: Mapping[str, Sequence[str]],
    *,
    titles: Mapping[str, str] | None = None,
    heading: str = "",
) -> str:
    """`attention.export.script.script`, then every gradient by its line of Python, kept in `gradients` by its step.

    gradients: with the rows of the backward pass; read_by: for each, the steps whose gradients make it, in the order of
    the terms of its line. A gradient without a line, such as the first one, is a literal. A letter has its value from
    when the step that passes the gradient back was computed. titles: the titles of the steps, by id, and of their
    gradients, by `d_` and the id. ValueError: an empty trace.
    """
    return as_script(_parts(trace, gradients, read_by, titles or {}), heading)


def backward_notebook(
    trace: Trace,
    gradients: Trace,
    read_by: Mapping[str, Sequence[str]],
    *,
    titles: Mapping[str, str] | None = None,
    heading: str = "",
) -> str:
    """A Jupyter notebook (JSON, nbformat 4.5): for each gradient its formula, then a cell with its code."""
    return as_notebook(_parts(trace, gradients, read_by, titles or {}), heading)


def _parts(
    trace: Trace, gradients: Trace, read_by: Mapping[str, Sequence[str]], titles: Mapping[str, str]
) -> Iterator[Part]:
    yield from forward(trace, titles)
    yield Part("gradients", _KEEP)
    ids = list(trace)
    bound = {trace[id].quantity.letter: f'steps["{id}"]' for id in ids}
    for id in reversed(list(gradients)):
        row, lines = gradients[id].quantity, []
        if row.given:
            lines.append(f"{row.letter} = {literal(gradients[id].value)}")
        else:
            for letter in dict.fromkeys(_NAME.findall(row.code.partition(" = ")[2])):
                source = _source(trace, ids, read_by[id], letter)
                if source is not None and bound.get(letter) != source:
                    bound[letter] = source
                    lines.append(f"{letter} = {source}")
            lines.append(row.code)
        bound[row.letter] = f'gradients["{id}"]'
        lines.append(f'gradient("{id}", {row.letter})')
        of = f"{_OF}{id}"
        yield Part(of, "\n".join(lines), titles.get(of, ""), row.formula, row.letter)


def _source(trace: Trace, ids: Sequence[str], by: Sequence[str], letter: str) -> str | None:
    """The source of a letter in a line; None for a name that is no letter of the record."""
    for one in by:
        if letter == f"d{trace[one].quantity.letter}":
            return f'gradients["{one}"]'
    for one in by:
        if letter == f"{trace[one].quantity.letter}{_BEFORE}":
            return f'steps["{trace.before(one, trace[one].quantity.letter).id}"]'
    known = ids[: max(ids.index(one) for one in by) + 1]
    found = next((id for id in reversed(known) if trace[id].quantity.letter == letter), None)
    return None if found is None else f'steps["{found}"]'
