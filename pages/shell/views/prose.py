"""Markdown as HTML: the texts that the browser shows without another run of the page."""

from functools import lru_cache
from typing import Any

from latex2mathml.converter import convert
from markdown_it import MarkdownIt
from mdit_py_plugins.dollarmath import dollarmath_plugin

# A colour in a formula that marks its lit part.
LIT = "lit"


def _formula(tex: str, options: dict[str, Any]) -> str:
    """A formula as MathML; the part in `\\textcolor{lit}{…}` is marked."""
    made = convert(tex, display="block" if options["display_mode"] else "inline")
    return made.replace(f'mathcolor="{LIT}"', 'class="att-lit"')


# HTML is off, because names of tokens come from visitors.
_MARKDOWN = (
    MarkdownIt("commonmark", {"html": False})
    .enable("table")
    .use(dollarmath_plugin, allow_space=True, allow_digits=True, renderer=_formula)
)


@lru_cache(maxsize=4096)
def html(markdown: str) -> str:
    """A text of the catalogue, with what was filled into it, as HTML."""
    return str(_MARKDOWN.render(markdown)).strip()


@lru_cache(maxsize=4096)
def inline(markdown: str) -> str:
    """A text without a paragraph around it."""
    return str(_MARKDOWN.renderInline(markdown))


def sent(block: Any) -> Any:
    """A block in the form that is sent: a part with `markdown`, or with `line` without paragraphs, gets `html`."""
    if isinstance(block, dict):
        made = {name: sent(part) for name, part in block.items() if name not in ("markdown", "line")}
        if "markdown" in block:
            made["html"] = html(block["markdown"])
        elif isinstance(block.get("line"), str):
            made["html"] = inline(block["line"])
        return made
    if isinstance(block, list | tuple):
        return [sent(part) for part in block]
    return block
