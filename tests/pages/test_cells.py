"""Every heatmap of every page explains a clicked cell, and the explanation gives the drawn number."""

from contextlib import suppress
from typing import Any, NamedTuple

import numpy as np
import pytest

from attention.masks import MASKS
from pages.shell.i18n import say
from pages.shell.i18n.numbers import digits
from pages.shell.state.page_controls import Masks
from pages.shell.views import VIEWS, NotYetError
from tests.attention.explain.test_shown import in_a_figure, in_a_panel
from tests.support.app import HOME, PAGES, blocks, cards, decoded, linked, markdown
from tests.support.covering import EVERY_TEST, EXHAUSTIVE

# Sizes are pairwise distinct primes. The figures include rows that see nothing, padding, dropout and every bias.
DEEP = {
    "preset": "random",
    "text": "one two three four five\nsix seven eight",
    "sentence": 2,
    "d_model": 33,
    "heads": 3,
    "head": 2,
    "d_k": 13,
    "d_v": 7,
    "bias": True,
    "dropout": 0.3,
    "mask": "window",
    "width": 1,
}
LINKS = {"default": {}, "deep": DEEP, "unscaled": DEEP | {"scale": "none", "sentence": 1, "mask": "causal", "draw": 3}}


class Figure(NamedTuple):
    """A heatmap on its way to the browser. view: the name of its view; card: all its sent data; click: the settings
    that a click on one of its cells makes, with places for the cell, or None if a click does nothing."""

    view: str
    card: dict[str, Any]
    click: dict[str, str] | None

    @property
    def id(self) -> str:
        return str(self.card["id"])

    @property
    def z(self) -> np.ndarray:
        return decoded(self.card)

    def clicked(self, row: int, column: int) -> dict[str, Any]:
        """The settings after a click on a cell. If a step has many figures, the click also chooses the figure's head,
        mask or mode."""
        holes = {"figure": self.id, "row": row, "column": column}
        given = {name: text.format(**holes) for name, text in (self.click or {}).items()}
        return given | (self.card.get("sets") or {})


# These figures have no arithmetic, or a click on them makes another choice.
_OTHERWISE = {"receptive-field", "tiles", "blurred-key", "blurred-value"}
# The view that explains the cells of a pipeline's steps, and one beside it that explains its own cells.
PIPELINE, WHOLE = "walkthrough.large", "walkthrough.whole"


def heatmaps(page: str, link: str) -> list[Figure]:
    found = []
    for name in VIEWS:
        if name.startswith(f"{page}."):
            rows = [block for block in shown(name, LINKS[link]) if block["kind"] == "cards"]
            for row in rows:
                special = row.get("clicks") or {}
                maps = [card for card in row["cards"] if "z" in card]
                found += [Figure(name, card, special.get(card["id"], row.get("click"))) for card in maps]
    return found


def shown(view: str, link: dict[str, Any]) -> list[dict[str, Any]]:
    """The blocks of a view; none where it waits for a task."""
    with suppress(NotYetError):
        return VIEWS[view].blocks(linked(view.partition(".")[0], **link))
    return []


def formulas(view: str, link: dict[str, Any]) -> list[str]:
    """The formulas of a view's panels."""
    return [block["latex"] for block in shown(view, link) if block["kind"] == "panel"]


def place(z: np.ndarray, index: int) -> tuple[int, int]:
    """A corner, the opposite one, or a cell between them, in turn; test_cell.py checks every cell of every step."""
    rows, columns = z.shape
    return ((0, columns - 1), (rows - 1, 0), (rows // 2, columns // 3))[index % 3]


# The records of real models have no arithmetic, and test_models.py checks them.
@pytest.mark.parametrize("link", LINKS)
@pytest.mark.parametrize("page", [page for page in PAGES if page != "models"])
def test_a_click_on_a_cell_of_any_figure_tells_the_number_that_is_drawn(page, link):
    for index, figure in enumerate(heatmaps(page, link)):
        # Without EXHAUSTIVE=2, each figure is checked in one of the links, so each link checks a third of them.
        if figure.id in _OTHERWISE or (not EXHAUSTIVE and (index - [*LINKS].index(link)) % len(LINKS)):
            continue
        assert figure.click, f"{figure.view}/{figure.id} takes no clicks"
        cell = place(figure.z, index)
        if "goal_at" in figure.click:
            differentiated(figure, LINKS[link], *cell)
        else:
            told(figure, LINKS[link], *cell)


def differentiated(figure: Figure, link: dict[str, Any], row: int, column: int) -> None:
    """Choose a number of a step, and compare the sentence about it with the drawn number."""
    said = [
        text.value for text in markdown(linked("backward", **link | {"goal": "cell"} | figure.clicked(row, column)))
    ]
    holds = float(figure.z[row, column])
    if np.isnan(holds):
        holds = -np.inf if figure.card["hidden"] == "−∞" else 0.0
    number = say("backward.depends", number=digits(holds, 4), steps="", numbers="|").split("|")[0]
    assert any(number in text for text in said), f"{figure.id} at {row}, {column}: {number}"


def told(figure: Figure, link: dict[str, Any], row: int, column: int) -> None:
    """Compare the texts that the click adds with the drawn number."""
    clicked = link | figure.clicked(row, column)
    where = f"{figure.view}/{figure.id} at {row}, {column}: {clicked}"
    if figure.view.startswith("walkthrough.") and figure.view != WHOLE:
        # A pipeline always has its panel.
        new = formulas(PIPELINE, clicked)
    else:
        new = formulas(figure.view, clicked)
        for formula in formulas(figure.view, clicked | {"cell": ""}):
            new.remove(formula)
    assert len(new) == 1, f"{where}: {new}"
    holds = float(figure.z[row, column])
    if not np.isnan(holds):
        assert in_a_panel(new[0]) == in_a_figure(holds), f"{where}: {new[0]}"
    elif figure.card.get("absent"):
        # The panel has the arithmetic of the tile that will compute the cell.
        assert new[0].endswith(r"-\infty") or in_a_panel(new[0]).is_finite(), f"{where}: {new[0]}"
    elif figure.card["hidden"] == "−∞":
        assert new[0].endswith(r"-\infty"), f"{where}: {new[0]}"
    else:
        # For a keep-mask, which also covers hidden pairs, the figure shows no number in a hidden cell.
        assert in_a_panel(new[0]) in {"0": (0,), "–": (0, 1)}[figure.card["hidden"]], f"{where}: {new[0]}"


MASKED = Masks.knobs()["every_mask"].options


@pytest.mark.parametrize("form", MASKED)
def test_every_mask_in_every_form_can_be_asked_also_where_it_hides_nothing(form):
    figures = cards(linked("masks", every_mask=form)).get("every_mask")
    assert list(figures) == [form]
    (row,) = [block for block in blocks(linked("masks", every_mask=form)) if block.get("chapter") == "every_mask"]
    assert [card["sets"] for card in row["cards"]] == [{"mask": mask, "painted": ""} for mask in MASKS]
    for index, card in enumerate(row["cards"]):
        # The fast form checks each mask in two of the three forms: one that hides nothing does so in all of them.
        if not EVERY_TEST and index % 3 == MASKED.index(form):
            continue
        for at, key in ((1, 2), (3, 0)) if EXHAUSTIVE else [((1, 2), (3, 0))[index % 2]]:
            cell = f"{form}.{at}.{key}.every_mask"
            # The link is that of a click, which chooses the mask, too.
            shown = blocks(linked("masks", every_mask=form, mask=list(MASKS)[index], cell=cell))
            (panel,) = [block for block in shown if block["kind"] == "panel"]
            holds = float(decoded(card)[at, key])
            if not np.isnan(holds):
                assert in_a_panel(panel["latex"]) == in_a_figure(holds), (cell, panel["latex"])
            elif card["hidden"] == "−∞":
                assert panel["latex"].endswith(r"-\infty"), (cell, panel["latex"])
            else:
                assert in_a_panel(panel["latex"]) in {"0": (0,), "–": (0, 1)}[card["hidden"]], (cell, panel["latex"])


@pytest.mark.parametrize(
    ("page", "cell", "said"),
    [
        (
            "masks",
            "upper_left.1.1.corners",
            ["divide by the sum of the exponentials of the row.", "at query `four`, key `two`"],
        ),
        (
            "experiments",
            "columns.2.3.transposed",
            ["divide by the sum of the exponentials of the column.", "at key `three`, query `four`"],
        ),
        # The figure is transposed, but its rows keep their meaning.
        (
            "experiments",
            "queries-columns.1.2.as-columns",
            ["Multiply pair by pair, then add everything up.", "at feature 2, query `three`"],
        ),
        ("heads", "average.3.1.average", ["The weights of all heads", "at query `four`, key `two`"]),
        ("dropout", "mean.3.1.mean", ["as a share of the draws", "at query `four`, key `two`"]),
        ("order", "weights-sentence.3.1.order-weights", ["at query `four`, key `two`"]),
        ("one_query", "product-2.2.1.products", ["a term of the sum", "at `Q 1 ⊙ K 2`, feature 2"]),
    ],
)
def test_the_panel_says_where_the_cell_stands_and_by_which_rule_it_came_about(page, cell, said):
    at = linked(page, preset="random", text="one two three four five", cell=cell)
    text = "\n".join(element.value for element in markdown(at))
    assert all(part in text for part in said)


@pytest.mark.parametrize("page", [HOME, "backward"])
def test_a_number_of_each_head_has_its_head_for_a_place(page):
    link = {"preset": "random", "text": "one two three", "heads": 3, "head": 2, "sink": "1"}
    cell = "sink.0.0" if page == HOME else "d_sink.0.0.backward-weights"
    at = linked(page, **link, cell=cell)
    assert any(f"at {say('axis.head')} 2" in element.value for element in markdown(at))


@pytest.mark.parametrize(
    "cell",
    [
        "scores-own",
        "scores-own.0",
        "scores-own.0.0",
        "scores-own.0.0.gauge",
        "scores-own.99.0.tied",
        "scores-own.0.99.tied",
        "scores-own.-1.0.tied",
        "scores-own.¹.²..tied",
        "scores-own.00000.0000.tied",
        "scores-own..0.tied",
        "scores-own.0.0.tied.more",
        "scores.0.0.tied",
        "." * 10_000,
    ],
    ids=lambda cell: repr(cell[:40]),
)
def test_a_cell_that_no_figure_has_is_no_cell(cell):
    assert formulas("experiments.tied", {"cell": cell}) == []
