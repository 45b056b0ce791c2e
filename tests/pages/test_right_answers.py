"""The right answer of every question, read from the figures of the question's opening screen. Pages on what changed
since 2017 have test_right_answers_today.py, and questions that the package answers have
test_right_answers_computed.py."""

import re
from collections.abc import Callable

import numpy as np
import pytest
import torch

from attention.experiments.race import Race
from pages.shell.i18n import say
from pages.shell.views.registry import VIEWS
from tests.pages.test_masks import table
from tests.pages.test_predict import LINKS, QUESTIONS, opened, page_of
from tests.pages.test_right_answers_computed import COMPUTED
from tests.pages.test_right_answers_today import TODAY
from tests.support import lab
from tests.support.app import app, cards, charts, computed, figures, linked, listings
from tests.support.screens import apart, drawn
from tests.support.training import SEEDS, trained


def of_page(question: str):
    page = page_of(question)
    return lab.opened() if page == "scaling" else opened(page)


def numbers(text: str) -> list[float]:
    return [float(found) for found in re.findall(r"\d+(?:\.\d+)?", text)]


def creature(at) -> str:
    """The sum of values that equals the word's output; the weights of the screen equal a half in five digits."""
    shown = computed(**LINKS["walkthrough"])
    output = drawn(at, "output")[shown.tokens.index("creature")]
    fluffy, blue, own = (shown.matrix("values")[shown.tokens.index(word)] for word in ("fluffy", "blue", "creature"))
    sums = {"full": fluffy + blue, "halves": (fluffy + blue) / 2, "itself": own + fluffy + blue}
    [found] = [name for name, expected in sums.items() if np.allclose(output, expected, atol=0.01)]
    return found


def sums(at) -> str:
    z = drawn(at, "weights")
    by_row, by_column = np.allclose(z.sum(1), 1), np.allclose(z.sum(0), 1)
    return {(True, False): "rows", (False, True): "columns", (True, True): "both"}[by_row, by_column]


def row_sums(_) -> str:
    """The largest sum in twenty draws: some row gives all of its weight to one word, and keeps it."""
    draws = (computed(dropout=0.8, draw=draw).matrix("dropped") for draw in range(20))
    most = max(float(dropped.sum(-1).max()) for dropped in draws)
    return min(("fifth", 0.2), ("one", 1.0), ("five", 5.0), key=lambda one: abs(one[1] - most))[0]


def two_arcs(_) -> str:
    """The share of six hundred draws after which the answer with two arcs is wrong."""
    rights = ""
    for draw in range(0, 600, 60):
        blocks = VIEWS["dropout.arcs"].blocks(linked("dropout", dropout=0.5, draw=draw, trained_p="0.3"))
        (drawn,) = [block["cards"][0]["arcs"] for block in blocks if block["kind"] == "cards"]
        (held,) = [row for row in range(len(drawn["rights"])) if drawn["answers"].count(row) == 2]
        rights += drawn["rights"][held]
    fallen = rights.count("0") / len(rights)
    return min(("half", 0.5), ("quarter", 0.25), ("never", 0.0), key=lambda one: abs(one[1] - fallen))[0]


def first_token(at) -> str:
    seen = {float(computed(preset="story", dropout=0.3, draw=n).matrix("dropped")[0, 0]) for n in range(30)}
    assert float(np.nan_to_num(cards(at)["one_draw"]["dropped"].z)[0, 0]) in seen
    return "either" if min(seen) == 0 and max(seen) > 1 else "less"


def polarity(at) -> str:
    """The code of the screen runs, and both calls give the same output with opposite masks."""
    code = next(text for text in listings(at) if "may_attend" in text)
    n = code.count("    [")
    q, k, v = (torch.randn(n, 3, generator=torch.Generator().manual_seed(seed)) for seed in range(3))
    layer = torch.nn.MultiheadAttention(3, 1, bias=False)
    names = {"Q": q, "K": k, "V": v, "layer": layer, "x": q}
    exec(code, names)
    may = names["may_attend"]
    fused = torch.nn.functional.scaled_dot_product_attention(q, k, torch.eye(n), attn_mask=may)
    assert not fused[~may].any()
    module = layer(q, q, q, attn_mask=~may)[1]
    return "depends" if not module[~may].any() else "may"


def future(at) -> str:
    header, *rows = table(at, say("hidden.leak"))
    ways = {row[0]: dict(zip(header, row, strict=True)) for row in rows}
    leaks = {way: numbers(ways[say(f"hidden.way.{way}")][say("hidden.leak")])[0] for way in ("before", "zero_before")}
    moves = float(ways[say("hidden.way.zero_after")][say("hidden.depends")])
    assert leaks["before"] == 0
    return "neither" if leaks["zero_before"] > 0 and moves > 0 else "zero_before"


def padding(at) -> str:
    found = {row[0]: row[1:] for row in table(at, say("padded.sums"))[2:]}
    columns, nothing, softmax = (found[say(f"padded.way.{way}")] for way in ("columns", "nothing", "softmax"))
    assert (columns[0], softmax[0]) == ("1.00", "NaN")
    return "columns" if float(columns[1]) < 1e-5 and float(nothing[1]) > 0.01 else "rows"


def empty(at) -> str:
    kinds = {row[-1] for row in table(at, say("hidden.that_is"))[2:]}
    return "depends" if {say("hidden.kind.nan"), say("hidden.kind.zero")} < kinds else "nan"


def length(at) -> str:
    lines = charts(at)["along"]["series"].values()
    (x, *_), weights = (line["x"] for line in lines), np.array([line["y"] for line in lines])
    here, twice = (weights[:, int(np.abs(x - far).argmin())] for far in (1.5, 3.0))
    ratios = np.divide.outer(here, here), np.divide.outer(twice, twice)
    of = {"flatter": ratios[0] / 2, "same": ratios[0], "doubled": 2 * ratios[0], "sharper": ratios[0] ** 2}
    (right,) = [answer for answer, found in of.items() if np.allclose(found, ratios[1], rtol=0.02)]
    return right


def bias(at) -> str:
    row = next(line for line in table(at, say("what_if.biased.scores")) if line[0] == say("what_if.part.keys"))
    scores, _, weights, _ = map(float, row[1:])
    return "scores" if scores > 1 and weights < 1e-12 else "both"


def order(at) -> str:
    """The number of outputs that positions change. The page opens with two words exchanged."""
    words = VIEWS["order.both"].blocks(linked("order", order_positions="added"))[0]["cards"][0]["reordered"]
    assert sum(word != place for place, word in enumerate(words["order"])) == 2
    return {0: "nothing", 2: "two", len(words["tokens"]): "every"}[sum(words["isMoved"])]


def variation(at) -> str:
    """In the first row, the gain of its larger weights is half of the sum of absolute differences."""
    first = table(at, say("compare.column.variation"))[2]
    sides = [np.nan_to_num(card.z) for id, card in apart(at).items() if id in ("weights-A", "weights-B")]
    query = next(index for index, token in enumerate(computed().tokens) if f"`{token}`" == first[0])
    off = sides[1][query] - sides[0][query]
    assert float(first[1]) == pytest.approx(np.abs(off).sum() / 2, abs=1e-3)
    return "half" if np.clip(off, 0, None).sum() == pytest.approx(np.abs(off).sum() / 2, abs=1e-5) else "sum"


def heads(at) -> str:
    rows = table(at, say("heads.head_count"))[2:]
    counted = {row[0]: row[1] for row in rows}
    return "same" if counted["4"] == counted["8"] else "more"


def dropped(at) -> str:
    """How many outputs there are without the last word of the second sentence."""
    before = linked("cross_attention").run
    words = list(before.labels["key"][:-1])
    after = linked("cross_attention", context=" ".join(words)).run
    counts = [run.trace["projected"].value.shape[1] for run in (before, after)]
    return {counts[0]: "same", counts[0] - 1: "fewer", len(words): "below"}[counts[1]]


def rectangle(at) -> str:
    z = drawn(at, "weights")
    shown = [len(figures(at)[id].z) for id in ("queries", "keys")]
    return (
        "rows" if z.shape == tuple(shown) and np.allclose(z.sum(1), 1) and not np.allclose(z.sum(0), 1) else "columns"
    )


def root(at) -> str:
    """The last numbers of the captions under the slider, after a guess."""
    ends = [numbers(charts(app("scaling", d=d, guess="root.more"))["shares"]["note"])[-1] for d in (1, 16, 256)]
    return "less" if ends == sorted(ends, reverse=True) and ends[0] > 2 * ends[-1] else "same"


def refuted(at) -> str:
    said = charts(at)["two_by_two"]["note"]
    below, _, mean, error, *_ = numbers(said)
    assert abs(mean - 2) < error
    return "stands" if below > 50 else "unlucky"


def top(at) -> str:
    series = charts(at)["largest"]["series"]
    line = series[say("lab.saturation.mean", scale=lab.RAW)]
    (found,) = line["y"][line["x"] == 256]
    return "most" if found > 0.9 else "half"


def gradient(at) -> str:
    d, raw, scaled, *_ = numbers(charts(at)["w_q_gradient"]["note"])
    assert d == 1024
    return "larger" if raw > scaled else "smaller"


def race(at) -> str:
    last = {
        scale: [np.mean([trained(Race(scale, seed=seed))[step].accuracy for seed in SEEDS]) for step in (20, 100)]
        for scale in ("none", "sqrt_d_k", "d_k")
    }
    soon, late = last["sqrt_d_k"][0] > 0.9, last["d_k"][0] < 0.5 < 0.8 < last["d_k"][1]
    return "slower" if soon and late and last["none"][1] < 0.5 else "all"


def hidden(at) -> str:
    """Under a mask, the gradients of all scores above the diagonal."""
    z = np.nan_to_num(apart(app("backward", preset="story", mask="causal"))["d_scores"].z)
    assert np.abs(z).max() > 0
    return "none" if not z[np.triu_indices(len(z), 1)].any() else "little"


RIGHT: dict[str, Callable[..., str]] = {
    name: answer for name, answer in globals().items() if name in QUESTIONS and callable(answer)
}


def test_every_question_has_its_answer_computed():
    assert sorted([*RIGHT, *TODAY, *COMPUTED]) == sorted(QUESTIONS)


@pytest.mark.usefixtures("one_step_a_run")
@pytest.mark.parametrize("question", RIGHT)
def test_the_right_answer_is_what_the_screen_says(question):
    assert RIGHT[question](of_page(question)) == say(f"predict.{question}.right")
