"""Claims about one token at a time."""

import torch

from attention.masks import CORNERS, grid
from pages.shell.runs import decoding
from pages.shell.screen import Screen
from pages.shell.state.todays_controls import OneToken
from tests.support import rounding
from tests.support.claims.claim import Values, claim, number


@claim("one_token.corner_note", "one_token.corners")
def _(screen: Screen, values: Values) -> bool:
    """The example has two queries and five keys."""
    seen = [grid("causal", 2, 5, corner=corner).sum(-1).tolist() for corner in CORNERS]
    return [number(values["first"]), number(values["last"])] in seen


@claim("one_token.trap_note", "one_token.trap")
def _(screen: Screen, values: Values) -> bool:
    tokens = decoding.whole().tokens
    seen = grid("causal", 1, len(tokens), corner="upper_left")[0].tolist()
    return (
        seen == [True] + [False] * (len(tokens) - 1) and values["first"] == tokens[0] and values["word"] == tokens[-1]
    )


@claim("one_token.same", "one_token.grows", {"token_at": 1}, {"token_at": 11})
def _(screen: Screen, values: Values) -> bool:
    """Only the order of sums differs: over features, over keys, over heads."""
    run = decoding.whole()
    weights = run.module.w_o.abs().sum(0).max() * run.trace["values"].value.abs().max()
    bound = rounding(run.module.d_model, len(run.tokens), run.module.d_model, of=float(weights), dtype=torch.float32)
    both = (decoding.stepped().outputs, run.trace["projected"].value[0])
    ours, theirs = (of[: screen.own(OneToken).token_at].flatten().tolist() for of in both)
    same = sum(map(float.__eq__, ours, theirs))
    return number(values["difference"]) < bound and (number(values["same"]), number(values["all"])) == (same, len(ours))
