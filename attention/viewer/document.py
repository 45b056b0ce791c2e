"""The document of the viewer: data, style and script in one text; its policy lets nothing else run or load."""

import base64
import hashlib
import html
import json
from dataclasses import dataclass
from functools import cache
from pathlib import Path

from attention.trace import Trace
from attention.viewer.contents import Labels, contents

_HERE = Path(__file__).parent
# The files become one script, in which later files call functions of earlier ones.
_SCRIPTS = ("record.js", "shown.js", "sum.js", "viewer.js")
# Pixels of the frame in a notebook.
HEIGHT = 640


@dataclass(frozen=True)
class View:
    """Linked figures of a record. In a notebook it shows itself; `save` writes it as a file that opens by itself."""

    trace: Trace
    labels: Labels | None = None

    @property
    def html(self) -> str:
        """One HTML document, which loads nothing."""
        return document(self.trace, self.labels)

    def save(self, path: str | Path) -> None:
        Path(path).write_text(self.html, encoding="utf-8")

    def _repr_html_(self) -> str:
        return frame(self.trace, self.labels)


def document(trace: Trace, labels: Labels | None = None) -> str:
    """An HTML document that shows the steps of a record. labels: as of `contents`."""
    script, style = "".join(map(_source, _SCRIPTS)), _source("viewer.css")
    # Escaped, so that no token can end the element that holds it.
    data = json.dumps(contents(trace, labels), ensure_ascii=False, allow_nan=False).replace("<", "\\u003c")
    policy = f"default-src 'none'; script-src '{_hash(script)}'; style-src '{_hash(style)}'"
    return (
        f'<!doctype html>\n<html lang="en"><head><meta charset="utf-8">'
        f'<meta http-equiv="Content-Security-Policy" content="{policy}">'
        f"<title>Attention, step by step</title><style>{style}</style></head>\n"
        f'<body><main></main><script type="application/json" id="record">{data}</script>'
        f"<script>{script}</script></body></html>\n"
    )


def frame(trace: Trace, labels: Labels | None = None) -> str:
    """The document in a frame, for a notebook: its style and its script cannot touch the notebook's. The record's lines
    as text remain if frames are removed."""
    inner = html.escape(document(trace, labels))
    return (
        f'<iframe sandbox="allow-scripts" width="100%" height="{HEIGHT}" frameborder="0"'
        f' title="Attention, step by step" srcdoc="{inner}"></iframe>'
        f"<details><summary>The steps as text</summary><pre>{html.escape(repr(trace))}</pre></details>"
    )


@cache
def _source(name: str) -> str:
    return (_HERE / name).read_text(encoding="utf-8")


@cache
def _hash(source: str) -> str:
    return f"sha256-{base64.b64encode(hashlib.sha256(source.encode()).digest()).decode()}"
