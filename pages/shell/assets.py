"""What the server adds to Streamlit's own routes: plotly.js of the installed package, our scripts, compression."""

from pathlib import Path

from starlette.middleware import Middleware
from starlette.middleware.gzip import GZipMiddleware
from starlette.routing import Mount
from starlette.staticfiles import StaticFiles

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
# Level 6: level 9 makes plotly.js one per cent smaller and takes twice as long, at every first visit.
MIDDLEWARE = [Middleware(GZipMiddleware, minimum_size=1024, compresslevel=6)]
