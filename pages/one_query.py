"""One query over a few vectors, before there are queries, keys and values; then one token of four; then all four."""

from pages.shell import by_token, plane, show
from pages.shell.widgets import widgets

show.title("one_query")
show.predict("length", "flatter", "same", "sharper")
plane.lead()
widgets("q_angle", "q_length")
asked = plane.ask()
plane.picture(asked)
show.steps(asked, "scores", "scaled", "weights", "output", chapter="plane")
plane.temperature(asked)
first = by_token.first()
by_token.lead()
show.steps(first, "queries", "keys", "values", chapter="one_token")
by_token.products(first)
by_token.numbers(first)
by_token.mix(first)
every = by_token.every()
show.steps(every, "scores", "scaled", "weights", "output", chapter="all_tokens")
by_token.same(every)
