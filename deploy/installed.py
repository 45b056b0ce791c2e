"""Checks of the installed package, run by deploy/package.py in its environment, outside the checkout."""

import importlib
import pkgutil
import socket
import subprocess
import sys
import time
import urllib.request
from importlib.metadata import version
from pathlib import Path

HERE = Path(sys.prefix).resolve()


def package() -> None:
    """Import every module from this environment, read a layer that learned, and display a record."""
    import attention

    assert HERE in Path(attention.__file__).resolve().parents, attention.__file__
    assert attention.__version__ == version("attention-step-by-step")
    modules = [one.name for one in pkgutil.walk_packages(attention.__path__, "attention.")]
    for name in modules:
        importlib.import_module(name)
    assert not {"streamlit", "pages"} & set(sys.modules), "the theory has loaded the app"

    import torch

    trace = attention.Trace()
    layer = attention.MultiHeadAttention(12, heads=3, generator=torch.Generator().manual_seed(0))
    layer(torch.ones(5, 12), mask=attention.grid("causal", 5, 5), trace=trace)
    assert "A = " in trace["weights"]._repr_mimebundle_()["text/plain"]
    page = trace.to_html("trace.html")
    assert Path("trace.html").read_text(encoding="utf-8") == page
    from attention.inputs import learned

    assert learned.FILE.is_file(), learned.FILE
    from attention.exercises import check

    assert check("softmax", lambda scores: scores.softmax(-2)).mistake == "columns"
    print(f"attention {attention.__version__}: {len(modules)} modules, a page of {len(page) / 1e6:.1f} MB")


def app() -> None:
    """Start the app with the command of the wheel; it must answer, have its scripts and draw its screen."""
    command = HERE / "bin" / "attention-app"
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    address = f"http://127.0.0.1:{port}"
    options = ["--server.headless=true", f"--server.port={port}", "--logger.level=error"]
    server = subprocess.Popen([command, *options])
    try:
        end = time.monotonic() + 60
        while not _answers(f"{address}/_stcore/health"):
            assert server.poll() is None, "attention-app has ended"
            assert time.monotonic() < end, "attention-app does not answer"
            time.sleep(0.1)
        assert _answers(f"{address}/assets/plot/mounts.js")
        assert _answers(f"{address}/masks")
    finally:
        server.terminate()
        server.wait(30)
    home = next(HERE.glob("lib/python*/site-packages/attention_app"))
    sys.path.insert(0, str(home))
    from streamlit.testing.v1 import AppTest

    drawn = AppTest.from_file(home / "pages" / "shell" / "frame.py", default_timeout=60).run()
    assert not drawn.exception, drawn.exception
    print(f"attention-app: answers, and draws {len(drawn.main)} elements from {home.name}")


def _answers(address: str) -> bool:
    try:
        with urllib.request.urlopen(address, timeout=5) as answer:
            return bool(answer.status == 200)
    except OSError:
        return False


package()
app()
