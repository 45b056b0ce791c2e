"""Places for views, whose figures and texts the browser asks for by address."""

from pages.shell import component
from pages.shell.views import View


def show(*views: View) -> None:
    """Show views below each other, as one element, because Streamlit draws each element several times in every run."""
    component.views([one.name for one in views])
