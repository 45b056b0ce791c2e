"""Three questions of a newcomer, answered by the opening screen before any click."""

from functools import cache
from typing import Any

import torch

from pages.shell.i18n import say
from tests.support.app import computed, linked, payloads


@cache
def sent() -> list[dict[str, Any]]:
    return payloads(linked())


def test_what_does_the_verb_take_from_whom_and_in_which_head():
    [arcs] = [card for each in sent() for card in each.get("cards", ()) if "arcs" in card]
    # The weights of all heads, by torch's softmax of the recorded scores.
    weights = computed().trace["scaled"].value[0].softmax(-1)[:, 4]
    words = arcs["arcs"]["tokens"]
    assert words[4] == "brings"
    head, key = divmod(int(weights[0].argmax()), len(words))
    share = f"{float(weights[0, key]):.2f}"
    assert (head, words[key]) == (0, "fox")
    assert arcs["note"] == (
        f"'brings' asks: who? It takes {share} from '{words[key]}'. Of 4 heads, head {head + 1} answers best."
    )
    # The other heads stand beside it as lines of shares, each with its question.
    [asking] = [card for each in sent() for card in each.get("cards", ()) if "asking" in card]
    shares = torch.tensor([one["weights"] for one in asking["asking"]["asks"]])
    torch.testing.assert_close(shares, weights, rtol=1e-3, atol=1e-4)
    assert asking["labels"]["said"] == ["who? → fox", "to whom? → hen", "to whom? → hen", "whom? → owl"]


def test_what_does_the_square_root_of_d_k_do_to_the_spread():
    moved = [each["moved"] for each in sent() if "moved" in each]
    meters = {name: number for each in moved for name, number, *_ in each["meters"]}
    scores = computed().trace["scores"].value[0, 0]
    raw, scaled = (f"{float(each.std(correction=0)):.2f}" for each in (scores, scores / torch.tensor(4.0).sqrt()))
    assert (meters[say("meter.raw")], meters[say("meter.scaled")]) == (raw, scaled)
    assert float(raw) > float(scaled)


def test_which_step_does_dropout_touch():
    [strip] = [each["strip"] for each in payloads(linked(dropout=0.3)) if "strip" in each]
    touched = [tile for tile in strip["tiles"] if tile["operator"] == say("strip.operator_dropped")]
    order = [tile["id"] for tile in strip["tiles"]]
    assert [tile["id"] for tile in touched] == ["dropped"]
    assert order.index("weights") < order.index("dropped") < order.index("output")
