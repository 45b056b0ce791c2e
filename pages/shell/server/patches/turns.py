"""Give each run its turn, from its first callback to its last message.

Runs that take the interpreter from each other in the middle need more than twice the time for all of them: with 300
visitors the same processor answers half as many again in turns (docs/decisions/load.md). While a run waits, what its
visitor asks for meanwhile is put together by Streamlit.
"""

from collections.abc import Callable
from contextlib import AbstractContextManager
from typing import Any

from streamlit.runtime.scriptrunner import ScriptRunner

# Not this replacement itself, when the module is loaded anew.
_original: Any = getattr(ScriptRunner._run_script, "original", ScriptRunner._run_script)


def install(turn: Callable[[], AbstractContextManager[None]]) -> None:
    """Replace `ScriptRunner._run_script` in this process. turn: what a run holds."""

    def run(runner: ScriptRunner, asked: Any) -> None:
        with turn():
            _original(runner, asked)

    run.original = _original  # type: ignore[attr-defined]
    ScriptRunner._run_script = run  # type: ignore[method-assign,assignment]
