"""The lifespan of the app: Streamlit's runtime starts with the server, not with a first request, and stops with it."""

import subprocess
import sys

import pytest

from benchmarks.server import ROOT
from pages.shell.server.app import MIDDLEWARE
from tests.support.app import awaited

# uvicorn with `lifespan="on"` does not start if the app raises; by default, it goes on silently. The code runs in a
# process of its own, since a process has one runtime, and keeps the server's patches.
_LIVED = """
import asyncio, uvicorn
from streamlit.runtime import Runtime
from streamlit_app import app

async def lived():
    server = uvicorn.Server(uvicorn.Config(app, host="127.0.0.1", port=0, lifespan="on", ws="websockets-sansio"))
    serving = asyncio.create_task(server.serve())
    while not (server.started or serving.done()):
        await asyncio.sleep(0)
    print(server.started, Runtime.instance().state.name)
    server.should_exit = True
    await serving
    await Runtime.instance().stopped
    print(Runtime.instance().state.name)

asyncio.run(lived())
"""


@pytest.mark.parametrize("middleware", MIDDLEWARE, ids=lambda middleware: middleware.cls.__name__)
def test_each_middleware_hands_a_lifespan_on_as_it_is(middleware):
    heard = []

    async def app(*given):
        heard.append(given)

    async def receive(): ...

    async def send(message): ...

    # The scope is as ASGI specifies it: no path, no method, no headers.
    scope = {"type": "lifespan", "asgi": {"version": "3.0", "spec_version": "2.0"}, "state": {}}
    given = (dict(scope), receive, send)
    awaited(middleware.cls(app, *middleware.args, **middleware.kwargs)(*given))
    assert heard == [(scope, receive, send)]


@pytest.mark.slow
def test_the_runtime_starts_before_any_request_and_is_stopped_with_the_server(tmp_path):
    """uvicorn once took the app for one without a lifespan."""
    run = subprocess.run(
        [sys.executable, "-c", _LIVED], cwd=ROOT, capture_output=True, text=True, check=False, timeout=120
    )
    assert run.returncode == 0, run.stderr
    assert run.stdout.split() == ["True", "NO_SESSIONS_CONNECTED", "STOPPED"], run.stderr
    assert "Application shutdown complete" in run.stderr
