"""Claims about masks."""

from collections.abc import Callable
from dataclasses import replace

import torch

from attention.inputs.grammar import read
from attention.masks import CORNERS, grid
from pages.shell.runs.composing import composed
from pages.shell.runs.run import run as compute
from pages.shell.screen import Screen
from pages.shell.state.page_controls import Masks
from pages.shell.views.masks.chosen import Chosen, choose
from pages.shell.views.steps import focus_of
from tests.support.claims.claim import Values, claim, number


@claim("mask.own_layers", "masks.layers", {"trained": True})
def _(screen: Screen, values: Values) -> bool:
    return screen.run.config.trained and bool(values["masks"])


@claim("corners.lead", "masks.corners", {}, {"last": 5})
def _(screen: Screen, values: Values) -> bool:
    last, keys = int(number(values["last"])), int(number(values["keys"]))
    seen = {corner: grid("causal", last, keys, corner=corner).sum(-1) for corner in CORNERS}
    return int(seen["upper_left"][-1]) == number(values["first"]) < keys == int(seen["lower_right"][-1])


@claim("hidden.instead", "masks.polarity", {})
def _(screen: Screen, values: Values) -> bool:
    return "mask" not in screen.run.trace or bool(screen.run.trace["mask"].value.all())


@claim("hidden.too_short", "masks.future", {"preset": "random", "text": "alone"})
def _(screen: Screen, values: Values) -> bool:
    return screen.run.trace.sizes["query"] < 2


@claim("hidden.same", "masks.future", {})
def _(screen: Screen, values: Values) -> bool:
    """In float32 an exponential of -103 is not 0 yet, and one of -104 is."""
    powers = torch.tensor([-103.0, -104.0], dtype=torch.float32).exp()
    return number(values["difference"]) < 1e-6 and powers.ne(0).tolist() == [True, False]


@claim("padded.lead", "masks.padded", {}, {"preset": "random", "text": "one two three\nfour"})
def _(screen: Screen, values: Values) -> bool:
    return 0 < number(values["length"]) < number(values["n"])


def _followed(screen: Screen) -> int:
    query = screen.query()
    return focus_of(screen.run) if query is None else query


@claim("mask.seen_none", "masks.seen", {"mask": "window", "width": 1, "painted": "AA", "cell": "weights.0.0.arcs"})
def _(screen: Screen, values: Values) -> bool:
    return not screen.run.matrix("mask")[_followed(screen)].any()


@claim(
    "mask.seen_all",
    "masks.seen",
    *({"cell": "weights.10.0.seen"} | link for link in ({}, {"mask": "window", "width": 60})),
)
def _(screen: Screen, values: Values) -> bool:
    """The claim is about the drawn query, among the words of its sentence."""
    run, query = screen.run, _followed(screen)
    words = max(run.inputs.lengths[run.sentence], query + len(run.labels["key"]) - len(run.labels["query"]) + 1)
    return "mask" not in run.trace or bool(run.matrix("mask")[query, :words].all())


@claim("mask.asks_nothing", "masks.says", {"cell": "weights.0.0.seen"}, {"cell": "weights.0.0.seen", "mask": "full"})
def _(screen: Screen, values: Values) -> bool:
    """No question of the grammar stands at the drawn query."""
    return all(one.place != _followed(screen) for one in read(screen.run.tokens).asked)


def _sees(screen: Screen, id: str, predicate: Callable[[int, int], bool]) -> bool:
    """Whether a mask sees exactly the pairs of a predicate, compared pair by pair."""
    run = compute(replace(screen.run.config, mask=id, painted=""), record_mask=True)
    return all(bool(one) == predicate(i, j) for i, row in enumerate(run.matrix("mask")) for j, one in enumerate(row))


@claim("mask.sees.full", "masks.paint", {}, {"preset": "random", "mask": "full"})
def _(screen: Screen, values: Values) -> bool:
    return _sees(screen, "full", lambda i, j: True)


@claim("mask.sees.causal", "masks.paint", {"mask": "causal"}, {"preset": "random"})
def _(screen: Screen, values: Values) -> bool:
    return _sees(screen, "causal", lambda i, j: j <= i)


@claim("mask.sees.prefix", "masks.paint", {"mask": "prefix"}, {"preset": "random", "mask": "prefix", "length": 3})
def _(screen: Screen, values: Values) -> bool:
    return _sees(screen, "prefix", lambda i, j: j <= i or j < number(values["length"]))


@claim(
    "mask.sees.causal_window",
    "masks.paint",
    {"mask": "causal & window"},
    {"preset": "random", "mask": "causal & window", "width": 3},
)
def _(screen: Screen, values: Values) -> bool:
    return _sees(screen, "causal & window", lambda i, j: 0 <= i - j <= _reach(values))


@claim("mask.sees.window", "masks.paint", {"mask": "window"}, {"preset": "random", "mask": "window", "width": 3})
def _(screen: Screen, values: Values) -> bool:
    return _sees(screen, "window", lambda i, j: abs(i - j) <= _reach(values))


@claim("mask.sees.window_one", "masks.paint", *({"mask": mask, "width": 1} for mask in ("window", "causal & window")))
def _(screen: Screen, values: Values) -> bool:
    return _sees(screen, screen.config.mask, lambda i, j: i == j)


def _reach(values: Values) -> float:
    """The number of words on a side, without the word itself; 1 if the text has no number."""
    return number(values["reach"].split()[0]) if values["reach"][0].isdigit() else 1


def _chooses(screen: Screen) -> tuple[Chosen, torch.Tensor]:
    """The choice of the index on a screen, and the mask of its queries: causal if the screen hides nothing."""
    run, keep = compute(screen.run.config, record_mask=True), screen.own(Masks).index_keep
    mask = run.matrix("mask")
    if bool(mask.all()):
        mask = grid("causal", *mask.shape, corner=run.config.corner)
    return choose(run, mask, min(3, run.module.d_model), keep), mask


def _weights(screen: Screen, mask: torch.Tensor) -> torch.Tensor:
    """The weights of every head under a mask, by softmax alone; 0 for a query that sees nothing."""
    run = screen.run
    scores = run.trace["scaled"].of_heads(run.module.heads, batch=run.sentence).double()
    return scores.masked_fill(~mask, -torch.inf).softmax(-1).nan_to_num(0.0)


@claim("index.lead", "masks.chosen", {}, {"preset": "random", "d_model": "2", "heads": 2, "d_k": "1"})
def _(screen: Screen, values: Values) -> bool:
    """No key that is left out has a larger index score than one that is kept."""
    found, mask = _chooses(screen)
    scores, left = found.trace["index_scores"].value, found.trace["mask"].of()
    least = scores.masked_fill(~left, torch.inf).amin(-1)
    most = scores.masked_fill(left | ~mask, -torch.inf).amax(-1)
    features = found.trace["index_keys"].value.shape[-1]
    return bool((most <= least).all()) and number(values["features"]) == features <= screen.run.module.d_model


@claim("index.instead", "masks.chosen", {})
def _(screen: Screen, values: Values) -> bool:
    """The claim is about the shown sentence; other sentences of the screen may have padding."""
    return "mask" not in screen.run.trace or bool(screen.run.matrix("mask").all())


EMPTY = {"preset": "random", "text": "one", "painted": "AA"}


@claim("index.nothing", "masks.chosen", EMPTY)
def _(screen: Screen, values: Values) -> bool:
    return not screen.run.matrix("mask").any()


@claim("index.word_none", "masks.chosen", EMPTY)
def _(screen: Screen, values: Values) -> bool:
    return values["word"] in screen.run.labels["query"] and not screen.run.matrix("mask").any(-1).all()


@claim("index.word", "masks.chosen", {}, {"index_keep": 1, "head": 2}, {"mask": "window", "width": 3})
def _(screen: Screen, values: Values) -> bool:
    """The share that the shown head gave to the remaining keys, for the chosen query."""
    found, mask = _chooses(screen)
    query = screen.query()
    query = focus_of(screen.run) if query is None else query
    own = _weights(screen, mask)[screen.run.head][query]
    return abs(number(values["share"]) - 100 * float(own[found.trace["mask"].of()[query]].sum())) < 0.51


@claim("index.kept", "masks.chosen", {}, {"index_keep": 1}, {"preset": "random", "index_keep": 64})
def _(screen: Screen, values: Values) -> bool:
    found, mask = _chooses(screen)
    weights = _weights(screen, mask).mean(0)[mask.any(-1)]
    left = found.trace["mask"].of()[mask.any(-1)]
    by_index = 100 * float((weights * left).sum(-1).mean())
    best = 100 * float(weights.sort(dim=-1, descending=True).values[:, : int(number(values["keep"]))].sum(-1).mean())
    return abs(number(values["share"]) - by_index) < 0.51 and abs(number(values["best"]) - best) < 0.51


def _pairs(screen: Screen) -> tuple[torch.Tensor, int]:
    """The cells of the composed mask, and the side of its blocks."""
    asked = screen.own(Masks)
    made = composed(asked, screen.run.tokens)
    at = torch.arange(len(made.names))
    cells = torch.stack([made.mask(i, at, **made.parameters).expand(len(at)) for i in at])
    return cells, asked.studio_block


def _needed(cells: torch.Tensor, side: int) -> float:
    """The share of blocks with a visible pair, counted block by block."""
    places = [(i, j) for i in range(0, len(cells), side) for j in range(0, len(cells), side)]
    return sum(bool(cells[i : i + side, j : j + side].any()) for i, j in places) / len(places)


STUDIO = ({}, {"studio_mask": "tree", "studio_how": "alone", "studio_block": 3}, {"studio_mask": "block_diffusion"})


@claim("studio.share", "masks.studio", *STUDIO)
def _(screen: Screen, values: Values) -> bool:
    cells, side = _pairs(screen)
    found = 100 * float(cells.double().mean()), 100 * _needed(cells, side)
    shown = number(values["pairs"]), number(values["blocks"])
    return number(values["side"]) == side and all(abs(a - b) < 0.51 for a, b in zip(found, shown, strict=True))


@claim("studio.eye", "masks.studio", {})
def _(screen: Screen, values: Values) -> bool:
    cells, side = _pairs(screen)
    return _needed(cells, side) > 1.4 * float(cells.double().mean()) > 0


@claim("studio.kinds", "masks.studio", *STUDIO)
def _(screen: Screen, values: Values) -> bool:
    cells, side = _pairs(screen)
    counts = [int(number(values[kind])) for kind in ("full", "partial", "empty")]
    needed = round(_needed(cells, side) * sum(counts))
    return sum(counts) == (-(-len(cells) // side)) ** 2 and needed == counts[0] + counts[1]


@claim("studio.fails.rows", "masks.studio_checks", {"studio_how": "not", "studio_mask": "causal"})
def _(screen: Screen, values: Values) -> bool:
    return number(values["count"]) == sum(not row.any() for row in _pairs(screen)[0])


@claim("studio.fails.diagonal", "masks.studio_checks", {"studio_how": "not", "studio_mask": "causal"})
def _(screen: Screen, values: Values) -> bool:
    return number(values["count"]) == sum(not row[at] for at, row in enumerate(_pairs(screen)[0]))


@claim("studio.fails.causal", "masks.studio_checks", {"studio_how": "alone"})
def _(screen: Screen, values: Values) -> bool:
    return number(values["count"]) == sum(int(row[at + 1 :].sum()) for at, row in enumerate(_pairs(screen)[0]))


@claim(
    "paint.blind", "masks.paint", {"mask": "window", "width": 1, "painted": "AA"}, {"painted": "EAEBECEDEEEFEGEHEIEJEK"}
)
@claim("paint.blind_many", "masks.paint", {"mask": "window", "width": 1, "painted": "AABBCCDDEE"})
@claim("mask.empty_rows", "masks.ledger", {"mask": "window", "width": 1, "painted": "AA"})
def _(screen: Screen, _: Values) -> bool:
    """A query that sees nothing has an output of zeros."""
    run = screen.run
    blind = ~run.matrix("mask").any(-1)
    return bool(blind.any()) and not run.trace["output"].value[run.sentence][:, blind].any()


@claim("paint.other_rows", "masks.consequence", {"painted": "KA"}, {"preset": "story", "painted": "AB"})
def _(screen: Screen, _: Values) -> bool:
    """The output of the word's row is that without painted cells."""
    run, query = screen.run, _followed(screen)
    without = compute(replace(run.config, painted=""))
    one, other = (each.trace["output"].value[each.sentence][:, query] for each in (run, without))
    return torch.allclose(one, other, atol=1e-6)


def _painted_row(screen: Screen) -> tuple[torch.Tensor, torch.Tensor]:
    """The cells of the selected word's row without painted cells, and with them."""
    config, query = screen.run.config, _followed(screen)
    saw, sees = (
        compute(each, record_mask=True).matrix("mask")[query] for each in (replace(config, painted=""), config)
    )
    return saw, sees


@claim("paint.ahead", "masks.consequence", {"mask": "causal", "painted": "EK"})
def _(screen: Screen, values: Values) -> bool:
    """The named words come after the selected one, and only painted cells show them."""
    saw, sees = _painted_row(screen)
    run = screen.run
    first = _followed(screen) + len(run.labels["key"]) - len(run.labels["query"]) + 1
    shown = {run.labels["key"][at] for at in range(first, len(sees)) if sees[at] and not saw[at]}
    named = values["words"].replace("`", " ").replace(" and ", " ").replace(",", " ").split()
    return bool(named) and {*named} <= shown
