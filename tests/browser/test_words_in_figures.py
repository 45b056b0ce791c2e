"""Numbers in cells and names of marks, by the browser's functions that place them: only readable ones are drawn."""

import pytest

pytestmark = pytest.mark.browser

PRINTED = """async ([z, width, crossed]) => {
  const { printed } = await import('/assets/plot/cell_numbers.js');
  const sent = { shape: [1, z.length], crossed, kind: 'magnitude', range: [0, 1] };
  const seen = { rows: [0, 0], columns: [0, z.length - 1] };
  const layout = { area: { width: width * z.length, height: 40 }, rows: 1, columns: z.length, seen };
  return printed([z], sent, layout, { large: 1, magnitude: ['#ffffff', '#000000'] })?.texts ?? null;
}"""


def test_numbers_in_cells_say_something_and_what_is_dropped_is_crossed_out_without_them(screen):
    screen.page.goto(f"{screen.base}/assets/plot/plot.css")
    for z, width, crossed, texts in (
        ([0.95, 0.0, 0.05], 40, False, ["0.95", "0.00", "0.05"]),
        ([0.7, 0.0, 0.2], 24, False, ["0.7", "0.0", "0.2"]),
        # All of these numbers would read as nothing.
        ([0.02, 0.0, -0.04], 24, False, None),
        ([0.95, 0.0, 0.05], 16, False, None),
        ([1.43, 0.0, 0.05], 16, True, ["", "✕", ""]),
        ([1.43, 0.3, 0.05], 16, True, None),
        ([1, 0, 1], 16, False, ["1", "0", "1"]),
        ([1, 0, 1], 8, False, None),
    ):
        assert screen.page.evaluate(PRINTED, [z, width, crossed]) == texts, (z, width)


def test_names_of_marks_do_not_run_into_each_other(screen):
    """Each name is given by its place and its width."""
    screen.page.goto(f"{screen.base}/assets/plot/plot.css")
    anchored = "async (spans) => (await import('/assets/plot/chart_layout.js')).anchorsOf(spans, 200)"
    for spans, anchors in (
        ([[40, 16], [50, 44], [120, 44]], ["right", "left", "center"]),
        ([[50, 44], [40, 16]], ["left", "right"]),
        ([[50, 44], [50, 16]], ["right", "left"]),
        ([[0, 40]], ["center"]),
        ([[190, 40]], ["right"]),
    ):
        assert screen.page.evaluate(anchored, spans) == anchors
