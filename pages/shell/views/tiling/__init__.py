"""The views of the page about tiles: softmax in tiles of the scores, and the reach of a window over several layers."""

from pages.shell.views.ledger import ledger as drawn
from pages.shell.views.registry import View
from pages.shell.views.tiling import field, figures, memory, moves
from pages.shell.views.tiling import running as kept

ledger = View("tiles.ledger", drawn)
player = View("tiles.player", moves.player)
running = View("tiles.running", kept.running)
tile = View("tiles.tile", figures.tile)
course = View("tiles.course", figures.course)
same = View("tiles.same", memory.same)
needed = View("tiles.memory", memory.memory)
field_lead = View("tiles.field_lead", field.lead)
fan = View("tiles.field", field.fan)
