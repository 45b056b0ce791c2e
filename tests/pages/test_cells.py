"""Every heatmap of every page can be asked how its numbers came about, and the answer is the number that is drawn."""

import json
import re
from functools import cache
from itertools import chain
from typing import NamedTuple

import numpy as np
import pytest
from streamlit.testing.v1 import AppTest

from attention.masks import MASKS
from attention.notation import IDS
from pages.shell.i18n import say
from pages.shell.i18n.numbers import digits
from pages.shell.state.page_controls import Masks
from tests.attention.explain.test_shown import in_a_figure, in_a_panel
from tests.support.app import HOME, MAP, PAGES, app, blocks, cards, decoded, linked, markdown, no_exception
from tests.support.covering import EVERY_TEST, EXHAUSTIVE
from tests.support.trained import needed

pytestmark = pytest.mark.usefixtures("one_step_a_run")
# Sizes are pairwise distinct primes; rows that see nothing, padding, dropout and every bias are among what is drawn.
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
    """A heatmap on its way to the browser. key: of its row; clicks: whether a click on it is heard; sets: the control
    that a click on it sets, and its value; hidden: what it says of a cell that the mask hides; absent: what it says of
    one whose number is not there yet."""

    key: str
    id: str
    z: np.ndarray
    hidden: str | None
    clicks: bool
    sets: tuple[str, str | int] | None
    absent: str | None


# A click on a position asks for its inputs.
_CHOSEN = {"receptive-field"}


def heatmaps(at: AppTest) -> list[Figure]:
    found = []
    for component in at.get("bidi_component"):
        payload = json.loads(component.proto.json)
        key = component.proto.id.rpartition("-plot-")[2]
        for card in payload.get("cards", ()):
            if "z" in card:
                clicks = bool(payload["chapter"] or payload.get("clicks"))
                sets, says = card.get("sets"), (card.get("hidden"), card.get("absent"))
                found.append(Figure(key, card["id"], decoded(card), says[0], clicks, sets, says[1]))
    return found


def in_pipeline(at: AppTest, figure: Figure) -> bool:
    """Whether the panel beside a pipeline, which is always there, tells the cells of a figure: those of steps."""
    return "pipeline-strip" in at.session_state and figure.id in IDS


def formulas(at: AppTest) -> list[str]:
    """By themselves, as in a panel below a figure, and in the text beside the large step."""
    beside = (re.findall(r"\$\$\n(.*?)\n\$\$", element.value, re.DOTALL) for element in markdown(at))
    return [*(element.value.strip("$\n") for element in at.latex), *chain.from_iterable(beside)]


@cache
def opened(page: str, link: str) -> AppTest:
    at = app(page, **LINKS[link])
    assert no_exception(at)
    return at


def place(figure: Figure, index: int) -> tuple[int, int]:
    """A corner, the one opposite, or one between, by turns; every cell of every step is asked in test_cell.py."""
    rows, columns = figure.z.shape
    return ((0, columns - 1), (rows - 1, 0), (rows // 2, columns // 3))[index % 3]


@pytest.mark.parametrize("link", LINKS)
@pytest.mark.parametrize("page", PAGES)
def test_a_link_to_a_cell_of_any_figure_tells_the_number_that_is_drawn(page, link):
    if page == "models":
        # Of the records without a model, test_models.py asks: no arithmetic was kept with them.
        needed("minilm")
    at = opened(page, link)
    without = formulas(at)
    for index, figure in enumerate(heatmaps(at)):
        assert figure.clicks, f"{figure.key}/{figure.id} takes no clicks: draw it with figure_rows.row"
        # Each figure in one of the links, and each link for a third of the figures.
        if not EXHAUSTIVE and (index - [*LINKS].index(link)) % len(LINKS):
            continue
        # Of the steps, which one panel tells on every page, every second one; test_cell.py asks for all of them.
        if not EVERY_TEST and figure.id in IDS and index // len(LINKS) % 2:
            continue
        cell = place(figure, index)
        if page == "backward" and figure.id in IDS:
            differentiated(at, figure, *cell)
        elif figure.id not in _CHOSEN:
            # The map of a head is that of the weights, whose arithmetic stands in the pipeline.
            if figure.id.startswith(MAP):
                figure = figure._replace(id="weights", sets=("head", int(figure.id.removeprefix(MAP))))
            told(at, [] if in_pipeline(at, figure) else without, figure, *cell)
    at.query_params.pop("cell", None)


def differentiated(at: AppTest, figure: Figure, row: int, column: int) -> None:
    """Choose a number of a step as a click does, and hold the sentence about it against what is drawn."""
    before = {name: at.session_state[name] for name in ("goal", "goal_at")}
    at.session_state["goal"], at.session_state["goal_at"] = "cell", f"{figure.id}.{row}.{column}"
    assert no_exception(at.run())
    said = [element.value for element in markdown(at)]
    holds = float(figure.z[row, column])
    if np.isnan(holds):
        holds = -np.inf if figure.hidden == "−∞" else 0.0
    number = say("backward.depends", number=digits(holds, 4), steps="|", numbers="").split("|")[0]
    assert any(number in text for text in said), f"{figure.id} at {row}, {column}: {number}"
    for name, value in before.items():
        at.session_state[name] = value


def told(at: AppTest, without: list[str], figure: Figure, row: int, column: int) -> None:
    """Point at a cell as a click does, which on one of many figures of a step chooses that figure's head, mask or mode
    as well, and hold what the page says more than without against what is drawn."""
    where = f"{figure.key}/{figure.id} at {row}, {column}" + (f" with {figure.sets}" if figure.sets else "")
    name, value = figure.sets or ("", "")
    first = at.session_state[name] if name else None
    if name:
        at.session_state[name] = value
        at.query_params.pop("cell", None)
        without = [] if in_pipeline(at.run(), figure) else formulas(at)
    at.query_params["cell"] = f"{figure.id}.{row}.{column}.{figure.key}"
    at.run()
    assert no_exception(at)
    new = list(formulas(at))
    for formula in without:
        new.remove(formula)
    assert len(new) == 1, f"{where}: {new}"
    holds = float(figure.z[row, column])
    if not np.isnan(holds):
        assert in_a_panel(new[0]) == in_a_figure(holds), f"{where}: {new[0]}"
    elif figure.absent:
        # The arithmetic is that of the tile that will compute it.
        assert new[0].endswith(r"-\infty") or in_a_panel(new[0]).is_finite(), f"{where}: {new[0]}"
    elif figure.hidden == "−∞":
        assert new[0].endswith(r"-\infty"), f"{where}: {new[0]}"
    else:
        # Of a keep-mask, which is drawn for hidden pairs, too, the figure says nothing there.
        assert in_a_panel(new[0]) in {"0": (0,), "–": (0, 1)}[figure.hidden], f"{where}: {new[0]}"
    assert new[0] in [code.value for code in at.code] or in_pipeline(at, figure), where
    if name:
        at.session_state[name] = first


MASKED = Masks.knobs()["every_mask"].options


@pytest.mark.parametrize("form", MASKED)
def test_every_mask_in_every_form_can_be_asked_also_where_it_hides_nothing(form):
    figures = cards(linked("masks", every_mask=form)).get("every_mask")
    assert list(figures) == [form]
    (row,) = [block for block in blocks(linked("masks", every_mask=form)) if block.get("chapter") == "every_mask"]
    assert [tuple(card["sets"]) for card in row["cards"]] == [("mask", mask) for mask in MASKS]
    for index, card in enumerate(row["cards"]):
        # Each mask in two of the three forms, else, because it hides nothing in none.
        if not EVERY_TEST and index % 3 == MASKED.index(form):
            continue
        for at, key in ((1, 2), (3, 0)) if EXHAUSTIVE else [((1, 2), (3, 0))[index % 2]]:
            cell = f"{form}.{at}.{key}.every_mask"
            # As a click does, which chooses the mask as well.
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
        ("masks", "upper_left.1.1.corners", ["Subtract the row's largest score", "at query `four`, key `two`"]),
        (
            "experiments",
            "columns.2.3.transposed",
            ["Subtract the column's largest score", "at key `three`, query `four`"],
        ),
        ("heads", "average.3.1.average", ["The weights of all heads", "at query `four`, key `two`"]),
        ("dropout", "mean.3.1.mean", ["as a share of the draws", "at query `four`, key `two`"]),
        ("order", "weights-sentence.3.1.order-weights", ["at query `four`, key `two`"]),
        ("one_query", "product-2.2.1.products", ["a term of the sum", "at `Q 1 ⊙ K 2`, feature 2"]),
    ],
)
def test_the_panel_says_where_the_cell_stands_and_by_which_rule_it_came_about(page, cell, said):
    at = app(page, preset="random", text="one two three four five", cell=cell)
    text = "\n".join(element.value for element in markdown(at))
    assert all(part in text for part in said)


@pytest.mark.parametrize("page", [HOME, "backward"])
def test_a_number_of_each_head_has_its_head_for_a_place(page):
    link = {"preset": "random", "text": "one two three", "heads": 3, "head": 2, "sink": "1"}
    cell = "sink.0.0" if page == HOME else "d_sink.0.0.backward-weights"
    at = app(page, **link, cell=cell)
    assert no_exception(at)
    assert any(f"at {say('axis.head')} 2" in element.value for element in markdown(at))


@cache
def plain() -> tuple[AppTest, list[str]]:
    """A page that is asked about no cell, and its formulas."""
    at = app("experiments")
    return at, formulas(at)


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
    at, before = plain()
    at.query_params["cell"] = cell
    at.run()
    assert no_exception(at)
    assert formulas(at) == before
    at.query_params.pop("cell", None)
