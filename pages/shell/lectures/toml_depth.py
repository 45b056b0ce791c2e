"""Measure the nesting depth of a TOML file before it is parsed: `a.a.a.…` takes memory quadratic in the depth.

A file of 200 kB with one such key takes 39 GB in `tomllib`, which would stop the server for everybody.
"""

import re

# Matches all parts of a file, so that a dot in a text or a comment is not counted. Each part is read once.
_PIECE = re.compile(
    r'''(?P<text> """(?:\\.|[^\\])*?(?:"{3,5}|\Z) | \'\'\'.*?(?:\'{3,5}|\Z) | \#[^\n]*+ )
    | (?P<part> "(?:\\.|[^"\\\n])*+"? | '[^'\n]*+'? | [\w-]++ )
    | (?P<dot> \. ) | (?P<space> [ \t]++ ) | .''',
    re.DOTALL | re.VERBOSE,
)


def deepest(text: str) -> int:
    """The number of parts of the longest dotted key of a TOML file."""
    most = parts = 0
    joined = False
    for piece in _PIECE.finditer(text):
        match piece.lastgroup:
            case "space":
                continue
            case "dot":
                joined = True
                continue
            case "part":
                parts = parts + 1 if joined else 1
            case _:
                parts = 0
        joined, most = False, max(most, parts)
    return most
