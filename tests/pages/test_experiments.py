"""The page of experiments: its pictures before and after agree with the differences beside them."""

import re

import numpy as np
import pytest
import torch

from pages.shell.i18n import say
from pages.shell.i18n.numbers import fixed
from pages.shell.state.page_controls import EXPERIMENTS
from pages.shell.views import VIEWS, experiments
from tests.pages.test_masks import own_figures, table
from tests.support.app import (
    app,
    computed,
    decoded,
    linked,
    markdown,
    mounted,
    no_exception,
    order_of_terms,
    recorded,
)
from tests.support.numbers import plain
from tests.support.screens import payloads

# Views that stand under each question.
SHARED = ("experiments.why", "experiments.warning", "experiments.arcs", "experiments.together", "experiments.ledger")
LINKS = [
    {},
    {"preset": "random", "mask": "full", "heads": 2, "head": 2, "scale": "none"},
    {"preset": "random", "text": "one two three four\nfive six", "sentence": 2, "mask": "window"},
    {"painted": "AA", "bias": True},
]
each_link = pytest.mark.parametrize("link", LINKS, ids=str)


def drawn(at, id: str) -> np.ndarray:
    return np.nan_to_num(decoded(own_figures(at)[id]))


def row(at, key: str) -> dict[str, dict]:
    """The figures of one row. Some have the id of a figure in another row."""
    sent = next(s for s in payloads(at) if s.get("cards") and {card["id"] for card in s["cards"]} >= set(key.split()))
    return {card["id"]: card for card in sent["cards"]}


def note(card: dict) -> float:
    return float(re.search(r": (\S+?)\.?(?: |$)", plain(card["note"]))[1])


@each_link
def test_tied_scores_are_drawn_symmetric(link):
    at = linked("experiments", **link)
    tied = drawn(at, "scores-tied")
    np.testing.assert_allclose(tied, tied.T, rtol=0, atol=order_of_terms(computed(**link), dtype=torch.float32))
    own = drawn(at, "scores-own")
    assert np.abs(own - own.T).max() > 0.1
    weights = drawn(at, "weights-tied")
    assert note(own_figures(at)["weights-tied"]) >= np.abs(weights - weights.T).max() - 1e-2 > 0.01


def test_the_chart_says_the_published_shares():
    (chart,) = [card for sent in payloads(linked("experiments")) for card in sent.get("cards", ()) if "chart" in card]
    shares = {d_k: float(share) for share, d_k in re.findall(r"([\d.]+)% \(d_k (\d+)\)", chart["note"])}
    for d_k, published in (("2", 45), ("4", 72), ("8", 93), ("16", 99.7)):
        assert shares[d_k] == pytest.approx(published, abs=2)


@each_link
@pytest.mark.parametrize("part", ["keys", "queries"])
def test_a_shift_of_keys_is_seen_in_the_scores_alone(link, part):
    figures = row(linked("experiments", **link, shifted=part), "scaled-before scaled-after")
    z = {id: np.nan_to_num(decoded(card)) for id, card in figures.items()}
    for id in ("scaled", "weights"):
        changed = np.abs(z[f"{id}-after"] - z[f"{id}-before"]).max()
        assert note(figures[f"{id}-after"]) == pytest.approx(changed, rel=0.06, abs=1e-9)
    assert np.abs(z["scaled-after"] - z["scaled-before"]).max() > 1
    moved = np.abs(z["weights-after"] - z["weights-before"]).max()
    assert moved < 1e-5 if part == "keys" else moved > 0.05


def test_the_table_of_biases_says_so_of_all_heads():
    rows = table(linked("experiments"), "Scores change")[2:]
    keys, queries, values = ([float(cell) for cell in row[1:]] for row in rows)
    assert keys[0] > 1
    single, double = (order_of_terms(computed(), by=5.0, dtype=dtype) for dtype in (torch.float32, torch.float64))
    assert keys[1] <= single < 0.1
    assert max(keys[2:]) <= double < 1e-9
    assert min(queries) > 0.3
    assert values == [0, 0, 0, 5]


def test_a_value_bias_is_seen_in_the_output_alone():
    figures = row(linked("experiments", shifted="values", shift=2.5), "weights-before output-after")
    z = {id: np.nan_to_num(decoded(card)) for id, card in figures.items()}
    assert (z["weights-after"] == z["weights-before"]).all()
    np.testing.assert_allclose(z["output-after"] - z["output-before"], 2.5, rtol=0, atol=1e-6)


@pytest.mark.parametrize("link", [{}, {"shift": -3.0, "heads": 2, "seed": 7}], ids=str)
def test_a_value_bias_passes_by_the_sum_of_its_row(link):
    by = link.get("shift", 5.0)
    without, half = table(linked("experiments", **link), "row sum ×")[2:]
    assert without[:3] == ["p = 0.0", "1.00", fixed(by)]
    low, high = (sorted(float(end) for end in re.findall(r"-?\d+\.\d+", cell.replace("−", "-"))) for cell in half[1:3])
    assert half[0] == "p = 0.5"
    assert low[0] < 0.9 < 1.1 < low[1]
    assert high == pytest.approx(sorted(by * end for end in low), abs=0.005 * abs(by) + 0.005)
    sizes = {name: value for name, value in link.items() if name != "shift"}
    # Half of the weights are dropped, and the others are doubled.
    assert max(float(without[3]), float(half[3])) <= 2 * order_of_terms(computed(**sizes), by=abs(by)) < 1e-9


def test_nothing_added_changes_nothing():
    rows = table(linked("experiments", shift=0.0), "Scores change")[2:]
    assert [[float(cell) for cell in row[1:]] for row in rows] == [[0, 0, 0, 0]] * 3


@each_link
def test_another_basis_changes_the_queries_and_not_the_scores(link):
    figures = row(linked("experiments", **link, basis=7), "queries-before scores-after")
    assert note(figures["queries-after"]) > 0.1
    # The bound is that of three products instead of one, as in tests/attention/analysis/test_interventions.py.
    d_k = computed(**link).matrix("queries").shape[-1]
    assert note(figures["scores-after"]) <= 4 * d_k * order_of_terms(computed(**link)) < 1e-9
    assert decoded(figures["scores-after"]) == pytest.approx(decoded(figures["scores-before"]), abs=1e-6)


def test_another_number_is_another_basis():
    one, two = (row(linked("experiments", basis=basis), "queries-before scores-after") for basis in (1, 2))
    assert one["queries-before"]["z"] == two["queries-before"]["z"]
    assert one["queries-after"]["z"] != two["queries-after"]["z"]


@each_link
def test_a_query_a_column_is_the_same_matrix_on_its_side(link):
    at = linked("experiments", **link)
    figures = own_figures(at)
    rows, columns = decoded(figures["rows"]), decoded(figures["columns"])
    assert np.array_equal(rows.T, columns, equal_nan=True)
    assert (figures["columns"]["rows"], figures["columns"]["columns"]) == ("key", "query")
    expected = recorded(computed(**link), "weights")
    np.testing.assert_allclose(np.nan_to_num(rows), expected, rtol=1e-4, atol=1e-6)


def test_the_sums_say_which_axis_was_normalised():
    figures = own_figures(linked("experiments"))
    assert figures["over-keys"]["note"].startswith("Row sums: 1.00. Column sums: 0.")
    assert figures["over-queries"]["note"].endswith("Column sums: 1.00.")
    wrong = np.nan_to_num(decoded(figures["over-queries"]))
    np.testing.assert_allclose(wrong.sum(0), 1, rtol=0, atol=1e-6)
    assert f"{wrong.sum(1).max():.2f}" in figures["over-queries"]["note"]


@each_link
def test_the_wrong_axis_is_shown_to_see_the_future(link):
    text = next(block.value for block in markdown(linked("experiments", **link)) if "change sign" in block.value)
    right, wrong = (float(found) for found in re.findall(r"by (\d[\d.]*(?:e-\d+)?)(?![\d.]*\d)", plain(text)))
    assert right == 0
    assert wrong > 0.05


def test_every_mistaken_scale_stands_beside_the_right_one():
    rows = table(linked("experiments", preset="random", d_model="36", heads=4), "Factor c")[2:]
    factors = [float(row[1]) for row in rows]
    assert factors == pytest.approx([1 / 3, 1, 1 / 9, 1 / 6, 1 / 2, 1], abs=1e-3)
    spreads = [float(row[2]) for row in rows]
    assert np.divide(spreads, spreads[1]) == pytest.approx(factors, abs=2e-3)
    assert [float(row[-1]) for row in rows] == pytest.approx([1, 1, 1, 1, 1, 1 / 3], abs=1e-3)


def test_a_screen_on_which_two_divisors_are_one_is_shown_with_another_number_of_heads():
    """With d_model 16 and four heads, √heads is √d_k, and √d_model is d_k."""
    at = linked("experiments")
    rows = table(at, "Factor c")[2:]
    assert [float(row[1]) for row in rows] == pytest.approx([8**-0.5, 1, 1 / 8, 1 / 4, 2**-0.5, 1], abs=1e-3)
    assert say("what_if.wrong_d.instead", asked=4, heads=2) in "\n".join(block.value for block in markdown(at))
    assert say("what_if.wrong_d.instead", asked=4, heads=2) not in "\n".join(
        block.value for block in markdown(linked("experiments", preset="random", d_model="36", heads=4))
    )


def test_another_sentence_changes_activations_and_no_parameter():
    rows = table(linked("experiments"), say("parts.column.kind"))[2:]
    for name, kind, change in rows:
        assert (float(change) == 0) == (kind == say("parts.kind.parameter")), name
    assert len({kind for _, kind, _ in rows}) == 2


def test_another_d_v_changes_shapes_and_no_weight():
    rows = table(linked("experiments", preset="random"), say("parts.column.weights"))[2:]
    assert [row[:5] for row in rows] == [
        [str(d_v), f"8 × {d_v}", f"8 × {d_v}", f"{4 * d_v} × 16", "8 × 16"] for d_v in (1, 3, 4, 7)
    ]
    assert {row[5] for row in rows} == {"0"}


@each_link
def test_columns_are_the_transpose_and_scaling_the_queries_first_is_the_same(link):
    at, shown = linked("experiments", **link), computed(**link)
    for id in ("w_q", "x", "queries"):
        np.testing.assert_allclose(drawn(at, f"{id}-columns"), recorded(shown, id).T, rtol=0, atol=1e-6)
    said = plain("\n".join(block.value for block in markdown(at)))
    found = re.search(r"scores differ by at most (\S+), the weights by (\S+)\.", said)
    assert max(map(float, found.groups())) < 1e-5


def test_one_matrix_for_both_has_more_parameters():
    said = "\n".join(block.value for block in markdown(linked("experiments", preset="random", d_model="36", heads=4)))
    assert say("what_if.gauge.merged", one="1,296", two="648", d_k=9, d_model=36) in said


def test_what_has_no_match_takes_a_key_of_zeros():
    zero = drawn(linked("experiments"), "zero-key")
    assert zero.shape == (8, 9)
    creature, forest = zero[3, -1], zero[7, -1]
    assert max(creature, forest) < 0.001 < 0.49 < zero[0, -1] == zero[:, -1].max() < 0.51


def test_where_nobody_may_attend_to_anything_the_page_still_runs():
    at = app("experiments", what_if="mistakes", text="alone", painted="AA")
    assert no_exception(at)
    assert {row[-1] for row in table(at, "Factor c")[2:]} == {"–"}


def test_one_experiment_is_open_at_a_time_and_each_of_them_can_be():
    shown = {}
    for name in EXPERIMENTS:
        at = app("experiments", what_if=name)
        assert no_exception(at)
        shown[name] = [view for view in mounted(at).views if view not in SHARED]
    every = [view for views in shown.values() for view in views]
    assert sorted(every) == sorted(name for name in VIEWS if name.startswith("experiments.") and name in every)
    assert len(every) == len(set(every)) == 13


def test_what_no_layer_was_trained_for_says_that_its_weights_are_random():
    told = say("random.here")
    for view in (experiments.another_sentence, experiments.wrong_d):
        assert told in [block.get("markdown") for block in view.blocks(linked("experiments"))]
        assert told not in [block.get("markdown") for block in view.blocks(linked("experiments", preset="random"))]
