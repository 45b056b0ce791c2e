"""Places for views, whose figures and texts the browser asks for by address."""

from pages.shell import component
from pages.shell.views import View


def show(*views: View) -> None:
    """Show views below each other, as one element, because Streamlit draws each element several times in every run."""
    parts = [one.name.partition(".")[2] for one in views]
    # The place of several views has a key of its own; within it the browser names a place for each (browser/view.js).
    key = f"plot-{parts[0]}" if len(parts) == 1 else f"views-{'-'.join(parts)}"
    component.views(key, [one.name for one in views])
