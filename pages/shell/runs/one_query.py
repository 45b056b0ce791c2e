"""The runs of the page about one query: over words in the plane, and over the notebook's four tokens."""

from functools import cache, lru_cache

from attention.analysis.single_query import alone, asked, polar, together
from attention.inputs.plane import plane
from pages.shell.runs.preparation import prepared
from pages.shell.runs.run import Run
from pages.shell.state.config import Config
from pages.shell.state.page_controls import OneQuery

NOTEBOOK = Config(preset="token_by_token", mask="full")


@lru_cache(maxsize=256)
def in_plane(query: OneQuery) -> Run:
    """att(X, q), recorded."""
    ready = plane()
    q = polar(query.q_angle, query.q_length)
    return Run(Config(), ready.inputs, ready.module, asked(q[None], ready.inputs.x[0]), ready.focus, asking=("q",))


@cache
def everybody() -> Run:
    """attention(x, x, x): each word of the plane in turn is the query."""
    ready = plane()
    x = ready.inputs.x[0]
    return Run(Config(), ready.inputs, ready.module, asked(x, x), ready.focus, asking=ready.inputs.tokens[0])


@cache
def first() -> Run:
    """Token 1 of the notebook as the only query."""
    ready = prepared(NOTEBOOK)[0]
    tokens = ready.inputs.tokens[0]
    return Run(NOTEBOOK, ready.inputs, ready.module, alone(ready.module, ready.inputs.x, 0), 0, asking=tokens[:1])


@cache
def every() -> Run:
    """All tokens of the notebook as queries."""
    ready = prepared(NOTEBOOK)[0]
    trace = together(ready.module, ready.inputs.x)
    return Run(NOTEBOOK, ready.inputs, ready.module, trace, 0, asking=ready.inputs.tokens[0])
