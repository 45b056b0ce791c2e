"""What a run of a whole page costs the server: the time inside Streamlit's script runner, and its collections."""

import gc
import statistics
import time
from typing import Any

from streamlit.runtime.scriptrunner import script_runner
from streamlit.testing.v1 import AppTest

from benchmarks.server import ROOT
from pages.shell.state.url import written

RUNS = 40


def rerun_report() -> str:
    """Median milliseconds of a rerun of the default page, and its full garbage collections with their time."""
    times, collections, inside = [], [], False
    runner: Any = script_runner.ScriptRunner
    original = runner._run_script

    def timed(self: Any, *arguments: Any, **options: Any) -> Any:
        nonlocal inside
        started, inside = time.perf_counter(), True
        try:
            return original(self, *arguments, **options)
        finally:
            times.append(time.perf_counter() - started)
            inside = False

    def collected(phase: str, information: dict[str, int]) -> None:
        # Between two runs the garbage is the test driver's own.
        if inside and information["generation"] == 2:
            collections.append((phase, time.perf_counter()))

    runner._run_script = timed
    app = AppTest.from_file(str(ROOT / "pages" / "shell" / "frame.py"), default_timeout=60).run()
    gc.callbacks.append(collected)
    try:
        times.clear()
        for index in range(RUNS):
            settings = app.session_state["settings"]
            settings.set("dropout", written(0.05 * (1 + index % 10)))
            settings.renew("dropout")
            app.run()
    finally:
        gc.callbacks.remove(collected)
        runner._run_script = original
    full = [end - start for (_, start), (_, end) in zip(collections[::2], collections[1::2], strict=True)]
    spent = f"{1e3 * sum(full):.1f} ms in all" if full else "none"
    middle = 1e3 * statistics.median(times)
    return f"rerun of the default page: {middle:.1f} ms server time; full collections: {len(full)} ({spent})"


if __name__ == "__main__":
    print(rerun_report())
