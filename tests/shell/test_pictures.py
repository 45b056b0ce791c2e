"""Pictures that the server draws: their shapes follow from the numbers, and stay inside the picture."""

import base64
import io
from xml.etree import ElementTree

import numpy as np
import pytest
from PIL import Image

from pages.shell.exports.embedded.figure import Figure
from pages.shell.exports.embedded.picture import chart, composed, heatmap, png, svg
from pages.shell.exports.embedded.picture.drawing import Drawing, Line, Rect, Text, cut, lines, long
from pages.shell.exports.embedded.picture.style import Style, ink, mixed
from pages.shell.i18n import speaking

STYLE = Style.of("light", "en")
WIDTH = 700


def packed(z) -> str:
    return base64.b64encode(np.asarray(z, dtype="<f4").tobytes()).decode()


def card(z, **also):
    z = np.asarray(z, dtype="<f4")
    told = {"id": "weights", "kind": "probability", "rows": "query", "columns": "key", "range": (0, 1)}
    return told | {"z": packed(z), "shape": z.shape} | also


def drawn(*given, **also) -> Drawing:
    with speaking("en"):
        return heatmap.drawn(card(*given, **also), {"query": ["one", "two"], "key": ["a", "b", "c"]}, STYLE, WIDTH)


def texts(drawing: Drawing) -> list[str]:
    return [item.text for item in drawing.items if isinstance(item, Text)]


def test_a_cell_has_its_colour_and_its_number():
    picture = drawn([[0, 0.25, 1], [0.5, 0.75, 0]])
    scale = STYLE.scale("probability")
    cells = [item for item in picture.items if isinstance(item, Rect)][:6]
    assert [one.fill for one in cells] == [mixed(scale, share) for share in (0, 0.25, 1, 0.5, 0.75, 0)]
    assert {"0.00", "0.25", "1.00", "0.50", "0.75", "one", "two", "a", "b", "c"} <= set(texts(picture))


def test_what_a_mask_hides_is_crossed_and_has_no_number():
    picture = drawn([[1, np.nan, np.nan], [0.5, 0.5, np.nan]], hidden="0")
    assert len([item for item in picture.items if isinstance(item, Line)]) == 3 + 1
    assert "masked: 0" in texts(picture)
    assert "nan" not in texts(picture)


def test_names_of_another_length_are_not_put_beside_the_cells():
    assert "one" not in texts(drawn(np.zeros((3, 3))))


@pytest.mark.parametrize("size", [7, 64])
def test_a_large_matrix_stays_inside(size):
    picture = heatmap.drawn(card(np.random.default_rng(0).random((size, size))), {}, STYLE, WIDTH)
    cells = [item for item in picture.items if isinstance(item, Rect)]
    assert all(item.x >= 0 and item.x + item.width <= WIDTH + 1e-6 for item in cells)
    assert max(item.y + item.height for item in cells) <= picture.height


def test_a_colour_between_two_is_their_mean_and_words_on_it_can_be_read():
    assert mixed(["#000000", "#ffffff"], 0.5) == "#808080"
    assert (mixed(["#102030", "#405060"], -1), mixed(["#102030", "#405060"], 2)) == ("#102030", "#405060")
    assert (ink("#ffffff"), ink("#000000")) == ("#000000", "#ffffff")


def test_a_text_is_parted_where_it_may_be():
    parted = lines("today the old fox brings the owl to the shy hen", 14, 100)
    assert " ".join(parted) == "today the old fox brings the owl to the shy hen"
    assert len(parted) > 2
    assert all(long(line, 14) <= 100 for line in parted)
    chinese = "每个词都能看到所有的词"
    assert "".join(lines(chinese, 14, 60)) == chinese
    assert max(map(len, lines(chinese, 14, 60))) <= 4


def test_a_text_that_is_cut_says_so():
    assert cut("short", 12, 100) == "short"
    assert cut("a word that is much too long", 12, 60).endswith("…")


def a_chart(x, y, **axis):
    series = {"name": "s", "style": "line", "colour": 0, "dash": 0, "x": packed(x), "y": packed(y)}
    told = {"title": "x", "log": False} | axis
    return {"series": [series], "x": told, "y": {"title": "y", "log": False}, "marks": []}


def test_a_line_goes_through_its_points_and_has_its_gaps():
    picture = chart.drawn(a_chart([0, 1, 2, 3, 4], [0, 1, np.nan, 1, 0]), STYLE, WIDTH)
    curves = [item for item in picture.items if isinstance(item, Line) and item.stroke == STYLE.series(0)]
    assert [len(one.points) for one in curves] == [2, 2]
    # Larger numbers stand higher.
    (_, low), (_, high) = curves[0].points
    assert high < low


def test_a_logarithmic_axis_counts_powers():
    names = texts(chart.drawn(a_chart([1, 10, 100, 1e6], [1, 2, 3, 4], log=True), STYLE, WIDTH))
    assert {"1", "10", "100", "10⁶"} <= set(names)


@pytest.mark.parametrize("x", [[5, 5], [0, 0], []])
def test_a_chart_of_nothing_is_a_picture_all_the_same(x):
    assert chart.drawn(a_chart(x, x), STYLE, WIDTH).height > 0


@pytest.mark.parametrize("theme", ["light", "dark", "transparent"])
def test_a_png_is_the_picture_twice_as_large(theme):
    figure = Figure.of("masks.every_mask", {"theme": theme}, "en")
    with speaking("en"):
        picture = composed.drawn(figure)
    image = Image.open(io.BytesIO(png.written(picture, "a title", "a sentence")))
    assert image.size == (2 * picture.width, 2 * picture.height)
    assert image.text == {"Title": "a title", "Description": "a sentence"}
    red, green, blue, there = image.getpixel((3, 3))
    assert there == (0 if theme == "transparent" else 255)
    assert theme == "transparent" or (max(red, green, blue) < 60) == (theme == "dark")


def test_a_letter_that_no_font_has_is_named(monkeypatch):
    only = png._names()[:1]
    monkeypatch.setattr(png, "_names", lambda: only)
    png._font_of.cache_clear()
    picture = Drawing(50, 20, [Text(0, 15, "猫", 12, "#000000")])
    with pytest.raises(png.NoFontError, match="猫"):
        png.written(picture, "", "")
    png._font_of.cache_clear()


def test_what_is_drawn_is_what_is_written():
    picture = Drawing(
        40, 30, [Rect(1, 2, 3, 4, "#ff0000"), Line([(0, 0), (9, 9)], "#00ff00"), Text(5, 6, "<&>", 12, "#0")]
    )
    root = ElementTree.fromstring(svg.written(picture, "t", "d", "en"))
    kinds = [element.tag.rpartition("}")[2] for element in root]
    assert kinds == ["title", "desc", "rect", "path", "text"]
    assert root[4].text == "<&>"
    assert (root.get("width"), root.get("height")) == ("40", "30")
