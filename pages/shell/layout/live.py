"""Places for views, whose figures and texts the browser asks for by address."""

from pages.shell import component
from pages.shell.views import View


def show(*views: View) -> None:
    """Views below each other. They are one element: Streamlit sends each element by itself, and draws each again
    several times in every run."""
    parts = [one.name.partition(".")[2] for one in views]
    # A place for several has a name of its own, and in it the browser names the place of each (browser/view.js).
    key = f"plot-{parts[0]}" if len(parts) == 1 else f"views-{'-'.join(parts)}"
    component.views(key, [one.name for one in views])
