"""The installed plotly.js, sent with the hint that all of it will be called."""

import hashlib
from importlib.metadata import distribution
from pathlib import Path

from starlette.requests import Request
from starlette.responses import Response

ADDRESS = "assets/plotly/plotly.min.js"
INSTALLED = Path(str(distribution("plotly").locate_file("plotly/package_data/plotly.min.js")))
# With this hint Chromium compiles the script in the background while Streamlit starts, and not function by function
# when it runs: the tab freezes for .5 s instead of .8 s (docs/decisions/first-visit.md). Other browsers see a comment.
HINT = b"//# allFunctionsCalledOnLoad\n"


def answer(request: Request) -> Response:
    body = HINT + INSTALLED.read_bytes()
    tag = hashlib.sha256(body).hexdigest()[:32]
    return Response(body, media_type="text/javascript", headers={"etag": f'"{tag}"'})
