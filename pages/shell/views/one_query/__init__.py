"""One query over words in the plane, then one token of four, then all four."""

from pages.shell.views.one_query import by_token, plane
from pages.shell.views.registry import View

picture = View("one_query.vectors", plane.picture)
around = View("one_query.around", plane.around)
steps = View("one_query.plane", plane.asked_once)
temperature = View("one_query.temperature", plane.temperature)
itself = View("one_query.itself", plane.itself)
vectors = View("one_query.one_token", by_token.vectors)
products = View("one_query.products", by_token.products)
numbers = View("one_query.numbers", by_token.numbers)
mix = View("one_query.mix", by_token.mix)
all_tokens = View("one_query.all_tokens", by_token.all_tokens)
same = View("one_query.same", by_token.same)
