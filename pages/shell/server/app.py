"""What the server adds to Streamlit's own routes: the installed plotly.js, our scripts, headers, compression."""

from pathlib import Path

from starlette.middleware import Middleware
from starlette.middleware.gzip import GZipMiddleware
from starlette.routing import Mount, Route
from starlette.staticfiles import StaticFiles
from streamlit.runtime.state.query_params import CLIENT_STATE_QUERY_STRING_MAX_LENGTH as LONGEST_QUERY
from uvicorn.protocols.http import h11_impl

from pages.shell.server import live, plotly_js, qr, votes
from pages.shell.server.compression import Compressed
from pages.shell.server.headers import Headers
from pages.shell.server.nested_paths import NestedPaths
from pages.shell.server.preload import Ahead
from pages.shell.server.stated_base import StatedBase

SHELL = Path(__file__).resolve().parent.parent
FRAME = SHELL / "frame.py"


class _Scripts(StaticFiles):
    """Static files: the scripts and styles of a folder of Python modules, and nothing else of it."""

    def lookup_path(self, path: str):  # type: ignore[no-untyped-def]
        return super().lookup_path(path) if path.endswith((".js", ".css")) else ("", None)


ROUTES = [
    # A mount, so that what else is asked for there is not there, and not Streamlit's page.
    Mount("/assets/plotly", routes=[Route("/plotly.min.js", plotly_js.answer)]),
    Mount("/assets/plot", _Scripts(directory=SHELL / "component" / "browser")),
    Route("/assets/qr", qr.answer, methods=["POST"]),
    Route("/assets/votes", votes.answer, methods=["POST"]),
    # Not below /assets/, of which `Compressed` keeps answers by their path alone.
    Route("/live", live.answer, methods=["GET", "POST"]),
]
MIDDLEWARE = [
    Middleware(Headers),
    Middleware(NestedPaths),
    Middleware(Ahead),
    Middleware(Compressed),
    # What is made for one visitor, such as Streamlit's page.
    Middleware(GZipMiddleware, minimum_size=1024, compresslevel=6),
    Middleware(StatedBase),
]
# uvicorn has an option for this that Streamlit does not pass on: docs/decisions/links.md.
h11_impl.DEFAULT_MAX_INCOMPLETE_EVENT_SIZE = LONGEST_QUERY + 16 * 1024  # type: ignore[attr-defined]
