"""What the server adds to Streamlit's own routes: the installed plotly.js, our scripts, headers, compression."""

from pathlib import Path

from starlette.middleware import Middleware
from starlette.middleware.gzip import GZipMiddleware
from starlette.routing import Mount
from starlette.staticfiles import StaticFiles

from pages.shell.compressed import Compressed
from pages.shell.headers import Headers

HERE = Path(__file__).parent
FRAME = HERE / "frame.py"


class _Scripts(StaticFiles):
    """The scripts and styles of a folder of Python modules, and nothing else of it."""

    def lookup_path(self, path: str):  # type: ignore[no-untyped-def]
        return super().lookup_path(path) if path.endswith((".js", ".css")) else ("", None)


ROUTES = [
    Mount("/assets/plotly", StaticFiles(packages=[("plotly", "package_data")])),
    Mount("/assets/plot", _Scripts(directory=HERE / "plot")),
]
MIDDLEWARE = [
    Middleware(Headers),
    Middleware(Compressed),
    # What is made for one visitor, such as Streamlit's page.
    Middleware(GZipMiddleware, minimum_size=1024, compresslevel=6),
]
