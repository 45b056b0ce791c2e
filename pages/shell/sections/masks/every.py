"""Which step is shown of all masks side by side."""

from pages.shell.runs.sources import Source
from pages.shell.state.page_controls import Masks

chosen = Source(lambda: Masks.current().every_mask)
