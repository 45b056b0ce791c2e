"""Claims about one token at a time."""

import torch
from torch.utils.flop_counter import FlopCounterMode

from attention.masks import CORNERS, grid
from attention.trace import Trace
from pages.shell.i18n import say, speaking
from pages.shell.runs import decoding
from pages.shell.screen import Screen
from pages.shell.state.todays_controls import OneToken
from pages.shell.views.naming import named
from tests.support import rounding, summed
from tests.support.claims.claim import Values, claim, number


@claim("one_token.arcs_note", "one_token.arcs", {"token_at": 2}, {"token_at": 11})
def _(screen: Screen, values: Values) -> bool:
    """The weights are those of the first head in one pass. Those of one layer of torch differ only by the order of sums
    over features."""
    run, at = decoding.whole(), screen.own(OneToken).token_at
    share, most = run.trace["weights"].value[0, 0, at - 1].max(-1)
    with speaking(screen.language):
        word = named(run.tokens, at - 1)
        taken = say("one_token.its_own", word=word) if int(most) == at - 1 else named(run.tokens, int(most))
    told_apart = (values["word"], values["most"]) == (word, taken)
    told = number(values["step"]) == at and abs(number(values["share"]) - 100 * float(share)) < 0.51
    return told_apart and told and _computed_again(at) < _rounding()


@claim("one_token.balance.price", "one_token.balance", {"token_at": 1}, {"token_at": 11})
def _(screen: Screen, values: Values) -> bool:
    """The cache holds the named number of numbers, and grows by the same number with each word."""
    held = [
        sum(one.numel() for one in decoding.keys_and_values(trace))
        for trace in decoding.stepped().traces[: screen.own(OneToken).token_at]
    ]
    added = {more - less for less, more in zip([0, *held], held, strict=False)}
    return number(values["kept"]) == held[-1] and added == {number(values["each"])}


@claim("one_token.balance.gain", "one_token.balance", {"token_at": 1}, {"token_at": 11})
def _(screen: Screen, values: Values) -> bool:
    """Torch counts the multiplications that make keys and values, two operations each."""
    at, saved = screen.own(OneToken).token_at, 0
    for words in range(1, at + 1):
        saved += _multiplications(words) - _multiplications(1)
    again, cached, one = (number(values[name]) for name in ("again", "cached", "one"))
    return number(values["saved"]) == saved == (again - cached) * one and cached == at


def _multiplications(words: int) -> int:
    run = decoding.whole()
    with FlopCounterMode(display=False) as counter:
        for weights in (run.module.w_k, run.module.w_v):
            run.inputs.x[0, :words] @ weights
    return counter.get_total_flops() // 2


def _computed_again(at: int) -> float:
    """The largest difference between keys and values of the cache and those of so many words computed at once."""
    run, kept = decoding.whole(), decoding.keys_and_values(decoding.stepped().traces[at - 1])
    again = (run.inputs.x[0, :at] @ one for one in (run.module.w_k, run.module.w_v))
    return max(float((a - b.transpose(0, 1).flatten(1)).abs().max()) for a, b in zip(again, kept, strict=True))


def _rounding() -> float:
    run = decoding.whole()
    of = (summed(run.inputs.x[0], one) for one in (run.module.w_k, run.module.w_v))
    return max(rounding(run.module.d_model, of=one, dtype=torch.float32) for one in of)


@claim("one_token.why", "one_token.why")
def _(screen: Screen, values: Values) -> bool:
    """A word's key, value and answer stay the same if later words change; the next layer makes its keys and values from
    that answer. At every word, both ways of computing differ by rounding only."""
    if not number(values["difference"]) < _rounding():
        return False
    run, words = decoding.whole(), 5
    other = run.inputs.x.clone()
    other[:, words:] = other[:, words:].flip(1) + 3
    trace, mask = Trace(), grid("causal", len(run.tokens), len(run.tokens))
    with torch.inference_mode():
        answers = run.module(other, mask=mask, trace=trace)
    pairs = [*zip(decoding.keys_and_values(trace), decoding.keys_and_values(run.trace), strict=True)]
    pairs.append((answers, run.trace["projected"].value))
    stays = all(torch.allclose(a[:, :words], b[:, :words], atol=1e-5) for a, b in pairs)
    return stays and all(not torch.allclose(a[:, words:], b[:, words:], atol=1e-5) for a, b in pairs)


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
    """The difference comes from the order of sums alone: over features, over keys, over heads."""
    run = decoding.whole()
    weights = run.module.w_o.abs().sum(0).max() * run.trace["values"].value.abs().max()
    bound = rounding(run.module.d_model, len(run.tokens), run.module.d_model, of=float(weights), dtype=torch.float32)
    both = (decoding.stepped().outputs, run.trace["projected"].value[0])
    ours, theirs = (of[: screen.own(OneToken).token_at].flatten().tolist() for of in both)
    same = sum(map(float.__eq__, ours, theirs))
    return number(values["difference"]) < bound and (number(values["same"]), number(values["all"])) == (same, len(ours))
