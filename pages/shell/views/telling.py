"""Sentences that explain the steps of the pipeline one by one, with the numbers of one query."""

from collections.abc import Callable
from typing import Any

from pages.shell.i18n import listed, say
from pages.shell.i18n.numbers import fixed
from pages.shell.runs.run import Run
from pages.shell.state.page_controls import STEPS as ALL_STEPS
from pages.shell.views.naming import of_key, of_query, opened

# The steps with sentences, in their order.
STEPS = ("x", "queries", "scores", "scaled", "masked", "weights", "projected")
# The steps with sentences of a record that begins with queries.
_OF_TENSORS = (*STEPS[1:-1], "output")


def steps(run: Run) -> tuple[str, ...]:
    """The steps of a run with sentences."""
    return STEPS if run.has_layer else _OF_TENSORS


def nearest(run: Run, step: str) -> int:
    """The number, from 1, of the last sentence that comes no later than a step."""
    order = ALL_STEPS.index
    return max([1, *(at for at, told in enumerate(steps(run), 1) if order(told) <= order(step))])


def step_of(run: Run, told: int) -> str:
    """The step of the sentence with this number, from 1; for a number that is too large, that of the last one."""
    return steps(run)[min(told, len(steps(run))) - 1]


def sentence(run: Run, told: int, query: int) -> str:
    """The sentence with this number, from 1, about a query; 0: an introduction to the sentences."""
    if told == 0:
        return say("told.none", count=len(steps(run)))
    return opened(_SENTENCES[step_of(run, told)](run, query))


def _x(run: Run, query: int) -> str:
    z = run.matrix("x")
    if "past" in run.trace.sizes:
        numbers: dict[str, Any] = {"words": len(run.tokens), "new": len(z), "features": z.shape[1]}
        return say("told.x_new", word=_query(run, query), **numbers)
    return say("told.x", words=len(run.tokens), features=z.shape[1], word=_query(run, query))


def _queries(run: Run, query: int) -> str:
    sizes: dict[str, Any] = {"d_model": run.module.d_model, "d_k": run.module.d_k, "d_v": run.module.d_v}
    said = [say("told.queries" if run.has_layer else "told.given", word=_query(run, query), **sizes)]
    if earlier := run.trace.sizes.get("past"):
        said.append(say("told.cached", cached=earlier))
    heads, kv_heads = run.module.heads, run.module.kv_heads
    if kv_heads != heads:
        said.append(say("told.shared", heads=heads, kv_heads=kv_heads, group=heads // kv_heads))
    if "queries_normed" in run.trace:
        said.append(say("told.normed"))
    if "queries_rotated" in run.trace:
        at = int(run.matrix("query_positions").flatten()[query])
        said.append(say("told.rotated", word=_query(run, query), position=at))
    return listed("sentence", said)


def _scores(run: Run, query: int) -> str:
    scores = run.matrix("scores")[query]
    best = int(scores.argmax())
    return say("told.scores", word=_query(run, query), keys=len(scores), key=_key(run, best), score=fixed(scores[best]))


def _scaled(run: Run, query: int) -> str:
    before, after = (run.matrix(id)[query] for id in ("scores", "scaled"))
    best = int(before.argmax())
    numbers = {"before": fixed(before[best]), "after": fixed(after[best]), "key": _key(run, best)}
    factor = float(run.trace["scale"].value) if "scale" in run.trace else run.module.d_k**-0.5
    if factor == 1:
        said = [say("told.scaled_one", before=numbers["before"], key=numbers["key"])]
    elif "scale" in run.trace:
        said = [say("told.scaled_by", factor=f"{factor:.4g}", **numbers)]
    else:
        said = [say("told.scaled", d_k=run.module.d_k, root=f"{run.module.d_k**0.5:.4g}", **numbers)]
    if "softcapped" in run.trace:
        cap, capped = f"{float(run.trace['softcap'].value):.4g}", run.matrix("softcapped")[query]
        said.append(say("told.softcapped", cap=cap, after=fixed(capped[best])))
    if "biased" in run.trace:
        bias, biased = (run.matrix(id)[query] for id in ("bias", "biased"))
        said.append(say("told.biased", bias=fixed(bias[best]), after=fixed(biased[best])))
    return listed("sentence", said)


def _masked(run: Run, query: int) -> str:
    keys = run.trace.sizes["key"]
    if "mask" not in run.trace:
        return say("told.unmasked", word=_query(run, query), keys=keys)
    seen = int(run.matrix("mask")[query].sum())
    return say("told.masked", word=_query(run, query), seen=seen, keys=keys, hidden=keys - seen)


def _weights(run: Run, query: int) -> str:
    weights = run.matrix("weights")[query]
    if not weights.any():
        return say("told.nothing", word=_query(run, query))
    most = weights.argsort(descending=True, stable=True)[:2].tolist()
    parts = [say("told.share", value=fixed(weights[key]), key=_key(run, key)) for key in most if weights[key] > 0]
    numbers = {"word": _query(run, query), "parts": listed("comma", parts)}
    if "sink" in run.trace:
        total = weights.sum()
        return say("told.weights_sink", sum=fixed(total), rest=fixed(1 - total), **numbers)
    return say("told.weights", **numbers)


def _projected(run: Run, query: int) -> str:
    weights = run.matrix("dropped" if "dropped" in run.trace else "weights")[query]
    count, heads = int((weights > 0).sum()), run.module.heads
    numbers: dict[str, Any] = {"word": _query(run, query), "count": count, "out": run.matrix("projected").shape[1]}
    return say("told.projected", **numbers) if heads == 1 else say("told.projected_heads", heads=heads, **numbers)


def _output(run: Run, query: int) -> str:
    weights = run.matrix("dropped" if "dropped" in run.trace else "weights")[query]
    numbers: dict[str, Any] = {"count": int((weights > 0).sum()), "out": run.matrix("output").shape[1]}
    return say("told.output", word=_query(run, query), **numbers)


_SENTENCES: dict[str, Callable[[Run, int], str]] = {
    "x": _x,
    "queries": _queries,
    "scores": _scores,
    "scaled": _scaled,
    "masked": _masked,
    "weights": _weights,
    "projected": _projected,
    "output": _output,
}


def _query(run: Run, query: int) -> str:
    return of_query(run, query)


def _key(run: Run, key: int) -> str:
    return of_key(run, key)
