"""The routes that the app adds to Streamlit's: the installed plotly.js, our scripts, headers, compression."""

from pathlib import Path

from starlette.middleware import Middleware
from starlette.middleware.gzip import GZipMiddleware
from starlette.routing import Mount, Route
from streamlit.runtime.state.query_params import CLIENT_STATE_QUERY_STRING_MAX_LENGTH as LONGEST_QUERY
from uvicorn.protocols.http import h11_impl

from pages.shell.server import asked_of_rooms, figure, files, live, oembed, plotly_js, qr
from pages.shell.server.bundle import Scripts
from pages.shell.server.compression import Compressed
from pages.shell.server.headers import Headers
from pages.shell.server.nested_paths import NestedPaths
from pages.shell.server.page import Page

FRAME = Path(__file__).resolve().parent.parent / "frame.py"
ROUTES = [
    # A mount, so that other paths below it are answered with 404 and not with Streamlit's page.
    Mount("/assets/plotly", routes=[Route("/plotly.min.js", plotly_js.answer)]),
    Mount("/assets/plot", Scripts()),
    Route("/assets/qr", qr.answer, methods=["POST"]),
    # These paths are not below /assets/, where `Compressed` keeps answers by their path alone.
    Route("/live", live.answer, methods=["GET", "POST"]),
    Route("/room", asked_of_rooms.answer, methods=["POST"]),
    Route("/file", files.answer, methods=["GET", "POST"]),
    Route("/figure/{view}", figure.answer),
    Route("/oembed", oembed.answer),
]
MIDDLEWARE = [
    Middleware(Headers),
    Middleware(NestedPaths, ours=("figure",)),
    Middleware(Compressed),
    # Compresses answers for a single visitor, such as Streamlit's page.
    Middleware(GZipMiddleware, minimum_size=1024, compresslevel=6),
    Middleware(Page),
]
# The longest request line. Streamlit does not pass uvicorn's option for it on (docs/decisions/links.md).
h11_impl.DEFAULT_MAX_INCOMPLETE_EVENT_SIZE = LONGEST_QUERY + 16 * 1024  # type: ignore[attr-defined]
