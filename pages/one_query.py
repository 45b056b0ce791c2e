"""One query over a few vectors, before there are queries, keys and values; then one token of four; then all four."""

from pages.shell.layout import page, steps
from pages.shell.layout.widgets import widgets
from pages.shell.sections.one_query import by_token, plane

page.title("one_query")
page.predict("length", "flatter", "same", "sharper")
plane.lead()
widgets("q_angle", "q_length")
asked = plane.ask()
plane.picture(asked)
steps.steps(asked, "scores", "scaled", "weights", "output", chapter="plane")
plane.temperature(asked)
first = by_token.first()
by_token.lead()
steps.steps(first, "queries", "keys", "values", chapter="one_token")
by_token.products(first)
by_token.numbers(first)
by_token.mix(first)
every = by_token.every()
steps.steps(every, "scores", "scaled", "weights", "output", chapter="all_tokens")
by_token.same(every)
