"""One query over a few vectors, before there are queries, keys and values; then one token of four; then all four."""

from pages.shell.layout import page, steps
from pages.shell.layout.widgets import widgets
from pages.shell.sections.one_query import by_token, plane

page.title("one_query")
plane.lead()
widgets("q_angle", "q_length")
plane.picture(plane.shown)
steps.steps(plane.shown, "scores", "scaled", "weights", "output", chapter="plane")
with page.predict("length", "flatter", "same", "sharper"):
    plane.temperature(plane.shown)
plane.itself()
steps.steps(plane.everybody, "scores", "weights", "output", chapter="itself")
by_token.lead()
steps.steps(by_token.first, "queries", "keys", "values", chapter="one_token")
by_token.products(by_token.first)
by_token.numbers(by_token.first)
by_token.mix(by_token.first)
steps.steps(by_token.every, "scores", "scaled", "weights", "output", chapter="all_tokens")
by_token.same(by_token.every)
